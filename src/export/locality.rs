//! Order of triangles and vertices in which the codecs find much in common, and equal vertices as one.
use crate::order::for_equal_rows;

/// Vertices that are drawn as one, in the order of their first use.
pub(super) struct Vertices {
    /// For each new vertex, the old one.
    pub(super) old: Vec<u32>,
    pub(super) indices: Vec<u32>,
}

/// Merges vertices with equal rows of words, and leaves out those that aren't used.
pub(super) fn merged(rows: &[u32], width: usize, indices: &[u32]) -> Vec<u32> {
    let mut first = vec![0_u32; rows.len() / width.max(1)];
    for_equal_rows(rows, width.max(1), &mut |equal| {
        for &vertex in equal {
            if let (Some(slot), Some(&least)) = (slot(&mut first, vertex), equal.first()) {
                *slot = least;
            }
        }
    });
    indices.iter().map(|&index| get(&first, index)).collect()
}

/// Numbers vertices in the order of their first use.
pub(super) fn by_first_use(indices: &[u32], vertex_count: usize) -> Vertices {
    let mut new = vec![u32::MAX; vertex_count];
    let mut vertices = Vertices { old: Vec::new(), indices: Vec::with_capacity(indices.len()) };
    for &index in indices {
        let Some(slot) = slot(&mut new, index) else { continue };
        if *slot == u32::MAX {
            *slot = u32::try_from(vertices.old.len()).unwrap_or(u32::MAX);
            vertices.old.push(index);
        }
        vertices.indices.push(*slot);
    }
    vertices
}

/// Orders triangles so that each has many corners in common with those right before it.
///
/// The next triangle is the best one at the vertices that were used last: recent corners count, and corners with few
/// triangles left, so that no single triangles remain. The time is linear in the number of triangles.
pub(super) fn ordered_triangles(indices: &[u32], vertex_count: usize) -> Vec<u32> {
    let mut left = Left::new(indices, vertex_count);
    let mut recent: Vec<u32> = Vec::with_capacity(RECENT + 3);
    let mut ordered = Vec::with_capacity(indices.len());
    let mut unseen = 0..indices.len() / 3;
    loop {
        let candidate = left.best_at(&recent).or_else(|| unseen.find(|&triangle| !left.is_taken(triangle)));
        let Some(triangle) = candidate else { return ordered };
        let corners = left.take(triangle);
        ordered.extend(corners);
        recent.retain(|vertex| !corners.contains(vertex));
        recent.splice(0..0, corners);
        recent.truncate(RECENT);
    }
}

/// Number of vertices that count as recent, which is what the triangle codec remembers.
const RECENT: usize = 16;

/// Most triangles of one vertex that are compared, which bounds the time for vertices with thousands of them.
const MOST_COMPARED: usize = 24;

/// Triangles that aren't in the new order yet.
struct Left<'a> {
    indices: &'a [u32],
    taken: Vec<bool>,
    /// Triangles of each vertex. Those that are taken are removed when they are found.
    of_vertex: Vec<Vec<u32>>,
    /// Number of triangles of each vertex that aren't taken.
    count: Vec<u32>,
}

impl<'a> Left<'a> {
    fn new(indices: &'a [u32], vertex_count: usize) -> Self {
        let mut of_vertex = vec![Vec::new(); vertex_count];
        let mut count = vec![0; vertex_count];
        for (triangle, corners) in (0..).zip(indices.chunks_exact(3)) {
            for &corner in corners {
                if let (Some(triangles), Some(count)) =
                    (slot(&mut of_vertex, corner), slot(&mut count, corner))
                {
                    triangles.push(triangle);
                    *count += 1;
                }
            }
        }
        Self { indices, taken: vec![false; indices.len() / 3], of_vertex, count }
    }

    fn is_taken(&self, triangle: usize) -> bool {
        self.taken.get(triangle).copied().unwrap_or(true)
    }

