//! Rows of `docs/CAPABILITIES.md` that are tested with .x files: skeletons, offset matrices and weights. Motion is
//! in `x_motion`.

use crate::support::x_made::{
    Keys, Made, Offsets, apart, codes, drawn, drawn_at, load, refused, turned_round,
};
use gambol::animation::reference::ReferencePose;
use gambol::import::{Resources, import};
use gambol::model::{Model, Primitive, Srt};
use glam::{Affine3A, DVec3, Mat4, Quat, Vec3, Vec4};

// Tolerance relative to the model's size. Both sides round to f32, with nine digits of text between them.
const ROUNDING: f64 = 1e-5;

fn rest(model: &Model) -> Vec<DVec3> {
    drawn(model, &ReferencePose::rest(model))
}

/// Returns the model's only primitive.
fn only_primitive(model: &Model) -> &Primitive {
    let [mesh] = &model.meshes[..] else { panic!("{} meshes", model.meshes.len()) };
    let [primitive] = &mesh.primitives[..] else { panic!("{} primitives", mesh.primitives.len()) };
    primitive
}

/// Returns a triangle that follows one joint, with the given offset matrix.
fn hung(joint: &str, offset: &str) -> String {
    format!(
        "Mesh On{joint} {{ 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;;
         SkinWeights {{ \"{joint}\"; 3; 0,1,2; 1,1,1; {offset} }} }}"
    )
}

const IDENTITY: &str = "1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1;;";
const UP_BY_TEN: &str = "1,0,0,0, 0,1,0,0, 0,0,1,0, 0,10,0,1;;";

#[test]
fn S02_a_matrix_stored_in_rows_or_in_columns_gives_one_pose() {
    // .x multiplies row vectors and lists rows; glTF multiplies column vectors and lists columns: the same sixteen
    // numbers. Only the mirrored Z differs.
    let rows = [0.0, 2.0, 0.0, 0.0, -0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 5.0, 6.0, 7.0, 1.0_f32];
    let mirrored = Mat4::from_scale(Vec3::new(1.0, 1.0, -1.0));
    let columns = (mirrored * Mat4::from_cols_array(&rows) * mirrored).to_cols_array();
    let text = |numbers: &[f32]| numbers.iter().map(f32::to_string).collect::<Vec<_>>().join(",");
    let x = load(&format!("Frame A {{ FrameTransformMatrix {{ {};; }} }}", text(&rows))).model;
    let gltf =
        format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"name":"A","matrix":[{}]}}]}}"#, text(&columns));
    let gltf = import(gltf.as_bytes(), &Resources::default()).unwrap().model;
    // Collada multiplies column vectors and lists rows.
    let collada = format!(
        r##"<COLLADA version="1.4.1"><library_visual_scenes><visual_scene id="s"><node id="A" name="A">
        <matrix>{}</matrix></node></visual_scene></library_visual_scenes>
        <scene><instance_visual_scene url="#s"/></scene></COLLADA>"##,
        text(&Mat4::from_cols_array(&columns).transpose().to_cols_array()).replace(',', " ")
    );
    let collada = import(collada.as_bytes(), &Resources::default()).unwrap().model;
    assert_eq!(x.nodes[0].rest, gltf.nodes[0].rest);
    assert_eq!(x.nodes[0].rest, collada.nodes[0].rest);
    assert_eq!(x.nodes[0].rest.translation, Vec3::new(5.0, 6.0, -7.0));

    // The same matrix as an animation track.
    let keyed = load(&format!(
        "AnimTicksPerSecond {{ 1; }} Frame A {{ }} AnimationSet {{ Animation {{ {{ A }}
         AnimationKey {{ 4; 1; 0;16;{};;; }} }} }}",
        text(&rows)
    ));
    let pose = ReferencePose::sample(&keyed.model, gambol::model::ClipIndex::new(0), 0.0);
    let of_key = pose.resolve(&keyed.model)[0];
    let of_rest = ReferencePose::rest(&x).resolve(&x)[0];
    assert!(of_key.abs_diff_eq(of_rest, 1e-6), "{of_key} instead of {of_rest}");
}

