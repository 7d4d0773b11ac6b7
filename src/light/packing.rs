//! Texels of 32 bits with a shared exponent: 9 bits for each colour, 5 for the exponent. GPUs name the format RGB9E5.

use glam::Vec3A;

/// The largest light that a texel can have: 511/512 · 2¹⁶.
const MOST: f32 = 65_408.0;

/// Returns light as a texel. Negative numbers and NaN become 0.
pub fn packed(light: Vec3A) -> u32 {
    let parts = light.to_array().map(|part| if part > 0.0 { part.min(MOST) } else { 0.0 });
    let most = parts[0].max(parts[1]).max(parts[2]);
    // By the bits of floats: the exponent of the largest part, and a power of two.
    let exponent = |number: f32| ((number.to_bits() >> 23) as i32 - 127).max(-16) + 16;
    let scale_of = |exponent: i32| f32::from_bits(((127 + 24 - exponent) as u32) << 23);
    let mut shared = exponent(most);
    if most * scale_of(shared) >= 511.5 {
        shared += 1;
    }
    let scale = scale_of(shared);
    let [r, g, b] = parts.map(|part| (part * scale + 0.5) as u32);
    r | g << 9 | b << 18 | (shared as u32) << 27
}

/// Returns the light of a texel.
pub fn unpacked(texel: u32) -> Vec3A {
    let scale = f32::from_bits((103 + (texel >> 27)) << 23);
    Vec3A::from_array([0, 9, 18].map(|shift| (texel >> shift & 511) as f32 * scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_is_kept_to_half_a_step() {
        for light in [
            Vec3A::ZERO,
            Vec3A::ONE,
            Vec3A::new(0.999_9, 0.5, 0.001),
            Vec3A::new(6.6, 6.2, 5.7),
            Vec3A::new(1e-6, 2e-5, 0.0),
            Vec3A::new(60_000.0, 3.0, 200.0),
        ] {
            let apart = (unpacked(packed(light)) - light).abs().max_element();
            assert!(apart <= light.max_element().max(3e-5) / 511.0, "{light}: {apart}");
        }
    }

    #[test]
    fn every_number_becomes_a_texel() {
        for (light, kept) in [
            (f32::NAN, 0.0),
            (f32::INFINITY, MOST),
            (f32::NEG_INFINITY, 0.0),
            (-1.0, 0.0),
            (f32::MAX, MOST),
            (f32::MIN_POSITIVE, 0.0),
        ] {
            assert_eq!(unpacked(packed(Vec3A::splat(light))), Vec3A::splat(kept), "{light}");
        }
    }
}
