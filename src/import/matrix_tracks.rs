//! Tracks whose keys are whole matrices. They become tracks of scale, rotation and translation, or stay whole if a
//! matrix shears or the caller chose no decomposition.
use super::imported_model::ImportedClip;
use super::matrices::decompose_within;
use super::report::WarningKind;
use super::{ImportOptions, ImportReport, MatrixKeys};
use crate::model::{Interpolation, Node, NodeIndex, Srt, Track, TrackValues};
use glam::{Affine3A, Quat, Vec3};
use std::sync::Arc;

/// Keys of one node's `parent_from_node`.
#[derive(Debug)]
pub(super) struct MatrixTrack {
    pub(super) node: NodeIndex,
    pub(super) interpolation: Interpolation,
    /// Strictly ascending, as in [`Track`].
    pub(super) key_times_secs: Arc<[f32]>,
    /// One finite matrix per key.
    pub(super) keys: Vec<Affine3A>,
    /// The place of the track in the file.
    pub(super) place: String,
}

// Several times the error of a right angle written as text with six digits: too little shear to be seen.
const SHEAR_TOLERANCE: f32 = 5e-4;

/// Converts the matrix tracks of each clip, and returns the clips' names and tracks.
///
/// A node that shears in one clip, or whose keys stay whole in one, is keyed by whole matrices in all clips. It gets
/// a [`Node::sheared_rest`].
pub(super) fn resolve(
    clips: Vec<ImportedClip>,
    nodes: &mut [Node],
    options: &ImportOptions,
    report: &mut ImportReport,
) -> Vec<(String, Vec<Track>)> {
    let mut keyed = vec![Keyed::No; nodes.len()];
    for clip in &clips {
        let mode = options.matrix_keys_of(&clip.name);
        for track in &clip.matrix_tracks {
            let index = track.node.get();
            let (Some(node), Some(keyed)) = (nodes.get(index), keyed.get_mut(index)) else { continue };
            let shears = !track.keys.iter().all(is_srt);
            if shears && mode == MatrixKeys::Decompose {
                report.warn_at(WarningKind::MatrixKeysShear, &track.place, &node.name);
            }
            let rest_shears = node.sheared_rest.is_some_and(|rest| !is_srt(&rest));
            let whole = shears || rest_shears || mode == MatrixKeys::Elements;
            *keyed = (*keyed).max(if whole { Keyed::Whole } else { Keyed::InParts });
        }
        for track in &clip.tracks {
            let is_morph = matches!(track.values, TrackValues::MorphWeights(_));
            if let Some(keyed) = keyed.get_mut(track.node.get()).filter(|_| !is_morph) {
                *keyed = (*keyed).max(Keyed::InParts);
            }
        }
    }
    for (node, keyed) in nodes.iter_mut().zip(keyed) {
        match keyed {
            Keyed::No => {}
            // Keys of scale, rotation and translation can't express a shear.
            Keyed::InParts => {
                if node.sheared_rest.take().is_some_and(|rest| !is_srt(&rest)) {
                    report.warn_at(WarningKind::RestShearDropped, "the hierarchy", &node.name);
                }
            }
            Keyed::Whole => {
                node.sheared_rest.get_or_insert(node.rest.parent_from_node());
            }
        }
    }
    let mut room = MOST_ADDED;
    clips.into_iter().map(|clip| tracks_of(clip, nodes, options, &mut room, report)).collect()
}

/// How the clips of a file key a node, all clips together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Keyed {
    No,
    InParts,
    Whole,
}

