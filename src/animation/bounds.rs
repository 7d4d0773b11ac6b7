//! The room that a clip takes up, so that a camera can frame all of it.
use super::reference_skin::morph_weights;
use super::simd::{affine_from_rows, rows_from_affine};
use super::{ClipCursor, Drawable, LocalPose, ModelPose, Rig};
use crate::model::{Aabb, ClipIndex, Primitive};
use crate::order::sort;
use glam::{Affine3A, Vec3, Vec4, vec3};

/// A sweep looks at no more poses than this: some milliseconds for a character, however long the clip.
const POSES_AT_MOST: usize = 200;

/// A joint turns by half a turn at most from key to key, and so by 11° from step to step.
const STEPS_PER_KEY_AT_MOST: usize = 16;

/// Between two poses that the sweep looks at, a limb swings out by less than this part of the whole.
const MARGIN: f32 = 0.01;

impl Rig {
    /// A box in model space that holds every drawn vertex at any time of a clip; `None` for the rest pose.
    ///
    /// - Conservative: a vertex lies among the places where each of its joints alone would put it.
    /// - Morphs count with the weights they have, and each also alone at 1, for the page to set.
    /// - Where nothing is drawn, the places of the scene's nodes; `None` where they are all one.
    pub fn clip_bounds(&self, clip: Option<ClipIndex>) -> Option<Aabb> {
        let shapes: Vec<Shape> =
            (self.palette_layout().drawables.iter()).map(|drawable| Shape::new(self, drawable)).collect();
        let mut local = LocalPose::rest(self);
        let mut model = ModelPose::new(self);
        let mut cursor = ClipCursor::default();
        let mut rows = vec![Vec4::ZERO; self.palette_layout().rows_per_character];
        let mut bounds: Option<Aabb> = None;
        let mut look = |local: &LocalPose| {
            self.resolve_into(local, &mut model);
            self.palette_into(local, &model, &Affine3A::IDENTITY, &mut rows);
            let boxes = self.palette_layout().drawables.iter().zip(&shapes);
            let mut hold = |posed: Aabb| bounds = Some(bounds.map_or(posed, |held| held.union(&posed)));
            boxes.filter_map(|(drawable, shape)| shape.posed(drawable, &rows)).for_each(&mut hold);
            if shapes.is_empty() {
                let nodes = self.model().nodes.iter().zip(&model.model_from_node);
                let places =
                    nodes.filter(|(node, _)| node.in_scene).map(|(_, [x, y, z])| vec3(x.w, y.w, z.w));
                Aabb::around(places).into_iter().for_each(hold);
            }
        };
        match clip {
            None => look(&local),
            Some(clip) => {
                for time_secs in sweep_times(self, clip) {
                    self.sample_into(clip, time_secs, &mut cursor, &mut local);
                    look(&local);
                }
            }
        }
        // Of nodes that are all in one place there is nothing to frame.
        let bounds = bounds.filter(|held| !shapes.is_empty() || held.radius() > 0.0);
        let margin = if clip.is_some() { MARGIN } else { 0.0 };
        bounds.map(|held| {
            let room = Vec3::splat(held.radius() * margin);
            Aabb { min: held.min - room, max: held.max + room }
        })
    }
}

/// Every key, and as many times between each two as there is room for; evenly spread where the keys alone are too many.
fn sweep_times(rig: &Rig, clip: ClipIndex) -> Vec<f32> {
    let clip = rig.model().clip(clip);
    let mut keys = vec![0.0, clip.duration_secs];
    for track in &clip.tracks {
        if keys.len() <= POSES_AT_MOST {
            keys.extend(&*track.key_times_secs);
            sort(&mut keys, |a, b| a < b);
            keys.dedup();
        }
    }
    let steps_per_key = (POSES_AT_MOST / keys.len()).min(STEPS_PER_KEY_AT_MOST);
    if steps_per_key < 2 {
        let last = (POSES_AT_MOST - 1) as f32;
        return (0..POSES_AT_MOST).map(|step| clip.duration_secs * step as f32 / last).collect();
    }
    let steps = keys.windows(2).flat_map(|pair| {
        (0..steps_per_key).map(|step| pair[0] + (pair[1] - pair[0]) * step as f32 / steps_per_key as f32)
    });
    steps.chain([clip.duration_secs]).collect()
}

