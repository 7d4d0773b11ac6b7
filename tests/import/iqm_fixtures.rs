//! The .iqm fixtures equal the output of the tests' own IQM writer, so that none comes from elsewhere or is out of
//! date.
//!
//! `WRITE_FIXTURES=1 cargo test --test import iqm_fixtures` writes them again.

use crate::support::iqm_writer;
use crate::support::iqm_writer::{
    BLEND_WEIGHTS, Iqm, NORMAL, POSITION, TEXCOORD, flag, floats, joint, local,
};
use glam::{Quat, Vec3};
use std::fs;
use std::path::Path;

fn with(change: impl FnOnce(&mut Iqm)) -> Vec<u8> {
    let mut iqm = Iqm::small();
    change(&mut iqm);
    iqm.write()
}

/// Returns the written file with one 32-bit word replaced.
fn patched(at: usize, word: u32) -> Vec<u8> {
    let mut file = Iqm::small().write();
    file[at..at + 4].copy_from_slice(&word.to_le_bytes());
    file
}

fn fixtures() -> Vec<(&'static str, Vec<u8>)> {
    let small = Iqm::small().write();
    vec![
        ("import/iqm/valid.iqm", small.clone()),
        ("import/iqm/FILE_TRUNCATED.iqm", small[..small.len() - 4].to_vec()),
        ("import/iqm/FILE_TRUNCATED.header.iqm", small[..60].to_vec()),
        ("import/iqm/FORMAT_VERSION_UNSUPPORTED.iqm", patched(16, 3)),
        // More joints than the file has room for.
        ("import/iqm/COUNT_WRONG.iqm", patched(68, 1000)),
        ("import/iqm/COUNT_WRONG.channels.iqm", patched(96, 3)),
        ("import/iqm/INDEX_OUT_OF_RANGE.joint.iqm", with(|iqm| iqm.joints[1].parent = 7)),
        ("import/iqm/INDEX_OUT_OF_RANGE.frames.iqm", with(|iqm| iqm.anims[0].frame_count = 4)),
        ("import/iqm/INDEX_OUT_OF_RANGE.triangles.iqm", with(|iqm| iqm.meshes[0].triangle_count = 2)),
        ("import/iqm/INDEX_OUT_OF_RANGE.format.iqm", with(|iqm| iqm.array(NORMAL).format = 9)),
        ("import/iqm/NODE_CYCLE.iqm", with(|iqm| iqm.joints[0].parent = 1)),
        ("import/iqm/VERTEX_INDEX_OUT_OF_RANGE.iqm", with(|iqm| iqm.triangles[0][2] = 3)),
        (
            "import/iqm/JOINT_INDEX_OUT_OF_RANGE.iqm",
            with(|iqm| iqm.array(iqm_writer::BLEND_INDEXES).bytes[4] = 2),
        ),
        (
            "import/iqm/VALUE_NOT_FINITE.iqm",
            with(|iqm| iqm.array(POSITION).bytes[..4].copy_from_slice(&f32::NAN.to_le_bytes())),
        ),
        ("import/iqm/VALUE_NOT_FINITE.joint.iqm", with(|iqm| iqm.joints[1].local[2] = f32::INFINITY)),
        (
            "import/iqm/VALUES_NOT_FINITE.iqm",
            with(|iqm| iqm.array(TEXCOORD).bytes[..4].copy_from_slice(&f32::NAN.to_le_bytes())),
        ),
        ("import/iqm/VERTICES_UNWEIGHTED.iqm", with(|iqm| iqm.array(BLEND_WEIGHTS).bytes[8..].fill(0))),
        ("import/iqm/JOINT_WEIGHTS_NOT_NORMALISED.iqm", with(|iqm| iqm.array(BLEND_WEIGHTS).bytes[8] = 100)),
        (
            "import/iqm/BIND_NOT_INVERTIBLE.iqm",
            with(|iqm| iqm.joints[1].local = local(Vec3::Z, Quat::IDENTITY, Vec3::ZERO)),
        ),
        (
            "import/iqm/JOINTS_MISSING.iqm",
            with(|iqm| {
                iqm.joints.clear();
                iqm.meshes.clear();
            }),
        ),
        (
            "import/iqm/POSES_COUNT_WRONG.iqm",
            with(|iqm| iqm.joints.push(joint("third", 1, Vec3::Z, Quat::IDENTITY))),
        ),
        ("import/iqm/FRAME_RATE_UNKNOWN.iqm", with(|iqm| iqm.anims[0].frame_rate = 0.0)),
        ("import/iqm/LOOP_CLOSED.iqm", with(|iqm| iqm.anims[0].flags = 1)),
        ("import/iqm/ROTATION_NOT_UNIT.iqm", with(|iqm| iqm.joints[0].local[6] = 2.0)),
        ("import/iqm/KEY_ROTATIONS_NOT_UNIT.iqm", with(|iqm| iqm.poses[0].offset[6] = 2.0)),
        ("import/iqm/EXTENSION_IGNORED.iqm", with(|iqm| iqm.extensions = vec!["OURS_EVENTS".into()])),
        (
            "import/iqm/PRIMITIVE_WITHOUT_POSITIONS.iqm",
            with(|iqm| iqm.arrays.retain(|array| array.kind != POSITION)),
        ),
        (
            "import/iqm/NORMALS_NOT_UNIT.iqm",
            with(|iqm| {
                *iqm.array(NORMAL) = floats(NORMAL, 3, &[0.0, -2.0, 0.0, 0.0, -1.0, 0.0, 0.0, -1.0, 0.0])
            }),
        ),
        ("import/iqm/UV_SET_MISSING.iqm", with(|iqm| iqm.arrays.retain(|array| array.kind != TEXCOORD))),
        (
            "import/iqm/JOINTS_WITHOUT_WEIGHTS.iqm",
            with(|iqm| iqm.arrays.retain(|array| array.kind != BLEND_WEIGHTS)),
        ),
        (
            "import/iqm/SKIN_MISSING.iqm",
            with(|iqm| {
                iqm.joints.clear();
                iqm.poses.clear();
                iqm.anims.clear();
            }),
        ),
        ("import/iqm/NODE_NAME_REPEATED.iqm", with(|iqm| iqm.joints[1].name = "root".into())),
        ("formats/flag.iqm", flag::flag().write()),
        ("formats/flag.tga", flag::picture()),
    ]
}

#[test]
fn the_fixtures_are_as_the_writer_writes_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    for (name, bytes) in fixtures() {
        let path = folder.join(name);
        if std::env::var_os("WRITE_FIXTURES").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &bytes).unwrap();
        }
        let found =
            fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}; WRITE_FIXTURES=1 makes it"));
        assert!(found == bytes, "{name} isn't what the writer writes; WRITE_FIXTURES=1 writes it again");
    }
}
