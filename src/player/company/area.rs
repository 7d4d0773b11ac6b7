//! Floor and bounds of a player's company. Nothing here is called for a player without company.
//!
//! The bounds of what follows an actor are bounds of its leader: they are where the leader's clips carry it. They
//! depend little on the current pose, so that neither the ground nor the shadow map moves with a hand.

use super::{ActorId, Companion, Following, How};
use crate::animation::{ClipCursor, LocalPose, ModelPose, Rig};
use crate::model::{Aabb, ClipIndex, NodeIndex};
use crate::player::Player;
use glam::{Affine3A, Vec3};

/// Number of poses of a clip in which an attached actor is bounded.
const POSES: usize = 32;
/// Margin for the way between two poses, as a share of the size of the bounds.
const MARGIN: f32 = 1.0 / 32.0;

/// Transforms `model_from_node` of a node during a clip. `None` stands for the rest pose.
#[derive(Debug)]
pub(super) struct Path {
    clip: Option<ClipIndex>,
    model_from_node: Vec<Affine3A>,
}

impl Path {
    fn new(rig: &Rig, clip: Option<ClipIndex>, node: NodeIndex) -> Self {
        let (mut local, mut model) = (LocalPose::rest(rig), ModelPose::new(rig));
        let mut cursor = ClipCursor::default();
        let mut path = Self { clip, model_from_node: Vec::new() };
        for nth in 0..POSES {
            if let Some(clip) = clip {
                let share = nth as f32 / (POSES - 1) as f32;
                rig.sample_into(clip, rig.clip(clip).duration_secs * share, &mut cursor, &mut local);
                rig.resolve_into(&local, &mut model);
            }
            path.model_from_node.push(model.model_from_node(node));
            if clip.is_none() {
                break;
            }
        }
        path
    }
}

impl Player {
    /// Returns the lowest of a floor and those of the other visible actors. What is attached to a node has none.
    #[inline(never)]
    pub(in crate::player) fn lowest_floor(&self, mut floor: Option<f32>) -> Option<f32> {
        let actors = self.company.actors.iter().filter(|actor| actor.visible).map(|actor| &*actor.player);
        for throng in std::iter::once(self).chain(actors).filter_map(Player::throng) {
            floor = lower(floor, throng.floor());
        }
        for actor in self.company.actors.iter().filter(|actor| actor.visible) {
            let height = match &actor.follows {
                None => actor.player.floor_itself(),
                Some(Following { leader, how: How::Wears, .. }) => {
                    let leader = self.actor(*leader).ok();
                    leader.and_then(|leader| Some(leader.floor_itself()? - actor.sole(leader)))
                }
                Some(_) => None,
            };
            floor = lower(floor, height);
        }
        floor
    }

    /// Notes the clips that every actor plays or may play as those to frame.
    #[inline(never)]
    pub(in crate::player) fn frame_company(&mut self) {
        self.pose();
        self.refresh_throngs();
        for actor in &mut self.company.actors {
            let may_play = actor.player.may_play();
            if let Some(loaded) = &mut actor.player.loaded {
                loaded.framed = may_play;
            }
        }
    }

    /// Calls `add` with the outermost points in the world of the other visible actors.
    #[inline(never)]
    pub(in crate::player) fn outermost_of_company(&mut self, add: &mut dyn FnMut(Vec3)) {
        self.carry();
        self.refresh_throngs();
        let actors = self.company.actors.iter().filter(|actor| actor.visible).map(|actor| &*actor.player);
        for throng in std::iter::once(&*self).chain(actors).filter_map(Player::throng) {
            throng.outline().iter().for_each(|point| add(*point));
        }
        add_carried(self, self.company.carried, add);
        for actor in self.company.actors.iter().filter(|actor| actor.follows.is_none()) {
            if actor.visible {
                actor.player.each_outermost(add);
            }
            add_carried(&actor.player, actor.carried, add);
        }
    }

    fn refresh_throngs(&mut self) {
        self.refresh_throng();
        self.company.actors.iter_mut().for_each(|actor| actor.player.refresh_throng());
    }

    /// Updates the bounds of what follows each actor.
    #[inline(never)]
    pub(in crate::player) fn carry(&mut self) {
        let mut actors = std::mem::take(&mut self.company.actors);
        self.company.carried = None;
        actors.iter_mut().for_each(|actor| actor.carried = None);
        for at in (0..actors.len()).rev() {
            let (before, rest) = actors.split_at_mut(at);
            let actor = &mut rest[0];
            let (leader, carried) = match actor.leader() {
                None => continue,
                Some(ActorId::PLAYER) => {
                    let mut carried = self.company.carried;
                    let reach = actor.reach(self);
                    reach.inspect(|reach| Aabb::join(&mut carried, *reach));
                    self.company.carried = carried;
                    continue;
                }
                Some(leader) => {
                    let Some(held) = before.iter_mut().find(|held| held.id == leader) else { continue };
                    (&held.player, &mut held.carried)
                }
            };
            if let Some(reach) = actor.reach(leader) {
                Aabb::join(carried, reach);
            }
        }
        self.company.actors = actors;
    }
}

