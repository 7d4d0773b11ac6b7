//! Models that break a rule of glTF's: each becomes a file that doesn't, and a note says how.
use crate::support::made_model::{clip, moved, node, track};
use crate::{codes, exported, poses::worst_difference, read_back};
use gambol::export::{ExportOptions, NOTE_CODES, to_glb};
use gambol::import::{Imported, Resources, import};
use gambol::model::check::check;
use gambol::model::{
    AlphaMode, AnimatedProperty, Image, ImageIndex, ImageSource, Influences, Interpolation, Material,
    MaterialIndex, MaterialPart, Mesh, MeshIndex, Model, MorphTarget, NodeIndex, Primitive, PropertyIndex,
    PropertyTarget, PropertyTrack, Scene, Skin, SkinIndex, Srt, Texture, TextureIndex, TextureSlot, Topology,
    TrackValues, UvTransform,
};
use gambol::picture::{Picture, to_png};
use glam::{Affine3A, Mat4, Quat, Vec3, Vec4};
use std::collections::BTreeSet;

/// By the code of the note that each gives, and those that need none.
pub(crate) fn models() -> Vec<(&'static str, Model)> {
    vec![
        ("NODE_SPLIT", sheared()),
        ("MATRIX_KEYS_BAKED", shearing()),
        ("SCENE_ROOT_RAISED", scene_of_a_child()),
        ("SCENE_JOINED_BY_SKIN", skin_of_another_scene()),
        ("SKIN_ROOT_ADDED", joints_without_a_root()),
        ("SKIN_JOINT_REPEATED", a_joint_twice()),
        ("CLIP_WITHOUT_TRACKS", clips_without_tracks()),
        ("PROPERTY_TRACKS_LEFT_OUT", animated_material()),
        ("SPRINGS_LEFT_OUT", crate::support::tail::tail()),
        ("COLORS_CLAMPED", bright_vertices()),
        ("MATERIAL_CLAMPED", wild_material()),
        ("IMAGE_CONVERTED", textured(tga())),
        ("IMAGE_MISSING", textured(ImageSource::Uri("lost.png".to_owned()))),
        ("IMAGE_UNREADABLE", textured(ImageSource::Encoded(b"GIF89a".as_slice().into()))),
        ("a spline of one key", spline_of_one_key()),
        ("keys before time 0", early_keys()),
        ("targets that move nothing", empty_targets()),
        ("meshes and skins of nothing", meshes_of_nothing()),
        ("nothing", Model::default()),
        ("many joints", many_joints()),
    ]
}

#[test]
fn each_rule_that_a_model_breaks_is_kept_and_noted() {
    let mut seen = BTreeSet::new();
    for (name, model) in models() {
        assert_eq!(check(&model), [], "{name}");
        let exported = exported(&model, &ExportOptions::default());
        let codes: BTreeSet<&str> = codes(&exported).into_iter().collect();
        match NOTE_CODES.contains(&name) {
            true => assert!(codes.contains(name), "{name}: {:?}", exported.notes),
            false => assert!(codes.is_empty(), "{name}: {:?}", exported.notes),
        }
        assert!(exported.notes.iter().all(|note| note.place.starts_with('/') && !note.message.is_empty()));
        seen.extend(codes);
        let back = read_back(&exported);
        let odd: Vec<_> = back.report.warnings;
        assert_eq!(odd, [], "{name}");
        assert!(worst_difference(&model, &back.model, 40) <= 1e-4, "{name}");
    }
    assert_eq!(seen, NOTE_CODES.iter().copied().collect(), "each code has a model");
}

#[test]
fn keys_before_zero_are_handed_over_and_become_one_at_zero_for_others() {
    let model = early_keys();
    let first_keys = |back: &Model| -> Vec<f32> {
        back.clips[0].tracks.iter().map(|track| track.key_times_secs[0]).collect()
    };
    let Imported { model: back, report } = read_back(&exported(&model, &ExportOptions::FOR_PLAYER));
    assert_eq!(back.clips, model.clips);
    assert_eq!(report.warnings.len(), 1, "{report:?}");
    let back = read_back(&exported(&model, &ExportOptions::default())).model;
    assert_eq!(first_keys(&back), [0.0; 7]);
    let difference = worst_difference(&model, &back, 500);
    // Rotations along a spline are off where their new key was put at unit length.
    assert!(difference <= 5e-5, "{difference}");
}

