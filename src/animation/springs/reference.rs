//! Reference implementation of springs: in world space, in `f64`, with the whole pose resolved after each joint.
//!
//! It is for comparison only. Playback doesn't call it, so the shipped module doesn't contain it.
use crate::animation::reference::ReferencePose;
use crate::model::{ColliderShape, Model, NodeIndex, Spring, SpringEnd, SpringJoint, Springs};
use glam::{DAffine3, DQuat, DVec3, Vec3};

/// Springs of one character that are simulated directly as `VRMC_springBone` describes it, one step at a time.
#[derive(Clone, Debug)]
pub struct ReferenceSprings {
    /// Joints with their springs, parents before their children.
    joints: Vec<(Spring, SpringJoint)>,
    springs: Springs,
    /// Ends in the space of the center, or of the world, in the last two steps.
    ends: Vec<[DVec3; 2]>,
    /// Rotation of each joint from the animated pose.
    pub turns: Vec<DQuat>,
}

impl ReferenceSprings {
    /// Places springs at a pose. The scale of `world_from_model` must be uniform.
    pub fn new(
        model: &Model,
        springs: &Springs,
        animated: &ReferencePose,
        world_from_model: DAffine3,
    ) -> Self {
        let mut joints: Vec<_> = (springs.springs.iter())
            .flat_map(|spring| spring.joints.iter().map(|joint| (spring.clone(), *joint)))
            .filter(|(_, joint)| joint.end_at_rest(&model.nodes).is_some_and(|end| end != Vec3::ZERO))
            .collect();
        joints.sort_by_key(|(_, joint)| joint.node);
        let nodes = in_world(model, animated, world_from_model);
        let ends = joints.iter().map(|(spring, joint)| {
            let end = nodes[joint.node.get()].transform_point3(end_of(model, joint));
            [space(spring, &nodes).inverse().transform_point3(end); 2]
        });
        Self {
            ends: ends.collect(),
            turns: vec![DQuat::IDENTITY; joints.len()],
            springs: springs.clone(),
            joints,
        }
    }

    /// Returns the nodes of the joints, in the order of `turns`.
    pub fn nodes(&self) -> impl Iterator<Item = NodeIndex> {
        self.joints.iter().map(|(_, joint)| joint.node)
    }

    /// Moves every joint by a step of 1/60 s.
    pub fn step(&mut self, model: &Model, animated: &ReferencePose, world_from_model: DAffine3, wind: Vec3) {
        let (step_secs, unit) = (1.0 / 60.0, world_from_model.matrix3.x_axis.length());
        let mut pose = animated.clone();
        for (turn, node) in self.turns.iter().zip(self.nodes()) {
            pose.rotations[node.get()] *= *turn;
        }
        let before = in_world(model, &pose, world_from_model);
        for (index, (spring, joint)) in self.joints.iter().enumerate() {
            let node = joint.node.get();
            pose.rotations[node] = animated.rotations[node];
            let nodes = in_world(model, &pose, world_from_model);
            let [origin, at_rest] =
                [DVec3::ZERO, end_of(model, joint)].map(|p| nodes[node].transform_point3(p));
            let mut length = origin.distance(at_rest);
            if matches!(joint.end, SpringEnd::Node(_)) {
                length = origin.distance(before[node].transform_point3(end_of(model, joint)));
            }
            let center = space(spring, &nodes);
            let [last, now] = self.ends[index].map(|end| center.transform_point3(end));
            let stiffness = (at_rest - origin).normalize() * f64::from(joint.stiffness);
            let force = (joint.gravity + wind).as_dvec3();
            let mut next =
                now + (now - last) * (1.0 - f64::from(joint.drag)) + (stiffness + force) * unit * step_secs;
            next = origin + (next - origin).normalize() * length;
            for &collider in &spring.colliders {
                let collider = &self.springs.colliders[collider];
                let world_from_node = before[collider.node.get()];
                let push = push(&collider.shape, world_from_node, unit, next, f64::from(joint.radius) * unit);
                if push != DVec3::ZERO {
                    next = origin + (next + push - origin).normalize() * length;
                }
            }
            self.ends[index] = [now, next].map(|end| center.inverse().transform_point3(end));
            let parent = model.node(joint.node).parent.map_or(world_from_model, |parent| nodes[parent.get()]);
            let joint_from_world = parent
                * DAffine3::from_rotation_translation(animated.rotations[node], animated.translations[node]);
            let to = joint_from_world.inverse().transform_point3(next).normalize();
            let from = (animated.scales[node] * end_of(model, joint)).normalize();
            self.turns[index] = DQuat::from_rotation_arc(from, to);
            pose.rotations[node] *= self.turns[index];
        }
    }
}

fn in_world(model: &Model, pose: &ReferencePose, world_from_model: DAffine3) -> Vec<DAffine3> {
    pose.resolve(model).into_iter().map(|model_from_node| world_from_model * model_from_node).collect()
}

fn end_of(model: &Model, joint: &SpringJoint) -> DVec3 {
    joint.end_at_rest(&model.nodes).unwrap_or_default().as_dvec3()
}

/// Returns `world_from_center`.
fn space(spring: &Spring, nodes: &[DAffine3]) -> DAffine3 {
    spring.center.map_or(DAffine3::IDENTITY, |center| nodes[center.get()])
}

fn push(shape: &ColliderShape, world_from_node: DAffine3, unit: f64, center: DVec3, radius: f64) -> DVec3 {
    match *shape {
        ColliderShape::Capsule { ends, radius: own, inside } => {
            let [start, end] = ends.map(|end| world_from_node.transform_point3(end.as_dvec3()));
            let squared = start.distance_squared(end);
            let along = if squared > 0.0 { (center - start).dot(end - start) / squared } else { 0.0 };
            let from_axis = center - start.lerp(end, along.clamp(0.0, 1.0));
            let distance = from_axis.length();
            let own = f64::from(own) * unit;
            let overlap = if inside { own - radius - distance } else { distance - own - radius };
            from_axis / distance * overlap.min(0.0) * if inside { 1.0 } else { -1.0 }
        }
        ColliderShape::Plane { point, normal } => {
            let normal = world_from_node.transform_vector3(normal.as_dvec3()).normalize();
            let height = (center - world_from_node.transform_point3(point.as_dvec3())).dot(normal);
            normal * (radius - height).max(0.0)
        }
    }
}
