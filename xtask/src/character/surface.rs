//! Converts solids to triangles with surface nets. Vertices are evened out, moved onto the exact surface, and edges
//! are cut in where the paint changes, so that colour borders are crisp at any grid size.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3, Vec4};

use super::{
    field::{gradient, onto_surface},
    simplify::{Exact, Soup, Thrift, simplify},
    weights::Influences,
};

/// Linear RGB of a vertex colour, with which glTF multiplies the material's `baseColorFactor`.
pub(super) type Paint = Vec3;

/// Number of morph targets of the face; see `face::MORPH_NAMES`.
pub(super) const MORPH_COUNT: usize = 3;

/// A triangle mesh with all vertex attributes that the file stores.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    pub(super) vertices: Vec<Vertex>,
    pub(super) triangles: Vec<[u32; 3]>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Vertex {
    pub(super) position: Vec3,
    pub(super) normal: Vec3,
    pub(super) paint: Paint,
    /// Texture coordinates of cloth and hair, counted in tiles of the relief.
    pub(super) tiles: Vec2,
    pub(super) influences: Influences,
    pub(super) morph_deltas: [Vec3; MORPH_COUNT],
}

/// A solid, and the parameters of its conversion to a surface.
pub(super) struct Solid<'a> {
    pub(super) field: &'a dyn Fn(Vec3) -> f32,
    pub(super) min: Vec3,
    pub(super) max: Vec3,
    /// Edge length of the sampling grid. Smaller details are lost.
    pub(super) cell: f32,
    pub(super) thrift: Thrift,
    /// Returns whether a point is hidden in another solid. Triangles with three hidden corners are dropped.
    pub(super) hidden: &'a dyn Fn(Vec3) -> bool,
    /// Functions whose zero lines become edges. Bit n of a region is set where the n-th function is negative.
    pub(super) borders: &'a [&'a dyn Fn(Vec3) -> f32],
    pub(super) paint: &'a dyn Fn(Vec3, u32) -> Paint,
    pub(super) influences: &'a dyn Fn(Vec3) -> Influences,
}

pub(super) fn shown(_: Vec3) -> bool {
    false
}

