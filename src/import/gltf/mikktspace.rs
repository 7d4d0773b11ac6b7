//! MikkTSpace, the tangents that tools bake normal maps with, defined at <http://www.mikktspace.com>.
//!
//! 1. Vertices with equal position, normal and texture coordinates are merged.
//! 2. Each triangle has one direction in which U grows and one for V.
//! 3. Triangles round a vertex form a group if they are connected by edges and agree on whether the texture is
//!    mirrored.
//! 4. A corner's tangent is the mean over its group, weighted by the angles at the vertex.
//!
//! Groups and sums follow the order of the triangles, as in Mikkelsen's own program, so that the numbers are those of
//! other tools; `tests/import/tangents.rs` compares them. Nothing recurses, and time grows linearly with the number of
//! corners.
use crate::angle::arc_cosine_single;
use crate::order::for_equal_rows;
use bytemuck::{Pod, Zeroable, cast_slice};
use glam::{Vec2, Vec3, Vec3A, Vec4};
use std::cmp::Ordering;

/// Marks a corner, vertex or group that doesn't exist.
const NONE: u32 = u32::MAX;

/// Returns one tangent per corner of the triangles. w is 1, or −1 if the texture is mirrored.
///
/// The tangent is zero for triangles without area, and for triangles without area in the texture that share a group
/// with no other triangle.
pub(super) fn tangents(positions: &[Vec3], normals: &[Vec3], uvs: &[Vec2], indices: &[u32]) -> Vec<Vec4> {
    let mut vertices = vec![ZERO_VERTEX; positions.len()];
    for (number, vertex) in vertices.iter_mut().enumerate() {
        // Adding 0 turns −0 into 0.
        vertex.position = positions.get(number).copied().unwrap_or_default() + Vec3::ZERO;
        vertex.normal = normals.get(number).copied().unwrap_or_default() + Vec3::ZERO;
        vertex.uv = uvs.get(number).copied().unwrap_or_default() + Vec2::ZERO;
    }
    let mut surface = Surface { vertices: &vertices, indices: Vec::new(), triangles: Vec::new() };
    surface.add_triangles(indices, &welded(&vertices));
    let twins = surface.twins();
    let groups = surface.groups(&twins);
    surface.means(&groups)
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Vertex {
    position: Vec3,
    normal: Vec3,
    uv: Vec2,
}

const ZERO_VERTEX: Vertex = Vertex { position: Vec3::ZERO, normal: Vec3::ZERO, uv: Vec2::ZERO };

/// Returns for each vertex the first one that is equal.
fn welded(vertices: &[Vertex]) -> Vec<u32> {
    let mut firsts = vec![NONE; vertices.len()];
    for_equal_rows(cast_slice(vertices), size_of::<Vertex>() / size_of::<u32>(), &mut |equal| {
        for &vertex in equal {
            put(&mut firsts, vertex, at(equal, 0));
        }
    });
    firsts
}

struct Triangle {
    /// The directions in which U and V grow, of unit length.
    along: [Vec3A; 2],
    /// 1, or −1 if the texture is mirrored. 0 for a triangle without area in the texture until a group includes it.
    sign: f32,
    /// Whether the triangle has an area in space and in the texture. One without an area in the texture joins any
    /// group and adds nothing to its mean.
    mapped: bool,
}

struct Surface<'a> {
    vertices: &'a [Vertex],
    /// Three per triangle, or `NONE` if it has no area. Each vertex is replaced by the first that is equal to it.
    indices: Vec<u32>,
    triangles: Vec<Triangle>,
}

