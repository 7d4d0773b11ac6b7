//! Whole Collada files: the repository's own flag and files from other projects, compared with their .glb
//! counterparts and with numbers in the files themselves.

use crate::support::collada::{Posed, codes, distance, fixture, imported, models, saw, size};
use gambol::import::{Resources, import};
use gambol::model::{ImageSource, Wrap};
use glam::{Mat4, Quat, Vec2, Vec3};
use serde_json::Value;
use std::fs;

#[test]
fn the_flag_waves_and_hangs() {
    let flag = imported(&fixture("formats/flag.dae"));
    assert_eq!(codes(&flag), <[&str; 0]>::default());
    let model = &flag.model;
    let clips: Vec<(&str, f32)> = model.clips.iter().map(|clip| (&*clip.name, clip.duration_secs)).collect();
    assert_eq!(clips, [("Wave", 2.0), ("Hang", 1.0)]);
    let primitive = &model.meshes[0].primitives[0];
    assert_eq!((primitive.positions.len(), primitive.indices.len()), (13 * 7, 12 * 6 * 6));
    // The lower left corner of the cloth has the UV of the texture's lower left corner, where V is 1.
    assert_eq!((primitive.positions[0], primitive.uv_sets[0][0]), (Vec3::ZERO, Vec2::new(0.0, 1.0)));
    let material = &model.materials[0];
    let slot = material.base_color_texture.unwrap();
    assert_eq!((slot.uv_set, material.double_sided), (0, true));
    assert_eq!(model.textures[slot.texture.get()].wrap_u, Wrap::ClampToEdge);
    assert_eq!(model.images[0].source, ImageSource::Uri("flag.png".into()));

    // Centimetres and Z up become metres and Y up.
    let mut flag = Posed::new(flag.model);
    let highest = |flag: &Posed| flag.vertices().into_iter().map(|vertex| vertex.y).fold(0.0, f32::max);
    assert!((highest(&flag) - 0.6).abs() < 1e-6);
    assert!(flag.model_from("tip").translation.abs_diff_eq(Vec3::new(0.6, 0.0, 0.0).into(), 1e-6));
    // Halfway through "Hang" the joints have turned by 10°, 60° and 75°, about what was Z.
    let turned = |degrees: f32| Vec3::new(degrees.to_radians().cos(), 0.0, -degrees.to_radians().sin());
    let tip = 0.3 * turned(10.0) + 0.3 * turned(70.0);
    assert!(flag.at(1, 0.5).model_from("tip").translation.abs_diff_eq(tip.into(), 1e-6));
    let end = tip + 0.3 * turned(145.0);
    assert!(flag.vertices().iter().any(|vertex| vertex.abs_diff_eq(end, 1e-5)));
    assert!(flag.at(1, 1.0).model_from("tip").translation.abs_diff_eq(Vec3::new(0.6, 0.0, 0.0).into(), 1e-6));
}

struct Expected {
    file: &'static str,
    nodes: usize,
    joints: &'static [usize],
    clips: &'static [(&'static str, f32)],
    triangles: usize,
    materials: usize,
    warnings: &'static [&'static str],
}

/// Numbers counted in the files by eye and with `assimp info`.
const REAL_FILES: [Expected; 6] = [
    Expected {
        file: "chinedufn/animated-blender-cube.dae",
        nodes: 2,
        joints: &[],
        clips: &[("clip 0", 0.833_333_3)],
        triangles: 12,
        materials: 1,
        warnings: &[],
    },
    Expected {
        file: "chinedufn/letter-f-animated.dae",
        nodes: 5,
        joints: &[2],
        clips: &[("clip 0", 5.0)],
        triangles: 60,
        materials: 0,
        warnings: &[],
    },
    Expected {
        file: "chinedufn/two-skinned-cubes.dae",
        nodes: 5,
        joints: &[2],
        clips: &[("clip 0", 4.166_666)],
        triangles: 24,
        materials: 0,
        warnings: &[],
    },
    Expected {
        file: "khronos/BoxAnimated/BoxAnimated.dae",
        nodes: 5,
        joints: &[],
        clips: &[("clip 0", 3.708_33)],
        triangles: 172,
        materials: 2,
        // A reference to a camera that the exporter was set to omit.
        warnings: &["REFERENCE_IGNORED"],
    },
    Expected {
        file: "khronos/RiggedSimple/RiggedSimple.dae",
        nodes: 5,
        joints: &[2],
        clips: &[("clip 0", 2.083_333)],
        triangles: 188,
        materials: 1,
        warnings: &[],
    },
    Expected {
        file: "thinmatrix/model.dae",
        nodes: 20,
        joints: &[16],
        clips: &[("clip 0", 0.833_333_3)],
        triangles: 1420,
        materials: 1,
        warnings: &[],
    },
];

