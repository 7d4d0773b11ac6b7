//! Numbers of a glTF file after import. The expected values are worked out by hand from the specification's
//! formulas.

use crate::support::gltf_file::{File, le, le_u16};
use gambol::animation::{LocalPose, ModelPose, Rig};
use gambol::import::{Imported, Resources, import};
use gambol::model::check::check;
use gambol::model::{
    AlphaMode, Filter, ImageSource, Interpolation, Model, Projection, Topology, TrackValues, Wrap,
};
use glam::{Quat, Vec2, Vec3, Vec4};

fn node(body: &str) -> Model {
    let text = format!(r#"{{"asset":{{"version":"2.0"}},{body}}}"#);
    let imported = import(text.as_bytes(), &Resources::default()).unwrap();
    assert_eq!(check(&imported.model), []);
    imported.model
}

#[test]
fn every_component_type_is_read_plain_and_normalised() {
    // glTF 2.0, section 3.11: f = max(c / 127, -1), c / 255, max(c / 32767, -1), c / 65535.
    type Case = (u32, &'static [u8], [f32; 2], [f32; 2]);
    let cases: [Case; 5] = [
        (5120, &[0x80, 64], [-128.0, 64.0], [-1.0, 64.0 / 127.0]),
        (5121, &[255, 51], [255.0, 51.0], [1.0, 0.2]),
        (5122, &[0x00, 0x80, 0xFF, 0x7F], [-32768.0, 32767.0], [-1.0, 1.0]),
        (5123, &[0xFF, 0xFF, 0x33, 0x33], [65535.0, 13107.0], [1.0, 0.2]),
        (5126, &[0, 0, 0xC0, 0xBF, 0, 0, 0, 0x40], [-1.5, 2.0], [-1.5, 2.0]),
    ];
    for (component, bytes, plain, normalised) in cases {
        for (extra, expected) in [("", plain), (r#","normalized":true"#, normalised)] {
            let mut file = File::default();
            let positions = file.positions();
            let uvs = file.accessor("VEC2", component, 3, &bytes.repeat(3), extra);
            let model = file.model(&format!(
                r#""extensionsUsed":["KHR_mesh_quantization"],
                "meshes":[{{"primitives":[{{"attributes":{{"POSITION":{positions},"TEXCOORD_0":{uvs}}}}}]}}]"#
            ));
            let found = model.meshes[0].primitives[0].uv_sets[0][0];
            assert!(found.abs_diff_eq(Vec2::from_array(expected), 1e-7), "{component}{extra}: {found}");
        }
    }
}

#[test]
fn interleaved_attributes_are_told_apart() {
    let mut file = File::default();
    let mut bytes = Vec::new();
    for vertex in 0..3 {
        let number = vertex as f32;
        bytes.extend(le(&[number, number * number, 0.0, number + 10.0, number + 20.0]));
    }
    let view = file.view(&bytes, r#","byteStride":20"#);
    file.accessors.push(format!(r#"{{"bufferView":{view},"type":"VEC3","componentType":5126,"count":3}}"#));
    file.accessors.push(format!(
        r#"{{"bufferView":{view},"byteOffset":12,"type":"VEC2","componentType":5126,"count":3}}"#
    ));
    let model = file.model(r#""meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1}}]}]"#);
    let primitive = &model.meshes[0].primitives[0];
    assert_eq!(primitive.positions[2], Vec3::new(2.0, 4.0, 0.0));
    assert_eq!(primitive.uv_sets[0][1], Vec2::new(11.0, 21.0));
}

#[test]
fn sparse_values_replace_those_of_the_view_or_zeros() {
    let mut file = File::default();
    let base = file.view(&le(&[1.0; 9]), "");
    let indices = file.view(&[0, 2], "");
    let values = file.view(&le(&[5.0, 6.0, 7.0, 8.0, 9.0, 10.0]), "");
    for view in [format!(r#""bufferView":{base},"#), String::new()] {
        file.accessors.push(format!(
            r#"{{{view}"type":"VEC3","componentType":5126,"count":3,"sparse":{{"count":2,
            "indices":{{"bufferView":{indices},"componentType":5121}},"values":{{"bufferView":{values}}}}}}}"#
        ));
    }
    let model = file
        .model(r#""meshes":[{"primitives":[{"attributes":{"POSITION":0}},{"attributes":{"POSITION":1}}]}]"#);
    let positions = |primitive: usize| &model.meshes[0].primitives[primitive].positions;
    let (first, last) = (Vec3::new(5.0, 6.0, 7.0), Vec3::new(8.0, 9.0, 10.0));
    assert_eq!(*positions(0), [first, Vec3::ONE, last]);
    assert_eq!(*positions(1), [first, Vec3::ZERO, last]);
}

#[test]
fn every_mode_and_index_type_is_read() {
    let square = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0];
    let modes: [(u32, Topology, &[u32]); 7] = [
        (0, Topology::Points, &[3, 2, 1, 0]),
        (1, Topology::Lines, &[3, 2, 1, 0]),
        (2, Topology::Lines, &[3, 2, 2, 1, 1, 0, 0, 3]),
        (3, Topology::Lines, &[3, 2, 2, 1, 1, 0]),
        (4, Topology::Triangles, &[3, 2, 1]),
        (5, Topology::Triangles, &[3, 2, 1, 2, 0, 1]),
        (6, Topology::Triangles, &[2, 1, 3, 1, 0, 3]),
    ];
    for (mode, topology, expected) in modes {
        let types: [(u32, Vec<u8>); 3] = [
            (5121, vec![3, 2, 1, 0]),
            (5123, le_u16(&[3, 2, 1, 0])),
            (5125, [3u32, 2, 1, 0].iter().flat_map(|index| index.to_le_bytes()).collect()),
        ];
        for (component, bytes) in types {
            let mut file = File::default();
            let positions = file.floats("VEC3", 4, &square);
            let normals = file.floats("VEC3", 4, &[0.0, 0.0, 1.0].repeat(4));
            let indices = file.accessor("SCALAR", component, if mode == 4 { 3 } else { 4 }, &bytes, "");
            let model = file.model(&format!(
                r#""meshes":[{{"primitives":[{{"mode":{mode},"indices":{indices},
                "attributes":{{"POSITION":{positions},"NORMAL":{normals}}}}}]}}]"#
            ));
            let primitive = &model.meshes[0].primitives[0];
            assert_eq!((primitive.topology, &primitive.indices[..]), (topology, expected), "mode {mode}");
        }
    }
}

