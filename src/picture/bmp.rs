//! Decoder of Windows' .bmp with any of its headers since OS/2.
use super::channels::{Channels, PixelFormat, opaque_if_all_clear};
use super::reader::Reader;
use super::size::Size;
use super::{Picture, PictureError, PictureProblem};
use crate::refusal::Place;

const FILE_HEADER_LEN: usize = 14;
/// Length of OS/2's first header, with 16-bit sizes and palettes of three bytes per entry.
const CORE_LEN: u32 = 12;
const HEADER_LENS: [u32; 7] = [CORE_LEN, 40, 52, 56, 64, 108, 124];

const PLAIN: u32 = 0;
const RUNS_OF_8: u32 = 1;
const RUNS_OF_4: u32 = 2;
const MASKED: u32 = 3;
const MASKED_WITH_ALPHA: u32 = 6;

struct Header {
    size: Size,
    top_down: bool,
    bits: u16,
    compression: u32,
    entry_count: usize,
    entry_bytes: usize,
    channels: Channels,
    pixels_at: usize,
}

pub(super) fn decode(bytes: &[u8]) -> Result<Picture, PictureError> {
    let mut reader = Reader::new(bytes, FILE_HEADER_LEN);
    let header = Header::read(bytes, &mut reader)?;
    let pixel_format =
        if header.bits <= 8 { header.palette(&mut reader)? } else { PixelFormat::Direct(header.channels) };
    let mut reader = Reader::new(bytes, header.pixels_at);
    let mut pixels = match header.compression {
        RUNS_OF_8 | RUNS_OF_4 => header.runs(&mut reader, &pixel_format)?,
        _ => header.rows(&mut reader, &pixel_format)?,
    };
    if header.channels.alpha != 0 {
        opaque_if_all_clear(&mut pixels);
    }
    Ok(header.size.picture(pixels, !header.top_down, false))
}

impl Header {
    /// Reads the header. `reader` is at the palette afterwards.
    fn read<'a>(bytes: &'a [u8], reader: &mut Reader<'a>) -> Result<Self, PictureError> {
        let pixels_at = Reader::new(bytes, 10).u32()?;
        let header_len = reader.u32()?;
        if !HEADER_LENS.contains(&header_len) {
            return Err(unsupported(14, format!("a header of {header_len} bytes")));
        }
        let core = header_len == CORE_LEN;
        let (width, height) = match core {
            true => (reader.u16()?.into(), i32::from(reader.u16()?)),
            false => (reader.u32()?, reader.u32()?.cast_signed()),
        };
        let size = Size::checked(width, height.unsigned_abs(), bytes.len(), || Place::byte(18))?;
        let _planes = reader.u16()?;
        let bits = reader.u16()?;
        let mut compression = PLAIN;
        let mut used = 0;
        if !core {
            compression = reader.u32()?;
            let [_, _, _] = [reader.u32()?, reader.u32()?, reader.u32()?];
            used = reader.u32()?;
            let _important = reader.u32()?;
        }
        let fits = match compression {
            PLAIN => [1, 4, 8, 16, 24, 32].contains(&bits),
            RUNS_OF_8 => bits == 8 && height > 0,
            RUNS_OF_4 => bits == 4 && height > 0,
            MASKED | MASKED_WITH_ALPHA => bits == 16 || bits == 32,
            _ => false,
        };
        // In OS/2's second header the larger compression numbers have another meaning.
        if !fits || (header_len == 64 && compression > RUNS_OF_4) {
            return Err(unsupported(28, format!("{bits} bits a pixel with compression {compression}")));
        }

        // The masks are at the place where later headers contain them, whether they belong to the header or follow
        // it.
        let masked = [MASKED, MASKED_WITH_ALPHA].contains(&compression);
        let mut channels = match bits {
            16 => Channels::BGR_555,
            _ => Channels::BGR,
        };
        if masked {
            channels = Channels { red: reader.u32()?, green: reader.u32()?, blue: reader.u32()?, alpha: 0 };
            if compression == MASKED_WITH_ALPHA || header_len >= 56 {
                channels.alpha = reader.u32()?;
            }
        }
        let after_header = FILE_HEADER_LEN + usize::try_from(header_len).unwrap_or(usize::MAX);
        *reader = Reader::new(bytes, reader.at().max(after_header));

