//! Rows of `docs/CAPABILITIES.md` that are tested with .x files: keys, time and animation sets.

use crate::support::x_made::{
    Keys, Made, Offsets, apart, codes, drawn_at, load, load_with, node_at, refused, turned_round,
};
use gambol::animation::Rig;
use gambol::import::{ImportOptions, MatrixKeys, Resources, import_with};
use gambol::model::{ClipIndex, Interpolation, TrackValues};
use glam::{DMat4, DQuat, DVec3};
use std::sync::Arc;

/// Returns a file with a root and a joint moved by these keys, with one tick per second.
fn moved(keys: &str) -> String {
    format!(
        "AnimTicksPerSecond {{ 1; }}
         Frame Root {{ Frame Joint {{ FrameTransformMatrix {{ 1,0,0,0, 0,1,0,0, 0,0,1,0, 7,8,9,1;; }} }} }}
         AnimationSet Move {{ Animation {{ {{ Joint }} {keys} }} }}"
    )
}

fn joint_at(keys: &str, time_secs: f32) -> DMat4 {
    node_at(&load(&moved(keys)).model, "Joint", 0, time_secs)
}

fn translation(matrix: DMat4) -> DVec3 {
    matrix.w_axis.truncate()
}

#[test]
fn S38_S50_the_same_motion_as_srt_keys_and_as_matrix_keys_gives_the_same_poses() {
    for seed in 0..8 {
        let made = Made::new(seed);
        let [srt, matrices, older] =
            [Keys::Srt, Keys::Matrix(4), Keys::Matrix(3)].map(|keys| load(&made.text(keys, Offsets::Given)));
        for imported in [&srt, &matrices, &older] {
            assert_eq!(codes(imported), <[&str; 0]>::default());
        }
        let mut worst: f64 = 0.0;
        for step in 0..=80 {
            let time_secs = 2.0 * step as f32 / 80.0;
            // Expected vertices from an independent evaluator, with the numbers that the text was written from.
            let expected = turned_round(&made.skinned(&made.posed(time_secs.into())));
            for imported in [&srt, &matrices, &older] {
                worst = worst.max(apart(&drawn_at(&imported.model, 0, time_secs), &expected));
            }
        }
        // The requirement is 1e-3 of the model's size.
        assert!(worst < 2e-5, "seed {seed}: {worst}");
    }
}

#[test]
fn S03_a_key_scales_then_rotates_then_moves() {
    // Twice as long in X, then a quarter turn about Z: X points up, twice as long.
    let keys = "AnimationKey { 1; 1; 0;3;2,3,1;;; }
                AnimationKey { 0; 1; 0;4;0.70710678,0,0,-0.70710678;;; }
                AnimationKey { 2; 1; 0;3;10,0,0;;; }";
    let posed = joint_at(keys, 0.0);
    for (point, expected) in [
        (DVec3::X, DVec3::new(10.0, 2.0, 0.0)),
        (DVec3::Y, DVec3::new(7.0, 0.0, 0.0)),
        (DVec3::Z, DVec3::new(10.0, 0.0, 1.0)),
    ] {
        let found = posed.transform_point3(point);
        assert!(found.abs_diff_eq(expected, 1e-6), "{point} went to {found} instead of {expected}");
    }
}

#[test]
fn S36_S37_keys_of_a_set_are_relative_to_the_parent() {
    let model = load(
        "AnimTicksPerSecond { 1; }
         Frame Root { FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 100,0,0,1;; } Frame Joint { } }
         AnimationSet Step { Animation { { Joint } AnimationKey { 2; 1; 0;3;1,0,0;;; } } }",
    )
    .model;
    assert_eq!((model.clips[0].name.as_str(), model.clips[0].tracks.len()), ("Step", 1));
    assert_eq!(translation(node_at(&model, "Joint", 0, 0.0)), DVec3::new(101.0, 0.0, 0.0));
}

#[test]
fn S39_every_key_type_is_read_and_an_unknown_one_skipped() {
    for (keys, track_count) in [
        ("AnimationKey { 0; 1; 0;4;1,0,0,0;;; }", 1),
        ("AnimationKey { 1; 1; 0;3;1,1,1;;; }", 1),
        ("AnimationKey { 2; 1; 0;3;1,1,1;;; }", 1),
        ("AnimationKey { 3; 1; 0;16;1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;;; }", 3),
        ("AnimationKey { 4; 1; 0;16;1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;;; }", 3),
    ] {
        let imported = load(&moved(keys));
        assert_eq!(codes(&imported), <[&str; 0]>::default(), "{keys}");
        assert_eq!(imported.model.clips[0].tracks.len(), track_count, "{keys}");
    }
    let unknown = load(&moved("AnimationKey { 5; 2; 0;7;1,2;;; } AnimationKey { 2; 1; 0;3;1,2,3;;; }"));
    assert_eq!(codes(&unknown), ["KEY_TYPE_UNKNOWN"]);
    assert_eq!(unknown.model.clips[0].tracks.len(), 1);
}