#[test]
fn triangles_without_normals_get_flat_ones_and_lines_get_none() {
    let mut file = File::default();
    let positions = file.floats("VEC3", 4, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    let indices = file.accessor("SCALAR", 5121, 6, &[0, 1, 2, 0, 2, 3], "");
    let model = file.model(&format!(
        r#""meshes":[{{"primitives":[{{"indices":{indices},"attributes":{{"POSITION":{positions}}}}},
        {{"mode":1,"attributes":{{"POSITION":{positions}}}}}]}}]"#
    ));
    let [triangles, lines] = &model.meshes[0].primitives[..] else { panic!() };
    assert_eq!(triangles.normals, [[Vec3::Z; 3], [Vec3::X; 3]].concat());
    assert_eq!(triangles.positions.len(), 6);
    assert_eq!(lines.normals, []);
}

#[test]
fn colours_have_alpha_one_where_the_file_gives_none() {
    let mut file = File::default();
    let positions = file.positions();
    let rgb = file.accessor("VEC3", 5123, 3, &le_u16(&[65535, 0, 13107].repeat(3)), r#","normalized":true"#);
    let rgba = file.floats("VEC4", 3, &[0.1, 0.2, 0.3, 0.4].repeat(3));
    let Imported { model, .. } = file.load(&format!(
        r#""meshes":[{{"primitives":[{{"attributes":{{"POSITION":{positions},"COLOR_0":{rgb}}}}},
        {{"attributes":{{"POSITION":{positions},"COLOR_0":{rgba}}}}}]}}]"#
    ));
    let color = |primitive: usize| model.meshes[0].primitives[primitive].colors[2];
    assert!(color(0).abs_diff_eq(Vec4::new(1.0, 0.0, 0.2, 1.0), 1e-6));
    assert_eq!(color(1), Vec4::new(0.1, 0.2, 0.3, 0.4));
}

