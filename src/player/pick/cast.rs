//! Intersection of a ray with posed triangles.

use super::{Part, material_of};
use crate::animation::VertexBoxes;
use crate::camera::Ray;
use crate::model::{Aabb, Topology};
use crate::order::sort;
use crate::player::{ActorId, Player};
use glam::{Affine3A, Vec3};

/// An intersection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) actor: ActorId,
    pub(super) character: usize,
    pub(super) drawable: usize,
    pub(super) primitive: usize,
    pub(super) triangle: usize,
    /// Barycentric coordinates: the weights of the three corners.
    pub(super) shares: [f32; 3],
    /// Distance from the origin of the ray.
    pub(super) distance: f32,
    /// The ray meets the back of the triangle.
    pub(super) is_back: bool,
}

/// A ray with the primitives whose bounds it crosses.
pub(super) struct Caster<'a> {
    ray: Ray,
    /// Directions at right angles to the ray and each other, so that the ray looks along −Z of a right-handed space.
    right: Vec3,
    up: Vec3,
    crossed: Vec<Crossed<'a>>,
}

#[derive(Clone, Copy)]
struct Crossed<'a> {
    actor: ActorId,
    player: &'a Player,
    character: usize,
    drawable: usize,
    primitive: usize,
    /// Distance at which the ray enters the bounds.
    entry: f32,
    /// Position in the order of drawing.
    order: usize,
}

impl<'a> Caster<'a> {
    pub(super) fn new(ray: &Ray) -> Self {
        let right = ray.direction.any_orthonormal_vector();
        Self { ray: *ray, right, up: right.cross(ray.direction), crossed: Vec::new() }
    }

    /// Adds the visible primitives of an actor whose bounds the ray crosses.
    pub(super) fn add(&mut self, actor: ActorId, player: &'a Player) {
        let Some(loaded) = &player.loaded else { return };
        let drawables = &loaded.rig().palette_layout().drawables;
        let hidden = &loaded.hidden_drawables;
        let stride = if hidden.len() > drawables.len() { drawables.len() } else { 0 };
        for (index, drawable) in drawables.iter().enumerate() {
            let primitives = &loaded.rig().model().mesh(drawable.mesh).primitives;
            for (primitive, source) in primitives.iter().enumerate() {
                if source.topology != Topology::Triangles || source.indices.is_empty() {
                    continue;
                }
                let boxes = VertexBoxes::new(source, drawable);
                for character in 0..player.characters.len() {
                    let is_hidden = hidden.get(character * stride + index) == Some(&true);
                    if is_hidden || loaded.absent.get(character) == Some(&true) {
                        continue;
                    }
                    let Some(part) = Part::new(loaded, character, index, primitive) else { continue };
                    let Some(in_model) = boxes.in_pose(part.skinning(), drawable, part.rows) else {
                        continue;
                    };
                    if let Some(entry) = entry(&self.ray, &moved(&in_model, &part.world_from_model())) {
                        let order = self.crossed.len();
                        self.crossed.push(Crossed {
                            actor,
                            player,
                            character,
                            drawable: index,
                            primitive,
                            entry,
                            order,
                        });
                    }
                }
            }
        }
    }

