//! Exporter of a [`Model`] to .glb, glTF 2.0 in its binary container.
//!
//! Guarantees, each tested by `tests/export` and `tests/node/exported.test.mjs`:
//! - the Khronos validator reports no error for the file of any sound model;
//! - the file plays the model's poses, within 1e-4 of its size where matrices shear, and up to rounding elsewhere;
//! - nodes keep their indices, and every other difference has a [`Note`];
//! - with compression, poses are within 1/4000 of the size, or with fewer keys within [`ExportOptions::reduce_keys`].
//!
//! Fetching and file access are not done here: the caller provides the images.
#![cfg_attr(
    not(test),
    deny(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_sign_loss,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

mod baking;
mod binary;
mod cameras;
mod clips;
mod container;
mod early_keys;
mod influences;
mod json_text;
mod keys;
mod lights;
mod locality;
mod materials;
mod mesh_streams;
mod meshes;
pub mod meshopt;
mod nodes;
mod notes;
mod scenes;
mod skins;
mod split;
mod streams;
mod textures;

pub use notes::{NOTE_CODES, Note};

use crate::model::{Model, Node, Track};
use binary::{Binary, Finished};
use json_text::{Json, Object};
use meshes::Meshes;
use nodes::Nodes;
use notes::{Change, Notes};
use skins::Skins;
use std::collections::BTreeSet;
use textures::{ImageWriter, Textures};

/// Options of [`to_glb`]. The default is a file for any player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ExportOptions {
    pub shears: Shears,
    pub images: Images,
    pub compression: Compression,
    /// Distance in metres by which a joint or vertex may be off when keys are left out; `None` keeps all keys.
    pub reduce_keys: Option<f32>,
}

impl ExportOptions {
    /// Options for handing a model to Gambol's player, not for saving: only necessary changes are made, and images
    /// stay separate files.
    pub const FOR_PLAYER: Self = Self {
        shears: Shears::Kept,
        images: Images::Named,
        compression: Compression::None,
        reduce_keys: None,
    };
}

/// Treatment of nodes whose matrices shear, which glTF can't express.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shears {
    /// Two nested nodes. Keys are added where interpolating them would deviate from the interpolated matrices.
    #[default]
    Split,
    /// The matrices themselves, with a private extension that only Gambol reads.
    Kept,
}

/// Treatment of images in files beside the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Images {
    /// Embedded as PNG, JPEG or WebP.
    #[default]
    Embedded,
    /// Referred to by the model's URIs.
    Named,
}

/// Compression of vertices, indices and keys. Readers need the extension. Images stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// All numbers as they are in the model.
    #[default]
    None,
    /// `EXT_meshopt_compression` on rounded numbers.
    Meshopt,
    /// `KHR_meshopt_compression` on rounded numbers. Files are smaller, and fewer programs read them.
    KhrMeshopt,
}

