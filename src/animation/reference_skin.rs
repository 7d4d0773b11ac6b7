//! CPU implementation of the vertex shader: morph targets first, then the skin.
use super::simd::{Rows, affine_from_rows};
use super::{Drawable, Rig};
use crate::model::{MorphTarget, Primitive};
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
    let posed = PosedPrimitive::new(skinning, rig, drawable, primitive, rows);
    let primitive = posed.primitive;
    let mut skinned = SkinnedVertices::default();
    for vertex in 0..primitive.positions.len() {
        let model_from_mesh = posed.model_from_mesh(vertex);
        let linear = Mat3::from(model_from_mesh.matrix3);
        skinned.positions.push(model_from_mesh.transform_point3(posed.position_in_mesh(vertex)));
        if !primitive.normals.is_empty() {
            skinned.normals.push(posed.normal(vertex));
        }
        if let Some(&tangent) = primitive.tangents.get(vertex) {
            let along = tangent.truncate() + posed.displacement(vertex, |target| &target.tangents);
            let mirrored = tangent.w * mirror(&linear);
            skinned.tangents.push((linear * along).normalize_or_zero().extend(mirrored));
        }
    }
    skinned
}

/// A primitive in a pose, whose vertices are computed one at a time, as the vertex shader does.
#[derive(Debug)]
pub(crate) struct PosedPrimitive<'a> {
    pub(crate) primitive: &'a Primitive,
    slots: Vec<Affine3A>,
    /// Morph targets whose weight isn't 0.
    morphs: Vec<(&'a MorphTarget, f32)>,
    /// `None` for a primitive that its node moves.
    skinning: Option<Skinning>,
}

impl<'a> PosedPrimitive<'a> {
    /// Reads the pose of one character from its rows.
    pub(crate) fn new(
        skinning: Skinning,
        rig: &'a Rig,
        drawable: &Drawable,
        primitive: usize,
        rows: &[Vec4],
    ) -> Self {
        let primitive = &rig.model().mesh(drawable.mesh).primitives[primitive];
        let slots = 0..drawable.slot_count;
        let weighted = primitive.morph_targets.iter().zip(morph_weights(drawable, rows));
        Self {
            primitive,
            slots: slots.map(|slot| affine_from_rows(&slot_rows(rows, drawable, slot))).collect(),
            morphs: weighted.filter(|(_, weight)| *weight != 0.0).collect(),
            skinning: is_skinned(primitive, drawable).then_some(skinning),
        }
    }

    /// Returns the position of a vertex in model space.
    pub(crate) fn position(&self, vertex: usize) -> Vec3 {
        self.model_from_mesh(vertex).transform_point3(self.position_in_mesh(vertex))
    }

    /// Returns the normal of a vertex in model space, or zero if it has no length.
    pub(crate) fn normal(&self, vertex: usize) -> Vec3 {
        let linear = Mat3::from(self.model_from_mesh(vertex).matrix3);
        let normal = self.primitive.normals[vertex] + self.displacement(vertex, |target| &target.normals);
        turned_normal(&linear, normal)
    }

    /// Returns the slot that moves a point of a triangle most. `shares` are the weights of the corners. `None` if the
    /// node moves the primitive.
    pub(crate) fn heaviest_slot(&self, corners: [usize; 3], shares: [f32; 3]) -> Option<usize> {
        self.skinning?;
        let mut sums: Vec<(u16, f32)> = Vec::new();
        for (vertex, share) in corners.into_iter().zip(shares) {
            for (slot, joint_weight) in self.primitive.influences.of_vertex(vertex) {
                match sums.iter_mut().find(|sum| sum.0 == slot) {
                    Some(sum) => sum.1 += joint_weight * share,
                    None => sums.push((slot, joint_weight * share)),
                }
            }
        }
        sums.into_iter().reduce(|a, b| if b.1 > a.1 { b } else { a }).map(|(slot, _)| usize::from(slot))
    }

    /// Returns whether the matrix of the first vertex's heaviest joint, or of the node, mirrors. Culling depends on it.
    pub(crate) fn is_mirrored(&self) -> bool {
        let slot = self.skinning.and_then(|_| self.primitive.influences.joints.first());
        let slot = self.slots.get(slot.map_or(0, |&slot| usize::from(slot)));
        slot.is_some_and(|slot| slot.matrix3.determinant() < 0.0)
    }

    fn position_in_mesh(&self, vertex: usize) -> Vec3 {
        self.primitive.positions[vertex] + self.displacement(vertex, |target| &target.positions)
    }

    fn model_from_mesh(&self, vertex: usize) -> Affine3A {
        match self.skinning {
            None => self.slots[0],
            Some(Skinning::Linear) => blended_matrix(self.primitive, vertex, &self.slots),
            Some(Skinning::DualQuaternion) => blended_by_rotations(self.primitive, vertex, &self.slots),
        }
    }

    fn displacement(&self, vertex: usize, attribute: impl Fn(&MorphTarget) -> &Vec<Vec3>) -> Vec3 {
        let displaced = |&(target, weight): &(&'a MorphTarget, f32)| {
            attribute(target).get(vertex).map(|&offset| offset * weight)
        };
        self.morphs.iter().filter_map(displaced).sum()
    }
}

/// Returns whether the joints of a skin move the primitive. Without a skin, its influences are ignored.
pub(super) fn is_skinned(primitive: &Primitive, drawable: &Drawable) -> bool {
    drawable.skin.is_some() && !primitive.influences.is_empty()
}

/// Returns a normal that a matrix has turned, of unit length or zero.
pub(crate) fn turned_normal(linear: &Mat3, normal: Vec3) -> Vec3 {
    (cofactor(linear) * normal * mirror(linear)).normalize_or_zero()
}

/// Returns −1 if a matrix mirrors, and 1 otherwise.
fn mirror(linear: &Mat3) -> f32 {
    if linear.determinant() < 0.0 { -1.0 } else { 1.0 }
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

/// Returns the determinant times the inverse transpose, which transforms normals and exists even if a scale is 0.
fn cofactor(linear: &Mat3) -> Mat3 {
    let [x, y, z] = [linear.x_axis, linear.y_axis, linear.z_axis];
    Mat3::from_cols(y.cross(z), z.cross(x), x.cross(y))
}
