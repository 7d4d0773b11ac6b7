//! Collision of a sphere with capsules and planes.
use crate::model::ColliderShape;
use glam::{Affine3A, Vec3};

/// A collider in model space.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    Capsule { start: Vec3, to_end: Vec3, radius: f32, inside: bool },
    Plane { point: Vec3, normal: Vec3 },
}

impl Shape {
    /// Transforms a collider. Its radius is in the model's units, whatever the scale of its node.
    pub(super) fn new(shape: &ColliderShape, model_from_node: &Affine3A) -> Self {
        match *shape {
            ColliderShape::Capsule { ends, radius, inside } => {
                let start = model_from_node.transform_point3(ends[0]);
                let to_end = model_from_node.transform_point3(ends[1]) - start;
                Self::Capsule { start, to_end, radius, inside }
            }
            ColliderShape::Plane { point, normal } => Self::Plane {
                point: model_from_node.transform_point3(point),
                normal: model_from_node.transform_vector3(normal).normalize_or_zero(),
            },
        }
    }

    /// Returns the shortest movement that ends the collision with a sphere; `None` if they don't collide.
    pub(super) fn push(&self, center: Vec3, radius: f32) -> Option<Vec3> {
        let (away, overlap) = match *self {
            Self::Capsule { start, to_end, radius: own, inside } => {
                let from_start = center - start;
                let squared = to_end.length_squared();
                let along =
                    if squared > 0.0 { (from_start.dot(to_end) / squared).clamp(0.0, 1.0) } else { 0.0 };
                let from_axis = from_start - to_end * along;
                let distance = from_axis.length();
                let away = from_axis / distance;
                if inside { (-away, distance + radius - own) } else { (away, own + radius - distance) }
            }
            Self::Plane { point, normal } => (normal, radius - (center - point).dot(normal)),
        };
        // A sphere exactly on the axis of a capsule has no direction to move in.
        (overlap > 0.0 && away.is_finite()).then(|| away * overlap)
    }
}
