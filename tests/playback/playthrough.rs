//! Every clip of every real file plays forwards, backwards and past both ends with finite poses.

use crate::support::real_models::{files_below, model, saw};
use gambol::animation::Rig;
use gambol::import::{Resources, external_buffers, import};
use gambol::model::ClipIndex;
use gambol::playback::{Looping, PlayOptions};
use gambol::player::Player;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Number of steps through a clip: enough to fall on keys and between them.
const STEPS: u32 = 23;

#[test]
fn every_clip_of_every_model_plays_with_finite_poses() {
    let Some(folder) = model("gltf") else { return };
    let (mut models, mut clips) = (0, 0);
    for path in files_below(&folder, &["gltf", "glb"]) {
        let Some(rig) = load(&path) else { continue };
        models += 1;
        let mut player = Player::new();
        player.show(rig, gambol::import::ImportReport::default());
        let clip_count = player.model().map_or(0, |model| model.clips.len());
        for clip in 0..clip_count {
            clips += 1;
            play_through(&mut player, ClipIndex::new(clip), &path);
        }
        assert_finite(&mut player, &path, "at rest");
    }
    // Numbers at the time of writing; fewer mean that some files fail to import.
    assert!(models >= 60 && clips >= 80, "only {models} models with {clips} clips were played");
    saw(models);
}

fn play_through(player: &mut Player, clip: ClipIndex, path: &Path) {
    for rate in [1.0, -1.0] {
        player.set_playback_rate(rate).unwrap();
        player.play(clip, &PlayOptions { looping: Looping::PING_PONG, ..PlayOptions::default() }).unwrap();
        let step = player.duration_secs() * 2.5 / f64::from(STEPS);
        for _ in 0..STEPS {
            player.advance(step).unwrap();
            assert_finite(player, path, &player.model().unwrap().clip(clip).name.clone());
        }
    }
}

#[track_caller]
fn assert_finite(player: &mut Player, path: &Path, clip: &str) {
    let matrices = player.world_matrices(0).unwrap();
    assert!(matrices.iter().all(|matrix| matrix.is_finite()), "{} {clip}", path.display());
    for skin in 0..player.model().unwrap().skins.len() {
        let matrices = player.skin_matrices(skin, 0).unwrap();
        assert!(matrices.iter().all(|matrix| matrix.is_finite()), "{} {clip} skin {skin}", path.display());
    }
}

/// Loads a model. Returns `None` if it needs an unsupported extension; `tests/import/models.rs` lists those.
fn load(path: &Path) -> Option<Arc<Rig>> {
    let bytes = fs::read(path).unwrap();
    let mut resources = Resources::default();
    for uri in external_buffers(&bytes).ok()? {
        resources.insert(&uri, fs::read(path.with_file_name(&uri)).ok()?);
    }
    let imported = import(&bytes, &resources).ok()?;
    Some(Arc::new(Rig::new(Arc::new(imported.model))))
}
