//! Reader of KTX2 textures with Basis Universal, which `KHR_texture_basisu` brings into glTF.
//!
//! A texture is ETC1S, compressed with BasisLZ, or UASTC, maybe compressed with Zstandard. Each of its images is
//! written as texels or as blocks that a GPU reads. Texels equal those of Basis Universal's own transcoder, and so do
//! blocks where the mapping is exact: from ETC1S to ETC2's colours, and from UASTC to all formats.
//!
//! Guarantees, each tested by `tests/decode/ktx2.rs`:
//! - no input panics, and memory is limited by the caller's budget;
//! - every [`Ktx2Error`] has a stable code, the place in the file and advice.

mod astc;
mod bc7;
mod bc7_solid;
mod bits;
mod error;
mod etc;
mod etc1s;
mod header;
mod huffman;
mod output;
mod target;
mod uastc;
mod zstd;

pub use error::{Ktx2Error, Ktx2Problem};
pub use target::{Target, best_target};

use etc1s::Codebooks;
use header::Header;
use output::Output;

/// How a texture is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Small files: colours and patterns are from codebooks.
    Etc1s,
    /// Files of good quality, with 16 bytes for each block.
    Uastc,
}

/// What the channels of a texture are, as its writer declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channels {
    Rgb,
    Rgba,
    /// One channel, which is repeated in red, green and blue.
    Rrr,
    /// Two channels: one is repeated in red, green and blue, the other one is in alpha.
    Rrrg,
    /// Two channels. UASTC has them in red and green, ETC1S in red and alpha.
    Rg,
}

/// An opened texture. It keeps what its levels share.
#[derive(Debug)]
pub struct Ktx2<'a> {
    header: Header<'a>,
    books: Option<Codebooks<'a>>,
}

/// Opens a texture: reads its header and its codebooks.
///
/// # Errors
/// If the file isn't a KTX2 texture with Basis Universal, or is invalid.
pub fn open(bytes: &[u8]) -> Result<Ktx2<'_>, Ktx2Error> {
    let header = header::read(bytes)?;
    let books = match header.kind {
        Kind::Etc1s => Some(Codebooks::read(&header)?),
        Kind::Uastc => None,
    };
    Ok(Ktx2 { header, books })
}

impl Ktx2<'_> {
    /// Width of the largest level in pixels.
    pub fn width(&self) -> u32 {
        self.header.width
    }

    /// Height of the largest level in pixels.
    pub fn height(&self) -> u32 {
        self.header.height
    }

    /// Number of mip levels, at least 1.
    pub fn level_count(&self) -> u32 {
        u32::try_from(self.header.levels.len()).unwrap_or(1)
    }

    /// Number of layers of an array, at least 1.
    pub fn layer_count(&self) -> u32 {
        self.header.layers
    }

    /// 6 for a cube, otherwise 1.
    pub fn face_count(&self) -> u32 {
        self.header.faces
    }

    /// Whether the texture has something in the channel alpha.
    pub fn has_alpha(&self) -> bool {
        match self.header.channels {
            Channels::Rgba | Channels::Rrrg => true,
            Channels::Rg => self.header.kind == Kind::Etc1s,
            Channels::Rgb | Channels::Rrr => false,
        }
    }

    /// Whether colours are in sRGB, and not linear.
    pub fn is_srgb(&self) -> bool {
        self.header.is_srgb
    }

    pub fn kind(&self) -> Kind {
        self.header.kind
    }

    pub fn channels(&self) -> Channels {
        self.header.channels
    }

    /// Returns width and height of a level in pixels.
    pub fn level_size(&self, level: u32) -> (u32, u32) {
        self.header.size(level)
    }

    /// Writes one image. Texels are row after row, without padding; blocks too, and those at the edge are whole.
    ///
    /// `budget` is the number of bytes that the image, and a decompressed level, may take each.
    ///
    /// # Errors
    /// If there is no such image, it is too large, its data is invalid, or the target doesn't suit it.
    pub fn transcode(
        &self,
        level: u32,
        layer: u32,
        face: u32,
        target: Target,
        budget: usize,
    ) -> Result<Vec<u8>, Ktx2Error> {
        use Ktx2Problem::{DataInvalid, NoSuchImage, TargetUnsuitable, TooLarge};

        let header = &self.header;
        let stored = header.levels.get(level as usize);
        let Some(stored) = stored.filter(|_| layer < header.layers && face < header.faces) else {
            return Err(NoSuchImage.byte(0, &format!("level {level}, layer {layer}, face {face}")));
        };
        if target == Target::Bc1 && header.kind == Kind::Uastc {
            return Err(TargetUnsuitable.byte(0, "UASTC as BC1"));
        }
        let (width, height) = header.size(level);
        let size = Output::size(target, width, height);
        let too_large = || TooLarge.byte(stored.at, &format!("{width} × {height} pixels"));
        if size > budget as u64 {
            return Err(too_large());
        }
        let image = u64::from(layer) * u64::from(header.faces) + u64::from(face);
        let invalid = || DataInvalid.byte(stored.at, &format!("level {level}"));
        if let Some(books) = &self.books {
            let before = header.images() * u64::from(level);
            let image = usize::try_from(before + image).ok().ok_or_else(invalid)?;
            let (colors, alphas) = books.slices(stored.bytes, image).ok_or_else(invalid)?;
            if self.has_alpha() && alphas.is_none() {
                return Err(invalid());
            }
            let alphas = alphas.filter(|_| self.has_alpha());
            let mut output = Output::new(target, width, height).ok_or_else(too_large)?;
            etc1s::transcode(books, colors, alphas, (width, height), &mut output).ok_or_else(invalid)?;
            return Ok(output.finish());
        }

        let image_bytes = Output::size(Target::Astc4x4, width, height);
        let level_bytes = image_bytes.saturating_mul(header.images());
        let decompressed;
        let blocks = if header.is_zstd {
            let size = usize::try_from(level_bytes).ok().filter(|&size| size <= budget);
            decompressed = zstd::decode(stored.bytes, size.ok_or_else(too_large)?).ok_or_else(invalid)?;
            decompressed.as_slice()
        } else {
            stored.bytes
        };
        let range = |start: u64| {
            let end = start.checked_add(image_bytes)?;
            blocks.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
        };
        let blocks = range(image * image_bytes).ok_or_else(invalid)?;
        let mut output = Output::new(target, width, height).ok_or_else(too_large)?;
        uastc::transcode(blocks, &mut output).ok_or_else(invalid)?;
        Ok(output.finish())
    }
}
