//! Rows of members for the shader, and their bounds.
//!
//! ```text
//! 0        nothing; the picture writes number of characters, rows of a character, time, and row of the first member
//!          here, followed by the numbers of the members that it may show
//! 1 + 6 n  first rows of both clips, share of the second
//!          passes in a second, 1 if visible, phase
//!          tint
//!          world_from_model, three rows
//! ```

use super::Throng;
use crate::angle::sin_cos;
use crate::model::Aabb;
use glam::{Affine3A, Mat4, Vec2, Vec3, Vec4};
use std::f32::consts::TAU;

const ROWS_PER_MEMBER: usize = 6;

impl Throng {
    /// Writes rows and bounds anew, if something has changed.
    pub(super) fn refresh(&mut self, world_from_actor: &Affine3A) {
        if !std::mem::take(&mut self.stale) && self.world_from_actor == *world_from_actor {
            return;
        }
        self.world_from_actor = *world_from_actor;
        let mut rows = Vec::with_capacity(1 + self.members.len() * ROWS_PER_MEMBER);
        rows.push(Vec4::ZERO);
        let mut outline = Outline::new();
        let mut reach: Option<Aabb> = None;
        // Members mostly play the same clips as the one before.
        let mut known = None;
        self.fastest = 0.0;
        for member in &self.members {
            self.fastest = self.fastest.max(member.rate.abs());
            let (heads, in_model) = match known {
                Some((clips, heads, in_model)) if clips == member.clips => (heads, in_model),
                _ => {
                    let heads = member.clips.map(|clip| self.clip_rows.add(&self.rig, clip) as f32);
                    let sweeps = member.clips.map(|clip| self.rig.sweep(clip).map(|sweep| sweep.bounds));
                    let mut in_model: Option<Aabb> = None;
                    sweeps.into_iter().flatten().for_each(|swept| Aabb::join(&mut in_model, swept));
                    in_model.into_iter().for_each(|in_model| Aabb::join(&mut reach, in_model));
                    known = Some((member.clips, heads, in_model));
                    (heads, in_model)
                }
            };
            let world_from_model = *world_from_actor * member.actor_from_model;
            rows.push(Vec4::new(heads[0], heads[1], member.share, 0.0));
            let visible = f32::from(u8::from(member.visible));
            rows.push(Vec4::new(member.rate as f32, visible, member.phase as f32, 0.0));
            rows.push(member.tint);
            let Mat4 { x_axis, y_axis, z_axis, .. } = Mat4::from(world_from_model).transpose();
            rows.extend_from_slice(&[x_axis, y_axis, z_axis]);
            if let (true, Some(in_model)) = (member.visible, in_model) {
                outline.add(&in_model, &world_from_model);
            }
        }
        self.outline = outline.points();
        self.bounds = outline.bounds;
        #[cfg(feature = "render")]
        self.show(rows, reach);
        #[cfg(not(feature = "render"))]
        drop((rows, reach));
    }
}

/// Horizontal directions of an outline.
const DIRECTIONS: usize = 8;

/// Bounds of many boxes, and the farthest of their corners in each of some horizontal directions.
struct Outline {
    bounds: Option<Aabb>,
    directions: [Vec2; DIRECTIONS],
    farthest: [(f32, Vec2); DIRECTIONS],
}

impl Outline {
    fn new() -> Self {
        let mut directions = [Vec2::ZERO; DIRECTIONS];
        for (nth, direction) in directions.iter_mut().enumerate() {
            let (sine, cosine) = sin_cos((nth as f32 + 0.5) * TAU / DIRECTIONS as f32);
            *direction = Vec2::new(cosine, sine);
        }
        Self { bounds: None, directions, farthest: [(f32::NEG_INFINITY, Vec2::ZERO); DIRECTIONS] }
    }

    /// Adds a box with a place. One with infinite coordinates is left out.
    fn add(&mut self, in_model: &Aabb, world_from_model: &Affine3A) {
        let (axes, size) = (&world_from_model.matrix3, in_model.max - in_model.min);
        let reach = axes.x_axis.abs() * size.x + axes.y_axis.abs() * size.y + axes.z_axis.abs() * size.z;
        let half = Vec3::from(reach) * 0.5;
        let center = world_from_model.transform_point3(in_model.center());
        let placed = Aabb { min: center - half, max: center + half };
        if !(placed.min.is_finite() && placed.max.is_finite()) {
            return;
        }
        Aabb::join(&mut self.bounds, placed);
        let (min, max) = (Vec2::new(placed.min.x, placed.min.z), Vec2::new(placed.max.x, placed.max.z));
        for (direction, farthest) in self.directions.iter().zip(&mut self.farthest) {
            let corner = Vec2::select(direction.cmplt(Vec2::ZERO), min, max);
            let distance = direction.dot(corner);
            if distance > farthest.0 {
                *farthest = (distance, corner);
            }
        }
    }

    /// Returns the corners, each at the least and the greatest height of all boxes.
    fn points(&self) -> Vec<Vec3> {
        let Some(bounds) = self.bounds else { return Vec::new() };
        let ends = |(_, corner): &(f32, Vec2)| {
            [bounds.min.y, bounds.max.y].map(|height| Vec3::new(corner.x, height, corner.y))
        };
        self.farthest.iter().flat_map(ends).collect()
    }
}