#[test]
fn S40_quaternions_are_stored_w_first_and_turn_as_their_matrix_twins_do() {
    // A rotation about an axis with three different components: no other component order or direction gives the
    // same.
    let rotation = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -2.0) / 3.0, 0.8);
    let columns = DMat4::from_quat(rotation).to_cols_array().map(|number| format!("{number:.8}")).join(",");
    let [x, y, z, w] = rotation.conjugate().to_array();
    let by_quaternion =
        joint_at(&format!("AnimationKey {{ 0; 1; 0;4;{w:.8},{x:.8},{y:.8},{z:.8};;; }}"), 0.0);
    let by_matrix = joint_at(&format!("AnimationKey {{ 4; 1; 0;16;{columns};;; }}"), 0.0);
    for column in 0..3 {
        let (found, expected) = (by_quaternion.col(column), by_matrix.col(column));
        assert!(found.abs_diff_eq(expected, 1e-6), "{found} instead of {expected}");
    }
    // In a right-handed space the same rotation is reversed about X and Y.
    let mirrored = DQuat::from_xyzw(-rotation.x, -rotation.y, rotation.z, rotation.w);
    assert!((by_matrix.to_scale_rotation_translation().1.dot(mirrored).abs() - 1.0).abs() < 1e-6);
}

#[test]
fn S40_a_wrong_count_of_values_is_refused() {
    for (key_type, right) in [(0, 4), (1, 3), (2, 3), (3, 16), (4, 16)] {
        for wrong in [0, 2, 5, 15, 17] {
            let keys = format!("AnimationKey {{ {key_type}; 1; 0;{wrong};{} }}", "1,".repeat(wrong));
            let (code, place) = refused(&moved(&keys));
            assert_eq!(code, "KEY_VALUES_COUNT_WRONG", "{wrong} instead of {right}");
            assert!(place.starts_with("line 4 column "), "{place}");
        }
    }
}

#[test]
fn S41_each_of_scale_rotation_and_translation_has_its_own_times() {
    let keys = "AnimationKey { 1; 3; 0;3;1,1,1;;, 1;3;3,3,3;;, 2;3;3,3,3;;; }
                AnimationKey { 2; 2; 0;3;0,0,0;;, 4;3;8,0,0;;; }";
    let model = load(&moved(keys)).model;
    assert_eq!(model.clips[0].duration_secs, 4.0);
    let posed = node_at(&model, "Joint", 0, 0.5);
    assert_eq!((posed.x_axis.x, posed.w_axis.x), (2.0, 1.0));
    let posed = node_at(&model, "Joint", 0, 3.0);
    assert_eq!((posed.x_axis.x, posed.w_axis.x), (3.0, 6.0));
}

#[test]
fn S42_S45_what_has_no_keys_takes_the_rest_value() {
    let turned = joint_at("AnimationKey { 0; 1; 0;4;0,1,0,0;;; }", 0.0);
    assert_eq!(translation(turned), DVec3::new(7.0, 8.0, -9.0));
    assert!((turned.x_axis.length() - 1.0).abs() < 1e-6, "no scale keys, no collapse");
    let unkeyed = joint_at("", 0.0);
    assert_eq!(unkeyed, DMat4::from_translation(DVec3::new(7.0, 8.0, -9.0)));
}

#[test]
fn S43_S44_a_single_key_and_times_outside_the_keys_hold() {
    let single = "AnimationKey { 2; 1; 3;3;1,2,3;;; }";
    for time_secs in [0.0, 3.0, 100.0] {
        assert_eq!(translation(joint_at(single, time_secs)), DVec3::new(1.0, 2.0, -3.0));
    }
    let two = "AnimationKey { 2; 2; 1;3;1,0,0;;, 2;3;2,0,0;;; }";
    for (time_secs, x) in [(0.0, 1.0), (1.5, 1.5), (2.0, 2.0), (9.0, 2.0)] {
        assert_eq!(translation(joint_at(two, time_secs)).x, x, "at {time_secs}");
    }
}

const QUARTER_TURN: &str = "AnimationKey { 4; 2; 0;16;1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;;,
    1;16;0,1,0,0,-1,0,0,0,0,0,1,0,4,0,0,1;;; }";

