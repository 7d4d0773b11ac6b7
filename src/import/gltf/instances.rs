//! `EXT_mesh_gpu_instancing`: each instance becomes a child of the node, which draws the node's mesh.
//!
//! The children follow the nodes of the file. The node itself draws nothing then. Skinned meshes have no instances,
//! since the transforms of their nodes are ignored.
use super::formats::Use;
use super::json::Json;
use super::{Accessors, NodeIndex};
use crate::import::matrices::unit_rotation;
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem, ImportReport};
use crate::model::{Clip, Mesh, Node, Srt, TrackValues};
use crate::refusal::Place;
use glam::{Quat, Vec3};

const EXTENSION: &str = "EXT_mesh_gpu_instancing";

/// Memory that a drawn node takes in poses and in GPU buffers, for each of its primitives.
const BYTES_PER_DRAW: usize = 512;

#[inline(never)]
pub(super) fn expand(
    root: Json<'_>,
    accessors: &Accessors<'_>,
    meshes: &[Mesh],
    (nodes, clips): (&mut Vec<Node>, &mut [Clip]),
    report: &mut ImportReport,
) -> Result<Vec<NodeIndex>, ImportError> {
    let in_nodes = Place::ROOT.field("nodes");
    let mut added = Vec::new();
    for index in 0..nodes.len() {
        let Some(node) = nodes.get_mut(index).filter(|node| node.skin.is_none()) else { continue };
        let extension = root.element("nodes", node.source_index).and_then(|node| node.extension(EXTENSION));
        let attributes = extension.and_then(|extension| extension.get("attributes"));
        let (Some(attributes), Some(mesh)) = (attributes, node.mesh) else { continue };
        let place = in_nodes.index(node.source_index);
        let place = place.field("extensions");
        let place = place.field(EXTENSION);
        let Some(placements) = placements(attributes, accessors, &place, report)? else { continue };

        let primitives = meshes.get(mesh.get()).map_or(&[][..], |mesh| &mesh.primitives);
        let vertices: usize = primitives.iter().map(|primitive| primitive.positions.len()).sum();
        let each = size_of::<Node>()
            + BYTES_PER_DRAW * (1 + primitives.len())
            + 16 * node.rest_morph_weights.len()
            // The search for bounds visits every vertex.
            + vertices;
        accessors.budget.charge(placements.len() as u64, each, || place.pointer())?;
        let drawn = Node {
            name: String::new(),
            parent: Some(NodeIndex::new(index)),
            sheared_rest: None,
            camera: None,
            light: None,
            visible: true,
            extras: None,
            ..node.clone()
        };
        node.mesh = None;
        node.rest_morph_weights.clear();
        let first = nodes.len();
        for rest in placements {
            added.push(NodeIndex::new(nodes.len()));
            nodes.push(Node { rest, source_index: nodes.len(), ..drawn.clone() });
        }
        let instances = added.get(added.len() + first - nodes.len()..).unwrap_or_default();
        morph_all(clips, NodeIndex::new(index), instances, accessors, &place)?;
    }
    Ok(added)
}

/// Returns the transform of each instance; `None` if there are no transforms.
fn placements(
    attributes: Json<'_>,
    accessors: &Accessors<'_>,
    place: &Place<'_>,
    report: &mut ImportReport,
) -> Result<Option<Vec<Srt>>, ImportError> {
    let place = place.field("attributes");
    // Other attributes, such as `_ID`, are those of applications.
    let names = ["TRANSLATION", "ROTATION", "SCALE"];
    let Some(first) = names.into_iter().find_map(|name| attributes.index(name)) else { return Ok(None) };
    let count = accessors.count(first);
    for name in names {
        let there = attributes.index(name).map_or(count, |accessor| accessors.count(accessor));
        if there != count {
            let found = [&there.to_string(), " for ", &count.to_string(), " instances"].concat();
            return Err(ImportProblem::VertexCountsDiffer.at(place.field(name).pointer(), found));
        }
    }
    accessors.budget.charge(count as u64, size_of::<Srt>(), || place.pointer())?;
    let mut placements = vec![Srt::IDENTITY; count];
    let vectors = |name: &str, report: &mut ImportReport| match attributes.index(name) {
        Some(accessor) => accessors.vectors::<Vec3>(accessor, Use::VECTORS, &place.field(name), report),
        None => Ok(Vec::new()),
    };
    for (placement, translation) in placements.iter_mut().zip(vectors("TRANSLATION", report)?) {
        placement.translation = translation;
    }
    for (placement, scale) in placements.iter_mut().zip(vectors("SCALE", report)?) {
        placement.scale = scale;
    }
    if let Some(accessor) = attributes.index("ROTATION") {
        let place = place.field("ROTATION");
        let rotations: Vec<Quat> = accessors.vectors(accessor, Use::INSTANCE_ROTATIONS, &place, report)?;
        let mut odd = 0;
        for (placement, rotation) in placements.iter_mut().zip(rotations) {
            // Bytes round each component by up to 1/254.
            let (_, was_unit) = unit_rotation(rotation, 2e-2);
            placement.rotation = unit_rotation(rotation, 0.0).0;
            odd += usize::from(!was_unit);
        }
        report.warn_counted(WarningKind::RotationNotUnit, &place, odd, count);
    }
    Ok(Some(placements))
}

/// Gives the tracks of the node's morph weights to every instance.
fn morph_all(
    clips: &mut [Clip],
    node: NodeIndex,
    instances: &[NodeIndex],
    accessors: &Accessors<'_>,
    place: &Place<'_>,
) -> Result<(), ImportError> {
    for clip in clips {
        let morphs = clip
            .tracks
            .iter()
            .position(|track| track.node == node && matches!(track.values, TrackValues::MorphWeights(_)));
        let Some(morphs) = morphs else { continue };
        let track = clip.tracks.remove(morphs);
        if let TrackValues::MorphWeights(values) = &track.values {
            // Compiled tracks take as much again.
            let bytes = size_of_val(&track) + 3 * size_of_val(values.as_slice());
            accessors.budget.charge(instances.len() as u64, bytes, || place.pointer())?;
        }
        for &node in instances {
            let mut track = track.clone();
            track.node = node;
            clip.tracks.push(track);
        }
    }
    Ok(())
}
