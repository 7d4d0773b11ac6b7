//! The hierarchy of a model, and the roles found in it so far.
use super::{Role, RoleNode, RoleReason};
use crate::model::{Children, Model, NodeIndex};
use glam::{Affine3A, Vec3};

/// Only so many nodes are searched, since a hostile file may have any number in any depth. Characters have hundreds.
const MOST_NODES: usize = 2048;

pub(super) struct Search<'a> {
    pub(super) model: &'a Model,
    /// Number of nodes that are searched: the first ones, which include their parents.
    pub(super) count: usize,
    pub(super) roles: Vec<Option<RoleNode>>,
    /// The reason for roles found from now on.
    pub(super) reason: RoleReason,
    children: Children,
    is_joint: Vec<bool>,
    is_taken: Vec<bool>,
    places: Vec<Vec3>,
}

impl<'a> Search<'a> {
    /// `bind` has the transforms of all nodes in model space.
    pub(super) fn new(model: &'a Model, bind: &[Affine3A]) -> Self {
        let mut is_joint = vec![model.skins.is_empty(); model.nodes.len()];
        for joint in model.skins.iter().flat_map(|skin| &skin.joints) {
            is_joint[joint.get()] = true;
        }
        Self {
            model,
            count: model.nodes.len().min(MOST_NODES),
            roles: vec![None; Role::COUNT],
            reason: RoleReason::Given,
            children: Children::new(&model.nodes),
            is_joint,
            is_taken: vec![false; model.nodes.len()],
            places: bind.iter().map(|transform| transform.translation.into()).collect(),
        }
    }

    /// Gives a role to a node, unless the role or the node is taken.
    pub(super) fn found(&mut self, role: Role, node: Option<usize>, confidence: f32) {
        let Some(node) = node.filter(|&node| !self.is_taken[node]) else { return };
        let held = &mut self.roles[role.index()];
        if held.is_none() {
            let reason = self.reason;
            *held = Some(RoleNode { role, node: NodeIndex::new(node), confidence, reason });
            self.is_taken[node] = true;
        }
    }

    pub(super) fn node(&self, role: Role) -> Option<usize> {
        self.roles[role.index()].map(|found| found.node.get())
    }

    pub(super) fn is_taken(&self, node: usize) -> bool {
        self.is_taken[node]
    }

    pub(super) fn is_joint(&self, node: usize) -> bool {
        self.is_joint[node]
    }

    /// Returns whether a node may have a role. Where joints move a skin, nodes with other meshes only ride on joints.
    pub(super) fn may_be_joint(&self, node: usize) -> bool {
        self.is_joint[node] || self.model.nodes[node].mesh.is_none()
    }

    pub(super) fn place(&self, node: usize) -> Vec3 {
        self.places[node]
    }

    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        self.model.nodes[node].parent.map(NodeIndex::get)
    }

    /// Returns the children of a node that are searched and may be joints.
    pub(super) fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        let children = self.children.of(NodeIndex::new(node)).map(NodeIndex::get);
        children.filter(|&child| child < self.count && self.may_be_joint(child))
    }

    /// Returns whether a node is a descendant of another.
    pub(super) fn is_below(&self, node: usize, above: usize) -> bool {
        let mut at = self.parent(node);
        while let Some(node) = at.filter(|&node| node > above) {
            at = self.parent(node);
        }
        at == Some(above)
    }

    /// Returns the lowest node that has both of two nodes at or below it.
    pub(super) fn meeting(&self, a: usize, b: usize) -> Option<usize> {
        let (mut a, mut b) = (Some(a), Some(b));
        while a != b {
            // Parents stand before their children.
            if a > b {
                a = self.parent(a?);
            } else {
                b = self.parent(b?);
            }
        }
        a
    }

    /// Returns the nodes from below `above` down to `node`. `None` if `node` isn't below it.
    pub(super) fn path(&self, above: usize, node: usize) -> Option<Vec<usize>> {
        let mut path = Vec::new();
        let mut at = node;
        while at != above {
            path.push(at);
            at = self.parent(at)?;
        }
        path.reverse();
        Some(path)
    }
}