fn tracks_of(
    clip: ImportedClip,
    nodes: &[Node],
    options: &ImportOptions,
    room: &mut usize,
    report: &mut ImportReport,
) -> (String, Vec<Track>) {
    let mode = options.matrix_keys_of(&clip.name);
    let is_whole = |node: NodeIndex| nodes.get(node.get()).is_some_and(|node| node.sheared_rest.is_some());
    let mut tracks = Vec::with_capacity(clip.tracks.len() + 3 * clip.matrix_tracks.len());
    for mut track in clip.matrix_tracks {
        if mode == MatrixKeys::Step {
            track.interpolation = Interpolation::Step;
        }
        if !is_whole(track.node) {
            tracks.extend(decomposed(&track));
        } else if mode == MatrixKeys::Decompose && track.keys.iter().all(is_srt) {
            tracks.push(whole(refined(track, room)));
        } else {
            tracks.push(whole(track));
        }
    }
    let count = clip.tracks.len();
    let fits = |track: &Track| matches!(track.values, TrackValues::MorphWeights(_)) || !is_whole(track.node);
    let before = tracks.len();
    tracks.extend(clip.tracks.into_iter().filter(fits));
    let lost = count - (tracks.len() - before);
    if lost > 0 {
        let about = format!("{lost} of {count}");
        report.warn_at(WarningKind::TrackOnShearedNode, format!("clip “{}”", clip.name), &about);
    }
    (clip.name, tracks)
}

fn is_srt(matrix: &Affine3A) -> bool {
    decompose_within(matrix, SHEAR_TOLERANCE).1
}

fn whole(track: MatrixTrack) -> Track {
    Track {
        node: track.node,
        interpolation: track.interpolation,
        key_times_secs: track.key_times_secs,
        values: TrackValues::Matrix(track.keys),
    }
}

fn decomposed(track: &MatrixTrack) -> [Track; 3] {
    let keys: Vec<Srt> = track.keys.iter().map(|key| decompose_within(key, SHEAR_TOLERANCE).0).collect();
    [
        TrackValues::Translation(keys.iter().map(|key| key.translation).collect()),
        TrackValues::Rotation(keys.iter().map(|key| key.rotation).collect()),
        TrackValues::Scale(keys.iter().map(|key| key.scale).collect()),
    ]
    .map(|values| Track {
        node: track.node,
        interpolation: track.interpolation,
        key_times_secs: track.key_times_secs.clone(),
        values,
    })
}

/// Number of keys that refining may add to a file, 70 MB in all. A few bytes of a file can require a hundred keys,
/// many times over.
const MOST_ADDED: usize = 1 << 20;

/// Adds keys to the motion between decomposed keys, so close that interpolating the matrices linearly follows it,
/// until `room` is used up.
fn refined(track: MatrixTrack, room: &mut usize) -> MatrixTrack {
    if track.interpolation == Interpolation::Step {
        return track;
    }
    // A chord over this many radians deviates from its arc by at most 1/8 of its square, which is 1e-4.
    const STEP_RADIANS: f32 = 0.028;
    let mut times = Vec::with_capacity(track.keys.len());
    let mut keys = Vec::with_capacity(track.keys.len());
    let mut timed = track.key_times_secs.iter().zip(&track.keys);
    for ((&start, key), (&end, next)) in timed.clone().zip(timed.clone().skip(1)) {
        let (from, to) =
            (decompose_within(key, SHEAR_TOLERANCE).0, decompose_within(next, SHEAR_TOLERANCE).0);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "113 at most: half a turn"
        )]
        let parts = (from.rotation.angle_between(to.rotation) / STEP_RADIANS).ceil().max(1.0) as u16;
        times.push(start);
        keys.push(*key);
        let added = usize::from(parts - 1);
        let Some(left) = room.checked_sub(added) else { continue };
        *room = left;
        for part in 1..parts {
            let alpha = f32::from(part) / f32::from(parts);
            let time = start + (end - start) * alpha;
            if times.last().is_some_and(|&last| last < time) && time < end {
                times.push(time);
                keys.push(between(&from, &to, alpha));
            }
        }
    }
    if let Some((&time, key)) = timed.next_back() {
        times.push(time);
        keys.push(*key);
    }
    MatrixTrack { key_times_secs: times.into(), keys, ..track }
}

