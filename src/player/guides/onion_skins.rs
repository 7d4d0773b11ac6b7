//! Poses before and after the present one.

use crate::animation::{LocalPose, ModelPose};
use crate::playback::{AnimationLibrary, Controller, LayerIndex, PoseScratch};
use crate::render::Ghosts;
use glam::{Affine3A, Vec4};

/// How many poses are shown, and the time between them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OnionSkins {
    pub before: usize,
    pub after: usize,
    pub step_secs: f32,
}

/// Most poses before the present one, and after it.
const MOST: usize = 16;

const PAST: Vec4 = Vec4::new(1.0, 0.42, 0.18, 1.0);
const FUTURE: Vec4 = Vec4::new(0.2, 0.6, 1.0, 1.0);
/// Opacity of the farthest pose relative to that of the nearest.
const FARTHEST: f32 = 0.35;

/// Writes the rows of a character's poses over the current clip of its base layer, the farthest from the present first.
/// What is before the start or after the end of the clip is on its other side, as if it looped.
pub(super) fn write(
    ghosts: &mut Ghosts,
    skins: OnionSkins,
    library: &AnimationLibrary,
    controller: &Controller,
    world_from_model: &Affine3A,
) {
    ghosts.colors.clear();
    ghosts.rows.clear();
    let Some(clip) = controller.clip(LayerIndex::BASE) else { return };
    let rig = library.rig();
    let duration_secs = f64::from(rig.clip(clip).duration_secs);
    let step_secs = f64::from(skins.step_secs);
    let is_possible = duration_secs > 0.0 && step_secs > 0.0 && step_secs.is_finite();
    if !is_possible {
        return;
    }
    let now_secs = controller.time_secs(LayerIndex::BASE);
    // What plays stays as it is.
    let mut ghost = controller.clone();
    let (mut local, mut model) = (LocalPose::rest(rig), ModelPose::new(rig));
    let mut scratch = PoseScratch::new(rig);
    let row_count = rig.palette_layout().rows_per_character;
    let (before, after) = (skins.before.min(MOST), skins.after.min(MOST));
    for nth in (1..=before.max(after)).rev() {
        for (count, sign, color) in [(before, -1.0, PAST), (after, 1.0, FUTURE)] {
            if nth > count {
                continue;
            }
            let secs = now_secs + sign * nth as f64 * step_secs;
            ghost.seek(LayerIndex::BASE, secs - (secs / duration_secs).floor() * duration_secs);
            ghost.pose_into(library, &mut local, &mut scratch);
            rig.resolve_into(&local, &mut model);
            let start = ghosts.rows.len();
            ghosts.rows.resize(start + row_count, Vec4::ZERO);
            rig.palette_into(&local, &model, world_from_model, &mut ghosts.rows[start..]);
            let far = (nth - 1) as f32 / count as f32;
            ghosts.colors.push(color.truncate().extend(1.0 - (1.0 - FARTHEST) * far));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::made;
    use super::*;

    /// Returns where each pose places the mesh along x, and its colour.
    fn places(time_secs: f64, skins: OnionSkins) -> Vec<(f32, Vec4)> {
        let player = made::player_at(time_secs);
        let loaded = player.loaded.as_ref().expect("a model");
        let controller = &player.characters[0].controller;
        let mut ghosts = Ghosts::default();
        write(&mut ghosts, skins, &loaded.library, controller, &Affine3A::IDENTITY);
        let row_count = loaded.rig().palette_layout().rows_per_character;
        assert_eq!(ghosts.rows.len(), ghosts.colors.len() * row_count);
        assert_eq!(controller.time_secs(LayerIndex::BASE), time_secs, "what plays stays");
        // The first matrix places the character, the second the mesh.
        ghosts
            .rows
            .chunks(row_count)
            .map(|rows| (rows[3].w * 100.0).round() / 100.0)
            .zip(ghosts.colors)
            .collect()
    }

    #[test]
    fn poses_are_those_of_the_clip_before_and_after_the_farthest_first() {
        let skins = places(0.5, OnionSkins { before: 2, after: 1, step_secs: 0.125 });
        assert_eq!(skins.iter().map(|skin| skin.0).collect::<Vec<_>>(), [1.0, 1.5, 2.5]);
        let opacities: Vec<f32> = skins.iter().map(|skin| skin.1.w).collect();
        assert!(opacities[0] < opacities[1] && opacities[1] == 1.0 && opacities[2] == 1.0, "{opacities:?}");
        assert_eq!(skins[1].1.truncate(), PAST.truncate());
        assert_eq!(skins[2].1.truncate(), FUTURE.truncate());
    }

    #[test]
    fn a_clip_continues_at_its_other_end() {
        let skins = places(0.125, OnionSkins { before: 1, after: 0, step_secs: 0.25 });
        assert_eq!(skins[0].0, 3.5);
    }

    #[test]
    fn steps_without_sense_show_nothing() {
        for step_secs in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(places(0.5, OnionSkins { before: 1, after: 1, step_secs }), []);
        }
        assert_eq!(places(0.5, OnionSkins { before: 99, after: 0, step_secs: 0.1 }).len(), MOST);
    }
}
