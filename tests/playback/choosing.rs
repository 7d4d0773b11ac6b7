//! Choosing clips: by name and index, how time advances in them, and what switching costs.

use crate::support::allocator::{HELD_BYTES, allocations};
use crate::support::made_model::{clip, foxlike, model, nodes, slider};
use gambol::animation::Rig;
use gambol::import::ImportReport;
use gambol::model::{ClipIndex, Srt};
use gambol::playback::{PlayOptions, State};
use gambol::player::Player;
use std::sync::Arc;

fn player(model: gambol::model::Model) -> Player {
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(model))), ImportReport::default());
    player
}

#[test]
fn S56_each_step_adds_its_time_times_the_speed() {
    // The clip lasts 2 s: times outside wrap around.
    for (speed, rate, expected_secs) in
        [(1.0, 1.0, 0.75), (0.5, 1.0, 0.375), (2.0, 1.0, 1.5), (1.0, -1.0, 1.25), (-0.5, -4.0, 1.5)]
    {
        let mut player = player(slider());
        player.set_playback_rate(rate).unwrap();
        let clip = player.find_clip("slide").unwrap();
        assert_eq!(player.rig().unwrap().model().clip(clip).duration_secs, 2.0);
        player.play(clip, &PlayOptions { speed, ..PlayOptions::default() }).unwrap();
        for step_secs in [0.25, 0.125, 0.375] {
            player.advance(step_secs).unwrap();
        }
        // Halves, quarters and eighths are exact in binary.
        assert_eq!(player.time_secs(), expected_secs, "{speed} × {rate}");
    }
}

#[test]
fn S63_a_clip_is_chosen_by_name_or_by_index() {
    let mut player = player(slider());
    let names: Vec<String> = player.model().unwrap().clips.iter().map(|clip| clip.name.clone()).collect();
    for (index, name) in names.iter().enumerate() {
        let by_name = player.find_clip(name).unwrap();
        assert_eq!(by_name, player.clip_at(index).unwrap());
        player.play(by_name, &PlayOptions::default()).unwrap();
        assert_eq!(player.clip(), Some(by_name));
    }
    let playing = player.clip();
    assert_eq!(player.find_clip("Fly").unwrap_err().code(), "UNKNOWN_CLIP");
    assert_eq!(player.clip_at(names.len()).unwrap_err().code(), "UNKNOWN_CLIP");
    let message = player.find_clip("Fly").unwrap_err().to_string();
    assert!(names.iter().all(|name| message.contains(name.as_str())), "{message}");
    assert_eq!((player.clip(), player.state()), (playing, State::Playing));
}

#[test]
fn S64_a_thousand_switches_hold_no_more_memory_than_ten() {
    for fade_secs in [0.0, 0.1] {
        let mut player = player(slider());
        let clip_count = player.model().unwrap().clips.len();
        let options = PlayOptions { fade_secs, ..PlayOptions::default() };
        let mut switch = |times: usize| {
            for nth in 0..times {
                player.play(ClipIndex::new(nth % clip_count), &options).unwrap();
                player.advance(0.03).unwrap();
                player.pose();
                player.drain_events().for_each(drop);
            }
            HELD_BYTES.get()
        };
        let after_ten = switch(10 * clip_count);
        assert_eq!(switch(1_000 * clip_count), after_ten, "with a fade of {fade_secs} s");
    }
}

#[test]
fn S85_poses_are_computed_only_when_asked_for() {
    let mut player = player(foxlike());
    player.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
    player.drain_events().for_each(drop);
    let mut counted = |work: &mut dyn FnMut(&mut Player)| allocations(|| work(&mut player));
    // The first sample of a clip compiles it, which allocates.
    let advancing = counted(&mut |player| {
        for _ in 0..1_000 {
            player.advance(1e-4).unwrap();
        }
    });
    assert_eq!(advancing, 0, "nothing was sampled");
    assert!(counted(&mut Player::pose) > 0, "the first pose compiles the clip");
    assert_eq!(counted(&mut Player::pose), 0, "and stands until time passes");

    // A pose taken at the end equals the pose after steps that each take one.
    let mut posed = self::player(foxlike());
    posed.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
    for _ in 0..1_000 {
        posed.advance(1e-4).unwrap();
        posed.pose();
    }
    assert_eq!(player.world_matrices(0).unwrap(), posed.world_matrices(0).unwrap());
}

#[test]
fn a_clip_without_tracks_is_a_pose_that_plays_all_the_same() {
    let mut player = player(model(nodes(&[(None, Srt::IDENTITY)]), vec![clip("still", vec![])]));
    player.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
    player.advance(1.0).unwrap();
    assert_eq!((player.state(), player.time_secs()), (State::Playing, 0.0));
}
