//! Real files that break the glTF specification: they are read as other players read them, with a warning.

use crate::support::gltf_file::File;
use gambol::animation::{ClipCursor, LocalPose, ModelPose, Rig};
use gambol::import::Imported;
use gambol::model::{ClipIndex, Interpolation};
use glam::Vec3;

#[test]
fn keys_before_zero_lead_into_the_clip_and_are_never_reached() {
    let mut file = File::default();
    let (times, early) =
        (file.floats("SCALAR", 3, &[-1.0, 1.0, 3.0]), file.floats("SCALAR", 2, &[-2.0, -1.0]));
    let walk = file.floats("VEC3", 3, &[0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 8.0, 0.0, 0.0]);
    let quarter = std::f32::consts::FRAC_1_SQRT_2;
    let turn =
        file.floats("VEC4", 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, quarter, quarter, 0.0, 0.0, quarter, quarter]);
    let grow = file.floats("VEC3", 2, &[1.0, 1.0, 1.0, 5.0, 5.0, 5.0]);
    let Imported { model, report } = file.load(&format!(
        r#""nodes":[{{}}],"animations":[{{"samplers":[{{"input":{times},"output":{walk}}},
        {{"input":{times},"output":{turn}}},{{"input":{early},"output":{grow}}}],"channels":[
        {{"sampler":0,"target":{{"node":0,"path":"translation"}}}},
        {{"sampler":1,"target":{{"node":0,"path":"rotation"}}}},
        {{"sampler":2,"target":{{"node":0,"path":"scale"}}}}]}}]"#
    ));
    let [warning] = &report.warnings[..] else { panic!("{report:?}") };
    assert_eq!((warning.code, warning.count), ("KEY_TIME_NEGATIVE", 2));
    assert_eq!((&*warning.place, warning.message.get(..7)), ("/accessors/0", Some("1 of 3:")));
    // The same as in three.js: the clip lasts from 0 to its last key, and a track that ends earlier holds its last
    // value.
    assert_eq!(model.clips[0].duration_secs, 3.0);
    let rig = Rig::new(model.into());
    let (mut local, mut cursor) = (LocalPose::rest(&rig), ClipCursor::default());
    let mut at = |time_secs: f32| {
        rig.sample_into(ClipIndex::new(0), time_secs, &mut cursor, &mut local);
        let (scale, rotation, translation) = {
            let mut pose = ModelPose::new(&rig);
            rig.resolve_into(&local, &mut pose);
            pose.model_from_node(rig.model().node_from_source[0]).to_scale_rotation_translation()
        };
        (scale.x, rotation.to_scaled_axis().z.to_degrees().round(), translation.x)
    };
    for (time_secs, turned, x) in
        [(-1.0, 45.0, 1.0), (0.0, 45.0, 1.0), (1.0, 90.0, 2.0), (2.0, 90.0, 5.0), (3.0, 90.0, 8.0)]
    {
        let found = at(time_secs);
        assert!(
            (found.0 - 5.0).abs() < 1e-5 && found.1 == turned && (found.2 - x).abs() < 1e-5,
            "{time_secs}: {found:?}"
        );
    }
}

#[test]
fn an_unknown_interpolation_is_a_straight_line_as_in_three_js() {
    for (word, expected, warning_count) in [
        ("0", Interpolation::Linear, 1),
        ("\"SLERP\"", Interpolation::Linear, 1),
        ("null", Interpolation::Linear, 0),
        ("\"LINEAR\"", Interpolation::Linear, 0),
        ("\"STEP\"", Interpolation::Step, 0),
    ] {
        let mut file = File::default();
        let times = file.floats("SCALAR", 2, &[0.0, 1.0]);
        let values = file.floats("VEC3", 2, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        let Imported { model, report } = file.load(&format!(
            r#""nodes":[{{}}],"animations":[{{"samplers":[{{"input":{times},"output":{values},"interpolation":{word}}}],
            "channels":[{{"sampler":0,"target":{{"node":0,"path":"translation"}}}}]}}]"#
        ));
        assert_eq!(model.clips[0].tracks[0].interpolation, expected, "{word}");
        let codes: Vec<&str> = report.warnings.iter().map(|warning| warning.code).collect();
        assert_eq!(codes, vec!["INTERPOLATION_REPLACED"; warning_count], "{word}");
    }
}

#[test]
fn a_matrix_beside_parts_counts_and_the_parts_do_not() {
    let mut file = File::default();
    file.positions();
    let Imported { model, report } = file.load(
        r#""nodes":[{"matrix":[2,0,0,0,0,2,0,0,0,0,2,0,1,2,3,1],"scale":[7,7,7],"translation":[9,9,9]}]"#,
    );
    assert_eq!(
        (model.nodes[0].rest.scale, model.nodes[0].rest.translation),
        (Vec3::splat(2.0), Vec3::new(1.0, 2.0, 3.0))
    );
    assert_eq!(
        report.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(),
        ["MATRIX_BESIDE_PARTS"]
    );
}