#[test]
fn S18_the_offset_of_the_file_counts_even_where_it_is_not_the_inverse_of_rest() {
    let model = load(&format!("Frame A {{ {} }}", hung("A", UP_BY_TEN))).model;
    assert_eq!(model.skins[0].joint_from_mesh, [Affine3A::from_translation(Vec3::Y * 10.0)]);
    assert_eq!(rest(&model)[0], DVec3::new(0.0, 10.0, 0.0));
}

#[test]
fn S19_S22_offsets_that_are_missing_are_computed_once_at_load() {
    let mut made = Made::new(19);
    made.mesh_frame = Srt {
        scale: Vec3::splat(2.0),
        rotation: Quat::from_rotation_x(0.7),
        translation: Vec3::new(3.0, -1.0, 2.0),
    };
    let given = load(&made.text(Keys::Srt, Offsets::Given));
    assert_eq!(codes(&given), <[&str; 0]>::default());
    for offsets in [Offsets::Zero, Offsets::Missing] {
        let computed = load(&made.text(Keys::Srt, offsets));
        assert_eq!(codes(&computed), ["BIND_MATRICES_COMPUTED"], "S78: the gap is reported");
        let matrices =
            given.model.skins[0].joint_from_mesh.iter().zip(&computed.model.skins[0].joint_from_mesh);
        for (given, computed) in matrices {
            assert!(computed.abs_diff_eq(*given, 1e-4), "{computed} instead of {given}");
        }
        for step in 0..=20 {
            let time_secs = 0.1 * step as f32;
            let (found, expected) =
                (drawn_at(&computed.model, 0, time_secs), drawn_at(&given.model, 0, time_secs));
            assert!(apart(&found, &expected) < 1e-4, "{offsets:?} at {time_secs}");
        }
    }
}

#[test]
fn S20_S21_a_mesh_under_a_frame_is_brought_to_the_model_once() {
    let plain = Made::new(20);
    let moved = Srt {
        scale: Vec3::new(0.5, 2.0, 1.5),
        rotation: Quat::from_rotation_y(1.1) * Quat::from_rotation_z(0.4),
        translation: Vec3::new(-4.0, 2.0, 1.0),
    };
    let framed = Made { mesh_frame: moved, ..plain.clone() };
    for offsets in [Offsets::Given, Offsets::Missing] {
        let (plain, framed) =
            (load(&plain.text(Keys::Srt, offsets)).model, load(&framed.text(Keys::Srt, offsets)).model);
        assert!(framed.find_node("Body").is_some_and(|body| framed.node(body).rest != Srt::IDENTITY));
        for time_secs in [0.0, 0.3, 1.0, 2.0] {
            let (found, expected) = (drawn_at(&framed, 0, time_secs), drawn_at(&plain, 0, time_secs));
            assert!(apart(&found, &expected) < ROUNDING, "{offsets:?} at {time_secs}");
        }
    }
}

#[test]
fn S23_S29_one_joint_has_another_offset_in_each_mesh_and_each_mesh_its_own_skin() {
    let model = load(&format!("Frame A {{ {} {} }}", hung("A", IDENTITY), hung("A", UP_BY_TEN))).model;
    assert_eq!((model.meshes.len(), model.skins.len()), (2, 2));
    let joint = model.find_node("A").unwrap();
    for (skin, up) in model.skins.iter().zip([0.0, 10.0]) {
        assert_eq!(skin.joints, [joint]);
        assert_eq!(skin.joint_from_mesh, [Affine3A::from_translation(Vec3::Y * up)]);
    }
    assert_eq!(rest(&model)[0], DVec3::ZERO);
    assert_eq!(rest(&model)[3], DVec3::new(0.0, 10.0, 0.0));
}

