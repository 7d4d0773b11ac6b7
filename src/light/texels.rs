use super::Care;
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

    /// Returns a square of averages, of half the side of a square of light.
    fn halved(side_before: usize, light_at: &dyn Fn(usize) -> Vec3A) -> Self {
        let side = side_before / 2;
        let light = (0..side * side).map(|index| {
            let at = index / side * 2 * side_before + index % side * 2;
            let pair = |at: usize| light_at(at) + light_at(at + 1);
            (pair(at) + pair(at + side_before)) * 0.25
        });
        Self { side, light: light.collect() }
    }
}

fn place_in(side: usize, index: usize) -> Vec2 {
    (Vec2::new((index % side) as f32, (index / side) as f32) + 0.5) / side as f32
}

/// Returns the packed texels of the map's sharp level, and averages of them: squares of half its side and of each half
/// of that, down to 16. In a draft, 4 by 4 texels of the sharp level have the light of their centre.
#[inline(never)] // `docs/START.md` says why.
pub(super) fn drawn(light_from: &dyn Fn(Vec3A) -> Vec3A, care: Care) -> (Vec<u32>, Vec<Texels>) {
    let side = if care == Care::Draft { SIDE / 4 } else { SIDE };
    let of_place = |index| packed(light_from(direction_at(place_in(side, index)).normalize()));
    let drawn: Vec<u32> = (0..side * side).map(of_place).collect();
    // What isn't a number has become one.
    let light_at = |at: usize| unpacked(drawn[at]);
    let mut sources = match care {
        Care::Draft => {
            let light: Vec<Vec3A> = (0..drawn.len()).map(light_at).collect();
            vec![Texels { side: SIDE / 2, light: enlarged(&light, side, SIDE / 2) }, Texels { side, light }]
        }
        Care::Full => vec![Texels::halved(side, &light_at)],
    };
    while let Some(last) = sources.last().filter(|last| last.side > 16) {
        sources.push(Texels::halved(last.side, &|at| last.light[at]));
    }
    let sharp = if care == Care::Draft { enlarged(&drawn, side, SIDE) } else { drawn };
    (sharp, sources)
}

/// Returns a square of `large` texels a side, with several equal ones in place of each.
pub(super) fn enlarged<T: Copy>(texels: &[T], side: usize, large: usize) -> Vec<T> {
    let times = large / side;
    let mut all = Vec::with_capacity(large * large);
    for row in texels.chunks_exact(side) {
        let first = all.len();
        for &texel in row {
            all.extend(std::iter::repeat_n(texel, times));
        }
        for _ in 1..times {
            all.extend_from_within(first..first + large);
        }
    }
    all
}
