//! Values of animated properties (`KHR_animation_pointer`), compared with an evaluator written from the text of the
//! specification.

use crate::support::real_models::{model, models, saw};
use gambol::animation::{ClipCursor, LocalPose, ModelPose, Rig};
use gambol::import::{Imported, Resources, external_buffers, import};
use gambol::model::material_table::{FACTORS, TEXTURES};
use gambol::model::{CameraPart, ClipIndex, LightPart, MaterialPart, Model, PropertyIndex, PropertyTarget};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::Arc;

fn load(path: &Path) -> Imported {
    let bytes = fs::read(path).unwrap();
    let mut resources = Resources::default();
    for uri in external_buffers(&bytes).unwrap() {
        resources.insert(&uri, fs::read(path.with_file_name(&uri)).unwrap());
    }
    import(&bytes, &resources).unwrap()
}

/// Returns the pointer to a property, apart from those of nodes.
fn pointer(target: PropertyTarget) -> String {
    match target {
        PropertyTarget::Visible(node) => {
            format!("/nodes/{}/extensions/KHR_node_visibility/visible", node.get())
        }
        PropertyTarget::Material(material, part) => {
            let uv = |texture: usize, name: &str| {
                format!("{}/extensions/KHR_texture_transform/{name}", TEXTURES[texture].path)
            };
            let path = match part {
                MaterialPart::Factor(row) => FACTORS[row].path.to_owned(),
                MaterialPart::EmissiveStrength => {
                    "extensions/KHR_materials_emissive_strength/emissiveStrength".to_owned()
                }
                MaterialPart::AlphaCutoff => "alphaCutoff".to_owned(),
                MaterialPart::UvOffset(texture) => uv(texture, "offset"),
                MaterialPart::UvRotation(texture) => uv(texture, "rotation"),
                MaterialPart::UvScale(texture) => uv(texture, "scale"),
            };
            format!("/materials/{}/{path}", material.get())
        }
        PropertyTarget::Light(light, part) => {
            let path = match part {
                LightPart::Color => "color",
                LightPart::Intensity => "intensity",
                LightPart::Range => "range",
                LightPart::InnerAngle => "spot/innerConeAngle",
                LightPart::OuterAngle => "spot/outerConeAngle",
            };
            format!("/extensions/KHR_lights_punctual/lights/{}/{path}", light.get())
        }
        PropertyTarget::Camera(camera, part) => {
            let path = match part {
                CameraPart::VerticalFov => "perspective/yfov",
                CameraPart::Aspect => "perspective/aspectRatio",
                CameraPart::Near => "*/znear",
                CameraPart::Far => "*/zfar",
                CameraPart::HalfWidth => "orthographic/xmag",
                CameraPart::HalfHeight => "orthographic/ymag",
            };
            format!("/cameras/{}/{path}", camera.get())
        }
    }
}

