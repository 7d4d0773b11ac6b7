use super::error::Thrown;
use crate::animation::Rig;
use crate::import::{self, ImportReport, Resources};
use crate::model::{Image, ImageSource, Model};
use std::sync::Arc;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// One imported file, shown or not yet.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ModelHandle {
    pub(super) rig: Arc<Rig>,
    pub(super) report: ImportReport,
}

/// The pieces that `importModel` will ask for, as the file writes them.
#[wasm_bindgen(js_name = externalBuffers)]
pub fn external_buffers(bytes: &[u8]) -> Result<Vec<String>, JsValue> {
    Ok(import::external_buffers(bytes).map_err(Thrown::from)?)
}

#[wasm_bindgen(js_name = importModel)]
pub fn import_model(
    bytes: &[u8],
    uris: Vec<String>,
    pieces: Vec<js_sys::Uint8Array>,
) -> Result<ModelHandle, JsValue> {
    let mut resources = Resources::default();
    for (uri, piece) in uris.iter().zip(&pieces) {
        resources.insert(uri, piece.to_vec());
    }
    let imported = import::import(bytes, &resources).map_err(Thrown::from)?;
    let rig = Arc::new(Rig::new(Arc::new(imported.model)));
    Ok(ModelHandle { rig, report: imported.report })
}

#[wasm_bindgen]
impl ModelHandle {
    /// Code, place and message of each, one after another.
    pub fn warnings(&self) -> Vec<String> {
        let warnings = self.report.warnings.iter();
        warnings
            .flat_map(|warning| [warning.code.into(), warning.place.clone(), warning.message.clone()])
            .collect()
    }

    #[wasm_bindgen(js_name = clipNames)]
    pub fn clip_names(&self) -> Vec<String> {
        self.model().clips.iter().map(|clip| clip.name.clone()).collect()
    }

    #[wasm_bindgen(js_name = clipDurations)]
    pub fn clip_durations(&self) -> Vec<f32> {
        self.model().clips.iter().map(|clip| clip.duration_secs).collect()
    }

    /// In the file's order.
    #[wasm_bindgen(js_name = nodeNames)]
    pub fn node_names(&self) -> Vec<String> {
        let model = self.model();
        model.node_from_source.iter().map(|&node| model.node(node).name.clone()).collect()
    }

    #[wasm_bindgen(js_name = skinNames)]
    pub fn skin_names(&self) -> Vec<String> {
        self.model().skins.iter().map(|skin| skin.name.clone()).collect()
    }

    #[wasm_bindgen(getter, js_name = imageCount)]
    pub fn image_count(&self) -> usize {
        self.model().images.len()
    }

    /// Empty where the image lies in the file.
    #[wasm_bindgen(js_name = imageUri)]
    pub fn image_uri(&self, image: usize) -> String {
        match self.image(image).map(|image| &image.source) {
            Some(ImageSource::Uri(uri)) => uri.clone(),
            _ => String::new(),
        }
    }

    /// Empty where the image lies beside the file.
    #[wasm_bindgen(js_name = imageBytes)]
    pub fn image_bytes(&self, image: usize) -> Vec<u8> {
        match self.image(image).map(|image| &image.source) {
            Some(ImageSource::Encoded(bytes)) => bytes.to_vec(),
            _ => Vec::new(),
        }
    }

    /// Empty where neither the file nor its bytes tell.
    #[wasm_bindgen(js_name = imageMimeType)]
    pub fn image_mime_type(&self, image: usize) -> String {
        self.image(image).and_then(|image| image.mime_type.clone()).unwrap_or_default()
    }
}

impl ModelHandle {
    fn model(&self) -> &Model {
        self.rig.model()
    }

    fn image(&self, image: usize) -> Option<&Image> {
        self.model().images.get(image)
    }
}
