//! Steady play allocates nothing: an allocator that counts sees the whole journey of a frame.
mod made_model;

use gambol::animation::{ClipCursor, LocalPose, ModelPose, Rig, blend_into, skeleton_lines};
use gambol::model::ClipIndex;
use glam::{Affine3A, Vec4};
use made_model::{Random, any_model, foxlike};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

struct Counting;

thread_local! {
    /// Per thread, since tests run beside each other. `const` and without a destructor: it allocates nothing itself.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

#[test]
fn the_counter_sees_an_allocation() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1, 2, 3]))), 1);
}

#[test]
fn sampling_blending_posing_and_the_palette_allocate_nothing() {
    let made_up = (0..20).map(|seed| any_model(&mut Random::new(seed)));
    for model in made_up.chain([foxlike()]) {
        let rig = Rig::new(Arc::new(model));
        let clips: Vec<_> = (0..rig.model().clips.len()).map(ClipIndex::new).collect();
        let (mut pose, mut other) = (LocalPose::rest(&rig), LocalPose::rest(&rig));
        let mut cursor = ClipCursor::default();
        let mut posed = ModelPose::new(&rig);
        let mut rows = vec![Vec4::ZERO; rig.palette_layout().rows_per_character];
        let mut lines = Vec::new();
        let mut frame = |time_secs: f32| {
            for &clip in &clips {
                rig.sample_into(clip, time_secs, &mut cursor, &mut pose);
                rig.sample_into(clip, time_secs * 0.7, &mut cursor, &mut other);
                blend_into(&mut pose, &other, 0.3);
                rig.resolve_into(&pose, &mut posed);
                rig.palette_into(&pose, &posed, &Affine3A::IDENTITY, &mut rows);
                skeleton_lines(&rig, &posed, &mut lines);
            }
        };
        // The first frame compiles the clips and gives every buffer its size.
        frame(0.0);
        // Forwards, in leaps, backwards, with a switch of clips within each frame.
        let steady = allocations(|| (0..1000).for_each(|step| frame((step * 37 % 400) as f32 * 0.01)));
        assert_eq!(steady, 0);
    }
}
