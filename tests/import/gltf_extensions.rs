//! Extensions of nodes and of the whole file: visibility, instances, lights, metadata.

use crate::support::gltf_file::{File, le};
use gambol::import::{Resources, import};
use gambol::model::{LightKind, Model, NodeIndex, Srt, TrackValues};
use glam::{Quat, Vec3};
use std::f32::consts::{FRAC_1_SQRT_2, FRAC_PI_4};

const MESH: &str = r#""meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]"#;

/// Returns a model whose only node has instances with these attributes.
fn instanced(file: &File, attributes: &str) -> Model {
    file.model(&format!(
        r#""extensionsUsed":["EXT_mesh_gpu_instancing"],{MESH},
        "nodes":[{{"name":"tree","mesh":0,"children":[1],
            "extensions":{{"EXT_mesh_gpu_instancing":{{"attributes":{{{attributes}}}}}}}}},{{"name":"child"}}],
        "scenes":[{{"nodes":[0]}}]"#
    ))
}

fn rests(model: &Model) -> Vec<Srt> {
    model.nodes.iter().filter(|node| node.mesh.is_some()).map(|node| node.rest).collect()
}

#[test]
fn each_instance_is_a_child_that_draws_the_mesh() {
    let mut file = File::default();
    file.positions();
    let [translation, scale] = [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 1.0, 1.0, 2.0, -2.0, 2.0]];
    let translation = file.floats("VEC3", 2, &translation);
    let scale = file.floats("VEC3", 2, &scale);
    let rotation = file.floats("VEC4", 2, &[0.0, 0.0, 0.0, 1.0, 0.6, 0.0, 0.0, 0.8]);
    let attributes =
        format!(r#""TRANSLATION":{translation},"ROTATION":{rotation},"SCALE":{scale},"_ID":{translation}"#);
    let model = instanced(&file, &attributes);
    let expected = [
        Srt { translation: Vec3::new(1.0, 2.0, 3.0), ..Srt::IDENTITY },
        Srt {
            translation: Vec3::new(4.0, 5.0, 6.0),
            rotation: Quat::from_xyzw(0.6, 0.0, 0.0, 0.8),
            scale: Vec3::new(2.0, -2.0, 2.0),
        },
    ];
    for (rest, expected) in rests(&model).iter().zip(&expected) {
        assert!(rest.rotation.abs_diff_eq(expected.rotation, 1e-6));
        assert_eq!((rest.translation, rest.scale), (expected.translation, expected.scale));
    }
    let nodes: Vec<_> = model
        .nodes
        .iter()
        .map(|node| (&*node.name, node.parent.map(NodeIndex::get), node.mesh.is_some()))
        .collect();
    assert_eq!(
        nodes,
        [("tree", None, false), ("child", Some(0), false), ("", Some(0), true), ("", Some(0), true)]
    );
    assert_eq!(model.drawn_nodes().count(), 2);
    assert_eq!(model.node_from_source.len(), 4, "pages address instances after the nodes of the file");
}

