//! Connectivity in the edgebreaker encoding: symbols say how each triangle is attached to those before it.
//!
//! The decoder keeps a stack of edges, each represented by its opposite corner. A symbol attaches a triangle, which is
//! dotted here, to the edge on top:
//!
//! ```text
//! C: closes vertex v    L, R: add vertex v    S: joins edges at v    E: starts anew
//!    *-------*             *-------*             *-----v-----*             *
//!   / \     / \             .     .               \   . .   /             . .
//!  /   \   /   \             .   .                 \ .   . /             .   .
//! *-----\ /-----*             . .                   *.....*             *.....*
//!  \    .v.    /               v
//!   \  .   .  /
//!    *.......*
//! ```
use super::corners::{Corners, NONE, get, next, previous, set};
use super::error::{Result, invalid, unsupported};
use super::memory::Memory;
use super::points::points;
use super::rans::{RansBits, symbols};
use super::reader::{Bits, Reader};

/// How the triangles of a mesh are connected.
pub(super) struct Connectivity {
    /// The corners by position.
    pub(super) corners: Corners,
    /// The corners by other attributes that have seams.
    pub(super) seams: Vec<Corners>,
    /// For each corner, its point: a combination of values of all attributes.
    pub(super) points: Vec<u32>,
    pub(super) point_count: u32,
}

/// Decodes the connectivity of a mesh.
pub(super) fn decode(reader: &mut Reader, memory: &mut Memory) -> Result<Connectivity> {
    let by_valence = match reader.u8()? {
        0 => false,
        2 => true,
        _ => return Err(unsupported!("predictive edgebreaker")),
    };
    let vertex_count = reader.varint()?;
    let face_count = reader.varint()?;
    let seam_count = reader.u8()?;
    let symbol_count = reader.varint()?;
    let split_count = reader.varint()?;
    if face_count > NONE / 3 || vertex_count > 3 * face_count {
        return Err(invalid!("more vertices than corners"));
    }
    // The triangles without a symbol are those in the middle of three others.
    if split_count > symbol_count || symbol_count > face_count || face_count > symbol_count + symbol_count / 3
    {
        return Err(invalid!("another number of symbols than of triangles"));
    }
    let corner_count = 3 * face_count as usize;
    let vertex_limit = (vertex_count as usize).saturating_add(split_count as usize);
    let splits = splits(reader, memory, face_count)?;
    let mut builder = Builder {
        corners: Corners {
            opposite: memory.filled(NONE, corner_count)?,
            vertex: memory.filled(NONE, corner_count)?,
            left_most: memory.empty(vertex_limit)?,
        },
        merged: memory.empty(vertex_limit)?,
        vertex_limit,
        active: Vec::new(),
        dropped: Vec::new(),
    };
    memory.charge::<[u32; 2]>(symbol_count as usize)?;

    let plain = if by_valence { &[] } else { reader.sized()? };
    let mut plain = Reader::new(plain);
    let mut starts = RansBits::start(reader)?;
    let mut seam_bits = memory.empty(seam_count.into())?;
    for _ in 0..seam_count {
        seam_bits.push(RansBits::start(reader)?);
    }
    let mut coding = if by_valence {
        Coding::ByValence(Valences::read(reader, memory, symbol_count, vertex_limit)?)
    } else {
        Coding::Plain(Bits::new(&mut plain))
    };

    let used_face_count = builder.attach(symbol_count, splits, &mut coding, memory)?;
    if builder.close(used_face_count, &mut starts)? != face_count {
        return Err(invalid!("another number of triangles"));
    }
    // With seams, points have other numbers than vertices, which may have gaps.
    let dropped = if seam_count == 0 { std::mem::take(&mut builder.dropped) } else { Vec::new() };
    let (corners, vertex_count) = builder.finish(&dropped);
    corners.check()?;
    let mut seams = memory.empty(seam_count.into())?;
    for bits in &mut seam_bits {
        seams.push(corners.cut(bits, memory)?);
    }
    let (points, point_count) = if seams.is_empty() {
        let mut points = memory.empty(corner_count)?;
        points.extend_from_slice(&corners.vertex);
        (points, vertex_count)
    } else {
        points(&corners, &seams, memory)?
    };
    Ok(Connectivity { corners, seams, points, point_count })
}

