//! Exports for throngs: members of the model that the GPU poses.

use super::player::PlayerHandle;
use super::promise::promise;
use crate::player::MemberPart;
use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl PlayerHandle {
    /// Shows members beside the characters, in place of those before. A count of 0 removes them. Returns a column-major
    /// 4×4 matrix for the place of each.
    #[wasm_bindgen(js_name = setThrong)]
    pub fn set_throng(&mut self, count: usize) -> Result<Vec<f32>, JsValue> {
        self.actor_mut().set_throng(count)?;
        Ok(self.actor().member_places())
    }

    /// Sets numbers of consecutive members. `part` is an index into `PARTS` of `throng.ts`.
    #[wasm_bindgen(js_name = setMembers)]
    pub fn set_members(&mut self, part: usize, first: usize, numbers: &[f32]) -> Result<(), JsValue> {
        let Some(part) = MemberPart::ALL.get(part) else { return Ok(()) };
        Ok(self.actor_mut().set_members(*part, first, numbers)?)
    }

    /// Sets the factor of time of all members.
    #[wasm_bindgen(js_name = setThrongRate)]
    pub fn set_throng_rate(&mut self, rate: f64) -> Result<(), JsValue> {
        Ok(self.actor_mut().set_throng_rate(rate)?)
    }

    /// Returns a member's time in its first clip.
    #[wasm_bindgen(js_name = throngTime)]
    pub fn throng_time(&mut self, index: usize) -> Result<f64, JsValue> {
        Ok(self.actor().member_time(index)?)
    }

    /// Returns the markers that a member has passed since the last call: for each, the clip and the index among its
    /// markers.
    #[wasm_bindgen(js_name = throngMarkers)]
    pub fn throng_markers(&mut self, index: usize) -> Result<Vec<f64>, JsValue> {
        let passed = self.actor_mut().take_member_markers(index)?;
        Ok(passed.iter().flat_map(|passed| [passed.clip.get() as f64, passed.marker as f64]).collect())
    }

    #[wasm_bindgen(js_name = throngMatrices)]
    pub fn throng_matrices(&mut self, index: usize) -> Result<Vec<f32>, JsValue> {
        let matrices = self.posed_actor().member_matrices(index)?;
        Ok(bytemuck::cast_slice(&matrices).to_vec())
    }

    /// Returns the greatest distance of a member's vertices from those of its clips, as a share of the model's size.
    #[wasm_bindgen(js_name = throngError)]
    pub fn throng_error(&mut self) -> Result<Promise, JsValue> {
        let compared = self.posed_actor().compare_throng()?;
        Ok(promise(async move { Ok(JsValue::from(f64::from(compared.await?))) }))
    }
}