#[test]
fn instances_may_be_normalised_quantised_and_sparse() {
    let mut file = File::default();
    file.positions();
    // 90° around x and around z, as normalised bytes and shorts.
    let bytes = file.accessor("VEC4", 5120, 2, &[90, 0, 0, 90, 0, 0, 90, 90], r#","normalized":true"#);
    let half = 23_170_i16;
    let shorts: Vec<u8> =
        [half, 0, 0, half, 0, 0, half, half].iter().flat_map(|number| number.to_le_bytes()).collect();
    let shorts = file.accessor("VEC4", 5122, 2, &shorts, r#","normalized":true"#);
    for rotation in [bytes, shorts] {
        let rests = rests(&instanced(&file, &format!(r#""ROTATION":{rotation}"#)));
        let half = FRAC_1_SQRT_2;
        assert!(rests[0].rotation.abs_diff_eq(Quat::from_xyzw(half, 0.0, 0.0, half), 1e-5), "{rests:?}");
        assert!(rests[1].rotation.abs_diff_eq(Quat::from_xyzw(0.0, 0.0, half, half), 1e-5), "{rests:?}");
        assert!((rests[0].rotation.length() - 1.0).abs() < 1e-6);
    }
    let index = file.view(&[2], "");
    let value = file.view(&le(&[7.0, 8.0, 9.0]), "");
    file.accessors.push(format!(
        r#"{{"type":"VEC3","componentType":5126,"count":3,"sparse":{{"count":1,
            "indices":{{"bufferView":{index},"componentType":5121}},"values":{{"bufferView":{value}}}}}}}"#
    ));
    let sparse = file.accessors.len() - 1;
    let rests = rests(&instanced(&file, &format!(r#""TRANSLATION":{sparse}"#)));
    let translations: Vec<Vec3> = rests.iter().map(|rest| rest.translation).collect();
    assert_eq!(translations, [Vec3::ZERO, Vec3::ZERO, Vec3::new(7.0, 8.0, 9.0)]);
}

#[test]
fn every_instance_morphs_as_the_node_does() {
    let mut file = File::default();
    file.positions();
    let translation = file.floats("VEC3", 2, &[0.0; 6]);
    let times = file.floats("SCALAR", 2, &[0.0, 1.0]);
    let weights = file.floats("SCALAR", 2, &[0.0, 1.0]);
    let model = file.model(&format!(
        r#""extensionsUsed":["EXT_mesh_gpu_instancing"],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"targets":[{{"POSITION":0}}]}}],"weights":[0.25]}}],
        "nodes":[{{"mesh":0,
            "extensions":{{"EXT_mesh_gpu_instancing":{{"attributes":{{"TRANSLATION":{translation}}}}}}}}}],
        "animations":[{{"samplers":[{{"input":{times},"output":{weights}}}],
            "channels":[{{"sampler":0,"target":{{"node":0,"path":"weights"}}}}]}}]"#
    ));
    assert_eq!(model.nodes[1].rest_morph_weights, [0.25]);
    let tracks: Vec<_> =
        model.clips[0].tracks.iter().map(|track| (track.node.get(), &track.values)).collect();
    let values = TrackValues::MorphWeights(vec![0.0, 1.0]);
    assert_eq!(tracks, [(1, &values), (2, &values)]);
}

#[test]
fn instances_are_counted_before_they_are_made() {
    let text = r#"{"asset":{"version":"2.0"},"extensionsUsed":["EXT_mesh_gpu_instancing"],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"type":"VEC3","componentType":5126,"count":3},
            {"type":"VEC3","componentType":5126,"count":1000000}],
        "nodes":[{"mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":1}}}}]}"#;
    let error = import(text.as_bytes(), &Resources::default()).unwrap_err();
    assert_eq!(
        (error.code(), error.place()),
        ("MODEL_TOO_LARGE", "/nodes/0/extensions/EXT_mesh_gpu_instancing")
    );
}

