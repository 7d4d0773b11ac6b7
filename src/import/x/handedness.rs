//! Converts from the .x format's row vectors and left-handed space to column vectors and a right-handed space.
//!
//! Everything is mirrored in the XY plane: x to the right and y up stay, z is negated. Mirroring turns a clockwise
//! triangle counter-clockwise, so the winding is reversed too.
use crate::import::matrices::affine;
use glam::{Affine3A, Mat4, Quat, Vec3};

/// Mirrors a point or a direction.
pub(super) fn mirrored([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, y, -z)
}

/// Converts a matrix for row vectors; `None` if it is a projection.
///
/// The rows of such a matrix are the columns of its transpose. Mirroring both spaces negates the elements of which
/// either the row or the column is z, but not both.
pub(super) fn column_matrix(rows: &[f32; 16]) -> Option<Affine3A> {
    let mut mirrored = Mat4::from_cols_array(rows);
    mirrored.x_axis.z = -mirrored.x_axis.z;
    mirrored.y_axis.z = -mirrored.y_axis.z;
    mirrored.z_axis.x = -mirrored.z_axis.x;
    mirrored.z_axis.y = -mirrored.z_axis.y;
    mirrored.w_axis.z = -mirrored.w_axis.z;
    affine(&mirrored)
}

/// Converts a key's rotation, which is stored w first. D3DX writes the conjugate of the matrix's quaternion, which
/// turns the opposite way. The mirror negates x and y, the conjugate x, y and z.
pub(super) fn rotation([w, x, y, z]: [f32; 4]) -> Quat {
    Quat::from_xyzw(x, y, -z, w)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quarter turn about each axis, as a row matrix and as the quaternion that D3DX writes for it.
    #[test]
    fn rotations_turn_as_their_matrices_do() {
        let half = 0.5_f32.sqrt();
        let point = [1.0, 2.0, 3.0];
        for (rows, key, turned) in [
            (
                [1., 0., 0., 0., 0., 0., 1., 0., 0., -1., 0., 0., 0., 0., 0., 1.],
                [half, -half, 0., 0.],
                [1.0, -3.0, 2.0],
            ),
            (
                [0., 0., -1., 0., 0., 1., 0., 0., 1., 0., 0., 0., 0., 0., 0., 1.],
                [half, 0., -half, 0.],
                [3.0, 2.0, -1.0],
            ),
            (
                [0., 1., 0., 0., -1., 0., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.],
                [half, 0., 0., -half],
                [-2.0, 1.0, 3.0],
            ),
        ] {
            let expected = mirrored(turned);
            let by_matrix = column_matrix(&rows).unwrap().transform_point3(mirrored(point));
            let by_key = rotation(key) * mirrored(point);
            assert!(by_matrix.abs_diff_eq(expected, 1e-6), "{by_matrix} instead of {expected}");
            assert!(by_key.abs_diff_eq(expected, 1e-6), "{by_key} instead of {expected}");
        }
    }

    #[test]
    fn a_matrix_that_projects_is_none() {
        let mut rows = Mat4::IDENTITY.to_cols_array();
        rows[3] = 1.0;
        assert_eq!(column_matrix(&rows), None);
    }
}
