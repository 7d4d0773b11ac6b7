//! Skins, whose joints must be different nodes with a common root in glTF.
use super::binary::{Binary, Element, Numbers, Usage};
use super::json_text::{Json, Object};
use super::nodes::{Nodes, number_of};
use super::notes::{Change, Notes};
use crate::model::{Model, Skin, SkinIndex};
use glam::Mat4;
use std::collections::BTreeSet;

pub(super) struct Skins {
    pub(super) written: Vec<Json>,
    numbers: Vec<Option<usize>>,
}

impl Skins {
    pub(super) fn of(model: &Model, nodes: &mut Nodes<'_>, binary: &mut Binary, notes: &mut Notes) -> Self {
        let mut skins = Self { written: Vec::new(), numbers: Vec::with_capacity(model.skins.len()) };
        for (index, skin) in model.skins.iter().enumerate() {
            if skin.joints.is_empty() {
                skins.numbers.push(None);
                continue;
            }
            skins.numbers.push(Some(skins.written.len()));
            skins.written.push(skin_of(skin, index, model, nodes, binary, notes).into());
        }
        skins
    }

    /// Returns the index of a skin in the file; `None` for a skin without joints.
    pub(super) fn number(&self, skin: SkinIndex) -> Option<usize> {
        *self.numbers.get(skin.get())?
    }
}

fn skin_of(
    skin: &Skin,
    index: usize,
    model: &Model,
    nodes: &mut Nodes<'_>,
    binary: &mut Binary,
    notes: &mut Notes,
) -> Object {
    let own: Vec<usize> = skin.joints.iter().map(|&joint| number_of(model, joint)).collect();
    let roots: BTreeSet<usize> = own.iter().map(|&joint| nodes.root_above(joint)).collect();
    if roots.len() > 1 {
        nodes.join(roots);
        notes.add(Change::SkinRootAdded, "skins", index, &skin.name);
    }
    let mut named = BTreeSet::new();
    let joints: Vec<usize> =
        own.iter().map(|&joint| if named.insert(joint) { joint } else { nodes.new_child(joint) }).collect();
    if named.len() < joints.len() {
        notes.add(Change::SkinJointRepeated, "skins", index, &skin.name);
    }
    let root = skin.skeleton_root.map(|root| number_of(model, root));
    let matrices: Vec<Mat4> = skin.joint_from_mesh.iter().copied().map(Mat4::from).collect();
    let numbers = Numbers::F32(bytemuck::cast_slice(&matrices));
    Object::new()
        .with_name(&skin.name)
        .with("inverseBindMatrices", binary.accessor(Usage::BindMatrices, Element::Mat4, numbers, false))
        .with_some("skeleton", root.filter(|&root| nodes.is_above(root, &own)))
        .with("joints", joints)
}
