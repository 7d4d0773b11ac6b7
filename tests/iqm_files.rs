//! Inter-Quake files, written here number by number, against what they mean; and real ones, where they are.

#![allow(non_snake_case, reason = "S1 to S87 number what the project promises")]

mod iqm_writer;

use gambol::import::{Format, Imported, Resources, import, sniff};
use gambol::model::check::check;
use gambol::model::{ImageSource, Model, Node, TrackValues};
use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};
use iqm_writer::{
    ArrayRow, BLEND_INDEXES, BLEND_WEIGHTS, COLOR, CUSTOM, Iqm, MeshRow, NORMAL, POSITION, TANGENT, TEXCOORD,
    anim, bytes, flag, floats, joint, local,
};
use std::fs;
use std::path::{Path, PathBuf};

fn loaded(bytes: &[u8]) -> Imported {
    let imported = import(bytes, &Resources::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(check(&imported.model), []);
    imported
}

fn model(iqm: &Iqm) -> Model {
    loaded(&iqm.write()).model
}

fn codes(iqm: &Iqm) -> Vec<&'static str> {
    loaded(&iqm.write()).report.warnings.iter().map(|warning| warning.code).collect()
}

fn node<'a>(model: &'a Model, name: &str) -> &'a Node {
    model.node(model.find_node(name).unwrap_or_else(|| panic!("no node {name}")))
}

fn model_from_nodes(model: &Model) -> Vec<Affine3A> {
    let mut found: Vec<Affine3A> = Vec::new();
    for node in &model.nodes {
        let above = node.parent.map_or(Affine3A::IDENTITY, |parent| found[parent.get()]);
        found.push(above * node.rest.parent_from_node());
    }
    found
}

/// The largest distance between a skinned vertex at rest and that vertex as the file has it.
fn moved_at_rest(model: &Model) -> f32 {
    let model_from_nodes = model_from_nodes(model);
    let mut largest = 0.0_f32;
    for node in &model.nodes {
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else { continue };
        let skin = model.skin(skin);
        for primitive in &model.mesh(mesh).primitives {
            for (vertex, &position) in primitive.positions.iter().enumerate() {
                let skinned: Vec3 = primitive
                    .influences
                    .of_vertex(vertex)
                    .map(|(joint, weight)| {
                        let joint = usize::from(joint);
                        let model_from_joint = model_from_nodes[skin.joints[joint].get()];
                        (model_from_joint * skin.joint_from_mesh[joint]).transform_point3(position) * weight
                    })
                    .sum();
                largest = largest.max(skinned.distance(position));
            }
        }
    }
    largest
}

#[test]
fn S72_a_file_is_told_by_its_content_and_becomes_a_model() {
    let bytes = Iqm::small().write();
    assert_eq!(sniff(&bytes), Some(Format::Iqm));
    let Imported { model, report } = loaded(&bytes);
    assert_eq!(report.warnings, []);
    let names: Vec<&str> = model.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["root", "upper", "sail"]);
    assert_eq!(model.clips.len(), 1);
    assert_eq!(model.skins.len(), 1);
}

#[test]
fn up_becomes_y_and_what_faces_minus_y_faces_the_viewer() {
    let model = model(&Iqm::small());
    let sail = &model.meshes[0].primitives[0];
    assert_eq!(sail.positions, [Vec3::Y, Vec3::new(1.0, 1.0, 0.0), Vec3::Y * 2.0]);
    assert_eq!(sail.normals, [Vec3::Z; 3]);
    assert_eq!(sail.indices, [0, 1, 2], "clockwise in the file, the other way here");
    assert_eq!(sail.uv_sets[0], [Vec2::Y, Vec2::ONE, Vec2::ZERO], "v runs down, as in glTF");
    let upper = model.find_node("upper").unwrap();
    let upright = model_from_nodes(&model)[upper.get()];
    assert!(upright.translation.abs_diff_eq(Vec3::Y.into(), 1e-6));
    // Up in the joint's own axes is its z.
    assert!(upright.transform_vector3(Vec3::Z).abs_diff_eq(Vec3::Y, 1e-6));
}

#[test]
fn S19_the_bind_is_where_the_joints_rest() {
    for iqm in [Iqm::small(), flag::flag()] {
        let model = model(&iqm);
        assert!(moved_at_rest(&model) < 1e-5, "{}", moved_at_rest(&model));
    }
}

