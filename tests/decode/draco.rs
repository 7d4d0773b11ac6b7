//! Meshes in Draco's encoding, against what Draco's own decoder returns.

use crate::support::allocator::{HELD_BYTES, MOST_BYTES};
use crate::support::hostile::Random;
use crate::support::real_models::{model, saw};
use gambol::decode::draco::{Attribute, AttributeKind, ComponentType, DracoError, Mesh, budget, decode};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const ENOUGH: usize = 1 << 24;

/// Returns the names and contents of the fixtures in a folder.
fn fixtures(folder: &str) -> Vec<(String, PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/draco").join(folder);
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut meshes: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "drc"))
        .map(|path| {
            (path.file_stem().unwrap().to_str().unwrap().to_owned(), path.clone(), fs::read(path).unwrap())
        })
        .collect();
    meshes.sort();
    assert!(meshes.len() > 5);
    meshes
}

/// Returns a mesh in the form of `decoded` in `tests/node/draco_reference.mjs`.
fn written(mesh: &Mesh) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut write = |numbers: &[u32]| bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    write(&[mesh.point_count, mesh.indices.len() as u32]);
    write(&mesh.indices);
    write(&[mesh.attributes.len() as u32]);
    for attribute in &mesh.attributes {
        let component_type = match attribute.component_type {
            ComponentType::I8 => 1,
            ComponentType::U8 => 2,
            ComponentType::I16 => 3,
            ComponentType::U16 => 4,
            ComponentType::I32 => 5,
            ComponentType::U32 => 6,
            ComponentType::F32 => 9,
        };
        let kind = match attribute.kind {
            AttributeKind::Position => 0,
            AttributeKind::Normal => 1,
            AttributeKind::Color => 2,
            AttributeKind::TexCoord => 3,
            AttributeKind::Generic => 4,
        };
        for number in [
            attribute.unique_id,
            component_type,
            attribute.components.into(),
            attribute.normalized.into(),
            kind,
            attribute.bytes.len() as u32,
        ] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(&attribute.bytes);
    }
    bytes
}

/// Asserts what holds for every result.
fn check(bytes: &[u8], budget: usize) -> Result<Mesh, DracoError> {
    let before = HELD_BYTES.get();
    MOST_BYTES.set(before);
    let decoded = decode(bytes, budget);
    let most = MOST_BYTES.get() - before;
    // Tables of symbols don't count. Lists that grow take up to three times what they were granted while they move.
    let allowed = 3 * budget as isize + 32 * bytes.len() as isize + (1 << 18);
    assert!(most <= allowed, "{most} bytes, with a budget of {budget}");
    match &decoded {
        Ok(mesh) => {
            assert!(mesh.indices.len().is_multiple_of(3));
            assert!(mesh.indices.iter().all(|point| *point < mesh.point_count));
            for Attribute { component_type, components, bytes, .. } in &mesh.attributes {
                let stride = component_type.size() * usize::from(*components);
                assert_eq!(bytes.len(), mesh.point_count as usize * stride);
            }
        }
        Err(error) => {
            assert!(error.place().starts_with("byte ") && error.to_string().ends_with('.'), "{error}");
            assert!(DracoError::CODES.contains(&error.code()));
        }
    }
    decoded
}

fn code(bytes: &[u8], budget: usize) -> &'static str {
    check(bytes, budget).map_or_else(|error| error.code(), |_| "")
}

#[test]
fn fixtures_decode_as_draco_decodes_them() {
    for (name, path, bytes) in fixtures("valid") {
        let mesh = check(&bytes, ENOUGH).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(written(&mesh) == fs::read(path.with_extension("decoded")).unwrap(), "{name}");
    }
}

/// Compares a file of meshes that `tests/node/draco.test.mjs` has written.
#[test]
fn meshes_decode_as_draco_decodes_them() {
    let Some(path) = std::env::var_os("GAMBOL_DRACO_PACK") else { return };
    let packed = fs::read(path).unwrap();
    let mut rest = packed.as_slice();
    let mut part = || {
        let (length, after) = rest.split_first_chunk()?;
        let (part, after) = after.split_at(u32::from_le_bytes(*length) as usize);
        rest = after;
        Some(part)
    };
    let mut count = 0;
    while let (Some(bytes), Some(expected)) = (part(), part()) {
        let mesh = decode(bytes, usize::MAX);
        match &mesh {
            Ok(mesh) => {
                let components: Vec<_> =
                    mesh.attributes.iter().map(|attribute| attribute.components).collect();
                let budget = budget(mesh.indices.len(), mesh.point_count as usize, &components);
                assert!(decode(bytes, budget).is_ok(), "the budget of mesh {count} is too small");
                assert!(written(mesh) == expected, "mesh {count} differs");
            }
            Err(error) => assert!(expected.is_empty(), "mesh {count}: {error}"),
        }
        count += 1;
    }
    println!("{count} meshes");
}

