//! Inter-Quake files, written here number by number, against what they mean; and real ones, where they are.

mod facing;
mod motion;
mod real;

use crate::support::iqm_writer::{
    ArrayRow, BLEND_INDEXES, BLEND_WEIGHTS, COLOR, CUSTOM, Iqm, MeshRow, NORMAL, POSITION, TANGENT, TEXCOORD,
    anim, bytes, flag, floats, joint,
};
use gambol::import::{Format, Imported, Resources, import, sniff};
use gambol::model::check::check;
use gambol::model::{ImageSource, Model, Node, TrackValues};
use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};
use std::fs;
use std::path::Path;

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

/// The largest distance between a skinned vertex at rest and that vertex as the file has it, where its node stands.
fn moved_at_rest(model: &Model) -> f32 {
    let model_from_nodes = model_from_nodes(model);
    let mut largest = 0.0_f32;
    for (node, model_from_mesh) in model.nodes.iter().zip(&model_from_nodes) {
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
                largest = largest.max(skinned.distance(model_from_mesh.transform_point3(position)));
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
