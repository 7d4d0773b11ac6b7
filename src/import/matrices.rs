//! Decomposition of matrices into scale, rotation and translation. Matrices that can't be decomposed are kept whole.
use super::normals::direction;
use crate::model::Srt;
use glam::{Affine3A, Mat3, Mat4, Quat, Vec3};

/// Converts a matrix to an affine one. Returns `None` if the last row isn't 0 0 0 1, as in a projection.
pub(super) fn affine(matrix: &Mat4) -> Option<Affine3A> {
    // Exporters that invert matrices in single precision leave a few ulps in the last row.
    const TOLERANCE: f32 = 1e-4;
    matrix.row(3).abs_diff_eq(glam::Vec4::W, TOLERANCE).then(|| Affine3A::from_mat4(*matrix))
}

/// Returns the scale, rotation and translation of a matrix, and whether they reproduce it.
///
/// Axes of length 0 and mirrors are kept: a mirror gets a negative X scale, as in three.js.
pub(super) fn decompose(parent_from_node: &Affine3A) -> (Srt, bool) {
    // Matrices are often written with six digits. A larger deviation is an intended shear.
    decompose_within(parent_from_node, 2e-5)
}

/// Decomposes a matrix as [`decompose`] does, with a tolerance relative to the longest axis.
pub(super) fn decompose_within(parent_from_node: &Affine3A, tolerance: f32) -> (Srt, bool) {
    let columns = Mat3::from(parent_from_node.matrix3);
    let [x, y, z] = [columns.x_axis, columns.y_axis, columns.z_axis];
    let largest = x.abs().max(y.abs()).max(z.abs()).max_element();
    // Squared lengths of very large or very small axes would overflow or underflow.
    let unscaled = |axis: Vec3| if largest > 0.0 { axis / largest } else { axis };
    let [x, y, z] = [unscaled(x), unscaled(y), unscaled(z)];
    let mirrored = x.cross(y).dot(z) < 0.0;
    let lengths = Vec3::new(if mirrored { -x.length() } else { x.length() }, y.length(), z.length());

    let rotation = rotation_of(if mirrored { -x } else { x }, y, z);
    let near = Mat3::from_quat(rotation) * Mat3::from_diagonal(lengths);
    let faithful = near.abs_diff_eq(Mat3::from_cols(x, y, z), tolerance);
    (Srt { scale: lengths * largest, rotation, translation: parent_from_node.translation.into() }, faithful)
}

/// Returns the rotation given by axes of any length, including 0. Axes that aren't at right angles are straightened.
fn rotation_of(x: Vec3, y: Vec3, z: Vec3) -> Quat {
    let right_angled = |axis: Vec3, to: Vec3| direction(axis - to * axis.dot(to));
    let (x, y, z) = match (direction(x), direction(y), direction(z)) {
        (Some(x), Some(y), _) => {
            let y = right_angled(y, x).unwrap_or_else(|| x.any_orthonormal_vector());
            (x, y, x.cross(y))
        }
        (Some(x), None, Some(z)) => {
            let z = right_angled(z, x).unwrap_or_else(|| x.any_orthonormal_vector());
            (x, z.cross(x), z)
        }
        (None, Some(y), Some(z)) => {
            let z = right_angled(z, y).unwrap_or_else(|| y.any_orthonormal_vector());
            (y.cross(z), y, z)
        }
        (Some(axis), None, None) => {
            let (y, z) = axis.any_orthonormal_pair();
            (axis, y, z)
        }
        (None, Some(axis), None) => {
            let (z, x) = axis.any_orthonormal_pair();
            (x, axis, z)
        }
        (None, None, Some(axis)) => {
            let (x, y) = axis.any_orthonormal_pair();
            (x, y, axis)
        }
        (None, None, None) => return Quat::IDENTITY,
    };
    Quat::from_mat3(&Mat3::from_cols(x, y, z)).normalize()
}

/// Returns the rotation at unit length, and whether it had unit length within `tolerance`. A quaternion of zeros
/// becomes the identity.
pub(super) fn unit_rotation(rotation: Quat, tolerance: f32) -> (Quat, bool) {
    let largest = glam::Vec4::from(rotation).abs().max_element();
    if largest == 0.0 {
        return (Quat::IDENTITY, false);
    }
    // Squares of very large or very small numbers would overflow or underflow.
    let unit = (rotation / largest).normalize();
    let length = (rotation / largest).length() * largest;
    (unit, (length - 1.0).abs() <= tolerance)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_survives(srt: Srt) {
        let whole = srt.parent_from_node();
        let (found, faithful) = decompose(&whole);
        assert!(faithful, "{srt:?} became {found:?}");
        assert!(found.rotation.is_normalized());
        let largest = srt.scale.abs().max_element().max(1e-30);
        let off = Mat3::from(found.parent_from_node().matrix3 - whole.matrix3);
        let off = [off.x_axis, off.y_axis, off.z_axis].map(|axis| axis.abs().max_element());
        assert!(off.iter().all(|off| *off <= 1e-5 * largest), "{srt:?} became {found:?}");
    }

    #[test]
    fn mirrors_and_zero_scales_survive() {
        let rotation = Quat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize();
        let translation = Vec3::new(1.0, -2.0, 3.0);
        for x in [-1.0, 0.0, 2.0] {
            for y in [-3.0, 0.0, 1.0] {
                for z in [-0.5, 0.0, 1.0] {
                    assert_survives(Srt { scale: Vec3::new(x, y, z), rotation, translation });
                    assert_survives(Srt { scale: Vec3::new(x, y, z) * 1e-25, rotation, translation });
                }
            }
        }
    }

    #[test]
    fn a_shear_is_told_from_a_scale() {
        let mut sheared = Affine3A::IDENTITY;
        sheared.matrix3.y_axis.x = 0.5;
        let (srt, faithful) = decompose(&sheared);
        assert!(!faithful);
        assert!(srt.rotation.is_normalized());
    }

    #[test]
    fn rotations_of_any_length_become_unit() {
        for scale in [1e-40, 1e-20, 1.0, 3.0, 1e20, 1e38] {
            let (unit, was) = unit_rotation(Quat::from_xyzw(0.0, 0.6, 0.0, 0.8) * scale, 1e-3);
            assert!(unit.abs_diff_eq(Quat::from_xyzw(0.0, 0.6, 0.0, 0.8), 1e-2), "{scale}: {unit}");
            assert_eq!(was, scale == 1.0);
        }
        assert_eq!(unit_rotation(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), 1e-3), (Quat::IDENTITY, false));
    }
}