#[test]
fn a_sheared_node_keeps_its_number_and_all_that_hangs_on_it() {
    let model = sheared();
    let back = read_back(&exported(&model, &ExportOptions::default())).model;
    assert_eq!(back.nodes.len(), model.nodes.len() + 1);
    let node = back.node(back.node_from_source[1]);
    assert_eq!((node.name.as_str(), node.mesh), ("node 1", Some(MeshIndex::new(0))));
    let outer = back.node(node.parent.unwrap());
    assert_eq!((outer.name.as_str(), outer.source_index), ("node 1 stretch", 3));
    assert_eq!(back.node(back.node_from_source[2]).parent, Some(back.node_from_source[1]));
}

#[test]
fn what_shears_is_handed_over_to_the_bit() {
    for model in [sheared(), shearing()] {
        let exported = exported(&model, &ExportOptions::FOR_PLAYER);
        assert_eq!(exported.notes, []);
        let back = read_back(&exported).model;
        assert_eq!(back.clips, model.clips);
        let whole = |model: &Model| model.nodes.iter().map(|node| node.sheared_rest).collect::<Vec<_>>();
        assert_eq!(whole(&back), whole(&model));
    }
}

#[test]
fn pictures_are_asked_for_by_the_models_own_words_and_put_into_the_file() {
    let mut model = textured(ImageSource::Uri("art\\skin.TGA".to_owned()));
    model.images[0].name = String::new();
    let mut asked = Vec::new();
    let ImageSource::Encoded(bytes) = tga() else { unreachable!() };
    let exported = to_glb(&model, &ExportOptions::default(), &mut |uri| {
        asked.push(uri.to_owned());
        Some(bytes.to_vec())
    });
    assert_eq!((asked, codes(&exported)), (vec!["art\\skin.TGA".to_owned()], vec!["IMAGE_CONVERTED"]));
    let image = &read_back(&exported).model.images[0];
    assert_eq!((image.name.as_str(), image.mime_type.as_deref()), ("skin", Some("image/png")));
}

#[test]
fn materials_do_without_an_image_that_is_gone() {
    let exported = exported(&textured(ImageSource::Uri("lost.png".to_owned())), &ExportOptions::default());
    let back = read_back(&exported).model;
    assert_eq!((back.images.len(), back.textures.len()), (1, 1));
    let Material { base_color_texture, emissive_texture, .. } = back.materials[0];
    assert_eq!(base_color_texture, None);
    assert_eq!(emissive_texture.map(|slot| slot.texture), Some(TextureIndex::new(0)), "the other one stays");
}

#[test]
fn what_is_said_twice_is_written_once() {
    let mut model = triangle();
    let alone = exported(&model, &ExportOptions::default()).glb.len();
    let times: Vec<f32> = (0..1000).map(|key| key as f32).collect();
    let values = || TrackValues::Translation(vec![Vec3::X; 1000]);
    model.clips = vec![clip("a", vec![track(0, Interpolation::Linear, &times, values())])];
    let one = exported(&model, &ExportOptions::default()).glb.len();
    assert!(one > alone + 16_000);
    for name in ["b", "c", "d"] {
        model.clips.push(clip(name, vec![track(0, Interpolation::Linear, &times, values())]));
        model.meshes.push(model.meshes[0].clone());
    }
    let four = exported(&model, &ExportOptions::default()).glb.len();
    assert!(four < one + 1000, "{one} bytes became {four}");
}

#[test]
fn indices_take_two_bytes_until_they_need_four() {
    for count in [65_535, 65_536, 65_537] {
        let mut model = triangle();
        let primitive = &mut model.meshes[0].primitives[0];
        primitive.positions = (0..count).map(|at| Vec3::X * at as f32).collect();
        primitive.normals = vec![Vec3::Z; count];
        primitive.indices = (0..count as u32).rev().collect();
        primitive.topology = Topology::Points;
        let exported = exported(&model, &ExportOptions::default());
        let index_size = exported.glb.len() / count - 24;
        assert_eq!(index_size, if count > 65_535 { 4 } else { 2 });
        let back = import(&exported.glb, &Resources::default()).unwrap().model;
        assert_eq!(back.meshes, model.meshes);
    }
}

