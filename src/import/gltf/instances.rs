//! `EXT_mesh_gpu_instancing`: each instance becomes a child of the node, which draws the node's mesh.
//!
//! The children follow the nodes of the file. The node itself draws nothing then. Skinned meshes have no instances,
//! since the transforms of their nodes are ignored.
use super::formats::Use;
use super::json::Json;
use super::nodes::Hierarchy;
use super::{Accessors, NodeIndex};
use crate::import::matrices::unit_rotation;
use crate::import::{ImportError, ImportProblem, ImportReport};
use crate::model::{Mesh, Node, Srt};
use crate::refusal::Place;
use glam::{Quat, Vec3};

const EXTENSION: &str = "EXT_mesh_gpu_instancing";

/// Memory that a drawn node takes in poses and in GPU buffers, for each of its primitives.
const BYTES_PER_DRAW: usize = 512;

pub(super) fn are_in(root: Json<'_>) -> bool {
    root.list("nodes").any(|node| node.extension(EXTENSION).is_some())
}

/// Not inlined: in a page, this is in the file that is fetched for models with instances.
#[inline(never)]
pub(super) fn expand(
    root: Json<'_>,
    accessors: &Accessors<'_>,
    meshes: &[Mesh],
    hierarchy: &mut Hierarchy,
    nodes: &mut Vec<Node>,
    report: &mut ImportReport,
) -> Result<(), ImportError> {
    let in_nodes = Place::ROOT.field("nodes");
    for index in 0..nodes.len() {
        let Some(node) = nodes.get_mut(index).filter(|node| node.skin.is_none()) else { continue };
        let source = root.element("nodes", node.source_index);
        let attributes = source.and_then(|source| source.extension(EXTENSION)?.get("attributes"));
        let (Some(attributes), Some(mesh)) = (attributes, node.mesh) else { continue };
        let place = in_nodes.index(node.source_index);
        let place = place.field("extensions");
        let place = place.field(EXTENSION);
        let Some(placements) = Placements::of(attributes, accessors, &place, report)? else { continue };

        let primitives = meshes.get(mesh.get()).map_or(&[][..], |mesh| &mesh.primitives);
        let vertices: usize = primitives.iter().map(|primitive| primitive.positions.len()).sum();
        let weights = std::mem::take(&mut node.rest_morph_weights);
        let each = size_of::<Node>()
            + BYTES_PER_DRAW * (1 + primitives.len())
            + 16 * weights.len()
            // The search for bounds visits every vertex.
            + vertices;
        accessors.budget.charge(placements.count as u64, each, || place.pointer())?;
        node.mesh = None;
        let in_scene = node.in_scene;
        hierarchy.instances.push((NodeIndex::new(index), nodes.len()..nodes.len() + placements.count));
        for nth in 0..placements.count {
            hierarchy.node_from_source.push(NodeIndex::new(nodes.len()));
            nodes.push(Node {
                name: String::new(),
                parent: Some(NodeIndex::new(index)),
                rest: placements.srt(nth),
                sheared_rest: None,
                mesh: Some(mesh),
                skin: None,
                camera: None,
                light: None,
                rest_morph_weights: weights.clone(),
                in_scene,
                visible: true,
                source_index: nodes.len(),
                extras: None,
            });
        }
    }
    Ok(())
}

/// The numbers of the attributes. Those that are missing are empty.
#[derive(Default)]
struct Placements {
    count: usize,
    translations: Vec<f32>,
    rotations: Vec<f32>,
    scales: Vec<f32>,
}

impl Placements {
    /// Reads the attributes; `None` if there are no transforms. Other attributes, such as `_ID`, are those of
    /// applications.
    fn of(
        attributes: Json<'_>,
        accessors: &Accessors<'_>,
        place: &Place<'_>,
        report: &mut ImportReport,
    ) -> Result<Option<Self>, ImportError> {
        let place = place.field("attributes");
        let mut placements = Self::default();
        let mut count = None;
        for (name, of, numbers) in [
            ("TRANSLATION", Use::VECTORS, &mut placements.translations),
            ("ROTATION", Use::INSTANCE_ROTATIONS, &mut placements.rotations),
            ("SCALE", Use::VECTORS, &mut placements.scales),
        ] {
            let Some(accessor) = attributes.index(name) else { continue };
            let place = place.field(name);
            let there = accessors.count(accessor);
            let expected = *count.get_or_insert(there);
            if there != expected {
                return Err(ImportProblem::VertexCountsDiffer.at(place.pointer(), "instances".to_owned()));
            }
            *numbers = accessors.floats(accessor, of, &place, report)?;
        }
        placements.count = count.unwrap_or(0);
        Ok(count.is_some().then_some(placements))
    }

    fn srt(&self, nth: usize) -> Srt {
        let vector = |numbers: &[f32]| numbers.as_chunks().0.get(nth).copied().map(Vec3::from_array);
        let rotation = self.rotations.as_chunks().0.get(nth).copied().map(Quat::from_array);
        Srt {
            translation: vector(&self.translations).unwrap_or(Vec3::ZERO),
            rotation: rotation.map_or(Quat::IDENTITY, |rotation| unit_rotation(rotation, 0.0).0),
            scale: vector(&self.scales).unwrap_or(Vec3::ONE),
        }
    }
}
