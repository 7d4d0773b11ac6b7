//! Sorting through two pointers.
//!
//! The standard library's sorts are fast, and each type sorted is another three kilobytes of wasm. Here is one sort for
//! every list that is short or seldom sorted.

use std::cell::Cell;

/// Puts `count` things into ascending order; equal ones may change places. Heapsort: it allocates nothing and takes
/// n·log n steps at worst.
pub(crate) fn sort_indexed(
    count: usize,
    is_less: &mut dyn FnMut(usize, usize) -> bool,
    swap: &mut dyn FnMut(usize, usize),
) {
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

/// The same for a list of small things.
pub(crate) fn sort<T: Copy>(list: &mut [T], is_less: impl Fn(T, T) -> bool) {
    let cells = Cell::from_mut(list).as_slice_of_cells();
    let mut in_order = |a: usize, b: usize| is_less(cells[a].get(), cells[b].get());
    sort_indexed(cells.len(), &mut in_order, &mut |a, b| cells[a].swap(&cells[b]));
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
}
