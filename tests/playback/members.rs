//! Single characters of a crowd: their placement, motion, tint and presence. Also hidden nodes.

use crate::support::figure::*;
use crate::support::made_model::at;
use gambol::playback::{PlayOptions, State};
use gambol::player::{Crowd, Player};
use glam::{Affine3A, Quat, Vec3, Vec4};

fn trio() -> Player {
    let mut player = playing("walk");
    let world_from_model = vec![Affine3A::IDENTITY; 3];
    player.crowd(3, &Crowd { clip: None, phases: vec![0.0, 0.25, 0.5], world_from_model }).unwrap();
    player
}

/// Asserts the X offset of a character's leg from its root, which is the value that its clip sets.
#[track_caller]
fn assert_leg(player: &mut Player, character: usize, expected: f32) {
    let matrices = player.world_matrices(character).unwrap();
    assert_near(matrices[LEG].w_axis.x - matrices[0].w_axis.x, expected);
}

#[test]
fn one_plays_something_else_and_the_others_go_on() {
    let mut player = trio();
    let stand = clip_named(&player, "stand");
    let run = player.run();
    player.alone(1, |player| player.play(stand, &PlayOptions::default())).unwrap().unwrap();
    player.advance(0.5).unwrap();
    for (character, leg) in [0.5, 5.0, 1.5].into_iter().enumerate() {
        assert_leg(&mut player, character, leg);
    }
    assert_eq!(player.run(), run, "the lead tells of itself");
    assert_eq!(player.alone(1, |player| player.clip()).unwrap(), Some(stand));
    assert_eq!(player.drain_events().count(), 0, "a follower is not heard");

    // The last command counts, whether it was for all or for one.
    let run = clip_named(&player, "run");
    player.play(run, &PlayOptions::default()).unwrap();
    for (character, leg) in [10.0, 10.25, 10.5].into_iter().enumerate() {
        assert_leg(&mut player, character, leg);
    }
    player.alone(0, |player| player.play(stand, &PlayOptions::default())).unwrap().unwrap();
    assert_eq!(player.clip(), Some(stand), "the lead alone");
    assert_leg(&mut player, 1, 10.25);
}

#[test]
fn times_speeds_and_pauses_are_its_own() {
    let mut player = trio();
    player.alone(2, |player| player.seek(0.25)).unwrap().unwrap();
    assert_leg(&mut player, 2, 0.25);
    assert_eq!(player.alone(2, |player| player.time_secs()).unwrap(), 0.25, "its phase doesn't count");
    player.alone(2, |player| player.set_playback_rate(2.0)).unwrap().unwrap();
    player.alone(1, Player::pause).unwrap();
    player.advance(0.5).unwrap();
    for (character, leg) in [0.5, 0.5, 1.25].into_iter().enumerate() {
        assert_leg(&mut player, character, leg);
    }
    assert_eq!(player.state(), State::Playing);
    assert_eq!(player.alone(1, |player| player.state()).unwrap(), State::Paused);
    assert_eq!(
        (player.playback_rate(), player.alone(2, |player| player.playback_rate()).unwrap()),
        (1.0, 2.0)
    );

    player.pause();
    player.resume();
    player.set_playback_rate(1.0).unwrap();
    player.advance(0.25).unwrap();
    for (character, leg) in [0.75, 0.75, 1.5].into_iter().enumerate() {
        assert_leg(&mut player, character, leg);
    }
    player.alone(1, Player::stop).unwrap();
    assert_eq!(player.alone(1, |player| player.state()).unwrap(), State::Stopped);
    // A seek of the whole crowd restores the phases.
    player.seek(0.0).unwrap();
    assert_leg(&mut player, 2, 1.0);
}

