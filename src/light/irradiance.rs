//! Light that matt surfaces reflect: spherical harmonics of the second degree, and a map of it.

use super::octahedron::{direction_at, solid_angle_at};
use super::packing::packed;
use super::texels::Texels;
use glam::{Vec2, Vec3A};
use std::f32::consts::PI;

/// The coefficients of the harmonics.
type Irradiance = [Vec3A; 9];

/// Side of the map in texels.
pub const MATT_SIDE: usize = 64;

/// Returns the terms of a unit direction. The light that a white surface reflects is their sum with the coefficients
/// as factors.
fn terms(direction: Vec3A) -> [f32; 9] {
    let [x, y, z] = direction.to_array();
    [1.0, x, y, z, x * y, y * z, x * z, 3.0 * z * z - 1.0, x * x - y * y]
}

/// Returns the coefficients of an environment.
#[inline(never)] // `docs/START.md` says why.
pub(super) fn of(texels: &Texels) -> Irradiance {
    let mut sums = [Vec3A::ZERO; 9];
    let mut whole = 0.0;
    for (index, light) in texels.light.iter().enumerate() {
        let place = texels.place(index);
        let solid_angle = solid_angle_at(place);
        whole += solid_angle;
        for (sum, term) in sums.iter_mut().zip(terms(direction_at(place).normalize())) {
            *sum += *light * (term * solid_angle);
        }
    }
    for (sum, factor) in sums.iter_mut().zip(factors()) {
        *sum *= 4.0 * PI * factor / whole;
    }
    sums
}

/// Returns packed texels of the light by direction, with sides of [`MATT_SIDE`]. A software GPU compiles a shader that
/// reads them in less time than one that has the terms. The texels lie half a texel further to the right and down than
/// those of other maps: edges of the octahedron then pass through their centres, and interpolation doesn't round them
/// off.
#[inline(never)] // `docs/START.md` says why.
pub(super) fn map(irradiance: &Irradiance) -> Vec<u32> {
    let light_at = |index| {
        let place = Vec2::new((index % MATT_SIDE) as f32, (index / MATT_SIDE) as f32) / MATT_SIDE as f32;
        let terms = terms(direction_at(place).normalize());
        packed(irradiance.iter().zip(terms).map(|(light, term)| *light * term).sum())
    };
    (0..MATT_SIDE * MATT_SIDE).map(light_at).collect()
}

/// Returns the factors of the sums: the squares of the harmonics' constants, times 1, 2/3 and 1/4 by degree, which is
/// what a surface's cosine leaves of them.
fn factors() -> [f32; 9] {
    let [first, second] = [3.0 / (4.0 * PI) * (2.0 / 3.0), 15.0 / (4.0 * PI) / 4.0];
    let [zz, xx_yy] = [5.0 / (16.0 * PI) / 4.0, 15.0 / (16.0 * PI) / 4.0];
    [1.0 / (4.0 * PI), first, first, first, second, second, second, zz, xx_yy]
}

#[cfg(test)]
mod tests {
    use super::super::octahedron::place_of;
    use super::super::packing::unpacked;
    use super::*;

    #[test]
    fn the_map_has_what_the_terms_say() {
        let mut irradiance = [Vec3A::ZERO; 9];
        for (index, light) in irradiance.iter_mut().enumerate() {
            *light = Vec3A::new(0.1, 0.2, -0.15) * [8.0, 2.0, 3.0, -1.0, 1.5, -1.0, 0.5, 0.7, 0.6][index];
        }
        irradiance[0] = Vec3A::splat(1.6);
        let texels = map(&irradiance);
        for index in 0..10_000 {
            let [up, around] = [(index / 100) as f32 / 49.5 - 1.0, (index % 100) as f32 / 16.0];
            let across = (1.0 - up * up).max(0.0).sqrt();
            let normal = Vec3A::new(across * around.cos(), up, across * around.sin());
            let expected: Vec3A =
                irradiance.iter().zip(terms(normal)).map(|(light, term)| *light * term).sum();
            let place = place_of(normal) * MATT_SIDE as f32;
            let corner = place.floor();
            let texel = |x: f32, y: f32| {
                let at = (corner + Vec2::new(x, y)).min(Vec2::splat(MATT_SIDE as f32 - 1.0));
                unpacked(texels[at.y as usize * MATT_SIDE + at.x as usize])
            };
            let row = |y| texel(0.0, y).lerp(texel(1.0, y), place.x - corner.x);
            let found = row(0.0).lerp(row(1.0), place.y - corner.y);
            assert!((found - expected).abs().max_element() < 0.008, "{normal}: {found}, not {expected}");
        }
    }
}
