//! A tail that swings behind a body.

use crate::support::made_model::{at, clip, model, moved, nodes, track};
use gambol::model::{Interpolation, Model, Spring, SpringEnd, SpringJoint, TrackValues};
use glam::Vec3;

/// Node that moves in the clip "sway".
pub const BODY: usize = 0;
/// Last node of the tail.
pub const TIP: usize = 4;

/// Returns a tail of three joints, each 0.5 long, behind a body at a height of 1.
///
/// ```text
/// node 0 ── 1 ── 2 ── 3 ── 4     joints 1, 2, 3; node 0 at (0, 1, 0), the others along −z
/// ```
///
/// In the clip "sway", the body moves along x by 0.3 and back in 2 s.
pub fn tail() -> Model {
    let part = moved(Vec3::NEG_Z * 0.5);
    let parts = [moved(Vec3::Y), part, part, part, part];
    let chain: Vec<_> = parts.into_iter().enumerate().map(|(nth, rest)| (nth.checked_sub(1), rest)).collect();
    let way = TrackValues::Translation(vec![Vec3::Y, Vec3::new(0.3, 1.0, 0.0), Vec3::Y]);
    let sway = clip("sway", vec![track(BODY, Interpolation::Linear, &[0.0, 1.0, 2.0], way)]);
    let mut model = model(nodes(&chain), vec![sway]);
    let joints = (1..TIP).map(|node| joint(node, SpringEnd::Node(at(node + 1)))).collect();
    model.springs.springs.push(Spring { joints, ..Spring::default() });
    model
}

pub fn joint(node: usize, end: SpringEnd) -> SpringJoint {
    SpringJoint { node: at(node), end, stiffness: 0.8, drag: 0.3, gravity: Vec3::ZERO, radius: 0.05 }
}

/// Returns the model with gravity for all springs.
pub fn pulled(mut model: Model, gravity: f32) -> Model {
    let joints = model.springs.springs.iter_mut().flat_map(|spring| &mut spring.joints);
    joints.for_each(|joint| joint.gravity = Vec3::NEG_Y * gravity);
    model
}
