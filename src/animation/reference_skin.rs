//! CPU implementation of the vertex shader: morph targets first, then the skin.
use super::simd::{Rows, affine_from_rows};
use super::{Drawable, Rig};
use crate::model::Primitive;
use glam::{Affine3A, Mat3, Vec3, Vec4};

/// Morphed and skinned vertices of a primitive in model space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinnedVertices {
    pub positions: Vec<Vec3>,
    /// Normals of unit length, or zero if the blended normal has no length. Empty if the primitive has no normals.
    pub normals: Vec<Vec3>,
    /// Tangents with xyz of unit length, and w negated if the matrix mirrors. Empty if the primitive has no tangents.
    pub tangents: Vec<Vec4>,
}

/// Returns the results of the vertex shader for a primitive. `rows` are the rows of one character.
pub fn reference_skin(rig: &Rig, drawable: &Drawable, primitive: usize, rows: &[Vec4]) -> SkinnedVertices {
    let primitive = &rig.model().mesh(drawable.mesh).primitives[primitive];
    let slots: Vec<Affine3A> =
        (0..drawable.slot_count).map(|slot| affine_from_rows(&slot_rows(rows, drawable, slot))).collect();
    let morph_weights = morph_weights(drawable, rows);

    let mut skinned = SkinnedVertices::default();
    for vertex in 0..primitive.positions.len() {
        let model_from_mesh = blended_matrix(primitive, vertex, &slots);
        let linear = Mat3::from(model_from_mesh.matrix3);
        let mirror = if linear.determinant() < 0.0 { -1.0 } else { 1.0 };

        let displacement = displacement(primitive, &morph_weights, vertex, |target| &target.positions);
        let position_in_mesh = primitive.positions[vertex] + displacement;
        skinned.positions.push(model_from_mesh.transform_point3(position_in_mesh));

        if let Some(&normal) = primitive.normals.get(vertex) {
            let normal = normal + self::displacement(primitive, &morph_weights, vertex, |t| &t.normals);
            skinned.normals.push((cofactor(&linear) * normal * mirror).normalize_or_zero());
        }
        if let Some(&tangent) = primitive.tangents.get(vertex) {
            let along =
                tangent.truncate() + self::displacement(primitive, &morph_weights, vertex, |t| &t.tangents);
            skinned.tangents.push((linear * along).normalize_or_zero().extend(tangent.w * mirror));
        }
    }
    skinned
}

fn slot_rows(rows: &[Vec4], drawable: &Drawable, slot: usize) -> Rows {
    let first = drawable.first_row + slot * 3;
    [rows[first], rows[first + 1], rows[first + 2]]
}

pub(super) fn morph_weights(drawable: &Drawable, rows: &[Vec4]) -> Vec<f32> {
    (0..drawable.morph_target_count)
        .map(|target| rows[drawable.first_weight_row + target / 4][target % 4])
        .collect()
}

fn blended_matrix(primitive: &Primitive, vertex: usize, slots: &[Affine3A]) -> Affine3A {
    if primitive.influences.is_empty() {
        return slots[0];
    }
    let mut sum = Affine3A::from_mat3_translation(Mat3::ZERO, Vec3::ZERO);
    for (joint, joint_weight) in primitive.influences.of_vertex(vertex) {
        let slot = &slots[joint as usize];
        sum.matrix3 += slot.matrix3 * joint_weight;
        sum.translation += slot.translation * joint_weight;
    }
    sum
}

fn displacement(
    primitive: &Primitive,
    morph_weights: &[f32],
    vertex: usize,
    attribute: impl Fn(&crate::model::MorphTarget) -> &Vec<Vec3>,
) -> Vec3 {
    let targets = primitive.morph_targets.iter().zip(morph_weights);
    targets.filter_map(|(target, &weight)| attribute(target).get(vertex).map(|&offset| offset * weight)).sum()
}

/// Returns the determinant times the inverse transpose, which transforms normals and exists even if a scale is 0.
fn cofactor(linear: &Mat3) -> Mat3 {
    let [x, y, z] = [linear.x_axis, linear.y_axis, linear.z_axis];
    Mat3::from_cols(y.cross(z), z.cross(x), x.cross(y))
}
