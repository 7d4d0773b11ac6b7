//! .x (DirectX) files from other projects.

use crate::support::real_models;
use crate::support::real_models::saw;
use crate::support::x_made::{apart, codes, drawn, drawn_at, node_at};
use gambol::animation::reference::{ReferencePose, skin_matrices};
use gambol::import::{Imported, Resources, import};
use gambol::model::check::check;
use gambol::model::{ClipIndex, ImageSource, Model, SkinIndex};
use glam::{DVec3, Vec3};
use std::fs;
use std::path::{Path, PathBuf};

fn models() -> Option<PathBuf> {
    real_models::model("x")
}

fn load(path: &Path) -> Imported {
    let imported = import(&fs::read(path).unwrap(), &Resources::default());
    let imported = imported.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(check(&imported.model), [], "{}", path.display());
    imported
}

struct Expected {
    file: &'static str,
    nodes: usize,
    vertices: usize,
    triangles: usize,
    joints: Option<usize>,
    /// Name, duration in seconds and number of animated joints.
    clip: Option<(&'static str, f32, usize)>,
    texture: Option<&'static str>,
    warnings: &'static [&'static str],
}

/// Numbers counted in the text of the files; vertices with equal values count once.
const EXPECTED: [Expected; 7] = [
    Expected {
        file: "tiny/tiny.x",
        nodes: 48,
        vertices: 4432,
        triangles: 6841,
        joints: Some(35),
        clip: Some(("clip 0", 4960.0 / 4800.0, 47)),
        texture: Some("Tiny_skin.dds"),
        warnings: &["TICKS_PER_SECOND_MISSING"],
    },
    Expected {
        file: "testentities_cool_guy.x",
        nodes: 13,
        vertices: 252,
        triangles: 136,
        joints: Some(10),
        clip: Some(("clip 0", 29.0 / 4800.0, 11)),
        texture: None,
        warnings: &["TICKS_PER_SECOND_MISSING"],
    },
    Expected {
        file: "assimp/anim_test.x",
        nodes: 4,
        vertices: 485,
        triangles: 840,
        joints: Some(2),
        clip: Some(("cylinder_test", 1.0, 4)),
        // The file has a texture reference with an empty name.
        texture: None,
        // The exporter wrote weights for four joints and frames for two of them.
        warnings: &["JOINT_UNKNOWN"],
    },
    Expected {
        file: "assimp/test.x",
        nodes: 1,
        vertices: 24,
        triangles: 12,
        joints: None,
        clip: None,
        texture: Some("./test.png"),
        warnings: &[],
    },
    CUBE,
    Expected { file: "assimp/test_cube_binary.x", ..CUBE },
    Expected { file: "assimp/test_cube_compressed.x", ..CUBE },
];

const CUBE: Expected = Expected {
    file: "assimp/test_cube_text.x",
    nodes: 2,
    vertices: 24,
    triangles: 12,
    joints: Some(1),
    clip: None,
    texture: None,
    warnings: &[],
};

#[test]
fn every_file_has_the_numbers_of_its_text() {
    let Some(models) = models() else { return };
    for expected in &EXPECTED {
        let name = expected.file;
        let imported = load(&models.join(name));
        assert_eq!(codes(&imported), expected.warnings, "{name}");
        let model = imported.model;
        assert_eq!(model.nodes.len(), expected.nodes, "{name}");
        let primitives = || model.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let vertices: usize = primitives().map(|primitive| primitive.positions.len()).sum();
        let triangles: usize = primitives().map(|primitive| primitive.indices.len() / 3).sum();
        assert_eq!((vertices, triangles), (expected.vertices, expected.triangles), "{name}");
        assert_eq!(model.skins.first().map(|skin| skin.joints.len()), expected.joints, "{name}");
        let clips: Vec<(&str, f32)> =
            model.clips.iter().map(|clip| (clip.name.as_str(), clip.duration_secs)).collect();
        let clip = expected.clip.map(|(name, duration_secs, _)| (name, duration_secs));
        assert_eq!(clips, clip.into_iter().collect::<Vec<_>>(), "{name}");
        let mut moved: Vec<_> =
            model.clips.iter().flat_map(|clip| &clip.tracks).map(|track| track.node).collect();
        moved.sort();
        moved.dedup();
        assert_eq!(moved.len(), expected.clip.map_or(0, |clip| clip.2), "{name}");
        let uris: Vec<&str> = model.images.iter().map(uri).collect();
        assert_eq!(uris, expected.texture.into_iter().collect::<Vec<_>>(), "{name}");
    }
    saw(EXPECTED.len());
}

fn uri(image: &gambol::model::Image) -> &str {
    match &image.source {
        ImageSource::Uri(uri) => uri,
        ImageSource::Encoded(_) => panic!("no .x file holds pictures"),
    }
}

/// Tests that the three encodings of the cube give one model. Two programs wrote them, so some digits differ.
#[test]
fn text_binary_and_compressed_are_one_cube() {
    let Some(models) = models() else { return };
    let [text, binary, compressed] = ["text", "binary", "compressed"]
        .map(|encoding| load(&models.join(format!("assimp/test_cube_{encoding}.x"))).model);
    assert_eq!(format!("{binary:?}"), format!("{compressed:?}"), "to the bit");
    let rest = |model: &Model| drawn(model, &ReferencePose::rest(model));
    assert!(apart(&rest(&binary), &rest(&text)) < 1e-6);
    let (text, binary) = (&text.meshes[0].primitives[0], &binary.meshes[0].primitives[0]);
    assert_eq!((&text.indices, &text.influences), (&binary.indices, &binary.influences));
    saw(3);
}