/// What one slot of a drawable moves, in mesh space.
#[derive(Clone, Debug)]
struct Moved {
    positions: Aabb,
    /// How far each morph target displaces them.
    displacements: Vec<Aabb>,
}

/// The vertices of a drawable, by the slot that moves them.
#[derive(Debug)]
struct Shape {
    slots: Vec<Option<Moved>>,
}

impl Shape {
    fn new(rig: &Rig, drawable: &Drawable) -> Self {
        let mut slots = vec![None; drawable.slot_count];
        for primitive in &rig.model().mesh(drawable.mesh).primitives {
            for vertex in 0..primitive.positions.len() {
                if primitive.influences.is_empty() {
                    include(&mut slots[0], primitive, vertex, drawable.morph_target_count);
                }
                for (joint, joint_weight) in primitive.influences.of_vertex(vertex) {
                    if joint_weight > 0.0 {
                        let slot = &mut slots[joint as usize];
                        include(slot, primitive, vertex, drawable.morph_target_count);
                    }
                }
            }
        }
        Self { slots }
    }

    fn posed(&self, drawable: &Drawable, rows: &[Vec4]) -> Option<Aabb> {
        let weights = morph_weights(drawable, rows);
        let slots = rows[drawable.first_row..].as_chunks::<3>().0;
        let boxes = self.slots.iter().zip(slots).filter_map(|(moved, rows)| {
            let moved = moved.as_ref()?;
            let displaced = moved.displaced(&weights);
            let alone = moved.displacements.iter().map(|displacement| sum(&moved.positions, displacement));
            let held = alone.fold(displaced, |held, alone| held.union(&alone));
            Some(transformed(&affine_from_rows(rows), &held))
        });
        boxes.reduce(|held, next| held.union(&next))
    }
}

impl Moved {
    fn displaced(&self, morph_weights: &[f32]) -> Aabb {
        let targets = self.displacements.iter().zip(morph_weights);
        targets.fold(self.positions, |held, (displacement, &weight)| {
            let (a, b) = (displacement.min * weight, displacement.max * weight);
            sum(&held, &Aabb { min: a.min(b), max: a.max(b) })
        })
    }
}

fn include(slot: &mut Option<Moved>, primitive: &Primitive, vertex: usize, target_count: usize) {
    let point = |at: Vec3| Aabb { min: at, max: at };
    let position = point(primitive.positions[vertex]);
    let displacement = |target: usize| {
        let target = primitive.morph_targets.get(target);
        point(target.and_then(|target| target.positions.get(vertex).copied()).unwrap_or(Vec3::ZERO))
    };
    match slot {
        None => {
            let displacements = (0..target_count).map(displacement).collect();
            *slot = Some(Moved { positions: position, displacements });
        }
        Some(moved) => {
            moved.positions = moved.positions.union(&position);
            for (target, held) in moved.displacements.iter_mut().enumerate() {
                *held = held.union(&displacement(target));
            }
        }
    }
}

fn sum(a: &Aabb, b: &Aabb) -> Aabb {
    Aabb { min: a.min + b.min, max: a.max + b.max }
}

/// The smallest box around a turned box: each row of the matrix meets the corner farthest along it.
fn transformed(model_from_mesh: &Affine3A, held: &Aabb) -> Aabb {
    let center = model_from_mesh.transform_point3(held.center());
    let half = (held.max - held.min) * 0.5;
    let reach = rows_from_affine(model_from_mesh).map(|row| row.truncate().abs().dot(half));
    let reach = Vec3::from_array(reach);
    Aabb { min: center - reach, max: center + reach }
}
