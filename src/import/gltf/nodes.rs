//! The file's nodes, flattened with parents before children, and its scenes.
use super::Budget;
use super::drawing::Drawing;
use super::extensions::MATRIX_KEYS;
use super::json::Json;
use crate::import::matrices::{affine, decompose, unit_rotation};
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem, ImportReport};
use crate::model::{CameraIndex, Mesh, Node, NodeIndex, Scene, Skin, Srt};
use crate::order::sort;
use crate::refusal::{Place, element};
use glam::{Affine3A, Mat4, Quat, Vec3};
use std::ops::Range;

/// The order of the file's nodes in the model.
pub(super) struct Hierarchy {
    /// For each flattened node, its index in the file.
    source_from_node: Vec<usize>,
    /// For each flattened node, its parent.
    parents: Vec<Option<NodeIndex>>,
    pub(super) node_from_source: Vec<NodeIndex>,
    /// Nodes with instances, in ascending order, and the indices of the nodes that draw those.
    pub(super) instances: Vec<(NodeIndex, Range<usize>)>,
}

impl Hierarchy {
    pub(super) fn node(&self, source: usize) -> Option<NodeIndex> {
        self.node_from_source.get(source).copied()
    }

    /// Returns the indices of the nodes that draw the mesh of a node: of its instances, or its own.
    pub(super) fn drawn_by(&self, node: NodeIndex) -> Range<usize> {
        let at = self.instances.binary_search_by_key(&node, |instances| instances.0);
        let instances = at.ok().and_then(|at| self.instances.get(at));
        instances.map_or(node.get()..node.get() + 1, |instances| instances.1.clone())
    }
}

/// Flattens the hierarchy.
///
/// # Errors
/// A node with two parents, or one that is its own ancestor.
#[inline(never)]
pub(super) fn hierarchy(root: Json<'_>) -> Result<Hierarchy, ImportError> {
    let count = root.count("nodes");
    let mut parent_sources: Vec<Option<usize>> = vec![None; count];
    for (index, node) in root.list("nodes").enumerate() {
        for (at, child) in node.indices("children").enumerate() {
            let Some(parent) = parent_sources.get_mut(child) else { continue };
            if let Some(other) = parent.replace(index) {
                let place = Place::ROOT.field("nodes");
                let place = place.index(index);
                let place = place.field("children");
                let found = format!("node {child} also hangs on node {other}");
                return Err(ImportProblem::NodeWithTwoParents.at(place.index(at).pointer(), found));
            }
        }
    }

    let mut source_from_node = Vec::with_capacity(count);
    let mut parents = Vec::with_capacity(count);
    let mut node_from_source: Vec<Option<NodeIndex>> = vec![None; count];
    let is_root = |&source: &usize| parent_sources.get(source).is_some_and(Option::is_none);
    // The stack is taken from its end, so that the file's first root and first child come first.
    let mut waiting: Vec<(usize, Option<NodeIndex>)> =
        (0..count).rev().filter(is_root).map(|source| (source, None)).collect();
    while let Some((source, parent)) = waiting.pop() {
        let node = NodeIndex::new(source_from_node.len());
        source_from_node.push(source);
        parents.push(parent);
        if let Some(slot) = node_from_source.get_mut(source) {
            *slot = Some(node);
        }
        let children = root.element("nodes", source);
        let children = children.into_iter().flat_map(|node| node.indices("children").rev());
        waiting.extend(children.map(|child| (child, Some(node))));
    }
    // Each node has one parent at most, so a node that no root reaches is on or below a cycle.
    if let Some(lost) = node_from_source.iter().position(Option::is_none) {
        let found = "none of its ancestors is a root".to_owned();
        return Err(ImportProblem::NodeCycle.at(element("nodes", lost), found));
    }
    let node_from_source = node_from_source.into_iter().flatten().collect();
    Ok(Hierarchy { source_from_node, parents, node_from_source, instances: Vec::new() })
}

/// Returns the nodes in flattened order.
///
/// A node has a skin exactly if the primitives of its mesh have influences, and these refer to joints of the skin.
#[inline(never)]
pub(super) fn nodes(
    root: Json<'_>,
    hierarchy: &Hierarchy,
    meshes: &mut Vec<Mesh>,
    skins: &[Skin],
    budget: &Budget,
    report: &mut ImportReport,
) -> Result<Vec<Node>, ImportError> {
    let in_scene = in_scene(root, hierarchy, report);
    let mut drawing = Drawing::new(root, meshes, skins, budget, report);
    let mut nodes = Vec::with_capacity(root.count("nodes"));
    let parents = hierarchy.source_from_node.iter().zip(&hierarchy.parents);
    for ((&source, &parent), in_scene) in parents.zip(in_scene) {
        let Some(node) = root.element("nodes", source) else { continue };
        let place = Place::ROOT.field("nodes");
        let place = place.index(source);
        let (rest, sheared_rest) = rest(node, &place, drawing.report)?;
        let (mesh, skin) = drawing.drawn(node, &place)?;
        nodes.push(Node {
            name: node.name(),
            parent,
            rest,
            sheared_rest,
            mesh,
            skin,
            camera: node.index("camera").map(CameraIndex::new),
            light: None,
            rest_morph_weights: drawing.morph_weights(root, node, &place)?,
            in_scene,
            visible: node
                .extension("KHR_node_visibility")
                .is_none_or(|extension| extension.flag_or("visible", true)),
            source_index: source,
            extras: None,
        });
    }
    report_repeated_names(&nodes, report);
    Ok(nodes)
}

