//! A model for controllers: the clips and nodes of a character without keys or meshes.
use crate::support::made_model::node;
use gambol::animation::Rig;
use gambol::model::{Clip, Model, Node, NodeIndex, Srt};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Clips and their durations in seconds, which floats represent exactly.
pub const CLIPS: [(&str, f32); 6] =
    [("Idle", 2.0), ("Walk", 1.125), ("Run", 0.75), ("Wave", 2.5), ("Jump", 1.0), ("Dance", 4.0)];

pub fn rig() -> Rig {
    named(&CLIPS, &["Hips", "Spine", "Chest", "Neck", "Head"])
}

pub fn named(clips: &[(&str, f32)], nodes: &[&str]) -> Rig {
    Rig::new(Arc::new(model(clips, nodes)))
}

fn model(clips: &[(&str, f32)], nodes: &[&str]) -> Model {
    let node = |(index, name): (usize, &&str)| Node {
        name: (*name).to_owned(),
        ..node(index.checked_sub(1), Srt::IDENTITY, index)
    };
    let clip = |&(name, duration_secs): &(&str, f32)| Clip {
        name: name.to_owned(),
        duration_secs,
        ..Clip::default()
    };
    Model {
        nodes: nodes.iter().enumerate().map(node).collect(),
        clips: clips.iter().map(clip).collect(),
        node_from_source: (0..nodes.len()).map(NodeIndex::new).collect(),
        ..Model::default()
    }
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

pub fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub fn json(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns code, case, expected place and text of every document in `tests/fixtures/controllers` that must be rejected.
pub fn refused() -> Vec<(String, String, String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join("tests/fixtures/controllers")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let code = name.trim_end_matches(".json");
        if name.starts_with("valid") {
            continue;
        }
        for case in json(&format!("tests/fixtures/controllers/{name}")).as_array().unwrap() {
            let text = |key: &str| case[key].as_str().unwrap().to_owned();
            let document = case.get("controller").map_or_else(|| text("text"), Value::to_string);
            found.push((code.to_owned(), text("case"), text("place"), document));
        }
    }
    found.sort();
    found
}