#[test]
fn vertices_that_a_primitive_leaves_to_others_are_left_out() {
    let mut file = File::default();
    let numbers: Vec<f32> = (0..300).map(|number| number as f32).collect();
    let positions = file.floats("VEC3", 100, &numbers);
    let normals = file.floats("VEC3", 100, &[0.0, 0.0, 1.0].repeat(100));
    let indices = file.accessor("SCALAR", 5121, 3, &[90, 10, 50], "");
    let model = file.model(&format!(
        r#""meshes":[{{"primitives":[{{"indices":{indices},
            "attributes":{{"POSITION":{positions},"NORMAL":{normals}}}}}]}}]"#
    ));
    let primitive = &model.meshes[0].primitives[0];
    assert_eq!(primitive.indices, [0, 1, 2]);
    assert_eq!(
        primitive.positions.iter().map(|position| position.x).collect::<Vec<_>>(),
        [270.0, 30.0, 150.0]
    );
    assert_eq!(primitive.normals.len(), 3);
}

/// Returns an imported triangle with `set_count` sets of four joints per vertex.
fn skinned(set_count: usize, matrices: &str, nodes: &str) -> Imported {
    let mut file = File::default();
    let positions = file.positions();
    let mut attributes = format!(r#""POSITION":{positions}"#);
    for set in 0..set_count {
        let joints: Vec<u8> = (0..4).map(|slot| (set * 4 + slot) as u8).collect();
        let joints = file.accessor("VEC4", 5121, 3, &joints.repeat(3), "");
        // Later joints have larger weights.
        let heavy = |slot: usize| ((set * 4 + slot + 1) * 1000) as u16;
        let weights: Vec<u16> = (0..4).map(heavy).collect();
        let weights = file.accessor("VEC4", 5123, 3, &le_u16(&weights.repeat(3)), r#","normalized":true"#);
        attributes += &format!(r#","JOINTS_{set}":{joints},"WEIGHTS_{set}":{weights}"#);
    }
    let joints: Vec<String> = (0..set_count * 4).map(|joint| joint.to_string()).collect();
    let joint_nodes = vec!["{}"; set_count * 4].join(",");
    file.load(&format!(
        r#""meshes":[{{"primitives":[{{"attributes":{{{attributes}}}}}]}}],
        "skins":[{{"joints":[{}]{matrices}}}],"nodes":[{joint_nodes},{nodes}]"#,
        joints.join(",")
    ))
}

#[test]
fn any_number_of_joint_sets_is_merged_heaviest_first() {
    let Imported { model, report } = skinned(3, "", r#"{"mesh":0,"skin":0}"#);
    let influences = &model.meshes[0].primitives[0].influences;
    assert_eq!(influences.per_vertex, 12);
    // Weights 1 … 12 thousand of 65535 each sum to 78 / 65.535.
    let expected = (1..=12).rev().map(|heavy| (heavy - 1, f32::from(heavy) / 78.0));
    for ((joint, joint_weight), expected) in influences.of_vertex(2).zip(expected) {
        assert_eq!(joint, expected.0);
        assert!((joint_weight - expected.1).abs() < 1e-6);
    }
    assert_eq!(report.warnings.len(), 1, "{:?}", report.warnings);
    assert!(report.warnings[0].message.starts_with("3 of 3: "));
    // Without inverse bind matrices each is the identity (glTF 2.0, section 5.28).
    assert!(model.skins[0].joint_from_mesh.iter().all(|matrix| *matrix == glam::Affine3A::IDENTITY));
}

#[test]
fn a_mesh_that_hangs_skinned_and_rigid_is_there_twice() {
    let Imported { model, .. } = skinned(1, "", r#"{"mesh":0},{"mesh":0,"skin":0},{"mesh":0}"#);
    let mesh_of = |source: usize| {
        let node = model.node(model.node_from_source[source]);
        (node.skin.is_some(), model.mesh(node.mesh.unwrap()).primitives[0].influences.is_empty())
    };
    assert_eq!(model.meshes.len(), 2);
    assert_eq!([mesh_of(4), mesh_of(5), mesh_of(6)], [(false, true), (true, false), (false, true)]);
}

#[test]
fn S05_a_file_that_lists_children_first_is_sorted_and_remembers_their_places() {
    let model = node(
        r#""nodes":[{"name":"leaf"},{"name":"root","children":[3,0]},{"name":"other"},{"name":"middle"}],
        "scenes":[{"nodes":[2]},{"name":"shown","nodes":[1]}],"scene":1"#,
    );
    let names: Vec<&str> = model.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["root", "middle", "leaf", "other"]);
    let sources: Vec<usize> = model.nodes.iter().map(|node| node.source_index).collect();
    assert_eq!(sources, [1, 3, 0, 2]);
    assert_eq!(model.node(model.node_from_source[0]).name, "leaf");
    let parents: Vec<Option<usize>> =
        model.nodes.iter().map(|node| node.parent.map(|parent| parent.get())).collect();
    assert_eq!(parents, [None, Some(0), Some(0), None]);
    assert_eq!(model.nodes.iter().map(|node| node.in_scene).collect::<Vec<_>>(), [true, true, true, false]);
    assert_eq!(model.default_scene, Some(1));
    assert_eq!(model.scenes[1].name, "shown");
}

#[test]
fn S05_poses_of_a_file_that_lists_children_first_resolve_in_one_forward_loop() {
    let model = node(
        r#""nodes":[{"translation":[0,0,1]},{"translation":[0,1,0],"children":[0]},
        {"translation":[1,0,0],"children":[1]}]"#,
    );
    let rig = Rig::new(model.into());
    let leaf = rig.model().node_from_source[0];
    assert_eq!(ModelPose::new(&rig).model_from_node(leaf).translation, Vec3::ONE.into());
}

#[test]
fn S12_a_skin_tells_its_joints_and_their_names_by_index() {
    let model = node(r#""nodes":[{"name":"hand"},{"name":"arm","children":[0]}],"skins":[{"joints":[0,1]}]"#);
    let names = model.skins[0].joints.iter().map(|&joint| model.node(joint).name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["hand", "arm"]);
}

#[test]
fn S18_the_files_offsets_are_used_also_where_they_differ_from_the_rest_pose() {
    // The joint rests at x = 1, but the mesh was bound with it at x = 5.
    let bound_at_5 = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -5.0, 0.0, 0.0, 1.0];
    let mut file = File::default();
    let positions = file.positions();
    let joints = file.accessor("VEC4", 5121, 3, &[0; 12], "");
    let weights = file.floats("VEC4", 3, &[1.0, 0.0, 0.0, 0.0].repeat(3));
    let matrices = file.floats("MAT4", 1, &bound_at_5);
    let model = file.model(&format!(
        r#""meshes":[{{"primitives":[{{"attributes":
        {{"POSITION":{positions},"JOINTS_0":{joints},"WEIGHTS_0":{weights}}}}}]}}],
        "skins":[{{"joints":[0],"inverseBindMatrices":{matrices}}}],
        "nodes":[{{"translation":[1,0,0]}},{{"mesh":0,"skin":0}}]"#
    ));
    let rig = Rig::new(model.into());
    let layout = rig.palette_layout();
    let mut rows = vec![Vec4::NAN; layout.rows_per_character];
    rig.palette_into(&LocalPose::rest(&rig), &ModelPose::new(&rig), &glam::Affine3A::IDENTITY, &mut rows);
    assert_eq!(rows[layout.drawables[0].first_row], Vec4::new(1.0, 0.0, 0.0, 1.0 - 5.0));
}

