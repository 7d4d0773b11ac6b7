use super::packing::unpacked;
use crate::angle::angle_of;
use glam::Vec3A;
use std::f32::consts::PI;

/// A picture of everything around, twice as wide as high: longitudes from left to right, latitudes from top to bottom.
/// Its middle is towards +x, and +z is a quarter to the right of it.
#[derive(Clone, Debug)]
pub struct Panorama {
    width: usize,
    /// Packed texels, row after row.
    texels: Vec<u32>,
}

impl Panorama {
    /// Returns a panorama, or `None` if the texels aren't whole rows.
    pub fn new(width: usize, texels: Vec<u32>) -> Option<Self> {
        let is_whole = width > 0 && !texels.is_empty() && texels.len().is_multiple_of(width);
        is_whole.then_some(Self { width, texels })
    }

    /// Returns width and height in texels.
    pub fn size(&self) -> [usize; 2] {
        [self.width, self.texels.len() / self.width]
    }

    /// Returns the packed texels, row after row.
    pub fn texels(&self) -> &[u32] {
        &self.texels
    }

    /// Returns the light from a unit direction, interpolated.
    pub fn light_from(&self, direction: Vec3A) -> Vec3A {
        let [x, y, z] = direction.to_array().map(f64::from);
        let longitude = angle_of(z, x) as f32;
        let latitude = angle_of(y, (1.0 - y * y).max(0.0).sqrt()) as f32;
        let [_, height] = self.size();
        let across = (longitude / (2.0 * PI) + 0.5) * self.width as f32 + self.width as f32 - 0.5;
        let down = ((0.5 - latitude / PI) * height as f32 - 0.5).clamp(0.0, (height - 1) as f32);
        let (column, row) = (across as usize, down as usize);
        let texel = |row: usize, column: usize| unpacked(self.texels[row * self.width + column % self.width]);
        let in_row = |row| texel(row, column).lerp(texel(row, column + 1), across - column as f32);
        in_row(row).lerp(in_row((row + 1).min(height - 1)), down - row as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::light::packed;

    #[test]
    fn directions_are_found_on_the_picture() {
        // The colours of eight columns and four rows.
        let texel = |index: usize| packed(Vec3A::new((index % 8) as f32, (index / 8) as f32, 0.0));
        let panorama = Panorama::new(8, (0..32).map(texel).collect()).expect("it has whole rows");
        let at = |x: f32, y: f32, z: f32| {
            let light = panorama.light_from(Vec3A::new(x, y, z).normalize());
            [light.x, light.y].map(|part| (part * 1000.0).round() / 1000.0)
        };
        // Between two columns, and between two rows.
        assert_eq!(at(1.0, 0.0, 0.0), [3.5, 1.5]);
        assert_eq!(at(0.0, 0.0, 1.0), [5.5, 1.5]);
        assert_eq!(at(0.0, 0.0, -1.0), [1.5, 1.5]);
        // The left edge continues at the right one.
        assert_eq!(at(-1.0, 0.0, 0.0), [3.5, 1.5]);
        assert_eq!(at(0.0, 1.0, 1e-6)[1], 0.0);
        assert_eq!(at(0.0, -1.0, 1e-6)[1], 3.0);
    }

    #[test]
    fn parts_of_rows_are_refused() {
        assert!(Panorama::new(0, vec![1]).is_none() && Panorama::new(2, vec![]).is_none());
        assert!(Panorama::new(2, vec![1, 2, 3]).is_none());
    }
}
