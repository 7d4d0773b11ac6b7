//! The container: its header, the index of levels, the data format descriptor and the key/value data.
use super::{Channels, Kind, Ktx2Error, Ktx2Problem};

const SIGNATURE: [u8; 12] = *b"\xabKTX 20\xbb\r\n\x1a\n";
/// Offset of the index of levels.
const LEVELS: usize = 80;
/// Bytes of an entry in the index of levels.
const LEVEL: usize = 24;
/// The longest side that is read. GPUs don't have textures above it.
const LONGEST_SIDE: u32 = 16384;
/// Offset of the first sample in the descriptor, which begins with its size.
const SAMPLES: usize = 28;

/// Numbers of a file, checked except for the content of its levels.
#[derive(Debug)]
pub(super) struct Header<'a> {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) layers: u32,
    pub(super) faces: u32,
    pub(super) kind: Kind,
    pub(super) channels: Channels,
    pub(super) is_srgb: bool,
    pub(super) is_zstd: bool,
    pub(super) levels: Vec<Level<'a>>,
    /// Data that all levels share: the codebooks of ETC1S.
    pub(super) global: &'a [u8],
    pub(super) global_at: usize,
}

/// The stored bytes of one level, of all its layers and faces.
#[derive(Debug)]
pub(super) struct Level<'a> {
    pub(super) at: usize,
    pub(super) bytes: &'a [u8],
}

/// Reads the header of a file.
///
/// # Errors
/// If it isn't KTX2, ends early, or has a kind that isn't supported.
pub(super) fn read(bytes: &[u8]) -> Result<Header<'_>, Ktx2Error> {
    use Ktx2Problem::{KindUnsupported, NotKtx2, TooLarge, Truncated, ValueInvalid};

    let start = bytes.get(..SIGNATURE.len()).unwrap_or(bytes);
    if bytes.is_empty() || !SIGNATURE.starts_with(start) {
        return Err(NotKtx2.byte(0, "other content"));
    }
    if bytes.len() < LEVELS {
        return Err(Truncated.byte(bytes.len(), "a part of the header"));
    }
    let number = |at: usize| u32_at(bytes, at);
    let [vk_format, type_size, width, height, depth] = [12, 16, 20, 24, 28].map(number);
    if vk_format != 0 || type_size != 1 {
        return Err(KindUnsupported.byte(12, "texels that aren't ETC1S or UASTC"));
    }
    if depth != 0 || height == 0 {
        return Err(KindUnsupported.byte(24, "a texture that isn't two-dimensional"));
    }
    if width == 0 {
        return Err(ValueInvalid.byte(20, "a width of 0"));
    }
    if width.max(height) > LONGEST_SIDE {
        return Err(TooLarge.byte(20, &format!("{width} × {height} pixels")));
    }
    let [layers, faces, level_count, scheme] = [32, 36, 40, 44].map(number);
    if faces != 1 && (faces != 6 || width != height) {
        return Err(ValueInvalid.byte(36, &format!("{faces} faces")));
    }
    // A file with 0 levels asks the reader to make them; the one that it has is stored.
    let level_count = level_count.max(1);
    if level_count > 1 + width.max(height).ilog2() {
        return Err(ValueInvalid.byte(40, &format!("{level_count} levels")));
    }
    let (descriptor, descriptor_at) = range(bytes, u64::from(number(48)), u64::from(number(52)), 48)?;
    let (key_values, _) = range(bytes, u64::from(number(56)), u64::from(number(60)), 56)?;
    let (global, global_at) = range(bytes, u64_at(bytes, 64), u64_at(bytes, 72), 64)?;

    let (kind, channels, is_srgb) = describe(descriptor, descriptor_at)?;
    let is_zstd = match (kind, scheme) {
        (Kind::Etc1s, 1) | (Kind::Uastc, 0) => false,
        (Kind::Uastc, 2) => true,
        _ => return Err(KindUnsupported.byte(44, &format!("supercompression {scheme}"))),
    };
    if has_key(key_values, b"KTXanimData") {
        return Err(KindUnsupported.byte(56, "a video"));
    }

    let mut levels = Vec::new();
    for level in 0..level_count as usize {
        let entry = LEVELS + LEVEL * level;
        if bytes.len() < entry + LEVEL {
            return Err(Truncated.byte(bytes.len(), "a part of the index of levels"));
        }
        let (bytes, at) = range(bytes, u64_at(bytes, entry), u64_at(bytes, entry + 8), entry)?;
        levels.push(Level { at, bytes });
    }
    let layers = layers.max(1);
    Ok(Header { width, height, layers, faces, kind, channels, is_srgb, is_zstd, levels, global, global_at })
}