#[test]
fn without_a_scene_every_node_is_shown() {
    let model = node(r#""nodes":[{},{}]"#);
    assert_eq!(model.default_scene, None);
    assert!(model.nodes.iter().all(|node| node.in_scene));
    assert_eq!(node(r#""nodes":[{},{}],"scenes":[{"nodes":[1]}]"#).default_scene, Some(0));
}

#[test]
fn matrices_become_scale_rotation_translation_or_stay() {
    let model = node(
        r#""nodes":[
        {"matrix":[0,2,0,0, -3,0,0,0, 0,0,4,0, 5,6,7,1]},
        {"matrix":[-2,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]},
        {"matrix":[1,0,0,0, 0,0,0,0, 0,0,1,0, 0,0,0,1]},
        {"matrix":[1,0,0,0, 1,1,0,0, 0,0,1,0, 0,0,0,1]}]"#,
    );
    let rest = |source: usize| model.node(model.node_from_source[source]).rest;
    // A quarter turn about Z: X becomes Y, Y becomes −X.
    assert!(rest(0).rotation.abs_diff_eq(Quat::from_xyzw(0.0, 0.0, 0.5f32.sqrt(), 0.5f32.sqrt()), 1e-6));
    assert!(rest(0).scale.abs_diff_eq(Vec3::new(2.0, 3.0, 4.0), 1e-6));
    assert_eq!(rest(0).translation, Vec3::new(5.0, 6.0, 7.0));
    assert_eq!(rest(1).scale, Vec3::new(-2.0, 1.0, 1.0));
    assert_eq!(rest(2).scale, Vec3::new(1.0, 0.0, 1.0));
    let sheared = model.node(model.node_from_source[3]).sheared_rest.unwrap();
    assert_eq!(sheared.transform_vector3(Vec3::Y), Vec3::new(1.0, 1.0, 0.0));
    assert!(
        [0, 1, 2]
            .map(|source| model.node(model.node_from_source[source]).sheared_rest)
            .iter()
            .all(Option::is_none)
    );
}

#[test]
fn scales_of_zero_and_below_survive() {
    let model = node(r#""nodes":[{"scale":[0,-1,2]}]"#);
    assert_eq!(model.nodes[0].rest.scale, Vec3::new(0.0, -1.0, 2.0));
}

#[test]
fn clips_keep_times_values_and_interpolation() {
    let mut file = File::default();
    let times = file.floats("SCALAR", 2, &[0.5, 2.0]);
    let steps = file.floats("VEC3", 2, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    // Tangent, value, tangent: only the values have unit length.
    let spline: Vec<f32> =
        [[0.0, 0.0, 0.0, 7.0], [0.0, 0.0, 0.6, 0.8], [8.0, 0.0, 0.0, 0.0]].concat().repeat(2);
    let spline = file.floats("VEC4", 6, &spline);
    let short =
        file.accessor("VEC4", 5122, 2, &le_u16(&[0, 0, 0, 32767, 0, 32769, 0, 0]), r#","normalized":true"#);
    let other_times = file.floats("SCALAR", 1, &[3.0]);
    let one = file.floats("VEC3", 1, &[1.0, 1.0, 1.0]);
    let model = file.model(&format!(
        r#""nodes":[{{}},{{}}],"animations":[{{"samplers":[
        {{"input":{times},"output":{steps},"interpolation":"STEP"}},
        {{"input":{times},"output":{spline},"interpolation":"CUBICSPLINE"}},
        {{"input":{times},"output":{short}}},
        {{"input":{other_times},"output":{one},"interpolation":"LINEAR"}}],
        "channels":[
        {{"sampler":0,"target":{{"node":0,"path":"translation"}}}},
        {{"sampler":1,"target":{{"node":0,"path":"rotation"}}}},
        {{"sampler":2,"target":{{"node":1,"path":"rotation"}}}},
        {{"sampler":3,"target":{{"node":1,"path":"scale"}}}}]}},
        {{"name":"","channels":[],"samplers":[]}},{{"name":"still","channels":[],"samplers":[]}}]"#
    ));
    let names: Vec<&str> = model.clips.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["clip 0", "clip 1", "still"]);
    assert_eq!([model.clips[0].duration_secs, model.clips[2].duration_secs], [3.0, 0.0]);
    let [step, spline, short, linear] = &model.clips[0].tracks[..] else { panic!() };
    assert_eq!(&step.key_times_secs[..], [0.5, 2.0]);
    assert!(std::sync::Arc::ptr_eq(&step.key_times_secs, &short.key_times_secs));
    assert_eq!(
        [step, spline, short, linear].map(|track| track.interpolation),
        [Interpolation::Step, Interpolation::CubicSpline, Interpolation::Linear, Interpolation::Linear]
    );
    let second = Vec3::new(4.0, 5.0, 6.0);
    assert_eq!(step.values, TrackValues::Translation(vec![Vec3::new(1.0, 2.0, 3.0), second]));
    let key = [
        Quat::from_xyzw(0.0, 0.0, 0.0, 7.0),
        Quat::from_xyzw(0.0, 0.0, 0.6, 0.8),
        Quat::from_xyzw(8.0, 0.0, 0.0, 0.0),
    ];
    let TrackValues::Rotation(rotations) = &spline.values else { panic!() };
    assert!(
        rotations.iter().zip([key, key].concat()).all(|(found, expected)| found.abs_diff_eq(expected, 1e-6))
    );
    // 32769 is −32767 as a short.
    let turned = Quat::from_xyzw(0.0, -1.0, 0.0, 0.0);
    assert_eq!(short.values, TrackValues::Rotation(vec![Quat::IDENTITY, turned]));
}

