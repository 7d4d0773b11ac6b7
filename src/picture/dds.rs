//! Decoder of DirectDraw's .dds: the largest mip level of the first face, block-compressed or uncompressed.
use super::blocks::{Block, bc1, bc2, bc3, bc4, bc5};
use super::channels::{Channels, PixelFormat, opaque_if_all_clear};
use super::reader::Reader;
use super::size::Size;
use super::{Picture, PictureError, PictureProblem};
use crate::refusal::Place;

const SIZE_AT: usize = 12;
const FORMAT_AT: usize = 80;
const PIXELS_AT: usize = 128;

// Flags of the pixel format.
const HAS_ALPHA: u32 = 0x1;
const ALPHA_ONLY: u32 = 0x2;
const NAMED: u32 = 0x4;
const COLORS: u32 = 0x40;
const LUMINANCE: u32 = 0x2_0000;

enum Layout {
    /// Eight bytes per 4 × 4 pixels.
    Blocks8(fn([u8; 8]) -> Block),
    Blocks16(fn([u8; 16]) -> Block),
    Plain {
        pixel_bytes: usize,
        channels: Channels,
    },
}

pub(super) fn decode(bytes: &[u8]) -> Result<Picture, PictureError> {
    let mut reader = Reader::new(bytes, SIZE_AT);
    let (height, width) = (reader.u32()?, reader.u32()?);
    let layout = layout(&mut Reader::new(bytes, FORMAT_AT))?;
    let named_by_number = bytes.get(FORMAT_AT + 4..FORMAT_AT + 8) == Some(b"DX10");
    let mut reader = Reader::new(bytes, PIXELS_AT);
    let layout = match layout {
        Some(layout) => layout,
        None if named_by_number => numbered(&mut reader)?,
        None => return Err(unsupported(FORMAT_AT, format!("the pixel format {}", name(bytes)))),
    };
    let size = Size::checked(width, height, bytes.len(), || Place::byte(SIZE_AT))?;
    let mut pixels = match layout {
        Layout::Blocks8(decode) => blocks(&mut reader, size, decode)?,
        Layout::Blocks16(decode) => blocks(&mut reader, size, decode)?,
        Layout::Plain { pixel_bytes, channels } => {
            let mut stored = Reader::new(reader.take(size.pixel_count() * pixel_bytes)?, 0);
            let pixel_format = PixelFormat::Direct(channels);
            let colors = (0..size.pixel_count()).map(|_| Ok(pixel_format.color(stored.number(pixel_bytes)?)));
            colors.collect::<Result<_, PictureError>>()?
        }
    };
    opaque_if_all_clear(&mut pixels);
    Ok(size.picture(pixels, false, false))
}

/// Returns the layout given by a FourCC or by masks; `None` if it is unknown or given by neither.
fn layout(reader: &mut Reader<'_>) -> Result<Option<Layout>, PictureError> {
    let flags = reader.u32()?;
    let letters = reader.array()?;
    let bits = reader.u32()?;
    let [red, green, blue, alpha] = [reader.u32()?, reader.u32()?, reader.u32()?, reader.u32()?];
    if flags & NAMED != 0 {
        return Ok(match &letters {
            b"DXT1" => Some(Layout::Blocks8(bc1)),
            b"DXT3" => Some(Layout::Blocks16(bc2)),
            b"DXT5" => Some(Layout::Blocks16(bc3)),
            b"ATI1" | b"BC4U" => Some(Layout::Blocks8(bc4::<false>)),
            b"BC4S" => Some(Layout::Blocks8(bc4::<true>)),
            b"ATI2" | b"BC5U" => Some(Layout::Blocks16(bc5::<false>)),
            b"BC5S" => Some(Layout::Blocks16(bc5::<true>)),
            _ => None,
        });
    }
    let pixel_bytes = match bits {
        8 => 1,
        16 => 2,
        24 => 3,
        32 => 4,
        _ => return Ok(None),
    };
    let alpha = if flags & (HAS_ALPHA | ALPHA_ONLY) != 0 { alpha } else { 0 };
    let channels = match flags & (COLORS | LUMINANCE | ALPHA_ONLY) {
        COLORS => Channels { red, green, blue, alpha },
        LUMINANCE => Channels::grey(red, alpha),
        ALPHA_ONLY => Channels::grey(0, alpha),
        _ => return Ok(None),
    };
    Ok(Some(Layout::Plain { pixel_bytes, channels }))
}