impl Solid<'_> {
    pub(super) fn surface(&self) -> Surface {
        let mut net = self.net();
        self.even_out(&mut net);
        let mut triangles = net.split_quads();
        triangles.retain(|corners| !corners.iter().all(|&corner| (self.hidden)(net.points[corner as usize])));
        let mut regions = vec![0_u32; triangles.len()];
        for (bit, border) in self.borders.iter().enumerate() {
            self.cut(*border, 1 << bit, &mut net.points, &mut triangles, &mut regions);
        }
        let mut soup = Soup { points: &mut net.points, triangles: &mut triangles, regions: &mut regions };
        let exact =
            Exact { onto: &|p| onto_surface(self.field, p, self.cell * 0.25), normal: &|p| self.normal(p) };
        simplify(&mut soup, self.thrift, &exact);
        self.dress(&net.points, &triangles, &regions)
    }

    fn normal(&self, p: Vec3) -> Vec3 {
        gradient(self.field, p, self.cell * 0.3).normalize_or(Vec3::Y)
    }

    fn net(&self) -> Net {
        let size = (self.max - self.min) / self.cell;
        let [nx, ny, nz] = [size.x, size.y, size.z].map(|extent| extent.ceil() as usize + 1);
        let at =
            |x: usize, y: usize, z: usize| self.min + Vec3::new(x as f32, y as f32, z as f32) * self.cell;
        let index = |x: usize, y: usize, z: usize| (z * ny + y) * nx + x;
        let mut samples = vec![0.0_f32; nx * ny * nz];
        for z in 0..nz {
            for y in 0..ny {
                for x in 0..nx {
                    samples[index(x, y, z)] = (self.field)(at(x, y, z));
                }
            }
        }
        let mut net = Net::default();
        let mut point_of_cell = vec![u32::MAX; samples.len()];
        for z in 0..nz - 1 {
            for y in 0..ny - 1 {
                for x in 0..nx - 1 {
                    let corner = |bits: usize| {
                        let (cx, cy, cz) = (x + (bits & 1), y + (bits >> 1 & 1), z + (bits >> 2));
                        (at(cx, cy, cz), samples[index(cx, cy, cz)])
                    };
                    let crossings: Vec<Vec3> = (0..8_usize)
                        .flat_map(|from| [1, 2, 4].map(|bit| (from, from | bit)))
                        .filter(|(from, to)| from != to)
                        .filter_map(|(from, to)| {
                            let ((p, a), (q, b)) = (corner(from), corner(to));
                            ((a < 0.0) != (b < 0.0)).then(|| p.lerp(q, a / (a - b)))
                        })
                        .collect();
                    if !crossings.is_empty() {
                        point_of_cell[index(x, y, z)] = net.points.len() as u32;
                        net.points.push(crossings.iter().sum::<Vec3>() / crossings.len() as f32);
                    }
                }
            }
        }
        for z in 1..nz - 1 {
            for y in 1..ny - 1 {
                for x in 1..nx - 1 {
                    let inside = samples[index(x, y, z)] < 0.0;
                    let mut face = |outside: bool, cells: [usize; 4]| {
                        if inside != outside {
                            return;
                        }
                        let mut quad = cells.map(|cell| point_of_cell[cell]);
                        if !inside {
                            quad.reverse();
                        }
                        net.quads.push(quad);
                    };
                    face(
                        samples[index(x + 1, y, z)] >= 0.0,
                        [index(x, y - 1, z - 1), index(x, y, z - 1), index(x, y, z), index(x, y - 1, z)],
                    );
                    face(
                        samples[index(x, y + 1, z)] >= 0.0,
                        [index(x - 1, y, z - 1), index(x - 1, y, z), index(x, y, z), index(x, y, z - 1)],
                    );
                    face(
                        samples[index(x, y, z + 1)] >= 0.0,
                        [index(x - 1, y - 1, z), index(x, y - 1, z), index(x, y, z), index(x - 1, y, z)],
                    );
                }
            }
        }
        net
    }

    /// Moves points towards the centre of their neighbours and back onto the surface, which evens out the cells.
    fn even_out(&self, net: &mut Net) {
        let mut neighbours = vec![Vec::new(); net.points.len()];
        for quad in &net.quads {
            for corner in 0..4 {
                neighbours[quad[corner] as usize].push(quad[(corner + 1) % 4]);
                neighbours[quad[corner] as usize].push(quad[(corner + 3) % 4]);
            }
        }
        for _ in 0..6 {
            let before = net.points.clone();
            for (point, around) in net.points.iter_mut().zip(&neighbours) {
                if !around.is_empty() {
                    let middle =
                        around.iter().map(|&n| before[n as usize]).sum::<Vec3>() / around.len() as f32;
                    *point = onto_surface(self.field, point.lerp(middle, 0.5), self.cell * 0.25);
                }
            }
        }
    }

    /// Splits triangles along `border = 0`. Corners very near the line are moved onto it, which avoids slivers.
    fn cut(
        &self,
        border: &dyn Fn(Vec3) -> f32,
        bit: u32,
        points: &mut Vec<Vec3>,
        triangles: &mut Vec<[u32; 3]>,
        regions: &mut Vec<u32>,
    ) {
        const NEAR: f32 = 0.25;
        let mut heights: Vec<f32> = points.iter().map(|&p| border(p)).collect();
        for corners in triangles.iter() {
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                let (a, b) = (corners[a] as usize, corners[b] as usize);
                if heights[a] * heights[b] >= 0.0 {
                    continue;
                }
                let t = heights[a] / (heights[a] - heights[b]);
                let crossing = points[a].lerp(points[b], t);
                if t < NEAR {
                    (points[a], heights[a]) = (onto_surface(self.field, crossing, self.cell * 0.25), 0.0);
                } else if t > 1.0 - NEAR {
                    (points[b], heights[b]) = (onto_surface(self.field, crossing, self.cell * 0.25), 0.0);
                }
            }
        }
        let mut middles = BTreeMap::new();
        let mut middle = |points: &mut Vec<Vec3>, heights: &mut Vec<f32>, a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let (ha, hb) = (heights[a as usize], heights[b as usize]);
                let crossing = points[a as usize].lerp(points[b as usize], ha / (ha - hb));
                points.push(onto_surface(self.field, crossing, self.cell * 0.25));
                heights.push(0.0);
                points.len() as u32 - 1
            })
        };
        let (mut new_triangles, mut new_regions) = (Vec::new(), Vec::new());
        for (&corners, &region) in triangles.iter().zip(regions.iter()) {
            let mut add = |triangle: [u32; 3], inside: bool| {
                new_triangles.push(triangle);
                new_regions.push(if inside { region | bit } else { region });
            };
            let height = |corner: u32| heights[corner as usize];
            // Rotate the corners until the first one is alone on its side, or lies on the line.
            let lone = (0..3).find(|&turn| {
                let [a, b, c] = [0, 1, 2].map(|n| height(corners[(n + turn) % 3]));
                a * b < 0.0 && a * c < 0.0
            });
            let split = (0..3).find(|&turn| {
                let [a, b, c] = [0, 1, 2].map(|n| height(corners[(n + turn) % 3]));
                a == 0.0 && b * c < 0.0
            });
            if let Some(turn) = lone {
                let [a, b, c] = [0, 1, 2].map(|n| corners[(n + turn) % 3]);
                let inside = height(a) < 0.0;
                let ab = middle(points, &mut heights, a, b);
                let ac = middle(points, &mut heights, a, c);
                add([a, ab, ac], inside);
                add([ab, b, c], !inside);
                add([ab, c, ac], !inside);
            } else if let Some(turn) = split {
                let [a, b, c] = [0, 1, 2].map(|n| corners[(n + turn) % 3]);
                let inside = height(b) < 0.0;
                let bc = middle(points, &mut heights, b, c);
                add([a, b, bc], inside);
                add([a, bc, c], !inside);
            } else {
                add(corners, corners.iter().map(|&corner| height(corner)).sum::<f32>() < 0.0);
            }
        }
        (*triangles, *regions) = (new_triangles, new_regions);
    }

    /// Creates vertices from points, with normal, paint and influences. A point on a border becomes one vertex per
    /// paint.
    fn dress(&self, points: &[Vec3], triangles: &[[u32; 3]], regions: &[u32]) -> Surface {
        let mut surface = Surface::default();
        let mut vertex_of = BTreeMap::new();
        for (corners, &region) in triangles.iter().zip(regions) {
            surface.triangles.push(corners.map(|corner| {
                let position = points[corner as usize];
                let paint = (self.paint)(position, region);
                *vertex_of.entry((corner, paint.to_array().map(f32::to_bits))).or_insert_with(|| {
                    surface.vertices.push(Vertex {
                        position,
                        normal: self.normal(position),
                        paint,
                        influences: (self.influences)(position),
                        ..Vertex::default()
                    });
                    surface.vertices.len() as u32 - 1
                })
            }));
        }
        surface
    }
}