fn property(model: &Model, wanted: &str) -> Option<PropertyIndex> {
    let any_lens = |pointer: &str| {
        ["perspective", "orthographic"].map(|lens| pointer.replace('*', lens)).contains(&wanted.to_owned())
    };
    let properties = model.properties.iter();
    let mut pointers = properties.map(|property| pointer(property.target));
    pointers.position(|pointer| any_lens(&pointer)).map(PropertyIndex::new)
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// Fails unless the numbers agree within single precision at six written digits.
fn assert_near(found: &[f32], expected: &[f64], about: &str) {
    assert_eq!(found.len(), expected.len(), "{about}");
    for (found, expected) in found.iter().zip(expected) {
        let error = (f64::from(*found) - expected).abs() / expected.abs().max(1.0);
        assert!(error < 2e-6, "{about}: {found} for {expected}");
    }
}

/// Material extensions that aren't drawn, and a pointer of the exporter that names nothing.
fn is_unread(pointer: &str) -> bool {
    let names = ["iridescence", "volume", "ior", "transmission"];
    names.iter().any(|name| pointer.contains(&format!("KHR_materials_{name}")))
        || pointer.ends_with("normalTexture/offset")
}

#[test]
fn pointers_have_the_values_of_another_evaluator() {
    let (Some(models), Some(goldens)) = (models(), model("goldens/pointer")) else { return };
    let (mut seen, mut compared, mut matrices) = (0, 0, 0);
    for golden in fs::read_dir(goldens).unwrap() {
        let golden: Value = serde_json::from_slice(&fs::read(golden.unwrap().path()).unwrap()).unwrap();
        let Imported { model, .. } = load(&models.join(golden["model"].as_str().unwrap()));
        let rig = Rig::new(Arc::new(model));
        let model = rig.model();
        let mut pose = LocalPose::rest(&rig);
        let mut in_model = ModelPose::new(&rig);
        for clip in golden["clips"].as_array().unwrap() {
            let index = ClipIndex::new(clip["index"].as_u64().unwrap() as usize);
            for sample in clip["samples"].as_array().unwrap() {
                let time = sample["t"].as_f64().unwrap();
                // `t` is rounded; the fraction isn't.
                let secs = sample["f"].as_f64().unwrap() as f32 * model.clip(index).duration_secs;
                assert!((f64::from(secs) - time).abs() < 1e-5);
                rig.sample_into(index, secs, &mut ClipCursor::default(), &mut pose);
                rig.resolve_into(&pose, &mut in_model);
                for (pointer, value) in sample["values"].as_object().unwrap() {
                    let expected = numbers(value);
                    let about = format!("{pointer} at {time}");
                    let node = pointer.strip_prefix("/nodes/").and_then(|rest| rest.split_once('/'));
                    if let Some((node, path)) = node {
                        let node = model.node_from_source[node.parse::<usize>().unwrap()];
                        let srt = pose.srt(node);
                        match path {
                            "translation" => assert_near(&srt.translation.to_array(), &expected, &about),
                            "scale" => assert_near(&srt.scale.to_array(), &expected, &about),
                            "weights" => assert_near(pose.morph_weights(&rig, node), &expected, &about),
                            _ => {
                                // A rotation and its negative are the same.
                                let found = srt.rotation.to_array().map(f64::from);
                                let dot: f64 = found.iter().zip(&expected).map(|(a, b)| a * b).sum();
                                assert!(dot.abs() > 1.0 - 1e-6, "{about}: {found:?} for {expected:?}");
                            }
                        }
                    } else if let Some(mesh) = pointer.strip_prefix("/meshes/") {
                        let mesh = mesh.split_once('/').unwrap().0.parse::<usize>().unwrap();
                        let draws = |(_, drawn): &(_, gambol::model::MeshIndex)| drawn.get() == mesh;
                        let (node, _) = model.drawn_nodes().find(draws).unwrap();
                        assert_near(pose.morph_weights(&rig, node), &expected, &about);
                    } else if let Some(property) = property(model, pointer) {
                        assert_near(pose.property(&rig, property), &expected, &about);
                    } else {
                        assert!(is_unread(pointer), "{pointer} isn't read");
                        continue;
                    }
                    compared += 1;
                }
                for (node, matrix) in sample["nodes"].as_object().unwrap() {
                    let node = model.node_from_source[node.parse::<usize>().unwrap()];
                    let found = glam::Mat4::from(in_model.model_from_node(node)).to_cols_array();
                    for (found, expected) in found.iter().zip(numbers(matrix)) {
                        let error = (f64::from(*found) - expected).abs() / expected.abs().max(1.0);
                        assert!(error < 1e-4, "{node:?} at {time}: {found} for {expected}");
                    }
                    matrices += 1;
                }
            }
        }
        seen += 1;
    }
    println!("{compared} values and {matrices} matrices");
    assert!(compared > 300 && matrices > 300, "{compared} values and {matrices} matrices");
    saw(seen);
}
