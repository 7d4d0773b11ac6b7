//! How far joints and vertices move when a property of a node changes, measured at rest.
use crate::model::{Aabb, Mesh, Model, Node, NodeIndex, Primitive};
use glam::{Affine3A, Vec3};
use std::collections::BTreeSet;

pub(super) struct Reach {
    /// For each node of the model.
    pub(super) levers: Vec<Lever>,
    /// Points whose motion is measured: each node's origin, and the corners of the box around the vertices that it
    /// moves. They are in node space.
    pub(super) tips: Vec<(NodeIndex, Vec3)>,
    /// Diagonal of the box around all points at rest.
    pub(super) size: f32,
}

/// Metres by which a node moves points, for each unit of a change.
#[derive(Clone, Debug, Default)]
pub(super) struct Lever {
    pub(super) translation: f32,
    /// By radian.
    pub(super) rotation: f32,
    pub(super) scale: f32,
    /// By morph target of the node's mesh.
    pub(super) morph_weights: Vec<f32>,
}

impl Reach {
    pub(super) fn of(model: &Model) -> Self {
        let model_from_node = rest(model);
        let boxes = boxes(model);
        let mut tips = Vec::new();
        let mut below: Vec<Option<Aabb>> = Vec::with_capacity(model.nodes.len());
        for (at, (place, corners)) in model_from_node.iter().zip(&boxes).enumerate() {
            let node = NodeIndex::new(at);
            let corners = corners.map(|bounds| bounds.corners()).into_iter().flatten();
            let points: Vec<Vec3> = std::iter::once(Vec3::ZERO).chain(corners).collect();
            tips.extend(points.iter().map(|&point| (node, point)));
            below.push(Aabb::around(points.into_iter().map(|point| place.transform_point3(point))));
        }
        let mut all: Option<Aabb> = None;
        // Children come after their parents.
        for (at, node) in model.nodes.iter().enumerate().rev() {
            let Some(bounds) = below.get(at).copied().flatten() else { continue };
            Aabb::join(&mut all, bounds);
            if let Some(above) = node.parent.and_then(|parent| below.get_mut(parent.get())) {
                Aabb::join(above, bounds);
            }
        }
        let size = all.map_or(0.0, |bounds| bounds.radius() * 2.0);
        let mut morphs = Morphs::new(model);
        let mut lever = |((node, place), bounds): ((&Node, &Affine3A), &Option<Aabb>)| {
            let origin = Vec3::from(place.translation);
            let corners = bounds.map(|bounds| bounds.corners()).into_iter().flatten();
            let farthest = corners.map(|corner| corner.distance(origin)).fold(0.0, f32::max);
            // Pages may fix things to a node without vertices. A camera turns the whole picture.
            let rotation = farthest.max(size * if node.camera.is_some() { 1.0 } else { LEAST_SHARE });
            let above = node.parent.and_then(|parent| model_from_node.get(parent.get()));
            let least_scale = node.rest.scale.abs().min_element();
            Lever {
                translation: above.map_or(1.0, |above| or_one(largest_scale(above))),
                rotation,
                scale: rotation / or_one(least_scale),
                morph_weights: morphs.levers(node, place, &model_from_node, size * LEAST_SHARE),
            }
        };
        let nodes = model.nodes.iter().zip(&model_from_node).zip(&below);
        Self { levers: nodes.map(&mut lever).collect(), tips, size }
    }
}

/// Least lever of a property, as a share of the model's size.
const LEAST_SHARE: f32 = 0.03;

/// Returns 1 in place of a scale that is 0 at rest, since clips may enlarge it.
fn or_one(scale: f32) -> f32 {
    if scale > 1e-6 { scale } else { 1.0 }
}

fn rest(model: &Model) -> Vec<Affine3A> {
    let mut model_from_node: Vec<Affine3A> = Vec::with_capacity(model.nodes.len());
    for node in &model.nodes {
        let parent_from_node = node.sheared_rest.unwrap_or_else(|| node.rest.parent_from_node());
        let above = node.parent.and_then(|parent| model_from_node.get(parent.get()));
        model_from_node.push(above.map_or(parent_from_node, |above| *above * parent_from_node));
    }
    model_from_node
}

fn mesh_of<'a>(model: &'a Model, node: &Node) -> Option<&'a Mesh> {
    model.meshes.get(node.mesh?.get())
}

/// Most influences of vertices that are looked at, since many skins may share a large mesh.
const MOST_INFLUENCES: usize = 100_000_000;