        let most = if bits <= 8 { 1 << bits } else { 0 };
        let used = usize::try_from(used).unwrap_or(usize::MAX);
        Ok(Self {
            size,
            top_down: height < 0,
            bits,
            compression,
            entry_count: if used == 0 { most } else { used.min(most) },
            entry_bytes: if core { 3 } else { 4 },
            channels,
            pixels_at: usize::try_from(pixels_at).unwrap_or(usize::MAX),
        })
    }

    fn palette(&self, reader: &mut Reader<'_>) -> Result<PixelFormat, PictureError> {
        // A palette that overlaps the pixels ends there.
        let room = self.pixels_at.saturating_sub(reader.at()) / self.entry_bytes;
        let count = self.entry_count.min(room);
        let entries = (0..count).map(|_| Ok(Channels::BGR.rgba(reader.number(self.entry_bytes)?)));
        Ok(PixelFormat::Palette { first: 0, entries: entries.collect::<Result<_, _>>()? })
    }

    /// Reads uncompressed rows, each padded to a multiple of four bytes.
    fn rows(
        &self,
        reader: &mut Reader<'_>,
        pixel_format: &PixelFormat,
    ) -> Result<Vec<[u8; 4]>, PictureError> {
        let bits = usize::from(self.bits);
        let row_len = (self.size.width * bits).div_ceil(32) * 4;
        let mut pixels = Vec::with_capacity(self.size.pixel_count());
        for _ in 0..self.size.height {
            let row = reader.take(row_len)?;
            if bits < 8 {
                let numbers = row.iter().flat_map(|&byte| parts(byte, self.bits));
                pixels.extend(numbers.take(self.size.width).map(|number| pixel_format.color(number)));
                continue;
            }
            let mut row = Reader::new(row, 0);
            for _ in 0..self.size.width {
                pixels.push(pixel_format.color(row.number(bits / 8)?));
            }
        }
        Ok(pixels)
    }

    /// Reads run-length encoded pixels. Skipped pixels stay transparent, as in browsers.
    fn runs(
        &self,
        reader: &mut Reader<'_>,
        pixel_format: &PixelFormat,
    ) -> Result<Vec<[u8; 4]>, PictureError> {
        let Size { width, height } = self.size;
        let mut pixels = vec![[0; 4]; self.size.pixel_count()];
        let (mut x, mut y) = (0_usize, 0_usize);
        while y < height {
            let [count, number] = reader.array()?;
            let length = usize::from(if count > 0 { count } else { number });
            let numbers: Vec<u32> = match (count, number) {
                (0, 0) => {
                    (x, y) = (0, y + 1);
                    continue;
                }
                (0, 1) => break,
                (0, 2) => {
                    let [right, up] = reader.array()?;
                    (x, y) = (x + usize::from(right), y + usize::from(up));
                    continue;
                }
                (0, _) => {
                    let byte_count = (length * usize::from(self.bits)).div_ceil(8);
                    // Literal pixels are padded to a multiple of two bytes.
                    let stored = reader.take(byte_count.next_multiple_of(2))?;
                    stored.iter().flat_map(|&byte| parts(byte, self.bits)).take(length).collect()
                }
                _ => parts(number, self.bits).cycle().take(length).collect(),
            };
            for number in numbers {
                let pixel = pixels.get_mut(y * width + x).filter(|_| x < width);
                if let Some(pixel) = pixel {
                    *pixel = pixel_format.color(number);
                }
                x += 1;
            }
        }
        Ok(pixels)
    }
}

/// Returns the pixels in one byte, from its highest bits to its lowest.
fn parts(byte: u8, bits: u16) -> impl Iterator<Item = u32> + Clone {
    let bits = u32::from(bits);
    (0..8 / bits).rev().map(move |part| u32::from(byte) >> (part * bits) & ((1 << bits) - 1))
}

fn unsupported(at: usize, found: String) -> PictureError {
    PictureProblem::PictureKindUnsupported.at(Place::byte(at), found)
}
