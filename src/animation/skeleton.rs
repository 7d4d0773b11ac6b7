//! The skeleton as lines, for the overlay.
use super::{ModelPose, Rig};
use crate::model::{Model, NodeIndex};
use glam::Vec3;

/// Length of a leaf joint's stub relative to the line that leads to the joint, which has no length itself.
const STUB_LENGTH: f32 = 0.5;

/// Writes one line from each joint to each joint below it, and a stub that continues beyond each leaf joint.
///
/// - Lines are in model space. `out` is cleared first, and allocates only when it grows.
/// - Plain nodes between two joints are skipped. A model without skins is drawn as if every node were a joint.
pub fn skeleton_lines(rig: &Rig, pose: &ModelPose, out: &mut Vec<[Vec3; 2]>) {
    out.clear();
    let position = |node: NodeIndex| Vec3::from(pose.model_from_node(node).translation);
    for line in rig.skeleton() {
        let from = position(line.from);
        match line.to {
            LineEnd::Joint(to) => out.push([from, position(to)]),
            LineEnd::Stub { parent } => {
                let along = (from - position(parent)) * STUB_LENGTH;
                out.push([from, from + along]);
            }
        }
    }
}

/// Returns the joint at which each line of [`skeleton_lines`] begins, in the same order.
pub fn skeleton_starts(rig: &Rig) -> impl Iterator<Item = NodeIndex> {
    rig.skeleton().iter().map(|line| line.from)
}

/// A line of the overlay, found once per model.
#[derive(Clone, Debug)]
pub(super) struct Line {
    from: NodeIndex,
    to: LineEnd,
}

#[derive(Clone, Debug)]
enum LineEnd {
    Joint(NodeIndex),
    /// Continues in the direction from the parent.
    Stub {
        parent: NodeIndex,
    },
}

pub(super) fn lines_of(model: &Model) -> Vec<Line> {
    let mut is_joint = vec![model.skins.is_empty(); model.nodes.len()];
    for joint in model.skins.iter().flat_map(|skin| &skin.joints) {
        is_joint[joint.get()] = true;
    }
    let joint_above = |node: NodeIndex| {
        let ancestors = std::iter::successors(model.node(node).parent, |&above| model.node(above).parent);
        ancestors.into_iter().find(|above| is_joint[above.get()])
    };
    let mut lines = Vec::new();
    let mut is_leaf = is_joint.clone();
    let joints = || (0..model.nodes.len()).filter(|&node| is_joint[node]).map(NodeIndex::new);
    for joint in joints() {
        if let Some(parent) = joint_above(joint) {
            is_leaf[parent.get()] = false;
            lines.push(Line { from: parent, to: LineEnd::Joint(joint) });
        }
    }
    for joint in joints().filter(|joint| is_leaf[joint.get()]) {
        if let Some(parent) = joint_above(joint) {
            lines.push(Line { from: joint, to: LineEnd::Stub { parent } });
        }
    }
    lines
}