    /// Returns the nearest hit that `accept` accepts. Of several at one distance, it is the one that is drawn first.
    pub(super) fn nearest(mut self, accept: &mut dyn FnMut(&Hit, &Part<'_>) -> bool) -> Option<Hit> {
        sort(&mut self.crossed, |a, b| (a.entry, a.order) < (b.entry, b.order));
        let mut nearest: Option<(Hit, usize)> = None;
        let mut corners = Vec::new();
        for crossed in &self.crossed {
            if nearest.is_some_and(|(hit, _)| hit.distance < crossed.entry) {
                break;
            }
            let Some(loaded) = &crossed.player.loaded else { continue };
            let part = Part::new(loaded, crossed.character, crossed.drawable, crossed.primitive);
            let Some(part) = part else { continue };
            let posed = part.posed();
            let world_from_model = part.world_from_model();
            corners.clear();
            corners.extend((0..part.primitive.positions.len()).map(|vertex| {
                let from_origin = world_from_model.transform_point3(posed.position(vertex)) - self.ray.origin;
                Vec3::new(
                    from_origin.dot(self.right),
                    from_origin.dot(self.up),
                    from_origin.dot(self.ray.direction),
                )
            }));
            let mirrored = posed.is_mirrored() != (world_from_model.matrix3.determinant() < 0.0);
            let material = material_of(part.primitive, crossed.player.variant);
            let materials = &loaded.rig().model().materials;
            let double_sided = material
                .and_then(|material| materials.get(material.get()))
                .is_some_and(|own| own.double_sided);
            let (triangles, _) = part.primitive.indices.as_chunks::<3>();
            for (triangle, vertices) in triangles.iter().enumerate() {
                let [Some(&a), Some(&b), Some(&c)] = vertices.map(|vertex| corners.get(vertex as usize))
                else {
                    continue;
                };
                let Some((shares, distance, clockwise)) = crossing(a, b, c) else { continue };
                let is_back = clockwise != mirrored;
                let [from, to] = self.ray.range;
                let is_nearer = match &nearest {
                    None => true,
                    Some((hit, order)) => {
                        distance < hit.distance || (distance == hit.distance && crossed.order < *order)
                    }
                };
                if !(is_nearer && distance >= from && distance <= to) || (is_back && !double_sided) {
                    continue;
                }
                let hit = Hit {
                    actor: crossed.actor,
                    character: crossed.character,
                    drawable: crossed.drawable,
                    primitive: crossed.primitive,
                    triangle,
                    shares,
                    distance,
                    is_back,
                };
                if accept(&hit, &part) {
                    nearest = Some((hit, crossed.order));
                }
            }
        }
        nearest.map(|(hit, _)| hit)
    }
}

/// Returns the barycentric coordinates and the distance at which the ray crosses a triangle, and whether its corners
/// are clockwise. x and y are distances from the ray, z is along the ray.
///
/// Triangles with a common edge leave no gap: the products of the edge differ in their sign alone (Woop et al.,
/// “Watertight Ray/Triangle Intersection”).
fn crossing(a: Vec3, b: Vec3, c: Vec3) -> Option<([f32; 3], f32, bool)> {
    let across = |from: Vec3, to: Vec3| from.x * to.y - from.y * to.x;
    let (u, v, w) = (across(b, c), across(c, a), across(a, b));
    let clockwise = u <= 0.0 && v <= 0.0 && w <= 0.0;
    if !(clockwise || (u >= 0.0 && v >= 0.0 && w >= 0.0)) {
        return None;
    }
    let sum = u + v + w;
    let shares = [u / sum, v / sum, w / sum];
    let distance = shares[0] * a.z + shares[1] * b.z + shares[2] * c.z;
    // A triangle that is seen from its edge has no area; that is not a number.
    distance.is_finite().then_some((shares, distance, clockwise))
}

/// Returns the distance at which a ray enters a box, or where it begins if that is inside. `None` if it misses the box.
fn entry(ray: &Ray, aabb: &Aabb) -> Option<f32> {
    let [mut from, mut to] = ray.range;
    for axis in 0..3 {
        let (origin, direction) = (ray.origin[axis], ray.direction[axis]);
        let (below, above) = (aabb.min[axis] - origin, aabb.max[axis] - origin);
        if direction == 0.0 {
            if below > 0.0 || above < 0.0 {
                return None;
            }
            continue;
        }
        let (one, other) = (below / direction, above / direction);
        // `max` and `min` ignore what isn't a number.
        from = from.max(one.min(other));
        to = to.min(one.max(other));
    }
    (from <= to).then_some(from)
}

/// Returns a box around a moved one.
fn moved(aabb: &Aabb, world_from_model: &Affine3A) -> Aabb {
    let corners = aabb.corners().map(|corner| world_from_model.transform_point3(corner));
    let moved = Aabb::around(corners).unwrap_or(*aabb);
    // Some roundings of the largest number.
    let rounding = moved.min.abs().max(moved.max.abs()).max_element() * 1e-6;
    Aabb { min: moved.min - rounding, max: moved.max + rounding }
}