fn bounds(points: &[DVec3]) -> (DVec3, DVec3) {
    points.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), point| {
        (low.min(*point), high.max(*point))
    })
}

/// Tests the whole walk cycle: the model stays upright and about as tall as at rest, and its bounds equal those of
/// assimp 5.2 (with 4800 ticks per second).
#[test]
fn tiny_walks_upright() {
    let Some(models) = models() else { return };
    let model = load(&models.join("tiny/tiny.x")).model;
    for (time_secs, low, high) in [
        (0.0, [-83.03, -255.21, -142.41], [81.69, 249.50, 149.50]),
        (0.258_333_3, [-86.95, -258.51, -165.55], [66.17, 243.28, 103.50]),
        (0.516_666_7, [-71.16, -257.95, -112.21], [82.04, 243.05, 135.96]),
        (0.775, [-78.08, -256.96, -137.10], [81.58, 245.96, 93.92]),
        (1.033_333_3, [-83.03, -255.21, -142.41], [81.69, 249.50, 149.50]),
    ] {
        let (found_low, found_high) = bounds(&drawn_at(&model, 0, time_secs));
        assert!(found_low.abs_diff_eq(DVec3::from_array(low), 0.01), "{found_low} at {time_secs}");
        assert!(found_high.abs_diff_eq(DVec3::from_array(high), 0.01), "{found_high} at {time_secs}");
    }
    for step in 0..=60 {
        let (low, high) = bounds(&drawn_at(&model, 0, step as f32 / 60.0));
        let size = high - low;
        assert!(size.is_finite() && (480.0..520.0).contains(&size.y), "{size}");
        assert!(size.x < 200.0 && size.z < 360.0, "{size}");
    }
    saw(1);
}

/// Tests that the mesh at rest is the file's mesh, transformed by its frame: the file's offset matrices are the
/// inverses of its rest pose.
#[test]
fn the_cool_guy_at_rest_is_his_mesh() {
    let Some(models) = models() else { return };
    let model = load(&models.join("testentities_cool_guy.x")).model;
    let rest = ReferencePose::rest(&model).resolve(&model);
    let mesh_node = model.nodes.iter().position(|node| node.mesh.is_some()).unwrap();
    for matrix in skin_matrices(&model, SkinIndex::new(0), &rest) {
        assert!(matrix.abs_diff_eq(rest[mesh_node], 2e-4), "{matrix}");
    }
    for step in 0..=29 {
        let time_secs = step as f32 / 4800.0;
        let (low, high) = bounds(&drawn_at(&model, 0, time_secs));
        assert!(low.y > -0.2 && (4.3..4.8).contains(&high.y), "{low} {high} at tick {step}");
    }
    saw(1);
}

/// Tests the direction of key rotations: the first keys of this file equal its rest matrices.
#[test]
fn keys_of_rotation_turn_as_the_rest_matrix_of_the_same_frame() {
    let Some(models) = models() else { return };
    let model = load(&models.join("assimp/anim_test.x")).model;
    let pose = ReferencePose::sample(&model, ClipIndex::new(0), 1.0 / 24.0);
    for joint in ["joint1", "joint2"] {
        let node = model.find_node(joint).unwrap();
        let rest = model.node(node).rest;
        let keyed = pose.rotations[node.get()];
        assert!(
            keyed.dot(rest.rotation.as_dquat()).abs() > 0.999_999,
            "{joint}: {keyed} and {}",
            rest.rotation
        );
        let moved = pose.translations[node.get()].as_vec3();
        assert!(moved.abs_diff_eq(rest.translation, 1e-2), "{joint}: {moved} and {}", rest.translation);
    }
    assert_ne!(model.node(model.find_node("joint2").unwrap()).rest.rotation.z, 0.0);
    let tip = |time_secs| node_at(&model, "joint2", 0, time_secs).transform_point3(DVec3::X * 5.0);
    assert!(tip(1.0 / 24.0).distance(tip(1.0)) > 1.0, "and they bend it");
    saw(1);
}

/// Tests that triangles are counter-clockwise as seen from the side to which their normals point.
#[test]
fn the_winding_agrees_with_the_normals() {
    let Some(models) = models() else { return };
    // The exporter of the cubes wrote normals that point inwards on four sides.
    let files = EXPECTED.iter().map(|expected| expected.file).filter(|file| !file.contains("cube"));
    saw(files.clone().count());
    for file in files {
        let model = load(&models.join(file)).model;
        for primitive in model.meshes.iter().flat_map(|mesh| &mesh.primitives) {
            let (mut agree, mut count) = (0, 0);
            for triangle in primitive.indices.chunks(3) {
                let corner = |of: &[Vec3], at: usize| of[triangle[at] as usize];
                let [a, b, c] = [0, 1, 2].map(|at| corner(&primitive.positions, at));
                let normal: Vec3 = (0..3).map(|at| corner(&primitive.normals, at)).sum();
                agree += usize::from((b - a).cross(c - a).dot(normal) >= 0.0);
                count += 1;
            }
            // Real meshes have a few folds.
            assert!(agree * 100 >= count * 97, "{file}: {agree} of {count}");
        }
    }
}