/// One step too many for each node, or each pair of them, and this takes minutes.
#[test]
fn long_chains_take_no_longer_than_their_length_asks_for() {
    let parents: Vec<Option<usize>> = (0..60_000).map(|index: usize| index.checked_sub(1)).collect();
    let mut model = skinned(&parents, &[1, 2, 3]);
    for _ in 0..5 {
        let mut skin = model.skins[0].clone();
        skin.joints = (0..60_000).map(NodeIndex::new).collect();
        skin.joint_from_mesh = vec![Affine3A::IDENTITY; 60_000];
        skin.skeleton_root = Some(NodeIndex::new(0));
        model.skins.push(skin);
    }
    let tracks = (1..60_000).map(|node| {
        track(
            node,
            Interpolation::Linear,
            &[0.0, 1.0],
            TrackValues::Translation(vec![Vec3::X * node as f32; 2]),
        )
    });
    model.clips = vec![clip("all", tracks.collect())];
    let back = read_back(&exported(&model, &ExportOptions::default())).model;
    assert_eq!((back.skins.len(), back.clips[0].tracks.len()), (6, 59_999));
}

fn bare(parents: &[Option<usize>]) -> Model {
    let nodes = parents.iter().enumerate();
    crate::support::made_model::model(
        nodes.map(|(index, &parent)| node(parent, moved(Vec3::Y), index)).collect(),
        Vec::new(),
    )
}

fn triangle() -> Model {
    let mut model = bare(&[None]);
    let primitive = Primitive {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        normals: vec![Vec3::Z; 3],
        indices: vec![0, 1, 2],
        ..Primitive::default()
    };
    model.meshes = vec![Mesh { primitives: vec![primitive], ..Mesh::default() }];
    model.nodes[0].mesh = Some(MeshIndex::new(0));
    model
}

/// A triangle on the first node, each corner on a joint of its own.
fn skinned(parents: &[Option<usize>], joints: &[usize; 3]) -> Model {
    let mut model = Model { meshes: triangle().meshes, ..bare(parents) };
    model.meshes[0].primitives[0].influences = Influences {
        per_vertex: 4,
        joints: vec![0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0],
        joint_weights: [[1.0, 0.0, 0.0, 0.0]; 3].concat(),
    };
    model.skins = vec![Skin {
        joints: joints.map(NodeIndex::new).to_vec(),
        joint_from_mesh: (0..3).map(|at| Affine3A::from_translation(Vec3::Z * at as f32)).collect(),
        ..Skin::default()
    }];
    model.nodes[0].mesh = Some(MeshIndex::new(0));
    model.nodes[0].skin = Some(SkinIndex::new(0));
    model
}

fn leaning(by: f32, turn: f32) -> Affine3A {
    let shear =
        Mat4::from_cols(Vec4::X, Vec4::new(by, 1.0, 0.0, 0.0), Vec4::Z, Vec4::new(0.5, 0.0, 1.0, 1.0));
    Affine3A::from_quat(Quat::from_rotation_y(turn)) * Affine3A::from_mat4(shear)
}

fn sheared() -> Model {
    let mut model = Model { meshes: triangle().meshes, ..bare(&[None, Some(0), Some(1)]) };
    model.nodes[1].sheared_rest = Some(leaning(0.5, 0.3));
    model.nodes[1].rest = read_back(&exported(&model, &ExportOptions::FOR_PLAYER)).model.nodes[1].rest;
    model.nodes[1].mesh = Some(MeshIndex::new(0));
    model
}

fn shearing() -> Model {
    let mut model = sheared();
    let times = [0.25, 0.5, 1.5, 2.0, 3.0];
    let by = [0.0, 0.5, -0.8, -0.8, 0.0];
    let matrices: Vec<_> = times.iter().zip(by).map(|(secs, by)| leaning(by, secs * 1.1)).collect();
    let steps = matrices.iter().rev().copied().collect();
    model.clips = vec![
        clip("lean", vec![track(1, Interpolation::Linear, &times, TrackValues::Matrix(matrices))]),
        clip("steps", vec![track(1, Interpolation::Step, &times, TrackValues::Matrix(steps))]),
    ];
    model
}

