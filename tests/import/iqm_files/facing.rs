//! Characters face the viewer, whichever axis of the file they face.

use super::*;
use crate::support::iqm_writer::local;
use gambol::animation::reference::ReferencePose;
use gambol::model::ClipIndex;

const AXES: [(&str, Vec3); 4] =
    [("-Y_FRONT", Vec3::X), ("Y_FRONT", Vec3::NEG_X), ("X_FRONT", Vec3::Y), ("-X_FRONT", Vec3::NEG_Y)];

/// Two hands on a body that turns about its own up; `to_left` is where the left one is, in the file's axes.
fn with_hands(to_left: Vec3, [left, right]: [&str; 2]) -> Iqm {
    let mut iqm = Iqm::small();
    iqm.joints.push(joint(left, 1, to_left, Quat::IDENTITY));
    iqm.joints.push(joint(right, 1, -to_left, Quat::IDENTITY));
    let frames = [0.0_f32, 0.8].map(|angle| {
        let mut frame: Vec<_> = iqm.joints.iter().map(|joint| joint.local).collect();
        frame[0] = local(Vec3::Y * angle, Quat::from_rotation_z(angle), Vec3::ONE);
        frame
    });
    iqm.set_motion(&frames);
    iqm.anims = vec![anim("Turn", 0, 2, 1.0)];
    iqm
}

/// By name, at rest and at the end of the clip.
fn poses(model: &Model, name: &str) -> [Affine3A; 2] {
    let at = model.find_node(name).unwrap();
    let rest = ReferencePose::rest(model);
    let end = ReferencePose::sample(model, ClipIndex::new(0), 1.0);
    [rest, end].map(|pose| pose.resolve(model)[at.get()].as_affine3a())
}

#[test]
fn a_character_is_turned_as_a_whole_to_face_the_viewer() {
    for (name, to_left) in AXES {
        let turned = model(&with_hands(to_left, ["hand.L", "hand.R"]));
        let as_is = model(&with_hands(to_left, ["hand.one", "hand.two"]));
        let first = turned.nodes.first().unwrap();
        assert_eq!(first.name == name, name != "-Y_FRONT", "the first node is {}", first.name);
        assert_eq!(turned.nodes.len(), as_is.nodes.len() + usize::from(name != "-Y_FRONT"));
        let turn = if first.name == name { first.rest.parent_from_node() } else { Affine3A::IDENTITY };
        for (joint, same) in [("root", "root"), ("upper", "upper"), ("sail", "sail"), ("hand.R", "hand.two")]
        {
            for (found, plain) in poses(&turned, joint).into_iter().zip(poses(&as_is, same)) {
                assert!(found.abs_diff_eq(turn * plain, 1e-5), "{name}: {joint} is at {found}");
            }
        }
        let [left, _] = poses(&turned, "hand.L");
        assert!(left.translation.abs_diff_eq(Vec3::new(1.0, 1.0, 0.0).into(), 1e-5), "{name}: {left}");
        assert!(moved_at_rest(&turned) < 1e-5, "{name}: {}", moved_at_rest(&turned));
        assert_eq!(turned.meshes, as_is.meshes, "vertices stay as they are");
    }
}

#[test]
fn real_characters_face_the_viewer() {
    // The toes, and what is ahead of them in no file: a face is painted on the other.
    for (name, node, left, right) in
        [("mrfixit.iqm", "X_FRONT", "Hand.L", "Hand.R"), ("guy/guy.iqm", "Y_FRONT", "leg_L", "leg_R")]
    {
        let Some(bytes) = real::real(name) else { continue };
        let model = loaded(&bytes).model;
        assert_eq!(model.nodes[0].name, node, "{name}");
        let places = model_from_nodes(&model);
        let place = |joint| places[model.find_node(joint).unwrap().get()].translation;
        let to_left = (place(left) - place(right)).normalize();
        assert!(to_left.x > 0.999, "{name}: left is at {to_left}");
        if let Some(toes) = model.find_node("LowerFoot.L") {
            let ahead = places[toes.get()].translation - place("UpperFoot.L");
            assert!(ahead.z > 0.9, "{name}: the toes are {ahead} from the heel");
        }
    }
}