impl Companion {
    /// Returns the bounds of the actor and of what follows it, in the model space of its leader.
    fn reach(&mut self, leader: &Player) -> Option<Aabb> {
        let own = if self.visible { self.player.bounds_in_picture() } else { None };
        let mut bounds = None;
        let mut place = |in_model: Option<Aabb>, actor_from_model: &Affine3A| {
            if let Some(in_model) = in_model {
                join_moved(&mut bounds, &in_model, actor_from_model);
            }
        };
        let excess = self.excess(leader);
        let Some(Following { how: How::Held { node, node_from_actor, paths }, .. }) = &mut self.follows
        else {
            // The bounds of an outfit are those of its wearer, as far as its rest pose exceeds the wearer's.
            let worn = own.and_then(|_| leader.bounds_in_picture());
            place(worn.map(|worn| grown(&worn, excess)), &Affine3A::IDENTITY);
            place(self.carried, &Affine3A::IDENTITY);
            return bounds;
        };
        for character in &self.player.characters {
            place(own, &character.actor_from_model);
        }
        place(self.carried, &self.player.characters[0].actor_from_model);
        let (in_actor, loaded) = (bounds?, leader.loaded.as_ref()?);
        let mut reach = None;
        let mut follow = |clip: Option<ClipIndex>| {
            let known = paths.iter().position(|path| path.clip == clip);
            let at = known.unwrap_or_else(|| {
                paths.push(Path::new(loaded.library.rig(), clip, *node));
                paths.len() - 1
            });
            for model_from_node in &paths[at].model_from_node {
                join_moved(&mut reach, &in_actor, &(*model_from_node * *node_from_actor));
            }
        };
        loaded.framed.iter().for_each(|&clip| follow(clip));
        leader.characters[0].controller.each_playing_clip(&mut |clip| follow(Some(clip)));
        if let Some(pose) = &loaded.first_pose {
            join_moved(&mut reach, &in_actor, &(pose.model.model_from_node(*node) * *node_from_actor));
        }
        reach.map(|reach| grown(&reach, (reach.max - reach.min).max_element() * MARGIN))
    }

    /// Returns by how much the rest pose exceeds that of a wearer on any side.
    fn excess(&self, wearer: &Player) -> f32 {
        let rest = |player: &Player| player.rig()?.sweep(None).map(|sweep| sweep.bounds);
        match (&self.follows, rest(&self.player), rest(wearer)) {
            (Some(Following { how: How::Wears, .. }), Some(own), Some(wearer)) => {
                (wearer.min - own.min).max(own.max - wearer.max).max_element().max(0.0)
            }
            _ => 0.0,
        }
    }

    /// Returns the height in the world by which the rest pose is lower than that of a wearer.
    fn sole(&self, wearer: &Player) -> f32 {
        let lowest = |player: &Player| Some(player.rig()?.sweep(None)?.lowest);
        let below = match (lowest(&self.player), lowest(wearer)) {
            (Some(own), Some(wearer)) => (wearer - own).max(0.0),
            _ => 0.0,
        };
        let world_from_model = wearer.characters[0].world_from_model(&wearer.world_from_actor);
        below * world_from_model.matrix3.y_axis.length()
    }
}

/// Returns the lower of two heights, as far as there are any.
fn lower(floor: Option<f32>, height: Option<f32>) -> Option<f32> {
    match (floor, height) {
        (Some(floor), Some(height)) => Some(height.min(floor)),
        _ => floor.or(height),
    }
}

/// Calls `add` with the corners in the world of bounds in the model space of a player's first character.
fn add_carried(player: &Player, carried: Option<Aabb>, add: &mut dyn FnMut(Vec3)) {
    if let Some(carried) = carried {
        let world_from_model = player.characters[0].world_from_model(&player.world_from_actor);
        carried.corners().iter().for_each(|corner| add(world_from_model.transform_point3(*corner)));
    }
}

/// Extends bounds by a moved box. A box with infinite coordinates is left out.
fn join_moved(bounds: &mut Option<Aabb>, aabb: &Aabb, moved: &Affine3A) {
    let corners = aabb.corners().map(|corner| moved.transform_point3(corner));
    if let Some(moved) = Aabb::around(corners).filter(|moved| moved.min.is_finite() && moved.max.is_finite())
    {
        Aabb::join(bounds, moved);
    }
}

fn grown(aabb: &Aabb, by: f32) -> Aabb {
    Aabb { min: aabb.min - by, max: aabb.max + by }
}
