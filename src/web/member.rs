//! One character of a crowd by itself.

use super::motion::{LENGTH, start, state_number};
use super::player::PlayerHandle;
use glam::{Affine3A, DMat4, Mat4, Vec4};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl PlayerHandle {
    /// As `play`, in the base layer.
    #[wasm_bindgen(js_name = playMember)]
    pub fn play_member(
        &mut self,
        character: usize,
        motion: &str,
        numbers: &[f64],
        sync: Option<String>,
    ) -> Result<(), JsValue> {
        self.player.alone(character, |player| start(player, "base", motion, numbers, sync.as_deref()))??;
        Ok(())
    }

    /// `part` counts as `MEMBER` of `wasm.ts` does; the state is 1 to go on and 0 to pause. Without a value, stops.
    #[wasm_bindgen(js_name = setMember)]
    pub fn set_member(&mut self, character: usize, part: u32, value: &[f64]) -> Result<(), JsValue> {
        let player = &mut self.player;
        match (part, value) {
            (0, value) => {
                let matrix: &[f64; 16] = value.try_into().map_err(|_| LENGTH)?;
                let matrix = DMat4::from_cols_array(matrix).as_mat4();
                player.set_place(character, Affine3A::from_mat4(matrix))?;
            }
            (1, &[red, green, blue, alpha]) => {
                let tint = [red, green, blue, alpha].map(|channel| channel as f32);
                player.set_tint(character, Vec4::from_array(tint))?;
            }
            (2, &[visible]) => player.set_present(character, visible != 0.0)?,
            (3, &[rate]) => player.alone(character, |player| player.set_playback_rate(rate))??,
            (4, &[secs]) => player.alone(character, |player| player.seek(secs))??,
            (5, &[playing]) => player.alone(character, |player| match playing {
                0.0 => player.pause(),
                _ => player.resume(),
            })?,
            (5, []) => player.alone(character, |player| player.stop())?,
            _ => return Err(LENGTH.into()),
        }
        Ok(())
    }

    /// All of `MEMBER`, one after another.
    pub fn member(&mut self, character: usize) -> Result<Vec<f64>, JsValue> {
        let player = &mut self.player;
        let place = Mat4::from(player.place(character)?).to_cols_array();
        let tint = player.tint(character)?.to_array();
        let visible = f64::from(u8::from(player.is_present(character)?));
        let (rate, secs, state) = player.alone(character, |player| {
            (player.playback_rate(), player.time_secs(), f64::from(state_number(player.state())))
        })?;
        let numbers = place.into_iter().chain(tint).map(f64::from);
        Ok(numbers.chain([visible, rate, secs, state]).collect())
    }
}
