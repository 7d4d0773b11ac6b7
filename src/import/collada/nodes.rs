//! The visual scene and everything that it instances, flattened to nodes with parents before children.
use super::Reader;
use super::stack::Stack;
use super::xml::{Element, File, Id, decimal};
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem};
use crate::model::{Node, NodeIndex};
use glam::{Affine3A, DAffine3, DQuat, DVec3};
use std::collections::HashMap;
use std::ops::Range;

/// The nodes made from each element, and the instances attached to them.
#[derive(Default)]
pub(super) struct Hierarchy<'a> {
    /// Nodes by element. There are several if the file instances the element several times.
    of_element: HashMap<Id, Vec<NodeIndex>>,
    /// Nodes by element and number of the instance that contains them.
    of_instance: HashMap<(Id, usize), NodeIndex>,
    by_sid: HashMap<&'a str, Vec<NodeIndex>>,
    by_name: HashMap<&'a str, Vec<NodeIndex>>,
    /// Subtree and instance of each node.
    subtrees: Vec<Subtree>,
    /// Each `instance_geometry`, `instance_controller` or `instance_camera` with its node, or each geometry if the
    /// file has no scene.
    pub(super) instances: Vec<(NodeIndex, Element<'a>)>,
    /// Transform from the file's unit and up axis to the model's.
    pub(super) model_from_scene: Affine3A,
    pub(super) model_from_nodes: Vec<Affine3A>,
}

#[derive(Clone, Copy)]
struct Subtree {
    /// Index past the node's last descendant.
    end: usize,
    /// Number of the `instance_node` that contains the node, counted from 1; 0 for the scene itself.
    instance: usize,
}

pub(super) fn read<'a>(reader: &mut Reader<'a>) -> Result<Hierarchy<'a>, ImportError> {
    let mut hierarchy = Hierarchy::default();
    let model_from_scene = model_from_scene(reader);
    let root = model_from_scene.map(|(name, matrix)| {
        hierarchy.model_from_scene = matrix;
        hierarchy.subtrees.push(Subtree { end: 0, instance: 0 });
        reader.imported.push_node(name, None, &matrix)
    });
    match visual_scene(reader) {
        Some(scene) => {
            refuse_cycles(scene)?;
            flatten(reader, &mut hierarchy, scene, root)?;
        }
        None => {
            for library in reader.file.root().children_named("library_geometries") {
                for geometry in library.children_named("geometry") {
                    let node = reader.imported.push_node(geometry.label(), root, &Affine3A::IDENTITY);
                    hierarchy.subtrees.push(Subtree { end: 0, instance: 0 });
                    hierarchy.instances.push((node, geometry));
                }
            }
        }
    }
    hierarchy.close_subtrees(&reader.imported.nodes);
    hierarchy.model_from_nodes = reader.imported.model_from_nodes();
    Ok(hierarchy)
}

/// Returns the transform from the file's unit and up axis to metres and Y, and its node's name; `None` for identity.
fn model_from_scene(reader: &mut Reader<'_>) -> Option<(&'static str, Affine3A)> {
    let asset = reader.file.root().child("asset")?;
    let quarter = std::f64::consts::FRAC_PI_2;
    let (name, rotation) = match asset.child("up_axis").map(Element::text) {
        Some("Z_UP") => ("Z_UP", DQuat::from_rotation_x(-quarter)),
        Some("X_UP") => ("X_UP", DQuat::from_rotation_z(quarter)),
        _ => ("Y_UP", DQuat::IDENTITY),
    };
    let mut meters = 1.0;
    if let Some((unit, text)) = asset.child("unit").and_then(|unit| Some((unit, unit.attribute("meter")?))) {
        // From a picometre to a light year.
        match decimal(text).filter(|meters| (1e-12..1e16).contains(meters)) {
            Some(given) => meters = given,
            None => reader.warn(WarningKind::UnitInvalid, unit, crate::refusal::shortened(text)),
        }
    }
    let whole = DAffine3::from_scale_rotation_translation(DVec3::splat(meters), rotation, DVec3::ZERO);
    (whole != DAffine3::IDENTITY).then(|| (name, single_affine(&whole)))
}

/// Returns the visual scene that the file instances, or else its first.
fn visual_scene<'a>(reader: &mut Reader<'a>) -> Option<Element<'a>> {
    let root = reader.file.root();
    if let Some(instance) = root.descend(&["scene", "instance_visual_scene"]) {
        match instance.target("url") {
            Ok(scene) => return Some(scene),
            Err(_) => reader.warn_of_reference(instance),
        }
    }
    root.descend(&["library_visual_scenes", "visual_scene"])
}

/// Checks that instances form no cycles.
///
/// # Errors
/// If a node is its own ancestor, through the nodes that it instances.
fn refuse_cycles(scene: Element<'_>) -> Result<(), ImportError> {
    enum Step<'a> {
        Enter(Element<'a>),
        Leave(Id),
    }
    // Whether the current path passes through the element. Visited elements have an entry.
    let mut is_open: HashMap<Id, bool> = HashMap::new();
    let mut steps = vec![Step::Enter(scene)];
    while let Some(step) = steps.pop() {
        let element = match step {
            Step::Enter(element) => element,
            Step::Leave(id) => {
                is_open.insert(id, false);
                continue;
            }
        };
        match is_open.insert(element.id(), true) {
            Some(true) => {
                let found = element.label().to_owned();
                return Err(ImportProblem::NodeCycle.at(element.place(), found));
            }
            Some(false) => {
                is_open.insert(element.id(), false);
                continue;
            }
            None => {}
        }
        steps.push(Step::Leave(element.id()));
        steps.extend(element.children().filter_map(child_node).map(|(child, _)| Step::Enter(child)));
    }
    Ok(())
}

