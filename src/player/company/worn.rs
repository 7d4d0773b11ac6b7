//! Nodes of an outfit that have the transforms of its wearer's nodes.

use crate::animation::{LocalPose, ModelPose, Rig};
use crate::model::counterparts::by_name;
use crate::model::{Model, NodeIndex, Srt};
use glam::Affine3A;

/// Pose of an actor's first character, which others follow.
#[derive(Debug)]
pub(in crate::player) struct FirstPose {
    pub(in crate::player) local: LocalPose,
    pub(in crate::player) model: ModelPose,
}

impl FirstPose {
    pub(super) fn new(rig: &Rig) -> Self {
        Self { local: LocalPose::rest(rig), model: ModelPose::new(rig) }
    }

    pub(in crate::player) fn copy_from(&mut self, local: &LocalPose, model: &ModelPose) {
        self.local.copy_from(local);
        self.model.copy_from(model);
    }

    pub(in crate::player) fn copy_to(&self, local: &mut LocalPose, model: &mut ModelPose) {
        local.copy_from(&self.local);
        model.copy_from(&self.model);
    }
}

/// The worn nodes of an outfit, in its order of nodes, with their transforms in the wearer's last pose.
#[derive(Debug)]
pub(in crate::player) struct Worn {
    nodes: Vec<WornNode>,
}

#[derive(Debug)]
struct WornNode {
    node: NodeIndex,
    of_wearer: NodeIndex,
    /// The parents correspond too, or there are none, so that the local transforms are equal.
    is_local: bool,
    local: Srt,
    model_from_node: Affine3A,
}

impl Worn {
    /// Returns the nodes of an outfit that a wearer has too; `None` if there is no joint among them.
    pub(super) fn new(outfit: &Rig, wearer: &Rig) -> Option<Self> {
        let (own, others) = (outfit.model(), wearer.model());
        let found = by_name(own, others);
        let mut nodes = Vec::new();
        for (index, &of_wearer) in found.iter().enumerate() {
            let node = NodeIndex::new(index);
            // The pose has no scale, rotation and translation for a node that shears.
            let (Some(of_wearer), None) = (of_wearer, own.node(node).sheared_rest) else { continue };
            let parents = [own.node(node).parent, others.node(of_wearer).parent];
            let is_alike = match parents {
                [Some(parent), above] => above.is_some() && found[parent.get()] == above,
                [None, above] => above.is_none(),
            };
            let is_local = is_alike
                && others.node(of_wearer).sheared_rest.is_none()
                && parents[0].is_none_or(|parent| own.node(parent).sheared_rest.is_none());
            let (local, model_from_node) = (Srt::IDENTITY, Affine3A::IDENTITY);
            nodes.push(WornNode { node, of_wearer, is_local, local, model_from_node });
        }
        fits(own, &nodes).then_some(Self { nodes })
    }

    /// Takes the transforms of a wearer's pose. Returns whether one has changed.
    pub(super) fn take(&mut self, wearer: &FirstPose) -> bool {
        let mut changed = false;
        for worn in &mut self.nodes {
            let local = wearer.local.srt(worn.of_wearer);
            let model_from_node = wearer.model.model_from_node(worn.of_wearer);
            changed |= (local, model_from_node) != (worn.local, worn.model_from_node);
            (worn.local, worn.model_from_node) = (local, model_from_node);
        }
        changed
    }

    /// Writes the worn nodes to the outfit's pose. Where it can't be done, because a node above has no size, the
    /// node keeps its transform.
    #[inline(never)]
    pub(in crate::player) fn apply(&self, rig: &Rig, pose: &mut LocalPose) {
        for worn in &self.nodes {
            let mut local = worn.local;
            if !worn.is_local {
                let above = self.model_from_parent(worn.node, rig, pose);
                let parent_from_node = above.inverse() * worn.model_from_node;
                let (scale, rotation, translation) = parent_from_node.to_scale_rotation_translation();
                local = Srt { scale, rotation, translation };
                let is_finite = parent_from_node.is_finite() && rotation.is_finite() && scale.is_finite();
                if !is_finite {
                    continue;
                }
            }
            pose.set_srt(worn.node, local);
        }
    }

    /// Returns `model_from_parent` of a node, whose worn ancestors have been written to the pose.
    fn model_from_parent(&self, node: NodeIndex, rig: &Rig, pose: &LocalPose) -> Affine3A {
        let mut ancestor_from_parent = Affine3A::IDENTITY;
        let mut above = rig.model().node(node).parent;
        while let Some(ancestor) = above {
            if let Ok(at) = self.nodes.binary_search_by_key(&ancestor.get(), |worn| worn.node.get()) {
                return self.nodes[at].model_from_node * ancestor_from_parent;
            }
            let parent_from_node =
                pose.matrix(rig, ancestor).unwrap_or_else(|| pose.srt(ancestor).parent_from_node());
            ancestor_from_parent = parent_from_node * ancestor_from_parent;
            above = rig.model().node(ancestor).parent;
        }
        ancestor_from_parent
    }
}

/// Returns whether a joint of the model is worn. A model without skins needs any worn node.
fn fits(model: &Model, nodes: &[WornNode]) -> bool {
    let is_joint = |node: NodeIndex| model.skins.iter().any(|skin| skin.joints.contains(&node));
    nodes.iter().any(|worn| model.skins.is_empty() || is_joint(worn.node))
}
