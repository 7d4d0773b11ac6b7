//! Joints as octahedra, with axes and names.

use super::{AXIS_COLORS, FIRST_OF_NODES, GuideSet, cell_of_name, label_at};
use crate::animation::{ModelPose, Rig, skeleton_lines, skeleton_starts};
use crate::model::NodeIndex;
use crate::render::{GuideContent, Label, Octahedron, Stroke};
use glam::{Affine3A, Vec3, Vec4};

const COLOR: Vec4 = Vec4::new(0.86, 0.88, 0.92, 0.94);
/// Width of an octahedron, as a share of its length.
const WIDTH: f32 = 0.2;
/// Length of axes, as a share of the longest line from a joint.
const AXIS_LENGTH: f32 = 0.3;
const AXIS_WIDTH: f32 = 2.0;
/// Distance from a joint to its name in CSS pixels.
const NAME_OFFSET: f32 = 9.0;

/// The joints of a posed character. Positions are in the world.
pub(super) struct Joints {
    /// Each line of the skeleton, and the node where it begins.
    lines: Vec<(NodeIndex, [Vec3; 2])>,
    pub(super) world_from_model: Affine3A,
    /// Transform `world_from_node` of each node.
    nodes: Vec<Affine3A>,
    is_joint: Vec<bool>,
    /// Length of the longest line from each node. For a joint without lines, a share of the longest of all.
    reach: Vec<f32>,
}

impl Joints {
    pub(super) fn new(rig: &Rig, pose: &ModelPose, world_from_model: Affine3A) -> Self {
        let count = rig.model().nodes.len();
        let node = |index| world_from_model * pose.model_from_node(NodeIndex::new(index));
        let nodes: Vec<Affine3A> = (0..count).map(node).collect();
        let mut segments = Vec::new();
        skeleton_lines(rig, pose, &mut segments);
        let in_world = segments.iter().map(|ends| ends.map(|end| world_from_model.transform_point3(end)));
        let lines: Vec<_> = skeleton_starts(rig)
            .zip(in_world)
            .filter(|(_, [start, end])| start.is_finite() && end.is_finite())
            .collect();
        let mut reach: Vec<f32> = nodes.iter().map(|_| 0.0).collect();
        for (from, [start, end]) in &lines {
            reach[from.get()] = reach[from.get()].max(start.distance(*end));
        }
        let longest = reach.iter().copied().fold(0.0, f32::max);
        let skins = &rig.model().skins;
        // Without skins, every node is a joint.
        let mut is_joint: Vec<bool> = nodes.iter().map(|_| skins.is_empty()).collect();
        for joint in skins.iter().flat_map(|skin| &skin.joints) {
            is_joint[joint.get()] = true;
        }
        for (reach, _) in
            reach.iter_mut().zip(&is_joint).filter(|(reach, is_joint)| **reach == 0.0 && **is_joint)
        {
            *reach = if longest > 0.0 { longest * 0.25 } else { 1.0 };
        }
        Self { lines, world_from_model, nodes, is_joint, reach }
    }

    /// Returns the position of a node.
    pub(super) fn place(&self, node: NodeIndex) -> Vec3 {
        self.nodes[node.get()].translation.into()
    }

    /// Adds octahedra and axes, if they are shown.
    pub(super) fn trace(&self, content: &mut GuideContent, shown: GuideSet) {
        if shown.has(GuideSet::OCTAHEDRA) {
            content.octahedra.extend(self.lines.iter().filter_map(|line| self.octahedron(line)));
        }
        if shown.has(GuideSet::AXES) {
            for (index, world_from_node) in self.nodes.iter().enumerate() {
                if self.is_joint[index] && world_from_node.is_finite() {
                    content.overlay.extend(axes(world_from_node, self.reach[index] * AXIS_LENGTH));
                }
            }
        }
    }

    fn octahedron(&self, &(from, [head, tail]): &(NodeIndex, [Vec3; 2])) -> Option<Octahedron> {
        let length = head.distance(tail);
        let along = (tail - head).try_normalize()?;
        let x_axis = Vec3::from(self.nodes[from.get()].matrix3.x_axis);
        let across = (x_axis - along * along.dot(x_axis)).normalize_or_zero();
        let side =
            if across.is_finite() && across != Vec3::ZERO { across } else { along.any_orthonormal_vector() };
        Some(Octahedron { head, tail, side, width: length * WIDTH, color: COLOR })
    }

    /// Adds the names of nodes, which have cells after the letters.
    pub(super) fn name(&self, content: &mut GuideContent, named: &[Option<NodeIndex>]) {
        for (nth, node) in named.iter().enumerate() {
            let (Some(node), Some(cell)) = (*node, cell_of_name(content, nth)) else { continue };
            let position = self.place(node);
            let first = content.cells.len();
            content.cells.push(cell);
            let id = FIRST_OF_NODES + node.get() as u32;
            content.labels.push(Label {
                offset: NAME_OFFSET,
                size: self.reach[node.get()],
                cells: first..first + 1,
                ..label_at(id, position)
            });
        }
    }
}

fn axes(world_from_node: &Affine3A, length: f32) -> [Stroke; 3] {
    let start = Vec3::from(world_from_node.translation);
    [0, 1, 2].map(|axis| {
        let direction = Vec3::from(world_from_node.matrix3.col(axis)).normalize_or_zero();
        Stroke {
            ends: [start, start + direction * length],
            colors: [AXIS_COLORS[axis]; 2],
            width: AXIS_WIDTH,
            dot: 0.0,
        }
    })
}