#[test]
fn real_files_have_what_they_should() {
    let Some(models) = models() else { return };
    saw(REAL_FILES.len());
    for expected in REAL_FILES {
        let file = expected.file;
        let imported = imported(&fs::read(models.join("dae").join(file)).unwrap());
        assert_eq!(codes(&imported), expected.warnings, "{file}");
        let model = imported.model;
        assert_eq!(model.nodes.len(), expected.nodes, "{file}");
        let joints: Vec<usize> = model.skins.iter().map(|skin| skin.joints.len()).collect();
        assert_eq!(joints, expected.joints, "{file}");
        let clips: Vec<(&str, f32)> =
            model.clips.iter().map(|clip| (&*clip.name, clip.duration_secs)).collect();
        assert_eq!(clips, expected.clips, "{file}");
        let primitives = model.meshes.iter().flat_map(|mesh| &mesh.primitives);
        assert_eq!(
            primitives.map(|primitive| primitive.indices.len() / 3).sum::<usize>(),
            expected.triangles,
            "{file}"
        );
        assert_eq!(model.materials.len(), expected.materials, "{file}");
    }
}

/// Tests that the matrices of a file's keys equal the joints' transforms at those times, relative to their parents.
#[test]
fn joints_stand_at_their_keys_as_the_file_says() {
    let Some(models) = models() else { return };
    let mut compared = 0;
    for (file, joints) in [
        ("chinedufn/letter-f-animated.dae", &["Bone", "Bone_001"][..]),
        ("chinedufn/two-skinned-cubes.dae", &["Bone", "Bone_001"]),
        ("khronos/RiggedSimple/RiggedSimple.dae", &["Bone", "Bone_001"]),
        ("thinmatrix/model.dae", &["Torso", "Chest", "Neck", "Head", "Upper_Arm_L", "Hand_R", "Foot_L"]),
    ] {
        let text = fs::read_to_string(models.join("dae").join(file)).unwrap();
        let mut posed = Posed::of(text.as_bytes());
        for joint in joints {
            let array = |name: &str| {
                let (_, after) =
                    text.split_once(&format!("id=\"Armature_{joint}_pose_matrix-{name}-array\"")).unwrap();
                let (numbers, _) = after.split_once('>').unwrap().1.split_once('<').unwrap();
                numbers.split_whitespace().map(|number| number.parse().unwrap()).collect::<Vec<f32>>()
            };
            for (time, rows) in array("input").into_iter().zip(array("output").chunks(16)) {
                let expected = Mat4::from_cols_array(rows.try_into().unwrap()).transpose();
                let name = joint.replacen("_001", ".001", 1);
                let name = name.replace("_L", ".L").replace("_R", ".R");
                posed.at(0, time);
                let node = posed.node(&name);
                let parent = posed.rig.model().node(node).parent.unwrap();
                let found = posed.posed.model_from_node(parent).inverse() * posed.posed.model_from_node(node);
                // The keys have six digits and were decomposed and recomposed.
                assert!(Mat4::from(found).abs_diff_eq(expected, 2e-4), "{file}: {joint} at {time}: {found}");
                compared += 1;
            }
        }
    }
    assert!(compared > 40, "only {compared} compared");
    saw(4);
}

