//! Fewer and shorter keys, within a bound on how far they move any joint and vertex.
//!
//! ```text
//! clip ─▶ keys left out ─▶ numbers rounded ─▶ joints and boxes of vertices at many times, compared with the clip's
//!           ▲                                       │
//!           ╰──────── a smaller share of the bound ─╯  until none is farther off than the bound
//! ```
//! A clip that can't be kept within the bound stays as it is.

mod left_out;
mod measure;
mod precision;
mod reach;
mod sampling;
mod still;

pub(super) use precision::Precision;

use crate::model::{Clip, Model, Track};
use left_out::Rule;
use measure::{PointsLeft, farthest};
use precision::rounded;
use reach::Reach;
use still::Still;

/// The tracks of a clip as they are written.
pub(super) struct Plan {
    pub(super) tracks: Vec<Track>,
    /// For each node, the precision of its keys; empty if they are written as they are.
    precisions: Vec<Precision>,
}

impl Plan {
    pub(super) fn precision(&self, track: &Track) -> Option<&Precision> {
        self.precisions.get(track.node.get())
    }
}

/// Plans the clips of a model. `metres` is the bound for leaving out keys, without which all are kept; `is_rounded`
/// tells whether numbers are rounded.
pub(super) fn plans(model: &Model, metres: Option<f32>, is_rounded: bool) -> Vec<Plan> {
    let as_it_is = |clip: &Clip| Plan { tracks: clip.tracks.clone(), precisions: Vec::new() };
    if metres.is_none() && !is_rounded {
        return model.clips.iter().map(as_it_is).collect();
    }
    let reach = Reach::of(model);
    // Half a millimetre for a person. Rotations of 16 bits are off by about a fifth of that in a chain of ten joints.
    const SHARE_OF_SIZE: f32 = 2.5e-4;
    let bound = metres.unwrap_or(reach.size * SHARE_OF_SIZE);
    let still = metres.map(|metres| Still::of(model, &reach.levers, metres * 0.1)).unwrap_or_default();
    let mut points_left = PointsLeft::default();
    // A track with fewer keys has times of its own. They cost most where numbers are rounded, since times aren't.
    let worth = if is_rounded { 16 } else { 6 };
    let mut attempt = |clip: &Clip, share: f32| -> Option<(Plan, f32)> {
        let tracks = match metres {
            Some(_) => left_out::reduced(clip, &still, &reach.levers, Rule { metres: share * 0.5, worth }),
            None => clip.tracks.clone(),
        };
        let precisions: Vec<Precision> = match is_rounded {
            true => reach.levers.iter().map(|lever| Precision::of(lever, share * 0.15)).collect(),
            false => Vec::new(),
        };
        let plan = Plan { tracks, precisions };
        let read = plan.tracks.iter().map(|track| rounded(track, plan.precision(track))).collect::<Vec<_>>();
        let error = farthest(model, &clip.tracks, &read, &reach, &mut points_left)?;
        Some((plan, error))
    };
    let plan =
        |clip: &Clip| within(bound, &mut |share| attempt(clip, share)).unwrap_or_else(|| as_it_is(clip));
    model.clips.iter().map(plan).collect()
}

/// Returns the plan with the largest share of a bound whose error is within it. `attempt` returns the plan for a share
/// and its error.
///
/// Errors of several joints add up, and each may be far below its share, so neither is known in advance.
fn within(bound: f32, attempt: &mut dyn FnMut(f32) -> Option<(Plan, f32)>) -> Option<Plan> {
    const ATTEMPTS: usize = 8;
    // Between the times that are measured, the error may be a little larger.
    let (least, most) = (bound * 0.6, bound * 0.85);
    // What isn't measured, such as the turning of a camera, stays within the bound by its share.
    let largest = bound * 2.0;
    let (mut best, mut share) = (None, bound);
    for _ in 0..ATTEMPTS {
        let Some((plan, error)) = attempt(share) else { break };
        if error > most && best.is_some() {
            break;
        }
        if error <= most {
            best = Some(plan);
            if error >= least || share >= largest {
                break;
            }
            share = (share * (most / error * 0.9).min(1.5)).min(largest);
        } else {
            share *= (bound / error * 0.8).clamp(0.05, 0.8);
        }
    }
    best
}
