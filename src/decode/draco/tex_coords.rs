//! Prediction of texture coordinates from positions: a triangle has the same shape in both.
use super::error::Result;
use super::memory::Memory;
use super::prediction::difference;
use super::rans::RansBits;
use super::reader::Reader;

/// Reads for each prediction on which side of the other two corners the third one is. The last comes first.
pub(super) fn sides(reader: &mut Reader, memory: &mut Memory) -> Result<Vec<bool>> {
    let count = u32::from_le_bytes(reader.array()?) as usize;
    let mut bits = RansBits::start(reader)?;
    let mut sides = memory.empty(count)?;
    let mut side = true;
    for _ in 0..count {
        side ^= !bits.next();
        sides.push(side);
    }
    Ok(sides)
}

/// Predicts the coordinates at a corner from those at the `next` and the previous corner, and from the positions of all
/// three. Returns nothing where the value before is the prediction.
pub(super) fn predict(
    index: u32,
    values: [u32; 2],
    before: &[i32],
    positions: [[i64; 3]; 3],
    sides: &mut Vec<bool>,
) -> Option<[i32; 2]> {
    let [next, previous] = values.map(|value| {
        let coordinates = before.get((value as usize).saturating_mul(2)..)?.first_chunk()?;
        (value < index).then_some(*coordinates)
    });
    let (Some(next), Some(previous)) = (next, previous) else { return next };
    if next == previous {
        return Some(next);
    }
    let [at, at_next, at_previous] = positions;
    let edge = difference(at_previous, at_next);
    let scale = dot(edge, edge);
    if scale == 0 {
        return Some(next);
    }
    // The corner is projected onto the edge between the others. To stay exact, coordinates are multiplied with the
    // squared length of the edge until the end.
    let along = dot(edge, difference(at, at_next));
    let edge_in_map = difference(previous.map(i64::from), next.map(i64::from));
    let projected = add(edge.map(|axis| axis.wrapping_mul(along).wrapping_div(scale)), at_next);
    let height = difference(at, projected);
    let height = root(dot(height, height).wrapping_mul(scale).cast_unsigned()).cast_signed();
    let height = if sides.pop()? { height } else { height.wrapping_neg() };
    let [u, v] = edge_in_map;
    let start = next.map(|axis| i64::from(axis).wrapping_mul(scale));
    let foot = add(start, edge_in_map.map(|axis| axis.wrapping_mul(along)));
    let tip = add(foot, [v, u.wrapping_neg()].map(|axis| axis.wrapping_mul(height)));
    Some(tip.map(|axis| low(axis.wrapping_div(scale))))
}

fn dot(a: [i64; 3], b: [i64; 3]) -> i64 {
    a.iter().zip(b).fold(0, |sum: i64, (a, b)| sum.wrapping_add(a.wrapping_mul(b)))
}

fn add<const COUNT: usize>(mut a: [i64; COUNT], b: [i64; COUNT]) -> [i64; COUNT] {
    for (a, b) in a.iter_mut().zip(b) {
        *a = a.wrapping_add(b);
    }
    a
}

/// Returns the square root, rounded down.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "an estimate, which is corrected"
)]
fn root(square: u64) -> u64 {
    let mut root = (square as f64).sqrt() as u64;
    while root.checked_mul(root).is_none_or(|found| found > square) {
        root -= 1;
    }
    while (root + 1).checked_mul(root + 1).is_some_and(|found| found <= square) {
        root += 1;
    }
    root
}

#[expect(clippy::cast_possible_truncation, reason = "the format keeps the low bits")]
fn low(number: i64) -> i32 {
    number as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_those_of_integer_arithmetic() {
        for base in [0_u64, 1, 2, 3, 1 << 16, (1 << 26) + 1, 94_906_267, (1 << 32) - 1] {
            for square in [(base * base).wrapping_sub(1), base * base, base * base + 1, u64::MAX - base] {
                assert_eq!(root(square), square.isqrt(), "{square}");
            }
        }
    }

    #[test]
    fn a_right_triangle_is_predicted_exactly() {
        let positions = [[0, 10, 0], [0, 0, 0], [10, 0, 0]];
        let coordinates = [100, 100, 200, 100];
        for (side, expected) in [(false, [100, 200]), (true, [100, 0])] {
            let predicted = predict(2, [0, 1], &coordinates, positions, &mut vec![side]);
            assert_eq!(predicted, Some(expected));
        }
        // Without the third corner, without a distance in either space, and without a side.
        assert_eq!(predict(2, [0, 2], &coordinates, positions, &mut vec![true]), Some([100, 100]));
        assert_eq!(predict(2, [2, 0], &coordinates, positions, &mut vec![true]), None);
        assert_eq!(predict(2, [0, 1], &[7; 4], positions, &mut vec![]), Some([7, 7]));
        assert_eq!(predict(2, [0, 1], &coordinates, [[0; 3]; 3], &mut vec![]), Some([100, 100]));
        assert_eq!(predict(2, [0, 1], &coordinates, positions, &mut vec![]), None);
    }

    #[test]
    fn no_numbers_overflow() {
        let far = [[i64::from(i32::MIN); 3], [i64::from(i32::MAX); 3], [0, i64::from(i32::MIN), 5]];
        let coordinates = [i32::MIN, i32::MAX, i32::MAX, i32::MIN];
        assert!(predict(2, [0, 1], &coordinates, far, &mut vec![true]).is_some());
    }
}