#[test]
fn a_place_moves_turns_and_sizes_the_whole_of_one() {
    let mut player = trio();
    let place = Affine3A::from_scale_rotation_translation(
        Vec3::splat(2.0),
        Quat::from_rotation_y(std::f32::consts::FRAC_PI_2),
        Vec3::new(1.0, 2.0, 3.0),
    );
    player.advance(0.5).unwrap();
    let before: Vec<_> = (0..3).map(|character| player.world_matrices(character).unwrap()).collect();
    player.set_place(1, place).unwrap();
    assert_eq!(player.place(1).unwrap(), place);
    let after: Vec<_> = (0..3).map(|character| player.world_matrices(character).unwrap()).collect();
    assert_eq!((&after[0], &after[2]), (&before[0], &before[2]));
    for (after, before) in after[1].iter().zip(&before[1]) {
        assert!(after.abs_diff_eq(glam::Mat4::from(place) * *before, 1e-5));
    }

    // The target of a look-at is in world space.
    let target = Vec3::new(4.0, 5.0, -6.0);
    player.look_at(at(LEG), Some(target), Some(Vec3::Z), None, 1.0, None).unwrap();
    for character in 0..3 {
        let leg = player.world_matrices(character).unwrap()[LEG];
        let wanted = (target - leg.w_axis.truncate()).normalize();
        assert!(leg.z_axis.truncate().normalize().dot(wanted) > 1.0 - 1e-5, "{character}");
    }
    player.crowd(2, &Crowd::default()).unwrap();
    assert_eq!(player.place(0).unwrap(), Affine3A::IDENTITY, "another crowd stands anew");
}

#[test]
fn what_is_set_for_one_goes_with_the_crowd() {
    let mut player = trio();
    let red = Vec4::new(1.0, 0.0, 0.0, 1.0);
    player.set_tint(1, red).unwrap();
    player.set_present(2, false).unwrap();
    let told = |player: &Player| -> Vec<_> {
        let characters = 0..player.character_count();
        characters.map(|c| (player.tint(c).unwrap(), player.is_present(c).unwrap())).collect()
    };
    assert_eq!(told(&player), [(Vec4::ONE, true), (red, true), (Vec4::ONE, false)]);
    player.crowd(4, &Crowd::default()).unwrap();
    assert_eq!(told(&player), [(Vec4::ONE, true); 4]);
}

#[test]
fn who_is_not_there_is_refused_and_nothing_changes() {
    let mut player = trio();
    let codes = [
        player.place(3).unwrap_err().code(),
        player.set_place(3, Affine3A::IDENTITY).unwrap_err().code(),
        player.set_tint(3, Vec4::ONE).unwrap_err().code(),
        player.set_present(3, true).unwrap_err().code(),
        player.alone(3, Player::pause).unwrap_err().code(),
        player.set_place(0, Affine3A::from_translation(Vec3::NAN)).unwrap_err().code(),
        player.set_tint(0, Vec4::INFINITY).unwrap_err().code(),
        player.set_visible(at(99), false).unwrap_err().code(),
    ];
    let unknown = "UNKNOWN_CHARACTER";
    assert_eq!(codes[..5], [unknown; 5]);
    assert_eq!(codes[5..], ["NOT_FINITE", "NOT_FINITE", "UNKNOWN_NODE"]);
    assert_eq!(player.state(), State::Playing);
    assert_eq!((player.place(0).unwrap(), player.tint(0).unwrap()), (Affine3A::IDENTITY, Vec4::ONE));
    let no_model = Player::new().set_place(0, Affine3A::IDENTITY);
    assert_eq!(no_model.unwrap_err().code(), "NO_MODEL");
}

#[test]
fn a_hidden_node_says_so_for_itself_alone_and_is_forgotten_with_the_model() {
    let mut player = trio();
    let bounds = player.bounds();
    player.set_visible(at(SPINE), false).unwrap();
    player.set_visible(at(SPINE), false).unwrap();
    assert_eq!((player.hidden_nodes(), player.bounds()), (&[at(SPINE)][..], bounds));
    player.set_visible(at(ARM), true).unwrap();
    assert_eq!(player.hidden_nodes(), [at(SPINE)]);
    player.set_visible(at(SPINE), true).unwrap();
    assert_eq!(player.hidden_nodes(), []);
    player.set_visible(at(ARM), false).unwrap();
    let (rig, report) = (player.rig().unwrap().clone(), player.report().unwrap().clone());
    player.show(rig, report);
    assert_eq!(player.hidden_nodes(), []);
}
