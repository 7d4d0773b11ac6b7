//! Springs of `VRMC_springBone`, or of the extension `VRM` of version 0.x. Parts that can't be used are left out, since
//! a model is usable without them.
use super::Budget;
use super::json::Json;
use super::nodes::Hierarchy;
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportReport};
use crate::model::{
    Children, Collider, ColliderShape, Node, NodeIndex, Spring, SpringEnd, SpringJoint, Springs,
};
use crate::order::sort;
use crate::refusal::Place;
use glam::Vec3;

const EXTENSION: &str = "VRMC_springBone";
const EXTENDED_COLLIDER: &str = "VRMC_springBone_extended_collider";
const VRM_0: &str = "VRM";

/// Length of the joints at the ends of chains in VRM 0.x, which have no child.
const LAST_LENGTH: f32 = 0.07;
const LARGEST: f32 = Springs::LARGEST;

pub(super) fn are_in(root: Json<'_>) -> bool {
    root.extension(EXTENSION).is_some() || old(root).is_some()
}

/// Returns the springs of VRM 0.x.
fn old(root: Json<'_>) -> Option<Json<'_>> {
    root.extension(VRM_0).and_then(|vrm| vrm.get("secondaryAnimation"))
}

/// Not inlined: in a page, this is in the file that is fetched for models with springs.
#[inline(never)]
pub(super) fn springs(
    root: Json<'_>,
    hierarchy: &Hierarchy,
    nodes: &[Node],
    budget: &Budget,
    report: &mut ImportReport,
) -> Result<Springs, ImportError> {
    let place = Place::ROOT.field("extensions");
    let (extension, place, is_old) = match (root.extension(EXTENSION), old(root)) {
        (Some(extension), _) => (extension, place.field(EXTENSION), false),
        (None, Some(old)) => (old, place.field(VRM_0), true),
        (None, None) => return Ok(Springs::default()),
    };
    let mut reader = Reader {
        hierarchy,
        nodes,
        is_taken: vec![false; nodes.len()],
        budget,
        report,
        springs: Springs::default(),
    };
    if is_old {
        reader.read_old(extension, &place.field("secondaryAnimation"))?;
    } else {
        reader.read(extension, &place)?;
    }
    Ok(reader.springs)
}

struct Reader<'a> {
    hierarchy: &'a Hierarchy,
    nodes: &'a [Node],
    /// Whether each node is a joint of a spring.
    is_taken: Vec<bool>,
    budget: &'a Budget,
    report: &'a mut ImportReport,
    springs: Springs,
}