#[derive(Default)]
struct Net {
    points: Vec<Vec3>,
    quads: Vec<[u32; 4]>,
}

impl Net {
    fn split_quads(&self) -> Vec<[u32; 3]> {
        let apart = |a: u32, b: u32| self.points[a as usize].distance_squared(self.points[b as usize]);
        self.quads
            .iter()
            .flat_map(|&[a, b, c, d]| {
                if apart(a, c) <= apart(b, d) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
            })
            .collect()
    }
}

impl Surface {
    pub(super) fn append(&mut self, other: Surface) {
        let base = self.vertices.len() as u32;
        self.vertices.extend(other.vertices);
        self.triangles.extend(other.triangles.into_iter().map(|corners| corners.map(|corner| corner + base)));
    }

    /// Returns the surface mirrored in X. `influences` returns the joints of the mirrored vertices.
    pub(super) fn mirrored(&self, influences: &dyn Fn(Vec3) -> Influences) -> Surface {
        let flip = Vec3::new(-1.0, 1.0, 1.0);
        let mut other = self.clone();
        for vertex in &mut other.vertices {
            vertex.position *= flip;
            vertex.normal *= flip;
            vertex.morph_deltas = vertex.morph_deltas.map(|delta| delta * flip);
            vertex.influences = influences(vertex.position);
        }
        for corners in &mut other.triangles {
            corners.reverse();
        }
        other
    }

