//! Time and poses of a player's company. Nothing here is called for a player without company.

use super::worn::FirstPose;
use super::{ActorId, Companion, Following, How};
use crate::player::{Player, PlayerError};
use std::sync::Arc;

impl Player {
    #[inline(never)]
    pub(in crate::player) fn company_is_moving(&self) -> bool {
        self.throng().is_some_and(|throng| throng.is_moving())
            || self.company.actors.iter().any(|actor| actor.player.is_moving())
    }

    #[inline(never)]
    pub(in crate::player) fn company_has_events(&self) -> bool {
        self.company.actors.iter().any(|actor| actor.player.has_events())
    }

    /// Passes steps to every actor that moves or follows one that does. `moved` tells this of the player itself.
    #[inline(never)]
    pub(in crate::player) fn step_company(&mut self, moved: bool, count: usize, step_secs: f64) {
        if let Some(throng) = self.throng_mut() {
            throng.advance(step_secs * count as f64);
        }
        for at in 0..self.company.actors.len() {
            let (before, rest) = self.company.actors.split_at_mut(at);
            let actor = &mut rest[0];
            let is_carried = match actor.leader() {
                None => false,
                Some(ActorId::PLAYER) => moved,
                Some(leader) => before.iter().any(|actor| actor.id == leader && actor.moved),
            };
            actor.moved = is_carried || actor.player.is_moving();
            if actor.moved {
                actor.player.step(count, step_secs);
            }
            if let Some(throng) = actor.player.throng_mut() {
                throng.advance(step_secs * count as f64);
            }
        }
    }

    /// Computes the places and poses of all other actors. The player's own pose must be computed.
    #[inline(never)]
    pub(in crate::player) fn pose_company(&mut self) {
        let mut actors = std::mem::take(&mut self.company.actors);
        for at in 0..actors.len() {
            let (before, rest) = actors.split_at_mut(at);
            let actor = &mut rest[0];
            match actor.leader() {
                None => {}
                Some(ActorId::PLAYER) => actor.follow(self),
                Some(leader) => {
                    if let Some(held) = before.iter_mut().find(|held| held.id == leader) {
                        actor.follow(&mut held.player);
                    }
                }
            }
            actor.player.pose();
        }
        self.company.actors = actors;
    }

    /// Lets an actor follow another, or none, and puts the actors in order.
    pub(super) fn follow(&mut self, id: ActorId, follows: Option<Following>) -> Result<(), PlayerError> {
        let actor = self.company.get_mut(id)?;
        actor.stop_following();
        let leader = follows.as_ref().map(|follows| follows.leader);
        actor.follows = follows;
        // An actor whose leader comes after it moves behind the leader, and so do those that follow it.
        let actors = &mut self.company.actors;
        let mut placed = 0;
        while placed < actors.len() {
            let is_next = |at: &usize| {
                let leader = actors[*at].leader();
                leader.is_none_or(|leader| actors[placed..].iter().all(|actor| actor.id != leader))
            };
            let next = (placed..actors.len()).find(is_next).unwrap_or(placed);
            actors[placed..=next].rotate_right(1);
            placed += 1;
        }
        self.release_first_poses();
        if let Some(leader) = leader {
            self.actor_mut(leader)?.first_pose();
        }
        Ok(())
    }

    /// Frees the kept poses that no actor follows.
    pub(super) fn release_first_poses(&mut self) {
        let ids = std::iter::once(ActorId::PLAYER).chain(self.actors());
        let alone: Vec<_> = ids.filter(|id| self.actors_following(*id) == 0).collect();
        for id in alone {
            if let Ok(Player { loaded: Some(loaded), .. }) = self.actor_mut(id) {
                loaded.first_pose = None;
            }
        }
    }

    fn actors_following(&self, id: ActorId) -> usize {
        self.company.actors.iter().filter(|actor| actor.leader() == Some(id)).count()
    }

    /// Returns the pose of the first character, which each later pose updates.
    pub(super) fn first_pose(&mut self) -> Option<&FirstPose> {
        let loaded = self.loaded.as_mut()?;
        if loaded.first_pose.is_none() {
            let world_from_model = self.characters[0].world_from_model(&self.world_from_actor);
            loaded.pose_one(&mut self.characters[0], &world_from_model);
            let mut first_pose = FirstPose::new(loaded.library.rig());
            first_pose.copy_from(&loaded.workspace.local, &loaded.workspace.model);
            loaded.first_pose = Some(Box::new(first_pose));
        }
        loaded.first_pose.as_deref()
    }
}

impl Companion {
    /// Stands at the own place from now on.
    pub(super) fn stop_following(&mut self) {
        self.follows = None;
        self.carried = None;
        if let Some(loaded) = &mut self.player.loaded
            && loaded.worn.take().is_some()
        {
            loaded.stale = true;
        }
        self.player.stand_at(self.place);
    }

    /// Moves the actor to where its leader holds or wears it.
    fn follow(&mut self, leader: &mut Player) {
        let Some(Following { model, how, .. }) = &self.follows else { return };
        let is_same = leader.model().is_some_and(|held| Arc::as_ptr(held) == model.as_ptr());
        let has_lost = matches!(how, How::Wears) && !self.player.wears();
        if !is_same || has_lost {
            self.stop_following();
            return;
        }
        let mut world_from_actor = leader.characters[0].world_from_model(&leader.world_from_actor);
        let Some(pose) = leader.first_pose() else { return };
        match how {
            How::Held { node, node_from_actor, .. } => {
                world_from_actor = world_from_actor * pose.model.model_from_node(*node) * *node_from_actor;
            }
            How::Wears => {
                if let Some(loaded) = &mut self.player.loaded
                    && let Some(worn) = &mut loaded.worn
                {
                    loaded.stale |= worn.take(pose);
                }
            }
        }
        if world_from_actor.is_finite() {
            self.player.stand_at(world_from_actor);
        }
    }
}

impl Player {
    fn wears(&self) -> bool {
        self.loaded.as_ref().is_some_and(|loaded| loaded.worn.is_some())
    }
}