/// Warns about repeated names, since a lookup by name always finds the first node.
fn report_repeated_names(nodes: &[Node], report: &mut ImportReport) {
    let mut names: Vec<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
    sort(&mut names, |a, b| a < b);
    let is_repeated = |pair: &[&str]| matches!(pair, [a, b] if a == b && !a.is_empty());
    let repeated = names.windows(2).filter(|pair| is_repeated(pair)).count();
    report.warn_counted(WarningKind::NodeNameRepeated, &Place::ROOT.field("nodes"), repeated, nodes.len());
}

fn rest(
    node: Json<'_>,
    place: &Place<'_>,
    report: &mut ImportReport,
) -> Result<(Srt, Option<Affine3A>), ImportError> {
    let Some(matrix) = node.array("matrix") else {
        let rotation = match node.array("rotation") {
            Some(rotation) => {
                // Exporters write five digits or more.
                let (unit, was_unit) = unit_rotation(Quat::from_array(rotation), 1e-3);
                if !was_unit {
                    report.warn(WarningKind::RotationNotUnit, &place.field("rotation"));
                }
                unit
            }
            None => Quat::IDENTITY,
        };
        let scale = node.array("scale").map_or(Vec3::ONE, Vec3::from_array);
        let translation = node.array("translation").map_or(Vec3::ZERO, Vec3::from_array);
        return Ok((Srt { scale, rotation, translation }, None));
    };
    let parts = ["translation", "rotation", "scale"];
    if parts.into_iter().any(|name| node.get(name).is_some()) {
        report.warn(WarningKind::MatrixBesideParts, place);
    }
    let place = place.field("matrix");
    let Some(parent_from_node) = affine(&Mat4::from_cols_array(&matrix)) else {
        let found = "a projection".to_owned();
        return Err(ImportProblem::MatrixNotAffine.at(place.pointer(), found));
    };
    let (srt, faithful) = decompose(&parent_from_node);
    if !srt.scale.is_finite() {
        let found = "axes too long for a 32-bit float".to_owned();
        return Err(ImportProblem::ValueNotFinite.at(place.pointer(), found));
    }
    // Gambol's own exporter marks nodes whose keys are whole matrices, even if their rest pose doesn't shear.
    let whole = !faithful || node.extension(MATRIX_KEYS).is_some();
    Ok((srt, whole.then_some(parent_from_node)))
}

pub(super) fn default_scene(root: Json<'_>) -> Option<usize> {
    // The specification leaves open what is shown if the file names no scene. Other players show the first.
    root.index("scene").or((root.count("scenes") > 0).then_some(0))
}

pub(super) fn scenes(root: Json<'_>, hierarchy: &Hierarchy) -> Vec<Scene> {
    let roots = |scene: Json<'_>| scene.indices("nodes").filter_map(|node| hierarchy.node(node)).collect();
    root.list("scenes").map(|scene| Scene { name: scene.name(), roots: roots(scene) }).collect()
}

/// Returns for each flattened node whether the default scene contains it.
fn in_scene(root: Json<'_>, hierarchy: &Hierarchy, report: &mut ImportReport) -> Vec<bool> {
    let Some(index) = default_scene(root) else { return vec![true; hierarchy.parents.len()] };
    let mut reached = vec![false; hierarchy.parents.len()];
    let place = Place::ROOT.field("scenes");
    let place = place.index(index);
    let place = place.field("nodes");
    let roots = root.element("scenes", index).into_iter().flat_map(|scene| scene.indices("nodes"));
    for (at, node) in roots.enumerate().filter_map(|(at, node)| Some((at, hierarchy.node(node)?))) {
        if hierarchy.parents.get(node.get()).is_some_and(Option::is_some) {
            report.warn(WarningKind::SceneRootHasParent, &place.index(at));
        }
        if let Some(reached) = reached.get_mut(node.get()) {
            *reached = true;
        }
    }
    for (node, parent) in hierarchy.parents.iter().enumerate() {
        let above = parent.and_then(|parent| reached.get(parent.get()).copied()).unwrap_or(false);
        if let Some(reached) = reached.get_mut(node) {
            *reached |= above;
        }
    }
    reached
}
