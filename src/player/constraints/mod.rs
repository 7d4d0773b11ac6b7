//! Constraints of the played pose, by name: chains that reach goals, gazes of several nodes, and feet on the ground.
//!
//! They are shared by all characters, and each character has its own state. Each constraint has a weight that fades.

mod apply;

pub(super) use apply::{Constraints, HeldConstraint, Scene, Stage};

use super::overrides::check_points;
use super::{Character, Player, PlayerError, Value};
use crate::animation::{Chain, ChainOptions, GazeJoint, MOST_GOALS};
use crate::model::{Model, NodeIndex};
use crate::order::sort;
use crate::playback::{Easing, Fade};
use apply::{Constraint, GoalInWorld, Ground, Kind};
use glam::{Quat, Vec3};

/// Options of every constraint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintOptions {
    /// Blend factor between the played pose (0) and the constrained one (1).
    pub weight: f32,
    /// Duration in which the weight is reached. It begins at 0, or at the weight of the constraint that is replaced.
    pub fade_secs: f64,
    /// Time constant with which goals, targets and the ground follow what is set: after it, 1/e of the way is left.
    pub smoothing_secs: f32,
}

impl Default for ConstraintOptions {
    fn default() -> Self {
        Self { weight: 1.0, fade_secs: 0.0, smoothing_secs: 0.0 }
    }
}

impl Player {
    /// Sets a chain of joints that brings its nodes to goals, on every character. It replaces the constraint with this
    /// name and its goals.
    ///
    /// # Errors
    /// When there is no model or no such node, the tip isn't below the root or a limited joint between them, or a
    /// number isn't finite or is out of range.
    pub fn set_chain(
        &mut self,
        name: &str,
        chain: &ChainOptions,
        options: &ConstraintOptions,
    ) -> Result<(), PlayerError> {
        self.check_node(chain.root)?;
        self.check_node(chain.tip)?;
        Value::Limit.check(chain.speed_radians_per_sec.into())?;
        for (node, limit) in &chain.limits {
            self.check_node(*node)?;
            check_points(&[Some(limit.axis)])?;
            Value::Limit.check(limit.swing_radians.into())?;
            Value::Rotation.check_all(&limit.twist_radians)?;
            if limit.axis.try_normalize().is_none() {
                return Err(PlayerError::OutOfRange { what: "axis", expected: "other than 0" });
            }
            if limit.twist_radians[0] > limit.twist_radians[1] {
                return Err(PlayerError::OutOfRange { what: "limit", expected: "not above its other end" });
            }
        }
        let rig = self.rig().ok_or(PlayerError::NoModel)?;
        let chain = Chain::new(rig, chain).ok_or_else(|| no_chain(rig.model(), chain.tip))?;
        self.set_constraint(
            name,
            options,
            Kind::Chain { chain, goals: Vec::with_capacity(MOST_GOALS), tip_rotation_in_world: None },
        )
    }

    /// Sets the goal of one node of a chain: a point in the world, and its weight relative to the chain's other goals.
    /// A `target` of `None` removes the goal. A chain without goals keeps its played pose.
    ///
    /// # Errors
    /// When there is no model, no such chain or no such node below the chain's root, a number isn't finite or is out
    /// of range, or the chain has 8 goals already.
    pub fn set_goal(
        &mut self,
        name: &str,
        node: NodeIndex,
        target: Option<Vec3>,
        weight: f32,
    ) -> Result<(), PlayerError> {
        self.check_node(node)?;
        Value::Weight.check(weight.into())?;
        check_points(&[target])?;
        let model = self.model().ok_or(PlayerError::NoModel)?.clone();
        self.change(name, &mut |kind| {
            let Kind::Chain { chain, goals, .. } = kind else { return Ok(false) };
            if !chain.can_reach(node) {
                return Err(no_chain(&model, node));
            }
            let found = goals.iter().position(|goal| goal.node == node);
            match (target, found) {
                (None, Some(at)) => drop(goals.remove(at)),
                (Some(target_in_world), found) => {
                    let goal = GoalInWorld { node, target_in_world, weight };
                    match found {
                        Some(at) => goals[at] = goal,
                        None if goals.len() < MOST_GOALS => goals.push(goal),
                        None => {
                            return Err(PlayerError::OutOfRange {
                                what: "count of goals",
                                expected: "up to 8",
                            });
                        }
                    }
                }
                (None, None) => {}
            }
            Ok(true)
        })
    }

    /// Sets the rotation in the world of a chain's tip. It turns the tip alone, within its limit. `None` ends it.
    ///
    /// # Errors
    /// When there is no model or no such chain, a number isn't finite or is out of range, or the rotation has zero
    /// length.
    pub fn set_tip_rotation(&mut self, name: &str, rotation: Option<Quat>) -> Result<(), PlayerError> {
        if let Some(rotation) = rotation {
            Value::Rotation.check_all(&rotation.to_array())?;
            if rotation.length() < 1e-6 {
                return Err(PlayerError::OutOfRange { what: "rotation", expected: "other than 0" });
            }
        }
        self.change(name, &mut |kind| {
            let Kind::Chain { tip_rotation_in_world, .. } = kind else { return Ok(false) };
            *tip_rotation_in_world = rotation.map(Quat::normalize);
            Ok(true)
        })
    }