fn scene_of_a_child() -> Model {
    let mut model = bare(&[None, Some(0)]);
    model.scenes = vec![Scene { name: "inner".to_owned(), roots: vec![NodeIndex::new(1)] }];
    model.default_scene = Some(0);
    model.nodes[0].in_scene = false;
    model
}

fn skin_of_another_scene() -> Model {
    let mut model = skinned(&[None, None, Some(1), Some(1)], &[1, 2, 3]);
    model.scenes = [[0], [1]]
        .map(|roots| Scene { name: String::new(), roots: roots.map(NodeIndex::new).to_vec() })
        .to_vec();
    model.default_scene = Some(0);
    model.nodes.iter_mut().skip(1).for_each(|node| node.in_scene = false);
    model
}

fn joints_without_a_root() -> Model {
    let mut model = skinned(&[None, None, None, Some(2), None], &[1, 3, 2]);
    // Another one, partly with the same roots.
    let other = Skin { joints: [4, 3, 0].map(NodeIndex::new).to_vec(), ..model.skins[0].clone() };
    model.skins.push(other);
    model
}

fn a_joint_twice() -> Model {
    skinned(&[None, None, Some(1)], &[2, 1, 2])
}

fn clips_without_tracks() -> Model {
    let mut model = bare(&[None]);
    model.clips = vec![
        clip("none", Vec::new()),
        clip("one", vec![track(0, Interpolation::Linear, &[0.0], TrackValues::Scale(vec![Vec3::ONE]))]),
    ];
    model
}

fn bright_vertices() -> Model {
    let mut model = triangle();
    model.meshes[0].primitives[0].colors = vec![Vec4::new(2.0, -0.5, 0.5, 1.0); 3];
    model
}

fn wild_material() -> Model {
    let mut model = triangle();
    model.materials = vec![Material {
        base_color: Vec4::splat(1.5),
        metallic: -1.0,
        roughness: 2.0,
        emissive: Vec3::new(-1.0, 0.0, 1e30),
        ..Material::default()
    }];
    model.meshes[0].primitives[0].material = Some(MaterialIndex::new(0));
    model
}

fn tga() -> ImageSource {
    let mut bytes = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0];
    bytes.extend([10, 20, 30]);
    ImageSource::Encoded(bytes.into())
}

/// One image that is good, and one that may not be.
fn textured(source: ImageSource) -> Model {
    let mut model = triangle();
    let white = to_png(&Picture { width: 1, height: 1, rgba: vec![255; 4] });
    model.images = [source, ImageSource::Encoded(white.into())]
        .map(|source| Image { name: "skin".to_owned(), mime_type: None, source })
        .to_vec();
    let plain = Texture {
        image: ImageIndex::new(0),
        magnify: Default::default(),
        minify: Default::default(),
        mipmap: None,
        wrap_u: Default::default(),
        wrap_v: Default::default(),
    };
    model.textures = vec![plain, Texture { image: ImageIndex::new(1), ..plain }];
    let slot = |texture| {
        Some(TextureSlot { texture: TextureIndex::new(texture), uv_set: 0, transform: UvTransform::IDENTITY })
    };
    model.materials =
        vec![Material { base_color_texture: slot(0), emissive_texture: slot(1), ..Material::default() }];
    model.meshes[0].primitives[0].material = Some(MaterialIndex::new(0));
    model.meshes[0].primitives[0].uv_sets = vec![vec![Default::default(); 3]];
    model
}

