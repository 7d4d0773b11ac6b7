//! Mesh simplification by edge collapse, cheapest edge first. The surface stays within a tolerance (quadric error),
//! borders between paints keep their place, and no triangle flips over.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DMat3, DVec3, Vec3};

/// Limits of a simplification.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thrift {
    /// Largest distance that the surface may move.
    pub(super) tolerance: f32,
    /// Largest height of the exact surface above an edge, estimated from the edge's length and the normals at its
    /// ends. It also keeps triangles from showing in the shading, which depends on those normals.
    pub(super) highest_arc: f32,
    /// Greatest length of an edge, so that skin has enough vertices to bend.
    pub(super) longest_edge: f32,
}

impl Thrift {
    pub(super) const fn new(tolerance: f32, highest_arc: f32, longest_edge: f32) -> Thrift {
        Thrift { tolerance, highest_arc, longest_edge }
    }
}

/// The exact surface that the triangles approximate.
pub(super) struct Exact<'a> {
    pub(super) onto: &'a dyn Fn(Vec3) -> Vec3,
    pub(super) normal: &'a dyn Fn(Vec3) -> Vec3,
}

/// Points, triangles and each triangle's region, before points become vertices.
pub(super) struct Soup<'a> {
    pub(super) points: &'a mut Vec<Vec3>,
    pub(super) triangles: &'a mut Vec<[u32; 3]>,
    pub(super) regions: &'a mut Vec<u32>,
}

/// A sum of squared distances to planes, as a function of a point.
#[derive(Clone, Copy)]
struct Quadric {
    square: DMat3,
    linear: DVec3,
    constant: f64,
    weight: f64,
}

impl Quadric {
    const ZERO: Quadric = Quadric { square: DMat3::ZERO, linear: DVec3::ZERO, constant: 0.0, weight: 0.0 };

    fn plane(normal: DVec3, through: DVec3, weight: f64) -> Quadric {
        let offset = -normal.dot(through);
        let square = DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z);
        Quadric {
            square: square * weight,
            linear: normal * (offset * weight),
            constant: offset * offset * weight,
            weight,
        }
    }

    fn plus(self, other: Quadric) -> Quadric {
        Quadric {
            square: self.square + other.square,
            linear: self.linear + other.linear,
            constant: self.constant + other.constant,
            weight: self.weight + other.weight,
        }
    }

    /// Returns the root of the mean squared distance.
    fn distance(&self, p: Vec3) -> f32 {
        let p = p.as_dvec3();
        let sum = p.dot(self.square * p) + 2.0 * self.linear.dot(p) + self.constant;
        (sum.max(0.0) / self.weight.max(1e-12)).sqrt() as f32
    }
}

struct Collapse {
    cost: f32,
    keep: u32,
    drop: u32,
    place: Vec3,
}

/// Collapses edges until none is cheap enough.
pub(super) fn simplify(soup: &mut Soup<'_>, thrift: Thrift, exact: &Exact<'_>) {
    let mut normals: Vec<Vec3> = soup.points.iter().map(|&point| (exact.normal)(point)).collect();
    let mut quadrics = quadrics(soup);
    for _ in 0..40 {
        let round = Round::survey(soup);
        let mut wanted = round.collapses(soup, &quadrics, thrift, exact.onto);
        wanted.sort_by(|a, b| a.cost.total_cmp(&b.cost).then(a.keep.cmp(&b.keep)).then(a.drop.cmp(&b.drop)));
        // A round collapses its cheapest edges only, because costs change around each collapse.
        wanted.truncate((wanted.len() / 3).max(1));
        let mut touched = vec![false; soup.points.len()];
        let mut became: Vec<u32> = (0..soup.points.len() as u32).collect();
        let mut any = false;
        for collapse in &wanted {
            let around = round.around(collapse.keep).chain(round.around(collapse.drop));
            let around: BTreeSet<u32> =
                around.flat_map(|triangle| soup.triangles[triangle as usize]).collect();
            if around.iter().any(|&point| touched[point as usize])
                || !round.sound(soup, collapse, thrift, &normals, exact)
            {
                continue;
            }
            around.iter().for_each(|&point| touched[point as usize] = true);
            let (keep, drop) = (collapse.keep as usize, collapse.drop as usize);
            soup.points[keep] = collapse.place;
            normals[keep] = (exact.normal)(collapse.place);
            quadrics[keep] = quadrics[keep].plus(quadrics[drop]);
            became[drop] = collapse.keep;
            any = true;
        }
        for corners in soup.triangles.iter_mut() {
            *corners = corners.map(|corner| became[corner as usize]);
        }
        let alive: Vec<bool> = soup.triangles.iter().map(|[a, b, c]| a != b && b != c && c != a).collect();
        let mut at = alive.iter();
        soup.triangles.retain(|_| *at.next().expect("one flag a triangle"));
        let mut at = alive.iter();
        soup.regions.retain(|_| *at.next().expect("one flag a triangle"));
        if !any {
            break;
        }
    }
}

