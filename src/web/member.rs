//! Exports that control single characters of a crowd.

use super::motion::{LENGTH, start, state_number};
use super::player::PlayerHandle;
use super::record::PlayRecord;
use crate::player::{Player, PlayerError};
use glam::{Affine3A, Mat4, Vec4};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl PlayerHandle {
    /// Plays a motion in the base layer of one character. The record's `run` and
    /// `resumes` are ignored.
    #[wasm_bindgen(js_name = playMember)]
    pub fn play_member(
        &mut self,
        character: usize,
        motion: &str,
        record: &PlayRecord,
    ) -> Result<(), JsValue> {
        self.actor_mut().alone(character, |player| start(player, "base", motion, record))?
    }

    /// Sets a property of one character. `part` is an index into `MEMBER` of `wasm.ts`.
    ///
    /// For the state, the value 1 resumes, 0 pauses, and an empty value stops playback.
    #[wasm_bindgen(js_name = setMember)]
    pub fn set_member(&mut self, character: usize, part: u32, value: &[f64]) -> Result<(), JsValue> {
        Ok(self.actor_mut().alone(character, |player| set_part(player, character, part, value))??)
    }

    /// Returns the properties of one character in the order of `MEMBER`, as one flat list.
    pub fn member(&mut self, character: usize) -> Result<Vec<f64>, JsValue> {
        Ok(self.actor_mut().alone(character, |player| parts(player, character))??)
    }
}

impl PlayerHandle {
    /// Calls `command` for one character or for all.
    pub(super) fn of_one_or_all<T>(
        &mut self,
        character: Option<usize>,
        command: impl FnOnce(&mut Player) -> Result<T, PlayerError>,
    ) -> Result<T, PlayerError> {
        match character {
            Some(character) => self.actor_mut().alone(character, command)?,
            None => command(self.actor_mut()),
        }
    }
}

fn set_part(player: &mut Player, character: usize, part: u32, value: &[f64]) -> Result<(), PlayerError> {
    match (part, value) {
        (0, value) if value.len() == 16 => {
            let mut matrix = [0.0; 16];
            for (number, &value) in matrix.iter_mut().zip(value) {
                *number = value as f32;
            }
            player.set_place(character, Affine3A::from_mat4(Mat4::from_cols_array(&matrix)))?;
        }
        (1, &[red, green, blue, alpha]) => {
            let tint = Vec4::new(red as f32, green as f32, blue as f32, alpha as f32);
            player.set_tint(character, tint)?;
        }
        (2, &[visible]) => player.set_present(character, visible != 0.0)?,
        (3, &[rate]) => player.set_playback_rate(rate)?,
        (4, &[secs]) => player.seek(secs)?,
        (5, &[0.0]) => player.pause(),
        (5, &[_]) => {
            player.resume();
        }
        (5, []) => player.stop(),
        _ => return Err(LENGTH),
    }
    Ok(())
}

fn parts(player: &Player, character: usize) -> Result<Vec<f64>, PlayerError> {
    let place = Mat4::from(player.place(character)?).to_cols_array();
    let tint = player.tint(character)?.to_array();
    let visible = f64::from(u8::from(player.is_present(character)?));
    let mut numbers = Vec::with_capacity(24);
    for number in place.iter().chain(&tint) {
        numbers.push(f64::from(*number));
    }
    let state = f64::from(state_number(player.state()));
    numbers.extend_from_slice(&[visible, player.playback_rate(), player.time_secs(), state]);
    Ok(numbers)
}
