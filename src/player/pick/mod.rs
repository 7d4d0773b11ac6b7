//! Picking: the nearest point of a posed surface on a ray, and the place of such a point in later poses.
//!
//! - What is drawn is picked: visible triangles of all actors and characters, front faces only unless the material is
//!   double-sided. Points and lines aren't picked.
//! - Every material is solid: cut-out and blended parts are picked where they are transparent, too.
//! - Vertices are those of the reference skinner. Primitives whose bounds in the pose miss the ray are skipped.

mod cast;
mod pins;
mod surface;

pub use pins::{Anchor, PlacedPin};
pub use surface::SurfacePoint;

use super::{ActorId, Loaded, Player};
use crate::animation::{Drawable, PosedPrimitive, Skinning};
use crate::camera::Ray;
use crate::model::{MaterialIndex, NodeIndex, Primitive, VariantIndex};
use cast::{Caster, Hit};
use glam::{Vec3, Vec4};

/// What is on a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Picked {
    pub surface: SurfacePoint,
    /// Joint with the largest weight at the point. `None` if the node moves the mesh.
    pub joint: Option<NodeIndex>,
    /// Material of the variant that is shown. `None` for the default material.
    pub material: Option<MaterialIndex>,
    /// Point in the world.
    pub point: Vec3,
    /// Normal in the world, of unit length, interpolated like that of the shading. It is that of the side that is seen.
    pub normal: Vec3,
    /// Distance from the origin of the ray.
    pub distance: f32,
}

impl Player {
    /// Returns what is nearest on a ray in the current pose. [`View::ray`](crate::camera::View::ray) returns the ray of
    /// a place in the picture.
    #[inline(never)]
    pub fn pick(&mut self, ray: &Ray) -> Option<Picked> {
        self.pose();
        let hit = self.cast(ray, &mut |_, _| true)?;
        let loaded = self.actor(hit.actor).ok()?.loaded.as_ref()?;
        let part = Part::new(loaded, hit.character, hit.drawable, hit.primitive)?;
        let posed = part.posed();
        let [_, second, third] = hit.shares;
        let (_, normal) = part.point_and_normal(&posed, hit.triangle, hit.shares)?;
        Some(Picked {
            surface: SurfacePoint {
                actor: hit.actor,
                character: hit.character,
                node: part.drawable.node,
                primitive: hit.primitive,
                triangle: hit.triangle,
                shares: [second, third],
            },
            joint: part.joint(&posed, hit.triangle, hit.shares),
            material: material_of(part.primitive, self.actor(hit.actor).ok()?.variant),
            point: ray.at(hit.distance),
            normal: if hit.is_back { -normal } else { normal },
            distance: hit.distance,
        })
    }

    /// Returns the nearest hit of a ray that `accept` accepts. The pose must be computed.
    fn cast(&self, ray: &Ray, accept: &mut dyn FnMut(&Hit, &Part<'_>) -> bool) -> Option<Hit> {
        let mut caster = Caster::new(ray);
        caster.add(ActorId::PLAYER, self);
        if self.has_company() {
            for id in self.actors() {
                if let (Ok(player), Ok(true)) = (self.actor(id), self.is_actor_visible(id)) {
                    caster.add(id, player);
                }
            }
        }
        caster.nearest(accept)
    }
}

/// A primitive of one character.
#[derive(Clone, Copy, Debug)]
struct Part<'a> {
    loaded: &'a Loaded,
    drawable: &'a Drawable,
    primitive: &'a Primitive,
    /// Index of the primitive in its mesh.
    index: usize,
    /// Rows of the character.
    rows: &'a [Vec4],
}

impl<'a> Part<'a> {
    /// `None` if there is no such primitive of triangles, or no such character.
    fn new(loaded: &'a Loaded, character: usize, drawable: usize, index: usize) -> Option<Self> {
        let rig = loaded.rig();
        let layout = rig.palette_layout();
        let drawable = layout.drawables.get(drawable)?;
        let primitive = rig.model().mesh(drawable.mesh).primitives.get(index)?;
        let rows = loaded.rows.get(character * layout.rows_per_character..)?;
        let rows = rows.get(..layout.rows_per_character)?;
        Some(Self { loaded, drawable, primitive, index, rows })
    }

    fn skinning(&self) -> Skinning {
        self.loaded.skinning(self.drawable.skin)
    }

    fn posed(&self) -> PosedPrimitive<'a> {
        PosedPrimitive::new(self.skinning(), self.loaded.rig(), self.drawable, self.index, self.rows)
    }

    /// Returns the vertices of a triangle.
    fn corners(&self, triangle: usize) -> Option<[usize; 3]> {
        let (triangles, _) = self.primitive.indices.as_chunks::<3>();
        Some(triangles.get(triangle)?.map(|vertex| vertex as usize))
    }

    /// Returns the joint that moves a point of a triangle most.
    fn joint(&self, posed: &PosedPrimitive<'_>, triangle: usize, shares: [f32; 3]) -> Option<NodeIndex> {
        let slot = posed.heaviest_slot(self.corners(triangle)?, shares)?;
        let skin = self.loaded.rig().model().skin(self.drawable.skin?);
        skin.joints.get(slot).copied()
    }
}

fn material_of(primitive: &Primitive, variant: Option<VariantIndex>) -> Option<MaterialIndex> {
    let of_variant = primitive.variants.iter().find(|(listed, _)| Some(*listed) == variant);
    of_variant.map(|(_, material)| *material).or(primitive.material)
}
