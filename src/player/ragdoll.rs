//! Ragdolls of the characters: start, pushes, and fading back to what plays.

use super::overrides::check_points;
use super::{Character, Loaded, Player, PlayerError, Value, Workspace};
use crate::animation::{LocalPose, ModelPose, Ragdoll, RagdollInput, RagdollOptions, RagdollState, Rig};
use crate::model::NodeIndex;
use crate::playback::{Easing, Fade};
use glam::{Affine3A, Vec3};

/// Time between the two poses from which a ragdoll has its first speeds. It doesn't depend on the frame rate.
const LATER_SECS: f64 = 1.0 / 60.0;

/// What a character's ragdoll does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RagdollMotion {
    /// There is none, or it has faded out.
    None,
    Falling,
    /// The bodies have come to rest.
    Asleep,
}

/// Ragdoll of one character, while there is one.
#[derive(Clone, Debug)]
pub(super) struct Falling {
    state: RagdollState,
    /// Share of the ragdoll in the pose. At the end of a fade to 0, the ragdoll is removed.
    weight: Fade,
}

impl Falling {
    /// Returns whether advancing time would change the pose.
    pub(super) fn is_moving(&self) -> bool {
        !self.state.is_asleep() || !self.weight.is_done()
    }

    pub(super) fn advance(&mut self, dt_secs: f64) {
        self.state.passed_secs += dt_secs.abs();
        self.weight.advance(dt_secs);
    }
}

/// Lets a character fall. `model` is the resolved `local`, before and after.
pub(super) fn fall(
    ragdoll: Option<&Ragdoll>,
    rig: &Rig,
    character: &mut Character,
    world_from_model: &Affine3A,
    local: &mut LocalPose,
    model: &mut ModelPose,
) {
    if let (Some(ragdoll), Some(_)) = (ragdoll, &character.ragdoll) {
        fall_on(ragdoll, rig, &mut character.ragdoll, world_from_model, local, model);
    }
}

/// Not inlined: in a page, this is in the file that is fetched with the first ragdoll.
#[inline(never)]
fn fall_on(
    ragdoll: &Ragdoll,
    rig: &Rig,
    falling: &mut Option<Box<Falling>>,
    world_from_model: &Affine3A,
    local: &mut LocalPose,
    model: &mut ModelPose,
) {
    let Some(Falling { state, weight }) = falling.as_deref_mut() else { return };
    if weight.is_done() && weight.weight() <= 0.0 {
        *falling = None;
        return;
    }
    ragdoll.apply(rig, state, world_from_model, weight.weight(), local, model);
}

impl Player {
    /// Lets characters fall from their pose, with the motion that it has. A ragdoll that there is goes on with the new
    /// options, from the pose that is shown.
    ///
    /// What plays goes on below. The motion is that of playback and its root motion; other changes of the place don't
    /// count.
    ///
    /// # Errors
    /// When there is no model or no such node, the model has no vertices to which bodies can be fitted, a number isn't
    /// finite or is out of range, or the normal of the ground is 0.
    pub fn start_ragdoll(&mut self, options: &RagdollOptions) -> Result<(), PlayerError> {
        let RagdollOptions { mask, gravity, ground_height, ground_normal, friction, damping } = options;
        for entry in mask {
            self.check_node(entry.node)?;
            Value::Weight.check(entry.weight.into())?;
        }
        Value::Gravity.check_all(&gravity.unwrap_or_default().to_array())?;
        check_points(&[Some(Vec3::splat(ground_height.unwrap_or(0.0))), Some(*ground_normal)])?;
        Value::Friction.check((*friction).into())?;
        Value::Damping.check((*damping).into())?;
        if ground_normal.try_normalize().is_none() {
            return Err(PlayerError::OutOfRange { what: "ground normal", expected: "other than 0" });
        }
        let addressed = self.addressed();
        let loaded = self.loaded.as_mut().ok_or(PlayerError::NoModel)?;
        if loaded.ragdoll.is_none() {
            loaded.ragdoll = Ragdoll::new(loaded.rig()).map(Box::new);
        }
        if loaded.ragdoll.is_none() {
            return Err(PlayerError::NoBodies);
        }
        loaded.stale = true;
        loaded.has_extras = true;
        let world_from_actor = &self.world_from_actor;
        for character in &mut self.characters[addressed] {
            loaded.start_ragdoll(options, character, world_from_actor);
        }
        Ok(())
    }

