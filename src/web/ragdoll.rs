//! Exports that let characters fall.

use super::motion::{LENGTH, vector_of};
use super::player::PlayerHandle;
use crate::animation::{MaskEntry, RagdollOptions};
use crate::player::RagdollMotion;
use glam::Vec3;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl PlayerHandle {
    /// Starts ragdolls of all characters, or of one. `joints` fall with all below them; without any, everything does.
    /// `numbers`: gravity (3), height and normal of the ground (4), friction, damping. NaN stands for a default, and an
    /// infinite height for no ground.
    #[wasm_bindgen(js_name = startRagdoll)]
    pub fn start_ragdoll(
        &mut self,
        joints: &[u32],
        numbers: &[f32],
        character: Option<usize>,
    ) -> Result<(), JsValue> {
        let &[x, y, z, height, up_x, up_y, up_z, friction, damping] = numbers else {
            return Err(LENGTH.into());
        };
        let default = RagdollOptions::default();
        let given = |number: f32| (!number.is_nan()).then_some(number);
        let mut options = RagdollOptions {
            mask: Vec::new(),
            gravity: given(x).map(|x| Vec3::new(x, y, z)),
            ground_height: if height.is_infinite() { None } else { given(height).or(default.ground_height) },
            ground_normal: given(up_x).map_or(default.ground_normal, |x| Vec3::new(x, up_y, up_z)),
            friction: given(friction).unwrap_or(default.friction),
            damping: given(damping).unwrap_or(default.damping),
        };
        for &joint in joints {
            options.mask.push(MaskEntry {
                node: self.actor_mut().node_at(joint as usize)?,
                weight: 1.0,
                subtree: true,
            });
        }
        Ok(self.of_one_or_all(character, |player| player.start_ragdoll(&options))?)
    }

    /// Pushes the body of a node.
    #[wasm_bindgen(js_name = pushRagdoll)]
    pub fn push_ragdoll(
        &mut self,
        node: usize,
        impulse: &[f32],
        character: Option<usize>,
    ) -> Result<(), JsValue> {
        let node = self.actor_mut().node_at(node)?;
        let impulse = vector_of(impulse).ok_or(LENGTH)?;
        self.of_one_or_all(character, |player| player.push_ragdoll(node, impulse))?;
        Ok(())
    }

    /// Fades the ragdolls. At a weight of 0 they end.
    #[wasm_bindgen(js_name = fadeRagdoll)]
    pub fn fade_ragdoll(
        &mut self,
        weight: f32,
        fade_secs: f64,
        character: Option<usize>,
    ) -> Result<(), JsValue> {
        Ok(self.of_one_or_all(character, |player| player.fade_ragdoll(weight, fade_secs))?)
    }

    /// Returns what the ragdoll of the first character does: 0 for none, 1 for falling, 2 for lying still.
    #[wasm_bindgen(getter, js_name = ragdollMotion)]
    pub fn ragdoll_motion(&self) -> u32 {
        match self.actor().ragdoll_motion() {
            RagdollMotion::None => 0,
            RagdollMotion::Falling => 1,
            RagdollMotion::Asleep => 2,
        }
    }
}
