//! The fraction of light that a rough surface reflects: GGX's facets with Smith's height-correlated shadowing, averaged
//! over all directions of the light, which is the same from everywhere.

use crate::angle::sin_cos;
use glam::Vec3A;
use std::f32::consts::TAU;

/// Numbers of columns and rows of the table. Columns are cosines towards the viewer, rows are roughnesses.
pub const TABLE_SIZE: [usize; 2] = [32, 16];

const SAMPLE_COUNT: u32 = 32;

/// Returns the table as RGBA pixels: red is the factor of the specular colour, green what is added to it.
pub fn table() -> Vec<u8> {
    let [columns, rows] = TABLE_SIZE;
    let points = points(SAMPLE_COUNT);
    let mut pixels = Vec::with_capacity(columns * rows * 4);
    for index in 0..columns * rows {
        let facing = ((index % columns) as f32 + 0.5) / columns as f32;
        let roughness = ((index / columns) as f32 + 0.5) / rows as f32;
        let [factor, addend] = reflectance(roughness, facing, &points);
        pixels.extend([factor, addend, 0.0, 1.0].map(|share| (share * 255.0 + 0.5) as u8));
    }
    pixels
}

/// Returns factor and addend of the specular colour, with Schlick's Fresnel, by a facet for each of some even points.
/// Facets are distributed like those that the viewer sees (Heitz 2018).
pub fn reflectance(roughness: f32, facing: f32, points: &[[f32; 3]]) -> [f32; 2] {
    let alpha = roughness * roughness;
    let viewer = Vec3A::new((1.0 - facing * facing).sqrt(), 0.0, facing);
    // The viewer in a space in which facets are those of a hemisphere.
    let stretched = (viewer * Vec3A::new(alpha, 1.0, 1.0)).normalize();
    let up = Vec3A::new(-stretched.z, 0.0, stretched.x);
    let squeezed = 0.5 * (1.0 + stretched.z);
    // What Smith's shadowing has of a cosine: the square root of 1 + α² tan².
    let reach = |cosine: f32| (1.0 + alpha * alpha * (1.0 / (cosine * cosine) - 1.0)).sqrt();
    let mut sums = [0.0; 2];
    for &[high, turn_sin, turn_cos] in points {
        let across = high.sqrt() * turn_cos;
        let along = (1.0 - squeezed) * (1.0 - across * across).sqrt() + squeezed * high.sqrt() * turn_sin;
        let ahead = (1.0 - across * across - along * along).max(0.0).sqrt();
        let facet = across * Vec3A::Y + along * up + ahead * stretched;
        let facet = (facet * Vec3A::new(alpha, alpha, 1.0)).max(Vec3A::new(-1.0, -1.0, 0.0)).normalize();
        let towards_facet = viewer.dot(facet);
        let lit = 2.0 * towards_facet * facet.z - facing;
        if lit > 0.0 {
            let share = (1.0 + reach(facing)) / (reach(facing) + reach(lit));
            let past = 1.0 - towards_facet;
            let fresnel = past * past * past * past * past;
            sums[0] += share * (1.0 - fresnel);
            sums[1] += share * fresnel;
        }
    }
    sums.map(|sum| sum / points.len() as f32)
}

/// Returns Hammersley's set of points, which are even in both coordinates: a number from 0 to 1, and the sine and
/// cosine of an angle.
pub fn points(count: u32) -> Vec<[f32; 3]> {
    let point = |index: u32| {
        let (sin, cos) = sin_cos(TAU * (index.reverse_bits() as f32 / u32::MAX as f32));
        [(index as f32 + 0.5) / count as f32, sin, cos]
    };
    (0..count).map(point).collect()
}