#[test]
fn S59_a_clip_lasts_until_the_last_key_of_all_its_tracks() {
    let mut file = File::default();
    let (early, late) = (file.floats("SCALAR", 2, &[0.5, 2.0]), file.floats("SCALAR", 2, &[0.0, 2.5]));
    let values = file.floats("VEC3", 2, &[1.0; 6]);
    let model = file.model(&format!(
        r#""nodes":[{{}}],"animations":[{{"samplers":[
        {{"input":{late},"output":{values}}},{{"input":{early},"output":{values}}}],
        "channels":[
        {{"sampler":0,"target":{{"node":0,"path":"translation"}}}},
        {{"sampler":1,"target":{{"node":0,"path":"scale"}}}}]}}]"#
    ));
    assert_eq!(model.clips[0].duration_secs, 2.5);
}

#[test]
fn S62_every_clip_of_a_file_is_there_and_has_a_name() {
    let model = node(
        r#""animations":[{"name":"Run","channels":[],"samplers":[]},{"channels":[],"samplers":[]},
        {"name":"","channels":[],"samplers":[]},{"name":"Run","channels":[],"samplers":[]}]"#,
    );
    assert_eq!(
        model.clips.iter().map(|clip| clip.name.as_str()).collect::<Vec<_>>(),
        ["Run", "clip 1", "clip 2", "Run"]
    );
}

