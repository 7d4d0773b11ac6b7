//! Conversion of strips, loops and fans to lists.
use crate::model::Topology;
use gltf::json::mesh::Mode;

/// Indices of a primitive as a list.
pub(super) struct Unrolled {
    pub(super) topology: Topology,
    pub(super) indices: Vec<u32>,
    /// Whether some vertices completed no line or triangle.
    pub(super) incomplete: bool,
    pub(super) restarted: bool,
}

/// Converts indices to a list. `restart` separates runs; glTF forbids it, but other APIs allow it, so exported files
/// contain it.
#[inline(never)]
pub(super) fn unroll(mode: Mode, indices: &[u32], restart: Option<u32>) -> Unrolled {
    let topology = match mode {
        Mode::Points => Topology::Points,
        Mode::Lines | Mode::LineLoop | Mode::LineStrip => Topology::Lines,
        Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan => Topology::Triangles,
    };
    let mut unrolled = Unrolled { topology, indices: Vec::new(), incomplete: false, restarted: false };
    let mut runs = 0;
    for run in indices.split(|&index| Some(index) == restart) {
        runs += 1;
        unrolled.incomplete |= !append(mode, run, &mut unrolled.indices);
    }
    unrolled.restarted = runs > 1;
    unrolled
}

/// Appends a run, and returns whether every vertex of it was used.
fn append(mode: Mode, run: &[u32], indices: &mut Vec<u32>) -> bool {
    match (mode, run) {
        (_, []) => true,
        (Mode::Points, _) => {
            indices.extend_from_slice(run);
            true
        }
        (Mode::Lines, _) => append_whole(run, 2, indices),
        (Mode::Triangles, _) => append_whole(run, 3, indices),
        (Mode::LineStrip | Mode::LineLoop, [_]) | (Mode::TriangleStrip | Mode::TriangleFan, [_] | [_, _]) => {
            false
        }
        (Mode::LineStrip | Mode::LineLoop, [first, .., last]) => {
            indices.extend(run.windows(2).flatten());
            if mode == Mode::LineLoop {
                indices.extend([last, first]);
            }
            true
        }
        (Mode::TriangleStrip, _) => {
            for (at, triangle) in run.windows(3).enumerate() {
                // Every second triangle of a strip has the opposite winding (glTF 2.0, 3.7.2.1).
                if let (&[a, b, c], true) | (&[a, c, b], false) = (triangle, at % 2 == 0) {
                    append_triangle([a, b, c], indices);
                }
            }
            true
        }
        (Mode::TriangleFan, [center, rim @ ..]) => {
            for edge in rim.windows(2) {
                if let &[from, to] = edge {
                    append_triangle([from, to, *center], indices);
                }
            }
            true
        }
    }
}

fn append_whole(run: &[u32], arity: usize, indices: &mut Vec<u32>) -> bool {
    let whole = run.len() - run.len() % arity;
    indices.extend_from_slice(run.get(..whole).unwrap_or_default());
    whole == run.len()
}

/// Appends a triangle unless it has no area. Strips are stitched together by such triangles; lists don't need them.
fn append_triangle([a, b, c]: [u32; 3], indices: &mut Vec<u32>) {
    if a != b && b != c && c != a {
        indices.extend([a, b, c]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indices_of(mode: Mode, indices: &[u32]) -> Vec<u32> {
        unroll(mode, indices, Some(9)).indices
    }

    // From the tables of glTF 2.0, section 3.7.2.1.
    #[test]
    fn every_mode_becomes_a_list() {
        let five = [0, 1, 2, 3, 4];
        assert_eq!(indices_of(Mode::Points, &five), five);
        assert_eq!(indices_of(Mode::Lines, &five), [0, 1, 2, 3]);
        assert_eq!(indices_of(Mode::LineStrip, &five), [0, 1, 1, 2, 2, 3, 3, 4]);
        assert_eq!(indices_of(Mode::LineLoop, &five), [0, 1, 1, 2, 2, 3, 3, 4, 4, 0]);
        assert_eq!(indices_of(Mode::Triangles, &five), [0, 1, 2]);
        assert_eq!(indices_of(Mode::TriangleStrip, &five), [0, 1, 2, 1, 3, 2, 2, 3, 4]);
        assert_eq!(indices_of(Mode::TriangleFan, &five), [1, 2, 0, 2, 3, 0, 3, 4, 0]);
    }

    #[test]
    fn what_completes_nothing_is_left_out_and_said() {
        for (mode, too_few) in
            [(Mode::Lines, 1), (Mode::LineStrip, 1), (Mode::LineLoop, 1), (Mode::Triangles, 2)]
        {
            let run: Vec<u32> = (0..too_few).collect();
            let unrolled = unroll(mode, &run, None);
            assert!(unrolled.incomplete && unrolled.indices.is_empty(), "{mode:?}");
        }
        assert!(unroll(Mode::TriangleFan, &[0, 1], None).incomplete);
        assert!(!unroll(Mode::TriangleStrip, &[], None).incomplete);
    }

    #[test]
    fn a_restart_cuts_and_stitches_vanish() {
        assert_eq!(indices_of(Mode::TriangleStrip, &[0, 1, 2, 9, 3, 4, 5]), [0, 1, 2, 3, 4, 5]);
        assert_eq!(indices_of(Mode::LineLoop, &[0, 1, 9, 2, 3]), [0, 1, 1, 0, 2, 3, 3, 2]);
        assert_eq!(indices_of(Mode::TriangleStrip, &[0, 1, 2, 2, 3, 3, 4, 5]), [0, 1, 2, 3, 5, 4]);
        assert!(unroll(Mode::LineStrip, &[0, 1, 9], Some(9)).restarted);
    }
}
