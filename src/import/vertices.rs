//! Operations on whole vertices, which change every array of a primitive.
use crate::model::{MorphTarget, Primitive};

/// Replaces the vertices with those that `from` lists, in that order. `from` may repeat and omit vertices. Indices
/// don't change.
pub(super) fn gather(primitive: &mut Primitive, from: &[u32]) {
    gather_array(&mut primitive.positions, from, 1);
    gather_array(&mut primitive.normals, from, 1);
    gather_array(&mut primitive.tangents, from, 1);
    gather_array(&mut primitive.colors, from, 1);
    for uv_set in &mut primitive.uv_sets {
        gather_array(uv_set, from, 1);
    }
    let per_vertex = primitive.influences.per_vertex;
    gather_array(&mut primitive.influences.joints, from, per_vertex);
    gather_array(&mut primitive.influences.joint_weights, from, per_vertex);
    for MorphTarget { positions, normals, tangents } in &mut primitive.morph_targets {
        gather_array(positions, from, 1);
        gather_array(normals, from, 1);
        gather_array(tangents, from, 1);
    }
}

fn gather_array<T: Copy>(array: &mut Vec<T>, from: &[u32], per_vertex: usize) {
    if array.is_empty() {
        return;
    }
    let mut gathered = Vec::with_capacity(from.len() * per_vertex);
    for &vertex in from {
        let at = vertex as usize * per_vertex;
        gathered.extend_from_slice(array.get(at..at + per_vertex).unwrap_or_default());
    }
    *array = gathered;
}

/// Returns the bytes that one vertex takes over all arrays.
pub(super) fn bytes_per_vertex(primitive: &Primitive) -> usize {
    let Primitive { positions, normals, tangents, uv_sets, colors, influences, morph_targets, .. } =
        primitive;
    let bytes = size_of_val(positions.as_slice())
        + size_of_val(normals.as_slice())
        + size_of_val(tangents.as_slice())
        + size_of_val(colors.as_slice())
        + uv_sets.iter().map(|set| size_of_val(set.as_slice())).sum::<usize>()
        + size_of_val(influences.joints.as_slice())
        + size_of_val(influences.joint_weights.as_slice())
        + morph_targets.iter().map(target_bytes).sum::<usize>();
    bytes / positions.len().max(1)
}

fn target_bytes(target: &MorphTarget) -> usize {
    size_of_val(target.positions.as_slice())
        + size_of_val(target.normals.as_slice())
        + size_of_val(target.tangents.as_slice())
}

/// Removes unused vertices if at most half are used: exporters let primitives share one long array.
pub(super) fn compact(primitive: &mut Primitive) {
    let mut compacted: Vec<Option<u32>> = vec![None; primitive.positions.len()];
    let mut from = Vec::new();
    for &index in &primitive.indices {
        if let Some(slot @ None) = compacted.get_mut(index as usize) {
            // There are at most as many as indices, which are 32 bits wide.
            *slot = u32::try_from(from.len()).ok();
            from.push(index);
        }
    }
    if from.len() > primitive.positions.len() / 2 {
        return;
    }
    for index in &mut primitive.indices {
        *index = compacted.get(*index as usize).copied().flatten().unwrap_or_default();
    }
    gather(primitive, &from);
}
