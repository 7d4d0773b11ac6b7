//! Reading of springs, by the names of their nodes.
use super::names::Names;
use super::values::{entries, flag, list, single};
use super::{Reader, ScriptError, ScriptProblem, parse, shape};
use crate::animation::Rig;
use crate::json::Value;
use crate::model::{Children, Collider, ColliderShape, NodeIndex, Spring, SpringEnd, SpringJoint, Springs};
use glam::Vec3;

impl Springs {
    /// Reads springs for a model.
    ///
    /// # Errors
    /// Returns the first problem in the document, and its place.
    pub fn from_json(bytes: &[u8], rig: &Rig) -> Result<Self, ScriptError> {
        let document = parse(bytes, &shape::SPRINGS)?;
        let mut parameters = Vec::new();
        let mut reader = Reader::new(&document, rig, &mut parameters, false);
        let mut springs = Self::default();
        let mut names = Names::default();
        for (name, collider) in entries(&document, "colliders") {
            names.add(name, springs.colliders.len());
            springs.colliders.push(reader.collider(collider));
        }
        let children = Children::new(&rig.model().nodes);
        let mut is_taken = vec![false; rig.model().nodes.len()];
        for spring in list(&document, "springs") {
            springs.springs.push(reader.spring(
                spring,
                &names,
                springs.colliders.len(),
                &children,
                &mut is_taken,
            ));
        }
        reader.refusals.first.map_or(Ok(springs), Err)
    }
}

impl Reader<'_> {
    fn collider(&mut self, collider: &Value) -> Collider {
        let node = collider.get("node").map(|node| self.node(node)).unwrap_or_default();
        let point = vector(collider, "offset").unwrap_or_default();
        let radius = collider.get("radius");
        let shape = if let Some(normal) = collider.get("normal") {
            let direction = vector(collider, "normal").and_then(Vec3::try_normalize);
            if direction.is_none() {
                self.refusals.wrong(normal, "a direction other than 0");
            }
            for name in ["radius", "tail", "inside"] {
                if let Some(beside) = collider.get(name) {
                    self.refusals.wrong(beside, "no normal beside it, which makes the collider a plane");
                }
            }
            ColliderShape::Plane { point, normal: direction.unwrap_or(Vec3::Y) }
        } else {
            if radius.is_none() {
                self.refusals.missing(collider, "radius");
            }
            ColliderShape::Capsule {
                ends: [point, vector(collider, "tail").unwrap_or(point)],
                radius: radius.map(single).unwrap_or_default(),
                inside: flag(collider, "inside").unwrap_or(false),
            }
        };
        Collider { node, shape }
    }

    fn spring(
        &mut self,
        spring: &Value,
        colliders: &Names,
        collider_count: usize,
        children: &Children,
        is_taken: &mut [bool],
    ) -> Spring {
        let number = |name, default| spring.get(name).map_or(default, single);
        let settings = SpringJoint {
            node: NodeIndex::default(),
            end: SpringEnd::Point(Vec3::ZERO),
            stiffness: number("stiffness", 1.0),
            drag: number("drag", 0.5),
            gravity: vector(spring, "gravity").unwrap_or_default(),
            radius: number("radius", 0.0),
        };
        let mut read =
            Spring { center: spring.get("center").map(|center| self.node(center)), ..Spring::default() };
        match spring.get("colliders") {
            None => read.colliders = (0..collider_count).collect(),
            Some(names) => {
                for name in names.elements() {
                    let text = name.as_str().unwrap_or_default();
                    let problem = ScriptProblem::ValueWrong;
                    read.colliders.push(self.refusals.find(name, text, colliders, problem));
                }
            }
        }
        let names = list(spring, "nodes");
        if let Some(root) = spring.get("root") {
            if !names.is_empty() {
                self.refusals.wrong(root, "no nodes beside it");
            }
            let mut waiting = vec![self.node(root)];
            while let Some(node) = waiting.pop() {
                let end = self.end_of(node, children);
                if self.joint(root, &mut read, is_taken, SpringJoint { node, end, ..settings }) {
                    waiting.extend(children.of(node));
                }
            }
        } else if names.is_empty() {
            self.refusals.missing(spring, "nodes");
        }
        for (nth, name) in names.iter().enumerate() {
            let node = self.node(name);
            let end = match names.get(nth + 1) {
                Some(next) => SpringEnd::Node(self.node(next)),
                None => self.end_of(node, children),
            };
            self.joint(name, &mut read, is_taken, SpringJoint { node, end, ..settings });
        }
        read
    }

    /// Adds a joint. Returns whether its node is free.
    fn joint(&mut self, at: &Value, spring: &mut Spring, is_taken: &mut [bool], joint: SpringJoint) -> bool {
        let is_taken = is_taken.get_mut(joint.node.get());
        let is_free = is_taken.is_some_and(|taken| !std::mem::replace(taken, true));
        if !is_free {
            self.refusals.wrong(at, "nodes that belong to no other spring");
        } else if joint.end_at_rest(&self.rig.model().nodes).is_none() {
            self.refusals.wrong(at, "a node that is above the next one");
        }
        spring.joints.push(joint);
        is_free
    }

    /// Returns the first child of a node. The end of a node without children is as far away as its parent.
    fn end_of(&self, node: NodeIndex, children: &Children) -> SpringEnd {
        let rest = || self.rig.model().nodes.get(node.get()).map(|node| node.rest.translation);
        let point = || SpringEnd::Point(rest().unwrap_or_default());
        children.of(node).next().map_or_else(point, SpringEnd::Node)
    }

    fn node(&mut self, name: &Value) -> NodeIndex {
        self.node_named(name.as_str().unwrap_or_default(), name)
    }
}

/// Returns a vector, whose shape has been checked.
fn vector(object: &Value, name: &str) -> Option<Vec3> {
    let numbers = object.get(name)?.elements();
    let number = |nth: usize| numbers.get(nth).map(single).unwrap_or_default();
    Some(Vec3::new(number(0), number(1), number(2)))
}
