//! Throngs: members of the player's model without controllers.

use crate::support::figure::*;
use crate::support::made_model::Random;
use gambol::model::ClipIndex;
use gambol::playback::{EventKind, Marker, PlayOptions};
use gambol::player::{MemberPart, Player, PlayerError};
use glam::{Mat4, Vec3};

/// Two members at the origin that walk, the second half a clip ahead.
fn pair() -> Player {
    let mut player = playing("walk");
    player.set_throng(2).unwrap();
    let places = [Mat4::IDENTITY.to_cols_array(); 2];
    player.set_members(MemberPart::Place, 0, places.as_flattened()).unwrap();
    let walk = clip_named(&player, "walk").get() as f32;
    let motions = [[walk, walk, 0.0, 0.0, 1.0], [walk, walk, 0.0, 0.5, 1.0]];
    player.set_members(MemberPart::Motion, 0, motions.as_flattened()).unwrap();
    player
}

/// Asserts the X offset of a member's leg from its root, which is the value that its clip sets.
#[track_caller]
fn assert_leg(player: &Player, member: usize, expected: f32) {
    let matrices = player.member_matrices(member).unwrap();
    assert_near(matrices[LEG].w_axis.x - matrices[0].w_axis.x, expected);
}

#[test]
fn members_play_their_clips_at_phases_and_speeds_of_their_own() {
    let mut player = pair();
    player.advance(0.5).unwrap();
    assert_leg(&player, 0, 0.5);
    assert_leg(&player, 1, 1.5);
    // The present phase is kept. A clip of half the length passes twice as fast.
    let run = clip_named(&player, "run").get() as f32;
    player.set_members(MemberPart::Motion, 0, &[run, run, 0.0, f32::NAN, 2.0]).unwrap();
    assert_leg(&player, 0, 10.25);
    player.advance(0.25).unwrap();
    assert_leg(&player, 0, 10.75);
    assert_leg(&player, 1, 1.75);
    assert_near(player.member_time(0).unwrap() as f32, 0.75);
    assert_near(player.member_time(1).unwrap() as f32, 1.75);
}

#[test]
fn blends_are_those_of_both_clips_in_a_mean_time() {
    let mut player = pair();
    let [walk, run] = ["walk", "run"].map(|name| clip_named(&player, name).get() as f32);
    player.set_members(MemberPart::Motion, 0, &[walk, run, 0.5, 0.0, 1.0]).unwrap();
    player.advance(0.75).unwrap();
    // Half of 1.5 seconds: half of each clip.
    assert_leg(&player, 0, (1.0 + 10.5) / 2.0);
}

#[test]
fn phases_are_exact_after_a_day() {
    let mut player = pair();
    for _ in 0..24 * 60 {
        player.advance(60.0).unwrap();
    }
    player.advance(0.5).unwrap();
    assert_leg(&player, 0, 0.5);
    assert_leg(&player, 1, 1.5);
}

#[test]
fn a_throng_that_stands_still_asks_for_no_pictures() {
    let mut player = pair();
    player.pause();
    assert!(player.is_moving());
    player.set_throng_rate(0.0).unwrap();
    assert!(!player.is_moving());
    player.set_throng_rate(1.0).unwrap();
    let walk = clip_named(&player, "walk").get() as f32;
    let still = [[walk, walk, 0.0, 0.0, 0.0]; 2];
    player.set_members(MemberPart::Motion, 0, still.as_flattened()).unwrap();
    // Framing looks at all members.
    player.frame(1.0);
    assert!(!player.is_moving());
    player.set_throng(0).unwrap();
    assert_eq!(player.member_count(), 0);
}

/// Sets markers, one of them at an end of a clip, and returns the clips "walk" of 2 seconds and "run" of 1.
fn mark(player: &mut Player) -> [ClipIndex; 2] {
    let clips = ["walk", "run"].map(|name| clip_named(player, name));
    let markers = |times: &[f64]| {
        let marker = |&time_secs: &f64| Marker { name: format!("at {time_secs}").into(), time_secs };
        times.iter().map(marker).collect::<Vec<_>>()
    };
    player.set_markers(clips[0], markers(&[0.3, 1.1, 2.0])).unwrap();
    player.set_markers(clips[1], markers(&[0.7])).unwrap();
    clips
}

/// Takes the clips and the markers that a member has passed.
fn passed(player: &mut Player, member: usize) -> Vec<(ClipIndex, usize)> {
    let passed = player.take_member_markers(member).unwrap();
    passed.iter().map(|passed| (passed.clip, passed.marker)).collect()
}

#[test]
fn members_pass_the_markers_for_which_a_character_fires_events() {
    for speed in [1.0, 0.35, -1.0, -2.7] {
        let mut player = pair();
        let [walk, _] = mark(&mut player);
        // Backwards, 0.2 seconds are those from the end.
        let options = PlayOptions { speed: speed.into(), start_secs: 0.2, ..PlayOptions::default() };
        player.play(walk, &options).unwrap();
        let (number, phase) = (walk.get() as f32, player.time_secs() as f32 / 2.0);
        player.set_members(MemberPart::Motion, 0, &[number, number, 0.0, phase, speed]).unwrap();
        player.drain_events().for_each(drop);
        assert_eq!(passed(&mut player, 0), [], "nothing was passed before the first call");
        let (mut fired, mut listed) = (Vec::new(), Vec::new());
        let mut random = Random::new(17);
        for _ in 0..2000 {
            let step_secs = f64::from(random.between(0.0, 0.2));
            player.advance(step_secs).unwrap();
            fired.extend(player.drain_events().filter_map(|event| match event.kind {
                EventKind::Marker { clip, marker, .. } => Some((clip, marker)),
                _ => None,
            }));
            if random.between(0.0, 1.0) < 0.1 {
                listed.extend(passed(&mut player, 0));
            }
        }
        listed.extend(passed(&mut player, 0));
        assert!(fired.len() > 100);
        assert_eq!(listed, fired, "at speed {speed}");
    }
}

