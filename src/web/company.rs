//! Exports for further actors of a player. Those that concern one model apply to the actor that `address` names.

use super::model::ModelHandle;
use super::motion::LENGTH;
use super::player::PlayerHandle;
use crate::import::ImportReport;
use crate::player::{ActorId, Player};
use glam::{Affine3A, Mat4};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl PlayerHandle {
    /// Lets calls that concern one model apply to an actor from now on; 0 is the player itself.
    pub fn address(&mut self, actor: u32) -> Result<(), JsValue> {
        let actor = ActorId::new(actor);
        self.player.actor(actor)?;
        self.addressed = actor;
        Ok(())
    }

    /// Adds an actor that shows a model, and returns its number. On failure, none is added. If nothing was shown
    /// before, the camera is framed.
    #[wasm_bindgen(js_name = addActor)]
    pub fn add_actor(&mut self, model: &ModelHandle, images: Vec<JsValue>) -> Result<u32, JsValue> {
        let attached = self.player.is_attached();
        let gpu_model = attached.then(|| self.copy_of(&model.rig, &images)).transpose()?;
        model.prepared.take();
        let is_first = self.player.model().is_none() && self.player.actors().next().is_none();
        // The page reads the warnings of the model's handle.
        let actor = self.player.add_actor(model.rig.clone(), ImportReport::default())?;
        if let Some(gpu_model) = gpu_model {
            self.player.actor_mut(actor)?.set_gpu_model(gpu_model);
        }
        if is_first {
            self.frame();
        }
        Ok(actor.number())
    }

    #[wasm_bindgen(js_name = removeActor)]
    pub fn remove_actor(&mut self, actor: u32) -> Result<(), JsValue> {
        Ok(self.player.remove_actor(ActorId::new(actor))?)
    }

    /// Places an actor by a column-major 4×4 matrix.
    #[wasm_bindgen(js_name = placeActor)]
    pub fn place_actor(&mut self, actor: u32, world_from_actor: &[f32]) -> Result<(), JsValue> {
        Ok(self.player.place_actor(ActorId::new(actor), matrix_of(world_from_actor)?)?)
    }

    #[wasm_bindgen(js_name = showActor)]
    pub fn show_actor(&mut self, actor: u32, visible: bool) -> Result<(), JsValue> {
        Ok(self.player.show_actor(ActorId::new(actor), visible)?)
    }

    /// Attaches an actor to a node of the actor `leader`. Without a leader, it stands at its own place again.
    #[wasm_bindgen(js_name = attachActor)]
    pub fn attach_actor(
        &mut self,
        actor: u32,
        leader: Option<u32>,
        node: usize,
        node_from_actor: &[f32],
    ) -> Result<(), JsValue> {
        let to = match leader.map(ActorId::new) {
            Some(leader) => Some((leader, self.player.actor(leader)?.node_at(node)?)),
            None => None,
        };
        Ok(self.player.attach_actor(ActorId::new(actor), to, &matrix_of(node_from_actor)?)?)
    }

    /// Lets an actor wear the skeleton of another one. Without a wearer, it stands at its own place again.
    #[wasm_bindgen(js_name = wearActor)]
    pub fn wear_actor(&mut self, actor: u32, wearer: Option<u32>) -> Result<(), JsValue> {
        Ok(self.player.wear_actor(ActorId::new(actor), wearer.map(ActorId::new))?)
    }
}

impl PlayerHandle {
    /// Returns the addressed actor.
    pub(super) fn actor(&self) -> &Player {
        self.player.actor_or_self(self.addressed)
    }

    pub(super) fn actor_mut(&mut self) -> &mut Player {
        self.player.actor_or_self_mut(self.addressed)
    }

    /// Returns the addressed actor after posing those that it follows.
    pub(super) fn posed_actor(&mut self) -> &mut Player {
        if self.addressed != ActorId::PLAYER {
            self.player.pose();
        }
        self.actor_mut()
    }
}

fn matrix_of(floats: &[f32]) -> Result<Affine3A, JsValue> {
    let floats: &[f32; 16] = floats.try_into().map_err(|_| LENGTH)?;
    Ok(Affine3A::from_mat4(Mat4::from_cols_array(floats)))
}
