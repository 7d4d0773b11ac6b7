//! Light that matt surfaces reflect, as nine coefficients: spherical harmonics of the second degree.

use super::octahedron::{direction_at, solid_angle_at};
use super::texels::Texels;
use glam::Vec3A;
use std::f32::consts::PI;

pub(super) type Irradiance = [Vec3A; 9];

/// Returns the terms of a unit direction. The light that a white surface reflects is their sum with the coefficients
/// as factors. `environment.wgsl` repeats it.
pub fn terms(direction: Vec3A) -> [f32; 9] {
    let [x, y, z] = direction.to_array();
    [1.0, x, y, z, x * y, y * z, x * z, 3.0 * z * z - 1.0, x * x - y * y]
}

/// Returns the coefficients of an environment.
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

/// Returns the factors of the sums: the squares of the harmonics' constants, times 1, 2/3 and 1/4 by degree, which is
/// what a surface's cosine leaves of them.
fn factors() -> [f32; 9] {
    let [first, second] = [3.0 / (4.0 * PI) * (2.0 / 3.0), 15.0 / (4.0 * PI) / 4.0];
    let [zz, xx_yy] = [5.0 / (16.0 * PI) / 4.0, 15.0 / (16.0 * PI) / 4.0];
    [1.0 / (4.0 * PI), first, first, first, second, second, second, zz, xx_yy]
}
