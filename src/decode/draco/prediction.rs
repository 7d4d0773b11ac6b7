//! Prediction of values from those before them. Only the differences are stored.
use super::corners::{Corners, NONE, get, next, previous, set};
use super::error::{Result, invalid, unsupported};
use super::memory::Memory;
use super::octahedron::Octahedron;
use super::rans::RansBits;
use super::reader::Reader;
use super::tex_coords;
use super::traversal::Order;

/// The triangles on which an attribute is predicted.
pub(super) struct Surface<'a> {
    pub(super) corners: &'a Corners,
    pub(super) order: Order,
    /// For each corner, its point.
    pub(super) points: &'a [u32],
}

impl Surface<'_> {
    /// Returns the index of the value at a corner.
    pub(super) fn value(&self, corner: u32) -> u32 {
        get(&self.order.value_of_vertex, self.corners.vertex(corner))
    }

    /// Returns the index of the value of each point.
    pub(super) fn value_of_points(&self, point_count: u32, memory: &mut Memory) -> Result<Vec<u32>> {
        let mut values = memory.filled(NONE, point_count as usize)?;
        for (corner, &point) in (0..).zip(self.points) {
            set(&mut values, point, self.value(corner));
        }
        Ok(values)
    }

    fn position(&self, positions: &[[i32; 3]], corner: u32) -> [i64; 3] {
        let point = get(self.points, corner);
        positions.get(point as usize).copied().unwrap_or_default().map(i64::from)
    }
}

/// How a difference is added to a prediction.
enum Transform {
    /// Values wrap around between these two.
    Wrap(i32, i32),
    Octahedron(Octahedron),
}

impl Transform {
    /// Replaces a difference with the value.
    fn restore(&self, predicted: &[i32], value: &mut [i32]) {
        match *self {
            Transform::Wrap(smallest, largest) => {
                let size = largest.wrapping_sub(smallest).wrapping_add(1);
                for (value, predicted) in value.iter_mut().zip(predicted) {
                    *value = (*predicted).max(smallest).min(largest).wrapping_add(*value);
                    if *value > largest {
                        *value = value.wrapping_sub(size);
                    } else if *value < smallest {
                        *value = value.wrapping_add(size);
                    }
                }
            }
            Transform::Octahedron(octahedron) => {
                if let ([s, t], [ds, dt]) = (predicted, value) {
                    [*ds, *dt] = octahedron.restore([*s, *t], [*ds, *dt]);
                }
            }
        }
    }
}

/// What predictions are made from, besides earlier values.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) surface: Option<&'a Surface<'a>>,
    /// The position of each point, in quantisation steps.
    pub(super) positions: Option<&'a [[i32; 3]]>,
}

/// Replaces differences with values. The parameters of the prediction come next in the data.
pub(super) fn predict(
    values: &mut [i32],
    components: usize,
    method: u8,
    are_normals: bool,
    known: Known,
    reader: &mut Reader,
    memory: &mut Memory,
) -> Result<()> {
    let positions = || known.positions.ok_or(invalid!("a prediction from positions that don't come before"));
    match (method, known.surface) {
        // Without triangles, only the value before is known.
        (0, _) | (1 | 4..=6, None) => {
            let transform = transform(reader, are_normals)?;
            restore(values, components, &transform, &mut |_, _, _| false);
        }
        (1, Some(surface)) if !are_normals => {
            let transform = transform(reader, false)?;
            restore(values, components, &transform, &mut |index, before, predicted| {
                let corner = get(&surface.order.corners, index);
                parallelogram(surface, corner, index, before, predicted)
            });
        }
        (4, Some(surface)) if !are_normals => {
            // Bits that say which parallelograms are not used, by the number of parallelograms.
            let mut unused = memory.empty(4)?;
            for _ in 0..4 {
                unused.push(if reader.varint()? > 0 { Some(RansBits::start(reader)?) } else { None });
            }
            let transform = transform(reader, false)?;
            let mut all = memory.filled(0, 4 * components)?;
            restore(values, components, &transform, &mut |index, before, predicted| {
                let mut count = 0;
                for corner in surface.corners.around(get(&surface.order.corners, index)) {
                    let free = all.get_mut(count * components..(count + 1) * components);
                    let Some(free) = free else { break };
                    count += usize::from(parallelogram(surface, corner, index, before, free));
                }
                mean(all.chunks_exact(components.max(1)).take(count), &mut unused, predicted)
            });
        }
        (5, Some(surface)) if components == 2 && !are_normals => {
            let positions = positions()?;
            let mut sides = tex_coords::sides(reader, memory)?;
            let transform = transform(reader, false)?;
            restore(values, 2, &transform, &mut |index, before, predicted| {
                let corner = get(&surface.order.corners, index);
                let corners = [corner, next(corner), previous(corner)];
                let [_, next, previous] = corners.map(|corner| surface.value(corner));
                let at = corners.map(|corner| surface.position(positions, corner));
                tex_coords::predict(index, [next, previous], before, at, &mut sides)
                    .map(|coordinates| copy(&coordinates, predicted))
                    .is_some()
            });
        }
        (6, Some(surface)) if are_normals => {
            let positions = positions()?;
            let octahedron = octahedron(reader)?;
            let mut flips = RansBits::start(reader)?;
            let transform = Transform::Octahedron(octahedron);
            restore(values, 2, &transform, &mut |index, _, predicted| {
                let normal = normal(surface, positions, get(&surface.order.corners, index));
                copy(&octahedron.point(normal, flips.next()), predicted);
                true
            });
        }
        _ => return Err(unsupported!("an outdated or unknown prediction")),
    }
    Ok(())
}

