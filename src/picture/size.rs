//! Size and orientation of a picture.
use super::{Picture, PictureError, PictureProblem};

// WebGPU guarantees textures of 8192 × 8192.
const MOST_PIXELS: u64 = 8192 * 8192;

// The densest encoding is a run in a .bmp: 255 pixels in two bytes.
const MOST_PIXELS_PER_BYTE: u64 = 128;

/// Width and height, checked before memory of that size is allocated.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Size {
    /// Checks a size.
    ///
    /// # Errors
    /// If there are no pixels, more than 8192 × 8192, or more than `byte_count` bytes can encode.
    pub(super) fn checked(
        width: u32,
        height: u32,
        byte_count: usize,
        place: impl FnOnce() -> String,
    ) -> Result<Self, PictureError> {
        let found = || format!("{width} × {height} pixels in {byte_count} bytes");
        let pixels = u64::from(width) * u64::from(height);
        if pixels == 0 {
            return Err(PictureProblem::PictureEmpty.at(place(), found()));
        }
        if pixels > MOST_PIXELS.min(MOST_PIXELS_PER_BYTE.saturating_mul(byte_count as u64)) {
            return Err(PictureProblem::PictureTooLarge.at(place(), found()));
        }
        let side = |side: u32| usize::try_from(side).unwrap_or(usize::MAX);
        Ok(Self { width: side(width), height: side(height) })
    }

    pub(super) fn pixel_count(self) -> usize {
        self.width * self.height
    }

    /// Creates a picture from `pixels` in the file's order, with the top left corner first.
    pub(super) fn picture(self, mut pixels: Vec<[u8; 4]>, bottom_up: bool, right_to_left: bool) -> Picture {
        if bottom_up {
            pixels.reverse();
        }
        // Reversing all pixels has mirrored each row too.
        if bottom_up != right_to_left {
            pixels.chunks_mut(self.width).for_each(<[_]>::reverse);
        }
        let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
        Picture { width: side(self.width), height: side(self.height), rgba: pixels.into_flattened() }
    }
}
