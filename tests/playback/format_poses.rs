//! Poses of every file in `tests/fixtures/formats`, compared with stored numbers. The browser scenario `formats`
//! compares the same numbers with the WebAssembly build, which converts each file to .glb on the way.
//!
//! `UPDATE_POSES=1 cargo test --test playback format_poses` writes the numbers again.

use gambol::import::Resources;
use gambol::playback::PlayOptions;
use gambol::player::Player;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Sampled times, as fractions of the clip's duration.
const PARTS: [f32; 4] = [0.0, 0.3, 0.77, 1.0];
/// Tolerance of comparisons. The sixth decimal differs between machines, whose sine and square root functions
/// differ.
const TOLERANCE: f64 = 2e-5;

#[test]
fn poses_are_as_written_down() {
    let path = folder().join("poses.json");
    let found = Value::Object(files().iter().map(|file| (name_of(file), poses(file))).collect());
    if std::env::var_os("UPDATE_POSES").is_some() {
        fs::write(&path, format!("{}\n", serde_json::to_string(&found).unwrap())).unwrap();
    }
    let written = fs::read_to_string(&path).expect("poses.json is missing: run once with UPDATE_POSES=1");
    same(&found, &serde_json::from_str(&written).unwrap(), "");
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/formats")
}

fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| {
        file.extension().is_some_and(|ext| ["x", "dae", "iqm"].iter().any(|known| ext == *known))
    });
    files.sort();
    assert!(!files.is_empty());
    files
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap().to_str().unwrap().to_owned()
}

/// Returns, for each clip, the sampled times with sixteen numbers per node.
fn poses(file: &Path) -> Value {
    let mut player = Player::new();
    player
        .load(&fs::read(file).unwrap(), &Resources::default())
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let clips: Vec<(String, f32)> =
        player.model().unwrap().clips.iter().map(|clip| (clip.name.clone(), clip.duration_secs)).collect();
    let mut all = Map::new();
    for (index, (name, duration_secs)) in clips.into_iter().enumerate() {
        player.play(player.clip_at(index).unwrap(), &PlayOptions::default()).unwrap();
        let times = PARTS.map(|part| {
            let time_secs = f64::from(part * duration_secs);
            player.seek(time_secs).unwrap();
            let matrices = player.world_matrices(0).unwrap();
            let numbers: Vec<Value> =
                matrices.iter().flat_map(|matrix| matrix.to_cols_array()).map(rounded).collect();
            json!([time_secs, numbers])
        });
        all.insert(name, json!(times));
    }
    Value::Object(all)
}

fn rounded(number: f32) -> Value {
    // Adding 0 turns −0 into 0.
    json!((f64::from(number) * 1e5).round() / 1e5 + 0.0)
}

#[track_caller]
fn same(found: &Value, written: &Value, place: &str) {
    match (found, written) {
        (Value::Number(found), Value::Number(written)) => {
            let (found, written) = (found.as_f64().unwrap(), written.as_f64().unwrap());
            let tolerance = TOLERANCE * found.abs().max(1.0);
            assert!((found - written).abs() <= tolerance, "{place}: {found}, written down as {written}");
        }
        (Value::Array(found), Value::Array(written)) => {
            assert_eq!(found.len(), written.len(), "{place}");
            for (index, (found, written)) in found.iter().zip(written).enumerate() {
                same(found, written, &format!("{place}/{index}"));
            }
        }
        (Value::Object(found), Value::Object(written)) => {
            let names = |map: &Map<String, Value>| map.keys().cloned().collect::<Vec<_>>();
            assert_eq!(names(found), names(written), "{place}");
            for (name, found) in found {
                same(found, &written[name], &format!("{place}/{name}"));
            }
        }
        _ => panic!("{place}: {found}, written down as {written}"),
    }
}
