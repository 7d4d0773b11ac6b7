//! Control of single characters of a crowd: playback, place, tint and visibility.

use super::{Loaded, Player, PlayerError, Value};
use glam::{Affine3A, Vec4};
use std::ops::Range;

impl Player {
    /// Calls `act`, in which commands and getters of playback apply to one character instead of to all. Returns the
    /// result of `act`.
    ///
    /// Times in `act` are the character's own: its phase isn't added. Later commands outside of `act` apply to all
    /// characters again, including this one.
    ///
    /// # Errors
    /// When there is no such character.
    pub fn alone<T>(&mut self, character: usize, act: impl FnOnce(&mut Self) -> T) -> Result<T, PlayerError> {
        self.check_character(character)?;
        let phase = std::mem::take(&mut self.characters[character].phase);
        let before = self.alone.replace(character);
        let answer = act(self);
        self.alone = before;
        self.characters[character].phase = phase;
        Ok(answer)
    }

    /// Returns the transform `world_from_model` of a character. For an actor of another player, it is relative to the
    /// actor's place.
    ///
    /// # Errors
    /// When there is no such character.
    pub fn place(&self, character: usize) -> Result<Affine3A, PlayerError> {
        self.check_character(character)?;
        Ok(self.characters[character].actor_from_model)
    }

    /// Sets the transform of a character, as [`place`](Self::place) returns it. It is reset when another model is
    /// shown or [`crowd`](Self::crowd) is called.
    ///
    /// # Errors
    /// When there is no model or no such character, or a number isn't finite or is out of range.
    pub fn set_place(&mut self, character: usize, world_from_model: Affine3A) -> Result<(), PlayerError> {
        self.check_character(character)?;
        let loaded = self.loaded.as_mut().ok_or(PlayerError::NoModel)?;
        Value::Place.check_all(&world_from_model.to_cols_array())?;
        self.characters[character].actor_from_model = world_from_model;
        loaded.stale = true;
        Ok(())
    }

    /// Returns the linear factor by which a character's base colours are multiplied.
    ///
    /// # Errors
    /// When there is no such character.
    pub fn tint(&self, character: usize) -> Result<Vec4, PlayerError> {
        self.check_character(character)?;
        let tint = self.loaded.as_ref().and_then(|loaded| loaded.tints.get(character));
        Ok(tint.copied().unwrap_or(Vec4::ONE))
    }

    /// Sets the linear factor by which a character's base colours are multiplied.
    ///
    /// # Errors
    /// When there is no model or no such character, or a number isn't finite or is out of range.
    pub fn set_tint(&mut self, character: usize, tint: Vec4) -> Result<(), PlayerError> {
        self.check_character(character)?;
        Value::Tint.check_all(&tint.to_array())?;
        let character_count = self.characters.len();
        let loaded = self.loaded.as_mut().ok_or(PlayerError::NoModel)?;
        loaded.tints.resize(character_count, Vec4::ONE);
        loaded.tints[character] = tint;
        loaded.stale = true;
        Ok(())
    }

    /// Returns whether a character is drawn and casts a shadow. A hidden character still plays.
    ///
    /// # Errors
    /// When there is no such character.
    pub fn is_present(&self, character: usize) -> Result<bool, PlayerError> {
        self.check_character(character)?;
        let absent = self.loaded.as_ref().and_then(|loaded| loaded.absent.get(character));
        Ok(absent != Some(&true))
    }

    /// Sets whether a character is drawn and casts a shadow.
    ///
    /// # Errors
    /// When there is no model or no such character.
    pub fn set_present(&mut self, character: usize, present: bool) -> Result<(), PlayerError> {
        self.check_character(character)?;
        let character_count = self.characters.len();
        let loaded = self.loaded.as_mut().ok_or(PlayerError::NoModel)?;
        loaded.absent.resize(character_count, false);
        loaded.absent[character] = !present;
        Ok(())
    }

    /// Returns the indices of the characters that a command applies to.
    pub(super) fn addressed(&self) -> Range<usize> {
        self.alone.map_or(0..self.characters.len(), |character| character..character + 1)
    }

    pub(super) fn check_character(&self, character: usize) -> Result<(), PlayerError> {
        let character_count = self.characters.len();
        match character < character_count {
            true => Ok(()),
            false => Err(PlayerError::CharacterOutOfRange { asked: character, character_count }),
        }
    }
}

impl Loaded {
    /// Resets the tints and the visibility of all characters.
    pub(super) fn forget_members(&mut self) {
        self.tints.clear();
        self.absent.clear();
    }

    /// Returns the index in `rows` of the first tint, or `None` if there are no tints.
    #[cfg(feature = "render")]
    pub(super) fn first_tint_row(&self) -> Option<usize> {
        (!self.tints.is_empty()).then(|| self.rows.len() - self.tints.len())
    }
}
