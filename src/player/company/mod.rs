//! Company: further actors of a player, each with a model of its own, and throngs.
//!
//! An actor is a [`Player`] without a camera and a canvas of its own. It stands at a place in the world, follows a node
//! of another actor, or wears the nodes of another actor as its own. The player itself is the first actor, at the
//! origin of the world.
//!
//! ```text
//! advance   steps of the player's clock, for every actor that moves or follows one that does
//! pose      holders before those that follow them: place, worn nodes, then the pose of the actor
//! draw      all visible actors in one picture
//! ```

mod area;
mod follow;
#[cfg(feature = "render")]
mod picture;
mod worn;

#[cfg(feature = "render")]
pub(super) use picture::emptied;
pub(super) use worn::{FirstPose, Worn};

use super::throng::HoldThrong;
use super::{Player, PlayerError, Value};
use crate::animation::{ModelPose, Rig};
use crate::import::ImportReport;
use crate::model::{Aabb, Model, NodeIndex};
use area::Path;
use glam::{Affine3A, Vec3};
use std::sync::{Arc, Weak};

/// Number of an actor. Numbers aren't used again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActorId(u32);

impl ActorId {
    /// The player that has the company.
    pub const PLAYER: Self = Self(0);

    /// Returns the actor with a number that [`number`](Self::number) has returned. It may not exist.
    pub fn new(number: u32) -> Self {
        Self(number)
    }

    pub fn number(self) -> u32 {
        self.0
    }
}

#[derive(Debug, Default)]
pub(super) struct Company {
    /// Those that others follow come before their followers.
    actors: Vec<Companion>,
    last_id: u32,
    /// The player is an actor of another one.
    is_actor: bool,
    /// Bounds of what follows the player, in its model space.
    carried: Option<Aabb>,
    /// Members of the player's own model.
    pub(super) throng: Option<Box<dyn HoldThrong>>,
}

#[derive(Debug)]
struct Companion {
    id: ActorId,
    player: Box<Player>,
    /// Place in the world while the actor follows none.
    place: Affine3A,
    visible: bool,
    follows: Option<Following>,
    /// Whether the last step moved the actor.
    moved: bool,
    /// Bounds of what follows the actor, in its model space.
    carried: Option<Aabb>,
}

/// What an actor follows.
#[derive(Debug)]
struct Following {
    leader: ActorId,
    /// Model that the nodes belong to. With another model, the actor no longer follows.
    model: Weak<Model>,
    how: How,
}

#[derive(Debug)]
enum How {
    /// The actor is held by a node.
    Held { node: NodeIndex, node_from_actor: Affine3A, paths: Vec<Path> },
    /// Nodes of the actor have the transforms of the leader's nodes.
    Wears,
}

impl Player {
    /// Returns whether there are other actors, or a throng.
    pub(super) fn has_company(&self) -> bool {
        !self.company.actors.is_empty() || self.company.throng.is_some()
    }

    /// Adds an actor that shows the rest pose of a model, at the origin of the world. The camera doesn't move.
    ///
    /// # Errors
    /// When this player is an actor of another one.
    pub fn add_actor(&mut self, rig: Arc<Rig>, report: ImportReport) -> Result<ActorId, PlayerError> {
        if self.company.is_actor {
            return Err(PlayerError::NestedActor);
        }
        let mut player = Box::<Player>::default();
        player.company.is_actor = true;
        player.show(rig, report);
        #[cfg(feature = "render")]
        player.lend(self.gpu());
        self.company.last_id += 1;
        let id = ActorId(self.company.last_id);
        self.company.actors.push(Companion {
            id,
            player,
            place: Affine3A::IDENTITY,
            visible: true,
            follows: None,
            moved: false,
            carried: None,
        });
        Ok(id)
    }

    /// Removes an actor and frees its memory. What followed it stands at its own place.
    ///
    /// # Errors
    /// When there is no such actor, or it is the player itself.
    pub fn remove_actor(&mut self, id: ActorId) -> Result<(), PlayerError> {
        let at = self.company.find(id)?;
        self.company.actors.remove(at);
        for actor in &mut self.company.actors {
            if actor.leader() == Some(id) {
                actor.stop_following();
            }
        }
        self.release_first_poses();
        Ok(())
    }

