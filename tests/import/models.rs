//! glTF files from other projects: import results, rest poses, bounds and tangents. The repository's own fixtures
//! test single rules.

use crate::support::real_models::{files_below, models, saw};
use gambol::import::{ImportError, Imported, Resources, external_buffers, import};
use gambol::model::Aabb;
use gambol::model::check::check;
use glam::{Mat4, Vec3};
use gltf::json::Value;
use gltf::json::deserialize::from_slice;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const GLTF: &[&str] = &["gltf", "glb"];

pub(crate) fn load(path: &Path) -> Result<Imported, ImportError> {
    let bytes = fs::read(path).unwrap();
    let mut resources = Resources::default();
    for uri in external_buffers(&bytes)? {
        if let Ok(buffer) = fs::read(path.with_file_name(&uri)) {
            resources.insert(&uri, buffer);
        }
    }
    import(&bytes, &resources)
}

#[test]
fn every_gltf_imports_soundly_or_names_the_extension_it_needs() {
    let Some(models) = models() else { return };
    let mut imported = 0;
    for path in files_below(&models.join("gltf"), GLTF) {
        let name = path.strip_prefix(&models).unwrap().display();
        match load(&path) {
            Ok(Imported { model, report }) => {
                assert_eq!(check(&model), [], "{name}");
                assert!(!model.nodes.is_empty(), "{name}");
                println!("{name}: {} warnings", report.warnings.len());
                let mut kinds = BTreeSet::new();
                for warning in report.warnings {
                    println!("    {} {} {}", warning.code, warning.place, warning.message);
                    let name = matches!(warning.code, "EXTENSION_IGNORED" | "ATTRIBUTE_UNKNOWN")
                        .then_some(warning.message);
                    assert!(kinds.insert((warning.code, name)), "one warning a kind");
                }
                imported += 1;
            }
            Err(error) => {
                assert_eq!(error.code(), "EXTENSION_UNSUPPORTED", "{name}: {error}");
                println!("{name}: {error}");
            }
        }
    }
    assert!(imported > 50, "only {imported} files imported");
    saw(imported);
}

/// Files that the Khronos validator rejects and Gambol shows, with the reason, and one file for which it is the
/// other way round. The validator judges files for exporters; the import only needs a drawable model.
const DISAGREEMENTS: [(&str, &str); 16] = [
    ("animation/sampler_too_few_cubic_frames.gltf", "a spline through one key is a constant"),
    ("asset/min_version_invalid.gltf", "2.1 can be read, whatever version the file has"),
    ("buffer/invalid_uri_scheme.gltf", "nothing uses the buffer"),
    (
        "buffer_view/invalid_stride_multiple.gltf",
        "only GPUs that read in place mind an odd stride; a warning",
    ),
    ("camera/extra_type.gltf", "the type says which of the two projections counts"),
    ("camera/orthographic_z.gltf", "a broken camera is replaced, with a warning"),
    ("glb/unaligned_chunk.glb", "the chunks can be told apart all the same; a warning"),
    ("image/invalid_data_uri_mime_type.gltf", "no texture uses the image, and bytes tell what it is"),
    ("image/not_found.gltf", "images are fetched by the page, later"),
    ("material/empty_array.gltf", "an empty list is no list"),
    ("mesh/empty_array.gltf", "an empty list is no list"),
    ("mesh/invalid_indexed_attribute.gltf", "attributes of unknown names are not read"),
    ("node/empty_children_array.gltf", "an empty list is no list"),
    ("root/duplicate_extension_entry.gltf", "naming an extension twice changes nothing"),
    ("root/undefined_used_extensions.gltf", "an extension that compresses nothing is ignored; a warning"),
    ("root/unused_objects.gltf", "a buffer without bytes is used, which the validator lets pass"),
];

/// Files that the Khronos validator rejects and that load without a warning: nothing drawn depends on the fault.
const SILENT: [&str; 9] = [
    "asset/min_version_invalid.gltf",
    "buffer/invalid_uri_scheme.gltf",
    "camera/extra_type.gltf",
    "image/invalid_data_uri_mime_type.gltf",
    "image/not_found.gltf",
    "material/empty_array.gltf",
    "mesh/empty_array.gltf",
    "node/empty_children_array.gltf",
    "root/duplicate_extension_entry.gltf",
];