#[test]
fn of_keys_with_one_time_the_last_stays() {
    let mut file = File::default();
    let times = file.floats("SCALAR", 4, &[0.0, 1.0, 1.0, 2.0]);
    let weights =
        file.accessor("SCALAR", 5121, 8, &[0, 255, 51, 255, 102, 0, 255, 0], r#","normalized":true"#);
    let positions = file.positions();
    let Imported { model, report } = file.load(&format!(
        r#""meshes":[{{"primitives":[{{"attributes":{{"POSITION":{positions}}},"targets":[{{}},{{}}]}}]}}],
        "nodes":[{{"mesh":0}}],"animations":[{{"samplers":[{{"input":{times},"output":{weights}}}],
        "channels":[{{"sampler":0,"target":{{"node":0,"path":"weights"}}}}]}}]"#
    ));
    assert_eq!(report.warnings[0].code, "KEY_TIMES_REPEATED");
    let track = &model.clips[0].tracks[0];
    assert_eq!(&track.key_times_secs[..], [0.0, 1.0, 2.0]);
    assert_eq!(track.values, TrackValues::MorphWeights(vec![0.0, 1.0, 0.4, 0.0, 1.0, 0.0]));
}

#[test]
fn morph_targets_follow_the_vertices_and_the_node_overrides_the_mesh() {
    let mut file = File::default();
    let positions = file.positions();
    // The third vertex rises by 1: the face, in XY, turns to face (0, −1, 1) / √2.
    let deltas = file.floats("VEC3", 3, &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    let model = file.model(&format!(
        r#""meshes":[{{"weights":[0.25,0.5],"extras":{{"targetNames":["rise","nothing"]}},"primitives":[
        {{"attributes":{{"POSITION":{positions}}},"targets":[{{"POSITION":{deltas}}},{{}}]}}]}}],
        "nodes":[{{"mesh":0}},{{"mesh":0,"weights":[1,0]}}]"#
    ));
    let mesh = &model.meshes[0];
    assert_eq!(mesh.morph_target_names, ["rise", "nothing"]);
    assert_eq!(model.nodes[0].rest_morph_weights, [0.25, 0.5]);
    assert_eq!(model.nodes[1].rest_morph_weights, [1.0, 0.0]);
    let [rise, nothing] = &mesh.primitives[0].morph_targets[..] else { panic!() };
    assert_eq!(rise.positions[2], Vec3::Z);
    let half = 0.5f32.sqrt();
    let turned = Vec3::new(0.0, -half, half) - Vec3::Z;
    assert!(rise.normals.iter().all(|normal| normal.abs_diff_eq(turned, 1e-6)), "{:?}", rise.normals);
    assert!(nothing.positions.is_empty() && nothing.normals.is_empty());
}