#[test]
fn S50_S51_S52_matrix_keys_are_taken_apart_or_blended_by_element_or_stepped() {
    let half = |options: &ImportOptions| {
        let imported = load_with(&moved(QUARTER_TURN), options);
        assert_eq!(codes(&imported), <[&str; 0]>::default());
        node_at(&imported.model, "Joint", 0, 0.5)
    };
    let decomposed = half(&ImportOptions::default());
    assert!((decomposed.x_axis.length() - 1.0).abs() < 1e-6, "along the arc: {decomposed}");
    let with = |matrix_keys| ImportOptions { matrix_keys, ..ImportOptions::default() };
    let elements = half(&with(MatrixKeys::Elements));
    assert!(elements.x_axis.abs_diff_eq(glam::DVec4::new(0.5, 0.5, 0.0, 0.0), 1e-6), "{elements}");
    let stepped = half(&with(MatrixKeys::Step));
    assert_eq!(stepped, DMat4::IDENTITY, "the first key holds");
    let of_clip = ImportOptions {
        matrix_keys_of_clips: vec![("Move".into(), MatrixKeys::Step)],
        ..ImportOptions::default()
    };
    assert_eq!(half(&of_clip), stepped, "per clip");
}

#[test]
fn S53_keys_that_shear_are_blended_element_by_element_with_a_warning() {
    let sheared = QUARTER_TURN.replace("0,1,0,0,-1,0,0,0", "1,0,0,0,0.6,1,0,0");
    let imported = load(&moved(&sheared));
    assert_eq!(codes(&imported), ["MATRIX_KEYS_SHEAR"]);
    let [track] = &imported.model.clips[0].tracks[..] else { panic!("one track") };
    assert!(matches!(&track.values, TrackValues::Matrix(keys) if keys.len() == 2));
    assert_eq!(track.interpolation, Interpolation::Linear);
    let half = node_at(&imported.model, "Joint", 0, 0.5);
    assert!(half.y_axis.abs_diff_eq(glam::DVec4::new(0.3, 1.0, 0.0, 0.0), 1e-6), "{half}");
}

#[test]
fn S55_S59_a_hundred_ticks_over_three_seconds() {
    let keys = "AnimationKey { 2; 2; 0;3;0,0,0;;, 60;3;1,0,0;;; } AnimationKey { 1; 2; 0;3;1,1,1;;, 100;3;1,1,1;;; }";
    let text = moved(keys).replacen("{ 1; }", "{ 33.3333333; }", 1);
    let model = load(&text).model;
    assert!((model.clips[0].duration_secs - 3.0).abs() < 1e-6, "the last key of all tracks");
    assert!((translation(node_at(&model, "Joint", 0, 0.9)).x - 0.5).abs() < 1e-6);
    // Times may be fractional seconds.
    let seconds = load(&moved("AnimationKey { 2; 2; 0.25;3;0,0,0;;, 0.75;3;1,0,0;;; }")).model;
    assert_eq!(seconds.clips[0].duration_secs, 0.75);
    assert_eq!(translation(node_at(&seconds, "Joint", 0, 0.5)).x, 0.5);
}

#[test]
fn S61_a_set_whose_first_key_is_not_at_zero_still_plays() {
    let model = load(&moved("AnimationKey { 2; 2; 10;3;1,0,0;;, 20;3;2,0,0;;; }")).model;
    assert_eq!(model.clips[0].duration_secs, 20.0);
    for (time_secs, x) in [(0.0, 1.0), (10.0, 1.0), (15.0, 1.5), (20.0, 2.0)] {
        assert_eq!(translation(node_at(&model, "Joint", 0, time_secs)).x, x);
    }
}

#[test]
fn S62_S63_all_sets_are_found_by_name_or_index_and_one_without_a_name_gets_one() {
    let set = |name: &str, x: i32| {
        format!("AnimationSet {name} {{ Animation {{ {{ A }} AnimationKey {{ 2; 1; 0;3;{x},0,0;;; }} }} }}")
    };
    let text =
        ["AnimTicksPerSecond { 1; } Frame A { }", &set("Walk", 1), &set("", 2), &set("Run", 3)].concat();
    let model = load(&text).model;
    let names: Vec<&str> = model.clips.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["Walk", "clip 1", "Run"]);
    assert_eq!(model.find_clip("Run"), Some(ClipIndex::new(2)));
    for clip in 0..3 {
        assert_eq!(translation(node_at(&model, "A", clip, 0.0)).x, clip as f64 + 1.0);
    }
}

