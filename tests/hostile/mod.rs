//! Helpers for tests with malicious files: a limit on memory in proportion to the file's size, and reproducible damage.
#![allow(dead_code, unreachable_pub, reason = "each test file uses what it needs")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// An allocator that counts the bytes allocated by this thread, and their maximum.
struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    let held = HELD.get() + bytes;
    HELD.set(held);
    MOST.set(MOST.get().max(held));
}

// SAFETY: all calls go to the system's allocator unchanged; the counters never allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Reads a file, and asserts that it takes no more memory than its size justifies.
pub fn within_bounds<Outcome>(file: &[u8], read: impl FnOnce(&[u8]) -> Outcome) -> Outcome {
    let before = HELD.get();
    MOST.set(before);
    let outcome = read(file);
    let most = MOST.get() - before;
    // `Budget` allows 64 MiB plus 64 times the file. Vectors grow by doubling, and several exist at once.
    let allowed = 3 * ((64 << 20) + 64 * file.len() as isize);
    assert!(most <= allowed, "{most} bytes for a file of {}", file.len());
    outcome
}

/// An xorshift64* generator, which causes the same damage on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 32) as usize % bound.max(1)
    }
}