impl Surface<'_> {
    fn add_triangles(&mut self, indices: &[u32], welded: &[u32]) {
        for triangle in indices.chunks_exact(3) {
            let mut corners = [0, 1, 2].map(|corner| at(welded, at(triangle, corner)));
            let [a, b, c] = corners.map(|corner| self.vertex(corner));
            if a.position == b.position || b.position == c.position || c.position == a.position {
                corners = [NONE; 3];
            }
            let (ab, ac, uv_ab, uv_ac) = (between(a, b), between(a, c), b.uv - a.uv, c.uv - a.uv);
            let area = uv_ab.x * uv_ac.y - uv_ab.y * uv_ac.x;
            let mut along = [ab * uv_ac.y - ac * uv_ab.y, ac * uv_ab.x - ab * uv_ac.x];
            let mut sign = if area > 0.0 { 1.0 } else { -1.0 };
            let mut mapped = corners[0] != NONE && is_normal(area.abs());
            for direction in &mut along {
                mapped &= is_normal(direction.length() / area.abs());
                *direction = unit(*direction) * sign;
            }
            if !mapped {
                along = [Vec3A::ZERO; 2];
                sign = 0.0;
            }
            self.indices.extend_from_slice(&corners);
            self.triangles.push(Triangle { along, sign, mapped });
        }
    }

    fn vertex(&self, index: u32) -> &Vertex {
        self.vertices.get(index as usize).unwrap_or(&ZERO_VERTEX)
    }

    /// Returns for each edge, identified by the corner at its beginning, the corner where the same edge of another
    /// triangle begins.
    ///
    /// Neighbours have their common edge in opposite directions. If several triangles share an edge, the first of one
    /// direction and the first of the other are neighbours, then the second ones, and so on.
    fn twins(&self) -> Vec<u32> {
        let ends = |corner: u32| [corner, next(corner)].map(|corner| at(&self.indices, corner));
        let mut edges = Vec::with_capacity(self.indices.len() * 2);
        for corner in (0..).take(self.indices.len()) {
            let [from, to] = ends(corner);
            edges.extend_from_slice(&[from.min(to), from.max(to)]);
        }
        let mut twins = vec![NONE; self.indices.len()];
        for_equal_rows(&edges, 2, &mut |equal| {
            let runs = |ordering: Ordering| {
                equal.iter().filter(move |&&corner| {
                    let [from, to] = ends(corner);
                    from.cmp(&to) == ordering
                })
            };
            for (&there, &back) in runs(Ordering::Less).zip(runs(Ordering::Greater)) {
                put(&mut twins, there, back);
                put(&mut twins, back, there);
            }
        });
        twins
    }

    /// Returns the group of each corner, identified by the first corner in it whose triangle is mapped; [`NONE`] for
    /// no group.
    fn groups(&mut self, twins: &[u32]) -> Vec<u32> {
        let mut groups = vec![NONE; twins.len()];
        for first in (0..).take(twins.len()) {
            let Some(&Triangle { mapped: true, sign, .. }) = self.triangles.get(first as usize / 3) else {
                continue;
            };
            if at(&groups, first) != NONE {
                continue;
            }
            put(&mut groups, first, first);
            // Visit the triangles round the vertex, first in one direction, then in the other.
            for forth in [false, true] {
                let mut corner = first;
                loop {
                    let twin = at(twins, if forth { corner } else { previous(corner) });
                    if twin == NONE {
                        break;
                    }
                    corner = if forth { next(twin) } else { twin };
                    let Some(triangle) = self.triangles.get_mut(corner as usize / 3) else { break };
                    if triangle.sign == 0.0 {
                        triangle.sign = sign;
                    }
                    if at(&groups, corner) != NONE || triangle.sign != sign {
                        break;
                    }
                    put(&mut groups, corner, first);
                }
            }
        }
        groups
    }

    /// Returns for each corner the tangent of its group.
    fn means(&self, groups: &[u32]) -> Vec<Vec4> {
        // Members with exactly opposite directions leave each other out, which requires comparing all pairs. Larger
        // groups leave none out, since the time would grow with the square of their size; real groups have tens of
        // members.
        const MAX_COMPARED: usize = 256;
        let mut tangents = vec![Vec4::ZERO; groups.len()];
        let mut members: Vec<Member> = Vec::new();
        for_equal_rows(groups, 1, &mut |group| {
            if at(groups, at(group, 0)) == NONE {
                return;
            }
            members.clear();
            let mut sign = 0.0;
            for &corner in group {
                let Some(triangle) = self.triangles.get(corner as usize / 3) else { continue };
                let [here, after, before] = [corner, next(corner), previous(corner)]
                    .map(|corner| self.vertex(at(&self.indices, corner)));
                let normal = Vec3A::from(here.normal);
                let [a, b] = [after, before].map(|there| projected(between(here, there), normal));
                sign = triangle.sign;
                members.push(Member {
                    along: triangle.along.map(|direction| projected(direction, normal)),
                    angle: if triangle.mapped { arc_cosine_single(a.dot(b).clamp(-1.0, 1.0)) } else { 0.0 },
                });
            }
            let compared = group.len() <= MAX_COMPARED;
            let mut mean = Vec3A::ZERO;
            for (nth, (member, &corner)) in members.iter().zip(group).enumerate() {
                if compared || nth == 0 {
                    mean = Vec3A::ZERO;
                    for other in &members {
                        let by_u = member.along[0].dot(other.along[0]);
                        let by_v = member.along[1].dot(other.along[1]);
                        if !compared || (by_u > -1.0 && by_v > -1.0) {
                            mean += other.along[0] * other.angle;
                        }
                    }
                    mean = unit(mean);
                }
                if let Some(tangent) = tangents.get_mut(corner as usize) {
                    *tangent = Vec3::from(mean).extend(sign);
                }
            }
        });
        tangents
    }
}

/// A triangle in a group, projected along the normal of the group's vertex.
struct Member {
    /// The directions in which U and V grow, of unit length.
    along: [Vec3A; 2],
    /// The angle between the edges that meet at the vertex. 0 if the triangle adds nothing.
    angle: f32,
}

fn between(from: &Vertex, to: &Vertex) -> Vec3A {
    Vec3A::from(to.position) - Vec3A::from(from.position)
}

fn projected(vector: Vec3A, normal: Vec3A) -> Vec3A {
    unit(vector - normal * normal.dot(vector))
}

/// Scales a vector to unit length, unless all its components are close to 0.
fn unit(vector: Vec3A) -> Vec3A {
    if is_normal(vector.abs().max_element()) { vector * vector.length_recip() } else { vector }
}

/// Returns whether a number is above 0 by enough to have full precision.
fn is_normal(number: f32) -> bool {
    number > f32::MIN_POSITIVE
}

/// Returns the next corner of the same triangle.
fn next(corner: u32) -> u32 {
    if corner % 3 == 2 { corner - 2 } else { corner + 1 }
}

fn previous(corner: u32) -> u32 {
    next(next(corner))
}

fn at(list: &[u32], index: u32) -> u32 {
    list.get(index as usize).copied().unwrap_or(NONE)
}

fn put(list: &mut [u32], index: u32, value: u32) {
    if let Some(slot) = list.get_mut(index as usize) {
        *slot = value;
    }
}
