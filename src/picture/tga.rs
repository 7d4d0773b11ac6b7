//! Decoder of Truevision's .tga: a header of 18 bytes, a comment, a palette, then pixels, uncompressed or run-length
//! encoded.
use super::channels::{Channels, PixelFormat, opaque_if_all_clear};
use super::reader::Reader;
use super::size::Size;
use super::{Picture, PictureError, PictureProblem};
use crate::refusal::Place;

const HEADER_LEN: usize = 18;

pub(super) fn decode(bytes: &[u8]) -> Result<Picture, PictureError> {
    let mut reader = Reader::new(bytes, 0);
    let [comment_len, palettes, kind] = reader.array()?;
    let (first, entry_count, entry_bits) = (reader.u16()?, reader.u16()?, reader.u8()?);
    let [_, _] = [reader.u16()?, reader.u16()?];
    let (width, height) = (reader.u16()?, reader.u16()?);
    let [pixel_bits, origin] = reader.array()?;
    debug_assert_eq!(reader.at(), HEADER_LEN);
    let size = Size::checked(width.into(), height.into(), bytes.len(), || Place::byte(12))?;
    reader.take(comment_len.into())?;

    let has_alpha = origin & 0xf > 0;
    let entry_bytes = usize::from(entry_bits).div_ceil(8);
    // Without a palette these fields have no meaning.
    let entries = reader.take(usize::from(palettes) * usize::from(entry_count) * entry_bytes)?;
    let pixel_format = match kind & 7 {
        1 => palette(entries, entry_bytes, first, has_alpha)?,
        2 => PixelFormat::Direct(colors(usize::from(pixel_bits).div_ceil(8), has_alpha)),
        _ => PixelFormat::Direct(Channels::grey(0xff, if pixel_bits == 16 { 0xff00 } else { 0 })),
    };

    let pixel_bytes = usize::from(pixel_bits).div_ceil(8);
    let mut pixels = match kind & 8 {
        0 => plain(&mut reader, size.pixel_count(), pixel_bytes, &pixel_format)?,
        _ => runs(&mut reader, size.pixel_count(), pixel_bytes, &pixel_format)?,
    };
    opaque_if_all_clear(&mut pixels);
    Ok(size.picture(pixels, origin & 0x20 == 0, origin & 0x10 != 0))
}

/// Returns the channels of a colour. Programs often don't declare the alpha of 32-bit colours, so it is always used;
/// the alpha bit of 16-bit colours is used only if declared.
fn colors(byte_count: usize, has_alpha: bool) -> Channels {
    match byte_count {
        4 => Channels::BGRA,
        3 => Channels::BGR,
        _ if has_alpha => Channels::BGRA_5551,
        _ => Channels::BGR_555,
    }
}

fn palette(
    entries: &[u8],
    entry_bytes: usize,
    first: u16,
    has_alpha: bool,
) -> Result<PixelFormat, PictureError> {
    if entries.is_empty() {
        let found = "palette indices without a palette".to_owned();
        return Err(PictureProblem::PictureValueInvalid.at(Place::byte(1), found));
    }
    let channels = colors(entry_bytes, has_alpha);
    let mut reader = Reader::new(entries, 0);
    let mut entries = Vec::with_capacity(entries.len() / entry_bytes);
    while reader.left() > 0 {
        entries.push(channels.rgba(reader.number(entry_bytes)?));
    }
    Ok(PixelFormat::Palette { first: first.into(), entries })
}

fn plain(
    reader: &mut Reader<'_>,
    count: usize,
    pixel_bytes: usize,
    pixel_format: &PixelFormat,
) -> Result<Vec<[u8; 4]>, PictureError> {
    let mut stored = Reader::new(reader.take(count * pixel_bytes)?, 0);
    (0..count).map(|_| Ok(pixel_format.color(stored.number(pixel_bytes)?))).collect()
}

/// Reads packets of up to 128 pixels: one repeated pixel or as many literal ones. A packet may extend over the end of
/// a row.
fn runs(
    reader: &mut Reader<'_>,
    count: usize,
    pixel_bytes: usize,
    pixel_format: &PixelFormat,
) -> Result<Vec<[u8; 4]>, PictureError> {
    let mut pixels = Vec::with_capacity(count);
    while pixels.len() < count {
        let packet = reader.u8()?;
        let length = (usize::from(packet & 0x7f) + 1).min(count - pixels.len());
        if packet & 0x80 != 0 {
            let color = pixel_format.color(reader.number(pixel_bytes)?);
            pixels.extend(std::iter::repeat_n(color, length));
        } else {
            pixels.extend(plain(reader, length, pixel_bytes, pixel_format)?);
        }
    }
    Ok(pixels)
}