/// Returns the layout given by a DXGI number, in the header that Direct3D 10 added.
fn numbered(reader: &mut Reader<'_>) -> Result<Layout, PictureError> {
    let number = reader.u32()?;
    let dimension = reader.u32()?;
    let [_, _, _] = [reader.u32()?, reader.u32()?, reader.u32()?];
    if dimension != 3 {
        return Err(unsupported(
            PIXELS_AT + 4,
            format!("a texture of {} dimensions", dimension.saturating_sub(1)),
        ));
    }
    let plain = |pixel_bytes, channels| Ok(Layout::Plain { pixel_bytes, channels });
    match number {
        24 => plain(4, Channels { red: 0x3ff, green: 0x3ff << 10, blue: 0x3ff << 20, alpha: 0xc000_0000 }),
        27..=29 => plain(4, Channels::RGBA),
        61 => plain(1, Channels::grey(0xff, 0)),
        65 => plain(1, Channels::grey(0, 0xff)),
        70..=72 => Ok(Layout::Blocks8(bc1)),
        73..=75 => Ok(Layout::Blocks16(bc2)),
        76..=78 => Ok(Layout::Blocks16(bc3)),
        79 | 80 => Ok(Layout::Blocks8(bc4::<false>)),
        81 => Ok(Layout::Blocks8(bc4::<true>)),
        82 | 83 => Ok(Layout::Blocks16(bc5::<false>)),
        84 => Ok(Layout::Blocks16(bc5::<true>)),
        85 => plain(2, Channels { red: 0xf800, green: 0x7e0, blue: 0x1f, alpha: 0 }),
        86 => plain(2, Channels::BGRA_5551),
        87 | 90 | 91 => plain(4, Channels::BGRA),
        88 | 92 | 93 => plain(4, Channels::BGR),
        115 => plain(2, Channels { red: 0xf00, green: 0xf0, blue: 0xf, alpha: 0xf000 }),
        _ => Err(unsupported(PIXELS_AT, format!("the DXGI format {number}"))),
    }
}

/// Decodes blocks of 4 × 4 pixels. Pixels past the edge are padding.
fn blocks<const N: usize>(
    reader: &mut Reader<'_>,
    size: Size,
    decode: fn([u8; N]) -> Block,
) -> Result<Vec<[u8; 4]>, PictureError> {
    let Size { width, height } = size;
    let (across, down) = (width.div_ceil(4), height.div_ceil(4));
    let mut stored = Reader::new(reader.take(across * down * N)?, 0);
    let mut pixels = vec![[0; 4]; size.pixel_count()];
    for top in (0..height).step_by(4) {
        for left in (0..width).step_by(4) {
            let block = decode(stored.array()?);
            for (y, row) in (top..height).zip(block.chunks(4)) {
                let at = y * width + left;
                let end = y * width + width.min(left + 4);
                let pixels = pixels.get_mut(at..end).unwrap_or_default();
                pixels.iter_mut().zip(row).for_each(|(pixel, texel)| *pixel = *texel);
            }
        }
    }
    Ok(pixels)
}

/// Returns the FourCC as in the file, for an error.
fn name(bytes: &[u8]) -> String {
    let letters = bytes.get(FORMAT_AT + 4..FORMAT_AT + 8).unwrap_or_default();
    match letters.iter().all(u8::is_ascii_graphic) {
        true => String::from_utf8_lossy(letters).into_owned(),
        false => format!("{letters:?}"),
    }
}

fn unsupported(at: usize, found: String) -> PictureError {
    PictureProblem::PictureKindUnsupported.at(Place::byte(at), found)
}