    /// Sets a gaze, on every character: nodes such as spine, neck, head and eyes that share the turn to a point. It
    /// replaces the constraint with this name, and has no target yet.
    ///
    /// # Errors
    /// When there is no model or no such node, or a number isn't finite or is out of range.
    pub fn set_gaze(
        &mut self,
        name: &str,
        joints: &[GazeJoint],
        options: &ConstraintOptions,
    ) -> Result<(), PlayerError> {
        for joint in joints {
            self.check_node(joint.node)?;
            Value::Weight.check(joint.share.into())?;
            check_points(&[joint.forward])?;
            if joint.forward == Some(Vec3::ZERO) {
                return Err(PlayerError::OutOfRange { what: "forward direction", expected: "other than 0" });
            }
            for limit in [joint.limit_radians, joint.speed_radians_per_sec] {
                Value::Limit.check(limit.unwrap_or(0.0).into())?;
            }
        }
        let mut joints = joints.to_vec();
        // Parents stand before their children.
        sort(&mut joints, |a, b| a.node.get() < b.node.get());
        self.set_constraint(name, options, Kind::Gaze { joints, target_in_world: None })
    }

    /// Sets the point in the world that a gaze turns to. `None` turns its nodes back to the played pose.
    ///
    /// # Errors
    /// When there is no model or no such gaze, or a number isn't finite or is out of range.
    pub fn set_gaze_target(&mut self, name: &str, target: Option<Vec3>) -> Result<(), PlayerError> {
        check_points(&[target])?;
        self.change(name, &mut |kind| {
            let Kind::Gaze { target_in_world, .. } = kind else { return Ok(false) };
            *target_in_world = target;
            Ok(true)
        })
    }

    /// Sets feet that stand on the ground, on every character. It replaces the constraint with this name.
    ///
    /// Clips are made for a ground at the height of the model's origin. Each foot is lifted or lowered to the ground
    /// below it, which is the plane y = 0 until [`set_ground`](Self::set_ground) is called, and turned by its slope.
    /// The hips follow the lowest foot.
    ///
    /// # Errors
    /// When there is no model or no such node, a foot has fewer than two ancestors or isn't below the hips, or a
    /// number isn't finite or is out of range.
    pub fn set_feet(
        &mut self,
        name: &str,
        hips: NodeIndex,
        feet: &[NodeIndex],
        options: &ConstraintOptions,
    ) -> Result<(), PlayerError> {
        self.check_node(hips)?;
        let model = self.model().ok_or(PlayerError::NoModel)?;
        for &foot in feet {
            self.check_node(foot)?;
            let above = |node: NodeIndex| model.node(node).parent;
            let mut ancestors = std::iter::successors(above(foot), |&node| above(node));
            if ancestors.clone().count() < 2 {
                return Err(PlayerError::NoLimb { node: model.node(foot).name.clone() });
            }
            if !ancestors.any(|node| node == hips) {
                return Err(no_chain(model, foot));
            }
        }
        self.set_constraint(name, options, Kind::Feet { hips, feet: feet.to_vec() })
    }

    /// Sets the ground below a foot, on every character or on the one of [`alone`](Self::alone): its height in the
    /// world, and its normal.
    ///
    /// # Errors
    /// When there is no model or no such foot, a number isn't finite or is out of range, or the normal has no length.
    pub fn set_ground(
        &mut self,
        name: &str,
        foot: NodeIndex,
        height: f32,
        normal: Vec3,
    ) -> Result<(), PlayerError> {
        self.check_node(foot)?;
        Value::Point.check(height.into())?;
        check_points(&[Some(normal)])?;
        let Some(normal) = normal.try_normalize() else {
            return Err(PlayerError::OutOfRange { what: "normal", expected: "other than 0" });
        };
        let mut found = None;
        self.change(name, &mut |kind| {
            let Kind::Feet { feet, .. } = kind else { return Ok(false) };
            found = feet.iter().position(|held| *held == foot);
            Ok(true)
        })?;
        let model = self.model().ok_or(PlayerError::NoModel)?;
        let at = found.ok_or_else(|| no_chain(model, foot))?;
        let addressed = self.addressed();
        let loaded = self.loaded.as_ref().ok_or(PlayerError::NoModel)?;
        let constraints = &loaded.overrides.constraints;
        let constraint = constraints.find(name).map(|at| &constraints.all[at]);
        for Character { turns, .. } in &mut self.characters[addressed] {
            if let Some(constraint) = constraint {
                constraint.held_in(&mut turns.constraints).set_ground(at, Ground { height, normal });
            }
        }
        Ok(())
    }

    /// Changes the weight of a constraint gradually.
    ///
    /// # Errors
    /// When there is no model or no such constraint, or a number isn't finite or is out of range.
    pub fn fade_constraint(
        &mut self,
        name: &str,
        weight: f32,
        fade_secs: f64,
        easing: Easing,
    ) -> Result<(), PlayerError> {
        Value::Weight.check(weight.into())?;
        let fade_secs = Value::Fade.check(fade_secs)?;
        let constraint = self.constraint_mut(name)?;
        constraint.weight = constraint.weight.towards(weight, fade_secs, easing);
        constraint.is_leaving = false;
        Ok(())
    }

