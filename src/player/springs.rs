//! Springs of the characters: settings, wind, weight. Springs of the file swing unless others are set.

use super::{Character, Loaded, Player, PlayerError, Value};
use crate::animation::{LocalPose, ModelPose, Rig, SpringInput, SpringSolver};
use crate::model::Springs;
use crate::playback::{Easing, Fade};
use glam::{Affine3A, Vec3};

/// Springs of all characters. The state of each is in [`Character`].
#[derive(Debug)]
pub(super) struct SpringPlay {
    /// `None` if the model has no springs.
    solver: Option<SpringSolver>,
    wind: Vec3,
    weight: Fade,
}

impl SpringPlay {
    /// Returns the springs of the file.
    pub(super) fn new(rig: &Rig) -> Self {
        let mut springs = Self { solver: None, wind: Vec3::ZERO, weight: Fade::at(1.0) };
        springs.set(rig, &rig.model().springs);
        springs
    }

    fn set(&mut self, rig: &Rig, springs: &Springs) {
        self.solver = (!springs.is_empty()).then(|| SpringSolver::new(rig, springs));
    }

    pub(super) fn is_fading(&self) -> bool {
        self.solver.is_some() && !self.weight.is_done()
    }

    pub(super) fn advance(&mut self, dt_secs: f64) {
        self.weight.advance(dt_secs);
    }

    /// Lets the springs of a character swing. `model` is the resolved `local`, before and after.
    pub(super) fn swing(
        &mut self,
        rig: &Rig,
        character: &mut Character,
        world_from_model: &Affine3A,
        local: &mut LocalPose,
        model: &mut ModelPose,
    ) {
        if let Some(solver) = &mut self.solver {
            let (wind, weight) = (self.wind, self.weight.weight());
            let input = SpringInput { world_from_model: *world_from_model, wind, weight };
            solver.apply(rig, &mut character.springs, &input, local, model);
        }
    }
}

impl Player {
    /// Reads springs from JSON, for [`set_springs`](Self::set_springs).
    ///
    /// # Errors
    /// When there is no model, or the JSON doesn't describe springs of this model.
    pub fn read_springs(&self, json: &str) -> Result<Springs, PlayerError> {
        let rig = self.rig().ok_or(PlayerError::NoModel)?;
        Ok(Springs::from_json(json.as_bytes(), rig)?)
    }

    /// Replaces the springs of every character. `None` sets those of the file. Springs without joints end all
    /// swinging.
    ///
    /// # Errors
    /// When there is no model, or the springs don't fit it. The springs are then unchanged.
    pub fn set_springs(&mut self, springs: Option<&Springs>) -> Result<(), PlayerError> {
        let loaded = self.loaded.as_mut().ok_or(PlayerError::NoModel)?;
        let rig = loaded.rig().clone();
        if let Some(springs) = springs
            && !springs.fit(rig.model())
        {
            return Err(PlayerError::OutOfRange { what: "spring", expected: "that fits the model" });
        }
        loaded.springs.set(&rig, springs.unwrap_or(&rig.model().springs));
        loaded.stale = true;
        loaded.has_extras = true;
        self.characters.iter_mut().for_each(|character| character.springs = Default::default());
        Ok(())
    }

    /// Fades the weight of all springs to `weight` in `fade_secs` seconds. With a weight of 0, springs cost no time.
    ///
    /// # Errors
    /// When there is no model, the weight isn't between 0 and 1, or the time isn't finite or is out of range.
    pub fn fade_springs(&mut self, weight: f32, fade_secs: f64) -> Result<(), PlayerError> {
        Value::Weight.check(weight.into())?;
        let fade_secs = Value::Fade.check(fade_secs)?;
        let springs = &mut self.springs_mut()?.springs;
        springs.weight = springs.weight.towards(weight, fade_secs, Easing::Linear);
        Ok(())
    }

    /// Returns the current weight of all springs.
    pub fn spring_weight(&self) -> f32 {
        self.loaded.as_ref().map_or(0.0, |loaded| loaded.springs.weight.weight())
    }

    /// Returns the wind in the world.
    pub fn wind(&self) -> Vec3 {
        self.loaded.as_ref().map_or(Vec3::ZERO, |loaded| loaded.springs.wind)
    }

    /// Sets the wind: a speed in the world that is added to the gravity of every spring.
    ///
    /// # Errors
    /// When there is no model, or a number isn't finite or is out of range.
    pub fn set_wind(&mut self, wind: Vec3) -> Result<(), PlayerError> {
        Value::Wind.check_all(&wind.to_array())?;
        self.springs_mut()?.springs.wind = wind;
        self.characters.iter_mut().for_each(|character| character.springs.wake());
        Ok(())
    }

    /// Places the springs at the animated pose, and lets them hang still.
    ///
    /// The same happens after [`seek`](Self::seek), and when a character moves by more than ten times its size per
    /// second.
    ///
    /// # Errors
    /// When there is no model.
    pub fn reset_springs(&mut self) -> Result<(), PlayerError> {
        self.springs_mut()?;
        let addressed = self.addressed();
        self.characters[addressed].iter_mut().for_each(|character| character.springs.reset());
        Ok(())
    }

    fn springs_mut(&mut self) -> Result<&mut Loaded, PlayerError> {
        let loaded = self.loaded.as_mut().ok_or(PlayerError::NoModel)?;
        loaded.stale = true;
        loaded.has_extras = true;
        Ok(loaded)
    }
}
