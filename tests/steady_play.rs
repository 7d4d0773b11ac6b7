//! Steady play allocates nothing: one character, a crossfade, a crowd.

mod support;

use gambol::animation::Rig;
use gambol::import::ImportReport;
use gambol::model::ClipIndex;
use gambol::playback::PlayOptions;
use gambol::player::{Crowd, Player};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

thread_local! {
    // Per thread: the test harness allocates on threads of its own.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call goes on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps `alloc`'s contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `System` above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations_of_frames(player: &mut Player, frame_count: usize) -> usize {
    let before = ALLOCATIONS.get();
    for _ in 0..frame_count {
        player.advance(1.0 / 60.0).unwrap();
        player.pose();
        player.drain_events().for_each(drop);
    }
    ALLOCATIONS.get() - before
}

fn playing() -> Player {
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(support::slider()))), ImportReport::default());
    player.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
    allocations_of_frames(&mut player, 2);
    player
}

#[test]
fn the_count_is_not_blind() {
    let before = ALLOCATIONS.get();
    drop(std::hint::black_box(Box::new(1)));
    assert_eq!(ALLOCATIONS.get() - before, 1);
}

#[test]
#[allow(non_snake_case)]
fn S86_one_character_allocates_nothing_through_loops() {
    let mut player = playing();
    // Five passes: the first loop event has given the event buffer its memory.
    allocations_of_frames(&mut player, 300);
    assert_eq!(allocations_of_frames(&mut player, 600), 0);
}

#[test]
fn a_crossfade_allocates_nothing_once_it_runs() {
    let mut player = playing();
    player.play(ClipIndex::new(1), &PlayOptions { fade_secs: 2.0, ..PlayOptions::default() }).unwrap();
    allocations_of_frames(&mut player, 1);
    assert_eq!(allocations_of_frames(&mut player, 100), 0);
}

#[test]
fn a_crowd_allocates_nothing() {
    let mut player = playing();
    player.crowd(100, &Crowd::default()).unwrap();
    allocations_of_frames(&mut player, 300);
    assert_eq!(allocations_of_frames(&mut player, 300), 0);
}