fn sides(corners: &[u32; 3]) -> [(u32, u32); 3] {
    [(0, 1), (1, 2), (2, 0)].map(|(a, b)| (corners[a], corners[b]))
}

fn edge(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

/// Returns the edges between two regions or with one triangle only.
fn borders(soup: &Soup<'_>) -> BTreeSet<(u32, u32)> {
    let mut seen: BTreeMap<(u32, u32), (u32, usize)> = BTreeMap::new();
    let mut borders = BTreeSet::new();
    for (corners, &region) in soup.triangles.iter().zip(soup.regions.iter()) {
        for (a, b) in sides(corners) {
            let entry = seen.entry(edge(a, b)).or_insert((region, 0));
            entry.1 += 1;
            if entry.0 != region {
                borders.insert(edge(a, b));
            }
        }
    }
    borders.extend(seen.iter().filter(|(_, (_, count))| *count == 1).map(|(edge, _)| *edge));
    borders
}

fn quadrics(soup: &Soup<'_>) -> Vec<Quadric> {
    /// Factor for the cost of leaving a border, which is more visible than leaving a face.
    const BORDER_WEIGHT: f64 = 4.0;
    let mut quadrics = vec![Quadric::ZERO; soup.points.len()];
    let borders = borders(soup);
    for corners in soup.triangles.iter() {
        let [a, b, c] = corners.map(|corner| soup.points[corner as usize].as_dvec3());
        let across = (b - a).cross(c - a);
        let normal = across.normalize_or_zero();
        let area = across.length();
        for &corner in corners {
            let slot = &mut quadrics[corner as usize];
            *slot = slot.plus(Quadric::plane(normal, a, area));
        }
        for (from, to) in sides(corners) {
            if borders.contains(&edge(from, to)) {
                let [p, q] = [from, to].map(|corner| soup.points[corner as usize].as_dvec3());
                let wall = (q - p).cross(normal).normalize_or_zero();
                for corner in [from, to] {
                    let slot = &mut quadrics[corner as usize];
                    // Planes along borders add no weight, so they can only raise the cost.
                    let plane = Quadric::plane(wall, p, area * BORDER_WEIGHT);
                    *slot = slot.plus(Quadric { weight: 0.0, ..plane });
                }
            }
        }
    }
    quadrics
}

/// Adjacency at the start of a round of collapses.
struct Round {
    triangles_of: Vec<Vec<u32>>,
    borders: BTreeSet<(u32, u32)>,
    border_degree: Vec<u8>,
}

impl Round {
    fn survey(soup: &Soup<'_>) -> Round {
        let mut triangles_of = vec![Vec::new(); soup.points.len()];
        for (index, corners) in soup.triangles.iter().enumerate() {
            for &corner in corners {
                triangles_of[corner as usize].push(index as u32);
            }
        }
        let borders = borders(soup);
        let mut border_degree = vec![0_u8; soup.points.len()];
        for &(a, b) in &borders {
            border_degree[a as usize] = border_degree[a as usize].saturating_add(1);
            border_degree[b as usize] = border_degree[b as usize].saturating_add(1);
        }
        Round { triangles_of, borders, border_degree }
    }

    fn around(&self, point: u32) -> impl Iterator<Item = u32> {
        self.triangles_of[point as usize].iter().copied()
    }

    fn collapses(
        &self,
        soup: &Soup<'_>,
        quadrics: &[Quadric],
        thrift: Thrift,
        onto: &dyn Fn(Vec3) -> Vec3,
    ) -> Vec<Collapse> {
        let edges: BTreeSet<(u32, u32)> =
            soup.triangles.iter().flat_map(|corners| sides(corners).map(|(a, b)| edge(a, b))).collect();
        edges
            .into_iter()
            .filter_map(|(a, b)| {
                let [pa, pb] = [a, b].map(|point| soup.points[point as usize]);
                let degree = [a, b].map(|point| self.border_degree[point as usize]);
                let (keep, drop, place) = match degree {
                    [0, 0] => (a, b, onto((pa + pb) * 0.5)),
                    [_, 0] => (a, b, pa),
                    [0, _] => (b, a, pb),
                    _ if !self.borders.contains(&(a, b)) => return None,
                    [2, 2] => (a, b, onto((pa + pb) * 0.5)),
                    [_, 2] => (a, b, pa),
                    [2, _] => (b, a, pb),
                    _ => return None,
                };
                let both = quadrics[a as usize].plus(quadrics[b as usize]);
                let error = both.distance(place);
                // The length breaks ties: short edges go first, which keeps triangles even.
                let cost = error + 0.01 * pa.distance(pb);
                (error < thrift.tolerance).then_some(Collapse { cost, keep, drop, place })
            })
            .collect()
    }

    /// Returns whether a collapse keeps the surface valid: manifold, not folded, with no slim triangle and no
    /// overlong edge.
    fn sound(
        &self,
        soup: &Soup<'_>,
        collapse: &Collapse,
        thrift: Thrift,
        normals: &[Vec3],
        exact: &Exact<'_>,
    ) -> bool {
        let neighbours = |point: u32| -> BTreeSet<u32> {
            self.around(point)
                .flat_map(|triangle| soup.triangles[triangle as usize])
                .filter(|&n| n != point)
                .collect()
        };
        let (of_keep, of_drop) = (neighbours(collapse.keep), neighbours(collapse.drop));
        let shared_triangles = self
            .around(collapse.keep)
            .filter(|&triangle| soup.triangles[triangle as usize].contains(&collapse.drop))
            .count();
        if of_keep.intersection(&of_drop).count() != shared_triangles {
            return false;
        }
        let too_long = of_keep
            .union(&of_drop)
            .filter(|&&n| n != collapse.keep && n != collapse.drop)
            .any(|&n| soup.points[n as usize].distance(collapse.place) > thrift.longest_edge);
        if too_long {
            return false;
        }
        let normal = (exact.normal)(collapse.place);
        let too_bent =
            of_keep.union(&of_drop).filter(|&&n| n != collapse.keep && n != collapse.drop).any(|&n| {
                let length = soup.points[n as usize].distance(collapse.place);
                length * normals[n as usize].angle_between(normal) / 8.0 > thrift.highest_arc
            });
        // Exceeding `highest_arc` is allowed for two points with nearly equal normals, where the sampled surface is
        // that bent already.
        if too_bent && normals[collapse.keep as usize].dot(normals[collapse.drop as usize]) < 0.97 {
            return false;
        }
        let turned =
            |moved: u32, other: u32| {
                self.around(moved).any(|triangle| {
                    let corners = soup.triangles[triangle as usize];
                    if corners.contains(&other) {
                        return false;
                    }
                    let before = corners.map(|corner| soup.points[corner as usize]);
                    let after = corners.map(|corner| {
                        if corner == moved { collapse.place } else { soup.points[corner as usize] }
                    });
                    let normal = |[a, b, c]: [Vec3; 3]| (b - a).cross(c - a).normalize_or_zero();
                    let slim = {
                        let [a, b, c] = after;
                        let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
                        (b - a).cross(c - a).length() < 0.12 * longest * longest
                    };
                    normal(before).dot(normal(after)) < 0.5 || slim
                })
            };
        !turned(collapse.keep, collapse.drop) && !turned(collapse.drop, collapse.keep)
    }
}