#[test]
fn the_khronos_validators_files_are_judged_as_it_judges_them() {
    let Some(models) = models() else { return };
    let folder = models.join("invalid/glTF-Validator");
    let (mut disagreements, mut silent) = (Vec::new(), Vec::new());
    let paths = files_below(&folder, GLTF);
    saw(paths.len());
    for path in paths {
        let name = path.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/");
        let report = fs::read(format!("{}.report.json", path.display())).unwrap();
        let report: Value = from_slice(&report).unwrap();
        let valid = report["issues"]["numErrors"].as_u64().unwrap() == 0;
        let ours = load(&path);
        if let Ok(Imported { model, report }) = &ours {
            assert_eq!(check(model), [], "{name}");
            if !valid && report.warnings.is_empty() {
                silent.push(name.clone());
            }
        }
        if ours.is_ok() != valid {
            disagreements.push(name);
        }
    }
    let known: Vec<&str> = DISAGREEMENTS.iter().map(|(name, _)| *name).collect();
    assert_eq!(disagreements, known, "found, and explained above");
    assert_eq!(silent, SILENT, "of those");
}

/// Compares world matrices at rest, and each joint's matrix times its inverse bind matrix, with those of three.js.
#[test]
fn rest_poses_are_those_of_another_evaluator() {
    let Some(models) = models() else { return };
    let (mut compared, mut seen) = (0, 0);
    for entry in fs::read_dir(models.join("goldens")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let golden: Value = from_slice(&fs::read(&path).unwrap()).unwrap();
        // The index file has no `model`; models that need a missing extension don't load.
        let Some(name) = golden["model"].as_str() else { continue };
        let Ok(Imported { model, .. }) = load(&models.join(name)) else { continue };
        seen += 1;

        let mut model_from_node: Vec<Mat4> = Vec::new();
        for node in &model.nodes {
            let parent_from_node = node.sheared_rest.unwrap_or_else(|| node.rest.parent_from_node());
            let model_from_parent =
                node.parent.map_or(Mat4::IDENTITY, |parent| model_from_node[parent.get()]);
            model_from_node.push(model_from_parent * Mat4::from(parent_from_node));
        }
        let largest =
            model_from_node.iter().map(|matrix| matrix.w_axis.truncate().length()).fold(1.0, f32::max);
        let tolerance = 1e-4 * largest;
        for (source, expected) in golden["rest"]["nodes"].as_object().unwrap() {
            let node = model.node_from_source[source.parse::<usize>().unwrap()];
            let found = model_from_node[node.get()];
            assert!(found.abs_diff_eq(matrix(expected), tolerance), "{name}: node {source} at {found}");
            compared += 1;
        }
        for (skin, expected) in golden["rest"]["skins"].as_object().into_iter().flatten() {
            let skin = &model.skins[skin.parse::<usize>().unwrap()];
            let numbers = expected.as_array().unwrap();
            let expected: Vec<Mat4> =
                numbers.chunks(16).map(|numbers| matrix(&Value::Array(numbers.to_vec()))).collect();
            assert_eq!(expected.len(), skin.joints.len(), "{name}");
            for ((joint, joint_from_mesh), expected) in
                skin.joints.iter().zip(&skin.joint_from_mesh).zip(expected)
            {
                let found = model_from_node[joint.get()] * Mat4::from(*joint_from_mesh);
                assert!(found.abs_diff_eq(expected, tolerance), "{name}: joint {joint:?} {found} {expected}");
                compared += 1;
            }
        }
        for (source, expected) in golden["rest"]["weights"].as_object().into_iter().flatten() {
            let node = model.node(model.node_from_source[source.parse::<usize>().unwrap()]);
            let expected: Vec<f32> =
                expected.as_array().unwrap().iter().map(|weight| weight.as_f64().unwrap() as f32).collect();
            assert_eq!(node.rest_morph_weights, expected, "{name}: node {source}");
            compared += 1;
        }
    }
    assert!(compared > 900, "only {compared} compared");
    saw(seen);
}

