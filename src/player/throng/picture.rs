//! What a picture has of a throng.

use super::{Shown, Throng};
use crate::animation::{LocalPose, ModelPose, reference_skin_by};
use crate::model::Aabb;
use crate::player::coarse::coarse_of;
use crate::player::{Player, PlayerError};
use crate::render::{self, Actor, ThrongContent};
use glam::{Affine3A, Vec4};
use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;

impl Throng {
    /// Keeps rows of the members for pictures, and those of clips that are new.
    ///
    /// `reach` are bounds in model space of all clips that members play.
    pub(super) fn show(&mut self, rows: Vec<Vec4>, reach: Option<Aabb>) {
        let Shown { clips, members, rest_rows, coarse, reach: sphere, .. } = &mut self.shown;
        *sphere = reach.as_ref().map_or(Vec4::ZERO, render::reach);
        members.rows = Rc::new(rows);
        members.number += 1;
        if clips.rows.len() != self.clip_rows.rows().len() {
            clips.rows = Rc::new(self.clip_rows.rows().to_vec());
            clips.number += 1;
        }
        if rest_rows.is_empty() {
            rest_rows.resize(self.rig.palette_layout().rows_per_character, Vec4::ZERO);
            let (local, model) = (LocalPose::rest(&self.rig), ModelPose::new(&self.rig));
            self.rig.palette_into(&local, &model, &Affine3A::IDENTITY, rest_rows);
            *coarse = coarse_of(&self.rig);
        }
    }

    /// Returns the actor of a picture that stands for the throng, like another one of the same model.
    pub(in crate::player) fn actor<'a>(&'a self, other: &Actor<'a>) -> Actor<'a> {
        let first_hidden = other.hidden.len().min(self.rig.palette_layout().drawables.len());
        Actor {
            rows: &self.shown.rest_rows,
            character_count: 1,
            hidden: &other.hidden[..first_hidden],
            absent: &[],
            first_tint_row: None,
            clip_bounds: self.bounds,
            is_bounded: false,
            coarse: None,
            ..*other
        }
    }

    /// Returns what is drawn in place of an actor of a picture.
    pub(in crate::player) fn drawn(&self, actor: usize) -> render::Throng {
        let Shown { clips, members, kept, coarse, reach, .. } = &self.shown;
        let content = ThrongContent {
            count: self.members.len(),
            rows_per_character: self.rig.palette_layout().rows_per_character,
            elapsed_secs: self.elapsed_secs as f32,
            clips: clips.clone(),
            members: members.clone(),
            reach: *reach,
            coarse: coarse.clone(),
        };
        render::Throng { actor, content, kept: kept.clone() }
    }
}

impl Player {
    /// Returns the greatest distance between a vertex of a member as the GPU poses it, and as it is posed from the
    /// clips themselves, as a share of the model's size.
    ///
    /// # Errors
    /// When there is no throng or no canvas, or the throng is too large to be read at once. The future fails with an
    /// error of the device.
    pub fn compare_throng(
        &mut self,
    ) -> Result<impl Future<Output = Result<f32, PlayerError>> + use<>, PlayerError> {
        let world_from_actor = self.world_from_actor;
        let gpu = self.gpu().ok_or(PlayerError::NoCanvas)?.clone();
        let throng = self.throng_mut().ok_or(PlayerError::NoModel)?;
        throng.refresh(&world_from_actor);
        let read = throng.drawn(0).read(&gpu)?;
        let rig = Arc::clone(&throng.rig);
        let layout = rig.palette_layout();
        let mut wanted = Vec::new();
        for member in throng.members.iter() {
            let mut rows = vec![Vec4::ZERO; layout.rows_per_character];
            if member.visible {
                let (local, model) = throng.pose(member);
                let world_from_model = world_from_actor * member.actor_from_model;
                rig.palette_into(&local, &model, &world_from_model, &mut rows);
            }
            wanted.push(rows);
        }
        let size = rig.sweep(None).map_or(1.0, |rest| rest.bounds.radius() * 2.0);
        let skinnings = self.loaded.as_ref().map_or(Vec::new(), |loaded| loaded.skinnings.clone());
        Ok(async move {
            let found = read.await?;
            let layout = rig.palette_layout();
            let mut farthest: f32 = 0.0;
            for (found, wanted) in found.chunks_exact(layout.rows_per_character).zip(&wanted) {
                let places = found[..3].iter().zip(&wanted[..3]);
                farthest = places.fold(farthest, |held, (a, b)| held.max((*a - *b).length() / size));
                for drawable in &layout.drawables {
                    for primitive in 0..rig.model().mesh(drawable.mesh).primitives.len() {
                        let skin = drawable.skin.and_then(|skin| skinnings.get(skin.get()).copied());
                        let placed = [found, wanted].map(|rows| {
                            let skinning = skin.unwrap_or_default();
                            reference_skin_by(skinning, &rig, drawable, primitive, rows).positions
                        });
                        let [found, wanted] = &placed;
                        for (found, wanted) in found.iter().zip(wanted) {
                            farthest = farthest.max(found.distance(*wanted) / size);
                        }
                    }
                }
            }
            Ok(farthest)
        })
    }
}
