//! Importer for DirectX .x files. Text and binary encodings, compressed or not, produce bit-identical models.
//!
//! ```text
//! Frame Root {                        a node; what nests in it are its children
//!   FrameTransformMatrix { … }        row vectors, left-handed: changed once, in `handedness`
//!   Mesh { … SkinWeights { … } }      drawn by that node; its joints are frames by name
//! }
//! AnimationSet Walk { Animation { { Root } AnimationKey { … } } }
//! ```

mod animations;
mod binary;
mod compression;
mod document;
mod faces;
mod fields;
mod frames;
mod handedness;
mod materials;
mod meshes;
mod skins;
mod source;
mod text;
mod tokens;
mod vertex_data;

use super::budget::Budget;
use super::imported_model::ImportedModel;
use super::{ImportError, ImportOptions, ImportReport};
use crate::model::Model;
use frames::Frames;
use meshes::Meshes;
use skins::Bind;
use source::Source;

pub(super) fn import(
    bytes: &[u8],
    options: &ImportOptions,
    report: &mut ImportReport,
) -> Result<Model, ImportError> {
    let budget = Budget::of_file(bytes.len());
    let source = Source::open(bytes, &budget)?;
    let document = document::parse(&source, &budget, report)?;
    let mut imported = ImportedModel::default();
    let frames = Frames::read(&document, &mut imported, &budget)?;
    let placed = frames.meshes(&document, &mut imported, &budget)?;
    let model_from_node = imported.model_from_nodes();
    let bind =
        Bind { document: &document, frames: &frames, model_from_node: &model_from_node, budget: &budget };
    let mut meshes = Meshes {
        bind,
        imported: &mut imported,
        report,
        materials: Default::default(),
        of_object: Default::default(),
    };
    for frames::Placed { mesh, node } in placed {
        meshes.draw(mesh, node)?;
    }
    imported.clips = animations::clips(&document, &frames, options, report)?;
    Ok(imported.into_model(options, report))
}