impl Header<'_> {
    /// Returns how many images a level has.
    pub(super) fn images(&self) -> u64 {
        u64::from(self.layers) * u64::from(self.faces)
    }

    /// Returns width and height of a level in pixels.
    pub(super) fn size(&self, level: u32) -> (u32, u32) {
        let side = |side: u32| side.checked_shr(level).unwrap_or(0).max(1);
        (side(self.width), side(self.height))
    }
}

/// Returns the kind, the channels, and whether colours are in sRGB.
fn describe(descriptor: &[u8], at: usize) -> Result<(Kind, Channels, bool), Ktx2Error> {
    use Ktx2Problem::{KindUnsupported, ValueInvalid};

    if descriptor.len() < SAMPLES + 16 {
        return Err(ValueInvalid.byte(at, "a descriptor that is too short"));
    }
    let [model, _, transfer, _] = u32_at(descriptor, 12).to_le_bytes();
    let channel = |sample: usize| descriptor.get(SAMPLES + 16 * sample + 3).map(|byte| byte & 15);
    let (kind, channels) = match (model, channel(0), channel(1)) {
        (163, Some(3), None) => (Kind::Etc1s, Channels::Rrr),
        (163, Some(3), Some(4)) => (Kind::Etc1s, Channels::Rg),
        (163, Some(3), _) => (Kind::Etc1s, Channels::Rrrg),
        (163, _, None) => (Kind::Etc1s, Channels::Rgb),
        (163, ..) => (Kind::Etc1s, Channels::Rgba),
        (166, Some(3), _) => (Kind::Uastc, Channels::Rgba),
        (166, Some(4), _) => (Kind::Uastc, Channels::Rrr),
        (166, Some(5), _) => (Kind::Uastc, Channels::Rrrg),
        (166, Some(6), _) => (Kind::Uastc, Channels::Rg),
        (166, ..) => (Kind::Uastc, Channels::Rgb),
        _ => return Err(KindUnsupported.byte(at, &format!("colour model {model}"))),
    };
    Ok((kind, channels, transfer == 2))
}

/// Returns whether key/value data has a key.
fn has_key(mut data: &[u8], key: &[u8]) -> bool {
    while let Some((length, rest)) = data.split_first_chunk() {
        let length = u32::from_le_bytes(*length) as usize;
        let Some(entry) = rest.get(..length) else { return false };
        if entry.strip_prefix(key).is_some_and(|rest| rest.first() == Some(&0)) {
            return true;
        }
        data = rest.get(length.next_multiple_of(4)..).unwrap_or_default();
    }
    false
}

/// Returns a part of the file and its offset.
fn range(bytes: &[u8], at: u64, length: u64, place: usize) -> Result<(&[u8], usize), Ktx2Error> {
    let part = usize::try_from(at).ok().zip(usize::try_from(length).ok()).and_then(|(at, length)| {
        let part = bytes.get(at..at.checked_add(length)?)?;
        Some((part, at))
    });
    part.ok_or_else(|| {
        Ktx2Problem::Truncated.byte(place, &format!("{length} bytes at {at} of a file of {}", bytes.len()))
    })
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |four| u32::from_le_bytes(*four))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
