//! Tangents for normal maps: those of the file, corrected, or MikkTSpace's, which normal maps are baked with.
use super::mikktspace;
use super::primitives::Source;
use crate::import::ImportError;
use crate::import::normals::{direction, normalise};
use crate::import::part::Part;
use crate::import::report::WarningKind;
use crate::import::vertices::gather;
use crate::model::{Primitive, Topology};
use glam::{Vec2, Vec3, Vec4};

/// Completes the tangents of a primitive whose normal map uses the coordinates of `uv_set`.
///
/// # Errors
/// When the part that generates them isn't there.
pub(super) fn complete(
    primitive: &mut Primitive,
    uv_set: usize,
    source: &mut Source<'_>,
) -> Result<(), ImportError> {
    if !primitive.tangents.is_empty() {
        let odd = correct(&mut primitive.tangents, &primitive.normals);
        let place = source.place.field("attributes");
        let count = primitive.tangents.len();
        source.report.warn_counted(WarningKind::TangentsInvalid, &place.field("TANGENT"), odd, count);
        return Ok(());
    }
    if primitive.topology != Topology::Triangles {
        return Ok(());
    }
    if primitive.uv_sets.get(uv_set).is_none() {
        source.report.warn(WarningKind::TangentsNotMade, &source.place);
        return Ok(());
    }
    Part::Tangents.need()?;
    generate(primitive, uv_set);
    Ok(())
}

/// Corrects tangents and returns how many had a wrong length or sign.
fn correct(tangents: &mut [Vec4], normals: &[Vec3]) -> usize {
    // Each component of a tangent stored in bytes is off by up to 1/127.
    const TOLERANCE: f32 = 2e-2;
    let mut odd = 0;
    for (tangent, normal) in tangents.iter_mut().zip(normals) {
        let sound = (tangent.truncate().length() - 1.0).abs() <= TOLERANCE
            && (tangent.w.abs() - 1.0).abs() <= TOLERANCE;
        odd += usize::from(!sound);
        *tangent = finished(tangent.truncate(), if tangent.w < 0.0 { -1.0 } else { 1.0 }, *normal);
    }
    odd
}

fn finished(tangent: Vec3, sign: f32, normal: Vec3) -> Vec4 {
    direction(tangent).unwrap_or_else(|| normal.any_orthonormal_vector()).extend(sign)
}

/// Generates the tangents of the base shape and, for each morph target, their displacements.
///
/// A vertex is split if its triangles have different tangents there.
#[inline(never)]
fn generate(primitive: &mut Primitive, uv_set: usize) {
    let uvs = primitive.uv_sets.get(uv_set).cloned().unwrap_or_default();
    let of_corners = at_corners(&primitive.positions, &primitive.normals, &uvs, &primitive.indices);
    let moved = |base: &[Vec3], deltas: &[Vec3]| -> Vec<Vec3> {
        let no_delta = std::iter::repeat(&Vec3::ZERO);
        base.iter().zip(deltas.iter().chain(no_delta)).map(|(base, delta)| base + delta).collect()
    };
    let morphed: Vec<Vec<Vec4>> = primitive
        .morph_targets
        .iter()
        .map(|target| {
            if target.positions.is_empty() && target.normals.is_empty() {
                return Vec::new();
            }
            let positions = moved(&primitive.positions, &target.positions);
            let mut normals = moved(&primitive.normals, &target.normals);
            normalise(&mut normals);
            at_corners(&positions, &normals, &uvs, &primitive.indices)
        })
        .collect();

    let split = Split::of(primitive, &of_corners);
    primitive.tangents = Vec::new();
    gather(primitive, &split.from);
    primitive.indices = split.indices;
    let at = |corners: &[Vec4]| -> Vec<Vec4> {
        split.first_corners.iter().filter_map(|&corner| corners.get(corner).copied()).collect()
    };
    primitive.tangents = at(&of_corners);
    for (target, morphed) in primitive.morph_targets.iter_mut().zip(&morphed) {
        let turned = at(morphed).into_iter().zip(&primitive.tangents);
        target.tangents = turned.map(|(turned, base)| (turned - base).truncate()).collect();
    }
}

/// Returns one tangent per corner.
fn at_corners(positions: &[Vec3], normals: &[Vec3], uvs: &[Vec2], indices: &[u32]) -> Vec<Vec4> {
    let mut tangents = mikktspace::tangents(positions, normals, uvs, indices);
    // Corners without a tangent take one that their vertex has in another triangle.
    let mut of_vertices = vec![Vec4::ZERO; positions.len()];
    for (tangent, &vertex) in tangents.iter().zip(indices) {
        if let Some(of_vertex) = of_vertices.get_mut(vertex as usize).filter(|_| tangent.w != 0.0) {
            *of_vertex = *tangent;
        }
    }
    for (tangent, &vertex) in tangents.iter_mut().zip(indices) {
        let vertex = vertex as usize;
        if tangent.w == 0.0 {
            *tangent = of_vertices.get(vertex).copied().unwrap_or_default();
        }
        let normal = normals.get(vertex).copied().unwrap_or(Vec3::Z);
        // V points up in MikkTSpace and down in glTF, so the sign of the bitangent is inverted.
        *tangent = finished(tangent.truncate(), if tangent.w > 0.0 { -1.0 } else { 1.0 }, normal);
    }
    tangents
}

