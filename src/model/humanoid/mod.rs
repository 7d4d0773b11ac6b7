//! Joints of a humanoid body, found by their names and by the shape of the hierarchy.
//!
//! - Names come first: those of Mixamo, VRM, Unreal, Unity, 3ds Max, Rigify, Quake, MakeHuman and others.
//! - Hips, torso and neck are where they have to be between the limbs, whatever their names.
//! - Limbs without names that tell are found by their lengths.
//!
//! Each role has a reason and a confidence. A page can replace any of them.

mod bind;
mod by_name;
mod by_shape;
mod middle;
mod role;
mod search;
mod words;

pub use bind::bind_pose;
pub(crate) use bind::snapped;
pub use role::{Finger, Part, Role, Side};

use super::{Model, Node, NodeIndex};
use by_name::Names;
use search::Search;

/// A joint of a body and the reason why it is taken for that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoleNode {
    pub role: Role,
    pub node: NodeIndex,
    /// From 0 to 1.
    pub confidence: f32,
    pub reason: RoleReason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoleReason {
    /// The caller said so.
    Given,
    /// The file said so, as VRM files do.
    File,
    Name,
    /// Its place between joints that are known.
    Place,
    /// The lengths and places of chains.
    Shape,
}

impl RoleReason {
    pub fn name(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::File => "file",
            Self::Name => "name",
            Self::Place => "place",
            Self::Shape => "shape",
        }
    }
}

/// Joints of a body by their roles.
#[derive(Clone, Debug, PartialEq)]
pub struct Humanoid {
    /// For each role by its index, the node that has it. No two roles have the same node.
    roles: Vec<Option<RoleNode>>,
}

/// Roles without which a body can't borrow or lend motion.
const REQUIRED: [Part; 4] = [Part::UpperArm, Part::LowerArm, Part::UpperLeg, Part::LowerLeg];

impl Humanoid {
    /// Finds the joints of a body. `given` has roles that are known, which nothing replaces.
    pub fn find(model: &Model, given: &[(Role, NodeIndex)]) -> Self {
        let mut search = Search::new(model, &bind_pose(model));
        for (reason, known) in [(RoleReason::Given, given), (RoleReason::File, &model.humanoid)] {
            search.reason = reason;
            for &(role, node) in known {
                let node = Some(node.get()).filter(|&node| node < search.count);
                search.found(role, node, 1.0);
            }
        }
        let names = Names::new(&search);
        search.reason = RoleReason::Name;
        names.find(&mut search);
        search.reason = RoleReason::Shape;
        let limbs = Side::BOTH.map(|side| [Part::UpperLeg, Part::UpperArm].map(|part| Role::of(side, part)));
        if limbs.as_flattened().iter().any(|&role| search.node(role).is_none()) {
            by_shape::find_limbs(&mut search);
        }
        search.reason = RoleReason::Place;
        by_shape::complete_limbs(&mut search);
        middle::find_middle(&mut search, &names);
        Self { roles: search.roles }
    }

    /// Takes these roles and no others.
    pub fn given(given: &[(Role, NodeIndex)]) -> Self {
        let mut roles = vec![None; Role::COUNT];
        for &(role, node) in given {
            roles[role.index()] = Some(RoleNode { role, node, confidence: 1.0, reason: RoleReason::Given });
        }
        Self { roles }
    }

    pub fn node(&self, role: Role) -> Option<NodeIndex> {
        self.roles[role.index()].map(|found| found.node)
    }

    pub fn get(&self, role: Role) -> Option<&RoleNode> {
        self.roles[role.index()].as_ref()
    }

    /// Returns the roles that were found, in the order of [`Role::all`].
    pub fn roles(&self) -> impl Iterator<Item = &RoleNode> {
        self.roles.iter().flatten()
    }

    /// Returns the role of a node.
    pub fn role_of(&self, node: NodeIndex) -> Option<Role> {
        self.roles().find(|found| found.node == node).map(|found| found.role)
    }

    /// Returns the roles that are missing, without which motion can't be borrowed.
    pub fn missing(&self) -> Vec<Role> {
        let mut missing = Vec::new();
        if self.node(Role::HIPS).is_none() {
            missing.push(Role::HIPS);
        }
        for side in Side::BOTH {
            let roles = REQUIRED.map(|part| Role::of(side, part));
            missing.extend(roles.into_iter().filter(|&role| self.node(role).is_none()));
        }
        missing
    }
}