    /// Fades a constraint out, then removes it.
    ///
    /// # Errors
    /// When there is no model or no such constraint, or the duration isn't finite or is out of range.
    pub fn remove_constraint(&mut self, name: &str, fade_secs: f64) -> Result<(), PlayerError> {
        self.fade_constraint(name, 0.0, fade_secs, Easing::Smooth)?;
        self.constraint_mut(name)?.is_leaving = true;
        self.fade_constraints(0.0);
        Ok(())
    }

    /// Returns the names of the constraints, in the order in which they were set.
    pub fn constraint_names(&self) -> Vec<&str> {
        let constraints = self.loaded.as_ref().map(|loaded| &loaded.overrides.constraints);
        constraints.into_iter().flat_map(|held| held.all.iter().map(|held| held.name.as_str())).collect()
    }

    /// Passes time to the fades, and removes constraints that have faded out.
    pub(super) fn fade_constraints(&mut self, step_secs: f64) {
        if self.loaded.as_ref().is_some_and(|loaded| !loaded.overrides.constraints.is_empty()) {
            self.fade_all_constraints(step_secs);
        }
    }

    /// Not inlined: in a page, this is in the file that is fetched with the first constraint.
    #[inline(never)]
    fn fade_all_constraints(&mut self, step_secs: f64) {
        let Some(loaded) = &mut self.loaded else { return };
        let constraints = &mut loaded.overrides.constraints;
        constraints.all.iter_mut().for_each(|constraint| constraint.weight.advance(step_secs));
        while let Some(at) = constraints.all.iter().position(|held| held.is_leaving && held.weight.is_done())
        {
            let removed = constraints.all.remove(at).id;
            for Character { turns, .. } in &mut self.characters {
                turns.constraints.retain(|held| held.id != removed);
            }
        }
    }

    fn set_constraint(
        &mut self,
        name: &str,
        options: &ConstraintOptions,
        kind: Kind,
    ) -> Result<(), PlayerError> {
        Value::Weight.check(options.weight.into())?;
        Value::Smoothing.check(options.smoothing_secs.into())?;
        let fade_secs = Value::Fade.check(options.fade_secs)?;
        let constraints = &mut self.overrides_mut()?.constraints;
        let id = constraints.next_id;
        constraints.next_id += 1;
        let at = constraints.find(name);
        let replaced = at.map(|at| constraints.all.remove(at));
        let before = replaced.as_ref().map_or(Fade::at(0.0), |replaced| replaced.weight);
        let constraint = Constraint {
            id,
            name: name.to_owned(),
            weight: before.towards(options.weight, fade_secs, Easing::Smooth),
            is_leaving: false,
            smoothing_secs: options.smoothing_secs,
            kind,
        };
        let replaced = replaced.map(|replaced| replaced.id);
        for Character { turns, .. } in &mut self.characters {
            if !turns.are_turning() {
                turns.passed_secs = 0.0;
            }
            turns.constraints.retain(|held| Some(held.id) != replaced);
            constraint.held_in(&mut turns.constraints);
        }
        let loaded = self.loaded.as_mut().ok_or(PlayerError::NoModel)?;
        (loaded.stale, loaded.has_extras) = (true, true);
        let constraints = &mut loaded.overrides.constraints;
        constraints.all.insert(at.unwrap_or(constraints.all.len()), constraint);
        Ok(())
    }

    /// Changes what a constraint is to do. `change` returns false if the constraint is of another kind.
    fn change(
        &mut self,
        name: &str,
        change: &mut dyn FnMut(&mut Kind) -> Result<bool, PlayerError>,
    ) -> Result<(), PlayerError> {
        let constraint = self.constraint_mut(name)?;
        let id = constraint.id;
        if !change(&mut constraint.kind)? {
            return Err(self.unknown(name));
        }
        for Character { turns, .. } in &mut self.characters {
            if !turns.are_turning() {
                turns.passed_secs = 0.0;
            }
            if let Some(held) = turns.constraints.iter_mut().find(|held| held.id == id) {
                held.set_off();
            }
        }
        Ok(())
    }

    fn constraint_mut(&mut self, name: &str) -> Result<&mut Constraint, PlayerError> {
        let loaded = self.loaded.as_ref().ok_or(PlayerError::NoModel)?;
        let at = loaded.overrides.constraints.find(name).ok_or_else(|| self.unknown(name))?;
        Ok(&mut self.overrides_mut()?.constraints.all[at])
    }

    fn unknown(&self, name: &str) -> PlayerError {
        let available = self.constraint_names().into_iter().map(str::to_owned).collect();
        PlayerError::UnknownConstraint { asked: name.to_owned(), available }
    }
}

fn no_chain(model: &Model, node: NodeIndex) -> PlayerError {
    PlayerError::NoChain { node: model.node(node).name.clone() }
}
