use super::needs::resources;
use crate::animation::{Rig, RolePair, Rotations};
use crate::image_type::image_type;
use crate::import::part::Part;
use crate::import::{self, ImportReport, Warning};
use crate::model::{ClipIndex, Image, ImageSource, Model, Node, NodeIndex};
use crate::render::GpuModel;
use glam::Mat4;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// An imported model, which any number of players can show, with the clips that were added to it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ModelHandle {
    pub(super) rig: Arc<Rig>,
    pub(super) report: ImportReport,
    /// Copy on the GPU from `prepare` until `show`. It is freed with the handle if the load is aborted between them.
    pub(super) prepared: RefCell<Option<Rc<GpuModel>>>,
    /// Joints that belong together, if clips were borrowed, as [`texts_of_pairs`] returns them.
    pub(super) role_pairs: Vec<String>,
}

impl ModelHandle {
    pub(super) fn new(rig: Arc<Rig>) -> Self {
        let report = ImportReport::default();
        Self { rig, report, prepared: RefCell::default(), role_pairs: Vec::new() }
    }
}

/// Returns the role, the indices of two nodes in their files or empty texts, the confidence in thousandths and the
/// reason of each pair, as one flat list.
pub(super) fn texts_of_pairs(pairs: &[RolePair], from_model: &Model, to_model: &Model) -> Vec<String> {
    let mut texts = Vec::new();
    // Fractions would need the code that writes them.
    let thousandths = |share: f32| ((share * 1000.0).round() as u32).to_string();
    let index = |model: &Model, node: Option<NodeIndex>| {
        node.map_or(String::new(), |node| model.node(node).source_index.to_string())
    };
    for &RolePair { role, from, to, confidence, reason } in pairs {
        texts.extend([
            role.name().into(),
            index(from_model, from),
            index(to_model, to),
            thousandths(confidence),
            reason.name().into(),
        ]);
    }
    texts
}

/// Returns the MIME type of an image by its first bytes and the type that its file declares. Empty if unknown.
#[wasm_bindgen(js_name = imageType)]
pub fn image_type_of(bytes: &[u8], declared: &str) -> String {
    image_type(bytes, declared).to_owned()
}

/// Imports a model. `uris` and `pieces` are the external buffers and decoded data; `decoders` are the extensions
/// whose data is decoded. `chord` selects normalized linear interpolation of rotations (NLERP) instead of spherical
/// interpolation (SLERP).
#[wasm_bindgen(js_name = importModel)]
pub fn import_model(
    bytes: &[u8],
    uris: Vec<String>,
    pieces: Vec<js_sys::Uint8Array>,
    decoders: Vec<String>,
    chord: bool,
) -> Result<ModelHandle, JsValue> {
    let imported = import::import(bytes, &resources(&uris, &pieces, decoders))?;
    let rotations = if chord { Rotations::Chord } else { Rotations::Arc };
    let rig = Arc::new(Rig::with_rotations(Arc::new(imported.model), rotations));
    Ok(ModelHandle { report: imported.report, ..ModelHandle::new(rig) })
}

/// Tells the importer that the functions of a part can be called: those of `gambol_import.wasm` (0) or of
/// `gambol_tangents.wasm` (1).
#[wasm_bindgen(js_name = partJoined)]
pub fn part_joined(part: u32) {
    if part == 0 { Part::Import } else { Part::Tangents }.join();
}

#[wasm_bindgen]
impl ModelHandle {
    /// Returns the code, place, message and count of each warning, as one flat list.
    pub fn warnings(&self) -> Vec<String> {
        let mut texts = Vec::new();
        for Warning { code, place, message, count } in &self.report.warnings {
            texts.extend([(*code).into(), place.clone(), message.clone(), count.to_string()]);
        }
        texts
    }

    #[wasm_bindgen(js_name = rolePairs)]
    pub fn role_pairs(&self) -> Vec<String> {
        self.role_pairs.clone()
    }

