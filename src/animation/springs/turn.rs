//! Arithmetic of rotations with the same bits on every machine. The sums of glam's quaternions have another order with
//! SIMD than without.
use glam::{Quat, Vec3};

/// Returns the rotation between two directions of unit length. Its w is 0 or above.
///
/// Unlike `Quat::from_rotation_arc`, it keeps all digits of small angles.
pub(super) fn arc(from: Vec3, to: Vec3) -> Quat {
    let (axis, dot) = (from.cross(to), from.dot(to));
    if dot < -0.999_999 {
        let axis = from.any_orthonormal_vector();
        return Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
    }
    unit(Quat::from_xyzw(axis.x, axis.y, axis.z, 1.0 + dot))
}

/// Returns a quaternion scaled to unit length.
pub(super) fn unit(q: Quat) -> Quat {
    let length = ((q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w)).sqrt();
    Quat::from_xyzw(q.x / length, q.y / length, q.z / length, q.w / length)
}

/// Returns the rotation by `b`, followed by that by `a`.
pub(super) fn product(a: Quat, b: Quat) -> Quat {
    Quat::from_xyzw(
        (a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y),
        (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z),
        (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x),
        (a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z),
    )
}