/// Compares the boxes with their .glb, whose converter joins all keys with straight lines. With linear keys the
/// poses are equal at all times. With the .dae's Bézier curves they are equal at the keys and follow the curves
/// between.
#[test]
fn the_animated_boxes_move_as_their_glb_does() {
    let Some(models) = models() else { return };
    let text = fs::read_to_string(models.join("dae/khronos/BoxAnimated/BoxAnimated.dae")).unwrap();
    let golden = models.join("goldens/gltf_khronos_BoxAnimated_glTF-Binary_BoxAnimated.glb.json");
    let golden: Value = serde_json::from_slice(&fs::read(golden).unwrap()).unwrap();
    let mut straight = Posed::of(text.replace("BEZIER", "LINEAR").as_bytes());
    let mut compared = 0;
    for sample in golden["clips"][0]["samples"].as_array().unwrap() {
        straight.at(0, sample["t"].as_f64().unwrap() as f32);
        // Node indices of the .glb.
        for (node, name) in [("2", "inner_box"), ("3", "outer_box")] {
            let numbers = sample["nodes"][node].as_array().unwrap();
            let expected = std::array::from_fn(|at| numbers[at].as_f64().unwrap() as f32);
            let found = Mat4::from(straight.model_from(name));
            assert!(
                found.abs_diff_eq(Mat4::from_cols_array(&expected), 1e-4),
                "{name} at {}: {found}",
                sample["t"]
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 12);

    let glb = fs::read(models.join("gltf/khronos/BoxAnimated/glTF-Binary/BoxAnimated.glb")).unwrap();
    let mut glb = Posed::new(import(&glb, &Resources::default()).unwrap().model);
    let mut curved = Posed::of(text.as_bytes());
    for time in [0.0, 1.25, 2.5, 3.708_33] {
        let (found, expected) = (curved.at(0, time).vertices(), glb.at(0, time).vertices());
        let off = distance(&found, &expected).max(distance(&expected, &found)) / size(&expected);
        assert!(off <= 1e-3, "{off} at {time}");
    }
    // Flat at both ends: 2.52 · (3s² − 2s³). Time is linear in s: 3·⅓s(1−s)² + 3·⅔s²(1−s) + s³ = s.
    for time in [0.2, 0.625, 1.1_f32] {
        let s = time / 1.25;
        let height = 2.52 * (3.0 - 2.0 * s) * s * s;
        let found = curved.at(0, time).model_from("inner_box").translation.y;
        assert!((found - height).abs() < 1e-3 * 2.52, "{found} for {height} at {time}");
    }
    saw(1);
}

/// Compares the cylinder with its .glb, which was exported again from a scene whose armature had been rotated a
/// quarter turn about the cylinder, with a key per frame. Rotated back, the motion is the same.
#[test]
fn the_rigged_cylinder_bends_as_its_glb_does() {
    let Some(models) = models() else { return };
    let mut dae = Posed::of(&fs::read(models.join("dae/khronos/RiggedSimple/RiggedSimple.dae")).unwrap());
    let glb = fs::read(models.join("gltf/khronos/RiggedSimple/glTF-Binary/RiggedSimple.glb")).unwrap();
    let mut glb = Posed::new(import(&glb, &Resources::default()).unwrap().model);
    let back = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
    let last = dae.rig.model().clips[0].duration_secs;
    let mut worst = 0.0_f32;
    for part in 0..=20 {
        let time = last * part as f32 / 20.0;
        let expected: Vec<Vec3> = glb.at(0, time).vertices().iter().map(|vertex| back * *vertex).collect();
        let found = dae.at(0, time).vertices();
        worst = worst.max(distance(&found, &expected).max(distance(&expected, &found)) / size(&expected));
    }
    println!("off by {worst:.1e} at most");
    assert!(worst <= 1e-3, "{worst}");
    saw(1);
    assert!(dae.at(0, last / 2.0).vertices().iter().any(|vertex| vertex.z < -2.0), "it bends");
}