#[test]
fn S75_ticks_that_a_file_does_not_say_are_those_of_directx_or_of_the_caller() {
    let text = moved("AnimationKey { 2; 2; 0;3;0,0,0;;, 4800;3;1,0,0;;; }");
    let text = text.replacen("AnimTicksPerSecond { 1; }", "", 1);
    let by_default = load(&text);
    assert_eq!(codes(&by_default), ["TICKS_PER_SECOND_MISSING"]);
    assert!(by_default.report.warnings[0].message.starts_with("4800: "), "named in the report");
    assert_eq!(by_default.model.clips[0].duration_secs, 1.0);
    let options = ImportOptions { ticks_per_second: Some(1600.0), ..ImportOptions::default() };
    let by_caller = load_with(&text, &options);
    assert!(by_caller.report.warnings[0].message.starts_with("1600: "));
    assert_eq!(by_caller.model.clips[0].duration_secs, 3.0);
    // The file's own value takes precedence, wherever it stands.
    let said = load_with(&format!("{text} AnimTicksPerSecond {{ 2400; }}"), &options);
    assert_eq!((codes(&said).len(), said.model.clips[0].duration_secs), (0, 2.0));
    // Neither value is usable.
    let options = ImportOptions { ticks_per_second: Some(f64::NAN), ..ImportOptions::default() };
    let neither = load_with(&format!("{text} AnimTicksPerSecond {{ 0; }}"), &options);
    assert_eq!(neither.model.clips[0].duration_secs, 1.0);
    assert_eq!(
        refused(&text.replace("4800;3", "1e38;3").replacen("Frame", "AnimTicksPerSecond { 0.01; } Frame", 1))
            .0,
        "VALUE_NOT_FINITE"
    );
}

#[test]
fn animations_outside_of_a_set_are_a_clip_of_their_own() {
    let text = "AnimTicksPerSecond { 1; } Frame Joint { }
        Animation { { Joint } AnimationKey { 2; 1; 0;3;1,0,0;;; } }";
    let model = load(text).model;
    assert_eq!(model.clips[0].name, "clip 0");
    assert_eq!(translation(node_at(&model, "Joint", 0, 0.0)).x, 1.0);
}

#[test]
fn S73_a_joint_is_named_in_braces_before_or_after_its_keys_or_stands_there_itself() {
    let key = "AnimationKey { 2; 1; 0;3;1,0,0;;; }";
    for animation in [
        format!("Animation {{ {{ A }} {key} }}"),
        format!("Animation Named {{ {key} {{ A }} }}"),
        format!("Animation {{ {key} {{ A <3D82AB44-62DA-11cf-AB39-0020AF71E433> }} }}"),
    ] {
        let text = format!("AnimTicksPerSecond {{ 1; }} AnimationSet {{ {animation} }} Frame A {{ }}");
        let imported = load(&text);
        assert_eq!(codes(&imported), <[&str; 0]>::default(), "{animation}");
        assert_eq!(translation(node_at(&imported.model, "A", 0, 0.0)).x, 1.0);
    }
    let inline =
        format!("AnimTicksPerSecond {{ 1; }} AnimationSet {{ Animation {{ Frame B {{ }} {key} }} }}");
    assert_eq!(translation(node_at(&load(&inline).model, "B", 0, 0.0)).x, 1.0);
}

#[test]
fn a_set_that_moves_a_frame_that_is_gone_still_moves_the_others() {
    let text = moved("AnimationKey { 2; 1; 0;3;1,0,0;;; }").replace(
        "AnimationSet Move {",
        "AnimationSet Move { Animation { { Gone } AnimationKey { 2; 1; 0;3;5,0,0;;; } }",
    );
    let imported = load(&text);
    assert_eq!(codes(&imported), ["TRACK_NODE_UNKNOWN"]);
    assert_eq!(translation(node_at(&imported.model, "Joint", 0, 0.0)).x, 1.0);
}

#[test]
fn names_may_have_spaces_digits_and_other_code_pages() {
    let text =
        b"xof 0303txt 0032 AnimTicksPerSecond { 1; } Frame Bip01 L Hand { } Frame 01 { } Frame Z\xFCge { }
        AnimationSet { Animation { { Bip01 L Hand } AnimationKey { 2; 1; 0;3;1,0,0;;; } }
        Animation { {01} AnimationKey { 2; 1; 0;3;2,0,0;;; } }
        Animation { {Z\xFCge} AnimationKey { 2; 1; 0;3;3,0,0;;; } } }";
    let imported = import_with(text, &Resources::default(), &ImportOptions::default()).unwrap();
    assert_eq!(codes(&imported), <[&str; 0]>::default());
    for (name, x) in [("Bip01 L Hand", 1.0), ("01", 2.0), ("Züge", 3.0)] {
        assert_eq!(translation(node_at(&imported.model, name, 0, 0.0)).x, x);
    }
}

#[test]
fn tracks_keyed_together_share_their_times() {
    let made = Made::new(1);
    let model = load(&made.text(Keys::Srt, Offsets::Given)).model;
    let [first, second, ..] = &model.clips[0].tracks[..] else { panic!("three a joint") };
    assert!(Arc::ptr_eq(&first.key_times_secs, &second.key_times_secs));
    assert!(Rig::new(Arc::new(model)).clip_bytes(ClipIndex::new(0)) > 0);
}