#[test]
fn normals_are_computed_where_there_are_none() {
    let mut iqm = Iqm::small();
    iqm.arrays.retain(|array| array.kind != NORMAL);
    for normal in &model(&iqm).meshes[0].primitives[0].normals {
        assert!(normal.abs_diff_eq(Vec3::Z, 1e-6), "{normal}");
    }
}

/// The numbers in each of the nine formats, from 0 on.
fn stored(numbers: &[f64], format: u32) -> Vec<u8> {
    let halves = |number: f64| {
        let bits = (number as f32).to_bits();
        let exponent = (bits >> 23 & 0xff) as i32 - 127 + 15;
        let sign = (bits >> 16 & 0x8000) as u16;
        if number == 0.0 { sign } else { sign | (exponent as u16) << 10 | (bits >> 13 & 0x3ff) as u16 }
    };
    let one = |&number: &f64| match format {
        0 => (number as i8).to_le_bytes().to_vec(),
        1 => (number as u8).to_le_bytes().to_vec(),
        2 => (number as i16).to_le_bytes().to_vec(),
        3 => (number as u16).to_le_bytes().to_vec(),
        4 => (number as i32).to_le_bytes().to_vec(),
        5 => (number as u32).to_le_bytes().to_vec(),
        6 => halves(number).to_le_bytes().to_vec(),
        7 => (number as f32).to_le_bytes().to_vec(),
        _ => number.to_le_bytes().to_vec(),
    };
    numbers.iter().flat_map(one).collect()
}

/// What stands for 1 in a format that is stretched to it.
fn most(format: u32) -> f64 {
    let most = [127.0, 255.0, 32767.0, 65535.0, 2_147_483_647.0, 4_294_967_295.0];
    most.get(format as usize).copied().unwrap_or(1.0)
}

fn replace(iqm: &mut Iqm, kind: u32, size: u32, format: u32, numbers: &[f64]) {
    iqm.arrays.retain(|array| array.kind != kind);
    iqm.arrays.push(ArrayRow { kind, format, size, bytes: stored(numbers, format) });
}

