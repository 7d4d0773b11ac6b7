//! Binding of the clips of one model to the nodes of another that has the same skeleton.
use super::ImportReport;
use super::report::WarningKind;
use crate::model::counterparts::{by_name, by_shape};
use crate::model::{Clip, Interpolation, Model, NodeIndex, Track, TrackValues};
use crate::refusal::Place;

/// Skeletons whose sizes differ by more than this factor cause a warning.
const SIZES_DIFFER: f32 = 1.25;

/// Clips for another model than the one that they were read with.
#[derive(Clone, Debug, Default)]
pub struct BoundClips {
    /// Clips whose tracks animate nodes of the other model. One without such tracks is left out.
    pub clips: Vec<Clip>,
    /// What did not match. Places are those in the clips' file.
    pub report: ImportReport,
}

/// Binds the clips of `from` to the nodes of `to`.
///
/// Nodes are found by [name](by_name). If that finds less than half of the animated nodes, they are found by the
/// [shape](by_shape) of the hierarchy. Keys are taken over as they are, so both models need the same skeleton. Tracks
/// of properties other than transforms and morph weights are left out.
///
/// `names` replaces the names of the clips, in the order of `from`'s.
pub fn bind_clips(from: &Model, to: &Model, names: &[String]) -> BoundClips {
    let mut report = ImportReport::default();
    let mut is_animated = vec![false; from.nodes.len()];
    for track in from.clips.iter().flat_map(|clip| &clip.tracks) {
        if let Some(held) = is_animated.get_mut(track.node.get()) {
            *held = true;
        }
    }
    let count = |found: &[Option<NodeIndex>]| {
        found.iter().zip(&is_animated).filter(|(found, is_animated)| found.is_some() && **is_animated).count()
    };
    let mut found = by_name(from, to);
    if count(&found) * 2 < is_animated.iter().filter(|is_animated| **is_animated).count() {
        let shaped = by_shape(from, to);
        if count(&shaped) > count(&found) {
            found = shaped;
            report.warn(WarningKind::ClipsBoundByShape, &Place::ROOT.field("nodes"));
        }
    }
    for ((node, found), is_animated) in from.nodes.iter().zip(&found).zip(&is_animated) {
        if found.is_none() && *is_animated {
            let nodes = Place::ROOT.field("nodes");
            report.warn_named(WarningKind::ClipNodeMissing, &nodes.index(node.source_index), &node.name);
        }
    }
    warn_of_size(from, to, &found, &mut report);

    let mut clips = Vec::new();
    for (index, clip) in from.clips.iter().enumerate() {
        let clips_of_file = Place::ROOT.field("animations");
        let place = clips_of_file.index(index);
        let (count, of) = (clip.property_tracks.len(), clip.tracks.len() + clip.property_tracks.len());
        report.warn_counted(WarningKind::ClipPropertiesLeftOut, &place, count, of);
        let mut bound =
            Clip { name: clip.name.clone(), duration_secs: clip.duration_secs, ..Clip::default() };
        for track in &clip.tracks {
            let Some(node) = found.get(track.node.get()).copied().flatten() else { continue };
            match values_for(from, to, track, node) {
                Ok(values) => {
                    let Track { interpolation, ref key_times_secs, .. } = *track;
                    bound.tracks.push(Track {
                        node,
                        interpolation,
                        key_times_secs: key_times_secs.clone(),
                        values,
                    });
                }
                Err(kind) => report.warn(kind, &place),
            }
        }
        if !bound.tracks.is_empty() {
            if let Some(name) = names.get(index).filter(|name| !name.is_empty()) {
                bound.name.clone_from(name);
            }
            clips.push(bound);
        }
    }
    report.finish();
    BoundClips { clips, report }
}

/// Warns if the joints of one model are farther apart than those of the other.
fn warn_of_size(from: &Model, to: &Model, found: &[Option<NodeIndex>], report: &mut ImportReport) {
    let (mut ours, mut theirs) = (0.0, 0.0);
    let counterpart = |node: NodeIndex| found.get(node.get()).copied().flatten();
    for (node, other) in from.nodes.iter().zip(found) {
        let parent = node.parent.and_then(counterpart);
        if let Some(other) = other.map(|other| to.node(other))
            && parent.is_some()
            && other.parent == parent
        {
            ours += node.rest.translation.length();
            theirs += other.rest.translation.length();
        }
    }
    if ours > theirs * SIZES_DIFFER || theirs > ours * SIZES_DIFFER {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "positive, and it saturates"
        )]
        let percent = (ours / theirs * 100.0).round() as u32;
        let about = [&percent.to_string(), " %"].concat();
        report.warn_at(WarningKind::ClipsOtherSize, Place::ROOT.field("nodes").pointer(), &about);
    }
}

/// Returns the values of a track for the counterpart of its node.
fn values_for(from: &Model, to: &Model, track: &Track, node: NodeIndex) -> Result<TrackValues, WarningKind> {
    let TrackValues::MorphWeights(weights) = &track.values else {
        let is_matrix = matches!(track.values, TrackValues::Matrix(_));
        return match to.node(node).sheared_rest.is_some() == is_matrix {
            true => Ok(track.values.clone()),
            false => Err(WarningKind::TrackOnShearedNode),
        };
    };
    let (ours, theirs) = (morph_names(from, track.node), morph_names(to, node));
    let (count, wanted) = (from.morph_target_count(track.node), to.morph_target_count(node));
    if count == 0 || wanted == 0 {
        return Err(WarningKind::TrackWithoutMorphs);
    }
    let source = |target: usize| match theirs.get(target).filter(|name| !name.is_empty()) {
        Some(name) if ours.iter().any(|ours| !ours.is_empty()) => ours.iter().position(|ours| ours == name),
        _ => Some(target).filter(|target| *target < count),
    };
    let sources: Vec<_> = (0..wanted).map(source).collect();
    let rest = &to.node(node).rest_morph_weights;
    let is_spline = track.interpolation == Interpolation::CubicSpline;
    let mut bound = Vec::with_capacity(weights.len() / count * wanted);
    for (element, values) in weights.chunks_exact(count).enumerate() {
        for (target, source) in sources.iter().enumerate() {
            let is_tangent = is_spline && element % 3 != 1;
            let rest = rest.get(target).copied().filter(|_| !is_tangent).unwrap_or_default();
            bound.push(source.and_then(|source| values.get(source)).copied().unwrap_or(rest));
        }
    }
    Ok(TrackValues::MorphWeights(bound))
}

fn morph_names(model: &Model, node: NodeIndex) -> &[String] {
    model.node(node).mesh.map_or(&[], |mesh| &*model.mesh(mesh).morph_target_names)
}