/// Returns for each node the box around the vertices that it moves, in node space.
fn boxes(model: &Model) -> Vec<Option<Aabb>> {
    let mut boxes = vec![None; model.nodes.len()];
    let mut influences_left = MOST_INFLUENCES;
    let mut rigid: Vec<Option<Option<Aabb>>> = vec![None; model.meshes.len()];
    let mut skinned = BTreeSet::new();
    for (at, node) in model.nodes.iter().enumerate() {
        let (Some(index), Some(mesh)) = (node.mesh, mesh_of(model, node)) else { continue };
        let skin = node.skin.and_then(|skin| Some((skin, model.skins.get(skin.get())?)));
        let Some((skin_index, skin)) = skin else {
            let primitives =
                || mesh.primitives.iter().flat_map(|primitive| primitive.positions.iter().copied());
            let bounds = rigid
                .get_mut(index.get())
                .map(|known| *known.get_or_insert_with(|| Aabb::around(primitives())));
            if let (Some(slot), Some(bounds)) = (boxes.get_mut(at), bounds.flatten()) {
                Aabb::join(slot, bounds);
            }
            continue;
        };
        if !skinned.insert((index, skin_index)) {
            continue;
        }
        for Primitive { positions, influences, .. } in &mesh.primitives {
            let Some(left) = influences_left.checked_sub(influences.joints.len()) else { return boxes };
            influences_left = left;
            let per_vertex = influences.per_vertex.max(1);
            let joints = influences.joints.chunks_exact(per_vertex);
            let vertices = joints.zip(influences.joint_weights.chunks_exact(per_vertex));
            for ((joints, joint_weights), position) in vertices.zip(positions) {
                for (&joint, &joint_weight) in joints.iter().zip(joint_weights) {
                    let joint = usize::from(joint);
                    let Some((node, joint_from_mesh)) =
                        skin.joints.get(joint).zip(skin.joint_from_mesh.get(joint))
                    else {
                        continue;
                    };
                    if let Some(slot) = boxes.get_mut(node.get()).filter(|_| joint_weight > 0.0) {
                        let point = joint_from_mesh.transform_point3(*position);
                        Aabb::join(slot, Aabb { min: point, max: point });
                    }
                }
            }
        }
    }
    boxes
}

/// What morph targets move, computed once for each mesh and skin.
struct Morphs<'a> {
    model: &'a Model,
    /// The longest displacement of each target.
    meshes: Vec<Option<Vec<f32>>>,
    /// The largest scale of each skin's matrices.
    skins: Vec<Option<f32>>,
}

impl<'a> Morphs<'a> {
    fn new(model: &'a Model) -> Self {
        Self { model, meshes: vec![None; model.meshes.len()], skins: vec![None; model.skins.len()] }
    }

    fn levers(
        &mut self,
        node: &Node,
        place: &Affine3A,
        model_from_node: &[Affine3A],
        least: f32,
    ) -> Vec<f32> {
        let Some(mesh) = mesh_of(self.model, node).filter(|mesh| mesh.morph_target_count() > 0) else {
            return Vec::new();
        };
        let skin = node
            .skin
            .and_then(|skin| Some((self.model.skins.get(skin.get())?, self.skins.get_mut(skin.get())?)));
        let scale = match skin {
            Some((skin, known)) => *known.get_or_insert_with(|| {
                let pairs = skin.joints.iter().zip(&skin.joint_from_mesh);
                let scale = |(joint, joint_from_mesh): (&NodeIndex, &Affine3A)| {
                    let place = model_from_node.get(joint.get());
                    place.map_or(0.0, |place| largest_scale(&(*place * *joint_from_mesh)))
                };
                pairs.map(scale).fold(0.0, f32::max)
            }),
            None => largest_scale(place),
        };
        let known = node.mesh.and_then(|mesh| self.meshes.get_mut(mesh.get()));
        let longest = known.map(|known| &*known.get_or_insert_with(|| longest(mesh)));
        longest.into_iter().flatten().map(|longest| (longest * scale).max(least)).collect()
    }
}

/// Returns the longest displacement of each morph target.
fn longest(mesh: &Mesh) -> Vec<f32> {
    let mut longest = vec![0.0_f32; mesh.morph_target_count()];
    for primitive in &mesh.primitives {
        for (longest, target) in longest.iter_mut().zip(&primitive.morph_targets) {
            let here = target.positions.iter().map(|delta| delta.length()).fold(0.0, f32::max);
            *longest = longest.max(here);
        }
    }
    longest
}

fn largest_scale(matrix: &Affine3A) -> f32 {
    let [x, y, z] = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis];
    x.length().max(y.length()).max(z.length())
}
