//! The viewer's example controllers, run on a stand-in model that has the sample character's clips and joints.
//! `xtask`, which makes the character, tests that they fit the character itself.

use crate::support::stand_in;
use gambol::import::ImportReport;
use gambol::player::Player;
use std::sync::Arc;

fn player(example: &str) -> Player {
    let clips = [
        ("Idle", 5.0),
        ("Walk", 0.916_666_7),
        ("Run", 0.583_333_3),
        ("Wave", 2.666_666_7),
        ("Jump", 1.875),
        ("Dance", 4.0),
    ];
    let rig = stand_in::named(&clips, &["Hips", "Spine", "Chest", "Neck", "Head"]);
    let mut player = Player::new();
    player.show(Arc::new(rig), ImportReport::default());
    player.set_controller(Some(&stand_in::text(&format!("www/viewer/controllers/{example}.json")))).unwrap();
    player
}

fn state(player: &Player, layer: &str) -> String {
    let layer = player.find_layer(layer).unwrap();
    player.machine_state(layer).unwrap_or("none").to_owned()
}

fn run(player: &mut Player, secs: f64) {
    for _ in 0..(secs * 60.0).round() as usize {
        player.advance(1.0 / 60.0).unwrap();
        player.pose();
    }
}

#[test]
fn in_locomotion_speed_a_jump_and_a_dance_have_their_states() {
    for example in ["locomotion", "upper_body"] {
        let mut player = player(example);
        let base = |player: &Player| state(player, "base");
        assert_eq!(base(&player), "Move");
        player.set_parameter("speed", 1.2).unwrap();
        run(&mut player, 1.0);
        assert_eq!(base(&player), "Move");

        player.set_parameter("jump", 1.0).unwrap();
        run(&mut player, 0.1);
        assert_eq!(base(&player), "Jump");
        assert_eq!(player.parameter("jump").unwrap(), 0.0, "used up");
        run(&mut player, 1.3);
        assert_eq!(base(&player), "Jump");
        run(&mut player, 0.5);
        assert_eq!(base(&player), "Move", "back by itself");

        player.set_parameter("dance", 1.0).unwrap();
        run(&mut player, 0.5);
        assert_eq!(base(&player), "Move", "nobody dances at a run");
        player.set_parameter("speed", 0.0).unwrap();
        run(&mut player, 0.1);
        assert_eq!(base(&player), "Dance");
        // In the middle of the fade, which may be interrupted.
        player.set_parameter("dance", 0.0).unwrap();
        run(&mut player, 0.1);
        assert_eq!(base(&player), "Move");
    }
}

#[test]
fn in_upper_body_the_wave_plays_beside_the_walk_and_ends() {
    let mut player = player("upper_body");
    player.set_parameter("speed", 0.47).unwrap();
    run(&mut player, 0.5);
    let upper = |player: &Player| state(player, "upper");
    assert_eq!(upper(&player), "Nothing");
    player.set_parameter("wave", 1.0).unwrap();
    run(&mut player, 0.5);
    assert_eq!((upper(&player).as_str(), state(&player, "base").as_str()), ("Wave", "Move"));
    let layer = player.find_layer("upper").unwrap();
    assert_eq!(player.layer_clip(layer), player.find_clip("Wave").ok());
    player.set_parameter("wave", 0.0).unwrap();
    run(&mut player, 1.0);
    assert_eq!(upper(&player), "Nothing");
    assert_eq!(player.layer_clip(layer), None, "nothing plays in it");
}
