//! Compressed and quantised files of other projects against what other decoders read from them.

use crate::models::load;
use crate::support::real_models::{model, models, saw};
use gambol::import::Imported;
use gambol::model::Primitive;
use glam::Vec3;
use gltf::json::Value;
use gltf::json::deserialize::from_slice;
use std::fs;

#[test]
fn vertices_are_those_that_other_decoders_read() {
    let (Some(models), Some(goldens)) = (models(), model("goldens/decoded")) else { return };
    let (mut files, mut compared) = (0, 0);
    for entry in fs::read_dir(goldens).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let golden: Value = from_slice(&fs::read(&path).unwrap()).unwrap();
        let name = golden["model"].as_str().unwrap();
        let Imported { model, .. } = match load(&models.join(name)) {
            Ok(imported) => imported,
            Err(error) => {
                assert_eq!(error.code(), "EXTENSION_UNSUPPORTED", "{name}: {error}");
                println!("{name}: {error}");
                continue;
            }
        };
        files += 1;
        let meshes = golden["meshes"].as_array().unwrap();
        assert_eq!(meshes.len(), model.meshes.len(), "{name}");
        for (mesh, expected) in model.meshes.iter().zip(meshes) {
            let expected = expected.as_array().unwrap();
            assert_eq!(mesh.primitives.len(), expected.len(), "{name}");
            for (primitive, expected) in mesh.primitives.iter().zip(expected) {
                compared += compare(name, primitive, expected);
            }
        }
    }
    assert!(compared > 1000, "only {compared} vertices of {files} files compared");
    saw(files);
}

/// Returns the number of vertices that were compared.
fn compare(name: &str, primitive: &Primitive, expected: &Value) -> usize {
    let indices = &expected["indices"];
    if !indices.is_null() {
        assert_eq!(primitive.indices.len() as u64, indices["count"].as_u64().unwrap(), "{name}");
    }
    let positions = &expected["attributes"]["POSITION"];
    let (least, most) = (vector(&positions["min"]), vector(&positions["max"]));
    let tolerance = 1e-5 * (most - least).max_element();
    // Vertices of a mesh without normals are split for flat ones.
    let is_whole = primitive.positions.len() as u64 == positions["count"].as_u64().unwrap();
    let mut compared = 0;
    for (index, value) in samples(positions) {
        let is_there = |found: &Vec3| found.abs_diff_eq(value, tolerance);
        let found = if is_whole {
            is_there(&primitive.positions[index])
        } else {
            primitive.positions.iter().any(is_there)
        };
        assert!(found, "{name}: position {index} isn't {value}");
        compared += 1;
    }
    let found = primitive.positions.iter().copied();
    let bounds = (found.clone().fold(Vec3::INFINITY, Vec3::min), found.fold(Vec3::NEG_INFINITY, Vec3::max));
    assert!(
        bounds.0.abs_diff_eq(least, tolerance) && bounds.1.abs_diff_eq(most, tolerance),
        "{name}: {bounds:?}"
    );
    if is_whole {
        for (index, value) in samples(&expected["attributes"]["NORMAL"]) {
            let difference = primitive.normals[index].angle_between(value);
            assert!(difference < 1e-2, "{name}: normal {index} isn't {value}");
        }
        for (index, value) in samples(&expected["attributes"]["TEXCOORD_0"]) {
            let found = primitive.uv_sets[0][index];
            assert!(found.abs_diff_eq(value.truncate(), 1e-5), "{name}: {found} at {index} isn't {value}");
        }
    }
    compared
}

fn samples(accessor: &Value) -> impl Iterator<Item = (usize, Vec3)> {
    accessor["samples"].as_array().into_iter().flatten().map(|sample| {
        let [index, numbers @ ..] = &sample.as_array().unwrap()[..] else { panic!("an empty sample") };
        (index.as_u64().unwrap() as usize, vector(&Value::Array(numbers.to_vec())))
    })
}

/// Returns the first three numbers; 0 for missing ones.
fn vector(numbers: &Value) -> Vec3 {
    let numbers = numbers.as_array().unwrap();
    Vec3::from_array(std::array::from_fn(|at| {
        numbers.get(at).map_or(0.0, |number| number.as_f64().unwrap() as f32)
    }))
}
