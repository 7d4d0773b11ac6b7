//! Drawing of a player's company. Nothing here is called for a player without company.

use super::Company;
use crate::model::Aabb;
use crate::player::throng::Throng;
use crate::player::{Player, PlayerError};
use crate::render::{Actor, Gpu, Throngs};
use std::rc::Rc;

impl Player {
    /// Sets the GPU that other actors are copied to, and releases their copies.
    #[inline(never)]
    pub(in crate::player) fn lend_to_company(&mut self) {
        let gpu = self.gpu().cloned();
        for actor in &mut self.company.actors {
            actor.player.lend(gpu.as_ref());
        }
    }

    pub(super) fn lend(&mut self, gpu: Option<&Gpu>) {
        self.screen.forget_model();
        self.screen.lent = gpu.cloned();
    }

    /// Copies the visible actors to the GPU, as far as that hasn't happened, and traces their skeletons.
    #[inline(never)]
    pub(in crate::player) fn prepare_company(&mut self) -> Result<(), PlayerError> {
        self.refresh_throng();
        for at in 0..self.company.actors.len() {
            let actor = &self.company.actors[at];
            if !actor.visible {
                continue;
            }
            let mut gpu_model = actor.player.screen.gpu_model.clone();
            if let (Some(rig), None) = (actor.player.rig().cloned(), &gpu_model) {
                gpu_model = Some(Rc::new(self.prepare(&rig)?));
            }
            let player = &mut self.company.actors[at].player;
            player.screen.gpu_model = gpu_model;
            player.upload_materials()?;
            player.refresh_throng();
            if self.screen.look.lights > 0.0 && player.has_lights() {
                player.add_lamps_to(&mut self.screen.lamps);
            }
            if self.screen.look.skeleton {
                player.trace_into(&mut self.screen.lines);
            }
        }
        Ok(())
    }

    /// Returns bounds in model space that include what follows the player.
    pub(in crate::player) fn with_carried(&self, mut bounds: Option<Aabb>) -> Option<Aabb> {
        if let Some(carried) = self.company.carried {
            Aabb::join(&mut bounds, carried);
        }
        bounds
    }
}

impl Company {
    /// Appends the visible actors to a picture that has the player itself, and the throngs of all.
    ///
    /// `kept` is a list of an earlier picture, whose memory is used again.
    #[inline(never)]
    pub(in crate::player) fn cast<'a>(
        &'a self,
        first: Option<Actor<'a>>,
        kept: Vec<Actor<'static>>,
    ) -> (Vec<Actor<'a>>, Option<Throngs>) {
        let mut cast: Vec<Actor<'a>> = emptied(kept);
        cast.extend(first);
        let own = self.throng.as_ref().map(|throng| throng.get());
        let mut throngs: Vec<(&Throng, Actor<'a>)> = own.zip(first).into_iter().collect();
        for actor in self.actors.iter().filter(|actor| actor.visible) {
            // The bounds of what follows an actor are part of those of its leader.
            let mut bounds = actor.player.bounds_in_picture().filter(|_| actor.follows.is_none());
            if let (Some(carried), None) = (actor.carried, &actor.follows) {
                Aabb::join(&mut bounds, carried);
            }
            let shown = actor.player.shown(bounds);
            cast.extend(shown);
            throngs.extend(actor.player.throng().zip(shown));
        }
        if throngs.is_empty() {
            return (cast, None);
        }
        let mut drawn = Vec::new();
        for (throng, actor) in throngs {
            drawn.push(throng.drawn(cast.len()));
            cast.push(throng.actor(&actor));
        }
        (cast, Some(Throngs::new(drawn)))
    }
}

/// Returns an empty list with the memory of another one, whose elements may live for another time.
pub(in crate::player) fn emptied<'b>(mut list: Vec<Actor<'_>>) -> Vec<Actor<'b>> {
    list.clear();
    list.into_iter().map(|_| unreachable!("the list is empty")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_a_list_is_used_again() {
        let list: Vec<Actor<'static>> = Vec::with_capacity(10);
        let at = list.as_ptr();
        let emptied = emptied(list);
        assert_eq!((emptied.as_ptr(), emptied.capacity()), (at, 10));
    }
}
