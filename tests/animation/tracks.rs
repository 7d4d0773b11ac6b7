//! Tracks: values between, at, before and past the keys, unkeyed properties, and the blending of two poses.

use crate::support::made_model;
use crate::support::made_model::{
    Random, any_model, at, clip, every_node, first_clip, foxlike, model, moved, nodes, resolved, rig,
    sampled, track, turned,
};
use gambol::animation::{ClipCursor, LocalPose, ModelPose, Rig, Rotations, blend_into};
use gambol::model::{Clip, ClipIndex, Interpolation, Mesh, MeshIndex, Srt, Track, TrackValues};
use glam::{DQuat, Quat, Vec3};
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

/// Returns one node with a rotation track about X at the given key angles.
fn turning(interpolation: Interpolation, times: &[f32], angles: &[f32]) -> Rig {
    let values = angles.iter().map(|&angle| Quat::from_rotation_x(angle)).collect();
    let track = track(0, interpolation, times, TrackValues::Rotation(values));
    rig(model(nodes(&[(None, Srt::IDENTITY)]), vec![clip("turn", vec![track])]))
}

/// Returns one node with a translation track along X.
fn sliding(interpolation: Interpolation, times: &[f32], places: &[f32]) -> Rig {
    let values = places.iter().map(|&x| Vec3::X * x).collect();
    let track = track(0, interpolation, times, TrackValues::Translation(values));
    rig(model(nodes(&[(None, moved(Vec3::Y))]), vec![clip("slide", vec![track])]))
}

fn place(rig: &Rig, time_secs: f32) -> f32 {
    sampled(rig, time_secs).srt(at(0)).translation.x
}

#[test]
fn S36_S45_keys_replace_the_rest_and_what_is_not_keyed_takes_it() {
    let rest = Srt { scale: Vec3::splat(2.0), rotation: Quat::from_rotation_y(1.0), translation: Vec3::Y };
    let track =
        track(0, Interpolation::Linear, &[0.0, 1.0], TrackValues::Translation(vec![Vec3::X, Vec3::Z]));
    let rig = rig(model(nodes(&[(None, rest), (None, rest)]), vec![clip("slide", vec![track])]));
    let mut pose = LocalPose::rest(&rig);
    pose.set_srt(at(1), Srt::IDENTITY);
    rig.sample_into(first_clip(), 0.0, &mut ClipCursor::default(), &mut pose);
    assert_eq!(pose.srt(at(0)), Srt { translation: Vec3::X, ..rest });
    assert_eq!(pose.srt(at(1)), rest);
}

#[test]
fn S37_keys_are_relative_to_the_parent() {
    let values = TrackValues::Translation(vec![Vec3::X, Vec3::Z]);
    let track = track(1, Interpolation::Linear, &[0.0, 1.0], values);
    let parent = Srt { translation: Vec3::Y, ..turned(Quat::from_rotation_y(FRAC_PI_2)) };
    let rig =
        rig(model(nodes(&[(None, parent), (Some(0), Srt::IDENTITY)]), vec![clip("slide", vec![track])]));
    let child = resolved(&rig, &sampled(&rig, 0.0)).model_from_node(at(1)).translation;
    assert!(child.abs_diff_eq(Vec3::new(0.0, 1.0, -1.0).into(), 1e-6), "{child}");
}

#[test]
fn S41_every_property_has_its_own_key_times() {
    let tracks = vec![
        track(0, Interpolation::Linear, &[0.0, 4.0], TrackValues::Translation(vec![Vec3::ZERO, Vec3::X])),
        track(
            0,
            Interpolation::Linear,
            &[1.0, 2.0, 3.0],
            TrackValues::Scale([1.0, 2.0, 4.0].map(Vec3::splat).into()),
        ),
        track(
            0,
            Interpolation::Linear,
            &[0.0, 2.0],
            TrackValues::Rotation(vec![Quat::IDENTITY, Quat::from_rotation_x(1.0)]),
        ),
    ];
    let rig = rig(model(nodes(&[(None, Srt::IDENTITY)]), vec![clip("all", tracks)]));
    let Srt { scale, rotation, translation } = sampled(&rig, 1.5).srt(at(0));
    assert_eq!((scale.x, translation.x), (1.5, 0.375));
    assert!(rotation.abs_diff_eq(Quat::from_rotation_x(0.75), 1e-6));
}