    /// Returns a grid of `columns + 1` by `rows + 1` vertices. Its front faces `du × dv`.
    pub(super) fn sheet(columns: usize, rows: usize, vertex: &dyn Fn(f32, f32) -> Vertex) -> Surface {
        let mut surface = Surface::default();
        for row in 0..=rows {
            for column in 0..=columns {
                surface.vertices.push(vertex(column as f32 / columns as f32, row as f32 / rows as f32));
            }
        }
        let at = |column: usize, row: usize| (row * (columns + 1) + column) as u32;
        for row in 0..rows {
            for column in 0..columns {
                let [a, b, c, d] =
                    [at(column, row), at(column + 1, row), at(column + 1, row + 1), at(column, row + 1)];
                surface.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        surface
    }

    /// Closes a sheet into a tube by replacing the last column's vertices with the first's.
    pub(super) fn weld_columns(&mut self, columns: usize) {
        let width = columns as u32 + 1;
        for corners in &mut self.triangles {
            *corners =
                corners.map(
                    |corner| if corner % width == columns as u32 { corner - columns as u32 } else { corner },
                );
        }
        self.drop_unused();
    }

    /// Averages the normals of vertices at the same position, so that no seam shows where only the paint differs.
    pub(super) fn share_normals(&mut self) {
        let key = |p: Vec3| p.to_array().map(|x| (x * 1e5).round() as i32);
        let mut sums = BTreeMap::new();
        for vertex in &self.vertices {
            *sums.entry(key(vertex.position)).or_insert(Vec3::ZERO) += vertex.normal;
        }
        for vertex in &mut self.vertices {
            vertex.normal = sums[&key(vertex.position)].normalize_or(Vec3::Y);
        }
    }

    /// Moves the vertex nearest to `tip` there. The grid rounds off points that are thinner than its cells.
    pub(super) fn sharpen(&mut self, tip: Vec3, direction: Vec3) {
        let nearest = self.vertices.iter().map(|vertex| vertex.position).min_by(|a, b| {
            a.distance_squared(tip).total_cmp(&b.distance_squared(tip)).then(a.x.total_cmp(&b.x))
        });
        for vertex in &mut self.vertices {
            if Some(vertex.position) == nearest {
                (vertex.position, vertex.normal) = (tip, direction);
            }
        }
    }

    fn drop_unused(&mut self) {
        let mut kept = vec![None; self.vertices.len()];
        let mut vertices = Vec::new();
        for corner in self.triangles.iter_mut().flatten() {
            let slot = &mut kept[*corner as usize];
            *corner = *slot.get_or_insert_with(|| {
                vertices.push(self.vertices[*corner as usize].clone());
                vertices.len() as u32 - 1
            });
        }
        self.vertices = vertices;
    }

    /// Computes vertex normals from the triangles, weighted by area.
    pub(super) fn recompute_normals(&mut self) {
        let mut sums = vec![Vec3::ZERO; self.vertices.len()];
        for corners in &self.triangles {
            let [a, b, c] = corners.map(|corner| self.vertices[corner as usize].position);
            for &corner in corners {
                sums[corner as usize] += (b - a).cross(c - a);
            }
        }
        for (vertex, sum) in self.vertices.iter_mut().zip(sums) {
            vertex.normal = sum.normalize_or(Vec3::Y);
        }
    }
}

/// Converts an sRGB colour, `0xRRGGBB`, to linear light as glTF stores it.
pub(super) fn srgb(hex: u32) -> Paint {
    let channel = |shift: u32| {
        let encoded = (hex >> shift & 0xff) as f32 / 255.0;
        if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
    };
    Vec3::new(channel(16), channel(8), channel(0))
}

/// Returns the opaque vertex colour, clamped to 0..1.
pub(super) fn rgba(paint: Paint) -> Vec4 {
    paint.clamp(Vec3::ZERO, Vec3::ONE).extend(1.0)
}
