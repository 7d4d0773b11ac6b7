//! Writers of ETC1S blocks in other formats.
use super::codebooks::Selector;
use super::fit::{EacFitter, FOUR, Fit, Fitter, SIXTEEN};
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

/// Writers of one target with what they keep between blocks.
pub(super) struct BlockWriters {
    /// For blocks that are opaque, and for the green of BC1.
    colors: Fitter,
    greens: Fitter,
    /// For blocks that have alpha too.
    colors_beside_alpha: Fitter,
    alphas: Fitter,
    eac: EacFitter,
    /// The codes of the scales of ASTC.
    codes: Vec<u8>,
    codes_beside_alpha: Vec<u8>,
    solid: SolidBc7,
}

/// Returns the values of a range of ASTC, ascending, and their codes.
fn astc_scale(range: Range, levels: u8) -> (Vec<u8>, Vec<u8>) {
    let mut pairs: Vec<_> = (0..levels).map(|code| (range.value(code), code)).collect();
    pairs.sort_unstable();
    pairs.into_iter().unzip()
}

impl BlockWriters {
    pub(super) fn new(target: Target) -> Self {
        let scale = |count: u32, of: fn(u32) -> u32| (0..count).map(of).map(low_byte).collect::<Vec<_>>();
        let (mut codes, mut codes_beside_alpha) = (Vec::new(), Vec::new());
        let none = || Fitter::new(FOUR, Vec::new());
        let [colors, greens, colors_beside_alpha, alphas] = match target {
            Target::Bc1 => {
                let [five, six] = [scale(32, |x| x << 3 | x >> 2), scale(64, |x| x << 2 | x >> 4)];
                [Fitter::new(FOUR, five), Fitter::new(FOUR, six), none(), none()]
            }
            Target::Bc7 => {
                let [odd, even] = [scale(128, |x| x << 1 | 1), scale(128, |x| x << 1 | x >> 6)];
                let all = scale(256, |x| x);
                [Fitter::new(SIXTEEN, odd), none(), Fitter::new(FOUR, even), Fitter::new(FOUR, all)]
            }
            Target::Astc4x4 => {
                let (fine, coarse);
                (fine, codes) = astc_scale(Range::L192, 192);
                (coarse, codes_beside_alpha) = astc_scale(Range::L48, 48);
                let [beside, alphas] = [coarse.clone(), coarse].map(|scale| Fitter::new(FOUR, scale));
                [Fitter::new(SIXTEEN, fine), none(), beside, alphas]
            }
            _ => [none(), none(), none(), none()],
        };
        let (eac, solid) = (EacFitter::new(), SolidBc7::new(target == Target::Bc7));
        Self { colors, greens, colors_beside_alpha, alphas, eac, codes, codes_beside_alpha, solid }
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

    fn bc1(&mut self, (endpoint, selector): &Block) -> [u8; 8] {
        let Fit { low, high, indices } = self.colors.colors_with(&mut self.greens, endpoint, selector);
        let pack =
            |[red, green, blue]: [u8; 3]| u16::from(red) << 11 | u16::from(green) << 5 | u16::from(blue);
        let (mut first, mut second) = (pack(low), pack(high));
        // The first colour must be the greater one: otherwise one of the four is transparent.
        let flip = u32::from(first < second);
        if flip != 0 {
            std::mem::swap(&mut first, &mut second);
        }
        // With two equal colours, only the first of the four is one of them for sure.
        let mask = if first == second { 0 } else { u32::MAX };
        let codes = (0..16).fold(0, |codes, texel| {
            let code = at(&[0, 2, 3, 1], usize::from(at(&indices, selector.level(texel))));
            codes | (code ^ flip) << (2 * texel)
        });
        let ([a, b], [c, d], [e, f, g, h]) =
            (first.to_le_bytes(), second.to_le_bytes(), (codes & mask).to_le_bytes());
        [a, b, c, d, e, f, g, h]
    }

    fn bc7(&mut self, color: &Block, alpha: Option<&Block>) -> [u8; 16] {
        if let Some(solid) = solid(color, alpha) {
            return self.solid.write(solid);
        }
        let (endpoint, selector) = color;
        let mut out = Bc7::default();
        let (fit, alpha_low, alpha_high) = match alpha.filter(|alpha| !is_opaque(alpha)) {
            None => {
                (out.mode, out.lowest) = (6, [[1; 2]; 3]);
                (self.colors.colors(endpoint, selector), 127, 127)
            }
            Some((alpha, alpha_selector)) => {
                out.mode = 5;
                let Fit { low, high, indices } = self.alphas.greens(alpha, alpha_selector);
                out.alphas = alpha_selector.indices(indices);
                (self.colors_beside_alpha.colors(endpoint, selector), low[0], high[0])
            }
        };
        let add = |[red, green, blue]: [u8; 3], alpha: u8| [red, green, blue, alpha];
        out.ends[0] = [add(fit.low, alpha_low), add(fit.high, alpha_high)];
        out.indices = selector.indices(fit.indices);
        out.write()
    }

    fn astc(&mut self, color: &Block, alpha: Option<&Block>) -> [u8; 16] {
        if let Some(solid) = solid(color, alpha) {
            return astc::solid(solid);
        }
        let (endpoint, selector) = color;
        let (mut out, fit, alpha_ends, codes);
        match alpha.filter(|alpha| !is_opaque(alpha)) {
            None => {
                fit = self.colors.colors(endpoint, selector);
                out = uastc::Block::of(0, &uastc::MODES[0]);
                (alpha_ends, codes) = ((0, 0), &self.codes);
                for (weight, index) in out.weights.iter_mut().zip(selector.indices(fit.indices)) {
                    *weight = index;
                }
            }
            Some((alpha, alpha_selector)) => {
                fit = self.colors_beside_alpha.colors(endpoint, selector);
                let alpha_fit = self.alphas.greens(alpha, alpha_selector);
                out = uastc::Block::of(11, &uastc::MODES[11]);
                out.second_plane = 3;
                (alpha_ends, codes) = ((alpha_fit.low[0], alpha_fit.high[0]), &self.codes_beside_alpha);
                let weights =
                    selector.indices(fit.indices).into_iter().zip(alpha_selector.indices(alpha_fit.indices));
                for (to, (color, alpha)) in out.weights.as_chunks_mut().0.iter_mut().zip(weights) {
                    *to = [color, alpha];
                }
            }
        }
        let ends = fit.low.into_iter().zip(fit.high).chain([alpha_ends]);
        for (to, (low, high)) in out.endpoints.as_chunks_mut().0.iter_mut().zip(ends) {
            *to = [low, high].map(|place| at(codes, usize::from(place)));
        }
        astc::write(out)
    }

    fn eac(&mut self, alpha: Option<&Block>) -> [u8; 8] {
        let Some((endpoint, selector)) = alpha else { return Eac::flat(255).write([Eac::FLAT; 16]) };
        let (eac, indices) = self.eac.greens(endpoint, selector);
        eac.write(selector.indices(indices))
    }
}

impl Selector {
    /// Returns the level of a texel.
    fn level(&self, texel: usize) -> usize {
        (self.texels >> (2 * texel) & 3) as usize
    }

    /// Returns what each texel has for its level.
    fn indices(&self, of_levels: [u8; 4]) -> [u8; 16] {
        std::array::from_fn(|texel| at(&of_levels, self.level(texel)))
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
