//! Overrides of the played pose: node transforms, morph weights, looks and reaches. Other inverse kinematics are in
//! `constraints`.

use super::constraints::{Constraints, HeldConstraint, Scene, Stage};
use super::{Character, Player, PlayerError, Value};
use crate::angle::sin_cos;
use crate::animation::{LocalPose, LookAt, LookTurn, ModelPose, Reach, Rig};
use crate::camera::decay;
use crate::model::{Model, NodeIndex, Srt};
use glam::{Affine3A, Quat, Vec3};

/// An override of a node's local transform. Parts that are `None` keep their played value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeOverride {
    pub relative_to: RelativeTo,
    pub translation: Option<Vec3>,
    pub rotation: Option<Quat>,
    pub scale: Option<Vec3>,
    /// Blend factor between the played transform (0) and the override (1).
    pub weight: f32,
}

impl Default for NodeOverride {
    fn default() -> Self {
        Self { relative_to: RelativeTo::Rest, translation: None, rotation: None, scale: None, weight: 1.0 }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RelativeTo {
    /// Values are relative to the rest pose. The identity sets the rest pose.
    #[default]
    Rest,
    /// Values are relative to the played pose. The identity changes nothing.
    Pose,
    /// Values replace the local transform. The identity coincides with the parent.
    Parent,
}

/// All overrides of the pose, shared by all characters.
#[derive(Debug, Default)]
pub(super) struct Overrides {
    nodes: Vec<(NodeIndex, NodeOverride)>,
    morphs: Vec<(MorphTargetPlace, f32)>,
    looks: Vec<Look>,
    reaches: Vec<ReachInWorld>,
    pub(super) constraints: Constraints,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Look {
    node: NodeIndex,
    /// `None` turns the node back to its played rotation.
    aim: Option<LookInWorld>,
    smoothing_secs: f32,
}

/// [`LookAt`] goal before its target is transformed to the model space of each character.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LookInWorld {
    target_in_world: Vec3,
    forward: Option<Vec3>,
    least_cosine: f32,
    weight: f32,
}

/// [`Reach`] goal before its points are transformed to the model space of each character.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ReachInWorld {
    node: NodeIndex,
    target_in_world: Vec3,
    pole_in_world: Option<Vec3>,
    weight: f32,
}

impl Overrides {
    /// Returns whether there are no overrides, constraints apart.
    #[cfg(feature = "render")]
    pub(super) fn is_empty(&self) -> bool {
        let Self { nodes, morphs, looks, reaches, .. } = self;
        nodes.is_empty() && morphs.is_empty() && looks.is_empty() && reaches.is_empty()
    }
}

impl LookInWorld {
    fn in_model(self, model_from_world: &Affine3A) -> LookAt {
        let Self { target_in_world, forward, least_cosine, weight } = self;
        let target_in_model = model_from_world.transform_point3(target_in_world);
        LookAt { target_in_model, forward, least_cosine, weight }
    }
}

impl ReachInWorld {
    fn in_model(self, model_from_world: &Affine3A) -> Reach {
        let Self { node, target_in_world, pole_in_world, weight } = self;
        let target_in_model = model_from_world.transform_point3(target_in_world);
        let pole_in_model = pole_in_world.map(|pole| model_from_world.transform_point3(pole));
        Reach { node, target_in_model, pole_in_model, weight }
    }
}

/// Current turn of each looking node of one character, and the state of its constraints.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    held: Vec<(NodeIndex, LookTurn)>,
    pub(super) constraints: Vec<HeldConstraint>,
    /// Time since the turns were last updated.
    pub(super) passed_secs: f32,
}

impl Turns {
    pub(super) fn are_turning(&self) -> bool {
        self.held.iter().any(|(_, turn)| !turn.arrived)
            || self.constraints.iter().any(HeldConstraint::is_moving)
    }

    pub(super) fn forget(&mut self) {
        self.held.clear();
        self.constraints.clear();
    }

