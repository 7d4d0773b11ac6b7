//! Division of a picture into tiles, so that its size isn't limited by the GPU. No GPU is needed.

/// Longest side of a tile in pixels. The samples of a tile take at most 128 MiB: 8 bytes each, four per pixel.
pub(super) const TILE_SIDE: u32 = 2048;

/// The size of a picture and of its tiles in pixels. All tiles have one size; those of the last column and row may
/// extend beyond the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tiling {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) tile_width: u32,
    pub(super) tile_height: u32,
}

/// The top left corner of a tile, in pixels of the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tile {
    pub(super) x: u32,
    pub(super) y: u32,
}

impl Tiling {
    /// Returns a tiling with one tile for the whole picture.
    pub(super) fn whole(width: u32, height: u32) -> Self {
        Self { width, height, tile_width: width, tile_height: height }
    }

    /// Returns the tiling with the fewest tiles whose sides aren't longer than `longest`.
    pub(super) fn new(width: u32, height: u32, longest: u32) -> Self {
        let (width, height, longest) = (width.max(1), height.max(1), longest.max(2));
        let side = |whole: u32| {
            let side = whole.div_ceil(whole.div_ceil(longest));
            // GPUs derive mip levels from blocks of 2 × 2 pixels, so tiles must start at even pixels.
            if side == whole { side } else { side.next_multiple_of(2).min(longest) }
        };
        Self { width, height, tile_width: side(width), tile_height: side(height) }
    }

    /// Iterates over the tiles, row by row.
    pub(super) fn tiles(self) -> impl Iterator<Item = Tile> {
        let (across, down) = (self.tile_width as usize, self.tile_height as usize);
        let columns = move |y| (0..self.width).step_by(across).map(move |x| Tile { x, y });
        (0..self.height).step_by(down).flat_map(columns)
    }

    /// Returns WGSL `frame.tile`: scale x, scale y, offset x and offset y from coordinates in the picture to
    /// coordinates in the tile, both from −1 to 1.
    pub(super) fn tile_from_picture(self, tile: Tile) -> [f32; 4] {
        let (width, height) = (f64::from(self.width), f64::from(self.height));
        let (tile_width, tile_height) = (f64::from(self.tile_width), f64::from(self.tile_height));
        let (x, y) = (f64::from(tile.x), f64::from(tile.y));
        [
            width / tile_width,
            height / tile_height,
            (width - 2.0 * x) / tile_width - 1.0,
            1.0 - (height - 2.0 * y) / tile_height,
        ]
        .map(|number| number as f32)
    }

    /// Iterates over the rows of pixels of a tile that lie in the picture. Returns for each the index of its first
    /// pixel in the tile, the index of its first pixel in the picture, and its number of pixels.
    pub(super) fn rows(self, tile: Tile) -> impl Iterator<Item = (usize, usize, usize)> {
        let count = self.tile_width.min(self.width - tile.x) as usize;
        let height = self.tile_height.min(self.height - tile.y) as usize;
        let (x, y) = (tile.x as usize, tile.y as usize);
        (0..height)
            .map(move |row| (row * self.tile_width as usize, (y + row) * self.width as usize + x, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pixel_is_on_exactly_one_tile() {
        for (width, height, longest) in [(1, 1, 8), (8, 8, 8), (9, 8, 8), (17, 31, 8), (40, 3, 8), (7, 7, 2)]
        {
            let tiling = Tiling::new(width, height, longest);
            assert!(tiling.tile_width <= longest && tiling.tile_height <= longest, "{tiling:?}");
            let mut covered = vec![0; (width * height) as usize];
            for tile in tiling.tiles() {
                for (from, to, count) in tiling.rows(tile) {
                    assert!(from + count <= (tiling.tile_width * tiling.tile_height) as usize);
                    covered[to..to + count].iter_mut().for_each(|times| *times += 1);
                }
            }
            assert!(covered.iter().all(|&times| times == 1), "{tiling:?}: {covered:?}");
        }
    }

    #[test]
    fn a_picture_that_fits_is_one_tile() {
        assert_eq!(Tiling::new(2047, 1, TILE_SIDE), Tiling::whole(2047, 1));
        assert_eq!(Tiling::new(2049, 4096, TILE_SIDE).tiles().count(), 4);
        assert_eq!(Tiling::whole(640, 480).tile_from_picture(Tile::default()), [1.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn corners_of_a_tile_are_corners_of_its_picture() {
        let tiling = Tiling::new(100, 60, 32);
        for tile in tiling.tiles() {
            let [scale_x, scale_y, offset_x, offset_y] = tiling.tile_from_picture(tile);
            let place = |x: u32, y: u32| {
                let (x, y) = (x as f32 / 100.0 * 2.0 - 1.0, 1.0 - y as f32 / 60.0 * 2.0);
                (x * scale_x + offset_x, y * scale_y + offset_y)
            };
            let near = |(x, y): (f32, f32), (to_x, to_y): (f32, f32)| {
                assert!((x - to_x).abs() < 1e-5 && (y - to_y).abs() < 1e-5, "{tile:?}: {x}, {y}");
            };
            near(place(tile.x, tile.y), (-1.0, 1.0));
            near(place(tile.x + tiling.tile_width, tile.y + tiling.tile_height), (1.0, -1.0));
        }
    }
}
