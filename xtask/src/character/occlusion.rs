//! Darkens the paint where one part of the character is close to another: under the chin, the scarf and the hem, at
//! the roots of ears and horns. The shade is computed at rest and stored in the vertex colours.

use glam::Vec3;

use super::{accessories, body, hair::Hair, head, materials::Material, surface::Surface};

/// Distances from the surface at which the space in front of it is measured, with the weight of each.
const PROBES: [(f32, f32); 4] = [(0.010, 0.16), (0.024, 0.28), (0.046, 0.32), (0.075, 0.24)];
/// Share of a probe's distance that must be free. It is below 1, because fields only approximate distances.
const FREE: f32 = 0.82;
/// Factor for the shade of points inside a solid.
const BURIED: f32 = 0.45;
/// Colour of the light that remains in the deepest corner. Skin and wool pass on some red.
const DEEPEST: Vec3 = Vec3::new(0.36, 0.26, 0.25);

/// The solids that take light from each other.
pub(super) struct Shade {
    hair: Hair,
}

impl Shade {
    pub(super) fn new() -> Shade {
        Shade { hair: Hair::new() }
    }

    fn field(&self, p: Vec3) -> f32 {
        head::solid(p).min(self.hair.field(p)).min(body::solid(p)).min(accessories::solid(p))
    }

    /// Returns how much of the space in front of a point is filled, from 0 to 1.
    fn at(&self, position: Vec3, normal: Vec3) -> f32 {
        // Points inside another solid aren't seen, but the colour between them and their neighbours is.
        let buried = self.field(position) < -0.005;
        let shade: f32 = PROBES
            .iter()
            .map(|&(reach, weight)| {
                let free = self.field(position + normal * reach).max(0.0);
                weight * (1.0 - free / (FREE * reach)).clamp(0.0, 1.0)
            })
            .sum();
        if buried { shade * BURIED } else { shade }
    }

    /// Darkens the vertices of a surface. Eyes are left out, since their lids move over them.
    pub(super) fn shade(&self, material: Material, surface: &mut Surface) {
        if matches!(material, Material::Eye | Material::Glint) {
            return;
        }
        for vertex in &mut surface.vertices {
            let shade = self.at(vertex.position, vertex.normal);
            vertex.paint *= Vec3::ONE.lerp(DEEPEST, shade);
        }
    }
}