fn matrix(numbers: &Value) -> Mat4 {
    let numbers = numbers.as_array().unwrap();
    Mat4::from_cols_array(&std::array::from_fn(|at| numbers[at].as_f64().unwrap() as f32))
}

/// Tests that the positions read lie within the bounds in the file, which every `POSITION` accessor has.
#[test]
fn positions_lie_where_the_exporter_says() {
    let Some(models) = models() else { return };
    let (mut compared, mut seen) = (0, 0);
    for path in files_below(&models.join("gltf"), GLTF) {
        let Ok(Imported { model, .. }) = load(&path) else { continue };
        seen += 1;
        let bytes = fs::read(&path).unwrap();
        let json = match bytes.strip_prefix(b"glTF") {
            Some(_) => &bytes[20..20 + u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize],
            None => &bytes[..],
        };
        let file: Value = from_slice(json).unwrap();
        for (mesh, source) in model.meshes.iter().zip(file["meshes"].as_array().into_iter().flatten()) {
            let sources = source["primitives"].as_array().unwrap();
            assert_eq!(mesh.primitives.len(), sources.len(), "{}", path.display());
            for (primitive, source) in mesh.primitives.iter().zip(sources) {
                let accessor =
                    &file["accessors"][source["attributes"]["POSITION"].as_u64().unwrap() as usize];
                if accessor["normalized"].as_bool() == Some(true) {
                    continue;
                }
                let corner = |name: &str| {
                    let numbers = accessor[name].as_array()?;
                    Some(Vec3::from_array(std::array::from_fn(|at| numbers[at].as_f64().unwrap() as f32)))
                };
                let (Some(min), Some(max)) = (corner("min"), corner("max")) else { continue };
                let bounds = Aabb::around(primitive.positions.iter().copied()).unwrap();
                // Exporters write six significant digits, and Draco has 14 bits for the longest side.
                let digits = if source["extensions"].is_null() { 1e-5 } else { 1e-4 };
                let slack = digits * (max - min).max_element().max(max.abs().max_element());
                let inside = (bounds.min + slack).cmpge(min).all() && (bounds.max - slack).cmple(max).all();
                assert!(inside, "{}: {bounds:?} outside {min} {max}", path.display());
                let whole = source.get("indices").is_none();
                let tight = bounds.min.abs_diff_eq(min, slack) && bounds.max.abs_diff_eq(max, slack);
                assert!(tight || !whole, "{}: {bounds:?} within {min} {max}", path.display());
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "only {compared} compared");
    saw(seen);
}

/// Compares the tangents of a file with those generated when the file's attribute is renamed away.
#[test]
fn generated_tangents_agree_with_those_of_a_file() {
    let Some(models) = models() else { return };
    let path = models.join("gltf/khronos/AlphaBlendModeTest/glTF-Binary/AlphaBlendModeTest.glb");
    let mut bytes = fs::read(path).unwrap();
    let given = import(&bytes, &Resources::default()).unwrap().model;
    let name = b"\"TANGENT\"";
    while let Some(at) = bytes.windows(name.len()).position(|window| window == name) {
        bytes[at + 1] = b'_';
    }
    let made = import(&bytes, &Resources::default()).unwrap().model;

    let (mut compared, mut agreed) = (0, 0);
    for (made, given) in made
        .meshes
        .iter()
        .zip(&given.meshes)
        .flat_map(|(made, given)| made.primitives.iter().zip(&given.primitives))
    {
        assert_eq!(made.tangents.is_empty(), given.tangents.is_empty());
        assert_eq!(made.indices.len(), given.indices.len());
        if made.tangents.is_empty() {
            continue;
        }
        for (&made_index, &given_index) in made.indices.iter().zip(&given.indices) {
            let (made, given) = (made.tangents[made_index as usize], given.tangents[given_index as usize]);
            compared += 1;
            agreed += usize::from(made.truncate().dot(given.truncate()) > 0.99 && made.w == given.w);
        }
    }
    // Tools differ at the edges of UV islands.
    assert!(compared > 0 && agreed * 10 >= compared * 9, "{agreed} of {compared} agree");
}
