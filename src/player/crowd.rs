use super::{Character, Player, PlayerError, Value};
use crate::angle::{sin_cos, wrapped};
use crate::model::ClipIndex;
use crate::playback::PlayOptions;
use glam::{Affine3A, Vec3};

/// A crowd's matrices are one buffer; this many characters of sixty joints fill 47 MB of it.
pub const MOST_CHARACTERS: usize = 16_384;

/// The golden angle and the golden ratio's fraction: neighbours are never alike in place or phase.
const GOLDEN_ANGLE: f32 = 2.399_963;
const GOLDEN_FRACTION: f64 = 0.618_033_988_749_894_9;

/// As a share of their height: the slimmest characters stand no closer.
const LEAST_SPACING: f32 = 0.4;

/// How a crowd stands and moves. Empty lists choose for themselves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Crowd {
    /// What to play; `None` has all of them play what the lead plays.
    pub clip: Option<ClipIndex>,
    /// One per character: how far ahead it is, as a fraction of the clip.
    pub phases: Vec<f64>,
    /// One per character: where it stands.
    pub world_from_model: Vec<Affine3A>,
}

impl Player {
    /// Has `count` characters of this model play it, the lead among them. One sends the crowd home.
    ///
    /// # Errors
    /// When there is no model, or `count` or a list doesn't fit. The crowd then stays as it was.
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

        let spacing = self.bounds().map_or(1.0, |bounds| {
            let size = bounds.max - bounds.min;
            size.x.max(size.z).max(size.y * LEAST_SPACING)
        });
        self.characters.resize_with(count, Character::default);
        let lead = self.characters[0].clone();
        for (index, character) in self.characters.iter_mut().enumerate() {
            character.phase = if count == 1 { 0.0 } else { wrapped(index as f64 * GOLDEN_FRACTION, 1.0) };
            if let Some(&phase) = crowd.phases.get(index) {
                character.phase = phase;
            }
            character.world_from_model =
                crowd.world_from_model.get(index).copied().unwrap_or_else(|| sunflower(index, spacing));
            if index > 0 {
                character.controller = lead.controller.clone();
            }
            character.controller.shift(character.phase - lead.phase);
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

/// Seeds of a sunflower: evenly spread for any number, the lead in the middle.
fn sunflower(index: usize, spacing: f32) -> Affine3A {
    let radius = spacing * (index as f32).sqrt();
    let (sine, cosine) = sin_cos(index as f32 * GOLDEN_ANGLE);
    Affine3A::from_translation(Vec3::new(cosine * radius, 0.0, sine * radius))
}