impl Compression {
    fn extension(self) -> Option<(&'static str, meshopt::Version)> {
        match self {
            Self::None => None,
            Self::Meshopt => Some(("EXT_meshopt_compression", meshopt::Version::Zero)),
            Self::KhrMeshopt => Some(("KHR_meshopt_compression", meshopt::Version::One)),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    pub glb: Vec<u8>,
    pub notes: Vec<Note>,
}

/// Writes a model as .glb.
///
/// `picture` returns the bytes of an image by its URI as in the model. It is called once for each image to be
/// embedded.
pub fn to_glb(
    model: &Model,
    options: &ExportOptions,
    picture: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Exported {
    let (mut binary, mut extensions, mut notes) =
        (Binary::default(), Extensions::default(), Notes::default());
    if !model.springs.is_empty() {
        notes.add(Change::SpringsLeftOut, "springs", 0, "");
    }
    let mut nodes = Nodes::of(model, options.shears, &mut notes);
    if options.shears == Shears::Kept && model.nodes.iter().any(|node| node.sheared_rest.is_some()) {
        extensions.used.insert(MATRIX_KEYS);
    }
    let skins = Skins::of(model, &mut nodes, &mut binary, &mut notes);
    let meshes = Meshes::of(model, options.compression, &mut binary, &mut notes);
    let mesh_of_node = |node: &Node| meshes.number(node.mesh?);
    let has_morphs =
        |track: &Track| model.nodes.get(track.node.get()).is_some_and(|node| mesh_of_node(node).is_some());
    let is_compressed = options.compression != Compression::None;
    let plans = keys::plans(model, options.reduce_keys, is_compressed);
    let layout = clips::Layout { shears: options.shears, is_compressed };
    let clips = clips::clips(model, &plans, &nodes, has_morphs, layout, &mut binary, &mut notes);
    // The last bytes of the file, so that players can show the model before they have come.
    let writer = ImageWriter { images: options.images, picture, binary: &mut binary };
    let textures = Textures::of(model, writer, &mut extensions, &mut notes);
    let materials = materials::materials(&model.materials, &textures, &mut extensions, &mut notes);
    let (scenes, scene) = scenes::scenes(model, &nodes, &mut notes);
    let Finished { accessors, views, buffers, bytes, is_compressed } = binary.finish(options.compression);
    if let (Some((name, _)), true) = (options.compression.extension(), is_compressed) {
        for name in [name, QUANTIZATION] {
            extensions.used.insert(name);
            extensions.required.insert(name);
        }
    }
    let lights = lights::lights(&model.lights);
    for (name, is_used) in [
        (LIGHTS, !lights.is_empty()),
        (VARIANTS, !model.variants.is_empty()),
        (VISIBILITY, model.nodes.iter().any(|node| !node.visible)),
        (XMP, model.metadata.xmp_packets.is_some()),
    ] {
        extensions.used.extend(is_used.then_some(name));
    }
    let packets = model.metadata.xmp_packets.as_deref().map(kept_json);
    let packet = packets.as_ref().and(model.metadata.xmp_packet);
    let of_asset = packet.map(|packet| Object::new().with(XMP, Object::new().with("packet", packet)));
    let variants = model.variants.iter().map(|name| Object::new().with("name", name.as_str()).into());
    let variants: Vec<Json> = variants.collect();
    let of_root = Object::new()
        .with_any(LIGHTS, Object::new().with_list("lights", lights))
        .with_any(VARIANTS, Object::new().with_list("variants", variants))
        .with_any(XMP, Object::new().with_some("packets", packets));

    let asset = Object::new().with("version", "2.0").with("generator", GENERATOR);
    let root = Object::new()
        .with("asset", asset.with_some("extensions", of_asset))
        .with_list("extensionsUsed", extensions.used.into_iter().collect())
        .with_list("extensionsRequired", extensions.required.into_iter().collect())
        .with_some("scene", scene)
        .with_list("scenes", scenes)
        .with_list("nodes", nodes.written(mesh_of_node, |node| skins.number(node.skin?)))
        .with_list("cameras", cameras::cameras(&model.cameras))
        .with_list("meshes", meshes.written)
        .with_list("skins", skins.written)
        .with_list("animations", clips)
        .with_list("materials", materials)
        .with_list("textures", textures.written)
        .with_list("images", textures.images)
        .with_list("samplers", textures.samplers)
        .with_list("accessors", accessors)
        .with_list("bufferViews", views)
        .with_list("buffers", buffers)
        .with_any("extensions", of_root)
        .with_some("extras", model.metadata.extras.as_deref().map(kept_json));
    Exported { glb: container::glb(root.into(), &bytes), notes: notes.into_notes() }
}

/// Returns text of the model's file as JSON. Text that isn't JSON becomes a string.
fn kept_json(text: &str) -> Json {
    match crate::json::parse(text.as_bytes()) {
        Ok(_) => Json::written(text.to_owned()),
        Err(_) => text.into(),
    }
}

const GENERATOR: &str = concat!("Gambol ", env!("CARGO_PKG_VERSION"));

const EMISSIVE_STRENGTH: &str = "KHR_materials_emissive_strength";
const LIGHTS: &str = "KHR_lights_punctual";
/// Private extension: a node with it has a `matrix` that may shear and be animated as a whole, by the path `matrix`.
const MATRIX_KEYS: &str = "GAMBOL_matrix_keys";
const QUANTIZATION: &str = "KHR_mesh_quantization";
const TEXTURE_TRANSFORM: &str = "KHR_texture_transform";
const UNLIT: &str = "KHR_materials_unlit";
const VARIANTS: &str = "KHR_materials_variants";
const VISIBILITY: &str = "KHR_node_visibility";
const WEBP: &str = "EXT_texture_webp";
const XMP: &str = "KHR_xmp_json_ld";

/// Names of the extensions that the file uses and requires.
#[derive(Default)]
struct Extensions {
    used: BTreeSet<&'static str>,
    required: BTreeSet<&'static str>,
}