#[test]
fn markers_are_listed_across_changes_of_the_motion_but_not_across_jumps() {
    let mut player = pair();
    let [walk, run] = mark(&mut player);
    let [first, second] = [walk, run].map(|clip| clip.get() as f32);
    passed(&mut player, 0);
    passed(&mut player, 1);
    player.advance(0.5).unwrap();
    player.set_members(MemberPart::Motion, 0, &[second, second, 0.0, f32::NAN, 1.0]).unwrap();
    // Now at 0.25 of 1 second.
    player.advance(0.5).unwrap();
    assert_eq!(passed(&mut player, 0), [(walk, 0), (run, 0)]);
    player.set_members(MemberPart::Motion, 0, &[second, second, 0.0, 0.9, 1.0]).unwrap();
    player.advance(0.7).unwrap();
    assert_eq!(passed(&mut player, 0), [], "it jumped over 0.7");
    player.set_members(MemberPart::Motion, 0, &[first, second, 0.6, 0.5, 1.0]).unwrap();
    player.advance(0.5).unwrap();
    assert_eq!(passed(&mut player, 0), [(run, 0)], "the clip with the greater share counts");
    assert_eq!(passed(&mut player, 1), [(walk, 1), (walk, 2), (walk, 0), (walk, 1)], "2.2 seconds from 1 on");
    // At rest, none are passed.
    player.set_members(MemberPart::Motion, 0, &[-1.0, -1.0, 0.0, 0.0, 1.0]).unwrap();
    player.advance(5.0).unwrap();
    assert_eq!(passed(&mut player, 0), []);
}

#[test]
fn few_markers_are_held_for_a_member_that_nobody_asks_about() {
    let mut player = pair();
    let [walk, run] = mark(&mut player);
    passed(&mut player, 0);
    for nth in 0..2000 {
        player.advance(0.7).unwrap();
        let clip = [walk, run][nth / 1000].get() as f32;
        player.set_members(MemberPart::Motion, 0, &[clip, clip, 0.0, f32::NAN, 1.0]).unwrap();
    }
    let listed = passed(&mut player, 0);
    assert_eq!(listed, [(run, 0); 256]);
    // A day.
    player.advance(86_400.0).unwrap();
    assert_eq!(passed(&mut player, 0), [(run, 0); 256]);
    assert!(player.take_member_markers(2).is_err());
}

#[test]
fn framing_has_all_visible_members_in_view() {
    let mut player = pair();
    let distance_of = |player: &mut Player| {
        player.frame(1.0);
        player.camera.current().distance
    };
    let near = distance_of(&mut player);
    let far_away = Mat4::from_translation(Vec3::Z * 100.0).to_cols_array();
    player.set_members(MemberPart::Place, 1, &far_away).unwrap();
    assert!(distance_of(&mut player) > near * 4.0);
    player.set_members(MemberPart::Visible, 1, &[0.0]).unwrap();
    assert_near(distance_of(&mut player) / near, 1.0);
}

#[test]
fn the_floor_is_that_of_the_lowest_member() {
    let mut player = pair();
    let above = player.floor().unwrap();
    let below = Mat4::from_translation(Vec3::NEG_Y * 3.0).to_cols_array();
    player.set_members(MemberPart::Place, 1, &below).unwrap();
    player.frame(1.0);
    assert_near(player.floor().unwrap(), above - 3.0);
    assert_near(player.camera.floor.unwrap(), above - 3.0);
}

#[test]
fn what_is_wrong_is_refused() {
    let mut player = pair();
    let beyond = player.set_members(MemberPart::Visible, 1, &[1.0, 1.0]);
    assert!(matches!(beyond, Err(PlayerError::CharacterOutOfRange { asked: 2, character_count: 2 })));
    assert!(matches!(player.member_time(2), Err(PlayerError::CharacterOutOfRange { .. })));
    assert!(matches!(player.set_throng(1_000_000), Err(PlayerError::CrowdSize { .. })));
    for motion in [[9.0, 0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 2.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0, f32::INFINITY]]
    {
        assert!(player.set_members(MemberPart::Motion, 0, &motion).is_err(), "{motion:?}");
    }
    assert!(player.set_members(MemberPart::Place, 0, &[f32::NAN; 16]).is_err());
    assert!(player.set_members(MemberPart::Place, usize::MAX, &[0.0; 32]).is_err());
    assert_leg(&player, 0, 0.0);
    assert!(matches!(Player::new().set_throng(1), Err(PlayerError::NoModel)));
    player.unload();
    assert_eq!(player.member_count(), 0, "a throng ends with its model");
    assert!(!player.is_moving());
}