    fn of(&mut self, node: NodeIndex) -> &mut LookTurn {
        let found = self.held.iter().position(|&(held, _)| held == node);
        let at = found.unwrap_or_else(|| {
            self.held.push((node, LookTurn::default()));
            self.held.len() - 1
        });
        &mut self.held[at].1
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MorphTargetPlace {
    node: NodeIndex,
    target: usize,
}

impl Overrides {
    #[inline(always)]
    pub(super) fn apply(&self, rig: &Rig, pose: &mut LocalPose) {
        if !(self.nodes.is_empty() && self.morphs.is_empty()) {
            self.apply_all(rig, pose);
        }
    }

    fn apply_all(&self, rig: &Rig, pose: &mut LocalPose) {
        for &(node, node_override) in &self.nodes {
            let played = pose.srt(node);
            pose.set_srt(node, node_override.over(played, rig.model().node(node).rest));
        }
        for &(MorphTargetPlace { node, target }, weight) in &self.morphs {
            if let Some(held) = pose.morph_weights_mut(rig, node).get_mut(target) {
                *held = weight;
            }
        }
    }

    /// Applies the looks, then the reaches, so that hands still meet their targets after a look has turned a joint
    /// above them. Constraints on feet come first, since they move the hips. Gazes follow the looks, and chains the
    /// reaches.
    ///
    /// `model` is the resolved `local`, before and after.
    #[inline(always)]
    pub(super) fn aim(
        &self,
        rig: &Rig,
        world_from_model: &Affine3A,
        turns: &mut Turns,
        local: &mut LocalPose,
        model: &mut ModelPose,
    ) {
        if self.looks.is_empty() && self.reaches.is_empty() && self.constraints.is_empty() {
            turns.passed_secs = 0.0;
        } else {
            self.aim_all(rig, world_from_model, turns, local, model);
        }
    }

    fn aim_all(
        &self,
        rig: &Rig,
        world_from_model: &Affine3A,
        turns: &mut Turns,
        local: &mut LocalPose,
        model: &mut ModelPose,
    ) {
        let passed_secs = std::mem::take(&mut turns.passed_secs);
        let model_from_world = world_from_model.inverse();
        let scene = Scene { rig, world_from_model, model_from_world: &model_from_world, passed_secs };
        self.constraints.apply(Stage::Feet, &scene, &mut turns.constraints, local, model);
        for look in &self.looks {
            let aim = look.aim.map(|aim| aim.in_model(&model_from_world));
            let rest_share =
                if look.smoothing_secs > 0.0 { decay(passed_secs / look.smoothing_secs) } else { 0.0 };
            rig.look_at(look.node, aim.as_ref(), turns.of(look.node), rest_share, local, model);
        }
        self.constraints.apply(Stage::Gaze, &scene, &mut turns.constraints, local, model);
        for reach in &self.reaches {
            rig.reach(&reach.in_model(&model_from_world), local, model);
        }
        self.constraints.apply(Stage::Chain, &scene, &mut turns.constraints, local, model);
    }
}

impl NodeOverride {
    fn over(&self, played: Srt, rest: Srt) -> Srt {
        let from = match self.relative_to {
            RelativeTo::Rest => rest,
            RelativeTo::Pose => played,
            RelativeTo::Parent => Srt::IDENTITY,
        };
        let mut held = played;
        if let Some(translation) = self.translation {
            held.translation = played.translation.lerp(from.translation + translation, self.weight);
        }
        if let Some(rotation) = self.rotation {
            let wanted = from.rotation * rotation;
            let near = if played.rotation.dot(wanted) < 0.0 { -wanted } else { wanted };
            held.rotation = (played.rotation * (1.0 - self.weight) + near * self.weight).normalize();
        }
        if let Some(scale) = self.scale {
            held.scale = played.scale.lerp(from.scale * scale, self.weight);
        }
        held
    }
}

impl Player {
    /// Overrides a node's transform on every character until [`release_node`](Self::release_node) is called. Each
    /// call replaces the previous override.
    ///
    /// # Errors
    /// When there is no model or no such node, a number isn't finite or is out of range, or the rotation has zero
    /// length.
    pub fn set_node(&mut self, node: NodeIndex, node_override: &NodeOverride) -> Result<(), PlayerError> {
        self.check_node(node)?;
        Value::Weight.check(node_override.weight.into())?;
        check_points(&[node_override.translation, node_override.scale])?;
        let mut node_override = *node_override;
        if let Some(rotation) = &mut node_override.rotation {
            Value::Rotation.check_all(&rotation.to_array())?;
            let length = rotation.length();
            if length < 1e-6 {
                return Err(PlayerError::OutOfRange { what: "rotation", expected: "other than 0" });
            }
            *rotation /= length;
        }
        let nodes = &mut self.overrides_mut()?.nodes;
        nodes.retain(|&(held, _)| held != node);
        nodes.push((node, node_override));
        Ok(())
    }

    /// Returns a node's override, or `None` if it has none.
    pub fn node_override(&self, node: NodeIndex) -> Option<&NodeOverride> {
        let nodes = &self.loaded.as_ref()?.overrides.nodes;
        nodes.iter().find(|(held, _)| *held == node).map(|(_, node_override)| node_override)
    }

    /// Removes a node's override.
    pub fn release_node(&mut self, node: NodeIndex) {
        if let Ok(overrides) = self.overrides_mut() {
            overrides.nodes.retain(|&(held, _)| held != node);
        }
    }

    /// Returns the first node with the given name, in the file's order.
    ///
    /// # Errors
    /// When there is no model or no such node.
    pub fn find_node(&self, name: &str) -> Result<NodeIndex, PlayerError> {
        let model = self.model().ok_or(PlayerError::NoModel)?;
        model.find_node(name).ok_or_else(|| PlayerError::UnknownNode { asked: name.to_owned() })
    }

    /// Turns a node towards a point in the world, on every character. A `target` of `None` returns the node to its
    /// played rotation.
    ///
    /// - `forward` is the direction in the node's own space that is turned to the target. `None` selects the
    ///   direction that faces the model's front (+Z) in the rest pose.
    /// - `limit_radians` is the largest angle between the played direction and the turned one. `None` sets no limit.
    /// - `smoothing_secs` is the time constant of the turn: after it, 1/e of the turn is left. With `None` it is 0
    ///   when there is a target, else the value of the look that is removed.
    ///
    /// # Errors
    /// When there is no model or no such node, a number isn't finite or is out of range, or `forward` is zero.
    pub fn look_at(
        &mut self,
        node: NodeIndex,
        target: Option<Vec3>,
        forward: Option<Vec3>,
        limit_radians: Option<f32>,
        weight: f32,
        smoothing_secs: Option<f32>,
    ) -> Result<(), PlayerError> {
        self.check_node(node)?;
        Value::Weight.check(weight.into())?;
        Value::Smoothing.check(smoothing_secs.unwrap_or(0.0).into())?;
        let limit = Value::Limit.check(limit_radians.unwrap_or(std::f32::consts::PI).into())?;
        check_points(&[target, forward])?;
        if forward == Some(Vec3::ZERO) {
            return Err(PlayerError::OutOfRange { what: "forward direction", expected: "other than 0" });
        }
        let looks = &mut self.overrides_mut()?.looks;
        let held = looks.iter().position(|held| held.node == node).map(|at| looks.remove(at));
        let limit = limit.min(std::f64::consts::PI);
        let aim = target.map(|target_in_world| LookInWorld {
            target_in_world,
            forward,
            least_cosine: sin_cos(limit as f32).1,
            weight,
        });
        let as_before = held.filter(|_| aim.is_none()).map_or(0.0, |held| held.smoothing_secs);
        let smoothing_secs = smoothing_secs.unwrap_or(as_before);
        if aim.is_none() && held.is_none() {
            return Ok(());
        }
        looks.push(Look { node, aim, smoothing_secs });
        for Character { turns, .. } in &mut self.characters {
            if !turns.are_turning() {
                turns.passed_secs = 0.0;
            }
            // With smoothing, a turn that has arrived restarts from its current rotation. `LookTurn::follow` sets the
            // flag again.
            turns.of(node).arrived &= smoothing_secs == 0.0;
        }
        Ok(())
    }

    /// Bends a limb of two joints so that its end, `node`, reaches a point in the world, on every character. A
    /// `target` of `None` removes the reach.
    ///
    /// The middle joint bends towards the point `pole`, or keeps its side if `pole` is `None`.
    ///
    /// # Errors
    /// When there is no model or no such node, the node has fewer than two ancestors, or a number isn't finite or is
    /// out of range.
    pub fn reach(
        &mut self,
        node: NodeIndex,
        target: Option<Vec3>,
        pole: Option<Vec3>,
        weight: f32,
    ) -> Result<(), PlayerError> {
        self.check_node(node)?;
        Value::Weight.check(weight.into())?;
        check_points(&[target, pole])?;
        let model = self.model().ok_or(PlayerError::NoModel)?;
        let has_limb = model.node(node).parent.is_some_and(|parent| model.node(parent).parent.is_some());
        if !has_limb {
            return Err(PlayerError::NoLimb { node: model.node(node).name.clone() });
        }
        let reaches = &mut self.overrides_mut()?.reaches;
        reaches.retain(|held| held.node != node);
        reaches.extend(target.map(|target_in_world| ReachInWorld {
            node,
            target_in_world,
            pole_in_world: pole,
            weight,
        }));
        Ok(())
    }

    /// Overrides the weight of every morph target with the given name, on every node. `None` removes the override.
    ///
    /// # Errors
    /// When there is no model or no such morph target, or the weight isn't finite or is out of range.
    pub fn set_morph(&mut self, name: &str, weight: Option<f32>) -> Result<(), PlayerError> {
        let places = self.morph_places(name)?;
        if let Some(weight) = weight {
            Value::MorphWeight.check(weight.into())?;
        }
        let morphs = &mut self.overrides_mut()?.morphs;
        morphs.retain(|(held, _)| !places.contains(held));
        if let Some(weight) = weight {
            morphs.extend(places.into_iter().map(|place| (place, weight)));
        }
        Ok(())
    }

    /// Returns the current weight of the first morph target with the given name, on the first character.
    ///
    /// # Errors
    /// When there is no model or no such morph target.
    pub fn morph(&mut self, name: &str) -> Result<f32, PlayerError> {
        let places = self.morph_places(name)?;
        let (loaded, _) = self.posed(0)?;
        let weight = places.first().and_then(|place| {
            loaded.workspace.local.morph_weights(loaded.rig(), place.node).get(place.target).copied()
        });
        Ok(weight.unwrap_or(0.0))
    }

    /// Returns the names of the morph targets without duplicates, in the order of the model's nodes. Unnamed targets
    /// are left out.
    pub fn morph_names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        if let Some(model) = self.model() {
            for (_, _, name) in named_morphs(model) {
                if !name.is_empty() && !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    fn morph_places(&self, name: &str) -> Result<Vec<MorphTargetPlace>, PlayerError> {
        let model = self.model().ok_or(PlayerError::NoModel)?;
        let places: Vec<_> = named_morphs(model)
            .filter(|(_, _, held)| *held == name && !name.is_empty())
            .map(|(node, target, _)| MorphTargetPlace { node, target })
            .collect();
        if places.is_empty() {
            let available = self.morph_names().into_iter().map(str::to_owned).collect();
            return Err(PlayerError::UnknownMorph { asked: name.to_owned(), available });
        }
        Ok(places)
    }

    pub(super) fn check_node(&self, node: NodeIndex) -> Result<(), PlayerError> {
        let node_count = self.model().ok_or(PlayerError::NoModel)?.nodes.len();
        match node.get() < node_count {
            true => Ok(()),
            false => Err(PlayerError::NodeOutOfRange { asked: node.get(), node_count }),
        }
    }

    pub(super) fn overrides_mut(&mut self) -> Result<&mut Overrides, PlayerError> {
        let loaded = self.loaded.as_mut().ok_or(PlayerError::NoModel)?;
        loaded.stale = true;
        Ok(&mut loaded.overrides)
    }
}

/// Checks every point that isn't `None`.
pub(super) fn check_points(points: &[Option<Vec3>]) -> Result<(), PlayerError> {
    for point in points {
        Value::Point.check_all(&point.unwrap_or_default().to_array())?;
    }
    Ok(())
}

/// Iterates over every morph target of every node's mesh: the node, the target's index in the mesh, and its name.
fn named_morphs(model: &Model) -> impl Iterator<Item = (NodeIndex, usize, &str)> {
    let meshes = model.nodes.iter().enumerate().filter_map(|(node, held)| Some((node, held.mesh?)));
    meshes.flat_map(|(node, mesh)| {
        let names = model.mesh(mesh).morph_target_names.iter().enumerate();
        names.map(move |(target, name)| (NodeIndex::new(node), target, name.as_str()))
    })
}