#[test]
fn vertex_arrays_of_every_format_mean_the_same() {
    let expected = model(&Iqm::small());
    let [expected, ..] = &expected.meshes[0].primitives[..] else { panic!("no mesh") };
    for format in 0..9 {
        let one = most(format);
        let mut iqm = Iqm::small();
        replace(&mut iqm, POSITION, 3, format, &[0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 2.0]);
        replace(&mut iqm, TEXCOORD, 2, format, &[0.0, one, one, one, 0.0, 0.0]);
        replace(&mut iqm, BLEND_INDEXES, 2, format, &[1.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
        // As eighths of the most, which every format can hold within its own rounding.
        replace(&mut iqm, BLEND_WEIGHTS, 2, format, &[one * 0.5, one * 0.5, one, 0.0, one, 0.0]);
        replace(&mut iqm, COLOR, 3, format, &[one, 0.0, 0.0, 0.0, one, 0.0, 0.0, 0.0, one]);
        if ![1, 3, 5].contains(&format) {
            let normal = [0.0, -one, 0.0];
            replace(&mut iqm, NORMAL, 3, format, &normal.repeat(3));
        }
        let found = model(&iqm);
        let found = &found.meshes[0].primitives[0];
        assert_eq!(found.positions, expected.positions, "format {format}");
        assert_eq!(found.uv_sets, expected.uv_sets, "format {format}");
        assert_eq!(found.normals, expected.normals, "format {format}");
        assert_eq!(
            found.colors,
            [Vec4::new(1.0, 0.0, 0.0, 1.0), Vec4::new(0.0, 1.0, 0.0, 1.0), Vec4::new(0.0, 0.0, 1.0, 1.0)]
        );
        assert_eq!(found.influences.per_vertex, 4);
        for (vertex, expected) in [(0, [0.5, 0.5]), (1, [1.0, 0.0]), (2, [1.0, 0.0])] {
            let mut slots: Vec<(u16, f32)> = found.influences.of_vertex(vertex).take(2).collect();
            slots.sort_by_key(|(joint, weight)| (*weight == 0.0, 9 - joint));
            assert_eq!(slots[0].0, 1, "format {format}");
            assert!((slots[0].1 - expected[0]).abs() < 5e-3, "format {format}: {slots:?}");
            assert!((slots[1].1 - expected[1]).abs() < 5e-3, "format {format}: {slots:?}");
        }
    }
}

#[test]
fn numbers_with_a_point_are_not_held_to_1() {
    let mut iqm = Iqm::small();
    *iqm.array(TEXCOORD) = floats(TEXCOORD, 2, &[-5.5, 1.0, 7.25, 1.0, 0.0, -3.0]);
    let uvs = &model(&iqm).meshes[0].primitives[0].uv_sets[0];
    assert_eq!(uvs[..], [Vec2::new(-5.5, 1.0), Vec2::new(7.25, 1.0), Vec2::new(0.0, -3.0)]);
}

#[test]
fn colors_are_as_a_screen_shows_them_and_become_light() {
    let mut iqm = Iqm::small();
    iqm.arrays.push(bytes(COLOR, 4, &[0, 128, 255, 51, 255, 255, 255, 255, 10, 10, 10, 0]));
    let model = model(&iqm);
    let colors = &model.meshes[0].primitives[0].colors;
    assert!(colors[0].abs_diff_eq(Vec4::new(0.0, 0.215_86, 1.0, 0.2), 1e-4), "{}", colors[0]);
    assert_eq!(colors[1], Vec4::ONE);
    assert!(colors[2].abs_diff_eq(Vec4::new(0.003_035, 0.003_035, 0.003_035, 0.0), 1e-5), "{}", colors[2]);
}

#[test]
fn what_is_custom_reserved_or_for_normal_maps_does_no_harm() {
    let mut iqm = Iqm::small();
    let plain = model(&iqm);
    iqm.arrays.push(floats(TANGENT, 4, &[f32::NAN; 12]));
    iqm.arrays.push(floats(CUSTOM + 3, 1, &[f32::NAN; 3]));
    iqm.arrays.push(ArrayRow { kind: 9, format: 77, size: 1_000_000, bytes: Vec::new() });
    iqm.comment = "made by hand".into();
    assert_eq!(model(&iqm), plain);
}

#[test]
fn extensions_are_named_and_a_list_that_bites_its_tail_ends() {
    let mut iqm = Iqm::small();
    iqm.extensions = vec!["EVENTS".into(), "SKINS".into()];
    let mut file = iqm.write();
    let names = |file: &[u8]| {
        let Imported { model, report } = loaded(file);
        assert_eq!(model.nodes.len(), 3);
        report.warnings.iter().map(|warning| warning.message.split(':').next().unwrap().to_owned()).collect()
    };
    let found: Vec<String> = names(&file);
    assert_eq!(found, ["EVENTS", "SKINS"]);
    // The last points at the first, and the header promises a million.
    let first = file[120..124].to_vec();
    let last = file.len() - 4;
    file[last..].copy_from_slice(&first);
    file[116..120].copy_from_slice(&1_000_000_u32.to_le_bytes());
    let found: Vec<String> = names(&file);
    assert_eq!(found, ["EVENTS", "SKINS"]);
}

#[test]
fn version_1_has_the_w_that_follows_from_the_rest() {
    let mut second = Iqm::small();
    let turned = |angle: f32| {
        // Never positive, as version 1 wants it.
        let turn = -Quat::from_euler(glam::EulerRot::XYZ, 0.3 + angle, 0.2 * angle, 0.1);
        vec![
            local(Vec3::ZERO, -Quat::IDENTITY, Vec3::ONE),
            local(Vec3::Z * (1.0 + angle), turn, Vec3::new(1.0, 1.0 + angle, 1.0)),
        ]
    };
    second.joints[0].local = turned(0.0)[0];
    second.joints[1].local = turned(0.0)[1];
    second.set_motion(&[turned(0.0), turned(0.5), turned(1.0)]);
    let mut first = second.clone();
    first.version = 1;
    // The w's steps aren't stored.
    let w = second.poses[1].mask & 0x7f;
    let at = w.count_ones() as usize - 1;
    first.frames.iter_mut().for_each(|frame| {
        frame.remove(at);
    });
    let (first, second) = (model(&first), model(&second));
    for (first, second) in first.nodes.iter().zip(&second.nodes) {
        assert!(first.rest.rotation.abs_diff_eq(second.rest.rotation, 1e-4));
        assert_eq!(first.rest.translation, second.rest.translation);
        assert_eq!(first.rest.scale, second.rest.scale);
    }
    let keys = |model: &Model| -> Vec<Vec<f32>> {
        let numbers = |values: &TrackValues| match values {
            TrackValues::Translation(values) | TrackValues::Scale(values) => {
                values.iter().flat_map(Vec3::to_array).collect()
            }
            TrackValues::Rotation(values) => values.iter().flat_map(|value| value.to_array()).collect(),
            _ => Vec::new(),
        };
        model.clips[0].tracks.iter().map(|track| numbers(&track.values)).collect()
    };
    for (first, second) in keys(&first).into_iter().flatten().zip(keys(&second).into_iter().flatten()) {
        assert!((first - second).abs() < 2e-4, "{first} {second}");
    }
}

#[test]
fn S38_S41_S42_what_changes_has_its_keys_and_what_stays_has_one() {
    let model = model(&Iqm::small());
    let clip = &model.clips[0];
    let upper = model.find_node("upper").unwrap();
    assert_eq!(clip.tracks.len(), 6, "translation, rotation and scale of two joints");
    for track in &clip.tracks {
        let turns = matches!(track.values, TrackValues::Rotation(_)) && track.node == upper;
        assert_eq!(track.key_times_secs.len(), if turns { 3 } else { 1 }, "{track:?}");
        match &track.values {
            TrackValues::Scale(values) => assert_eq!(values[..], [Vec3::ONE], "never 0"),
            TrackValues::Rotation(values) if turns => {
                for (value, angle) in values.iter().zip([0.0, 0.5, 0.25]) {
                    assert!(value.abs_diff_eq(Quat::from_rotation_x(angle), 1e-5), "{value} for {angle}");
                }
            }
            _ => {}
        }
    }
}

#[test]
fn S44_S59_S61_a_clip_begins_at_0_and_lasts_to_its_last_frame() {
    let model = model(&Iqm::small());
    let clip = &model.clips[0];
    assert_eq!(clip.duration_secs, 0.5, "three frames, four a second");
    let times = clip.tracks.iter().find(|track| track.key_times_secs.len() > 1).unwrap();
    assert_eq!(*times.key_times_secs, [0.0, 0.25, 0.5]);
}

#[test]
fn S61_a_clip_in_which_nothing_moves_lasts_no_less() {
    let mut iqm = Iqm::small();
    iqm.set_motion(&vec![iqm.joints.iter().map(|joint| joint.local).collect(); 5]);
    iqm.anims = vec![anim("Still", 0, 5, 2.0), anim("One frame", 4, 1, 2.0)];
    let model = model(&iqm);
    assert_eq!(model.clips[0].duration_secs, 2.0);
    assert_eq!(model.clips[1].duration_secs, 0.0, "a pose");
}

#[test]
fn S62_S63_every_clip_is_there_by_name_and_by_index() {
    let mut iqm = Iqm::small();
    iqm.anims = vec![anim("Nod", 0, 3, 4.0), anim("", 1, 2, 4.0), anim("Back", 2, 1, 4.0)];
    let model = model(&iqm);
    let names: Vec<&str> = model.clips.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["Nod", "clip 1", "Back"]);
    let seconds: Vec<f32> = model.clips.iter().map(|clip| clip.duration_secs).collect();
    assert_eq!(seconds, [0.5, 0.25, 0.0]);
    let back = model.clip(model.find_clip("Back").unwrap());
    let turn = back.tracks.iter().find_map(|track| match &track.values {
        TrackValues::Rotation(values) if track.node.get() == 1 => Some(values[0]),
        _ => None,
    });
    assert!(turn.unwrap().abs_diff_eq(Quat::from_rotation_x(0.25), 1e-5), "the third frame of all");
}

#[test]
fn a_loop_ends_with_its_first_frame() {
    let mut iqm = Iqm::small();
    iqm.anims[0].flags = 1;
    assert_eq!(codes(&iqm), ["LOOP_CLOSED"]);
    let clip = &model(&iqm).clips[0];
    assert_eq!(clip.duration_secs, 0.75);
    let turns = clip.tracks.iter().find_map(|track| match &track.values {
        TrackValues::Rotation(values) if values.len() > 1 => Some(values),
        _ => None,
    });
    let turns = turns.unwrap();
    assert_eq!(turns.len(), 4);
    assert_eq!(turns[0], turns[3]);
    // One that ends as it began needs no more.
    iqm.frames[2] = iqm.frames[0].clone();
    assert_eq!(codes(&iqm), [""; 0]);
    assert_eq!(model(&iqm).clips[0].duration_secs, 0.5);
}

#[test]
fn S78_a_frame_rate_of_0_is_taken_for_24_and_reported() {
    let mut iqm = Iqm::small();
    for rate in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        iqm.anims[0].frame_rate = rate;
        assert_eq!(codes(&iqm), ["FRAME_RATE_UNKNOWN"]);
        assert_eq!(model(&iqm).clips[0].duration_secs, 2.0 / 24.0);
    }
}

