//! The picture that is being written.
use super::Target;

/// Texels or blocks, in order.
pub(super) struct Output {
    pub(super) target: Target,
    bytes: Vec<u8>,
    width: usize,
    height: usize,
    /// Position of the next block.
    x: usize,
    y: usize,
}

impl Output {
    /// Returns how many bytes a picture has.
    pub(super) fn size(target: Target, width: u32, height: u32) -> u64 {
        let (width, height) = (u64::from(width), u64::from(height));
        match target.block_bytes() {
            None => width * height * 4,
            Some(bytes) => width.div_ceil(4) * height.div_ceil(4) * u64::from(bytes),
        }
    }

    /// Allocates a picture. Returns `None` if there is no memory.
    pub(super) fn new(target: Target, width: u32, height: u32) -> Option<Self> {
        let size = usize::try_from(Self::size(target, width, height)).ok()?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size).ok()?;
        if target == Target::Rgba8 {
            bytes.resize(size, 0);
        }
        Some(Self { target, bytes, width: width as usize, height: height as usize, x: 0, y: 0 })
    }

    /// Appends a part of a block.
    pub(super) fn block(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes the texels of the next block that are inside of the picture.
    pub(super) fn texels(&mut self, texels: &[[u8; 4]; 16]) {
        let count = self.width.saturating_sub(self.x).min(4);
        let rows = self.height.saturating_sub(self.y).min(4);
        for (row, texels) in texels.as_chunks::<4>().0.iter().take(rows).enumerate() {
            let start = ((self.y + row) * self.width + self.x) * 4;
            let texels = texels.get(..count).unwrap_or_default().as_flattened();
            if let Some(place) = self.bytes.get_mut(start..start + texels.len()) {
                place.copy_from_slice(texels);
            }
        }
        self.x += 4;
        if self.x >= self.width {
            self.x = 0;
            self.y += 4;
        }
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}
