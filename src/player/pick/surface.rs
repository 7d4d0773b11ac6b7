//! Points of a surface that move with it.

use super::Part;
use crate::animation::{PosedPrimitive, turned_normal};
use crate::model::NodeIndex;
use crate::player::{ActorId, Player};
use glam::{Affine3A, Mat3, Vec3, Vec4};

/// A point of a triangle, which moves with the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    pub actor: ActorId,
    pub character: usize,
    /// Node whose mesh it belongs to.
    pub node: NodeIndex,
    /// Index of the primitive in the mesh.
    pub primitive: usize,
    /// Index of the triangle in the primitive.
    pub triangle: usize,
    /// Weights of the second and third corner. That of the first is what is missing to 1.
    pub shares: [f32; 2],
}

impl Player {
    /// Returns the position and the normal in the world of a point of a surface, in the current pose. The normal has
    /// unit length and points to the front of the surface.
    ///
    /// Returns `None` if the actor, its model or the character lacks the point. A hidden surface has its place, too.
    #[inline(never)]
    pub fn surface_point(&mut self, surface: &SurfacePoint) -> Option<(Vec3, Vec3)> {
        self.pose();
        let player = self.actor(surface.actor).ok()?;
        player.check_character(surface.character).ok()?;
        let loaded = player.loaded.as_ref()?;
        let mut drawables = loaded.rig().palette_layout().drawables.iter();
        let drawable = drawables.position(|drawable| drawable.node == surface.node)?;
        let part = Part::new(loaded, surface.character, drawable, surface.primitive)?;
        let [second, third] = surface.shares;
        part.point_and_normal(&part.posed(), surface.triangle, [1.0 - second - third, second, third])
    }
}

impl Part<'_> {
    pub(super) fn world_from_model(&self) -> Affine3A {
        let [x, y, z] = std::array::from_fn(|row| self.rows.get(row).copied().unwrap_or(Vec4::ZERO));
        Affine3A::from_cols_array_2d(&std::array::from_fn(|column| [x[column], y[column], z[column]]))
    }

    /// Returns the position and the normal in the world of a point of a triangle.
    pub(super) fn point_and_normal(
        &self,
        posed: &PosedPrimitive<'_>,
        triangle: usize,
        shares: [f32; 3],
    ) -> Option<(Vec3, Vec3)> {
        let corners = self.corners(triangle)?;
        let world_from_model = self.world_from_model();
        let at = corners.map(|vertex| world_from_model.transform_point3(posed.position(vertex)));
        let mut point = Vec3::ZERO;
        let mut normal = Vec3::ZERO;
        for ((position, vertex), share) in at.into_iter().zip(corners).zip(shares) {
            point += position * share;
            if !self.primitive.normals.is_empty() {
                normal += posed.normal(vertex) * share;
            }
        }
        let linear = Mat3::from(world_from_model.matrix3);
        let normal = turned_normal(&linear, normal);
        if normal != Vec3::ZERO {
            return Some((point, normal));
        }
        let flat = (at[1] - at[0]).cross(at[2] - at[0]).normalize_or(Vec3::Y);
        let mirrored = posed.is_mirrored() != (linear.determinant() < 0.0);
        Some((point, if mirrored { -flat } else { flat }))
    }
}