#[test]
fn S25_S26_S27_weights_become_sums_of_one_and_the_odd_ones_are_counted() {
    let mut iqm = Iqm::small();
    *iqm.array(BLEND_WEIGHTS) = bytes(BLEND_WEIGHTS, 4, &[100, 100, 0, 0, 255, 0, 0, 0, 10, 0, 0, 30]);
    let Imported { model, report } = loaded(&iqm.write());
    assert_eq!(report.warnings[0].code, "JOINT_WEIGHTS_NOT_NORMALISED");
    assert!(report.warnings[0].message.starts_with("2 of 3"), "{}", report.warnings[0].message);
    let influences = &model.meshes[0].primitives[0].influences;
    assert_eq!(influences.of_vertex(0).take(2).collect::<Vec<_>>(), [(0, 0.5), (1, 0.5)]);
    // The padding of the last names joint 0, which here is no padding.
    assert_eq!(influences.of_vertex(2).take(2).collect::<Vec<_>>(), [(0, 0.75), (1, 0.25)]);
}

#[test]
fn S78_vertices_without_weight_stay_with_their_mesh() {
    let mut iqm = Iqm::small();
    *iqm.array(BLEND_WEIGHTS) = bytes(BLEND_WEIGHTS, 4, &[255, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0]);
    let Imported { model, report } = loaded(&iqm.write());
    assert_eq!(report.warnings[0].code, "VERTICES_UNWEIGHTED");
    let sail = model.find_node("sail").unwrap();
    let skin = model.skin(model.node(sail).skin.unwrap());
    assert_eq!(skin.joints[2], sail);
    let influences = &model.meshes[0].primitives[0].influences;
    assert_eq!(influences.of_vertex(1).next(), Some((2, 1.0)));
    assert!(moved_at_rest(&model) < 1e-5);
}

