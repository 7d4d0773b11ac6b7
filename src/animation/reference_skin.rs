//! CPU implementation of the vertex shader: morph targets first, then the skin.
use super::simd::{Rows, affine_from_rows};
use super::{Drawable, Rig};
use crate::model::Primitive;
use glam::{Affine3A, Mat3, Quat, Vec3, Vec4};

/// Morphed and skinned vertices of a primitive in model space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinnedVertices {
    pub positions: Vec<Vec3>,
    /// Normals of unit length, or zero if the blended normal has no length. Empty if the primitive has no normals.
    pub normals: Vec<Vec3>,
    /// Tangents with xyz of unit length, and w negated if the matrix mirrors. Empty if the primitive has no tangents.
    pub tangents: Vec<Vec4>,
}

/// How a vertex follows several joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Skinning {
    /// The mean of where each joint alone would move the vertex. A joint that twists makes the mesh thin.
    #[default]
    Linear,
    /// A blend by dual quaternions, which keeps the volume of twisted joints. Bent joints bulge.
    ///
    /// ```text
    /// v′ = vec( (Σ wᵢ·(Mᵢ·v)·qᵢ) · (Σ wᵢ·qᵢ)* ) / |Σ wᵢ·qᵢ|²        qᵢ: rotation of the joint's matrix Mᵢ
    /// ```
    ///
    /// - For matrices that rotate and translate, this is the blend of Kavan et al., where the dual part of a joint is
    ///   half the product of its translation and qᵢ.
    /// - Scale and shear aren't blended apart: the whole matrix of each joint moves the vertex, also in its own space.
    ///   So a vertex that all joints move to the same place is there.
    /// - Joints with the same rotation are blended linearly.
    /// - qᵢ and −qᵢ are the same rotation. The one on the side of the heaviest joint's is taken.
    /// - Bounds are those of linear skinning. A vertex at a distance r from the joint that its two bones share is
    ///   outside of them by r·(1 − cos(θ / 2)) at most, if the angle between the bones is θ.
    DualQuaternion,
}

/// Returns the results of the vertex shader for a primitive, skinned linearly. `rows` are the rows of one character.
pub fn reference_skin(rig: &Rig, drawable: &Drawable, primitive: usize, rows: &[Vec4]) -> SkinnedVertices {
    reference_skin_by(Skinning::Linear, rig, drawable, primitive, rows)
}

/// Returns the results of the vertex shader for a primitive. `rows` are the rows of one character.
pub fn reference_skin_by(
    skinning: Skinning,
    rig: &Rig,
    drawable: &Drawable,
    primitive: usize,
    rows: &[Vec4],
) -> SkinnedVertices {
    let primitive = &rig.model().mesh(drawable.mesh).primitives[primitive];
    let slots: Vec<Affine3A> =
        (0..drawable.slot_count).map(|slot| affine_from_rows(&slot_rows(rows, drawable, slot))).collect();
    let morph_weights = morph_weights(drawable, rows);

    let mut skinned = SkinnedVertices::default();
    for vertex in 0..primitive.positions.len() {
        let model_from_mesh = match skinning {
            Skinning::DualQuaternion if !primitive.influences.is_empty() => {
                blended_by_rotations(primitive, vertex, &slots)
            }
            _ => blended_matrix(primitive, vertex, &slots),
        };
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

/// Returns the matrix of [`Skinning::DualQuaternion`], whose columns are moved like points.
fn blended_by_rotations(primitive: &Primitive, vertex: usize, slots: &[Affine3A]) -> Affine3A {
    let pure = |v: Vec3| Quat::from_xyzw(v.x, v.y, v.z, 0.0);
    let mut heaviest = None;
    let mut sum = Quat::from_array([0.0; 4]);
    let mut products = [sum; 4];
    for (joint, joint_weight) in primitive.influences.of_vertex(vertex) {
        if joint_weight == 0.0 {
            continue;
        }
        let matrix = slots[joint as usize].to_cols_array_2d();
        let rotation = rotation_of(Mat3::from(slots[joint as usize].matrix3));
        let is_near = heaviest.get_or_insert(rotation).dot(rotation) >= 0.0;
        let rotation = rotation * if is_near { joint_weight } else { -joint_weight };
        sum += rotation;
        for (product, column) in products.iter_mut().zip(matrix) {
            *product += pure(Vec3::from_array(column)) * rotation;
        }
    }
    let length_squared = sum.length_squared().max(f32::MIN_POSITIVE);
    let [x, y, z, translation] = products.map(|product| (product * sum.conjugate()).xyz() / length_squared);
    Affine3A::from_cols(x.into(), y.into(), z.into(), translation.into())
}

/// Returns the nearest rotation to a matrix, or to its negative if it mirrors.
///
/// The mean of a matrix and its inverse transpose converges to the rotation (Newton's iteration). It is left out for a
/// matrix that has no inverse.
fn rotation_of(matrix: Mat3) -> Quat {
    let lengths_squared = matrix.to_cols_array_2d().map(|column| Vec3::from_array(column).length_squared());
    let size = (lengths_squared.iter().sum::<f32>() / 3.0).sqrt().max(1e-30);
    let mut m = matrix * (if matrix.determinant() < 0.0 { -1.0 } else { 1.0 } / size);
    for _ in 0..5 {
        if m.determinant() < 1e-6 {
            break;
        }
        m = (m + cofactor(&m) * (1.0 / m.determinant())) * 0.5;
    }
    let [x, y, z] = m.transpose().to_cols_array_2d().map(Vec3::from_array);
    // Multiples of the quaternion by each of its components.
    let multiples = [
        [z.y - y.z, x.z - z.x, y.x - x.y, 1.0 + x.x + y.y + z.z],
        [1.0 + x.x - y.y - z.z, x.y + y.x, x.z + z.x, z.y - y.z],
        [x.y + y.x, 1.0 - x.x + y.y - z.z, y.z + z.y, x.z - z.x],
        [x.z + z.x, y.z + z.y, 1.0 - x.x - y.y + z.z, y.x - x.y],
    ];
    let multiples = multiples.map(Quat::from_array);
    let longest =
        multiples.into_iter().reduce(|a, b| if b.length_squared() > a.length_squared() { b } else { a });
    longest.map_or(Quat::IDENTITY, Quat::normalize)
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
