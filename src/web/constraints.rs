//! Exports that constrain the played pose: chains, gazes and feet.

use super::motion::{EASINGS, LENGTH, pick, vector_of};
use super::player::PlayerHandle;
use crate::animation::{ChainOptions, ChainSolver, GazeJoint, JointLimit};
use crate::model::NodeIndex;
use crate::player::{ConstraintOptions, PlayerError};
use glam::{Quat, Vec3};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

const SOLVERS: [ChainSolver; 3] =
    [ChainSolver::LeastSquares, ChainSolver::CyclicDescent, ChainSolver::ForwardBackward];

#[wasm_bindgen]
impl PlayerHandle {
    /// Sets a chain: root, tip, an index into `SOLVERS`, and the number of iterations.
    ///
    /// `limits` has seven numbers for each limited joint: node, axis (3), swing, and least and greatest twist.
    /// `options` are those of every constraint: weight, fade and smoothing.
    #[wasm_bindgen(js_name = setChain)]
    pub fn set_chain(
        &mut self,
        name: &str,
        chain: &[u32],
        speed_radians_per_sec: f32,
        limits: &[f32],
        options: &[f32],
    ) -> Result<(), JsValue> {
        let &[root, tip, solver, iterations] = chain else { return Err(LENGTH.into()) };
        let mut chain = ChainOptions {
            solver: pick(&SOLVERS, solver as usize, "solver")?,
            iterations,
            speed_radians_per_sec,
            ..ChainOptions::new(
                self.actor_mut().node_at(root as usize)?,
                self.actor_mut().node_at(tip as usize)?,
            )
        };
        let (limits, _) = limits.as_chunks::<7>();
        for &[node, x, y, z, swing_radians, least, greatest] in limits {
            let limit =
                JointLimit { axis: Vec3::new(x, y, z), swing_radians, twist_radians: [least, greatest] };
            chain.limits.push((self.actor_mut().node_at(node as usize)?, limit));
        }
        Ok(self.actor_mut().set_chain(name, &chain, &options_of(options))?)
    }

    /// Sets the goal of a node of a chain. Without a target, removes it.
    #[wasm_bindgen(js_name = setGoal)]
    pub fn set_goal(&mut self, name: &str, node: usize, target: &[f32], weight: f32) -> Result<(), JsValue> {
        let node = self.actor_mut().node_at(node)?;
        Ok(self.actor_mut().set_goal(name, node, vector_of(target), weight)?)
    }

    /// Sets the rotation of a chain's tip in the world. An empty rotation ends it.
    #[wasm_bindgen(js_name = turnTip)]
    pub fn turn_tip(&mut self, name: &str, rotation: &[f32]) -> Result<(), JsValue> {
        Ok(self.actor_mut().set_tip_rotation(name, rotation.try_into().ok().map(Quat::from_array))?)
    }

    /// Sets a gaze. `joints` has seven numbers for each: node, share, limit, speed and forward direction (3). NaN
    /// stands for a default.
    #[wasm_bindgen(js_name = setGaze)]
    pub fn set_gaze(&mut self, name: &str, joints: &[f32], options: &[f32]) -> Result<(), JsValue> {
        let given = |number: f32| (!number.is_nan()).then_some(number);
        let mut gaze = Vec::new();
        let (joints, _) = joints.as_chunks::<7>();
        for &[node, share, limit, speed, x, y, z] in joints {
            gaze.push(GazeJoint {
                node: self.actor_mut().node_at(node as usize)?,
                forward: given(x).map(|x| Vec3::new(x, y, z)),
                share,
                limit_radians: given(limit),
                speed_radians_per_sec: given(speed),
            });
        }
        Ok(self.actor_mut().set_gaze(name, &gaze, &options_of(options))?)
    }

    /// Sets the point that a gaze turns to. An empty point turns its nodes back.
    #[wasm_bindgen(js_name = setGazeTarget)]
    pub fn set_gaze_target(&mut self, name: &str, target: &[f32]) -> Result<(), JsValue> {
        Ok(self.actor_mut().set_gaze_target(name, vector_of(target))?)
    }

    /// Sets feet that stand on the ground.
    #[wasm_bindgen(js_name = setFeet)]
    pub fn set_feet(
        &mut self,
        name: &str,
        hips: usize,
        feet: &[u32],
        options: &[f32],
    ) -> Result<(), JsValue> {
        let feet: Result<Vec<NodeIndex>, PlayerError> =
            feet.iter().map(|&foot| self.actor_mut().node_at(foot as usize)).collect();
        let hips = self.actor_mut().node_at(hips)?;
        Ok(self.actor_mut().set_feet(name, hips, &feet?, &options_of(options))?)
    }

    /// Sets the ground below a foot of one character: its height and its normal.
    #[wasm_bindgen(js_name = setGroundBelow)]
    pub fn set_ground_below(
        &mut self,
        name: &str,
        foot: usize,
        height: f32,
        normal: &[f32],
        character: Option<usize>,
    ) -> Result<(), JsValue> {
        let foot = self.actor_mut().node_at(foot)?;
        let normal = vector_of(normal).unwrap_or(Vec3::Y);
        Ok(self.of_one_or_all(character, |player| player.set_ground(name, foot, height, normal))?)
    }

    #[wasm_bindgen(js_name = fadeConstraint)]
    pub fn fade_constraint(
        &mut self,
        name: &str,
        weight: f32,
        fade_secs: f64,
        easing: usize,
    ) -> Result<(), JsValue> {
        Ok(self.actor_mut().fade_constraint(name, weight, fade_secs, pick(&EASINGS, easing, "easing")?)?)
    }

    #[wasm_bindgen(js_name = removeConstraint)]
    pub fn remove_constraint(&mut self, name: &str, fade_secs: f64) -> Result<(), JsValue> {
        Ok(self.actor_mut().remove_constraint(name, fade_secs)?)
    }

    #[wasm_bindgen(js_name = constraintNames)]
    pub fn constraint_names(&self) -> Vec<String> {
        self.actor().constraint_names().into_iter().map(str::to_owned).collect()
    }
}

fn options_of(numbers: &[f32]) -> ConstraintOptions {
    match *numbers {
        [weight, fade_secs, smoothing_secs] => {
            ConstraintOptions { weight, fade_secs: fade_secs.into(), smoothing_secs }
        }
        _ => ConstraintOptions::default(),
    }
}
