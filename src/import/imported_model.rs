//! Parts of a model that an importer has read, before they are a [`Model`].
//!
//! The steps that all formats share are here: one scene with all roots, names for unnamed clips, durations, matrix
//! keys.
use super::matrices::decompose;
use super::matrix_tracks::{MatrixTrack, resolve};
use super::pictures::Pictures;
use super::report::WarningKind;
use super::{ImportOptions, ImportReport};
use crate::model::{Camera, Clip, Material, Mesh, Model, Node, NodeIndex, Scene, Skin, Track, TrackValues};
use glam::Affine3A;
use std::collections::BTreeSet;

/// Model as an importer has read it. [`into_model`](Self::into_model) completes it.
#[derive(Debug, Default)]
pub(super) struct ImportedModel {
    /// Parents before children, in the file's order. The `source_index` of each node is its index.
    pub(super) nodes: Vec<Node>,
    pub(super) clips: Vec<ImportedClip>,
    pub(super) skins: Vec<Skin>,
    pub(super) meshes: Vec<Mesh>,
    pub(super) materials: Vec<Material>,
    pub(super) pictures: Pictures,
    pub(super) cameras: Vec<Camera>,
}

/// Clip as an importer has read it, with matrix keys still whole.
#[derive(Debug, Default)]
pub(super) struct ImportedClip {
    /// May be empty.
    pub(super) name: String,
    pub(super) tracks: Vec<Track>,
    pub(super) matrix_tracks: Vec<MatrixTrack>,
}

impl ImportedModel {
    /// Adds a node without mesh, skin or camera.
    pub(super) fn push_node(
        &mut self,
        name: &str,
        parent: Option<NodeIndex>,
        parent_from_node: &Affine3A,
    ) -> NodeIndex {
        let (rest, faithful) = decompose(parent_from_node);
        let index = NodeIndex::new(self.nodes.len());
        self.nodes.push(Node {
            name: name.to_owned(),
            parent,
            rest,
            sheared_rest: (!faithful).then_some(*parent_from_node),
            mesh: None,
            skin: None,
            camera: None,
            light: None,
            rest_morph_weights: Vec::new(),
            in_scene: true,
            visible: true,
            source_index: index.get(),
            extras: None,
        });
        index
    }

    /// Returns the rest `model_from_node` of each node.
    pub(super) fn model_from_nodes(&self) -> Vec<Affine3A> {
        let mut model_from_nodes: Vec<Affine3A> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let parent_from_node = node.sheared_rest.unwrap_or_else(|| node.rest.parent_from_node());
            let above = node.parent.and_then(|parent| model_from_nodes.get(parent.get()));
            model_from_nodes.push(above.map_or(parent_from_node, |above| *above * parent_from_node));
        }
        model_from_nodes
    }

    pub(super) fn into_model(mut self, options: &ImportOptions, report: &mut ImportReport) -> Model {
        self.report_repeated_names(report);
        for (index, clip) in self.clips.iter_mut().enumerate() {
            if clip.name.is_empty() {
                clip.name = format!("clip {index}");
            }
        }
        let resolved = resolve(self.clips, &mut self.nodes, options, report);
        let clips = resolved.into_iter().map(|(name, tracks)| finished(name, tracks, report)).collect();
        let indices = (0..self.nodes.len()).map(NodeIndex::new);
        let is_root = |node: &NodeIndex| self.nodes.get(node.get()).is_some_and(|node| node.parent.is_none());
        let Pictures { images, textures, .. } = self.pictures;
        Model {
            scenes: vec![Scene { name: String::new(), roots: indices.clone().filter(is_root).collect() }],
            default_scene: Some(0),
            node_from_source: indices.collect(),
            nodes: self.nodes,
            clips,
            skins: self.skins,
            meshes: self.meshes,
            materials: self.materials,
            textures,
            images,
            cameras: self.cameras,
            ..Model::default()
        }
    }

    fn report_repeated_names(&self, report: &mut ImportReport) {
        let named: Vec<&str> =
            self.nodes.iter().map(|node| node.name.as_str()).filter(|name| !name.is_empty()).collect();
        let distinct: BTreeSet<&str> = named.iter().copied().collect();
        let repeated = named.len() - distinct.len();
        if repeated > 0 {
            let about = format!("{repeated} of {}", self.nodes.len());
            report.warn_at(WarningKind::NodeNameRepeated, "the hierarchy", &about);
        }
    }
}

/// Finishes a clip. If two tracks animate one property of one node, the first is kept.
fn finished(name: String, mut tracks: Vec<Track>, report: &mut ImportReport) -> Clip {
    let mut taken = BTreeSet::new();
    let count = tracks.len();
    tracks.retain(|track| taken.insert((track.node, property(&track.values))));
    if tracks.len() < count {
        let about = format!("{} of {count}", count - tracks.len());
        report.warn_at(WarningKind::TrackRepeated, format!("clip “{name}”"), &about);
    }
    let mut clip = Clip { name, tracks, ..Clip::default() };
    clip.duration_secs = clip.last_key_secs();
    clip
}

fn property(values: &TrackValues) -> u8 {
    match values {
        TrackValues::Translation(_) => 0,
        TrackValues::Rotation(_) => 1,
        TrackValues::Scale(_) => 2,
        TrackValues::MorphWeights(_) => 3,
        TrackValues::Matrix(_) => 4,
    }
}