#[test]
fn S24_a_joint_that_is_not_there_is_reported_and_its_vertices_follow_the_nearest() {
    let far = "1,0,0,0, 0,1,0,0, 0,0,1,0, 0,-9,0,1;;";
    let skin = |name: &str, offset: &str, vertices: &str| {
        format!("SkinWeights {{ \"{name}\"; 1; {vertices}; 1; {offset} }}")
    };
    let imported = load(&format!(
        "Frame Low {{ }} Frame High {{ FrameTransformMatrix {{ {UP_BY_TEN} }} }}
         Mesh {{ 3; 0;0;0;, 0;10;0;, 0;9;0;; 1; 3;0,1,2;; {} {} {} }}",
        skin("Low", IDENTITY, "0"),
        skin("High", "1,0,0,0, 0,1,0,0, 0,0,1,0, 0,-10,0,1;;", "1"),
        skin("Gone", far, "2"),
    ));
    assert_eq!(codes(&imported), ["JOINT_UNKNOWN"]);
    assert!(imported.report.warnings[0].message.starts_with("Gone: "));
    let model = imported.model;
    let influences = &only_primitive(&model).influences;
    let heaviest: Vec<u16> = (0..3).map(|vertex| influences.of_vertex(vertex).next().unwrap().0).collect();
    let high =
        model.skins[0].joints.iter().position(|&joint| model.node(joint).name == "High").unwrap() as u16;
    assert_eq!(heaviest.iter().filter(|&&joint| joint == high).count(), 2);
    // The same applies when no joint is left.
    let lone = load(&hung("Gone", far));
    assert_eq!(codes(&lone), ["JOINT_UNKNOWN", "VERTICES_UNWEIGHTED"]);
    assert_eq!(rest(&lone.model)[0], DVec3::ZERO);
}

#[test]
fn S25_S26_S27_lists_of_each_joint_become_influences_of_each_vertex_that_sum_to_one() {
    let joints = ["A", "B", "C", "D", "E", "F"];
    let frames: String = joints.iter().map(|joint| format!("Frame {joint} {{ }} ")).collect();
    // Vertex 0 has six joints, vertex 1 one joint with weight 0.25, and vertex 2 two joints with weights 3 and 1.
    let of = |joint: &str, vertices: &str, weights: &str| {
        let count = vertices.split(',').count();
        format!("SkinWeights {{ \"{joint}\"; {count}; {vertices}; {weights}; {IDENTITY} }}")
    };
    let imported = load(&format!(
        "{frames} Mesh {{ 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; {}{}{}{}{}{} }}",
        of("A", "0,2", "0.3,3"),
        of("B", "0", "0.1"),
        of("C", "1,0", "0.25,0.15"),
        of("D", "0", "0.2"),
        of("E", "0,2", "0.05,1"),
        of("F", "0", "0.2"),
    ));
    assert_eq!(codes(&imported), ["JOINT_WEIGHTS_NOT_NORMALISED"]);
    assert!(imported.report.warnings[0].message.starts_with("2 of 3: "));
    let influences = &only_primitive(&imported.model).influences;
    assert_eq!(influences.per_vertex, 8);
    let of_vertex =
        |vertex: usize| influences.of_vertex(vertex).filter(|slot| slot.1 > 0.0).collect::<Vec<_>>();
    let by_count = |count: usize| (0..3).map(of_vertex).find(|slots| slots.len() == count).unwrap();
    assert_eq!(by_count(6), [(0, 0.3), (3, 0.2), (5, 0.2), (2, 0.15), (1, 0.1), (4, 0.05)]);
    assert_eq!(by_count(1), [(2, 1.0)]);
    assert_eq!(by_count(2), [(0, 0.75), (4, 0.25)]);
}