#[test]
fn materials_textures_and_their_extensions_are_read() {
    let mut file = File::default();
    let positions = file.positions();
    let uvs = file.floats("VEC2", 3, &[0.0; 6]);
    let png = file.view(b"\x89PNG\r\n\x1a\n", "");
    let model = file.model(&format!(
        r#""extensionsUsed":["KHR_texture_transform","KHR_materials_unlit",
            "KHR_materials_emissive_strength","EXT_texture_webp"],
        "images":[{{"bufferView":{png},"mimeType":"image/jpeg","name":"skin"}},{{"uri":"coat%20of%20arms.webp"}}],
        "samplers":[{{"magFilter":9728,"minFilter":9985,"wrapS":33071,"wrapT":33648}}],
        "textures":[{{"source":0,"sampler":0}},{{"extensions":{{"EXT_texture_webp":{{"source":1}}}}}}],
        "materials":[{{
            "name":"coat","alphaMode":"MASK","alphaCutoff":0.25,"doubleSided":true,"emissiveFactor":[0.5,0,1],
            "pbrMetallicRoughness":{{"baseColorFactor":[0.1,0.2,0.3,0.4],"metallicFactor":0.5,"roughnessFactor":0.25,
                "baseColorTexture":{{"index":1,"texCoord":1,"extensions":{{"KHR_texture_transform":
                    {{"offset":[0.5,0.25],"rotation":1.5,"scale":[2,3],"texCoord":0}}}}}}}},
            "normalTexture":{{"index":0,"scale":2,"extensions":{{"KHR_texture_transform":{{"scale":[4,5]}}}}}},
            "occlusionTexture":{{"index":0,"texCoord":1,"strength":0.75}},
            "extensions":{{"KHR_materials_unlit":{{}},"KHR_materials_emissive_strength":{{"emissiveStrength":4}}}}
        }},{{"alphaMode":"BLEND"}}],
        "meshes":[{{"primitives":[{{"material":0,
            "attributes":{{"POSITION":{positions},"TEXCOORD_0":{uvs},"TEXCOORD_1":{uvs}}}}}]}}]"#
    ));
    let [coat, plain] = &model.materials[..] else { panic!() };
    assert_eq!((coat.name.as_str(), coat.double_sided, coat.unlit), ("coat", true, true));
    assert_eq!(coat.alpha, AlphaMode::Mask { cutoff: 0.25 });
    assert_eq!(plain.alpha, AlphaMode::Blend);
    assert_eq!(coat.base_color, Vec4::new(0.1, 0.2, 0.3, 0.4));
    assert_eq!(
        [coat.metallic, coat.roughness, coat.normal_scale, coat.occlusion_strength],
        [0.5, 0.25, 2.0, 0.75]
    );
    assert_eq!(coat.emissive, Vec3::new(2.0, 0.0, 4.0));
    let base = coat.base_color_texture.unwrap();
    assert_eq!((base.texture.get(), base.uv_set), (1, 0));
    assert_eq!((base.transform.offset, base.transform.rotation), (Vec2::new(0.5, 0.25), 1.5));
    assert_eq!(base.transform.scale, Vec2::new(2.0, 3.0));
    assert_eq!(coat.normal_texture.unwrap().transform.scale, Vec2::new(4.0, 5.0));
    assert_eq!(coat.occlusion_texture.unwrap().uv_set, 1);

    let [sampled, webp] = &model.textures[..] else { panic!() };
    assert_eq!(
        (sampled.magnify, sampled.minify, sampled.mipmap),
        (Filter::Nearest, Filter::Linear, Some(Filter::Nearest))
    );
    assert_eq!((sampled.wrap_u, sampled.wrap_v), (Wrap::ClampToEdge, Wrap::MirroredRepeat));
    assert_eq!((webp.image.get(), webp.mipmap, webp.wrap_u), (1, Some(Filter::Linear), Wrap::Repeat));
    assert_eq!(model.images[0].mime_type.as_deref(), Some("image/png"));
    assert!(matches!(&model.images[0].source, ImageSource::Encoded(bytes) if bytes.len() == 8));
    assert_eq!(model.images[1].source, ImageSource::Uri("coat%20of%20arms.webp".into()));
    assert_eq!(model.meshes[0].primitives[0].tangents.len(), 3);
}

#[test]
fn cameras_are_read() {
    let model = node(
        r#""cameras":[{"type":"perspective","perspective":{"yfov":0.7,"znear":0.1}},
        {"type":"orthographic","orthographic":{"xmag":1,"ymag":2,"znear":0,"zfar":3}}],"nodes":[{"camera":1}]"#,
    );
    let perspective = Projection::Perspective { vertical_fov: 0.7, aspect: None, near: 0.1, far: None };
    let orthographic = Projection::Orthographic { half_width: 1.0, half_height: 2.0, near: 0.0, far: 3.0 };
    assert_eq!([model.cameras[0].projection, model.cameras[1].projection], [perspective, orthographic]);
    assert_eq!(model.nodes[0].camera.map(|camera| camera.get()), Some(1));
}