#[test]
fn S42_a_missing_track_takes_the_rest_value() {
    let rig = turning(Interpolation::Linear, &[0.0, 1.0], &[0.0, 1.0]);
    let srt = sampled(&rig, 0.5).srt(at(0));
    assert_eq!((srt.scale, srt.translation), (Vec3::ONE, Vec3::ZERO));
}

#[test]
fn S43_single_key_track_is_constant() {
    for interpolation in [Interpolation::Step, Interpolation::Linear] {
        let rig = sliding(interpolation, &[0.5], &[7.0]);
        for time in [0.0, 0.5, 2.0] {
            assert_eq!(place(&rig, time), 7.0);
        }
    }
    let rig = sliding(Interpolation::CubicSpline, &[0.5], &[100.0, 7.0, 100.0]);
    assert_eq!([0.0, 0.5, 2.0].map(|time| place(&rig, time)), [7.0; 3]);
}

#[test]
fn S43_S44_S61_before_the_first_key_the_first_value_and_past_the_last_the_last() {
    for interpolation in [Interpolation::Step, Interpolation::Linear] {
        let rig = sliding(interpolation, &[1.0, 2.0], &[5.0, 6.0]);
        assert_eq!(
            [-1.0, 0.0, 0.5, 1.0, 2.0, 3.0].map(|time| place(&rig, time)),
            [5.0, 5.0, 5.0, 5.0, 6.0, 6.0]
        );
    }
}

#[test]
fn the_shorter_track_holds_until_the_clip_ends() {
    let tracks = vec![
        track(0, Interpolation::Linear, &[0.0, 1.0], TrackValues::Translation(vec![Vec3::ZERO, Vec3::X])),
        track(1, Interpolation::Linear, &[0.0, 2.0], TrackValues::Translation(vec![Vec3::ZERO, Vec3::X])),
    ];
    let rig = rig(model(nodes(&[(None, Srt::IDENTITY), (None, Srt::IDENTITY)]), vec![clip("two", tracks)]));
    let pose = sampled(&rig, 1.5);
    assert_eq!([0, 1].map(|node| pose.srt(at(node)).translation.x), [1.0, 0.75]);
}

#[test]
fn S46_vectors_go_straight_and_rotations_along_the_arc() {
    let rig = sliding(Interpolation::Linear, &[0.0, 2.0], &[0.0, 8.0]);
    assert_eq!(place(&rig, 0.5), 2.0);
    let rig = turning(Interpolation::Linear, &[0.0, 1.0], &[0.0, 3.0]);
    for step in 0..=20 {
        let time = step as f32 / 20.0;
        let exact = Quat::from_rotation_x(3.0 * time);
        assert!(sampled(&rig, time).srt(at(0)).rotation.abs_diff_eq(exact, 3e-7), "at {time}");
    }
}

#[test]
fn S47_sparse_rotation_keys_turn_at_even_speed() {
    // 0° ── 90° ── 0°: a quarter of the way is 22.5°, where NLERP would be a degree off.
    let rig = turning(Interpolation::Linear, &[0.0, 1.0, 2.0], &[0.0, FRAC_PI_2, 0.0]);
    for (time, angle) in [(0.25, FRAC_PI_2 / 4.0), (0.5, FRAC_PI_4), (1.75, FRAC_PI_2 / 4.0)] {
        let rotation = sampled(&rig, time).srt(at(0)).rotation;
        assert!((rotation.to_axis_angle().1 - angle).abs() < 1e-6, "at {time}");
        let nlerp = Quat::IDENTITY.lerp(Quat::from_rotation_x(FRAC_PI_2), 0.25);
        assert!((nlerp.to_axis_angle().1.to_degrees() - 22.5).abs() > 0.5);
    }
}

