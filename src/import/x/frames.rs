//! Converts frames to nodes, and finds the nodes that draw the meshes.
use super::document::{Document, Kind, Object};
use super::handedness::column_matrix;
use crate::import::budget::Budget;
use crate::import::imported_model::ImportedModel;
use crate::import::{ImportError, ImportProblem};
use crate::model::{Node, NodeIndex};
use glam::Affine3A;
use std::collections::{BTreeMap, BTreeSet};

pub(super) struct Frames {
    node_of_frame: BTreeMap<usize, NodeIndex>,
}

/// A mesh, and the node that draws it.
#[derive(Clone, Copy)]
pub(super) struct Placed<'d> {
    pub(super) mesh: Object<'d>,
    pub(super) node: NodeIndex,
}

impl Frames {
    /// Adds a node for each frame, parents before children.
    pub(super) fn read(
        document: &Document<'_>,
        imported: &mut ImportedModel,
        budget: &Budget,
    ) -> Result<Self, ImportError> {
        let mut node_of_frame = BTreeMap::new();
        let mut above: Vec<(Object<'_>, NodeIndex)> = Vec::new();
        for frame in document.objects().filter(|object| object.kind() == Kind::Frame) {
            while above.last().is_some_and(|(parent, _)| parent.end() <= frame.index) {
                above.pop();
            }
            let parent_from_node = match frame.child(Kind::FrameTransformMatrix) {
                Some(matrix) => rest(matrix)?,
                None => Affine3A::IDENTITY,
            };
            let parent = above.last().map(|(_, node)| *node);
            let node = push(imported, frame, parent, &parent_from_node, budget)?;
            node_of_frame.insert(frame.index, node);
            above.push((frame, node));
        }
        Ok(Self { node_of_frame })
    }

    pub(super) fn node(&self, frame: Object<'_>) -> Option<NodeIndex> {
        self.node_of_frame.get(&frame.index).copied()
    }

    /// Returns each mesh with the node that draws it. A frame's node draws the frame's first mesh. A node is added
    /// for each other mesh of a frame, and for each root mesh that no frame refers to.
    pub(super) fn meshes<'d>(
        &self,
        document: &'d Document<'_>,
        imported: &mut ImportedModel,
        budget: &Budget,
    ) -> Result<Vec<Placed<'d>>, ImportError> {
        let mut placed = Vec::new();
        let mut referred = BTreeSet::new();
        for frame in document.objects().filter(|object| object.kind() == Kind::Frame) {
            let Some(node) = self.node(frame) else { continue };
            let meshes = frame.children().filter_map(|child| child.referred(Kind::Mesh));
            for (mesh, nth) in meshes.zip(0..) {
                referred.insert(mesh.index);
                let node = match nth {
                    0 => node,
                    _ => push(imported, mesh, Some(node), &Affine3A::IDENTITY, budget)?,
                };
                placed.push(Placed { mesh, node });
            }
        }
        for mesh in document.roots().filter(|object| object.kind() == Kind::Mesh) {
            if !referred.contains(&mesh.index) {
                let node = push(imported, mesh, None, &Affine3A::IDENTITY, budget)?;
                placed.push(Placed { mesh, node });
            }
        }
        Ok(placed)
    }
}

/// Adds a node that has the name of an object.
fn push(
    imported: &mut ImportedModel,
    object: Object<'_>,
    parent: Option<NodeIndex>,
    parent_from_node: &Affine3A,
    budget: &Budget,
) -> Result<NodeIndex, ImportError> {
    let name = object.name();
    budget.charge(1, size_of::<Node>() + name.len(), || object.place())?;
    Ok(imported.push_node(&name, parent, parent_from_node))
}

fn rest(matrix: Object<'_>) -> Result<Affine3A, ImportError> {
    let rows = matrix.fields().vector()?;
    column_matrix(&rows).ok_or_else(|| {
        let (place, found) = (matrix.place(), "a projection".to_owned());
        ImportProblem::MatrixNotAffine.at(place, found)
    })
}
