//! Import of formats other than glTF, export to .glb, and decoders for image formats that browsers lack.

use super::needs::resources;
use crate::export::{self, Compression, ExportOptions, Exported};
use crate::import::{self, Format, ImportOptions, ImportReport, MatrixKeys, Warning};
use crate::model::{ImageSource, Model};
use crate::picture::{self, Picture};
use js_sys::Uint8Array;
use std::mem;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

// The order must match the list in `formats_wasm.ts`.
const MATRIX_KEYS: [MatrixKeys; 3] = [MatrixKeys::Decompose, MatrixKeys::Elements, MatrixKeys::Step];

/// An imported file.
#[wasm_bindgen]
#[derive(Debug)]
pub struct FileHandle {
    is_foreign: bool,
    model: Model,
    report: ImportReport,
}

/// Imports a file. `uris` and `pieces` are the external buffers and decoded data; `decoders` are the extensions
/// whose data is decoded.
///
/// `matrix_keys` are indices into `MATRIX_KEYS`: first the one for all clips, then one for each name in `clips`.
#[wasm_bindgen(js_name = importFile)]
pub fn import_file(
    bytes: &[u8],
    uris: Vec<String>,
    pieces: Vec<Uint8Array>,
    decoders: Vec<String>,
    ticks_per_second: Option<f64>,
    matrix_keys: &[u8],
    clips: Vec<String>,
) -> Result<FileHandle, JsValue> {
    let mut keys =
        matrix_keys.iter().map(|&word| MATRIX_KEYS.get(usize::from(word)).copied().unwrap_or_default());
    let options = ImportOptions {
        ticks_per_second,
        matrix_keys: keys.next().unwrap_or_default(),
        matrix_keys_of_clips: clips.into_iter().zip(keys).collect(),
    };
    let imported = import::import_with(bytes, &resources(&uris, &pieces, decoders), &options)?;
    let is_foreign = !matches!(import::sniff(bytes), Some(Format::Glb | Format::Gltf));
    Ok(FileHandle { is_foreign, model: imported.model, report: imported.report })
}

#[wasm_bindgen]
impl FileHandle {
    /// Returns whether the file is in another format than glTF.
    #[wasm_bindgen(getter, js_name = isForeign)]
    pub fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    /// Returns the code, place, message and count of each warning, as one flat list.
    pub fn warnings(&self) -> Vec<String> {
        let warnings = self.report.warnings.iter();
        let texts = warnings.flat_map(|Warning { code, place, message, count }| {
            [(*code).into(), place.clone(), message.clone(), count.to_string()]
        });
        texts.collect()
    }

    /// Returns the URIs of the images outside of the file, as written in the file.
    #[wasm_bindgen(js_name = imageUris)]
    pub fn image_uris(&self) -> Vec<String> {
        let images = self.model.images.iter();
        images
            .filter_map(|image| match &image.source {
                ImageSource::Uri(uri) => Some(uri.clone()),
                ImageSource::Encoded(_) => None,
            })
            .collect()
    }

    /// Sets an image as the base colour texture of a model without images. Returns whether any material could use it.
    #[wasm_bindgen(js_name = assignTexture)]
    pub fn assign_texture(&mut self, uri: &str) -> bool {
        import::assign_texture(&mut self.model, uri)
    }

    /// Writes a .glb for Gambol's own player: images aren't embedded, and matrices with shear are kept by an
    /// extension.
    #[wasm_bindgen(js_name = toOwnGlb)]
    pub fn to_own_glb(&self) -> GlbHandle {
        GlbHandle(export::to_glb(&self.model, &ExportOptions::FOR_PLAYER, &mut |_| None))
    }

    /// Writes a standard .glb with the images embedded. `uris` and `pictures` are the images outside of the file.
    ///
    /// `compresses` is for `EXT_meshopt_compression`. `reduce_keys` are the metres by which joints and vertices may be
    /// off when keys are left out.
    #[wasm_bindgen(js_name = toGlb)]
    pub fn to_glb(
        &self,
        uris: Vec<String>,
        pictures: Vec<Uint8Array>,
        compresses: bool,
        reduce_keys: Option<f32>,
    ) -> GlbHandle {
        let mut picture = |wanted: &str| {
            let found = uris.iter().zip(&pictures).find(|(uri, _)| *uri == wanted);
            found.map(|(_, bytes)| bytes.to_vec())
        };
        let compression = if compresses { Compression::Meshopt } else { Compression::None };
        let options = ExportOptions { compression, reduce_keys, ..ExportOptions::default() };
        GlbHandle(export::to_glb(&self.model, &options, &mut picture))
    }
}

/// An exported .glb file.
#[wasm_bindgen]
#[derive(Debug)]
pub struct GlbHandle(Exported);

#[wasm_bindgen]
impl GlbHandle {
    /// Moves the bytes out of the handle. A second call returns no bytes.
    #[wasm_bindgen(js_name = takeGlb)]
    pub fn take_glb(&mut self) -> Vec<u8> {
        mem::take(&mut self.0.glb)
    }

    /// Returns the code, place, message and count (always 1) of each note on baked or omitted content, as one flat
    /// list.
    pub fn notes(&self) -> Vec<String> {
        let notes = self.0.notes.iter();
        let texts = notes.flat_map(|note| [note.code, &note.place, &note.message, "1"].map(str::to_owned));
        texts.collect()
    }
}

#[wasm_bindgen]
#[derive(Debug)]
pub struct PictureHandle(Picture);

/// Decodes a .tga, .bmp or .dds image.
#[wasm_bindgen(js_name = decodePicture)]
pub fn decode_picture(bytes: &[u8]) -> Result<PictureHandle, JsValue> {
    Ok(PictureHandle(picture::decode(bytes)?))
}

#[wasm_bindgen]
impl PictureHandle {
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> u32 {
        self.0.width
    }

    #[wasm_bindgen(getter)]
    pub fn height(&self) -> u32 {
        self.0.height
    }

    /// Moves the RGBA pixels out of the handle, 8 bits a channel, top row first. A second call returns none.
    #[wasm_bindgen(js_name = takeRgba)]
    pub fn take_rgba(&mut self) -> Vec<u8> {
        mem::take(&mut self.0.rgba)
    }
}