impl Reader<'_> {
    fn read(&mut self, extension: Json<'_>, place: &Place<'_>) -> Result<(), ImportError> {
        let mut collider_of = Vec::with_capacity(extension.count("colliders"));
        let list = place.field("colliders");
        for (index, collider) in extension.list("colliders").enumerate() {
            let place = list.index(index);
            let shape = self.shape(collider, &place);
            collider_of.push(self.collider(collider, shape, &place));
        }
        let mut groups: Vec<Vec<usize>> = Vec::with_capacity(extension.count("colliderGroups"));
        for group in extension.list("colliderGroups") {
            groups.push(group.indices("colliders").filter_map(|index| *collider_of.get(index)?).collect());
        }
        let list = place.field("springs");
        for (index, source) in extension.list("springs").enumerate() {
            let place = list.index(index);
            let mut spring = self.spring(source, &groups, &place)?;
            let list = place.field("joints");
            let ends = source.list("joints").skip(1);
            for (nth, (joint, end)) in source.list("joints").zip(ends).enumerate() {
                let place = list.index(nth);
                let end = self.node(end).map(SpringEnd::Node);
                let down = joint.array("gravityDir").map_or(Vec3::NEG_Y, Vec3::from_array);
                let read = self.settings(joint, "stiffness", down, &place);
                let node = self.node(joint);
                self.joint(&mut spring, node, end, read, &place);
            }
            self.springs.springs.push(spring);
        }
        Ok(())
    }

    fn read_old(&mut self, extension: Json<'_>, place: &Place<'_>) -> Result<(), ImportError> {
        let mut groups = Vec::with_capacity(extension.count("colliderGroups"));
        let list = place.field("colliderGroups");
        for (index, group) in extension.list("colliderGroups").enumerate() {
            let place = list.index(index);
            let list = place.field("colliders");
            let mut colliders = Vec::new();
            for (nth, sphere) in group.list("colliders").enumerate() {
                let place = list.index(nth);
                let offset = self.vector(old_vector(sphere, "offset", Vec3::ZERO), &place);
                let radius = self.number(sphere, "radius", 0.0, [0.0, LARGEST], &place);
                let shape = ColliderShape::Capsule { ends: [offset; 2], radius, inside: false };
                colliders.extend(self.collider(group, Some(shape), &place));
            }
            groups.push(colliders);
        }
        let children = Children::new(self.nodes);
        let list = place.field("boneGroups");
        for (index, group) in extension.list("boneGroups").enumerate() {
            let place = list.index(index);
            let mut spring = self.spring(group, &groups, &place)?;
            let down = old_vector(group, "gravityDir", Vec3::NEG_Y);
            // The name is misspelt in the format.
            let read = self.settings(group, "stiffiness", down, &place);
            let mut waiting: Vec<NodeIndex> =
                group.indices("bones").rev().filter_map(|source| self.hierarchy.node(source)).collect();
            if waiting.len() < group.count("bones") {
                self.report.warn(WarningKind::SpringInvalid, &place.field("bones"));
            }
            while let Some(node) = waiting.pop() {
                let first = children.of(node).next();
                let Some(source) = self.nodes.get(node.get()) else { continue };
                let end = first.map_or_else(
                    || SpringEnd::Point(source.rest.translation.normalize_or_zero() * LAST_LENGTH),
                    SpringEnd::Node,
                );
                if self.joint(&mut spring, Some(node), Some(end), read, &place) {
                    waiting.extend(children.of(node));
                }
            }
            self.springs.springs.push(spring);
        }
        Ok(())
    }

    /// Returns a spring with its colliders and center, without joints.
    fn spring(
        &mut self,
        source: Json<'_>,
        groups: &[Vec<usize>],
        place: &Place<'_>,
    ) -> Result<Spring, ImportError> {
        let mut colliders = Vec::new();
        for group in source.indices("colliderGroups") {
            let Some(group) = groups.get(group) else {
                self.report.warn(WarningKind::SpringInvalid, &place.field("colliderGroups"));
                continue;
            };
            self.budget.charge(group.len() as u64, size_of::<usize>(), || place.pointer())?;
            colliders.extend_from_slice(group);
        }
        sort(&mut colliders, |a, b| a < b);
        colliders.dedup();
        let center = source.index("center").and_then(|center| self.hierarchy.node(center));
        Ok(Spring { joints: Vec::new(), colliders, center })
    }

    /// Returns the settings of a joint, without node and end. `down` is the direction of gravity.
    #[inline(never)]
    fn settings(
        &mut self,
        source: Json<'_>,
        stiffness: &'static str,
        down: Vec3,
        place: &Place<'_>,
    ) -> SpringJoint {
        let gravity = down * self.number(source, "gravityPower", 0.0, [-LARGEST, LARGEST], place);
        SpringJoint {
            node: NodeIndex::default(),
            end: SpringEnd::Point(Vec3::ZERO),
            stiffness: self.number(source, stiffness, 1.0, [0.0, LARGEST], place),
            drag: self.number(source, "dragForce", 0.5, [0.0, 1.0], place),
            gravity: self.vector(gravity, place),
            radius: self.number(source, "hitRadius", 0.0, [0.0, LARGEST], place),
        }
    }

    /// Adds a joint, if its node exists, is above its end, and is no other joint. Returns whether it was added.
    fn joint(
        &mut self,
        spring: &mut Spring,
        node: Option<NodeIndex>,
        end: Option<SpringEnd>,
        read: SpringJoint,
        place: &Place<'_>,
    ) -> bool {
        let joint = node.zip(end).map(|(node, end)| SpringJoint { node, end, ..read });
        let joint = joint.filter(|joint| joint.end_at_rest(self.nodes).is_some_and(|end| end.is_finite()));
        let is_taken = joint.and_then(|joint| self.is_taken.get_mut(joint.node.get()));
        let is_free = is_taken.is_some_and(|taken| !std::mem::replace(taken, true));
        match joint {
            Some(joint) if is_free => spring.joints.push(joint),
            _ => self.report.warn(WarningKind::SpringInvalid, place),
        }
        is_free
    }

    /// Adds a collider and returns its index, if it has a node and a shape.
    fn collider(
        &mut self,
        source: Json<'_>,
        shape: Option<ColliderShape>,
        place: &Place<'_>,
    ) -> Option<usize> {
        let Some((node, shape)) = self.node(source).zip(shape) else {
            self.report.warn(WarningKind::SpringInvalid, place);
            return None;
        };
        self.springs.colliders.push(Collider { node, shape });
        Some(self.springs.colliders.len() - 1)
    }

    fn shape(&mut self, collider: Json<'_>, place: &Place<'_>) -> Option<ColliderShape> {
        let extended = collider.extension(EXTENDED_COLLIDER).and_then(|extended| extended.get("shape"));
        let shape = extended.or_else(|| collider.get("shape"))?;
        let point = |shape: Json<'_>, name| shape.array(name).map_or(Vec3::ZERO, Vec3::from_array);
        if let Some(plane) = shape.get("plane") {
            let normal = plane.array("normal").map_or(Vec3::Z, Vec3::from_array).try_normalize()?;
            return Some(ColliderShape::Plane { point: self.vector(point(plane, "offset"), place), normal });
        }
        let capsule = shape.get("capsule");
        let source = capsule.or_else(|| shape.get("sphere"))?;
        let start = self.vector(point(source, "offset"), place);
        let end = capsule.map_or(start, |capsule| self.vector(point(capsule, "tail"), place));
        let radius = self.number(source, "radius", 0.0, [0.0, LARGEST], place);
        Some(ColliderShape::Capsule { ends: [start, end], radius, inside: source.flag("inside") })
    }

    fn node(&self, source: Json<'_>) -> Option<NodeIndex> {
        self.hierarchy.node(source.index("node")?)
    }

    /// Returns a number, clamped to its range with a warning.
    fn number(
        &mut self,
        source: Json<'_>,
        name: &'static str,
        default: f32,
        [least, most]: [f32; 2],
        place: &Place<'_>,
    ) -> f32 {
        let number = source.number(name).unwrap_or(default);
        // `clamp` would link the formatting of numbers for its panic.
        let allowed = number.max(least).min(most);
        if allowed != number {
            self.report.warn(WarningKind::SpringValueOutOfRange, &place.field(name));
        }
        allowed
    }

    /// Returns a vector, clamped with a warning.
    fn vector(&mut self, vector: Vec3, place: &Place<'_>) -> Vec3 {
        let most = Vec3::splat(LARGEST);
        // A number that is too large for a single is infinite, and 0 times that isn't a number.
        let allowed = if vector.is_nan() { Vec3::ZERO } else { vector.clamp(-most, most) };
        if allowed != vector {
            self.report.warn(WarningKind::SpringValueOutOfRange, place);
        }
        allowed
    }
}

/// Returns a vector of VRM 0.x. It is in Unity's coordinates, in which z is reversed.
fn old_vector(source: Json<'_>, name: &str, default: Vec3) -> Vec3 {
    let Some(vector) = source.get(name) else { return default };
    let number = |name| vector.number(name).unwrap_or(0.0);
    Vec3::new(number("x"), number("y"), 0.0 - number("z"))
}
