//! Palette of a character for the vertex shader: matrices and morph weights, in rows of four numbers.
use super::scalars::ScalarRows;
use super::simd::{Components, Rows, denoised_rows, multiply, rows_from_affine};
use super::{LocalPose, ModelPose};
use crate::model::{Mesh, MeshIndex, Model, NodeIndex, SkinIndex};
use glam::{Affine3A, Vec4};

/// Layout of a character's rows. Character `c` starts at row `c · rows_per_character`.
///
/// ```text
/// row 0 .. 3            world_from_model
/// first_row ..          three rows per slot: model_from_mesh, the rows of a 3×4 matrix
/// first_weight_row ..   morph weights, four per row
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PaletteLayout {
    pub rows_per_character: usize,
    pub drawables: Vec<Drawable>,
}

/// Returns the node that moves each slot of a model: the joints of its skins, then the nodes of rigid meshes. The test
/// `slots_have_their_nodes` compares them with the layout.
pub fn slot_nodes(model: &Model) -> Vec<NodeIndex> {
    let (mut joints, mut rigid, mut known) = (Vec::new(), Vec::new(), Vec::new());
    for (node, mesh) in model.drawn_nodes() {
        match skin_of(model, node, mesh) {
            None => rigid.push(node),
            Some(skin) if known.contains(&skin) => {}
            Some(skin) => {
                known.push(skin);
                joints.extend_from_slice(&model.skin(skin).joints);
            }
        }
    }
    joints.append(&mut rigid);
    joints
}

/// A node that draws its mesh. Drawables of one skin share its slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawable {
    pub node: NodeIndex,
    pub mesh: MeshIndex,
    /// Skin of the mesh. `None` moves the mesh with its node, even a node with a skin if the mesh has no influences.
    pub skin: Option<SkinIndex>,
    pub first_row: usize,
    /// Number of slots: one per joint of the skin, or one for a rigid mesh.
    pub slot_count: usize,
    pub first_weight_row: usize,
    pub morph_target_count: usize,
}

/// Sources of a character's rows.
#[derive(Clone, Debug)]
pub(super) struct Palette {
    layout: PaletteLayout,
    joint_slots: Vec<JointSlot>,
    /// Nodes that move a mesh rigidly. Their slots follow those of the joints.
    rigid_slots: Vec<NodeIndex>,
}

/// What moves a slot: a node, and for a joint the transform of what the joint moves.
pub(super) struct PathSource {
    pub(super) node: NodeIndex,
    pub(super) joint_from_mesh: Option<Rows>,
}

#[derive(Clone, Debug)]
struct JointSlot {
    joint: u32,
    joint_from_mesh: Rows,
}

/// Rows of `world_from_model`.
pub(super) const WORLD_ROWS: usize = 3;
const ROWS_PER_SLOT: usize = 3;

impl Palette {
    pub(super) fn new(model: &Model, scalar_rows: &ScalarRows) -> Self {
        let mut joint_slots = Vec::new();
        let mut first_slot_of_skin = vec![None; model.skins.len()];
        let drawn: Vec<_> =
            model.drawn_nodes().map(|(node, mesh)| (node, mesh, skin_of(model, node, mesh))).collect();
        for skin in drawn.iter().filter_map(|&(_, _, skin)| skin) {
            first_slot_of_skin[skin.get()].get_or_insert_with(|| {
                let first_slot = joint_slots.len();
                let skin = model.skin(skin);
                joint_slots.extend(skin.joints.iter().zip(&skin.joint_from_mesh).map(
                    |(joint, joint_from_mesh)| JointSlot {
                        joint: joint.get() as u32,
                        joint_from_mesh: denoised_rows(joint_from_mesh),
                    },
                ));
                first_slot
            });
        }
        let rigid_slots: Vec<_> =
            drawn.iter().filter(|(_, _, skin)| skin.is_none()).map(|&(node, ..)| node).collect();
        let slot_count = joint_slots.len() + rigid_slots.len();
        let weight_rows = WORLD_ROWS + slot_count * ROWS_PER_SLOT;

        let mut next_rigid_slot = joint_slots.len();
        let drawables = drawn.into_iter().map(|(node, mesh, skin)| {
            let first_slot = skin.and_then(|skin| first_slot_of_skin[skin.get()]).unwrap_or_else(|| {
                next_rigid_slot += 1;
                next_rigid_slot - 1
            });
            Drawable {
                node,
                mesh,
                skin,
                first_row: WORLD_ROWS + first_slot * ROWS_PER_SLOT,
                slot_count: skin.map_or(1, |skin| model.skin(skin).joints.len()),
                first_weight_row: weight_rows + scalar_rows.first_row(node),
                morph_target_count: scalar_rows.target_count(node),
            }
        });
        let layout = PaletteLayout {
            drawables: drawables.collect(),
            rows_per_character: weight_rows + scalar_rows.node_row_count(),
        };
        Self { layout, joint_slots, rigid_slots }
    }

    pub(super) fn layout(&self) -> &PaletteLayout {
        &self.layout
    }

    /// Returns what moves each slot.
    pub(super) fn sources(&self) -> Vec<PathSource> {
        let joints = self.joint_slots.iter().map(|slot| PathSource {
            node: NodeIndex::new(slot.joint as usize),
            joint_from_mesh: Some(slot.joint_from_mesh),
        });
        let rigid = self.rigid_slots.iter().map(|&node| PathSource { node, joint_from_mesh: None });
        joints.chain(rigid).collect()
    }

    pub(super) fn write(
        &self,
        local: &LocalPose,
        model: &ModelPose,
        world_from_model: &Affine3A,
        rows: &mut [Vec4],
    ) {
        assert_eq!(rows.len(), self.layout.rows_per_character, "the rows of one character");
        let (world, rows) = rows.split_first_chunk_mut::<WORLD_ROWS>().expect("asserted above");
        *world = rows_from_affine(world_from_model);
        let slot_count = self.joint_slots.len() + self.rigid_slots.len();
        let (slots, weights) = rows.split_at_mut(slot_count * ROWS_PER_SLOT);
        for (row, [scalars]) in weights.iter_mut().zip(&local.scalars) {
            *row = *scalars;
        }

        let (slots, _) = slots.as_chunks_mut::<ROWS_PER_SLOT>();
        let (joints, rigids) = slots.split_at_mut(self.joint_slots.len());
        let model_from_node = model.model_from_node.as_slice();
        for (model_from_mesh, slot) in joints.iter_mut().zip(&self.joint_slots) {
            *model_from_mesh = multiply(&model_from_node[slot.joint as usize], &slot.joint_from_mesh);
        }
        for (model_from_mesh, node) in rigids.iter_mut().zip(&self.rigid_slots) {
            *model_from_mesh = model_from_node[node.get()].copied();
        }
    }
}

fn skin_of(model: &Model, node: NodeIndex, mesh: MeshIndex) -> Option<SkinIndex> {
    let influenced = |mesh: &Mesh| mesh.primitives.iter().any(|primitive| !primitive.influences.is_empty());
    model.node(node).skin.filter(|&skin| influenced(model.mesh(mesh)) && !model.skin(skin).joints.is_empty())
}
