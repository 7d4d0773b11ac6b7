//! ETC1S: blocks of four levels of a colour, from codebooks. They are ETC2 already; other formats get close to them.
mod codebooks;
mod fit;
mod slice;
mod writer;

pub(super) use codebooks::Codebooks;

use super::etc::{levels, wide5};
use super::output::Output;
use codebooks::Endpoint;
use slice::SliceDecoder;
use writer::BlockWriters;

/// Writes an image. Alpha is a slice of its own, of which the green levels count. Returns `None` for invalid data.
pub(super) fn transcode(
    books: &Codebooks,
    colors: &[u8],
    alphas: Option<&[u8]>,
    (width, height): (u32, u32),
    output: &mut Output,
) -> Option<()> {
    let columns = width.div_ceil(4) as usize;
    let mut colors = SliceDecoder::new(books, colors, columns);
    let mut alphas = alphas.map(|alphas| SliceDecoder::new(books, alphas, columns));
    let mut writers = BlockWriters::new(output.target);
    let (mut color_row, mut alpha_row) = (Vec::new(), Vec::new());
    for _ in 0..height.div_ceil(4) {
        colors.next_row(&mut color_row)?;
        if let Some(alphas) = &mut alphas {
            alphas.next_row(&mut alpha_row)?;
        }
        for (column, color) in color_row.iter().enumerate() {
            writers.write(color, alpha_row.get(column), output);
        }
    }
    Some(())
}

impl Endpoint {
    /// Returns the four levels of the block's colour, from the darkest to the brightest.
    fn levels(self) -> [[u8; 3]; 4] {
        levels(self.base.map(wide5), self.table)
    }
}
