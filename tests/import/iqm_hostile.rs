//! Inconsistent, truncated and malicious Inter-Quake files. None causes a panic or disproportionate memory use.

use crate::support::hostile::{Random, within_bounds};
use crate::support::iqm_writer;
use crate::support::iqm_writer::{Iqm, MeshRow, anim, flag, floats};
use gambol::import::{Imported, Resources, import};
use gambol::model::check::check;

/// Imports the file and returns the code of the error, or "".
fn code_of(bytes: &[u8]) -> &'static str {
    match import(bytes, &Resources::default()) {
        Ok(Imported { model, .. }) => {
            assert_eq!(check(&model), []);
            ""
        }
        Err(error) => {
            assert!(error.place().starts_with("byte "), "{error}");
            error.code()
        }
    }
}

/// Returns the code of the error, and asserts a bound on memory.
fn code_within_bounds(bytes: &[u8]) -> &'static str {
    within_bounds(bytes, code_of)
}

fn patched(file: &[u8], words: &[(usize, u32)]) -> Vec<u8> {
    let mut file = file.to_vec();
    for &(at, word) in words {
        file[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }
    file
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    for whole in [Iqm::small().write(), flag::flag().write()] {
        assert_eq!(code_of(&whole), "");
        for length in 0..whole.len() {
            let code = code_of(&whole[..length]);
            assert_eq!(code, if length < 16 { "NOT_A_MODEL" } else { "FILE_TRUNCATED" }, "{length} bytes");
        }
    }
}

#[test]
fn a_file_that_hides_its_cut_never_panics() {
    let whole = flag::flag().write();
    for length in 124..whole.len() {
        code_of(&patched(&whole[..length], &[(20, length as u32)]));
    }
}

#[test]
fn damage_never_panics() {
    let mut random = Random(0x1_0715);
    for whole in [Iqm::small().write(), flag::flag().write()] {
        for _ in 0..4_000 {
            let mut mutant = whole.clone();
            for _ in 0..=random.below(4) {
                let at = random.below(mutant.len());
                mutant[at] = random.next() as u8;
            }
            code_of(&mutant);
        }
    }
}

#[test]
fn words_that_lie_never_panic() {
    let lies = [
        0,
        1,
        2,
        3,
        7,
        255,
        65535,
        0x7fff_ffff,
        0x8000_0000,
        u32::MAX,
        f32::NAN.to_bits(),
        f32::MAX.to_bits(),
    ];
    let whole = Iqm::small().write();
    for at in (16..whole.len()).step_by(4) {
        for lie in lies {
            code_within_bounds(&patched(&whole, &[(at, lie)]));
        }
    }
    let mut random = Random(0x11E5);
    for _ in 0..2_000 {
        let lie = |random: &mut Random| (16 + 4 * random.below(27), lies[random.below(lies.len())]);
        let words: Vec<_> = (0..3).map(|_| lie(&mut random)).collect();
        code_within_bounds(&patched(&whole, &words));
    }
}

#[test]
fn frames_that_take_no_room_take_none_when_read() {
    let mut iqm = Iqm::small();
    iqm.set_motion(&vec![iqm.joints.iter().map(|joint| joint.local).collect(); 2]);
    iqm.anims = vec![anim("Long", 0, 2, 4.0)];
    let file = iqm.write();
    let anims_at = u32::from_le_bytes(file[88..92].try_into().unwrap()) as usize;
    let long = patched(&file, &[(92, u32::MAX), (anims_at + 8, u32::MAX)]);
    assert_eq!(code_within_bounds(&long), "");
}

#[test]
fn meshes_that_share_all_triangles_are_counted() {
    let mut iqm = Iqm { vertex_count: 1_000, ..Iqm::small() };
    iqm.arrays = vec![floats(iqm_writer::POSITION, 3, &vec![0.0; 3_000])];
    iqm.triangles = (0..10_000).map(|number| [number % 1_000, (number + 1) % 1_000, 0]).collect();
    iqm.meshes = vec![
        MeshRow {
            name: String::new(),
            material: String::new(),
            first_triangle: 0,
            triangle_count: 10_000
        };
        10_000
    ];
    assert_eq!(code_within_bounds(&iqm.write()), "MODEL_TOO_LARGE");
}

#[test]
fn clips_that_share_all_frames_are_counted() {
    let mut iqm = Iqm::small();
    let nod = |angle: f32| {
        let mut frame: Vec<_> = iqm.joints.iter().map(|joint| joint.local).collect();
        frame[1][3] = angle;
        frame
    };
    let frames: Vec<_> = (0..10_000).map(|frame| nod(frame as f32)).collect();
    iqm.set_motion(&frames);
    iqm.anims = vec![anim("", 0, 10_000, 4.0); 10_000];
    assert_eq!(code_within_bounds(&iqm.write()), "MODEL_TOO_LARGE");
}

#[test]
fn names_that_share_one_long_text_are_counted() {
    let mut iqm = Iqm::small();
    iqm.joints[0].name = "a".repeat(1 << 20);
    let root = iqm.joints[0].clone();
    let file = {
        iqm.joints.extend(vec![iqm_writer::JointRow { name: String::new(), ..root }; 10_000]);
        iqm.anims.clear();
        iqm.poses.clear();
        iqm.write()
    };
    let joints_at = u32::from_le_bytes(file[72..76].try_into().unwrap()) as usize;
    let name = u32::from_le_bytes(file[joints_at..joints_at + 4].try_into().unwrap());
    let words: Vec<_> = (0..10_002).map(|joint| (joints_at + joint * 48, name)).collect();
    assert_eq!(code_within_bounds(&patched(&file, &words)), "MODEL_TOO_LARGE");
}

#[test]
fn a_chain_of_many_joints_is_no_recursion() {
    let mut iqm = Iqm { joints: Iqm::small().joints, ..Iqm::empty() };
    let last = iqm.joints[1].clone();
    // Each joint is the child of the next one.
    iqm.joints = (0..100_000)
        .map(|number| iqm_writer::JointRow {
            parent: if number == 99_999 { -1 } else { number + 1 },
            name: String::new(),
            ..last.clone()
        })
        .collect();
    assert_eq!(code_within_bounds(&iqm.write()), "");
}