    /// Returns the names of a list: of clips (0), nodes (1), skins (2), materials (3), variants (4), or of the cameras
    /// on nodes (5). All lists and indices of nodes are in the file's order.
    pub fn names(&self, list: u32) -> Vec<String> {
        let model = self.model();
        let mut names = Vec::new();
        // One function for all lists makes the code smaller.
        let add: &mut dyn FnMut(&String) = &mut |name| names.push(name.clone());
        match list {
            0 => self.rig.clips().for_each(|clip| add(&clip.name)),
            1 => self.nodes().for_each(|node| add(&node.name)),
            2 => model.skins.iter().for_each(|skin| add(&skin.name)),
            3 => model.materials.iter().for_each(|material| add(&material.name)),
            4 => model.variants.iter().for_each(add),
            _ => self.nodes().for_each(|node| {
                if node.camera.is_some() {
                    add(model.camera_name(node));
                }
            }),
        }
        names
    }

    #[wasm_bindgen(js_name = clipDurations)]
    pub fn clip_durations(&self) -> Vec<f32> {
        self.rig.clips().map(|clip| clip.duration_secs).collect()
    }

    #[wasm_bindgen(js_name = clipBytes)]
    pub fn clip_bytes(&self) -> Vec<u32> {
        self.rig.clips().map(|clip| clip.key_bytes() as u32).collect()
    }

    /// Computes the bounds over a clip, which framing then needn't do. Does nothing without such a clip.
    pub fn measure(&self, clip: usize) {
        if clip < self.rig.clip_count() {
            self.rig.sweep(Some(ClipIndex::new(clip)));
        }
    }

    /// Returns the index of each node's parent, or −1 for a root.
    #[wasm_bindgen(js_name = nodeParents)]
    pub fn node_parents(&self) -> Vec<i32> {
        let parents = self.nodes().map(|node| node.parent);
        parents
            .map(|parent| parent.map_or(-1, |parent| self.model().node(parent).source_index as i32))
            .collect()
    }

    /// Returns flags for each node: 1 if it has a mesh, and 2 if it has a camera.
    #[wasm_bindgen(js_name = nodeFlags)]
    pub fn node_flags(&self) -> Vec<u8> {
        self.nodes().map(|node| u8::from(node.mesh.is_some()) + 2 * u8::from(node.camera.is_some())).collect()
    }

    /// Returns the matrix `parent_from_node` of each node in the rest pose, column-major.
    #[wasm_bindgen(js_name = restMatrices)]
    pub fn rest_matrices(&self) -> Vec<f32> {
        let mut matrices = Vec::new();
        for node in self.nodes() {
            let matrix = node.sheared_rest.unwrap_or_else(|| node.rest.parent_from_node());
            matrices.extend_from_slice(&Mat4::from(matrix).to_cols_array());
        }
        matrices
    }

    #[wasm_bindgen(js_name = skinJoints)]
    pub fn skin_joints(&self, skin: usize) -> Vec<u32> {
        let joints = self.model().skins.get(skin).map_or(&[][..], |skin| &skin.joints);
        joints.iter().map(|&joint| self.model().node(joint).source_index as u32).collect()
    }

    #[wasm_bindgen(getter, js_name = imageCount)]
    pub fn image_count(&self) -> usize {
        self.model().images.len()
    }

    /// Returns an image's URI, or an empty string if the image is embedded in the file.
    #[wasm_bindgen(js_name = imageUri)]
    pub fn image_uri(&self, image: usize) -> String {
        match self.image(image).map(|image| &image.source) {
            Some(ImageSource::Uri(uri)) => uri.clone(),
            _ => String::new(),
        }
    }

    /// Returns an image's encoded bytes, or no bytes if the image is outside of the file.
    #[wasm_bindgen(js_name = imageBytes)]
    pub fn image_bytes(&self, image: usize) -> Vec<u8> {
        match self.image(image).map(|image| &image.source) {
            Some(ImageSource::Encoded(bytes)) => bytes.to_vec(),
            _ => Vec::new(),
        }
    }

    /// Returns an image's MIME type, or an empty string if neither the file nor the image's bytes reveal it.
    #[wasm_bindgen(js_name = imageMimeType)]
    pub fn image_mime_type(&self, image: usize) -> String {
        self.image(image).and_then(|image| image.mime_type.clone()).unwrap_or_default()
    }
}

impl ModelHandle {
    fn model(&self) -> &Model {
        self.rig.model()
    }

    fn nodes(&self) -> impl Iterator<Item = &Node> {
        let model = self.model();
        model.node_from_source.iter().map(|&node| model.node(node))
    }

    fn image(&self, image: usize) -> Option<&Image> {
        self.model().images.get(image)
    }
}
