use super::{Model, Node, NodeIndex};
use glam::{Affine3A, Vec3};

/// Springs of a model: nodes that swing as tails, hair and cloth do, and the shapes that they collide with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Springs {
    pub springs: Vec<Spring>,
    pub colliders: Vec<Collider>,
}

/// Nodes that swing with the same colliders.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spring {
    /// In any order. A node belongs to one joint of all springs at most.
    pub joints: Vec<SpringJoint>,
    /// Indices into [`Springs::colliders`].
    pub colliders: Vec<usize>,
    /// Node whose movement gives no inertia to the joints. Without one, every movement does.
    pub center: Option<NodeIndex>,
}

/// A node that swings about its origin.
///
/// Lengths are in the model's units, whatever the scale of the node, and speeds in units per second. A step of the
/// simulation takes 1/60 s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringJoint {
    pub node: NodeIndex,
    pub end: SpringEnd,
    /// Speed at which the end returns to the animated pose, from 0.
    pub stiffness: f32,
    /// Share of its speed that the end loses in each step, from 0 to 1.
    pub drag: f32,
    /// Direction of gravity in the world, whose length is a speed.
    pub gravity: Vec3,
    /// Radius of the sphere at the end that collides, from 0.
    pub radius: f32,
}

/// The point that a [`SpringJoint`] swings: the other end of what its node stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpringEnd {
    /// The origin of a descendant.
    Node(NodeIndex),
    /// A point in the joint's own space.
    Point(Vec3),
}

/// A shape that springs collide with. It follows a node, whose scale doesn't change its radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collider {
    pub node: NodeIndex,
    pub shape: ColliderShape,
}

/// Points and directions are in the space of the collider's node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColliderShape {
    /// All points at most `radius` away from a line, or from a point if both of its ends are the same.
    Capsule {
        ends: [Vec3; 2],
        radius: f32,
        /// Whether springs are kept inside instead of outside.
        inside: bool,
    },
    /// All points behind a plane.
    Plane {
        point: Vec3,
        /// Direction in front of the plane, of unit length.
        normal: Vec3,
    },
}

impl Springs {
    /// Largest magnitude of a number.
    pub const LARGEST: f32 = 1e9;

    pub fn is_empty(&self) -> bool {
        self.springs.iter().all(|spring| spring.joints.is_empty())
    }

    /// Returns whether every node and collider exists, every node is the joint of one spring at most and above its
    /// end, and every number is in range.
    pub fn fit(&self, model: &Model) -> bool {
        let has_node = |node: NodeIndex| node.get() < model.nodes.len();
        let is_size = |number: f32| (0.0..=Self::LARGEST).contains(&number);
        let is_point = |point: Vec3| point.abs().max_element() <= Self::LARGEST && point.is_finite();
        let mut is_free = vec![true; model.nodes.len()];
        let mut is_joint = |joint: &SpringJoint| {
            let is_free = is_free.get_mut(joint.node.get());
            is_free.is_some_and(|free| std::mem::replace(free, false))
                && joint.end_at_rest(&model.nodes).is_some_and(|end| end.is_finite())
                && is_size(joint.stiffness)
                && is_size(joint.radius)
                && (0.0..=1.0).contains(&joint.drag)
                && is_point(joint.gravity)
        };
        let mut are_joints = |spring: &Spring| spring.joints.iter().all(&mut is_joint);
        self.springs.iter().all(|spring| {
            are_joints(spring)
                && spring.center.is_none_or(has_node)
                && spring.colliders.iter().all(|&collider| collider < self.colliders.len())
        }) && self.colliders.iter().all(|collider| {
            has_node(collider.node)
                && match collider.shape {
                    ColliderShape::Capsule { ends, radius, .. } => {
                        ends.into_iter().all(is_point) && is_size(radius)
                    }
                    ColliderShape::Plane { point, normal } => is_point(point) && normal.is_normalized(),
                }
        })
    }
}

impl SpringJoint {
    /// Largest number of nodes between a joint and its end.
    const MOST_BETWEEN: usize = 100;

    /// Returns the end at rest, in the joint's space. `None` if it isn't a descendant, or is too far down.
    pub fn end_at_rest(&self, nodes: &[Node]) -> Option<Vec3> {
        let mut above = match self.end {
            SpringEnd::Point(point) => return Some(point),
            SpringEnd::Node(node) => node,
        };
        let mut joint_from_end = Affine3A::IDENTITY;
        for _ in 0..=Self::MOST_BETWEEN {
            let node = nodes.get(above.get())?;
            let parent_from_node = node.sheared_rest.unwrap_or_else(|| node.rest.parent_from_node());
            joint_from_end = parent_from_node * joint_from_end;
            above = node.parent?;
            if above == self.node {
                return Some(joint_from_end.translation.into());
            }
        }
        None
    }
}