#[test]
fn S28_S29_meshes_share_vertices_joints_and_the_skin() {
    let mut iqm = Iqm::small();
    iqm.triangles.push([1, 2, 0]);
    iqm.meshes.push(MeshRow {
        name: "lining".into(),
        material: "lining.tga".into(),
        first_triangle: 1,
        triangle_count: 1,
    });
    let model = model(&iqm);
    assert_eq!(model.meshes.len(), 2);
    assert_eq!(model.meshes[1].primitives[0].positions, model.meshes[0].primitives[0].positions);
    assert_eq!(node(&model, "sail").skin, node(&model, "lining").skin);
    assert_eq!(model.skins.len(), 1);
}

#[test]
fn S76_a_mesh_alone_is_read_and_drawn() {
    let mut iqm = Iqm::small();
    iqm.joints.clear();
    iqm.poses.clear();
    iqm.frames.clear();
    iqm.anims.clear();
    iqm.arrays.retain(|array| ![BLEND_INDEXES, BLEND_WEIGHTS].contains(&array.kind));
    let Imported { model, report } = loaded(&iqm.write());
    assert_eq!(report.warnings, []);
    assert_eq!(model.nodes.len(), 1);
    assert!(model.skins.is_empty() && model.clips.is_empty());
    assert_eq!(model.drawn_nodes().count(), 1);
}

#[test]
fn S77_a_skeleton_alone_has_its_rest_pose() {
    let iqm = Iqm { joints: Iqm::small().joints, ..Iqm::empty() };
    let Imported { model, report } = loaded(&iqm.write());
    assert_eq!(report.warnings, []);
    assert!(model.clips.is_empty() && model.meshes.is_empty());
    let upper = model.find_node("upper").unwrap();
    assert!(model_from_nodes(&model)[upper.get()].translation.abs_diff_eq(Vec3::Y.into(), 1e-6));
}

