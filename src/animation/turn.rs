//! Arithmetic of rotations with the same bits on every machine. The sums of glam's quaternions have another order with
//! SIMD than without.
use glam::{Affine3A, Mat3, Quat, Vec3};

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

/// Returns the rotation by `q` in the other direction.
pub(super) fn inverse(q: Quat) -> Quat {
    Quat::from_xyzw(-q.x, -q.y, -q.z, q.w)
}

/// Returns the rotation by an angle about an axis of unit length, from the sine and cosine of half the angle.
pub(super) fn about(axis: Vec3, (sine, cosine): (f32, f32)) -> Quat {
    Quat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

/// Returns the rotation of a transform without its scale. The second axis may turn, if the transform shears.
pub(super) fn of(transform: &Affine3A) -> Quat {
    let Mat3 { x_axis, y_axis, .. } = Mat3::from(transform.matrix3);
    let x = x_axis.normalize_or(Vec3::X);
    let z = x.cross(y_axis).normalize_or(x.any_orthonormal_vector());
    unit(Quat::from_mat3(&Mat3::from_cols(x, z.cross(x), z)))
}

/// Interpolates along the chord, on the shorter way.
pub(super) fn between(from: Quat, to: Quat, share: f32) -> Quat {
    let dot = (from.x * to.x + from.y * to.y) + (from.z * to.z + from.w * to.w);
    unit(from * (1.0 - share) + if dot < 0.0 { -to } else { to } * share)
}