#[test]
fn S47_between_sparse_keys_nlerp_is_a_degree_off_and_slerp_is_not() {
    let slerp = turning(Interpolation::Linear, &[0.0, 1.0, 2.0], &[0.0, FRAC_PI_2, 0.0]);
    let nlerp = Rig::with_rotations(slerp.model().clone(), Rotations::Chord);
    let worst_error_deg = |rig: &Rig| {
        let errors = (0..=200).map(|step| {
            let time = step as f32 * 0.01;
            let exact = FRAC_PI_2 * (1.0 - (time - 1.0).abs());
            (sampled(rig, time).srt(at(0)).rotation.to_axis_angle().1 - exact).abs().to_degrees()
        });
        errors.fold(0.0, f32::max)
    };
    let errors = [&slerp, &nlerp].map(worst_error_deg);
    assert!(errors[0] < 1e-4, "SLERP: {}°", errors[0]);
    assert!((errors[1] - 0.919).abs() < 0.001, "NLERP: {}°", errors[1]);
    // Chord and arc agree at the keys and halfway between two of them.
    for (time, angle) in [(0.0, 0.0), (0.5, FRAC_PI_4), (1.0, FRAC_PI_2)] {
        let turned = sampled(&nlerp, time).srt(at(0)).rotation;
        assert!(turned.abs_diff_eq(Quat::from_rotation_x(angle), 1e-6), "at {time}");
    }
}

/// Interpolates one rotation along the chord in f64, as a reference.
fn along_chord(track: &Track, keys: &[Quat], time_secs: f32) -> DQuat {
    let times = &track.key_times_secs;
    let after = times.partition_point(|&time| time <= time_secs);
    let from = keys[after.saturating_sub(1)].as_dquat();
    let (Some(&start), Some(&end)) = (times.get(after.wrapping_sub(1)), times.get(after)) else {
        return from;
    };
    let to = keys[after].as_dquat();
    let near = if from.dot(to) < 0.0 { -to } else { to };
    let alpha = f64::from(time_secs - start) / f64::from(end - start);
    (from * (1.0 - alpha) + near * alpha).normalize()
}

#[test]
fn S48_the_fast_path_is_the_straight_line_made_unit_and_changes_nothing_else() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let arcs = rig(any_model(&mut random));
        let chords = Rig::with_rotations(arcs.model().clone(), Rotations::Chord);
        for _ in 0..20 {
            let time = random.between(-0.1, 1.5);
            let (arc, chord) = (sampled(&arcs, time), sampled(&chords, time));
            for node in every_node(&arcs) {
                let (arc, chord) = (arc.srt(node), chord.srt(node));
                assert_eq!((arc.scale, arc.translation), (chord.scale, chord.translation));
                let turns =
                    |track: &&Track| track.node == node && matches!(track.values, TrackValues::Rotation(_));
                let expected = match arcs.model().clip(first_clip()).tracks.iter().find(turns) {
                    Some(track) if track.interpolation == Interpolation::Linear => {
                        let TrackValues::Rotation(keys) = &track.values else { unreachable!() };
                        along_chord(track, keys, time)
                    }
                    _ => arc.rotation.as_dquat(),
                };
                let near = chord.rotation.as_dquat();
                let near = if near.dot(expected) < 0.0 { -near } else { near };
                assert!((near - expected).length() < 1e-6, "seed {seed}, {node:?} at {time}: {near}");
            }
        }
    }
}