    fn corners(&self, triangle: usize) -> [u32; 3] {
        self.indices.get(triangle * 3..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default()
    }

    fn take(&mut self, triangle: usize) -> [u32; 3] {
        if let Some(taken) = self.taken.get_mut(triangle) {
            *taken = true;
        }
        let corners = self.corners(triangle);
        for corner in corners {
            if let Some(count) = slot(&mut self.count, corner) {
                *count -= 1;
            }
        }
        corners
    }

    /// Returns the best triangle at one of these vertices.
    fn best_at(&mut self, recent: &[u32]) -> Option<usize> {
        let mut best: Option<(f32, usize)> = None;
        for &vertex in recent {
            let taken = &self.taken;
            let is_left = |triangle: &u32| taken.get(index(*triangle)) == Some(&false);
            let Some(triangles) = slot(&mut self.of_vertex, vertex) else { continue };
            // The ones in front are compared; those behind come forward as they are taken.
            let compared = triangles.len().min(MOST_COMPARED);
            let mut at = triangles.len() - compared;
            while let Some(triangle) = triangles.get(at) {
                if is_left(triangle) {
                    at += 1;
                } else {
                    triangles.remove(at);
                }
            }
            let from = triangles.len().saturating_sub(MOST_COMPARED);
            let triangles =
                self.of_vertex.get(index(vertex)).and_then(|all| all.get(from..)).unwrap_or_default();
            for triangle in triangles.iter().map(|&triangle| index(triangle)) {
                if self.is_taken(triangle) {
                    continue;
                }
                let score = self.corners(triangle).map(|corner| self.score(corner, recent)).iter().sum();
                if best.is_none_or(|(most, _)| score > most) {
                    best = Some((score, triangle));
                }
            }
        }
        best.map(|(_, triangle)| triangle)
    }

    fn score(&self, vertex: u32, recent: &[u32]) -> f32 {
        // How much each place counts; the last triangle's corners count alike.
        const PLACES: [f32; RECENT] =
            [0.75, 0.75, 0.75, 1.0, 0.89, 0.78, 0.68, 0.58, 0.49, 0.4, 0.32, 0.25, 0.18, 0.11, 0.06, 0.02];
        let place = recent.iter().position(|&other| other == vertex);
        let recency = place.and_then(|place| PLACES.get(place)).copied().unwrap_or_default();
        let count = get(&self.count, vertex).min(1 << 20);
        recency + 2.0 / f32::from(u16::try_from(count).unwrap_or(u16::MAX)).max(1.0).sqrt()
    }
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn slot<T>(list: &mut [T], at: u32) -> Option<&mut T> {
    list.get_mut(index(at))
}

fn get(list: &[u32], at: u32) -> u32 {
    list.get(index(at)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns triangles with their least corner first, sorted.
    fn set(indices: &[u32]) -> Vec<[u32; 3]> {
        let turned = |corners: &[u32]| {
            let [a, b, c] = [corners[0], corners[1], corners[2]];
            [[a, b, c], [b, c, a], [c, a, b]].into_iter().min().unwrap()
        };
        let mut triangles: Vec<[u32; 3]> = indices.chunks(3).map(turned).collect();
        triangles.sort_unstable();
        triangles
    }

    #[test]
    fn the_same_triangles_come_in_a_better_order() {
        let size = 50_u32;
        let mut triangles: Vec<[u32; 3]> = (0..size * size)
            .flat_map(|at| {
                let at = at / size * (size + 1) + at % size;
                [[at, at + size + 1, at + 1], [at + 1, at + size + 1, at + size + 2]]
            })
            .collect();
        // A fixed shuffle.
        for at in (1..triangles.len()).rev() {
            triangles.swap(at, at * 7919 % (at + 1));
        }
        let indices = triangles.concat();
        let count = ((size + 1) * (size + 1)) as usize;
        let ordered = ordered_triangles(&indices, count);
        assert_eq!(set(&ordered), set(&indices));
        let vertices = by_first_use(&ordered, count);
        let back: Vec<u32> = vertices.indices.iter().map(|&new| vertices.old[new as usize]).collect();
        assert_eq!(back, ordered);
        let encoded = super::super::meshopt::encode_triangles(vertices.indices).len();
        assert!(encoded < triangles.len() * 3 / 2, "{encoded} bytes for {}", triangles.len());
    }

    #[test]
    fn a_vertex_with_many_triangles_takes_no_longer() {
        let indices: Vec<u32> = (0..200_000).flat_map(|at| [0, at + 1, at + 2]).collect();
        assert_eq!(set(&ordered_triangles(&indices, 200_002)), set(&indices));
    }

    #[test]
    fn vertices_with_equal_rows_are_one() {
        let rows = [5, 1, 6, 1, 5, 1, 5, 2];
        assert_eq!(merged(&rows, 2, &[0, 1, 2, 3, 2]), [0, 1, 0, 3, 0]);
        let Vertices { old, indices } = by_first_use(&[3, 1, 3, 7], 4);
        assert_eq!((old, indices), (vec![3, 1], vec![0, 1, 0]));
    }
}