    /// Returns the other actors. Those that others follow come before their followers.
    pub fn actors(&self) -> impl Iterator<Item = ActorId> {
        self.company.actors.iter().map(|actor| actor.id)
    }

    /// Returns an actor, or the player itself for [`ActorId::PLAYER`].
    ///
    /// # Errors
    /// When there is no such actor.
    pub fn actor(&self, id: ActorId) -> Result<&Player, PlayerError> {
        match id {
            ActorId::PLAYER => Ok(self),
            _ => Ok(&self.company.actors[self.company.find(id)?].player),
        }
    }

    /// Returns an actor for commands, or the player itself for [`ActorId::PLAYER`].
    ///
    /// Everything but the camera, the canvas, the clock and the look applies to the actor alone. Its time passes with
    /// the player's. The place of one that follows another is that of the last [`pose`](Self::pose) of the player.
    ///
    /// # Errors
    /// When there is no such actor.
    pub fn actor_mut(&mut self, id: ActorId) -> Result<&mut Player, PlayerError> {
        match id {
            ActorId::PLAYER => Ok(self),
            _ => Ok(&mut self.company.get_mut(id)?.player),
        }
    }

    /// Returns an actor, or the player itself if there is no such actor.
    #[cfg(feature = "web")]
    pub(crate) fn actor_or_self(&self, id: ActorId) -> &Player {
        match self.company.find(id) {
            Ok(at) => &self.company.actors[at].player,
            Err(_) => self,
        }
    }

    #[cfg(feature = "web")]
    pub(crate) fn actor_or_self_mut(&mut self, id: ActorId) -> &mut Player {
        match self.company.find(id) {
            Ok(at) => &mut self.company.actors[at].player,
            Err(_) => self,
        }
    }

    /// Sets the transform `world_from_actor` of an actor, which places all of its characters. It takes effect when the
    /// actor no longer follows another.
    ///
    /// # Errors
    /// When there is no such actor, it is the player itself, or a number isn't finite or is out of range.
    pub fn place_actor(&mut self, id: ActorId, world_from_actor: Affine3A) -> Result<(), PlayerError> {
        let actor = self.company.get_mut(id)?;
        Value::Place.check_all(&world_from_actor.to_cols_array())?;
        actor.place = world_from_actor;
        if actor.follows.is_none() {
            actor.player.stand_at(world_from_actor);
        }
        Ok(())
    }

    /// Returns the transform `world_from_actor` in the last pose. For the player itself it is the identity.
    ///
    /// # Errors
    /// When there is no such actor.
    pub fn actor_place(&self, id: ActorId) -> Result<Affine3A, PlayerError> {
        Ok(self.actor(id)?.world_from_actor)
    }

    /// Sets whether an actor is drawn, casts a shadow, and is framed. A hidden actor still plays.
    ///
    /// # Errors
    /// When there is no such actor, or it is the player itself.
    pub fn show_actor(&mut self, id: ActorId, visible: bool) -> Result<(), PlayerError> {
        self.company.get_mut(id)?.visible = visible;
        Ok(())
    }

    /// Returns whether an actor is visible. The player itself always is.
    ///
    /// # Errors
    /// When there is no such actor.
    pub fn is_actor_visible(&self, id: ActorId) -> Result<bool, PlayerError> {
        Ok(id == ActorId::PLAYER || self.company.actors[self.company.find(id)?].visible)
    }

