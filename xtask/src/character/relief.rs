//! The reliefs of knitted cloth and of hair: tiling normal maps, and the texture coordinates that count their tiles.
//! A tile of cloth is one stitch.

use std::{collections::BTreeMap, f32::consts::TAU};

use glam::{Vec2, Vec3, Vec4};

use super::{
    png,
    surface::{Surface, Vertex},
};

/// Width and height of a stitch.
pub(super) const STITCH: f32 = 0.0235;

/// A piece of cloth or hair.
pub(super) struct Piece<'a> {
    /// Returns the numbers of tiles across and along the piece at a point, at least 0.
    pub(super) tiles: &'a dyn Fn(Vec3) -> Vec2,
    /// Numbers of tiles after which the piece meets itself.
    pub(super) closes: Vec2,
}

/// Returns the stitches of a tube of cloth: `around` of them around `axis`. The seam is opposite to `front`.
pub(super) fn tube(start: Vec3, axis: Vec3, front: Vec3, around: f32) -> impl Fn(Vec3) -> Vec2 {
    move |p| {
        let local = p - start;
        let turns = local.dot(axis.cross(front)).atan2(local.dot(front)) / TAU;
        // Half a turn more, so that no number is negative.
        Vec2::new((turns + 0.5) * around, local.dot(axis) / STITCH)
    }
}

/// Counts the tiles at each vertex. `piece` returns the piece for the middle of a triangle.
///
/// Vertices at seams are doubled, so that each triangle lies in one piece and on one side of its seam.
pub(super) fn count_tiles<'a>(surface: &mut Surface, piece: &dyn Fn(Vec3) -> &'a Piece<'a>) {
    let mut vertices: Vec<Vertex> = Vec::new();
    let mut known: BTreeMap<(u32, [i32; 2]), u32> = BTreeMap::new();
    for corners in &mut surface.triangles {
        let places = corners.map(|corner| surface.vertices[corner as usize].position);
        let piece = piece(places.iter().sum::<Vec3>() / 3.0);
        let counts = places.map(|place| (piece.tiles)(place));
        let most = counts.into_iter().fold(Vec2::MIN, Vec2::max);
        for (corner, mut count) in corners.iter_mut().zip(counts) {
            for axis in 0..2 {
                if most[axis] - count[axis] > piece.closes[axis] * 0.5 {
                    count[axis] += piece.closes[axis];
                }
            }
            let key = (*corner, count.to_array().map(|tiles| (tiles * 256.0).round() as i32));
            *corner = *known.entry(key).or_insert_with(|| {
                vertices.push(Vertex { tiles: count, ..surface.vertices[key.0 as usize].clone() });
                vertices.len() as u32 - 1
            });
        }
    }
    surface.vertices = vertices;
}

/// Returns the tangents: xyz across the tiles, and in w the side to which they are counted.
pub(super) fn tangents(surface: &Surface) -> Vec<Vec4> {
    let mut sums = vec![[Vec3::ZERO; 2]; surface.vertices.len()];
    for corners in &surface.triangles {
        let [a, b, c] = corners.map(|corner| &surface.vertices[corner as usize]);
        let [u, v] = [b.tiles - a.tiles, c.tiles - a.tiles];
        let [p, q] = [b.position - a.position, c.position - a.position];
        let turned = u.perp_dot(v).signum();
        // Texture coordinates count downwards, and the second axis of a normal map points up.
        let axes = [(p * v.y - q * u.y) * turned, (p * v.x - q * u.x) * turned];
        for &corner in corners {
            for (sum, axis) in sums[corner as usize].iter_mut().zip(axes) {
                *sum += axis.normalize_or_zero();
            }
        }
    }
    let of_vertex = |(vertex, [across, up]): (&Vertex, [Vec3; 2])| {
        let normal = vertex.normal;
        let tangent = (across - normal * normal.dot(across)).normalize_or(normal.any_orthonormal_vector());
        tangent.extend(normal.cross(tangent).dot(up).signum())
    };
    surface.vertices.iter().zip(sums).map(of_vertex).collect()
}

/// A tiling normal map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Relief {
    Stitch,
    Strands,
}

impl Relief {
    /// Returns the width and height of the map in pixels. Strands are the same all along.
    fn size(self) -> [usize; 2] {
        match self {
            Relief::Stitch => [32, 32],
            Relief::Strands => [64, 1],
        }
    }

    /// Returns the height of the surface at a point of the tile, in widths of the tile.
    fn height(self, at: Vec2) -> f32 {
        match self {
            Relief::Stitch => stitch(at),
            Relief::Strands => strands(at.x),
        }
    }

    /// Returns the normal map as a PNG file.
    pub(super) fn normal_map(self) -> Vec<u8> {
        let [width, height] = self.size();
        let step = 1.0 / width as f32;
        let mut pixels = Vec::new();
        for row in 0..height {
            for column in 0..width {
                let at = Vec2::new(column as f32 + 0.5, row as f32 + 0.5) * step;
                let slope = |along: Vec2| (self.height(at + along) - self.height(at - along)) / (2.0 * step);
                let normal = Vec3::new(-slope(Vec2::X * step), slope(Vec2::Y * step), 1.0).normalize();
                pixels.push(normal.to_array().map(|value| (value * 127.0 + 128.0).round() as u8));
            }
        }
        png::rgb(width, &pixels)
    }
}

/// Returns the height of strands of different widths, side by side. Each is round.
fn strands(x: f32) -> f32 {
    const EDGES: [f32; 7] = [0.0, 0.19, 0.31, 0.53, 0.66, 0.84, 1.0];
    const THICK: f32 = 0.42;
    let x = x - x.floor();
    let next = EDGES.iter().position(|&edge| x < edge).unwrap_or(EDGES.len() - 1).max(1);
    let width = EDGES[next] - EDGES[next - 1];
    let t = (x - EDGES[next - 1]) / width;
    THICK * width * (4.0 * t * (1.0 - t))
}

/// Returns the height of the yarn in a stitch, in widths of a stitch. The two legs of a stitch form a V.
fn stitch(at: Vec2) -> f32 {
    const LEAN: f32 = 0.42;
    const HALF: Vec2 = Vec2::new(0.25, 0.66);
    const THICK: f32 = 0.30;
    let x = at.x - at.x.floor();
    let x = if x < 0.5 { x } else { 1.0 - x } - 0.25;
    let y = at.y - at.y.floor();
    (-1..=2)
        .map(|stitch| {
            // A leg of each stitch in the column, as an ellipse that leans towards the middle.
            let up = y - stitch as f32;
            let (sin, cos) = LEAN.sin_cos();
            let leg = Vec2::new(x * cos + up * sin, up * cos - x * sin) / HALF;
            (1.0 - leg.length_squared()).max(0.0).sqrt() * THICK
        })
        .fold(0.0, f32::max)
}
