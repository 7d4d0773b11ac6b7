//! Joint sets and weight sets, combined into one list of influences per vertex.
use super::formats::Use;
use super::primitives::{Source, numbered};
use crate::import::influences::{Merged, Slot};
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem};
use crate::model::Influences;

#[inline(never)] // `docs/START.md` says why.
pub(super) fn influences(source: &mut Source<'_>, vertex_count: usize) -> Result<Influences, ImportError> {
    let sets = sets(source);
    let mut joint_sets = Vec::with_capacity(sets.len());
    let mut weight_sets = Vec::with_capacity(sets.len());
    let place = source.place;
    let place = place.field("attributes");
    for (&(joints, joint_weights), set) in sets.iter().zip(0..) {
        let (joints_name, weights_name) = (numbered("JOINTS_", set), numbered("WEIGHTS_", set));
        let (at_joints, at_weights) = (place.field(&joints_name), place.field(&weights_name));
        source.expect_count(joints, vertex_count, &at_joints)?;
        source.expect_count(joint_weights, vertex_count, &at_weights)?;
        let accessors = source.accessors;
        joint_sets.push(accessors.integers(joints, Use::JOINTS, &at_joints, source.report)?);
        weight_sets.push(accessors.repaired_floats(
            joint_weights,
            Use::JOINT_WEIGHTS,
            &at_weights,
            source.report,
        )?);
    }
    if sets.is_empty() {
        return Ok(Influences::default());
    }

    let full = sets.len() * 4;
    let mut merged = Merged::new(full, vertex_count);
    let mut slots = Vec::with_capacity(full);
    for vertex in 0..vertex_count {
        slots.clear();
        for (joints, joint_weights) in joint_sets.iter().zip(&weight_sets) {
            let range = vertex * 4..vertex * 4 + 4;
            let joints = joints.get(range.clone()).unwrap_or_default().iter();
            let joint_weights = joint_weights.get(range).unwrap_or_default().iter();
            slots.extend(
                joints
                    .zip(joint_weights)
                    .map(|(&joint, &joint_weight)| Slot { joint, joint_weight: joint_weight.into() }),
            );
        }
        merged.push(&mut slots).map_err(|joint| {
            ImportProblem::JointIndexOutOfRange
                .at(source.place.field("attributes").pointer(), format!("joint {joint} at vertex {vertex}"))
        })?;
    }
    let place = &source.place;
    source.report.warn_counted(WarningKind::JointWeightsNotNormalised, place, merged.odd, vertex_count);
    source.report.warn_counted(WarningKind::JointWeightsZero, place, merged.zero, vertex_count);
    Ok(merged.trimmed())
}

/// Returns the accessors of `JOINTS_n` and `WEIGHTS_n`, for n from 0.
fn sets(source: &mut Source<'_>) -> Vec<(usize, usize)> {
    let mut sets = Vec::new();
    for set in 0.. {
        let joints = source.attribute(&numbered("JOINTS_", set));
        let joint_weights = source.attribute(&numbered("WEIGHTS_", set));
        match joints.zip(joint_weights) {
            Some(pair) => sets.push(pair),
            None if joints.is_some() || joint_weights.is_some() => {
                source.report.warn(WarningKind::JointsWithoutWeights, &source.place.field("attributes"));
                break;
            }
            None => {
                source.warn_of_gap("JOINTS_", set);
                break;
            }
        }
    }
    sets
}