#[test]
fn S78_motion_alone_makes_its_own_joints() {
    let mut iqm = Iqm::small();
    iqm.joints.clear();
    iqm.meshes.clear();
    let Imported { model, report } = loaded(&iqm.write());
    assert_eq!(report.warnings[0].code, "JOINTS_MISSING");
    assert_eq!(model.nodes.len(), 2);
    assert_eq!(model.nodes[1].parent, model.find_node("joint 0"));
    assert_eq!(model.nodes[1].rest.translation, Vec3::Z);
    assert_eq!(model.clips[0].duration_secs, 0.5);
}

#[test]
fn joints_may_stand_in_any_order() {
    let mut iqm = Iqm::small();
    iqm.joints = vec![
        joint("hand", 2, Vec3::X, Quat::IDENTITY),
        joint("root", -1, Vec3::ZERO, Quat::IDENTITY),
        joint("arm", 1, Vec3::Z, Quat::IDENTITY),
    ];
    iqm.set_motion(&[iqm.joints.iter().map(|joint| joint.local).collect()]);
    iqm.anims = vec![anim("Pose", 0, 1, 4.0)];
    let model = model(&iqm);
    let names: Vec<&str> = model.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["root", "arm", "hand", "sail"]);
    let skin = model.skin(node(&model, "sail").skin.unwrap());
    assert_eq!(model.node(skin.joints[0]).name, "hand", "the skin keeps the file's numbers");
    assert!(moved_at_rest(&model) < 1e-5);
}

#[test]
fn materials_name_their_texture() {
    let mut iqm = Iqm::small();
    iqm.meshes.push(MeshRow { name: "again".into(), ..iqm.meshes[0].clone() });
    iqm.meshes.push(MeshRow { name: "plain".into(), material: "".into(), ..iqm.meshes[0].clone() });
    iqm.meshes.push(MeshRow { name: "stem".into(), material: "canvas".into(), ..iqm.meshes[0].clone() });
    let model = model(&iqm);
    let names: Vec<&str> = model.materials.iter().map(|material| material.name.as_str()).collect();
    assert_eq!(names, ["sail.tga", "", "canvas"]);
    let uris: Vec<&ImageSource> = model.images.iter().map(|image| &image.source).collect();
    assert_eq!(uris, [&ImageSource::Uri("sail.tga".into()), &ImageSource::Uri("canvas".into())]);
    assert_eq!(model.meshes[1].primitives[0].material, model.meshes[0].primitives[0].material);
    assert!(model.materials[1].base_color_texture.is_none());
    assert_eq!(model.materials[0].metallic, 0.0);
}

#[test]
fn the_flag_is_small_skinned_and_has_two_clips() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/formats");
    let Imported { model, report } = loaded(&fs::read(folder.join("flag.iqm")).unwrap());
    assert_eq!(report.warnings, []);
    let clips: Vec<(&str, f32)> =
        model.clips.iter().map(|clip| (clip.name.as_str(), clip.duration_secs)).collect();
    assert_eq!(clips, [("Wave", 1.0), ("Droop", 1.0)]);
    assert_eq!(model.images.len(), 1);
    let picture = gambol::picture::decode(&fs::read(folder.join("flag.tga")).unwrap()).unwrap();
    assert_eq!((picture.width, picture.height), (48, 32));
    for primitive in model.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        assert_eq!(turned_away(primitive), 0);
    }
}

/// Triangles whose front looks another way than the normals of their corners.
fn turned_away(primitive: &gambol::model::Primitive) -> usize {
    let (triangles, _) = primitive.indices.as_chunks::<3>();
    let looks_away = |corners: &&[u32; 3]| {
        let [a, b, c] = corners.map(|corner| primitive.positions[corner as usize]);
        let normal: Vec3 = corners.iter().map(|&corner| primitive.normals[corner as usize]).sum();
        (b - a).cross(c - a).dot(normal) < 0.0
    };
    triangles.iter().filter(looks_away).count()
}

fn real(name: &str) -> Option<Vec<u8>> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/models");
    let path = std::env::var_os("GAMBOL_MODELS").map_or(beside, PathBuf::from).join("iqm").join(name);
    let found = fs::read(&path).ok();
    if found.is_none() {
        println!("SKIPPED: no {}", path.display());
    }
    found
}