    /// Fades the ragdolls to a weight in `fade_secs` seconds, from where they lie. At 0 they are removed. Characters
    /// without one are unchanged.
    ///
    /// # Errors
    /// When there is no model, the weight isn't between 0 and 1, or the time isn't finite or is out of range.
    pub fn fade_ragdoll(&mut self, weight: f32, fade_secs: f64) -> Result<(), PlayerError> {
        Value::Weight.check(weight.into())?;
        let fade_secs = Value::Fade.check(fade_secs)?;
        let addressed = self.addressed();
        self.loaded.as_mut().ok_or(PlayerError::NoModel)?.stale = true;
        for falling in self.characters[addressed].iter_mut().filter_map(|one| one.ragdoll.as_mut()) {
            falling.weight = falling.weight.towards(weight, fade_secs, Easing::Smooth);
        }
        Ok(())
    }

    /// Ends the ragdolls, with a fade to what plays.
    ///
    /// # Errors
    /// When there is no model, or the time isn't finite or is out of range.
    pub fn stop_ragdoll(&mut self, fade_secs: f64) -> Result<(), PlayerError> {
        self.fade_ragdoll(0.0, fade_secs)
    }

    /// Pushes the body of a node by an impulse in the world: the change of speed that the whole ragdoll would have,
    /// since its mass counts as 1. Returns whether a body was pushed.
    ///
    /// # Errors
    /// When there is no model or no such node, or a number isn't finite or is out of range.
    pub fn push_ragdoll(&mut self, node: NodeIndex, impulse: Vec3) -> Result<bool, PlayerError> {
        self.check_node(node)?;
        Value::Impulse.check_all(&impulse.to_array())?;
        let addressed = self.addressed();
        let loaded = self.loaded.as_mut().ok_or(PlayerError::NoModel)?;
        let mut is_pushed = false;
        if let Some(ragdoll) = &loaded.ragdoll {
            for falling in self.characters[addressed].iter_mut().filter_map(|one| one.ragdoll.as_mut()) {
                is_pushed |= ragdoll.push(&mut falling.state, node, impulse);
            }
        }
        loaded.stale |= is_pushed;
        Ok(is_pushed)
    }

    /// Returns what the ragdoll of the first character does.
    pub fn ragdoll_motion(&self) -> RagdollMotion {
        match &self.characters[self.alone.unwrap_or(0)].ragdoll {
            None => RagdollMotion::None,
            Some(falling) if falling.state.is_asleep() => RagdollMotion::Asleep,
            Some(_) => RagdollMotion::Falling,
        }
    }
}

impl Loaded {
    fn start_ragdoll(
        &mut self,
        options: &RagdollOptions,
        character: &mut Character,
        world_from_actor: &Affine3A,
    ) {
        let world_from_model = character.world_from_model(world_from_actor);
        self.pose_played(character, &world_from_model);
        let Self { library, workspace: Workspace { local, model, .. }, ragdoll, .. } = self;
        fall(ragdoll.as_deref(), library.rig(), character, &world_from_model, local, model);
        let (local, model) = (local.clone(), model.clone());

        let before = character.ragdoll.take();
        let mut later = character.clone();
        later.controller.advance(library, LATER_SECS, &mut Vec::new());
        later.apply_root_motion(LATER_SECS);
        let later_world_from_model = later.world_from_model(world_from_actor);
        self.pose_played(&mut later, &later_world_from_model);
        let Self { library, workspace, ragdoll, .. } = self;
        let Some(ragdoll) = ragdoll.as_deref() else { return };
        let input = RagdollInput {
            local: &local,
            model: &model,
            world_from_model,
            later_model: &workspace.model,
            later_world_from_model,
            secs: if before.is_some() { 0.0 } else { LATER_SECS },
        };
        let mut state = RagdollState::default();
        ragdoll.start(library.rig(), options, &input, &mut state);
        if let Some(before) = before {
            state.keep_motion(&before.state);
        }
        character.ragdoll = Some(Box::new(Falling { state, weight: Fade::at(1.0) }));
    }
}
