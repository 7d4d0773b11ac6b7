//! Poses compared with numbers from other implementations: world matrices, skin matrices and morph weights of whole
//! files.
//!
//! - `tests/fixtures/poses/<case>/`: small models for every degenerate case, with the numbers of an evaluator
//!   written from the text of the specification; `case.toml` describes how they were made.
//! - `goldens` beside the models of other projects: their poses as three.js computes them.

use crate::support::real_models::{model, models, saw};
use gambol::animation::{ClipCursor, LocalPose, ModelPose, Rig};
use gambol::import::{Resources, external_buffers, import};
use gambol::model::{ClipIndex, NodeIndex, SkinIndex};
use glam::Affine3A;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Largest tolerance that a case may set.
const LOOSEST: f64 = 1e-3;
/// Tolerance relative to the model's size. Fixtures set theirs in `case.toml`.
const GOLDEN_TOLERANCE: f64 = 1e-4;
/// File and tolerance for rotations that are quantized and not of unit length: three.js and Gambol normalize them
/// at different places.
const UNNORMALISED: (&str, f64) = ("gltf/derived/Fox.quantized.glb", 1e-3);

#[test]
fn own_cases_match() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/poses");
    let mut cases: Vec<PathBuf> = read_folder(&folder).into_iter().filter(|path| path.is_dir()).collect();
    cases.sort();
    assert!(cases.len() >= 13, "only {} cases: run tests/fixtures/poses/make.py", cases.len());
    let mut failures = Vec::new();
    for case in &cases {
        let expected = read_json(&case.join("poses.json"));
        match compare(&case.join("model.gltf"), &expected, tolerance_of(case)) {
            Ok(worst) => println!("{worst:.1e}  {}", case.display()),
            Err(failure) => failures.push(failure),
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn real_files_match_three_js() {
    let (Some(models), Some(goldens)) = (models(), model("goldens")) else { return };
    let (mut compared, mut refused, mut failures) = (0, Vec::new(), Vec::new());
    for golden in read_folder(&goldens) {
        let expected = match golden.extension() {
            Some(extension) if extension == "json" => read_json(&golden),
            _ => continue,
        };
        // The index file has no `model`.
        let Some(name) = expected["model"].as_str() else {
            continue;
        };
        let path = models.join(name);
        if let Some(extension) = refused_extension(&path) {
            refused.push(format!("{name}: {extension}"));
            continue;
        }
        let tolerance = if name == UNNORMALISED.0 { UNNORMALISED.1 } else { GOLDEN_TOLERANCE };
        match compare(&path, &expected, tolerance) {
            Ok(worst) => println!("{worst:.1e}  {name}"),
            Err(failure) => failures.push(failure),
        }
        compared += 1;
    }
    println!("{compared} compared, {} refused: {refused:#?}", refused.len());
    assert!(failures.is_empty(), "{failures:#?}");
    assert!(compared >= 36, "only {compared} compared");
    saw(compared);
}

/// Returns the extension for which import refuses a file, if the file lists it as required. Returns `None` for any
/// other outcome, including other errors.
fn refused_extension(path: &Path) -> Option<String> {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let error = import(&bytes, &Resources::default())
        .err()
        .filter(|error| error.code() == "EXTENSION_UNSUPPORTED")?;
    let json = match bytes.strip_prefix(b"glTF") {
        Some(_) => &bytes[20..20 + u32::from_le_bytes(bytes[12..16].try_into().expect("4 bytes")) as usize],
        None => &bytes[..],
    };
    let file: Value = serde_json::from_slice(json).expect("JSON");
    let required = file.pointer(error.place()).and_then(Value::as_str);
    let named = required.filter(|extension| error.to_string().contains(extension));
    assert!(named.is_some(), "{}: {error}", path.display());
    named.map(str::to_owned)
}

fn tolerance_of(case: &Path) -> f64 {
    let facts = fs::read_to_string(case.join("case.toml")).expect("a case.toml in every case");
    let tolerance = facts.lines().find_map(|line| line.strip_prefix("tolerance = "));
    tolerance.and_then(|number| number.parse().ok()).expect("a tolerance in every case.toml")
}

/// Returns the largest error relative to the model's size, or a description of the first mismatch.
fn compare(path: &Path, expected: &Value, tolerance: f64) -> Result<f64, String> {
    assert!(tolerance <= LOOSEST);
    let name = path.display();
    let rig = load(path).map_err(|error| format!("{name}: {error}"))?;
    let mut worst = Worst { error: 0.0, place: String::new(), size: size_of(expected) };
    worst.look("rest", &rig, &LocalPose::rest(&rig), &expected["rest"]);
    for clip in expected["clips"].as_array().into_iter().flatten() {
        let index = ClipIndex::new(whole(&clip["index"]));
        let mut cursor = ClipCursor::default();
        let mut local = LocalPose::rest(&rig);
        let samples = clip["samples"].as_array().into_iter().flatten();
        // Forwards, then back with the same cursor.
        for sample in samples.clone().chain(samples.rev()) {
            let time_secs = sample["t"].as_f64().unwrap_or(f64::NAN) as f32;
            rig.sample_into(index, time_secs, &mut cursor, &mut local);
            worst.look(&format!("{index:?} at {time_secs}"), &rig, &local, sample);
        }
    }
    match worst.error <= tolerance {
        true => Ok(worst.error),
        false => Err(format!("{name}: off by {:.2e} at {}", worst.error, worst.place)),
    }
}

struct Worst {
    error: f64,
    place: String,
    size: f64,
}

impl Worst {
    fn look(&mut self, when: &str, rig: &Rig, local: &LocalPose, expected: &Value) {
        let model = rig.model();
        let mut posed = ModelPose::new(rig);
        rig.resolve_into(local, &mut posed);
        for (source, expected) in entries(&expected["nodes"]) {
            let node = model.node_from_source[source];
            self.matrix(&format!("{when}, node {source}"), posed.model_from_node(node), &expected);
        }
        for (skin, expected) in entries(&expected["skins"]) {
            let skin_data = model.skin(SkinIndex::new(skin));
            assert_eq!(skin_data.joints.len() * 16, expected.len(), "skin {skin}");
            let slots = skin_data.joints.iter().zip(&skin_data.joint_from_mesh);
            for (joint, ((&node, joint_from_mesh), expected)) in slots.zip(expected.chunks(16)).enumerate() {
                let model_from_mesh = posed.model_from_node(node) * *joint_from_mesh;
                self.matrix(&format!("{when}, skin {skin}, joint {joint}"), model_from_mesh, expected);
            }
        }
        for (source, expected) in entries(&expected["weights"]) {
            let weights = local.morph_weights(rig, node_of(rig, source));
            assert_eq!(weights.len(), expected.len(), "morph weights of node {source}");
            for (target, (&weight, expected)) in weights.iter().zip(&expected).enumerate() {
                let error = (f64::from(weight) - expected).abs();
                self.note(error, || format!("{when}, node {source}, morph weight {target}"));
            }
        }
    }

    fn matrix(&mut self, place: &str, actual: Affine3A, expected: &[f64]) {
        let actual = glam::Mat4::from(actual).to_cols_array().map(f64::from);
        assert_eq!(expected.len(), 16, "{place}");
        // Translations are relative to the model's size; the linear part is relative to its own largest number.
        let linear = expected[..12].iter().fold(1.0_f64, |largest, number| largest.max(number.abs()));
        for (index, (actual, expected)) in actual.into_iter().zip(expected).enumerate() {
            let unit = if index < 12 { linear } else { self.size };
            self.note((actual - expected).abs() / unit, || format!("{place}, element {index}"));
        }
    }

    fn note(&mut self, error: f64, place: impl FnOnce() -> String) {
        if error.is_nan() || error > self.error {
            self.error = if error.is_nan() { f64::INFINITY } else { error };
            self.place = place();
        }
    }
}

fn node_of(rig: &Rig, source: usize) -> NodeIndex {
    rig.model().node_from_source[source]
}

/// Returns the largest distance of a node from the origin at rest, at least 1.
fn size_of(expected: &Value) -> f64 {
    let nodes = entries(&expected["rest"]["nodes"]);
    let reach = nodes.iter().map(|(_, matrix)| matrix[12].hypot(matrix[13]).hypot(matrix[14]));
    reach.fold(1.0, f64::max)
}

fn entries(numbers_by_index: &Value) -> Vec<(usize, Vec<f64>)> {
    let entries = numbers_by_index.as_object().into_iter().flatten();
    let numbers = |value: &Value| {
        value.as_array().into_iter().flatten().map(|number| number.as_f64().unwrap_or(f64::NAN)).collect()
    };
    entries.map(|(index, value)| (index.parse().expect("an index"), numbers(value))).collect()
}

fn whole(value: &Value) -> usize {
    value.as_u64().expect("a whole number") as usize
}

/// Loads a file as a page does: the file first, then the buffers that it refers to.
fn load(path: &Path) -> Result<Rig, String> {
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let mut resources = Resources::default();
    for uri in external_buffers(&bytes).map_err(|error| error.to_string())? {
        let beside = path.with_file_name(uri.replace("%20", " "));
        resources.insert(&uri, fs::read(&beside).map_err(|error| format!("{}: {error}", beside.display()))?);
    }
    let imported = import(&bytes, &resources).map_err(|error| error.to_string())?;
    Ok(Rig::new(Arc::new(imported.model)))
}

fn read_folder(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder entry").path()).collect();
    paths.sort();
    paths
}

fn read_json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
