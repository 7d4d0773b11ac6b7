//! Local poses: transforms of all nodes relative to their parents, in groups of four nodes.
use super::Rig;
use super::scalars::ScalarRows;
use super::simd::{LANES, affine_from_rows, denoised, denoised_rows, group_count};
use crate::model::{Model, NodeIndex, PropertyIndex, Srt};
use glam::{Affine3A, Quat, Vec3, Vec4};

/// Scale, rotation and translation of every node, and the morph weights and sheared matrices of those that have any.
///
/// ```text
/// rotations[g] = [ x x x x | y y y y | z z z z | w w w w ]     lane l of group g is node 4g + l
/// ```
///
/// A pose is valid only for the rig that it was made for.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalPose {
    pub(super) translations: Vec<[Vec4; 3]>,
    pub(super) rotations: Vec<[Vec4; 4]>,
    pub(super) scales: Vec<[Vec4; 3]>,
    /// Scalars of each node, four per row: its morph weights, then the three rows of its matrix if it shears. Each
    /// node starts a new row. Animated properties follow. [`ScalarRows`] is the layout.
    pub(super) scalars: Vec<[Vec4; 1]>,
}

impl LocalPose {
    /// Returns the rest pose, which is the pose of the file and of everything without keys.
    pub fn rest(rig: &Rig) -> Self {
        rig.rest().clone()
    }

    pub fn set_to_rest(&mut self, rig: &Rig) {
        self.copy_from(rig.rest());
    }

    /// Copies another pose of the same rig, bit for bit, without allocating.
    pub fn copy_from(&mut self, other: &Self) {
        self.translations.copy_from_slice(&other.translations);
        self.rotations.copy_from_slice(&other.rotations);
        self.scales.copy_from_slice(&other.scales);
        self.scalars.copy_from_slice(&other.scalars);
    }

    pub fn srt(&self, node: NodeIndex) -> Srt {
        let (group, lane) = (node.get() / LANES, node.get() % LANES);
        srt_of(&self.translations[group], &self.rotations[group], &self.scales[group], lane)
    }

    pub fn set_srt(&mut self, node: NodeIndex, srt: Srt) {
        let (group, lane) = (node.get() / LANES, node.get() % LANES);
        put(&mut self.translations[group], lane, srt.translation.to_array());
        put(&mut self.rotations[group], lane, srt.rotation.to_array());
        put(&mut self.scales[group], lane, srt.scale.to_array());
    }

    /// Returns the morph weights of a node, one per morph target of its mesh; empty if it has none.
    pub fn morph_weights(&self, rig: &Rig, node: NodeIndex) -> &[f32] {
        let all: &[f32] = bytemuck::cast_slice(&self.scalars);
        &all[rig.scalar_rows().weights_of(node)]
    }

    pub fn morph_weights_mut(&mut self, rig: &Rig, node: NodeIndex) -> &mut [f32] {
        let all: &mut [f32] = bytemuck::cast_slice_mut(&mut self.scalars);
        &mut all[rig.scalar_rows().weights_of(node)]
    }

    /// Returns the numbers of all animated properties, one after another.
    pub fn properties(&self, rig: &Rig) -> &[f32] {
        let all: &[f32] = bytemuck::cast_slice(&self.scalars);
        let end = rig.model().properties.iter().map(|property| property.rest.len()).sum();
        all[rig.scalar_rows().node_row_count() * LANES..].split_at(end).0
    }

    /// Returns the numbers of an animated property.
    pub fn property(&self, rig: &Rig, property: PropertyIndex) -> &[f32] {
        let all: &[f32] = bytemuck::cast_slice(&self.scalars);
        &all[rig.scalar_rows().property_lanes(property)]
    }

    /// Returns `parent_from_node` of a node that shears, whose scale, rotation and translation are unused. Returns
    /// `None` for all other nodes.
    pub fn matrix(&self, rig: &Rig, node: NodeIndex) -> Option<Affine3A> {
        rig.model().node(node).sheared_rest?;
        let row = rig.scalar_rows().matrix_row(node);
        let [first, second, third] = [0, 1, 2].map(|offset| self.scalars[row + offset][0]);
        Some(affine_from_rows(&[first, second, third]))
    }

    /// Returns a pose of the one group that contains a node, without scalars.
    pub(super) fn group_of(&self, node: NodeIndex) -> Self {
        let group = node.get() / LANES;
        Self {
            translations: vec![self.translations[group]],
            rotations: vec![self.rotations[group]],
            scales: vec![self.scales[group]],
            scalars: Vec::new(),
        }
    }

    pub(super) fn rest_of(model: &Model, scalar_rows: &ScalarRows) -> Self {
        let group_count = group_count(model.nodes.len());
        // Lanes past the last node hold the identity, so that no arithmetic on them can overflow or divide by zero.
        let mut pose = Self {
            translations: vec![[Vec4::ZERO; 3]; group_count],
            rotations: vec![[Vec4::ZERO, Vec4::ZERO, Vec4::ZERO, Vec4::ONE]; group_count],
            scales: vec![[Vec4::ONE; 3]; group_count],
            scalars: vec![[Vec4::ZERO]; scalar_rows.row_count()],
        };
        for (index, node) in model.nodes.iter().enumerate() {
            let index = NodeIndex::new(index);
            let Srt { scale, rotation, translation } = node.rest;
            let rest = Srt {
                scale: scale.map(denoised),
                rotation: Quat::from_array(rotation.to_array().map(denoised)),
                translation: translation.map(denoised),
            };
            pose.set_srt(index, rest);
            let all: &mut [f32] = bytemuck::cast_slice_mut(&mut pose.scalars);
            for (held, &rest) in all[scalar_rows.weights_of(index)].iter_mut().zip(&node.rest_morph_weights) {
                *held = denoised(rest);
            }
            if let Some(parent_from_node) = &node.sheared_rest {
                let rows = denoised_rows(parent_from_node).map(|row| [row]);
                pose.scalars[scalar_rows.matrix_row(index)..][..rows.len()].copy_from_slice(&rows);
            }
        }
        let all: &mut [f32] = bytemuck::cast_slice_mut(&mut pose.scalars);
        for (index, property) in model.properties.iter().enumerate() {
            let lanes = scalar_rows.property_lanes(PropertyIndex::new(index));
            for (held, &rest) in all[lanes].iter_mut().zip(&property.rest) {
                *held = denoised(rest);
            }
        }
        pose
    }
}

/// Returns one lane of a group.
pub(super) fn srt_of(translation: &[Vec4; 3], rotation: &[Vec4; 4], scale: &[Vec4; 3], lane: usize) -> Srt {
    let ([tx, ty, tz], [sx, sy, sz]) = (translation, scale);
    let [rx, ry, rz, rw] = rotation;
    Srt {
        translation: Vec3::new(tx[lane], ty[lane], tz[lane]),
        rotation: Quat::from_xyzw(rx[lane], ry[lane], rz[lane], rw[lane]),
        scale: Vec3::new(sx[lane], sy[lane], sz[lane]),
    }
}

/// Writes one lane of each component.
pub(super) fn put<const N: usize>(group: &mut [Vec4; N], lane: usize, components: [f32; N]) {
    for (lanes, component) in group.iter_mut().zip(components) {
        lanes[lane] = component;
    }
}