#[test]
fn refused_meshes_are_refused_with_their_code() {
    let mut seen = BTreeSet::new();
    for (name, _, bytes) in fixtures("refused") {
        let expected = name.split('.').next().unwrap();
        assert_eq!(code(&bytes, ENOUGH), expected, "{name}");
        seen.insert(expected.to_owned());
    }
    assert_eq!(seen.len(), DracoError::CODES.len(), "a code has no fixture: {seen:?}");
}

#[test]
fn every_shorter_mesh_is_refused() {
    for (name, _, bytes) in fixtures("valid") {
        for length in 0..bytes.len() {
            let code = code(&bytes[..length], ENOUGH);
            assert!(!code.is_empty(), "{name}, {length} of {} bytes", bytes.len());
            assert!(length > 11 || ["NOT_DRACO", "DRACO_TRUNCATED"].contains(&code), "{name}: {code}");
        }
    }
}

#[test]
fn no_wrong_bit_breaks_the_decoder() {
    for (_, _, bytes) in fixtures("valid") {
        let mut damaged = bytes.clone();
        for bit in 0..8 * bytes.len() {
            damaged[bit / 8] ^= 1 << (bit % 8);
            let _mesh_or_error = check(&damaged, 1 << 18);
            damaged[bit / 8] = bytes[bit / 8];
        }
    }
}

#[test]
fn no_wrong_bytes_break_the_decoder() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let meshes = fixtures("valid");
    for _ in 0..20_000 {
        let (_, _, bytes) = &meshes[random.below(meshes.len())];
        let mut damaged = bytes.clone();
        for _ in 0..=random.below(6) {
            let at = random.below(damaged.len());
            damaged[at] = [0, 1, 0x7f, 0x80, 0xff, random.next() as u8][random.below(6)];
        }
        let _mesh_or_error = check(&damaged, 1 << 18);
    }
}

#[test]
fn budgets_suffice_and_are_kept() {
    for (name, _, bytes) in fixtures("valid") {
        let mesh = decode(&bytes, ENOUGH).unwrap();
        let components: Vec<_> = mesh.attributes.iter().map(|attribute| attribute.components).collect();
        let enough = budget(mesh.indices.len(), mesh.point_count as usize, &components);
        assert_eq!(code(&bytes, enough), "", "{name}: {enough}");
        let result: usize = mesh.attributes.iter().map(|attribute| attribute.bytes.len()).sum();
        let too_little = result + 4 * mesh.indices.len() - 1;
        assert_eq!(code(&bytes, too_little), "DRACO_TOO_LARGE", "{name}");
        assert_eq!(code(&bytes, 0), "DRACO_TOO_LARGE", "{name}");
    }
    assert_eq!(budget(usize::MAX, usize::MAX, &[3]), usize::MAX);
}