#[test]
fn nodes_below_an_invisible_node_are_hidden() {
    let mut file = File::default();
    file.positions();
    let hide = |visible| format!(r#""extensions":{{"KHR_node_visibility":{{"visible":{visible}}}}}"#);
    let model = file.model(&format!(
        r#""extensionsUsed":["KHR_node_visibility"],"extensionsRequired":["KHR_node_visibility"],{MESH},
        "nodes":[{{"mesh":0,"children":[1],{}}},{{"mesh":0,{}}},
        {{"mesh":0,"extensions":{{"KHR_node_visibility":{{}}}}}}]"#,
        hide(false),
        hide(true)
    ));
    assert_eq!(model.nodes.iter().map(|node| node.visible).collect::<Vec<_>>(), [false, true, true]);
    let mut is_hidden = model.hidden_nodes();
    assert_eq!(is_hidden, [true, false, false]);
    model.mark_descendants(&mut is_hidden);
    assert_eq!(is_hidden, [true, true, false]);
}

#[test]
fn lights_are_read_with_their_defaults() {
    let mut file = File::default();
    file.positions();
    let model = file.model(
        r#""extensionsUsed":["KHR_lights_punctual"],"nodes":[{},{"extensions":{"KHR_lights_punctual":{"light":2}}}],
        "extensions":{"KHR_lights_punctual":{"lights":[
            {"type":"directional","name":"sun","color":[1,0.5,0],"intensity":3},
            {"type":"point","range":4},
            {"type":"spot","spot":{"innerConeAngle":0.25}}]}}"#,
    );
    let [sun, point, spot] = &model.lights[..] else { panic!("{:?}", model.lights) };
    assert_eq!((&*sun.name, sun.color, sun.intensity), ("sun", Vec3::new(1.0, 0.5, 0.0), 3.0));
    assert_eq!((sun.kind, sun.range), (LightKind::Directional, None));
    assert_eq!((point.kind, point.range, point.intensity), (LightKind::Point, Some(4.0), 1.0));
    assert_eq!(spot.kind, LightKind::Spot { inner_angle: 0.25, outer_angle: FRAC_PI_4 });
    assert_eq!(spot.color, Vec3::ONE);
    assert_eq!(model.nodes[1].light.map(|light| light.get()), Some(2));
}

#[test]
fn metadata_is_kept_as_written() {
    let text = r#"{"asset":{"version":"2.0","extensions":{"KHR_xmp_json_ld":{"packet":1}}},
        "extensionsUsed":["KHR_xmp_json_ld"],"extras":{"a": [1.50]},
        "extensions":{"KHR_xmp_json_ld":{"packets":[{}, {"@context":{"dc":"x"},"dc:title":"ü"}]}}}"#;
    let metadata = import(text.as_bytes(), &Resources::default()).unwrap().model.metadata;
    assert_eq!(metadata.extras.as_deref(), Some(r#"{"a": [1.50]}"#));
    let packets = r#"[{}, {"@context":{"dc":"x"},"dc:title":"ü"}]"#;
    assert_eq!((metadata.xmp_packets.as_deref(), metadata.xmp_packet), (Some(packets), Some(1)));
    let plain = import(br#"{"asset":{"version":"2.0"}}"#, &Resources::default()).unwrap();
    assert!(plain.model.metadata.is_empty());
}

#[test]
fn variants_have_materials_for_some_primitives() {
    let mut file = File::default();
    file.positions();
    file.floats("VEC3", 3, &[0.0, 0.0, 1.0].repeat(3));
    file.floats("VEC2", 3, &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let model = file.model(
        r#""extensionsUsed":["KHR_materials_variants"],"nodes":[{"mesh":0}],
        "extensions":{"KHR_materials_variants":{"variants":[{"name":"beach"},{"name":"street"},{"name":"none"}]}},
        "images":[{"uri":"a.png"}],"textures":[{"source":0}],
        "materials":[{},{"normalTexture":{"index":0}},{}],
        "meshes":[{"primitives":[
            {"attributes":{"POSITION":0,"NORMAL":1,"TEXCOORD_0":2},"material":0,"extensions":{
                "KHR_materials_variants":{"mappings":[{"material":1,"variants":[0]},{"material":2,"variants":[1]}]}}},
            {"attributes":{"POSITION":0}}]}]"#,
    );
    assert_eq!(model.variants, ["beach", "street", "none"]);
    let [first, second] = &model.meshes[0].primitives[..] else { panic!("two primitives") };
    let numbers: Vec<_> =
        first.variants.iter().map(|(variant, material)| (variant.get(), material.get())).collect();
    assert_eq!(numbers, [(0, 1), (1, 2)]);
    assert_eq!(second.variants, []);
    assert_eq!(first.tangents.len(), 3, "the normal map of a variant needs tangents");
}
