//! Writers of ETC1S blocks in other formats.
use super::codebooks::Selector;
use super::fit::{Fit, FitCache, Scale, eac, ramp};
use super::slice::Block;
use crate::decode::ktx2::Target;
use crate::decode::ktx2::astc;
use crate::decode::ktx2::bc7::Bc7;
use crate::decode::ktx2::bc7_solid::SolidBc7;
use crate::decode::ktx2::bits::{at, low_byte};
use crate::decode::ktx2::etc::{Eac, etc1_texels};
use crate::decode::ktx2::output::Output;
use crate::decode::ktx2::uastc::block as uastc;
use crate::decode::ktx2::uastc::range::Range;

/// Weights of the indices of two bits in BC7 and ASTC, of four bits in both, and of BC1's, which have an order of
/// their own.
const WEIGHTS_2: [u8; 4] = [0, 21, 43, 64];
const WEIGHTS_4: [u8; 16] = [0, 4, 8, 13, 17, 21, 25, 29, 35, 39, 43, 47, 51, 56, 60, 64];
const WEIGHTS_BC1: [u8; 4] = [0, 64, 21, 43];

/// Writers of one target with what they keep between blocks.
pub(super) struct BlockWriters {
    colors: FitCache,
    /// Colours of blocks that have alpha too.
    colors_beside_alpha: FitCache,
    alphas: FitCache,
    /// Values of the ends of ramps: those of the target, of fewer bits, and all.
    fine: AstcScale,
    coarse: AstcScale,
    scales: [Scale; 3],
    solid: SolidBc7,
}

/// The values of a range of ASTC, ascending, and their codes.
#[derive(Default)]
struct AstcScale {
    values: Scale,
    codes: Vec<u8>,
}

impl AstcScale {
    fn new(range: Range, digits: u8, bits: u8) -> Self {
        let mut pairs: Vec<_> = (0..digits << bits).map(|code| (range.value(code), code)).collect();
        pairs.sort_unstable();
        let (values, codes) = pairs.into_iter().unzip();
        Self { values, codes }
    }

    fn code(&self, place: u8) -> u8 {
        at(&self.codes, usize::from(place))
    }
}

impl BlockWriters {
    pub(super) fn new(target: Target) -> Self {
        let (mut fine, mut coarse) = (AstcScale::default(), AstcScale::default());
        let scale = |count: u32, of: fn(u32) -> u32| (0..count).map(of).map(low_byte).collect();
        let scales = match target {
            Target::Bc1 => [scale(32, |x| x << 3 | x >> 2), scale(64, |x| x << 2 | x >> 4), Scale::new()],
            _ => [scale(128, |x| x << 1 | 1), scale(128, |x| x << 1 | x >> 6), scale(256, |x| x)],
        };
        if target == Target::Astc4x4 {
            fine = AstcScale::new(Range::L192, 3, 6);
            coarse = AstcScale::new(Range::L48, 3, 4);
        }
        Self {
            colors: FitCache::new(),
            colors_beside_alpha: FitCache::new(),
            alphas: FitCache::new(),
            fine,
            coarse,
            scales,
            solid: SolidBc7::new(target == Target::Bc7),
        }
    }

    /// Writes the next block of a picture.
    pub(super) fn write(&mut self, color: &Block, alpha: Option<&Block>, output: &mut Output) {
        match output.target {
            Target::Rgba8 => output.texels(&texels(color, alpha)),
            Target::Bc1 => output.block(&self.bc1(color)),
            Target::Bc7 => output.block(&self.bc7(color, alpha)),
            Target::Etc2Rgb8 => output.block(&etc1(color)),
            Target::Etc2Rgba8 => {
                output.block(&self.eac(alpha));
                output.block(&etc1(color));
            }
            Target::Astc4x4 => output.block(&self.astc(color, alpha)),
        }
    }

    fn bc1(&mut self, block: &Block) -> [u8; 8] {
        let [five, six, _] = &self.scales;
        let Fit { low, high, indices } =
            self.colors.get(block, |levels, used| ramp(levels, used, [five, six, five], &WEIGHTS_BC1));
        let pack =
            |[red, green, blue]: [u8; 3]| u16::from(red) << 11 | u16::from(green) << 5 | u16::from(blue);
        let (mut first, mut second) = (pack(low), pack(high));
        // The first colour must be the greater one: a block of four colours has no transparent ones.
        let flip = if first < second { 1 } else { 0 };
        if first < second {
            std::mem::swap(&mut first, &mut second);
        }
        let codes = match first == second {
            true => 0,
            false => {
                let (_, selector) = block;
                (0..16).fold(0, |codes, texel| {
                    codes | u32::from(at(&indices, selector.level(texel)) ^ flip) << (2 * texel)
                })
            }
        };
        let ([a, b], [c, d], [e, f, g, h]) = (first.to_le_bytes(), second.to_le_bytes(), codes.to_le_bytes());
        [a, b, c, d, e, f, g, h]
    }