fn attribute(component_type: ComponentType, normalized: bool, bytes: &[u8]) -> Attribute {
    Attribute {
        unique_id: 0,
        kind: AttributeKind::Generic,
        component_type,
        components: 1,
        normalized,
        bytes: bytes.to_vec(),
    }
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

#[test]
fn integers_convert_to_other_integers_if_they_fit() {
    let joints = attribute(ComponentType::U16, false, &[0, 0, 255, 0]);
    assert_eq!(joints.converted(ComponentType::U8), Some(vec![0, 255]));
    assert_eq!(joints.converted(ComponentType::U32), Some(vec![0, 0, 0, 0, 255, 0, 0, 0]));
    assert_eq!(joints.converted(ComponentType::I8), None);
    assert_eq!(joints.converted(ComponentType::U16).as_ref(), Some(&joints.bytes));
    let negative = attribute(ComponentType::I8, true, &[0xff, 5]);
    assert_eq!(negative.converted(ComponentType::I16), Some(vec![0xff, 0xff, 5, 0]));
    assert_eq!(negative.converted(ComponentType::U16), None);
    assert_eq!(attribute(ComponentType::U32, false, &[255; 4]).converted(ComponentType::I32), None);
}

#[test]
fn normalised_integers_convert_to_fractions_and_back() {
    let colours = attribute(ComponentType::U8, true, &[0, 51, 255]);
    assert_eq!(colours.converted(ComponentType::F32), Some(floats(&[0.0, 0.2, 1.0])));
    let numbers = attribute(ComponentType::U8, false, &[0, 51, 255]);
    assert_eq!(numbers.converted(ComponentType::F32), Some(floats(&[0.0, 51.0, 255.0])));
    let fractions = attribute(ComponentType::F32, true, &floats(&[0.0, 0.5, 1.0]));
    assert_eq!(fractions.converted(ComponentType::U8), Some(vec![0, 128, 255]));
    let floats = attribute(ComponentType::F32, false, &floats(&[-1.9, 7.9, 0.0]));
    assert_eq!(floats.converted(ComponentType::I8), Some(vec![0xff, 7, 0]));
    assert_eq!(floats.converted(ComponentType::U8), None);
}

#[test]
fn numbers_that_are_none_have_no_integer() {
    for number in [f32::NAN, f32::INFINITY, 256.0] {
        assert_eq!(
            attribute(ComponentType::F32, false, &floats(&[number])).converted(ComponentType::U8),
            None
        );
    }
}

/// Compares real models with the values that another program has sampled from them.
#[test]
fn real_models_have_the_values_that_others_read() {
    let Some(root) = model("gltf") else { return };
    let goldens = root.join("../goldens/decoded");
    let mut count = 0;
    for name in [
        "derived/AnimatedMorphCube.draco.glb",
        "derived/CesiumMan.draco.glb",
        "derived/Fox.draco.glb",
        "derived/Knight.draco.glb",
        "derived/RobotExpressive.draco.glb",
        "khronos/CesiumMan/glTF-Draco/CesiumMan.gltf",
        "khronos/RiggedSimple/glTF-Draco/RiggedSimple.gltf",
    ] {
        let golden = fs::read(goldens.join(format!("gltf_{}.json", name.replace('/', "_"))));
        let golden: Value = serde_json::from_slice(&golden.unwrap()).unwrap();
        let (json, buffers) = gltf(&root.join(name));
        for (mesh, golden) in list(&json["meshes"]).iter().zip(list(&golden["meshes"])) {
            for (primitive, golden) in list(&mesh["primitives"]).iter().zip(list(golden)) {
                let draco = &primitive["extensions"]["KHR_draco_mesh_compression"];
                let Some(view) = draco["bufferView"].as_u64() else { continue };
                compare(name, draco, &decode(&view_bytes(&json, &buffers, view), ENOUGH).unwrap(), golden);
                count += 1;
            }
        }
    }
    saw(count);
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Returns the document of a glTF file, and its buffers.
fn gltf(path: &Path) -> (Value, Vec<Vec<u8>>) {
    let file = fs::read(path).unwrap();
    if !file.starts_with(b"glTF") {
        let json: Value = serde_json::from_slice(&file).unwrap();
        let read = |buffer: &Value| fs::read(path.with_file_name(buffer["uri"].as_str().unwrap())).unwrap();
        let buffers = list(&json["buffers"]).iter().map(read).collect();
        return (json, buffers);
    }
    let length = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    (serde_json::from_slice(&file[20..20 + length]).unwrap(), vec![file[28 + length..].to_vec()])
}

fn view_bytes(json: &Value, buffers: &[Vec<u8>], view: u64) -> Vec<u8> {
    let view = &json["bufferViews"][view as usize];
    let number = |name| view[name].as_u64().unwrap_or_default() as usize;
    buffers[number("buffer")][number("byteOffset")..][..number("byteLength")].to_vec()
}

fn compare(name: &str, draco: &Value, mesh: &Mesh, golden: &Value) {
    assert_eq!(golden["indices"]["count"], mesh.indices.len(), "{name}");
    for sample in list(&golden["indices"]["samples"]) {
        assert_eq!(sample[1], mesh.indices[sample[0].as_u64().unwrap() as usize], "{name}");
    }
    for (semantic, id) in draco["attributes"].as_object().unwrap() {
        let accessor = &golden["attributes"][semantic];
        assert_eq!(accessor["count"], mesh.point_count, "{name}");
        let attribute = mesh.attributes.iter().find(|attribute| *id == attribute.unique_id).unwrap();
        let is_fraction = accessor["normalized"] == true;
        let bytes = attribute.converted(ComponentType::F32).unwrap();
        let numbers: Vec<_> =
            bytes.chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect();
        for sample in list(&accessor["samples"]) {
            let point = sample[0].as_u64().unwrap() as usize;
            let components = usize::from(attribute.components);
            for (component, expected) in list(sample)[1..].iter().enumerate() {
                let mut number = f64::from(numbers[point * components + component]);
                if is_fraction && !attribute.normalized && attribute.component_type != ComponentType::F32 {
                    number /= if attribute.component_type.size() == 1 { 255.0 } else { 65535.0 };
                }
                let expected = expected.as_f64().unwrap();
                let is_equal = (number - expected).abs() <= 1e-6 * expected.abs().max(1.0);
                assert!(is_equal, "{name}, {semantic} of {point}: {number} instead of {expected}");
            }
        }
    }
}