fn between(from: &Srt, to: &Srt, alpha: f32) -> Affine3A {
    let mix = |from: Vec3, to: Vec3| from + (to - from) * alpha;
    let rotation: Quat = from.rotation.slerp(to.rotation, alpha);
    let (scale, translation) = (mix(from.scale, to.scale), mix(from.translation, to.translation));
    Srt { scale, rotation, translation }.parent_from_node()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned(radians: f32) -> Affine3A {
        Affine3A::from_rotation_z(radians)
    }

    fn sheared() -> Affine3A {
        let mut matrix = Affine3A::IDENTITY;
        matrix.matrix3.y_axis.x = 0.5;
        matrix
    }

    fn resolved(
        keys_of_clips: &[(&str, &[Affine3A])],
        options: &ImportOptions,
    ) -> (bool, Vec<Vec<Track>>, Vec<&'static str>) {
        let mut imported = super::super::imported_model::ImportedModel::default();
        let node = imported.push_node("joint", None, &Affine3A::IDENTITY);
        let clip = |&(name, keys): &(&str, &[Affine3A])| ImportedClip {
            name: name.to_owned(),
            tracks: Vec::new(),
            matrix_tracks: vec![MatrixTrack {
                node,
                interpolation: Interpolation::Linear,
                key_times_secs: (0u16..).map(f32::from).take(keys.len()).collect(),
                keys: keys.to_vec(),
                place: "line 1 column 1".to_owned(),
            }],
        };
        let mut report = ImportReport::default();
        let clips = keys_of_clips.iter().map(clip).collect();
        let resolved = resolve(clips, &mut imported.nodes, options, &mut report);
        let tracks = resolved.into_iter().map(|(_, tracks)| tracks).collect();
        let codes = report.warnings.iter().map(|warning| warning.code).collect();
        (imported.nodes[0].sheared_rest.is_some(), tracks, codes)
    }

    #[test]
    fn keys_that_only_turn_are_taken_apart() {
        let (whole, clips, codes) = resolved(&[("a", &[turned(0.0), turned(1.0)])], &Default::default());
        assert!(!whole && codes.is_empty());
        assert_eq!(clips[0].len(), 3);
        let TrackValues::Rotation(turns) = &clips[0][1].values else { panic!("{clips:?}") };
        assert!(turns[1].abs_diff_eq(Quat::from_rotation_z(1.0), 1e-6));
    }

    #[test]
    fn keys_that_shear_stay_whole_in_every_clip_of_their_joint() {
        let clips: [(&str, &[Affine3A]); 2] =
            [("a", &[sheared(), turned(1.0)]), ("b", &[turned(0.0), turned(1.0)])];
        let (whole, clips, codes) = resolved(&clips, &Default::default());
        assert!(whole);
        assert_eq!(codes, ["MATRIX_KEYS_SHEAR"]);
        assert_eq!(clips[0][0].values, TrackValues::Matrix(vec![sheared(), turned(1.0)]));
        let TrackValues::Matrix(refined) = &clips[1][0].values else { panic!("{clips:?}") };
        assert_eq!(refined.len(), 37, "an arc of 1 radian in steps of 0.028");
        for (time, key) in clips[1][0].key_times_secs.iter().zip(refined) {
            assert!(key.abs_diff_eq(turned(*time), 1e-6), "{time}: {key}");
        }
    }

    #[test]
    fn keys_that_turn_to_and_fro_without_end_are_refined_only_so_far() {
        let to_and_fro = [turned(0.0), turned(3.0)].repeat(8000);
        let (_, clips, _) = resolved(&[("a", &[sheared()]), ("b", &to_and_fro)], &Default::default());
        let count = clips[1][0].key_times_secs.len();
        assert!((MOST_ADDED..=MOST_ADDED + to_and_fro.len()).contains(&count), "{count} keys");
    }

    #[test]
    fn a_clip_may_want_its_keys_stepped_or_element_by_element() {
        let keys = [turned(0.0), turned(1.0)];
        let wanting =
            |mode| ImportOptions { matrix_keys_of_clips: vec![("a".to_owned(), mode)], ..Default::default() };
        let (whole, clips, _) = resolved(&[("a", &keys)], &wanting(MatrixKeys::Step));
        assert!(!whole && clips[0].iter().all(|track| track.interpolation == Interpolation::Step));
        let (whole, clips, codes) = resolved(&[("a", &keys)], &wanting(MatrixKeys::Elements));
        assert!(whole && codes.is_empty());
        assert_eq!(clips[0][0].values, TrackValues::Matrix(keys.to_vec()));
    }
}