/// Vertices and indices after splitting vertices whose corners have different tangents.
struct Split {
    /// For each new vertex, the old one.
    from: Vec<u32>,
    /// For each new vertex, one of its corners.
    first_corners: Vec<usize>,
    indices: Vec<u32>,
}

impl Split {
    fn of(primitive: &Primitive, of_corners: &[Vec4]) -> Self {
        // Missing an equal tangent costs one vertex; searching all of them would take quadratic time.
        const MAX_COMPARED: usize = 64;
        let mut split = Self { from: Vec::new(), first_corners: Vec::new(), indices: Vec::new() };
        // For each old vertex its newest split, and for each split the previous one.
        let mut newest: Vec<Option<u32>> = vec![None; primitive.positions.len()];
        let mut before: Vec<Option<u32>> = Vec::new();
        for (corner, (&vertex, tangent)) in primitive.indices.iter().zip(of_corners).enumerate() {
            let Some(newest) = newest.get_mut(vertex as usize) else { continue };
            let candidates = std::iter::successors(*newest, |&new| *before.get(new as usize)?);
            let like = candidates.take(MAX_COMPARED).find(|&new| {
                let first = split.first_corners.get(new as usize);
                first.and_then(|&first| of_corners.get(first)) == Some(tangent)
            });
            let new = like.unwrap_or_else(|| {
                // There are at most as many as corners, which are counted in 32 bits.
                let new = u32::try_from(split.from.len()).unwrap_or_default();
                split.from.push(vertex);
                split.first_corners.push(corner);
                before.push(newest.replace(new));
                new
            });
            split.indices.push(new);
        }
        split
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MorphTarget;

    /// Returns a unit square in the XY plane that faces +Z, with its texture upright: U to the right, V down.
    fn square() -> Primitive {
        Primitive {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y],
            normals: vec![Vec3::Z; 4],
            uv_sets: vec![vec![Vec2::new(0.0, 1.0), Vec2::ONE, Vec2::new(1.0, 0.0), Vec2::ZERO]],
            indices: vec![0, 1, 2, 0, 2, 3],
            ..Default::default()
        }
    }

    #[test]
    fn the_bitangent_of_an_upright_picture_points_up() {
        let mut primitive = square();
        generate(&mut primitive, 0);
        assert_eq!(primitive.positions.len(), 4);
        for (tangent, normal) in primitive.tangents.iter().zip(&primitive.normals) {
            assert!(tangent.abs_diff_eq(Vec4::new(1.0, 0.0, 0.0, 1.0), 1e-6), "{tangent}");
            let bitangent = normal.cross(tangent.truncate()) * tangent.w;
            assert!(bitangent.abs_diff_eq(Vec3::Y, 1e-6));
        }
    }

    #[test]
    fn vertices_on_a_mirror_seam_are_split_with_all_they_carry() {
        let mut primitive = square();
        // The second triangle is mirrored: U to the left.
        primitive.positions.extend([Vec3::new(-1.0, 0.0, 0.0)]);
        primitive.normals.push(Vec3::Z);
        primitive.uv_sets[0] = vec![Vec2::new(0.0, 1.0), Vec2::ONE, Vec2::ONE, Vec2::ZERO, Vec2::ONE];
        primitive.indices = vec![0, 1, 3, 0, 3, 4];
        primitive.colors = vec![Vec4::ZERO, Vec4::ONE, Vec4::X, Vec4::Y, Vec4::Z];
        generate(&mut primitive, 0);
        assert_eq!(primitive.positions.len(), 6);
        assert_eq!(primitive.colors.len(), 6);
        let signs: Vec<f32> =
            primitive.indices.iter().map(|&index| primitive.tangents[index as usize].w).collect();
        assert_eq!(signs, [1.0, 1.0, 1.0, -1.0, -1.0, -1.0]);
        let colors = primitive.indices.iter().map(|&index| primitive.colors[index as usize]);
        assert_eq!(
            colors.collect::<Vec<_>>(),
            [Vec4::ZERO, Vec4::ONE, Vec4::Y, Vec4::ZERO, Vec4::Y, Vec4::Z]
        );
    }

    #[test]
    fn a_morph_that_turns_the_face_turns_its_tangents() {
        let mut primitive = square();
        // A quarter turn about Y: X becomes −Z.
        let turned = |at: &Vec3| Vec3::new(0.0, at.y, -at.x) - *at;
        primitive.morph_targets = vec![MorphTarget {
            positions: primitive.positions.iter().map(turned).collect(),
            normals: vec![Vec3::X - Vec3::Z; 4],
            tangents: Vec::new(),
        }];
        generate(&mut primitive, 0);
        for delta in &primitive.morph_targets[0].tangents {
            assert!(delta.abs_diff_eq(Vec3::new(-1.0, 0.0, -1.0), 1e-6), "{delta}");
        }
    }

    #[test]
    fn triangles_without_area_take_what_their_vertices_have() {
        let mut primitive = square();
        primitive.indices.extend([0, 0, 1, 2, 3, 3]);
        generate(&mut primitive, 0);
        assert_eq!(primitive.positions.len(), 4);
        primitive.indices = vec![0, 0, 0];
        generate(&mut primitive, 0);
        assert!(primitive.tangents.iter().all(|tangent| tangent.truncate().is_normalized()));
    }
}