#[test]
fn real_files_have_what_their_headers_say() {
    for (name, codes, meshes, vertices, triangles, joints, clips) in [
        // A mesh and a joint are called Head.
        ("mrfixit.iqm", &["NODE_NAME_REPEATED"][..], 2, 1861, 2988, 75, &[("idle", 100.0 / 24.0)][..]),
        ("guy/guy.iqm", &[], 1, 240, 120, 14, &[("jump", 60.0 / 24.0), ("dance", 60.0 / 24.0)][..]),
    ] {
        let Some(bytes) = real(name) else { continue };
        let Imported { model, report } = loaded(&bytes);
        let found: Vec<_> = report.warnings.iter().map(|warning| warning.code).collect();
        assert_eq!(found, codes, "{name}");
        let primitives: Vec<_> = model.meshes.iter().flat_map(|mesh| &mesh.primitives).collect();
        assert_eq!(model.meshes.len(), meshes, "{name}");
        assert_eq!(primitives.iter().map(|primitive| primitive.positions.len()).sum::<usize>(), vertices);
        assert_eq!(primitives.iter().map(|primitive| primitive.indices.len() / 3).sum::<usize>(), triangles);
        assert_eq!(model.skins.len(), 1);
        assert_eq!(model.skins[0].joints.len(), joints, "{name}");
        let found: Vec<(&str, f32)> =
            model.clips.iter().map(|clip| (clip.name.as_str(), clip.duration_secs)).collect();
        assert_eq!(found, clips, "{name}");
        let moved = moved_at_rest(&model);
        assert!(moved < 1e-5, "{name}: {moved}");
        let away: usize = primitives.iter().map(|primitive| turned_away(primitive)).sum();
        println!(
            "{name}: moved {moved:e} at rest, {away} of {triangles} triangles look away from their normals"
        );
        assert!(away * 100 <= triangles, "{name}: {away} triangles look away from their normals");
    }
}

#[test]
fn S78_a_real_file_of_motion_alone_moves_as_its_twin_with_a_mesh() {
    let (Some(whole), Some(alone)) = (real("guy/guy.iqm"), real("guy/guyanim.iqm")) else { return };
    let (whole, alone) = (loaded(&whole), loaded(&alone));
    let codes: Vec<_> = alone.report.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["JOINTS_MISSING"]);
    assert_eq!(alone.model.nodes.len(), 14);
    assert_eq!(alone.model.clips, whole.model.clips, "bit for bit");
}

/// Texture coordinates fall on the painted parts of the picture, not on the ground between them.
#[test]
fn real_textures_lie_the_right_way_up() {
    let Some(bytes) = real("mrfixit.iqm") else { return };
    let model = loaded(&bytes).model;
    for (mesh, name) in model.meshes.iter().zip(["Body.tga", "Head.tga"]) {
        let Some(texture) = real(name) else { continue };
        let picture = gambol::picture::decode(&texture).unwrap();
        let [primitive, ..] = &mesh.primitives[..] else { panic!("{name}: no primitive") };
        let (triangles, _) = primitive.indices.as_chunks::<3>();
        let painted = |flipped: bool| {
            let on_paint = |corners: &&[u32; 3]| {
                let middle =
                    corners.iter().map(|&corner| primitive.uv_sets[0][corner as usize]).sum::<Vec2>() / 3.0;
                let v = if flipped { 1.0 - middle.y } else { middle.y };
                let at =
                    |share: f32, side: u32| (share.rem_euclid(1.0) * side as f32) as usize % side as usize;
                let pixel = at(v, picture.height) * picture.width as usize + at(middle.x, picture.width);
                let ground = [0, 8, 1];
                let off =
                    picture.rgba[pixel * 4..].iter().zip(ground).map(|(&one, other)| one.abs_diff(other));
                off.max().unwrap() > 4
            };
            triangles.iter().filter(on_paint).count() as f32 / triangles.len() as f32
        };
        let (upright, flipped) = (painted(false), painted(true));
        println!("{name}: {upright} on paint, {flipped} if it were upside down");
        assert!(upright > 0.99 && flipped < 0.95, "{name}: {upright}, flipped {flipped}");
    }
}