/// A place where the surface meets itself: an edge of one triangle is joined by the symbol S of another.
#[derive(Clone, Copy)]
struct Split {
    /// Symbol of the triangle with the edge.
    source: u32,
    /// Symbol S.
    split: u32,
    to_right: bool,
}

/// Reads the places where the surface meets itself. Their symbols are counted from the last, in ascending order.
fn splits(reader: &mut Reader, memory: &mut Memory, face_count: u32) -> Result<Vec<Split>> {
    let count = reader.varint()?;
    if count > face_count {
        return Err(invalid!("more splits than triangles"));
    }
    let mut splits = memory.empty(count as usize)?;
    let mut source = 0_u32;
    for _ in 0..count {
        source = source.saturating_add(reader.varint()?);
        let split =
            source.checked_sub(reader.varint()?).ok_or(invalid!("a split before the first symbol"))?;
        splits.push(Split { source, split, to_right: false });
    }
    let mut bits = Bits::new(reader);
    for split in &mut splits {
        split.to_right = bits.take(1)? == 1;
    }
    Ok(splits)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Symbol {
    C,
    S,
    L,
    R,
    E,
}

/// The numbers of symbols, in both codings.
const SYMBOLS: [Symbol; 5] = [Symbol::C, Symbol::S, Symbol::L, Symbol::R, Symbol::E];

enum Coding<'r, 'a> {
    /// A bit for C, and three bits for others.
    Plain(Bits<'r, 'a>),
    ByValence(Valences),
}

impl Coding<'_, '_> {
    fn next(&mut self) -> Result<Symbol> {
        let number = match self {
            Coding::Plain(bits) => match bits.take(1)? {
                0 => 0,
                _ => 1 + bits.take(2)?,
            },
            Coding::ByValence(valences) => valences.next()?,
        };
        SYMBOLS.get(number as usize).copied().ok_or(invalid!("an unknown symbol"))
    }
}

/// Symbols in six lists. The number of triangles around the vertex at the active edge selects the list.
struct Valences {
    /// Symbols with the last first.
    lists: [Vec<i32>; 6],
    /// For each vertex, how many edges it has.
    valences: Vec<u32>,
    /// Index of the list of the next symbol. There is none for the first symbol, which is always E.
    list: usize,
}

impl Valences {
    fn read(
        reader: &mut Reader,
        memory: &mut Memory,
        symbol_count: u32,
        vertex_limit: usize,
    ) -> Result<Self> {
        let mut lists = [const { Vec::new() }; 6];
        for list in &mut lists {
            let count = reader.varint()?;
            if count > symbol_count {
                return Err(invalid!("another number of symbols than of triangles"));
            }
            *list = symbols(reader, memory, count as usize, 1)?;
        }
        Ok(Self { lists, valences: memory.filled(0, vertex_limit)?, list: NONE as usize })
    }

    fn next(&mut self) -> Result<u32> {
        let Some(list) = self.lists.get_mut(self.list) else { return Ok(Symbol::E as u32) };
        list.pop().map(i32::cast_unsigned).ok_or(invalid!("too few symbols"))
    }

    fn add(&mut self, vertex: u32, count: u32) {
        let sum = get(&self.valences, vertex).wrapping_add(count);
        set(&mut self.valences, vertex, sum);
    }

    /// Counts the edges of the triangle that `symbol` has attached. Its vertices are those at the active corner, the
    /// next and the previous.
    fn attached(&mut self, symbol: Symbol, vertices: [u32; 3]) {
        let counts = match symbol {
            Symbol::C | Symbol::S => [0, 1, 1],
            Symbol::R => [1, 1, 2],
            Symbol::L => [1, 2, 1],
            Symbol::E => [2, 2, 2],
        };
        for (vertex, count) in vertices.into_iter().zip(counts) {
            self.add(vertex, count);
        }
        let [_, next, _] = vertices;
        self.list = get(&self.valences, next).clamp(2, 7) as usize - 2;
    }
}

/// A mesh in construction.
struct Builder {
    corners: Corners,
    /// For each vertex, the one that took its place, or itself. Replacing it at every corner would take quadratic time.
    merged: Vec<u32>,
    vertex_limit: usize,
    /// Corners opposite to the edges that triangles can be attached to. The last is the next.
    active: Vec<u32>,
    /// Vertices that were merged with others, in this order.
    dropped: Vec<u32>,
}

impl Builder {
    fn vertex(&mut self, corner: u32) -> u32 {
        root(&mut self.merged, self.corners.vertex(corner))
    }

    fn add_vertex(&mut self, corner: u32) -> Result<u32> {
        let count = self.merged.len();
        if count == self.vertex_limit {
            return Err(invalid!("more vertices than promised"));
        }
        let vertex = u32::try_from(count).unwrap_or(NONE);
        self.merged.push(vertex);
        self.corners.left_most.push(corner);
        Ok(vertex)
    }

    fn set_vertices(&mut self, corner: u32, vertices: [u32; 3]) {
        for (corner, vertex) in (corner..).zip(vertices) {
            set(&mut self.corners.vertex, corner, vertex);
        }
    }

    fn set_left_most(&mut self, vertex: u32, corner: u32) {
        set(&mut self.corners.left_most, vertex, corner);
    }

    fn pop(&mut self) -> Result<u32> {
        self.active.pop().ok_or(invalid!("a symbol without an active edge"))
    }

    /// Attaches a triangle for each symbol. Returns their number.
    fn attach(
        &mut self,
        symbol_count: u32,
        mut splits: Vec<Split>,
        coding: &mut Coding,
        memory: &mut Memory,
    ) -> Result<u32> {
        // For each symbol S that ends a split, the corner opposite to the edge that it joins.
        let mut joined = memory.filled(NONE, if splits.is_empty() { 0 } else { symbol_count as usize })?;
        for id in 0..symbol_count {
            let symbol = coding.next()?;
            let corner = 3 * id;
            match symbol {
                Symbol::C => {
                    let a = self.pop()?;
                    let x = self.vertex(next(a));
                    let b = next(get(&self.corners.left_most, x));
                    self.corners.link(a, corner + 1)?;
                    self.corners.link(b, corner + 2)?;
                    let vertices = [x, self.vertex(next(b)), self.vertex(previous(a))];
                    let [_, right, left] = vertices;
                    if x == left || x == right {
                        return Err(invalid!("a triangle with two corners at a vertex"));
                    }
                    self.set_vertices(corner, vertices);
                    self.set_left_most(left, corner + 2);
                }
                Symbol::R | Symbol::L => {
                    let a = self.pop()?;
                    let to_right = symbol == Symbol::R;
                    let tip = if to_right { corner + 2 } else { corner + 1 };
                    self.corners.link(tip, a)?;
                    let new = self.add_vertex(tip)?;
                    let (left, right) = (self.vertex(next(a)), self.vertex(previous(a)));
                    self.set_vertices(corner, if to_right { [right, left, new] } else { [left, new, right] });
                    self.set_left_most(right, if to_right { corner } else { corner + 2 });
                }
                Symbol::S => {
                    let b = self.pop()?;
                    let a = match get(&joined, id) {
                        NONE => self.pop()?,
                        split => split,
                    };
                    self.corners.link(a, corner + 2)?;
                    self.corners.link(b, corner + 1)?;
                    let kept = self.vertex(previous(a));
                    let dropped = self.vertex(next(b));
                    let left = self.vertex(previous(b));
                    let vertices = [kept, self.vertex(next(a)), left];
                    self.set_vertices(corner, vertices);
                    self.set_left_most(left, corner + 2);
                    if kept == dropped {
                        return Err(invalid!("a vertex that is merged with itself"));
                    }
                    if let Coding::ByValence(valences) = coding {
                        let count = get(&valences.valences, dropped);
                        valences.add(kept, count);
                    }
                    let left_most = get(&self.corners.left_most, dropped);
                    self.set_left_most(kept, left_most);
                    self.set_left_most(dropped, NONE);
                    set(&mut self.merged, dropped, kept);
                    self.dropped.push(dropped);
                }
                Symbol::E => {
                    let mut vertices = [0; 3];
                    for (corner, vertex) in (corner..).zip(&mut vertices) {
                        *vertex = self.add_vertex(corner)?;
                    }
                    self.set_vertices(corner, vertices);
                }
            }
            self.active.push(corner);
            if let Coding::ByValence(valences) = coding {
                let vertices = [corner, corner + 1, corner + 2].map(|corner| self.vertex(corner));
                valences.attached(symbol, vertices);
            }
            if matches!(symbol, Symbol::C | Symbol::S) {
                continue;
            }
            // The encoder counted symbols from the other end.
            let source = symbol_count - id - 1;
            while let Some(split) = splits.pop_if(|split| split.source >= source) {
                if split.source > source {
                    return Err(invalid!("a split at a symbol that has no free edge"));
                }
                let edge = if split.to_right { corner + 1 } else { corner + 2 };
                if let Some(id) = (symbol_count - 1).checked_sub(split.split) {
                    set(&mut joined, id, edge);
                }
            }
        }
        Ok(symbol_count)
    }

    /// Closes the edges that are left: each with the triangle between it and two others, or with the boundary. Returns
    /// the number of triangles.
    fn close(&mut self, mut face_count: u32, starts: &mut RansBits) -> Result<u32> {
        while let Some(a) = self.active.pop() {
            if !starts.next() {
                continue;
            }
            let n = self.vertex(next(a));
            let b = next(get(&self.corners.left_most, n));
            let x = self.vertex(next(b));
            let c = next(get(&self.corners.left_most, x));
            let p = self.vertex(next(c));
            let corner = face_count.checked_mul(3).ok_or(invalid!("too many triangles"))?;
            for (corner, other) in (corner..).zip([a, b, c]) {
                self.corners.link(corner, other)?;
            }
            self.set_vertices(corner, [x, p, n]);
            face_count += 1;
        }
        Ok(face_count)
    }

    /// Gives each corner its final vertex. Returns the number of vertices.
    fn finish(mut self, dropped: &[u32]) -> (Corners, u32) {
        let Corners { vertex, left_most, .. } = &mut self.corners;
        for vertex in vertex.iter_mut() {
            *vertex = root(&mut self.merged, *vertex);
        }
        for (vertex, merged) in (0..).zip(&mut self.merged) {
            *merged = vertex;
        }
        let mut count = u32::try_from(self.merged.len()).unwrap_or(NONE);
        // The last vertex takes the place of each that was dropped, in the order in which they were.
        for &gap in dropped {
            while count > 0 && get(left_most, count - 1) == NONE {
                count -= 1;
            }
            if count > gap {
                count -= 1;
                let left = get(left_most, count);
                set(left_most, gap, left);
                set(left_most, count, NONE);
                set(&mut self.merged, count, gap);
            }
        }
        if !dropped.is_empty() {
            for vertex in vertex.iter_mut() {
                *vertex = root(&mut self.merged, *vertex);
            }
        }
        (self.corners, count)
    }
}

/// Returns the vertex that took the place of another, and shortens the way to it.
fn root(merged: &mut [u32], mut vertex: u32) -> u32 {
    loop {
        let parent = get(merged, vertex);
        if parent == vertex || parent == NONE {
            return vertex;
        }
        let grandparent = get(merged, parent);
        set(merged, vertex, grandparent);
        vertex = grandparent;
    }
}
