//! Compressed files: they decode to the same model within stated errors, and fewer keys play the same motion within a
//! bound. Everything is measured with the plain evaluator.
use crate::support::made_model::{Random, any_model, clip, foxlike, moved, node, track};
use crate::support::real_models::{model, saw};
use crate::{everything, rules};
use gambol::animation::reference::ReferencePose;
use gambol::export::{Compression, ExportOptions, Exported, to_glb};
use gambol::import::{ImportReport, Imported, Resources, import};
use gambol::model::check::check;
use gambol::model::{
    Aabb, AlphaMode, ClipIndex, Influences, Interpolation, MaterialIndex, Mesh, MeshIndex, Model,
    MorphTarget, Primitive, Topology, TrackValues,
};
use glam::{DVec3, Quat, Vec2, Vec3, Vec4};
use std::fs;

const MESHOPT: ExportOptions = options(Compression::Meshopt, None);

const fn options(compression: Compression, reduce_keys: Option<f32>) -> ExportOptions {
    ExportOptions {
        shears: gambol::export::Shears::Split,
        images: gambol::export::Images::Embedded,
        compression,
        reduce_keys,
    }
}

fn exported(model: &Model, options: &ExportOptions) -> Exported {
    to_glb(model, options, &mut |_| None)
}

/// Imports a .glb, whose compressed views have no other bytes.
fn read_back(glb: &[u8]) -> Imported {
    let json_len = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let json: serde_json::Value = serde_json::from_slice(&glb[20..20 + json_len]).unwrap();
    let required = json["extensionsRequired"].as_array().into_iter().flatten();
    let codec = required.filter_map(|name| name.as_str()).find(|name| name.ends_with("_meshopt_compression"));
    for (index, view) in json["bufferViews"].as_array().into_iter().flatten().enumerate() {
        let Some((codec, extension)) = codec.and_then(|name| Some((name, view["extensions"].get(name)?)))
        else {
            assert_eq!(view["buffer"], 0, "view {index} has no bytes");
            continue;
        };
        let number = |name: &str| extension[name].as_u64().unwrap_or_default();
        let length = number("count") * number("byteStride");
        assert_eq!(view["byteLength"], length);
        assert_eq!((&extension["buffer"], &view["buffer"]), (&0.into(), &1.into()));
        let fallback = &json["buffers"][1];
        assert_eq!(fallback["extensions"][codec]["fallback"], true);
        let end = view["byteOffset"].as_u64().unwrap_or_default() + length;
        assert!(end <= fallback["byteLength"].as_u64().unwrap() && fallback.get("uri").is_none());
    }
    import(glb, &Resources::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns points of a pose in model space: nodes in the file's order, and the boxes of vertices that they move.
///
/// Nodes that were added to the file come last and aren't among them.
fn points(model: &Model, boxes: &[(usize, Aabb)], pose: &ReferencePose, node_count: usize) -> Vec<DVec3> {
    let nodes = pose.resolve(model);
    let own = model.node_from_source.iter().take(node_count);
    let mut points: Vec<DVec3> = own.map(|node| nodes[node.get()].translation).collect();
    for (node, bounds) in boxes {
        let place = nodes[model.node_from_source[*node].get()];
        points.extend(bounds.corners().map(|corner| place.transform_point3(corner.as_dvec3())));
    }
    points
}

/// Returns a box in node space for each node that moves vertices, by the node's index in the file.
fn boxes(model: &Model) -> Vec<(usize, Aabb)> {
    let mut boxes = Vec::new();
    for node in &model.nodes {
        let Some(mesh) = node.mesh else { continue };
        for primitive in &model.mesh(mesh).primitives {
            if let (Some(skin), false) = (node.skin, primitive.influences.is_empty()) {
                let skin = model.skin(skin);
                for (vertex, position) in primitive.positions.iter().enumerate() {
                    for (joint, weight) in primitive.influences.of_vertex(vertex) {
                        if weight > 0.0 {
                            let joint = usize::from(joint);
                            let point = skin.joint_from_mesh[joint].transform_point3(*position);
                            let node = model.node(skin.joints[joint]).source_index;
                            boxes.push((node, Aabb { min: point, max: point }));
                        }
                    }
                }
            } else if let Some(bounds) = Aabb::around(primitive.positions.iter().copied()) {
                boxes.push((node.source_index, bounds));
            }
        }
    }
    let mut joined: std::collections::BTreeMap<usize, Option<Aabb>> = Default::default();
    boxes.into_iter().for_each(|(node, bounds)| Aabb::join(joined.entry(node).or_default(), bounds));
    joined.into_iter().filter_map(|(node, bounds)| Some((node, bounds?))).collect()
}

/// Returns the largest distance in metres between two versions of a model, in all clips at many times.
fn farthest(before: &Model, after: &Model, time_count: usize) -> f64 {
    let boxes = boxes(before);
    let mut worst = 0.0_f64;
    for (at, clip) in before.clips.iter().filter(|clip| !clip.tracks.is_empty()).enumerate() {
        let back = &after.clips[at];
        assert_eq!((&clip.name, clip.duration_secs), (&back.name, back.duration_secs));
        let index = before.clips.iter().position(|other| std::ptr::eq(other, clip)).unwrap();
        for step in 0..=time_count {
            let secs = clip.duration_secs * 1.03 * step as f32 / time_count as f32;
            let points = |model, clip| {
                let pose = ReferencePose::sample(model, ClipIndex::new(clip), secs);
                points(model, &boxes, &pose, before.nodes.len())
            };
            let (from, to) = (points(before, index), points(after, at));
            let distances = from.iter().zip(&to).map(|(a, b)| a.distance(*b));
            worst = worst.max(distances.fold(0.0, f64::max));
        }
    }
    worst
}

fn size(model: &Model) -> f64 {
    let points = points(model, &boxes(model), &ReferencePose::rest(model), model.nodes.len());
    let bounds = Aabb::around(points.iter().map(|point| point.as_vec3())).unwrap();
    f64::from(bounds.radius() * 2.0)
}

fn key_count(model: &Model) -> usize {
    model.clips.iter().flat_map(|clip| &clip.tracks).map(|track| track.key_times_secs.len()).sum()
}

/// Asserts that each triangle of one primitive is one of the other, in any order and from any corner, with numbers that
/// differ by rounding.
fn assert_same_triangles(before: &Mesh, after: &Mesh) {
    let all = before.primitives.iter().flat_map(|primitive| primitive.positions.iter().copied());
    let size = Aabb::around(all).map_or(0.0, |bounds| (bounds.max - bounds.min).max_element());
    assert_eq!(before.primitives.len(), after.primitives.len());
    for (before, after) in before.primitives.iter().zip(&after.primitives) {
        assert_eq!(before.topology, after.topology);
        assert_eq!(before.indices.len(), after.indices.len());
        assert_eq!((before.uv_sets.len(), before.material), (after.uv_sets.len(), after.material));
        let corners = if before.topology == Topology::Triangles { 3 } else { 1 };
        let near = |a: u32, b: u32| is_near(before, a as usize, after, b as usize, size);
        let mut left: Vec<&[u32]> = before.indices.chunks(corners).collect();
        for shape in after.indices.chunks(corners) {
            let turned = |other: &&[u32]| {
                (0..corners).any(|by| (0..corners).all(|at| near(other[(at + by) % corners], shape[at])))
            };
            let found = left.iter().position(turned).unwrap_or_else(|| panic!("{shape:?} is new"));
            left.swap_remove(found);
        }
    }
}

fn is_near(before: &Primitive, a: usize, after: &Primitive, b: usize, size: f32) -> bool {
    fn pair<T: Copy>(before: &[T], a: usize, after: &[T], b: usize) -> Option<(T, T)> {
        assert_eq!(before.is_empty(), after.is_empty());
        Some((*before.get(a)?, *after.get(b)?))
    }
    let direction = |(a, b): (Vec3, Vec3)| a.angle_between(b).to_degrees() < 1.5;
    let weights = |primitive: &Primitive, vertex: usize| {
        let mut weights = std::collections::BTreeMap::<u16, f32>::new();
        let slots = (!primitive.influences.is_empty()).then(|| primitive.influences.of_vertex(vertex));
        slots.into_iter().flatten().for_each(|(joint, weight)| *weights.entry(joint).or_default() += weight);
        weights
    };
    let (from, to) = (weights(before, a), weights(after, b));
    let weight =
        |weights: &std::collections::BTreeMap<u16, f32>, joint| weights.get(joint).copied().unwrap_or(0.0);
    let morphs = before.morph_targets.iter().zip(&after.morph_targets).all(|(from, to)| {
        let delta = |deltas: &[Vec3], at: usize| deltas.get(at).copied().unwrap_or_default();
        delta(&from.positions, a).abs_diff_eq(delta(&to.positions, b), size / 65536.0 + 1e-7)
            && delta(&from.normals, a).abs_diff_eq(delta(&to.normals, b), 0.005)
    });
    pair(&before.positions, a, &after.positions, b)
        .is_none_or(|(a, b)| a.abs_diff_eq(b, size / 65536.0 + 1e-7))
        && pair(&before.normals, a, &after.normals, b).is_none_or(direction)
        && pair(&before.tangents, a, &after.tangents, b)
            .is_none_or(|(a, b)| a.w == b.w && direction((a.truncate(), b.truncate())))
        && before.uv_sets.iter().zip(&after.uv_sets).all(|(from, to)| {
            let largest = from.iter().fold(1.0_f32, |largest, uv| largest.max(uv.abs().max_element()));
            from[a].abs_diff_eq(to[b], largest / 65536.0)
        })
        && pair(&before.colors, a, &after.colors, b).is_none_or(|(a, b)| a.abs_diff_eq(b, 1.0 / 65535.0))
        && from
            .keys()
            .chain(to.keys())
            .all(|joint| (weight(&from, joint) - weight(&to, joint)).abs() <= 1.0 / 255.0)
        && morphs
}

#[test]
fn everything_comes_back_rounded() {
    let mut model = everything::model();
    let two = model.meshes[0].primitives[0].positions.len();
    model.meshes[0].primitives[0].colors = vec![Vec4::new(0.2, 0.4, 0.6, 1.0); two];
    for compression in [Compression::Meshopt, Compression::KhrMeshopt] {
        let exported = exported(&model, &options(compression, None));
        assert_eq!(exported.notes, []);
        let Imported { model: back, report } = read_back(&exported.glb);
        assert_eq!(report, ImportReport::default());
        assert_eq!(check(&back), []);
        assert_eq!((&back.nodes, &back.skins), (&model.nodes, &model.skins));
        assert_eq!((&back.materials, &back.textures), (&model.materials, &model.textures));
        assert_eq!((&back.images, &back.cameras), (&model.images, &model.cameras));
        model
            .meshes
            .iter()
            .zip(&back.meshes)
            .for_each(|(before, after)| assert_same_triangles(before, after));
        assert!(farthest(&model, &back, 40) <= 2.5e-4 * size(&model));
    }
}

#[test]
fn any_model_plays_as_it_did_within_the_bound() {
    for seed in 0..60 {
        let model = any_model(&mut Random::new(seed));
        let has_shear = model.nodes.iter().any(|node| node.sheared_rest.is_some());
        for metres in [None, Some(0.001), Some(0.1)] {
            let exported = exported(&model, &options(Compression::Meshopt, metres));
            let back = read_back(&exported.glb).model;
            let bound = f64::from(metres.unwrap_or(0.0)).max(2.5e-4 * size(&model));
            // Baked matrices have an error of their own.
            let bound = bound * if has_shear { 3.0 } else { 1.0 };
            let error = farthest(&model, &back, 50);
            assert!(error <= bound, "seed {seed}, {metres:?}: {error} of {bound}");
        }
    }
}

#[test]
fn keys_on_a_line_are_left_out_and_the_others_stay() {
    let times: Vec<f32> = (0..101).map(|at| at as f32 * 0.1).collect();
    let bent = |at: usize| Vec3::X * if at < 50 { at as f32 } else { 100.0 - at as f32 };
    let turn = |at: usize| Quat::from_rotation_y(at as f32 * 0.02);
    let mut model = foxlike();
    model.nodes = vec![node(None, moved(Vec3::ZERO), 0), node(Some(0), moved(Vec3::X), 1)];
    model.node_from_source.truncate(2);
    (model.meshes, model.skins, model.scenes) = (Vec::new(), Vec::new(), Vec::new());
    model.default_scene = None;
    model.clips = vec![clip(
        "all kinds",
        vec![
            track(0, Interpolation::Linear, &times, TrackValues::Translation((0..101).map(bent).collect())),
            track(0, Interpolation::Linear, &times, TrackValues::Rotation((0..101).map(turn).collect())),
            track(0, Interpolation::Linear, &times, TrackValues::Scale(vec![Vec3::splat(2.0); 101])),
            track(
                1,
                Interpolation::Step,
                &times,
                TrackValues::Translation((0..101).map(|at| Vec3::Y * (at / 40) as f32).collect()),
            ),
            track(1, Interpolation::Linear, &times, TrackValues::Scale(vec![Vec3::ONE; 101])),
            track(
                1,
                Interpolation::CubicSpline,
                &times,
                TrackValues::Rotation(
                    [
                        Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
                        Quat::IDENTITY,
                        Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
                    ]
                    .repeat(101),
                ),
            ),
        ],
    )];
    assert_eq!(check(&model), []);
    let exported = exported(&model, &options(Compression::None, Some(0.001)));
    let back = read_back(&exported.glb).model;
    let counts: Vec<usize> = back.clips[0].tracks.iter().map(|track| track.key_times_secs.len()).collect();
    // The scale of the second node is at rest in every clip.
    assert_eq!(counts, [3, 2, 1, 3, 1]);
    assert!(farthest(&model, &back, 1000) < 1e-5);
    assert_eq!(back.clips[0].duration_secs, 10.0);
}

#[test]
fn a_clip_that_stands_still_keeps_its_duration_and_its_tracks() {
    let mut model = foxlike();
    model.clips = vec![clip(
        "still",
        vec![
            track(0, Interpolation::Linear, &[0.0, 1.0, 2.0], TrackValues::Scale(vec![Vec3::splat(3.0); 3])),
            track(1, Interpolation::Linear, &[0.0, 1.0, 2.0], TrackValues::Scale(vec![Vec3::splat(3.0); 3])),
        ],
    )];
    let back = read_back(&exported(&model, &options(Compression::Meshopt, Some(0.01))).glb).model;
    let counts: Vec<usize> = back.clips[0].tracks.iter().map(|track| track.key_times_secs.len()).collect();
    assert_eq!((counts, back.clips[0].duration_secs), (vec![3, 1], 2.0));
}

#[test]
fn blended_triangles_keep_their_order() {
    let mut model = everything::model();
    let positions: Vec<Vec3> =
        (0..300).map(|at| Vec3::new((at * 7 % 31) as f32, (at % 3) as f32, at as f32)).collect();
    let primitive = Primitive {
        normals: vec![Vec3::Z; 300],
        indices: (0..300).rev().collect(),
        positions,
        material: Some(MaterialIndex::new(0)),
        ..Primitive::default()
    };
    model.meshes = vec![Mesh { primitives: vec![primitive], ..Mesh::default() }];
    for node in &mut model.nodes {
        (node.mesh, node.skin) = (None, None);
        node.rest_morph_weights.clear();
    }
    model.nodes[3].mesh = Some(MeshIndex::new(0));
    model.clips.clear();
    model.materials[0].alpha = AlphaMode::Blend;
    let drawn = |model: &Model| -> Vec<Vec3> {
        let primitive = &model.meshes[0].primitives[0];
        primitive.indices.iter().map(|&index| primitive.positions[index as usize]).collect()
    };
    let back = read_back(&exported(&model, &MESHOPT).glb).model;
    for (before, after) in drawn(&model).chunks(3).zip(drawn(&back).chunks(3)) {
        let same = |by: usize| (0..3).all(|at| before[(at + by) % 3].abs_diff_eq(after[at], 0.01));
        assert!((0..3).any(same), "{before:?} {after:?}");
    }
}

#[test]
fn vertices_that_are_equal_after_rounding_are_one() {
    let mut model = everything::model();
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
    model.meshes[0].primitives = vec![Primitive {
        positions: corners.map(|corner| corner + Vec3::splat(1e-7)).to_vec(),
        normals: vec![Vec3::Z; 6],
        uv_sets: vec![vec![Vec2::new(-3.0, 0.5); 6]],
        influences: Influences::default(),
        indices: (0..6).collect(),
        morph_targets: vec![MorphTarget::default(); model.meshes[0].morph_target_count()],
        ..Primitive::default()
    }];
    let back = read_back(&exported(&model, &MESHOPT).glb).model;
    assert_eq!(back.meshes[0].primitives[0].positions.len(), 4);
    assert_same_triangles(&model.meshes[0], &back.meshes[0]);
}

/// For the Khronos validator: `tests/node/exported.test.mjs` says where to.
#[test]
fn smaller_models_are_written_for_the_validator() {
    let Some(folder) = std::env::var_os("GAMBOL_EXPORT_TO").map(std::path::PathBuf::from) else {
        println!("SKIPPED: GAMBOL_EXPORT_TO names no folder");
        return;
    };
    let mut models: Vec<(String, Model)> =
        (0..20).map(|seed| (format!("small seed {seed}"), any_model(&mut Random::new(seed)))).collect();
    models.push(("small everything".to_owned(), everything::model()));
    models.extend(rules::models().into_iter().map(|(name, model)| (format!("small {name}"), model)));
    for (name, model) in models {
        let glb = exported(&model, &options(Compression::Meshopt, Some(0.001))).glb;
        fs::write(folder.join(format!("{name}.glb")), glb).unwrap();
    }
}

#[test]
fn real_models_become_smaller_within_the_bound() {
    let names = [
        ("gltf/khronos/Fox/glTF-Binary/Fox.glb", 0.1),
        ("gltf/khronos/CesiumMan/glTF-Binary/CesiumMan.glb", 0.001),
        ("gltf/robot-expressive/RobotExpressive.glb", 0.001),
        ("gltf/kaykit/Knight.glb", 0.001),
    ];
    let mut seen = 0;
    for (name, metres) in names {
        let Some(path) = model(name) else { continue };
        let bytes = fs::read(path).unwrap();
        let Imported { model, .. } = import(&bytes, &Resources::default()).unwrap();
        let plain = exported(&model, &ExportOptions::default()).glb;
        for metres in [None, Some(metres)] {
            let small = exported(&model, &options(Compression::Meshopt, metres)).glb;
            let back = read_back(&small).model;
            assert_eq!(check(&back), []);
            if model.meshes.len() < 20 {
                model
                    .meshes
                    .iter()
                    .zip(&back.meshes)
                    .for_each(|(before, after)| assert_same_triangles(before, after));
            }
            let error = farthest(&model, &back, if model.clips.len() > 20 { 40 } else { 200 });
            let bound = metres.map_or(2.5e-4 * size(&model), f64::from);
            println!(
                "{name}, {metres:?}: {} bytes, plain {}, {} with compression: 1/{:.2}; {} of {} keys, \
                 off by {error:.1e} of {bound:.1e}",
                bytes.len(),
                plain.len(),
                small.len(),
                plain.len() as f64 / small.len() as f64,
                key_count(&back),
                key_count(&model),
            );
            assert!(error <= bound, "{name}: {error} of {bound}");
            assert!(small.len() * 10 < plain.len() * 7, "{name}");
        }
        seen += 1;
    }
    if seen > 0 {
        saw(seen);
    }
}