fn transform(reader: &mut Reader, are_normals: bool) -> Result<Transform> {
    if are_normals {
        return octahedron(reader).map(Transform::Octahedron);
    }
    let (smallest, largest) = (reader.i32()?, reader.i32()?);
    if smallest > largest {
        return Err(invalid!("a greatest value below the smallest"));
    }
    Ok(Transform::Wrap(smallest, largest))
}

fn octahedron(reader: &mut Reader) -> Result<Octahedron> {
    let (largest, _centre) = (reader.i32()?, reader.i32()?);
    Octahedron::with_bits(32 - largest.leading_zeros())
}

/// A function of the index of a value, the values before it, and the array for the prediction. Returns whether there is
/// one; otherwise, the value before takes its place.
type Predict<'a> = dyn FnMut(u32, &[i32], &mut [i32]) -> bool + 'a;

/// Predicts each value and restores it.
#[inline(never)]
fn restore(values: &mut [i32], components: usize, transform: &Transform, predict: &mut Predict) {
    let mut predicted = [0; 255];
    let Some(predicted) = predicted.get_mut(..components) else { return };
    let mut end = 0;
    let mut index = 0;
    while let Some((before, rest)) = values.split_at_mut_checked(end)
        && let Some(value) = rest.get_mut(..components)
    {
        if !predict(index, before, predicted) {
            match end.checked_sub(components).and_then(|start| before.get(start..)) {
                Some(last) => copy(last, predicted),
                None => predicted.fill(0),
            }
        }
        transform.restore(predicted, value);
        end += components;
        index += 1;
    }
}

fn copy(from: &[i32], to: &mut [i32]) {
    for (from, to) in from.iter().zip(to) {
        *to = *from;
    }
}

/// Predicts the fourth corner of the parallelogram whose other three are those of the triangle beyond an edge. Returns
/// whether their values come before.
fn parallelogram(surface: &Surface, corner: u32, index: u32, before: &[i32], predicted: &mut [i32]) -> bool {
    let opposite = surface.corners.opposite(corner);
    let values = [opposite, next(opposite), previous(opposite)].map(|corner| surface.value(corner));
    if values.iter().any(|value| *value >= index) {
        return false;
    }
    let components = predicted.len();
    let [far, left, right] =
        values.map(|value| before.get(value as usize * components..).unwrap_or_default());
    for (((predicted, far), left), right) in predicted.iter_mut().zip(far).zip(left).zip(right) {
        *predicted = left.wrapping_add(*right).wrapping_sub(*far);
    }
    true
}

/// Predicts the mean of those parallelograms that the data doesn't exclude. Returns whether there are any.
fn mean<'p>(
    parallelograms: impl ExactSizeIterator<Item = &'p [i32]>,
    unused: &mut [Option<RansBits>],
    predicted: &mut [i32],
) -> bool {
    let Some(unused) = parallelograms.len().checked_sub(1).and_then(|count| unused.get_mut(count)) else {
        return false;
    };
    predicted.fill(0);
    let mut count = 0_i32;
    for parallelogram in parallelograms {
        if !unused.as_mut().is_some_and(RansBits::next) {
            count += 1;
            for (sum, value) in predicted.iter_mut().zip(parallelogram) {
                *sum = sum.wrapping_add(*value);
            }
        }
    }
    for sum in predicted {
        *sum = sum.checked_div(count).unwrap_or_default();
    }
    count > 0
}

/// Returns the sum of the normals of the triangles around a corner, each as long as its triangle is large.
fn normal(surface: &Surface, positions: &[[i32; 3]], corner: u32) -> [i64; 3] {
    let centre = surface.position(positions, corner);
    let mut normal = [0_i64; 3];
    for corner in surface.corners.around(corner) {
        let [a, b] = [next(corner), previous(corner)]
            .map(|corner| difference(surface.position(positions, corner), centre));
        for (axis, sum) in normal.iter_mut().enumerate() {
            let [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
            let product =
                |a: &[i64; 3], b: &[i64; 3]| a.get(i).zip(b.get(j)).map_or(0, |(a, b)| a.wrapping_mul(*b));
            *sum = sum.wrapping_add(product(&a, &b)).wrapping_sub(product(&b, &a));
        }
    }
    normal
}

/// Returns `to - from`.
pub(super) fn difference<const COUNT: usize>(mut to: [i64; COUNT], from: [i64; COUNT]) -> [i64; COUNT] {
    for (to, from) in to.iter_mut().zip(from) {
        *to = to.wrapping_sub(from);
    }
    to
}
