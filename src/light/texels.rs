use super::filter::SIDE;
use super::octahedron::{direction_at, place_of};
use super::packing::{packed, unpacked};
use glam::{Vec2, Vec3A};

/// A square of light.
#[derive(Clone, Debug)]
pub(super) struct Texels {
    pub(super) side: usize,
    /// Row after row.
    pub(super) light: Vec<Vec3A>,
}

impl Texels {
    /// Returns the place on the map of the centre of a texel.
    pub(super) fn place(&self, index: usize) -> Vec2 {
        place_in(self.side, index)
    }

    /// Returns the light from a direction, interpolated.
    pub(super) fn light_from(&self, direction: Vec3A) -> Vec3A {
        let last = self.side - 1;
        let place = place_of(direction) * self.side as f32 - 0.5;
        let (x, y) = ((place.x.max(0.0) as usize).min(last), (place.y.max(0.0) as usize).min(last));
        let (across, down) = (place.x - x as f32, place.y - y as f32);
        let (right, below) = (usize::from(x < last), self.side * usize::from(y < last));
        let at = y * self.side + x;
        let row = |at: usize| self.light[at].lerp(self.light[at + right], across);
        row(at).lerp(row(at + below), down)
    }

    /// Returns a square of half the side, of averages.
    fn halved(&self) -> Self {
        let side = self.side / 2;
        let light = (0..side * side).map(|index| {
            let at = index / side * 2 * self.side + index % side * 2;
            let pair = |at: usize| self.light[at] + self.light[at + 1];
            (pair(at) + pair(at + self.side)) * 0.25
        });
        Self { side, light: light.collect() }
    }
}

fn place_in(side: usize, index: usize) -> Vec2 {
    (Vec2::new((index % side) as f32, (index / side) as f32) + 0.5) / side as f32
}

/// Returns the packed texels of the map's sharp level, and averages of them: squares of half its side and of each half
/// of that, down to 16.
pub(super) fn drawn(light_from: &dyn Fn(Vec3A) -> Vec3A) -> (Vec<u32>, Vec<Texels>) {
    let half = SIDE / 2;
    let mut sharp = vec![0; SIDE * SIDE];
    let mut averages = vec![Vec3A::ZERO; half * half];
    for (index, texel) in sharp.iter_mut().enumerate() {
        *texel = packed(light_from(direction_at(place_in(SIDE, index)).normalize()));
        // What isn't a number has become one.
        averages[index / SIDE / 2 * half + index % SIDE / 2] += unpacked(*texel) * 0.25;
    }
    let mut sources = vec![Texels { side: half, light: averages }];
    while let Some(last) = sources.last().filter(|last| last.side > 16) {
        sources.push(last.halved());
    }
    (sharp, sources)
}