#[test]
fn S27_a_vertex_without_weight_follows_the_node_of_its_mesh_and_no_joint() {
    let imported = load(&format!(
        "AnimTicksPerSecond {{ 1; }} Frame A {{ }}
         Frame Body {{ FrameTransformMatrix {{ {UP_BY_TEN} }} Mesh {{ 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;;
         SkinWeights {{ \"A\"; 3; 0,1,2; 1,1,0; {IDENTITY} }} }} }}
         AnimationSet {{ Animation {{ {{ A }} AnimationKey {{ 2; 1; 0;3;5,0,0;;; }} }} }}"
    ));
    assert_eq!(codes(&imported), ["VERTICES_UNWEIGHTED"]);
    let at = drawn_at(&imported.model, 0, 0.0);
    let expected = [DVec3::new(5.0, 0.0, 0.0), DVec3::new(0.0, 11.0, 0.0), DVec3::new(6.0, 0.0, 0.0)];
    assert_eq!(at, expected);
}

/// Tests a cube bent at its waist, whose eight corners each have a normal per face.
#[test]
fn S28_vertices_parted_by_their_normals_keep_their_weights_together() {
    let corner = |at: usize| format!("{};{};{};,", at & 1, at >> 1 & 1, at >> 2 & 1);
    let faces = ["0,2,3,1", "4,5,7,6", "0,4,6,2", "1,3,7,5", "0,1,5,4", "2,6,7,3"];
    let imported = load(&format!(
        "AnimTicksPerSecond {{ 1; }} Frame Low {{ Frame High {{ }}
         Mesh {{ 8; {} ; 6; {};
          MeshNormals {{ 6; 0;0;-1;, 0;0;1;, -1;0;0;, 1;0;0;, 0;-1;0;, 0;1;0;; 6; {}; }}
          SkinWeights {{ \"Low\"; 8; 0,1,2,3,4,5,6,7; 1,1,0.3,0.3,1,1,0.6,0.6; {IDENTITY} }}
          SkinWeights {{ \"High\"; 4; 2,3,6,7; 0.7,0.7,0.4,0.4; {IDENTITY} }} }} }}
         AnimationSet {{ Animation {{ {{ High }} AnimationKey {{ 0; 1; 0;4;0.8,0.6,0,0;;; }} }} }}",
        (0..8).map(corner).collect::<String>(),
        faces.map(|face| format!("4;{face};,")).concat(),
        (0..6).map(|face| format!("4;{face},{face},{face},{face};,")).collect::<String>(),
    ));
    assert_eq!(codes(&imported), <[&str; 0]>::default());
    let primitive = only_primitive(&imported.model);
    assert_eq!((primitive.positions.len(), primitive.indices.len()), (24, 36));
    let bent = drawn_at(&imported.model, 0, 0.0);
    let still = rest(&imported.model);
    assert!(apart(&bent, &still) > 0.1);
    // Vertices at one position stay at one position, to the bit.
    for (at, moved) in still.iter().zip(&bent) {
        for (other, other_moved) in still.iter().zip(&bent).filter(|(other, _)| *other == at) {
            assert_eq!(moved, other_moved, "{at} {other}");
        }
    }
}

#[test]
fn S30_a_mesh_without_weights_follows_the_joint_that_it_hangs_on() {
    let sword = "Mesh Sword { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; }";
    let model = load(&format!(
        "AnimTicksPerSecond {{ 1; }} Frame Arm {{ Frame Hand {{ {sword} }} }}
         AnimationSet {{ Animation {{ {{ Hand }} AnimationKey {{ 2; 2; 0;3;0,0,0;;, 1;3;4,5,6;;; }} }} }}"
    ))
    .model;
    assert!(model.skins.is_empty());
    assert_eq!(drawn_at(&model, 0, 1.0)[0], DVec3::new(4.0, 5.0, -6.0));
}

#[test]
fn a_mesh_may_stand_elsewhere_and_be_drawn_by_several_frames() {
    let model = load(&format!(
        "Mesh Wheel {{ 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; }}
         Frame Left {{ {{ Wheel }} }} Frame Right {{ FrameTransformMatrix {{ {UP_BY_TEN} }} {{ Wheel }} }}"
    ))
    .model;
    assert_eq!((model.meshes.len(), model.nodes.len()), (1, 2));
    assert_eq!(rest(&model)[3], DVec3::new(0.0, 10.0, 0.0));
}

#[test]
fn S76_geometry_alone_is_read_and_drawn() {
    let imported = load("Mesh { 3; 0;0;1;, 1;0;1;, 0;1;1;; 1; 3;0,2,1;; }");
    assert_eq!(codes(&imported), <[&str; 0]>::default());
    let model = imported.model;
    assert_eq!((model.nodes.len(), model.clips.len(), model.skins.len()), (1, 0, 0));
    assert_eq!(
        rest(&model),
        [DVec3::new(0.0, 0.0, -1.0), DVec3::new(1.0, 0.0, -1.0), DVec3::new(0.0, 1.0, -1.0)]
    );
    // The file has no normals: computed from the winding in the file, mirrored.
    assert_eq!(only_primitive(&model).normals, [Vec3::Z; 3]);
}

#[test]
fn S77_a_skeleton_alone_is_read_in_its_default_pose() {
    let made = Made { corners: Vec::new(), ..Made::new(77) };
    let text = made.text(Keys::None, Offsets::Given);
    let skeleton = text.split("Frame Body").next().unwrap();
    let imported = load(skeleton);
    assert_eq!(codes(&imported), <[&str; 0]>::default());
    let model = imported.model;
    assert_eq!((model.nodes.len(), model.meshes.len(), model.clips.len()), (7, 0, 0));
    for joint in 0..7 {
        let node = model.node(model.find_node(&format!("J{joint}")).unwrap());
        let rest = made.joints[joint].rest;
        let parent = node.parent.map(|parent| model.node(parent).name.clone());
        assert_eq!(parent, made.joints[joint].parent.map(|parent| format!("J{parent}")));
        let mirrored = rest.translation * Vec3::new(1.0, 1.0, -1.0);
        assert!(node.rest.translation.abs_diff_eq(mirrored, 1e-6));
        assert!(node.rest.scale.abs_diff_eq(rest.scale, 1e-5));
    }
}

#[test]
fn S15_a_character_at_rest_is_its_mesh() {
    let made = Made::new(15);
    let model = load(&made.text(Keys::None, Offsets::Given)).model;
    assert!(apart(&rest(&model), &turned_round(&made.skinned(&made.rest()))) < ROUNDING);
}

#[test]
fn S73_unknown_objects_are_skipped_with_all_that_nests_in_them() {
    let imported = load(
        "template Glow { <00000000-0000-0000-0000-000000000001> FLOAT a; array DWORD b[2]; [...] }
         Glow one { 0.5; 1,2; Frame NotThis { Mesh { 1; } } \"text } {\"; { NotThis } }
         Header { 1; 0; 1; } Frame This { Glow { } }",
    );
    assert_eq!(codes(&imported), ["OBJECT_UNKNOWN"]);
    let names: Vec<&str> = imported.model.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["This"]);
}

#[test]
fn materials_are_read_inline_and_by_reference_and_faces_without_one_take_the_last() {
    let model = load(
        "Material Sea { 0;0;1;0.5;; 16; 1;1;1;; 0.5;0;0;; TextureFileName { \"art\\\\sea.bmp\"; } }
         Mesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 3; 3;0,1,2;, 3;0,2,1;, 3;1,2,0;;
          MeshTextureCoords { 3; 0;0;, 1;0;, 0;1;; }
          MeshMaterialList { 2; 2; 1,0; { Sea }
           Material { 1;1;1;0;; 0; 0;0;0;; 0;0;0;;
            EffectInstance { \"skin.fx\"; EffectParamString { \"name\"; \"none\"; }
             EffectParamString { \"texture0\"; \"art\\sea.bmp\"; } } } } }",
    )
    .model;
    let [first, second] = &model.meshes[0].primitives[..] else { panic!("two materials") };
    assert_eq!(
        (first.indices.len(), second.indices.len()),
        (6, 3),
        "the third face has Sea as the second has"
    );
    let [sea, plain] = &model.materials[..] else { panic!("{:?}", model.materials) };
    assert_eq!((sea.base_color, plain.base_color), (Vec4::new(0.0, 0.0, 1.0, 0.5), Vec4::ONE));
    assert!((sea.emissive.x - 0.214_041).abs() < 1e-5, "0.5 in sRGB is {}", sea.emissive.x);
    assert_eq!((sea.metallic, sea.roughness), (0.0, (2.0_f32 / 18.0).sqrt().sqrt()));
    assert_eq!(model.images.len(), 1, "one file, however it is written");
    assert_eq!(sea.base_color_texture, plain.base_color_texture);
}

#[test]
fn vertex_colours_and_declared_data_are_read() {
    let bits = |numbers: &[f32]| {
        numbers.iter().map(|number| number.to_bits().to_string()).collect::<Vec<_>>().join(",")
    };
    let mesh = |extra: &str| {
        let model = load(&format!("Mesh {{ 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; {extra} }}")).model;
        only_primitive(&model).clone()
    };
    let colored = mesh("MeshVertexColors { 1; 1; 1;0;0;0.5;; }");
    assert_eq!(colored.colors, [Vec4::ONE, Vec4::new(1.0, 0.0, 0.0, 0.5), Vec4::ONE]);

    let vertex =
        |normal: [f32; 3], color: u32, uv: [f32; 2]| format!("{},{color},{}", bits(&normal), bits(&uv));
    let vertices = [
        vertex([0.0, 1.0, 0.0], 0xFF00_00FF, [0.0, 0.5]),
        vertex([0.0, 0.0, 1.0], 0x80FF_0000, [1.0, 0.5]),
        vertex([1.0, 0.0, 0.0], 0xFFFF_FFFF, [2.0, 0.5]),
    ]
    .join(",");
    let declared = mesh(&format!("DeclData {{ 3; 2;0;3;0;, 4;0;10;0;, 1;0;5;0;; 18; {vertices}; }}"));
    // NORMAL, DIFFUSE and one set of two coordinates.
    let flexible = mesh(&format!("FVFData {{ {}; 18; {vertices}; }}", 0x2 | 0x10 | 0x40 | 0x100));
    for primitive in [declared, flexible] {
        assert_eq!(primitive.normals, [Vec3::Y, -Vec3::Z, Vec3::X]);
        assert_eq!(primitive.uv_sets[0].iter().map(|uv| uv.x).collect::<Vec<_>>(), [0.0, 1.0, 2.0]);
        assert_eq!(primitive.colors[0], Vec4::new(0.0, 0.0, 1.0, 1.0));
        assert_eq!(primitive.colors[1], Vec4::new(1.0, 0.0, 0.0, 128.0 / 255.0));
    }
}

#[test]
fn polygons_of_any_size_become_triangles() {
    let model = load("Mesh { 5; 0;0;0;, 0;2;0;, 1;3;0;, 2;2;0;, 2;0;0;; 1; 5;0,1,2,3,4;; }").model;
    let primitive = only_primitive(&model);
    assert_eq!(primitive.indices.len(), 9);
    let area: f32 = primitive
        .indices
        .chunks(3)
        .map(|triangle| {
            let [a, b, c] = [0, 1, 2].map(|at| primitive.positions[triangle[at] as usize]);
            (b - a).cross(c - a).z / 2.0
        })
        .sum();
    assert_eq!(area, 5.0, "counter-clockwise from the front, which the file winds clockwise");
}

#[test]
fn S78_what_a_file_lacks_is_filled_and_reported_or_refused() {
    let made = Made::new(78);
    let without_ticks = made.text(Keys::Srt, Offsets::Missing).replacen("AnimTicksPerSecond", "Header", 1);
    assert_eq!(codes(&load(&without_ticks)), ["BIND_MATRICES_COMPUTED", "TICKS_PER_SECOND_MISSING"]);
    assert_eq!(refused("Mesh { 3; 0;0;0;, 1;0;0;; }"), ("COUNT_WRONG", "line 2 column 11".to_owned()));
    assert_eq!(refused("Mesh { 3; 0;0;0;, 1;0;0;").0, "FILE_TRUNCATED");
}
