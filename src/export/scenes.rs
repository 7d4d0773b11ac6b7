//! Scenes, whose nodes must be roots in glTF.
use super::json_text::{Json, Object};
use super::nodes::{Nodes, number_of};
use super::notes::{Change, Notes};
use crate::model::{Model, NodeIndex};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the scenes and the index of the default scene.
pub(super) fn scenes(model: &Model, nodes: &Nodes<'_>, notes: &mut Notes) -> (Vec<Json>, Option<usize>) {
    if model.scenes.is_empty() {
        // Without scenes every node is shown. Most players show nothing of a file without a scene.
        let all = Object::new().with_list("nodes", nodes.roots());
        return if model.nodes.is_empty() { (Vec::new(), None) } else { (vec![all.into()], Some(0)) };
    }
    let joint_roots = joint_roots(model, nodes);
    let mut scenes = Vec::with_capacity(model.scenes.len());
    for (index, scene) in model.scenes.iter().enumerate() {
        let below = |root: &NodeIndex| model.nodes.get(root.get()).is_some_and(|node| node.parent.is_some());
        if scene.roots.iter().any(below) {
            notes.add(Change::SceneRootRaised, "scenes", index, &scene.name);
        }
        let mut shown = BTreeSet::new();
        let above = |&root| nodes.root_above(number_of(model, root));
        let mut roots: Vec<usize> =
            scene.roots.iter().map(above).filter(|&root| shown.insert(root)).collect();
        let asked_for = roots.len();
        let mut at = 0;
        while let Some(root) = roots.get(at) {
            let joint_roots = joint_roots.get(root).into_iter().flatten().copied();
            let missing: Vec<usize> = joint_roots.filter(|&root| shown.insert(root)).collect();
            roots.extend(missing);
            at += 1;
        }
        if roots.len() > asked_for {
            notes.add(Change::SceneJoinedBySkin, "scenes", index, &scene.name);
        }
        scenes.push(Object::new().with_name(&scene.name).with_list("nodes", roots).into());
    }
    (scenes, model.default_scene)
}

/// Returns for each root the roots of the joints that skin a node below it.
fn joint_roots(model: &Model, nodes: &Nodes<'_>) -> BTreeMap<usize, BTreeSet<usize>> {
    let mut joint_roots = BTreeMap::<_, BTreeSet<_>>::new();
    for node in &model.nodes {
        let skin = node.skin.and_then(|skin| model.skins.get(skin.get()));
        let Some(&joint) = skin.and_then(|skin| skin.joints.first()) else { continue };
        let joint_root = nodes.root_above(number_of(model, joint));
        joint_roots.entry(nodes.root_above(node.source_index)).or_default().insert(joint_root);
    }
    joint_roots
}