#[test]
fn S87_a_clip_takes_a_small_part_of_the_memory_of_frame_animation() {
    let rig = rig(foxlike());
    let duration_secs = rig.model().clip(first_clip()).duration_secs;
    // The measures of Khronos' Fox: 1,728 vertices, with three numbers each, thirty times a second.
    let frames = (duration_secs * 30.0).ceil() as usize + 1;
    let frame_bytes = frames * 1728 * 3 * size_of::<f32>();
    let bytes = rig.clip_bytes(first_clip());
    assert!(bytes <= 51_000 && bytes * 40 < frame_bytes, "{bytes} of {frame_bytes}");
    // A constant track stores no keys.
    let values = TrackValues::Translation(vec![Vec3::X; 1000]);
    let times: Vec<f32> = (0..1000).map(|key| key as f32).collect();
    let still = clip("still", vec![track(0, Interpolation::Linear, &times, values)]);
    let rig = made_model::rig(model(nodes(&[(None, Srt::IDENTITY)]), vec![still]));
    assert!(rig.clip_bytes(first_clip()) < 200);
    // The page's figure counts the file's keys and compiles nothing: a thousand times of 4 bytes and values of 12.
    assert_eq!(rig.model().clip(first_clip()).key_bytes(), 16_000);
}

#[test]
fn S49_antipodal_keys_take_the_shorter_arc() {
    let keys = vec![Quat::IDENTITY, -Quat::from_rotation_x(0.2), Quat::from_rotation_x(0.4)];
    let track = track(0, Interpolation::Linear, &[0.0, 1.0, 2.0], TrackValues::Rotation(keys));
    let rig = rig(model(nodes(&[(None, Srt::IDENTITY)]), vec![clip("turn", vec![track])]));
    for time in [0.0, 0.5, 1.0, 1.5, 2.0_f32] {
        let rotation = sampled(&rig, time).srt(at(0)).rotation;
        let exact = Quat::from_rotation_x(time * 0.2);
        assert!(rotation.dot(exact).abs() > 1.0 - 1e-6, "at {time}: {rotation}");
    }
}

#[test]
fn S49_nearly_equal_keys_give_no_nan() {
    let angles = [0.0, 1e-30, 1e-20, 1e-7, 1e-4, 1e-3];
    let times: Vec<f32> = (0..angles.len()).map(|key| key as f32).collect();
    let rig = turning(Interpolation::Linear, &times, &angles);
    for step in 0..=50 {
        let rotation = sampled(&rig, step as f32 * 0.1).srt(at(0)).rotation;
        assert!(rotation.is_normalized(), "at {step}: {rotation}");
    }
}

#[test]
fn step_holds_each_value_until_the_next_key() {
    let rig = sliding(Interpolation::Step, &[0.0, 1.0, 2.0], &[1.0, 2.0, 3.0]);
    let just_before = 1.0_f32.next_down();
    assert_eq!(
        [0.0, 0.5, just_before, 1.0, 1.9, 2.0].map(|time| place(&rig, time)),
        [1.0, 1.0, 1.0, 2.0, 2.0, 3.0]
    );
}

#[test]
fn a_cubic_splines_tangents_are_scaled_by_its_interval() {
    // Starts at 0 with speed 1 and ends at 0 with speed 0, within 4 seconds: a quarter of the way is 4 · (¼³ − 2·¼²
    // + ¼).
    let keys = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let rig = sliding(Interpolation::CubicSpline, &[0.0, 4.0], &keys);
    let expected = 4.0 * (0.25_f32.powi(3) - 2.0 * 0.25_f32.powi(2) + 0.25);
    assert!((place(&rig, 1.0) - expected).abs() < 1e-6);
    assert_eq!([place(&rig, 0.0), place(&rig, 4.0)], [0.0, 0.0]);
}

#[test]
fn a_spline_through_no_rotation_at_all_is_the_identity() {
    let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let (a, b) = (Quat::from_rotation_x(0.5), -Quat::from_rotation_x(0.5));
    let keys = vec![zero, a, zero, zero, b, zero];
    let track = track(0, Interpolation::CubicSpline, &[0.0, 1.0], TrackValues::Rotation(keys));
    let rig = rig(model(nodes(&[(None, Srt::IDENTITY)]), vec![clip("turn", vec![track])]));
    assert_eq!(sampled(&rig, 0.5).srt(at(0)).rotation, Quat::IDENTITY);
}

