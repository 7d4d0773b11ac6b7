//! Normals: those of the file at unit length, or flat ones if it has none.
use super::vertices::gather;
use crate::model::Primitive;
use glam::Vec3;

// Each component of a normal stored in bytes is off by up to 1/127.
const LENGTH_TOLERANCE: f32 = 2e-2;

/// Scales normals to unit length and returns how many had another length.
pub(super) fn normalise(normals: &mut [Vec3]) -> usize {
    let mut odd = 0;
    for normal in normals {
        odd += usize::from((normal.length() - 1.0).abs() > LENGTH_TOLERANCE);
        *normal = unit(*normal);
    }
    odd
}

/// Returns a vector of unit length in the same direction; +Z if the vector has no direction.
pub(super) fn unit(vector: Vec3) -> Vec3 {
    direction(vector).unwrap_or(Vec3::Z)
}

/// Returns a vector of unit length in the same direction, for vectors of any length; `None` for zero.
pub(super) fn direction(vector: Vec3) -> Option<Vec3> {
    // Squares of very large or very small numbers would overflow or lose precision.
    (vector / vector.abs().max_element()).try_normalize()
}

/// Gives each triangle its own vertices and its own flat normal.
///
/// The specification requires the same for each morph target, whose own normals are then ignored.
pub(super) fn flatten(primitive: &mut Primitive) {
    let from = std::mem::take(&mut primitive.indices);
    gather(primitive, &from);
    primitive.indices = (0u32..).take(from.len()).collect();
    primitive.normals = flat(&primitive.positions);
    for target in &mut primitive.morph_targets {
        target.normals = Vec::new();
        if target.positions.is_empty() {
            continue;
        }
        let morphed: Vec<Vec3> = primitive
            .positions
            .iter()
            .zip(&target.positions)
            .map(|(position, delta)| position + delta)
            .collect();
        let normals = flat(&morphed).into_iter().zip(&primitive.normals);
        target.normals = normals.map(|(morphed, base)| morphed - base).collect();
    }
}

/// Returns for each vertex the mean normal of its triangles, weighted by their areas.
#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
pub(super) fn smooth(positions: &[Vec3], indices: &[u32]) -> Vec<Vec3> {
    let largest = positions.iter().map(|position| position.abs().max_element()).fold(0.0, f32::max);
    // Products of very large or very small numbers would overflow or underflow.
    let scaled: Vec<Vec3> =
        positions.iter().map(|position| position / if largest > 0.0 { largest } else { 1.0 }).collect();
    let mut sums = vec![Vec3::ZERO; positions.len()];
    for triangle in indices.chunks_exact(3) {
        let corner = |at: usize| scaled.get(*triangle.get(at)? as usize).copied();
        let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else { continue };
        let area = (b - a).cross(c - a);
        for &vertex in triangle {
            if let Some(sum) = sums.get_mut(vertex as usize) {
                *sum += area;
            }
        }
    }
    sums.into_iter().map(unit).collect()
}

fn flat(positions: &[Vec3]) -> Vec<Vec3> {
    let mut normals = Vec::with_capacity(positions.len());
    for triangle in positions.chunks_exact(3) {
        if let &[a, b, c] = triangle {
            let (ab, ac) = (b - a, c - a);
            let largest = ab.abs().max(ac.abs()).max_element();
            normals.extend([unit((ab / largest).cross(ac / largest)); 3]);
        }
    }
    normals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MorphTarget;

    #[test]
    fn a_shared_vertex_gets_one_normal_a_triangle() {
        let mut primitive = Primitive {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
            indices: vec![0, 1, 2, 0, 2, 3],
            morph_targets: vec![MorphTarget { positions: vec![Vec3::X; 4], ..Default::default() }],
            ..Default::default()
        };
        flatten(&mut primitive);
        assert_eq!(primitive.indices, [0, 1, 2, 3, 4, 5]);
        assert_eq!(primitive.positions[3..], [Vec3::ZERO, Vec3::Y, Vec3::Z]);
        assert_eq!(primitive.normals[..3], [Vec3::Z; 3]);
        assert_eq!(primitive.normals[3..], [Vec3::X; 3]);
        assert_eq!(primitive.morph_targets[0].normals, [Vec3::ZERO; 6]);
    }

    #[test]
    fn a_smooth_normal_leans_towards_the_larger_triangle() {
        let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z * 3.0];
        let normals = smooth(&positions, &[0, 1, 2, 0, 2, 3]);
        assert!(normals[0].abs_diff_eq(Vec3::new(3.0, 0.0, 1.0).normalize(), 1e-6), "{}", normals[0]);
        assert_eq!(normals[1], Vec3::Z);
        assert_eq!(smooth(&[Vec3::ZERO; 3], &[0, 1, 2]), [Vec3::Z; 3]);
    }

    #[test]
    fn what_has_no_area_still_has_a_finite_normal() {
        let far = Vec3::splat(f32::MAX);
        let needle = [Vec3::ZERO, Vec3::X, Vec3::new(0.3, 3e-21, 0.0)];
        assert_eq!(flat(&needle), [Vec3::Z; 3]);
        for triangle in [[Vec3::ZERO; 3], [Vec3::ZERO, Vec3::X, Vec3::X * 2.0], [far, -far, Vec3::X]] {
            assert!(flat(&triangle).iter().all(|normal| normal.is_normalized()));
        }
        assert_eq!(unit(Vec3::new(0.0, 1e-30, 0.0)), Vec3::Y);
        assert_eq!(unit(Vec3::new(0.0, 1e30, 0.0)), Vec3::Y);
    }
}
