//! Poses and frames become keys, anims clips.

use super::*;
use crate::support::iqm_writer::{anim, local};

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