#[test]
fn S70_ten_thousand_frames_do_not_drift() {
    let rig = rig(foxlike());
    let (mut pose, mut cursor) = (LocalPose::rest(&rig), ClipCursor::default());
    let mut posed = ModelPose::new(&rig);
    for frame in 0..10_000 {
        rig.sample_into(first_clip(), frame as f32 * 0.016 % 3.4, &mut cursor, &mut pose);
        rig.resolve_into(&pose, &mut posed);
    }
    rig.sample_into(first_clip(), 1.0, &mut cursor, &mut pose);
    rig.resolve_into(&pose, &mut posed);
    assert_eq!(posed, resolved(&rig, &sampled(&rig, 1.0)));
}

#[test]
fn a_clip_of_no_tracks_and_no_duration_is_the_rest_pose() {
    let mut model = foxlike();
    model.clips.push(Clip { name: "empty".into(), ..Clip::default() });
    let rig = rig(model);
    let mut pose = sampled(&rig, 1.0);
    for time in [0.0, -1.0, 1.0, f32::INFINITY, f32::NAN] {
        rig.sample_into(ClipIndex::new(1), time, &mut ClipCursor::default(), &mut pose);
        assert_eq!(pose, LocalPose::rest(&rig));
    }
}

#[test]
fn what_a_clip_leaves_alone_keeps_its_every_bit() {
    // Node 1 shares a group with keyed lanes of every kind, and its rotation changes under any rounding.
    let odd = Quat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize();
    for interpolation in [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline] {
        let count = 2 * interpolation.elements_per_key();
        let values = (0..count).map(|key| Quat::from_rotation_x(key as f32)).collect();
        let track = track(0, interpolation, &[0.0, 1.0], TrackValues::Rotation(values));
        let rig =
            rig(model(nodes(&[(None, Srt::IDENTITY), (None, turned(odd))]), vec![clip("turn", vec![track])]));
        for step in 0..=10 {
            assert_eq!(sampled(&rig, step as f32 / 10.0).srt(at(1)).rotation, odd);
        }
    }
}

#[test]
fn a_crossfade_of_morph_weights_is_their_mean() {
    let mut model = model(nodes(&[(None, Srt::IDENTITY)]), vec![]);
    model.meshes.push(Mesh { morph_target_names: vec![String::new(); 5], ..Mesh::default() });
    model.nodes[0].mesh = Some(MeshIndex::new(0));
    model.nodes[0].rest_morph_weights = vec![0.0, 0.25, 0.5, 0.75, 1.0];
    let rig = rig(model);
    let mut pose = LocalPose::rest(&rig);
    let mut other = pose.clone();
    other.morph_weights_mut(&rig, at(0)).fill(1.0);
    blend_into(&mut pose, &other, 0.5);
    assert_eq!(pose.morph_weights(&rig, at(0)), [0.5, 0.625, 0.75, 0.875, 1.0]);
}

#[test]
fn an_exporters_noise_is_zero_before_it_can_cost_anything() {
    let values = vec![Vec3::new(1e-20, 1.0, -1e-40), Vec3::new(-1e-16, 2.0, 1e-14)];
    let track = track(0, Interpolation::Linear, &[0.0, 1.0], TrackValues::Translation(values));
    let rest = moved(Vec3::new(1e-30, 0.0, 1.0));
    let rig = rig(model(nodes(&[(None, rest), (None, rest)]), vec![clip("noise", vec![track])]));
    let pose = sampled(&rig, 0.0);
    assert_eq!([0, 1].map(|node| pose.srt(at(node)).translation), [Vec3::Y, Vec3::Z]);
    assert_eq!(sampled(&rig, 1.0).srt(at(0)).translation, Vec3::new(0.0, 2.0, 1e-14));
}
