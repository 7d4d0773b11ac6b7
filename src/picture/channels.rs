//! Bit masks of red, green, blue and alpha in a pixel.

/// One mask per channel. Without a mask alpha is opaque and a colour is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Channels {
    pub(super) red: u32,
    pub(super) green: u32,
    pub(super) blue: u32,
    pub(super) alpha: u32,
}

impl Channels {
    /// Blue in the lowest byte, then green, red and alpha.
    pub(super) const BGRA: Self = Self { alpha: 0xff00_0000, ..Self::BGR };
    pub(super) const BGR: Self = Self { red: 0xff_0000, green: 0xff00, blue: 0xff, alpha: 0 };
    pub(super) const RGBA: Self = Self { red: 0xff, green: 0xff00, blue: 0xff_0000, alpha: 0xff00_0000 };
    /// Five bits per colour. The highest bit is alpha, or unused in [`BGR_555`](Self::BGR_555).
    pub(super) const BGRA_5551: Self = Self { alpha: 0x8000, ..Self::BGR_555 };
    pub(super) const BGR_555: Self = Self { red: 0x7c00, green: 0x3e0, blue: 0x1f, alpha: 0 };

    /// Returns masks that use one number for all three colours.
    pub(super) const fn grey(mask: u32, alpha: u32) -> Self {
        Self { red: mask, green: mask, blue: mask, alpha }
    }

    pub(super) fn rgba(&self, pixel: u32) -> [u8; 4] {
        let alpha = if self.alpha == 0 { 255 } else { channel(pixel, self.alpha) };
        [channel(pixel, self.red), channel(pixel, self.green), channel(pixel, self.blue), alpha]
    }
}

/// Returns the bits under a mask, scaled to a byte.
fn channel(pixel: u32, mask: u32) -> u8 {
    let shift = mask.trailing_zeros() % 32;
    let (value, most) = (u64::from((pixel & mask) >> shift), u64::from(mask >> shift).max(1));
    u8::try_from((value * 255 + most / 2) / most).unwrap_or(255)
}

/// Makes a picture opaque if its alpha is 0 everywhere, since many programs write that and mean an opaque picture.
pub(super) fn opaque_if_all_clear(pixels: &mut [[u8; 4]]) {
    if pixels.iter().all(|&[.., alpha]| alpha == 0) {
        pixels.iter_mut().for_each(|[.., alpha]| *alpha = 255);
    }
}

/// Meaning of a pixel's number.
pub(super) enum PixelFormat {
    Direct(Channels),
    Palette {
        /// Pixel number of the first entry.
        first: u32,
        entries: Vec<[u8; 4]>,
    },
}

impl PixelFormat {
    /// Returns the RGBA of a pixel. A number outside the palette is black, as in browsers.
    pub(super) fn color(&self, pixel: u32) -> [u8; 4] {
        match self {
            Self::Direct(channels) => channels.rgba(pixel),
            Self::Palette { first, entries } => {
                let entry = pixel.checked_sub(*first).and_then(|entry| usize::try_from(entry).ok());
                entry.and_then(|entry| entries.get(entry)).copied().unwrap_or([0, 0, 0, 255])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_of_any_width_become_bytes() {
        assert_eq!(channel(0x1f, 0x1f), 255);
        assert_eq!(channel(0x10, 0x1f), 132);
        assert_eq!(channel(0x8000, 0x8000), 255);
        assert_eq!(channel(0x3ff << 20, 0x3ff << 20), 255);
        assert_eq!(channel(u32::MAX, u32::MAX), 255);
        assert_eq!(channel(u32::MAX, 0), 0);
    }
}
