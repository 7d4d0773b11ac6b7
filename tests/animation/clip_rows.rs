//! Rows of clips for throngs, read as `shaders/throng/throng.wgsl` reads them.

use crate::support::made_model::{
    Random, any_model, clip, first_clip, foxlike, model, moved, nodes, palette, rig, track,
};
use gambol::animation::{ClipCursor, ClipRows, LocalPose, Rig, blend_into};
use gambol::model::{ClipIndex, Interpolation, TrackValues};
use glam::{Quat, Vec3, Vec4};

/// A clip at a time: its head, and the place between two samples.
#[derive(Clone, Copy)]
struct Instant<'a> {
    rows: &'a [Vec4],
    head: Vec4,
    before: usize,
    share: f32,
}

impl<'a> Instant<'a> {
    fn new(rows: &'a [Vec4], clip: usize, phase: f32) -> Self {
        let head = rows[clip];
        let at = phase * head.z;
        let before = at.floor().min(head.z - 1.0);
        Self { rows, head, before: before as usize, share: at - before }
    }

    fn track(&self, base: f32, stride: usize, row: usize) -> Vec4 {
        if base < 0.0 {
            return self.rows[-base as usize + row];
        }
        let first = base as usize + self.before * stride + row;
        self.rows[first].lerp(self.rows[first + stride], self.share)
    }

    fn weights(&self, row: usize) -> Vec4 {
        self.track(self.head.y + row as f32, self.head.w as usize, 0)
    }

    fn tracks(&self, node: usize) -> Vec4 {
        self.rows[self.head.x as usize + node]
    }
}

/// Returns a row of a character's palette.
fn posed_row(rows: &[Vec4], row: usize, [first, second]: [Instant<'_>; 2], share: f32) -> Vec4 {
    let source = rows[row];
    if source.w < 0.0 {
        let row = source.z as usize;
        return first.weights(row).lerp(second.weights(row), share);
    }
    let mut along = Vec4::ZERO;
    along[source.w as usize] = 1.0;
    for i in 0..source.y as usize {
        let node = rows[source.x as usize + i / 4][i % 4] as usize;
        let (tracks, others) = (first.tracks(node), second.tracks(node));
        if tracks.w != 0.0 {
            let matrix = [0, 1, 2]
                .map(|row| first.track(tracks.w, 3, row).lerp(second.track(others.w, 3, row), share));
            along = through(along, matrix);
            continue;
        }
        let one =
            |tracks: f32, now: &Instant<'_>| if tracks == 0.0 { Vec4::ONE } else { now.track(tracks, 1, 0) };
        let scale = one(tracks.z, &first).lerp(one(others.z, &second), share).truncate();
        let translation = first.track(tracks.y, 1, 0).lerp(second.track(others.y, 1, 0), share).truncate();
        let turn = first.track(tracks.x, 1, 0).normalize();
        let other = second.track(others.x, 1, 0).normalize();
        let other = if turn.dot(other) < 0.0 { -other } else { other };
        let turn = Quat::from_vec4(turn.lerp(other, share).normalize());
        let turned: Vec3 = turn.inverse() * along.truncate();
        along = (turned * scale).extend(along.w + along.truncate().dot(translation));
    }
    let bind = source.z as usize;
    if bind > 0 { through(along, [rows[bind], rows[bind + 1], rows[bind + 2]]) } else { along }
}

fn through(along: Vec4, rows: [Vec4; 3]) -> Vec4 {
    along.x * rows[0] + along.y * rows[1] + along.z * rows[2] + Vec4::W * along.w
}

fn sampled(rig: &Rig, clip: Option<ClipIndex>, phase: f32) -> LocalPose {
    let mut pose = LocalPose::rest(rig);
    if let Some(clip) = clip {
        let secs = rig.clip(clip).duration_secs * phase;
        rig.sample_into(clip, secs, &mut ClipCursor::default(), &mut pose);
    }
    pose
}

/// Returns the greatest difference of a number from the palette's, as a share of the greatest number, in a blend of two
/// clips at a phase.
fn error(rig: &Rig, clip_rows: &mut ClipRows, clips: [Option<ClipIndex>; 2], phase: f32, share: f32) -> f32 {
    let heads = clips.map(|clip| clip_rows.add(rig, clip));
    let rows = clip_rows.rows();
    let mut pose = sampled(rig, clips[0], phase);
    blend_into(&mut pose, &sampled(rig, clips[1], phase), share);
    let wanted = palette(rig, &pose);
    let size = wanted.iter().fold(1.0, |size: f32, row| size.max(row.abs().max_element()));
    let instants = heads.map(|head| Instant::new(rows, head, phase));
    let errors = (3..wanted.len()).map(|row| {
        let found = posed_row(rows, row, instants, share);
        (found - wanted[row]).abs().max_element() / size
    });
    errors.fold(0.0, f32::max)
}

#[test]
fn at_the_times_of_samples_rows_are_those_of_the_palette() {
    let mut random = Random::new(11);
    let mut blended = 0;
    for _ in 0..200 {
        let rig = rig(any_model(&mut random));
        let mut clip_rows = ClipRows::new(&rig);
        for clip in (0..rig.clip_count()).map(ClipIndex::new) {
            let head = clip_rows.add(&rig, Some(clip));
            assert_eq!(clip_rows.add(&rig, Some(clip)), head, "a clip is added once");
            let intervals = clip_rows.rows()[head].z as usize;
            for _ in 0..3 {
                let phase = random.below(intervals + 1) as f32 / intervals as f32;
                let share = if random.chance(50) { random.between(0.0, 1.0) } else { 0.0 };
                blended += usize::from(share > 0.0);
                // The rest pose is the same at all times.
                let found = error(&rig, &mut clip_rows, [Some(clip), None], phase, share);
                assert!(found < 1e-4, "at {phase} of {clip:?}, {share} of the rest pose: {found}");
            }
        }
    }
    assert!(blended > 50);
}

#[test]
fn a_step_between_keys_doesnt_take_samples_without_end() {
    let values = TrackValues::Translation(vec![Vec3::ZERO, Vec3::X, Vec3::ZERO]);
    let blink = track(0, Interpolation::Step, &[0.0, 0.5, 2.0], values);
    let rig = rig(model(nodes(&[(None, moved(Vec3::ZERO))]), vec![clip("blink", vec![blink])]));
    let mut clip_rows = ClipRows::new(&rig);
    let head = clip_rows.add(&rig, Some(first_clip()));
    let intervals = clip_rows.rows()[head].z;
    assert!((240.0..=480.0).contains(&intervals), "{intervals} in two seconds");
}

#[test]
fn between_samples_rows_are_close_to_the_palette() {
    let rig = rig(foxlike());
    let mut clip_rows = ClipRows::new(&rig);
    let mut random = Random::new(3);
    let clips: Vec<ClipIndex> = (0..rig.clip_count()).map(ClipIndex::new).collect();
    for _ in 0..500 {
        let pair = [(); 2].map(|()| Some(clips[random.below(clips.len())]));
        let share = random.between(0.0, 1.0);
        let found = error(&rig, &mut clip_rows, pair, random.between(0.0, 1.0), share);
        assert!(found < 1e-3, "{pair:?}: {found}");
    }
}
