//! .x counts in row vectors and a left-handed space, a model in column vectors and a right-handed one.
//!
//! Both are changed here, once, by looking at everything in the mirror of the XY plane: X to the right and Y up stay, Z
//! turns round. Triangles turn round too, since what ran clockwise runs counter-clockwise in a mirror.
use crate::import::matrices::affine;
use glam::{Affine3A, Mat4, Quat, Vec3};

/// Of points and directions.
pub(super) fn mirrored([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, y, -z)
}

/// `None` for a matrix that projects.
///
/// The rows of a matrix that row vectors are multiplied with are the columns of its transpose. Mirroring both spaces
/// changes the sign where one of row and column is Z, and not where both are.
pub(super) fn column_matrix(rows: &[f32; 16]) -> Option<Affine3A> {
    let mut mirrored = Mat4::from_cols_array(rows);
    mirrored.x_axis.z = -mirrored.x_axis.z;
    mirrored.y_axis.z = -mirrored.y_axis.z;
    mirrored.z_axis.x = -mirrored.z_axis.x;
    mirrored.z_axis.y = -mirrored.z_axis.y;
    mirrored.w_axis.z = -mirrored.w_axis.z;
    affine(&mirrored)
}

/// A key's rotation, which is stored w first and turns the other way round than its numbers say: what D3DX writes for a
/// matrix is the conjugate of that matrix's quaternion. The mirror changes the signs of x and y, the conjugate those of
/// x, y and z.
pub(super) fn rotation([w, x, y, z]: [f32; 4]) -> Quat {
    Quat::from_xyzw(x, y, -z, w)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quarter turn about each axis, as a row matrix and as the quaternion that D3DX writes beside it.
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
