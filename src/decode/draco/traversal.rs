//! The order in which the values of attributes are stored: that of a walk over the triangles.
use super::corners::{Corners, NONE, face, get, next, previous, set};
use super::error::Result;
use super::memory::Memory;

/// The order of an attribute's values.
pub(super) struct Order {
    /// For each value, the corner at which it was met first.
    pub(super) corners: Vec<u32>,
    /// For each vertex, the index of its value.
    pub(super) value_of_vertex: Vec<u32>,
}

/// Walks over all triangles, depth first.
pub(super) fn depth_first(corners: &Corners, memory: &mut Memory) -> Result<Order> {
    let mut walk = Walk::new(corners, memory)?;
    let mut waiting = Vec::new();
    for start in walk.starts() {
        if walk.is_done(start) {
            continue;
        }
        walk.meet(next(start));
        walk.meet(previous(start));
        waiting.push(start);
        while let Some(mut corner) = waiting.pop() {
            while !walk.is_done(corner) {
                walk.finish(corner);
                let is_inside = walk.meet(corner) && !corners.is_on_boundary(corners.vertex(corner));
                let (right, left) = neighbours(corners, corner);
                if is_inside {
                    // Nothing else can be right of a vertex that is met first: the walk turns around it.
                    corner = right;
                    continue;
                }
                match (walk.is_done(right), walk.is_done(left)) {
                    (true, _) => corner = left,
                    (false, true) => corner = right,
                    (false, false) => {
                        waiting.push(left);
                        corner = right;
                    }
                }
            }
        }
    }
    Ok(walk.order)
}

/// Walks over all triangles. Those whose third vertex can be predicted best come first.
pub(super) fn by_prediction(corners: &Corners, memory: &mut Memory) -> Result<Order> {
    let mut walk = Walk::new(corners, memory)?;
    // For each vertex, how many triangles it can be predicted from.
    let mut degrees = memory.filled(0_u32, corners.left_most.len())?;
    memory.charge::<u32>(corners.vertex.len())?;
    // Corners to go on from: of vertices that were met, that several triangles predict, and that one predicts.
    let mut waiting = [const { Vec::new() }; 3];
    for start in walk.starts() {
        if walk.is_done(start) {
            continue;
        }
        walk.meet(next(start));
        walk.meet(previous(start));
        walk.meet(start);
        let mut best = 0;
        let mut following = Some(start);
        while let Some(mut corner) = following {
            while !walk.is_done(corner) {
                walk.finish(corner);
                walk.meet(corner);
                let (right, left) = neighbours(corners, corner);
                let only_left = walk.is_done(right);
                for (side, at_once) in [(left, only_left), (right, true)] {
                    if walk.is_done(side) {
                        continue;
                    }
                    let vertex = corners.vertex(side);
                    let priority = if walk.is_met(vertex) {
                        0
                    } else {
                        let degree = get(&degrees, vertex).wrapping_add(1);
                        set(&mut degrees, vertex, degree);
                        if degree > 1 { 1 } else { 2 }
                    };
                    if at_once && priority <= best {
                        corner = side;
                    } else if let Some(waiting) = waiting.get_mut(priority) {
                        waiting.push(side);
                        best = best.min(priority);
                    }
                }
            }
            following = None;
            for (priority, waiting) in waiting.iter_mut().enumerate().skip(best) {
                following = waiting.pop();
                if following.is_some() {
                    best = priority;
                    break;
                }
            }
        }
    }
    Ok(walk.order)
}

/// Returns the corners beyond the edges right and left of a corner.
fn neighbours(corners: &Corners, corner: u32) -> (u32, u32) {
    (corners.opposite(next(corner)), corners.opposite(previous(corner)))
}

/// What a walk has passed.
struct Walk<'a> {
    corners: &'a Corners,
    order: Order,
    /// For each triangle, whether it was passed.
    done: Vec<bool>,
}

impl<'a> Walk<'a> {
    fn new(corners: &'a Corners, memory: &mut Memory) -> Result<Self> {
        let vertex_count = corners.left_most.len();
        let face_count = corners.vertex.len() / 3;
        // For the caller's list of triangles to go back to.
        memory.charge::<[u32; 2]>(face_count)?;
        let order = Order {
            corners: memory.empty(vertex_count)?,
            value_of_vertex: memory.filled(NONE, vertex_count)?,
        };
        Ok(Self { corners, order, done: memory.filled(false, face_count)? })
    }

    /// Returns the first corner of each triangle.
    fn starts(&self) -> impl Iterator<Item = u32> + use<> {
        (0..).step_by(3).take(self.done.len())
    }

    fn is_done(&self, corner: u32) -> bool {
        self.done.get(face(corner) as usize).is_none_or(|done| *done)
    }

    fn finish(&mut self, corner: u32) {
        if let Some(done) = self.done.get_mut(face(corner) as usize) {
            *done = true;
        }
    }

    fn is_met(&self, vertex: u32) -> bool {
        self.order.value_of_vertex.get(vertex as usize).is_none_or(|value| *value != NONE)
    }

    /// Adds the vertex of a corner to the order. Returns whether it wasn't there.
    fn meet(&mut self, corner: u32) -> bool {
        let vertex = self.corners.vertex(corner);
        if self.is_met(vertex) {
            return false;
        }
        let value = u32::try_from(self.order.corners.len()).unwrap_or(NONE);
        set(&mut self.order.value_of_vertex, vertex, value);
        self.order.corners.push(corner);
        true
    }
}
