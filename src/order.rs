//! Sorting with little code.
//!
//! Each instantiation of the standard library's sort adds about three kilobytes of wasm. This module has one sort
//! through `dyn` closures, for lists that are short or rarely sorted, and one function that finds equal rows in long
//! lists.

use std::cell::Cell;

/// Sorts `count` elements in ascending order. The sort isn't stable.
///
/// It is a heapsort: it allocates nothing and takes O(n log n) steps in the worst case. A list that is in order takes
/// n steps.
pub(crate) fn sort_indexed(
    count: usize,
    is_less: &mut dyn FnMut(usize, usize) -> bool,
    swap: &mut dyn FnMut(usize, usize),
) {
    // Many lists are in order already, such as the times of keys.
    if (1..count).all(|at| !is_less(at, at - 1)) {
        return;
    }
    let mut sift_down = |mut at: usize, end: usize, swap: &mut dyn FnMut(usize, usize)| {
        loop {
            let mut greatest = at;
            for child in [2 * at + 1, 2 * at + 2] {
                if child < end && is_less(greatest, child) {
                    greatest = child;
                }
            }
            if greatest == at {
                return;
            }
            swap(at, greatest);
            at = greatest;
        }
    };
    for at in (0..count / 2).rev() {
        sift_down(at, count, swap);
    }
    for end in (1..count).rev() {
        swap(0, end);
        sift_down(0, end, swap);
    }
}

/// Sorts a list of small elements in ascending order. The sort isn't stable.
pub(crate) fn sort<T: Copy>(list: &mut [T], is_less: impl Fn(T, T) -> bool) {
    let cells = Cell::from_mut(list).as_slice_of_cells();
    let mut in_order = |a: usize, b: usize| is_less(cells[a].get(), cells[b].get());
    sort_indexed(cells.len(), &mut in_order, &mut |a, b| cells[a].swap(&cells[b]));
}

/// Calls `each` once for every set of equal rows, with their numbers in ascending order. A row is `width` words.
///
/// It is a radix sort, from the lowest byte of the last word to the highest byte of the first. Time and memory depend
/// only on the size of `rows`, not on its contents.
pub(crate) fn for_equal_rows(rows: &[u32], width: usize, each: &mut dyn FnMut(&[u32])) {
    let count = rows.len() / width;
    // The low half is a row's number, the high half one word of that row. The four passes over a word so don't access
    // the rows, which are far apart in memory.
    let mut pairs = vec![0_u64; count];
    let mut sorted = vec![0_u64; count];
    for (number, pair) in pairs.iter_mut().enumerate() {
        *pair = number as u64;
    }
    for word in (0..width).rev() {
        for pair in &mut pairs {
            let number = *pair as u32;
            *pair = u64::from(rows[number as usize * width + word]) << 32 | u64::from(number);
        }
        for shift in [32, 40, 48, 56] {
            let mut places = [0_u32; 256];
            for pair in &pairs {
                places[usize::from((pair >> shift) as u8)] += 1;
            }
            let mut next = 0;
            for place in &mut places {
                next += std::mem::replace(place, next);
            }
            for &pair in &pairs {
                let place = &mut places[usize::from((pair >> shift) as u8)];
                sorted[*place as usize] = pair;
                *place += 1;
            }
            std::mem::swap(&mut pairs, &mut sorted);
        }
    }
    let numbers: Vec<u32> = pairs.iter().map(|&pair| pair as u32).collect();
    let row = |at: usize| &rows[numbers[at] as usize * width..][..width];
    let mut start = 0;
    for end in 1..=count {
        if end == count || row(end) != row(start) {
            each(&numbers[start..end]);
            start = end;
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_order_of_every_short_list_is_put_right() {
        let mut seed = 1_u32;
        for length in 0..40 {
            for _ in 0..50 {
                let mut list: Vec<u32> = (0..length)
                    .map(|_| {
                        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        seed >> 28
                    })
                    .collect();
                let mut expected = list.clone();
                expected.sort_unstable();
                super::sort(&mut list, |a, b| a < b);
                assert_eq!(list, expected);
            }
        }
    }

    #[test]
    fn every_row_comes_once_with_all_its_equals() {
        let mut seed = 1_u32;
        for round in 0..300 {
            let (width, values) = (1 + round % 3, 2 + round as u32 % 5);
            let rows: Vec<u32> = (0..width * (round % 50))
                .map(|_| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    // The values differ in each of the four bytes.
                    ((seed >> 16) % values) << (8 * (seed >> 30))
                })
                .collect();
            let mut found = Vec::new();
            super::for_equal_rows(&rows, width, &mut |equal| found.push(equal.to_vec()));
            let mut expected = std::collections::BTreeMap::<&[u32], Vec<u32>>::new();
            for (row, number) in rows.chunks_exact(width).zip(0..) {
                expected.entry(row).or_default().push(number);
            }
            assert_eq!(found, expected.into_values().collect::<Vec<_>>());
        }
    }
}