    fn bc7(&mut self, color: &Block, alpha: Option<&Block>) -> [u8; 16] {
        if let Some(solid) = solid(color, alpha) {
            return self.solid.write(solid);
        }
        let [odd, even, all] = &self.scales;
        let mut out = Bc7::default();
        match alpha.filter(|alpha| !is_opaque(alpha)) {
            None => {
                let fit = self.colors.get(color, |levels, used| ramp(levels, used, [odd; 3], &WEIGHTS_4));
                out.mode = 6;
                out.lowest = [[1; 2]; 3];
                out.ends = [with_alpha(fit, 127, 127), [[0; 4]; 2], [[0; 4]; 2]];
                out.indices = color.1.indices(fit);
            }
            Some(alpha) => {
                let fit = self
                    .colors_beside_alpha
                    .get(color, |levels, used| ramp(levels, used, [even; 3], &WEIGHTS_2));
                let alphas =
                    self.alphas.get(alpha, |levels, used| ramp(green(levels), used, [all; 3], &WEIGHTS_2));
                out.mode = 5;
                out.ends = [with_alpha(fit, alphas.low[0], alphas.high[0]), [[0; 4]; 2], [[0; 4]; 2]];
                out.indices = color.1.indices(fit);
                out.alphas = alpha.1.indices(alphas);
            }
        }
        out.write()
    }

    fn astc(&mut self, color: &Block, alpha: Option<&Block>) -> [u8; 16] {
        if let Some(solid) = solid(color, alpha) {
            return astc::solid(solid);
        }
        match alpha.filter(|alpha| !is_opaque(alpha)) {
            None => {
                let scale = &self.fine;
                let fit =
                    self.colors.get(color, |levels, used| ramp(levels, used, [&scale.values; 3], &WEIGHTS_4));
                let mut out = uastc::Block::of(0, &uastc::MODES[0]);
                let pairs = fit.low.into_iter().zip(fit.high);
                for (to, (low, high)) in out.endpoints.as_chunks_mut().0.iter_mut().zip(pairs) {
                    *to = [scale.code(low), scale.code(high)];
                }
                let (weights, _) = out.weights.split_at_mut(16);
                weights.copy_from_slice(&color.1.indices(fit));
                astc::write(out)
            }
            Some(alpha) => {
                let scale = &self.coarse;
                let fit = self
                    .colors_beside_alpha
                    .get(color, |levels, used| ramp(levels, used, [&scale.values; 3], &WEIGHTS_2));
                let alphas = self
                    .alphas
                    .get(alpha, |levels, used| ramp(green(levels), used, [&scale.values; 3], &WEIGHTS_2));
                let mut out = uastc::Block::of(11, &uastc::MODES[11]);
                out.second_plane = 3;
                let pairs = fit.low.into_iter().zip(fit.high).chain([(alphas.low[0], alphas.high[0])]);
                for (to, (low, high)) in out.endpoints.as_chunks_mut().0.iter_mut().zip(pairs) {
                    *to = [scale.code(low), scale.code(high)];
                }
                let weights = color.1.indices(fit).into_iter().zip(alpha.1.indices(alphas));
                for (to, (color, alpha)) in out.weights.as_chunks_mut().0.iter_mut().zip(weights) {
                    *to = [color, alpha];
                }
                astc::write(out)
            }
        }
    }

    fn eac(&mut self, alpha: Option<&Block>) -> [u8; 8] {
        let Some(alpha) = alpha else { return Eac::flat(255).write([Eac::FLAT; 16]) };
        let fit = self.alphas.get(alpha, eac);
        let [base, table, multiplier] = fit.low;
        Eac { base, table, multiplier }.write(alpha.1.indices(fit))
    }
}

impl Selector {
    /// Returns the level of a texel.
    fn level(&self, texel: usize) -> usize {
        (self.texels >> (2 * texel) & 3) as usize
    }

    /// Returns the index of each texel.
    fn indices(&self, fit: Fit) -> [u8; 16] {
        std::array::from_fn(|texel| at(&fit.indices, self.level(texel)))
    }
}

fn texels((endpoint, selector): &Block, alpha: Option<&Block>) -> [[u8; 4]; 16] {
    let levels = endpoint.levels();
    let alphas = alpha.map(|(endpoint, selector)| (endpoint.levels(), selector));
    std::array::from_fn(|texel| {
        let [red, green, blue] = at(&levels, selector.level(texel));
        let alpha = alphas.as_ref().map_or(255, |(levels, selector)| {
            let [_, green, _] = at(levels, selector.level(texel));
            green
        });
        [red, green, blue, alpha]
    })
}

/// Writes a block as it is.
fn etc1((endpoint, selector): &Block) -> [u8; 8] {
    let [red, green, blue] = endpoint.base.map(|value| value << 3);
    let [a, b, c, d] = etc1_texels(selector.texels);
    // The second half has the same colour and the same table.
    [red, green, blue, endpoint.table << 5 | endpoint.table << 2 | 2, a, b, c, d]
}

/// Returns the colour of a block that has a single one.
fn solid(color: &Block, alpha: Option<&Block>) -> Option<[u8; 4]> {
    let single = |(endpoint, selector): &Block| {
        selector.used.is_power_of_two().then(|| at(&endpoint.levels(), selector.level(0)))
    };
    let [red, green, blue] = single(color)?;
    let alpha = match alpha {
        None => 255,
        Some(alpha) => {
            let [_, green, _] = single(alpha)?;
            green
        }
    };
    Some([red, green, blue, alpha])
}

/// Returns whether a block of alpha is 255 everywhere.
fn is_opaque((endpoint, selector): &Block) -> bool {
    let levels = endpoint.levels();
    (0..4).zip(levels).all(|(level, [_, green, _])| selector.used >> level & 1 == 0 || green == 255)
}

fn green(levels: [[u8; 3]; 4]) -> [[u8; 3]; 4] {
    levels.map(|[_, green, _]| [green; 3])
}

fn with_alpha(fit: Fit, low: u8, high: u8) -> [[u8; 4]; 2] {
    let add = |[red, green, blue]: [u8; 3], alpha: u8| [red, green, blue, alpha];
    [add(fit.low, low), add(fit.high, high)]
}
