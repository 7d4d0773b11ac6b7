//! An allocator that counts the allocations of each thread. Tests run in parallel, one a thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

// `const` and without a destructor, so that access allocates nothing.
thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    pub static HELD_BYTES: Cell<isize> = const { Cell::new(0) };
    pub static MOST_BYTES: Cell<isize> = const { Cell::new(0) };
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns how many allocations the work makes.
pub fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

fn count(bytes: isize) {
    let held = HELD_BYTES.get() + bytes;
    HELD_BYTES.set(held);
    MOST_BYTES.set(MOST_BYTES.get().max(held));
}

// SAFETY: all calls go to the system's allocator unchanged; the counters never allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        count(layout.size() as isize);
        // SAFETY: the caller upholds the requirements, which are the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        count(layout.size() as isize);
        // SAFETY: the caller upholds the requirements, which are the same.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller upholds the requirements, which are the same.
        unsafe { System.dealloc(pointer, layout) }
    }
}