fn early_keys() -> Model {
    let (x, turn) = (Vec3::X, Quat::from_rotation_z(0.2));
    let spline =
        |values: [Vec3; 3]| values.into_iter().flat_map(|value| [x * 0.5, value, Vec3::ONE * 0.3]).collect();
    let turns = [Quat::IDENTITY, turn]
        .into_iter()
        .flat_map(|value| [Quat::from_xyzw(0.0, 0.0, 0.1, 0.0), value, Quat::from_xyzw(0.0, 0.0, 0.1, 0.0)]);
    let tracks = vec![
        track(
            0,
            Interpolation::Linear,
            &[-2.0, -1.0, 1.0, 2.0],
            TrackValues::Translation(vec![Vec3::Y, Vec3::ZERO, x, x * 3.0]),
        ),
        track(
            0,
            Interpolation::Linear,
            &[-1.0, 3.0],
            TrackValues::Rotation(vec![Quat::IDENTITY, Quat::from_rotation_y(2.5)]),
        ),
        track(
            0,
            Interpolation::Step,
            &[-1.5, -0.5, 0.5],
            TrackValues::Scale(vec![x, Vec3::ONE, Vec3::ONE * 2.0]),
        ),
        track(
            1,
            Interpolation::CubicSpline,
            &[-0.5, 1.5, 2.5],
            TrackValues::Translation(spline([Vec3::ZERO, Vec3::Y, x])),
        ),
        track(1, Interpolation::CubicSpline, &[-1.0, 2.0], TrackValues::Rotation(turns.collect())),
        track(
            1,
            Interpolation::Linear,
            &[-1.0, 0.0, 1.0],
            TrackValues::Scale(vec![Vec3::ZERO, Vec3::ONE, x]),
        ),
        track(2, Interpolation::Linear, &[-3.0, -1.0], TrackValues::Translation(vec![Vec3::ZERO, x])),
    ];
    Model { clips: vec![clip("from before", tracks)], ..bare(&[None, Some(0), Some(1)]) }
}

fn spline_of_one_key() -> Model {
    let mut model = bare(&[None]);
    let values = TrackValues::Translation(vec![Vec3::X, Vec3::Y, Vec3::Z]);
    model.clips = vec![clip("one", vec![track(0, Interpolation::CubicSpline, &[0.5], values)])];
    model
}

fn empty_targets() -> Model {
    let mut model = triangle();
    model.meshes[0].primitives[0].morph_targets = vec![MorphTarget::default(); 2];
    model.meshes[0].morph_target_names = vec![String::new(); 2];
    model.nodes[0].rest_morph_weights = vec![0.5, 0.0];
    let values = TrackValues::MorphWeights(vec![0.0, 1.0]);
    model.clips = vec![clip("one", vec![track(0, Interpolation::Step, &[0.5], values)])];
    model
}

fn meshes_of_nothing() -> Model {
    let mut model = triangle();
    model.nodes.push(node(None, Srt::IDENTITY, 1));
    model.node_from_source.push(NodeIndex::new(1));
    model.meshes.insert(0, Mesh::default());
    model.nodes[0].mesh = Some(MeshIndex::new(1));
    model.nodes[1].mesh = Some(MeshIndex::new(0));
    model.skins = vec![Skin::default()];
    model
}

fn many_joints() -> Model {
    let parents: Vec<Option<usize>> = (0..400).map(|index: usize| index.checked_sub(1)).collect();
    let mut model = skinned(&parents, &[1, 2, 3]);
    let joints = &mut model.skins[0];
    joints.joints = (0..400).map(NodeIndex::new).collect();
    joints.joint_from_mesh = vec![Affine3A::IDENTITY; 400];
    let influences = &mut model.meshes[0].primitives[0].influences;
    influences.per_vertex = 8;
    influences.joints = (0..3)
        .flat_map(|vertex| (0..8).map(move |slot| if slot < 6 { 390 - slot * 50 + vertex } else { 0 }))
        .collect();
    influences.joint_weights = [[0.25, 0.25, 0.125, 0.125, 0.125, 0.125, 0.0, 0.0]; 3].concat();
    model
}

/// A clip that moves a node and fades a colour.
fn animated_material() -> Model {
    let mut clip =
        clip("fade", vec![track(0, Interpolation::Linear, &[0.0], TrackValues::Scale(vec![Vec3::ONE]))]);
    clip.property_tracks.push(PropertyTrack {
        property: PropertyIndex::new(0),
        interpolation: Interpolation::Linear,
        key_times_secs: [0.0].into(),
        values: vec![0.5],
    });
    let target = PropertyTarget::Material(MaterialIndex::new(0), MaterialPart::AlphaCutoff);
    let alpha = AlphaMode::Mask { cutoff: 0.5 };
    Model {
        materials: vec![Material { alpha, ..Material::default() }],
        properties: vec![AnimatedProperty { target, rest: vec![0.5] }],
        ..crate::support::made_model::model(vec![node(None, Srt::IDENTITY, 0)], vec![clip])
    }
}
