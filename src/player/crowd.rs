use super::{Character, Player, PlayerError, Value};
use crate::angle::{GOLDEN_ANGLE, sin_cos, wrapped};
use crate::model::ClipIndex;
use crate::playback::PlayOptions;
use glam::{Affine3A, Vec3};

/// Largest number of characters in a crowd.
///
/// The matrices of all characters share one buffer. With 60 joints each, this many characters fill about 48 MB of it.
pub const MOST_CHARACTERS: usize = 16_384;

/// The fractional part of the golden ratio. Its multiples never repeat, nor do those of the golden angle, so neighbours
/// differ in both place and phase.
pub(super) const GOLDEN_FRACTION: f64 = 0.618_033_988_749_894_9;

/// Smallest default distance between characters, as a fraction of their height. It matters for slim characters.
const LEAST_SPACING: f32 = 0.4;

/// The clip, phases and places of a crowd. Empty lists select default values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Crowd {
    /// Clip for all characters. `None` copies the playback of the first character.
    pub clip: Option<ClipIndex>,
    /// Playback offset of each character, as a fraction of the clip.
    pub phases: Vec<f64>,
    /// World transform of each character. For an actor of another player, relative to the actor's place.
    pub world_from_model: Vec<Affine3A>,
}

impl Player {
    /// Sets the number of characters that play the model, including the first one. A count of 1 removes the crowd.
    ///
    /// Tints and visibility of single characters are reset.
    ///
    /// # Errors
    /// When there is no model, `count` is 0 or above [`MOST_CHARACTERS`], a list has neither 0 nor `count` entries, a
    /// number is out of range, or the clip doesn't exist. The crowd is then unchanged.
    pub fn crowd(&mut self, count: usize, crowd: &Crowd) -> Result<(), PlayerError> {
        if self.loaded.is_none() {
            return Err(PlayerError::NoModel);
        }
        if count == 0 || count > MOST_CHARACTERS {
            return Err(PlayerError::CrowdSize { asked: count, most: MOST_CHARACTERS });
        }
        check_list("phases", crowd.phases.len(), count)?;
        check_list("place", crowd.world_from_model.len(), count)?;
        for &phase in &crowd.phases {
            Value::Phase.check(phase)?;
        }
        for place in &crowd.world_from_model {
            Value::Place.check_all(&place.to_cols_array())?;
        }
        if let Some(clip) = crowd.clip {
            self.clip_at(clip.get())?;
        }

        let spacing = self.spacing();
        self.characters.resize_with(count, Character::default);
        let Character { controller, phase: first_phase, .. } = &self.characters[0];
        let (first, first_phase) = (controller.clone(), *first_phase);
        for (index, character) in self.characters.iter_mut().enumerate() {
            character.phase = if count == 1 { 0.0 } else { wrapped(index as f64 * GOLDEN_FRACTION, 1.0) };
            if let Some(&phase) = crowd.phases.get(index) {
                character.phase = phase;
            }
            character.actor_from_model =
                crowd.world_from_model.get(index).copied().unwrap_or_else(|| fermat_spiral(index, spacing));
            character.springs.reset();
            character.ragdoll = None;
            if index > 0 {
                character.controller = first.clone();
            }
            character.controller.shift(character.phase - first_phase);
        }
        if let Some(loaded) = &mut self.loaded {
            loaded.stale = true;
            loaded.forget_members();
        }
        if let Some(clip) = crowd.clip {
            self.play(clip, &PlayOptions::default())?;
        }
        Ok(())
    }

    /// Returns the default distance between characters.
    pub(super) fn spacing(&self) -> f32 {
        self.bounds().map_or(1.0, |bounds| {
            let size = bounds.max - bounds.min;
            size.x.max(size.z).max(size.y * LEAST_SPACING)
        })
    }

    pub fn character_count(&self) -> usize {
        self.characters.len()
    }
}

fn check_list(what: &'static str, found: usize, expected: usize) -> Result<(), PlayerError> {
    if found == 0 || found == expected {
        Ok(())
    } else {
        Err(PlayerError::CrowdList { what, found, expected })
    }
}

/// Returns a place on a sunflower (Fermat's) spiral: evenly spaced for any number, with the first character in
/// the middle.
pub(super) fn fermat_spiral(index: usize, spacing: f32) -> Affine3A {
    let radius = spacing * (index as f32).sqrt();
    let (sine, cosine) = sin_cos(index as f32 * GOLDEN_ANGLE);
    Affine3A::from_translation(Vec3::new(cosine * radius, 0.0, sine * radius))
}
