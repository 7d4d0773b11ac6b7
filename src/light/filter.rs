//! Light that rough surfaces reflect: an average over the directions of the reflection lobe. As usual, the lobe is that
//! of a surface seen straight on, so that it depends on the reflected direction alone.

use super::Care;
use super::octahedron::direction_at;
use super::texels::{Texels, enlarged};
use crate::angle::sin_cos;
use glam::Vec3A;
use std::f32::consts::{PI, TAU};

/// Number of levels of an environment's map. The first is sharp, the last has 16 texels a side.
pub const LEVEL_COUNT: usize = 5;
/// Side of the sharp level in texels.
pub const SIDE: usize = 16 << (LEVEL_COUNT - 1);

/// Number of directions that are averaged, by level, for rooms. The lobe of the second level is about as wide as its
/// texels.
const SAMPLE_COUNTS: [u32; LEVEL_COUNT] = [0, 0, 32, 64, 96];
/// The same for drafts. Levels with few texels take little time.
const DRAFT_COUNTS: [u32; LEVEL_COUNT] = [0, 0, 4, 10, 32];

/// Returns the roughness of a level. `environment.wgsl` has the inverse.
pub fn roughness_of(level: usize) -> f32 {
    (level * (level + 1)) as f32 / ((LEVEL_COUNT - 1) * LEVEL_COUNT) as f32
}

/// A direction of the reflection lobe, whose axis is z.
struct Sample {
    direction: Vec3A,
    share: f32,
    /// Index of the square whose texels are about as large as the part of the lobe that the sample stands for.
    source: usize,
}

/// Returns the texels of a level: `sources` averaged over the lobe of the level's roughness. `contrast` is a factor on
/// the number of directions. In a draft, 2 by 2 texels have the light of their centre, except for the last level.
#[inline(never)] // `docs/START.md` says why.
pub(super) fn blurred(sources: &[Texels], level: usize, contrast: u32, care: Care) -> Vec<Vec3A> {
    // The level's texels have the places of the source of its size.
    let own = &sources[level - 1];
    let count = contrast
        * match care {
            Care::Draft => DRAFT_COUNTS[level],
            Care::Full => SAMPLE_COUNTS[level],
        };
    if count == 0 {
        return own.light.clone();
    }
    let computed = match care {
        Care::Draft => &sources[level.min(sources.len() - 1)],
        Care::Full => own,
    };
    let samples = samples(roughness_of(level), count, sources);
    let of_texel = |index| {
        let axis = direction_at(computed.place(index)).normalize();
        let (right, up) = axis.any_orthonormal_pair();
        let light_of = |Sample { direction, share, source }: &Sample| {
            let direction = right * direction.x + up * direction.y + axis * direction.z;
            sources[*source].light_from(direction) * *share
        };
        samples.iter().map(light_of).sum()
    };
    let light: Vec<Vec3A> = (0..computed.light.len()).map(of_texel).collect();
    enlarged(&light, computed.side, own.side)
}

/// Returns directions that are distributed like the facets of GGX that reflect towards them.
fn samples(roughness: f32, count: u32, sources: &[Texels]) -> Vec<Sample> {
    let alpha = roughness * roughness;
    let alpha2 = alpha * alpha;
    let mut samples = Vec::new();
    for [high, turn_sin, turn_cos] in points(count) {
        let cos2 = (1.0 - high) / (1.0 + (alpha2 - 1.0) * high);
        let facing = 2.0 * cos2 - 1.0;
        if facing <= 0.0 {
            continue;
        }
        let lobe = cos2 * (alpha2 - 1.0) + 1.0;
        let density = alpha2 / (PI * lobe * lobe) / 4.0;
        // Each source has a quarter of the texels of the previous one.
        let mut texels_of_part = 2.0 * sources[0].light.len() as f32 / (4.0 * PI * count as f32 * density);
        let mut source = 0;
        while texels_of_part >= 4.0 && source + 1 < sources.len() {
            texels_of_part /= 4.0;
            source += 1;
        }
        let aside = 2.0 * (cos2 * (1.0 - cos2)).sqrt();
        let direction = Vec3A::new(aside * turn_cos, aside * turn_sin, facing);
        samples.push(Sample { direction, share: facing, source });
    }
    let whole: f32 = samples.iter().map(|sample| sample.share).sum();
    samples.iter_mut().for_each(|sample| sample.share /= whole);
    samples
}

/// Returns Hammersley's set of points, which are even in both coordinates: a number from 0 to 1, and the sine and
/// cosine of an angle.
fn points(count: u32) -> impl Iterator<Item = [f32; 3]> {
    (0..count).map(move |index| {
        let (sin, cos) = sin_cos(TAU * (index.reverse_bits() as f32 / u32::MAX as f32));
        [(index as f32 + 0.5) / count as f32, sin, cos]
    })
}