/// Returns the node that a child is or instances, and whether it is instanced.
fn child_node(child: Element<'_>) -> Option<(Element<'_>, bool)> {
    match child.tag() {
        "node" => Some((child, false)),
        "instance_node" => {
            child.target("url").ok().filter(|node| node.tag() == "node").map(|node| (node, true))
        }
        _ => None,
    }
}

fn flatten<'a>(
    reader: &mut Reader<'a>,
    hierarchy: &mut Hierarchy<'a>,
    scene: Element<'a>,
    root: Option<NodeIndex>,
) -> Result<(), ImportError> {
    let mut instance_count = 0;
    // Reversed, since the last is taken first.
    let children = |element: Element<'a>| element.children().rev().filter_map(child_node);
    let mut waiting: Vec<(Element<'a>, Option<NodeIndex>, usize)> =
        children(scene).map(|(node, _)| (node, root, 0)).collect();
    while let Some((element, parent, instance)) = waiting.pop() {
        let name = if element.label().is_empty() {
            element.attribute("sid").unwrap_or_default()
        } else {
            element.label()
        };
        // Includes its entries in the maps.
        let bytes = size_of::<Node>() + size_of::<Affine3A>() + 320 + name.len();
        reader.budget.charge(1, bytes, || element.place())?;
        let stack = Stack::read(element)?;
        let parent_from_node = single_affine(&stack.parent_from_node());
        if !parent_from_node.is_finite() {
            return Err(element.not_finite());
        }
        let node = reader.imported.push_node(name, parent, &parent_from_node);
        hierarchy.subtrees.push(Subtree { end: 0, instance });
        hierarchy.of_element.entry(element.id()).or_default().push(node);
        hierarchy.of_instance.entry((element.id(), instance)).or_insert(node);
        for (map, key) in [(&mut hierarchy.by_sid, "sid"), (&mut hierarchy.by_name, "name")] {
            if let Some(key) = element.attribute(key) {
                map.entry(key).or_default().push(node);
            }
        }
        for child in element.children() {
            match child.tag() {
                "instance_geometry" | "instance_controller" | "instance_camera" => {
                    // An instance may need a node of its own.
                    reader.budget.charge(1, size_of::<Node>() + 128, || child.place())?;
                    hierarchy.instances.push((node, child));
                }
                "instance_node" if child_node(child).is_none() => {
                    reader.warn_of_reference(child);
                }
                _ => {}
            }
        }
        for (child, is_instance) in children(element) {
            instance_count += usize::from(is_instance);
            waiting.push((child, Some(node), if is_instance { instance_count } else { instance }));
        }
    }
    Ok(())
}

#[allow(clippy::cast_possible_truncation, reason = "to the nearest single")]
pub(super) fn single_affine(matrix: &DAffine3) -> Affine3A {
    Affine3A::from_cols_array(&matrix.to_cols_array().map(|number| number as f32))
}

impl<'a> Hierarchy<'a> {
    fn close_subtrees(&mut self, nodes: &[Node]) {
        for (index, node) in nodes.iter().enumerate().rev() {
            let end = self.subtrees.get(index).map_or(0, |subtree| subtree.end).max(index + 1);
            for closed in [Some(index), node.parent.map(NodeIndex::get)].into_iter().flatten() {
                if let Some(subtree) = self.subtrees.get_mut(closed) {
                    subtree.end = subtree.end.max(end);
                }
            }
        }
    }

    /// Returns every node made from an element.
    pub(super) fn of_element(&self, element: Element<'_>) -> &[NodeIndex] {
        self.of_element.get(&element.id()).map_or(&[], Vec::as_slice)
    }

    /// Returns the element's node in the same instance as `node`, or else its first node.
    pub(super) fn in_same_instance(&self, node: NodeIndex, element: Element<'_>) -> Option<NodeIndex> {
        let instance = self.subtrees.get(node.get())?.instance;
        let same = self.of_instance.get(&(element.id(), instance));
        same.or(self.of_element(element).first()).copied()
    }

    /// Returns the joint of that name, preferably below one of the roots. Names are compared with `sid`, as
    /// specified, then with `id` and `name`, as some exporters write them. If `is_id`, `id` is first.
    pub(super) fn joint(
        &self,
        file: &'a File<'a>,
        name: &str,
        is_id: bool,
        roots: &[NodeIndex],
    ) -> Option<NodeIndex> {
        let below = |places: &[NodeIndex], range: Range<usize>| {
            let first = places.partition_point(|place| place.get() < range.start);
            places.get(first).copied().filter(|place| place.get() < range.end)
        };
        let everywhere = 0..self.subtrees.len();
        let ranges = || {
            let of =
                |root: &NodeIndex| root.get()..self.subtrees.get(root.get()).map_or(0, |subtree| subtree.end);
            roots.iter().map(of).chain([everywhere.clone()])
        };
        let by_id = file.by_id(name).map_or(&[][..], |element| self.of_element(element));
        let by_sid = self.by_sid.get(name).map_or(&[][..], Vec::as_slice);
        let by_name = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        let order = if is_id { [by_id, by_sid, by_name] } else { [by_sid, by_id, by_name] };
        order.into_iter().find_map(|places| ranges().find_map(|range| below(places, range)))
    }
}