    /// Attaches an actor to a node of another one: it follows the node on the other's first character. `None` lets it
    /// stand at its own place again.
    ///
    /// `offset` is the actor's transform in the space of the node. The scale that the node has in the file's rest pose
    /// is left out, so that the actor keeps its size with a skeleton in centimeters. It has the scale of the other's
    /// place and of what plays.
    ///
    /// # Errors
    /// When there is no such actor or no such node, the actor would follow itself, or a number isn't finite or is out
    /// of range.
    pub fn attach_actor(
        &mut self,
        id: ActorId,
        to: Option<(ActorId, NodeIndex)>,
        offset: &Affine3A,
    ) -> Result<(), PlayerError> {
        self.company.find(id)?;
        let mut follows = None;
        if let Some((leader, node)) = to {
            let rig = self.leader(id, leader)?;
            self.actor(leader)?.check_node(node)?;
            Value::Place.check_all(&offset.to_cols_array())?;
            let rest = ModelPose::new(&rig).model_from_node(node).matrix3;
            let size = Vec3::from_array([rest.x_axis, rest.y_axis, rest.z_axis].map(|axis| axis.length()));
            let size = Vec3::select(size.cmpgt(Vec3::ZERO), size, Vec3::ONE);
            let node_from_actor = Affine3A::from_scale(size.recip()) * *offset;
            let how = How::Held { node, node_from_actor, paths: Vec::new() };
            follows = Some(Following { leader, model: Arc::downgrade(rig.model()), how });
        }
        self.follow(id, follows)?;
        self.pose();
        Ok(())
    }

    /// Lets an actor wear the skeleton of another one, as an outfit: it stands where the other's first character does,
    /// and its nodes have the transforms of the other's nodes of the same name. Other nodes follow their parents.
    /// `None` lets it stand at its own place again.
    ///
    /// Overrides and springs of the actor apply to the worn pose. The outfit must be made for the other's skeleton:
    /// joints of the same name must have the same axes.
    ///
    /// # Errors
    /// When there is no such actor, the actor would follow itself, or the other one has none of the actor's joints.
    pub fn wear_actor(&mut self, id: ActorId, wearer: Option<ActorId>) -> Result<(), PlayerError> {
        let at = self.company.find(id)?;
        let mut follows = None;
        let mut worn = None;
        if let Some(leader) = wearer {
            let rig = self.leader(id, leader)?;
            let outfit = self.company.actors[at].player.rig().ok_or(PlayerError::NoModel)?;
            worn = Some(Box::new(Worn::new(outfit, &rig).ok_or(PlayerError::NoFittingJoints)?));
            follows = Some(Following { leader, model: Arc::downgrade(rig.model()), how: How::Wears });
        }
        self.follow(id, follows)?;
        if let Some(loaded) = &mut self.company.get_mut(id)?.player.loaded {
            loaded.worn = worn;
        }
        self.pose();
        Ok(())
    }

    /// Returns the rig of an actor that `id` is to follow.
    fn leader(&self, id: ActorId, leader: ActorId) -> Result<Arc<Rig>, PlayerError> {
        let mut above = Some(leader);
        while let Some(at) = above {
            if at == id {
                return Err(PlayerError::ActorLoop);
            }
            above = match at {
                ActorId::PLAYER => None,
                _ => self.company.actors[self.company.find(at)?].leader(),
            };
        }
        self.actor(leader)?.rig().cloned().ok_or(PlayerError::NoModel)
    }

    /// Moves a player whose place another one sets.
    fn stand_at(&mut self, world_from_actor: Affine3A) {
        if self.world_from_actor != world_from_actor {
            self.world_from_actor = world_from_actor;
            if let Some(loaded) = &mut self.loaded {
                loaded.stale = true;
            }
        }
    }
}

impl Company {
    /// Returns whether the player is an actor of another one, which then sets its place.
    pub(super) fn is_actor(&self) -> bool {
        self.is_actor
    }

    fn find(&self, id: ActorId) -> Result<usize, PlayerError> {
        let found = self.actors.iter().position(|actor| actor.id == id);
        found.ok_or(PlayerError::UnknownActor { asked: id.0 })
    }

    fn get_mut(&mut self, id: ActorId) -> Result<&mut Companion, PlayerError> {
        let at = self.find(id)?;
        Ok(&mut self.actors[at])
    }
}

impl Companion {
    fn leader(&self) -> Option<ActorId> {
        self.follows.as_ref().map(|follows| follows.leader)
    }
}
