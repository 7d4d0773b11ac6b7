//! How skins are blended: all of them, or one.

use super::{Loaded, Player, PlayerError};
use crate::animation::Skinning;
use crate::model::SkinIndex;

impl Player {
    /// Returns how a skin is blended. `None` stands for skins without a setting of their own.
    pub fn skinning(&self, skin: Option<SkinIndex>) -> Skinning {
        let loaded = self.loaded.as_ref().filter(|_| skin.is_some());
        loaded.map_or(self.skinning, |loaded| loaded.skinning(skin))
    }

    /// Sets how all skins are blended, of this model and of those that are shown later. Replaces the settings of single
    /// skins.
    pub fn set_skinning(&mut self, skinning: Skinning) {
        self.skinning = skinning;
        self.skin_by(skinning);
    }

    /// Sets how one skin is blended, until another model is shown.
    ///
    /// # Errors
    /// When there is no model or no such skin.
    pub fn set_skinning_of(&mut self, skin: SkinIndex, skinning: Skinning) -> Result<(), PlayerError> {
        let loaded = self.loaded.as_mut().ok_or(PlayerError::NoModel)?;
        let skin_count = loaded.rig().model().skins.len();
        if skin.get() >= skin_count {
            return Err(PlayerError::SkinOutOfRange { asked: skin.get(), skin_count });
        }
        loaded.skinnings.resize(skin_count, Skinning::Linear);
        loaded.skinnings[skin.get()] = skinning;
        Ok(())
    }

    /// Blends all skins of the model.
    pub(super) fn skin_by(&mut self, skinning: Skinning) {
        if let Some(loaded) = &mut self.loaded {
            loaded.skinnings.clear();
            if skinning != Skinning::Linear {
                loaded.skinnings.resize(loaded.rig().model().skins.len(), skinning);
            }
        }
    }
}

impl Loaded {
    pub(super) fn skinning(&self, skin: Option<SkinIndex>) -> Skinning {
        skin.and_then(|skin| self.skinnings.get(skin.get())).copied().unwrap_or_default()
    }
}
