//! Importer of glTF 2.0, from its JSON text or its binary container.
//!
//! `gltf::json` provides the schema's enumerations. The file's numbers are read here, since that crate's own readers
//! assume a valid file.

mod accessor;
mod buffers;
mod cameras;
mod clips;
#[cfg(not(target_arch = "wasm32"))]
mod compressed;
mod document;
mod drawing;
mod extensions;
mod extras;
mod formats;
mod glb;
mod humanoid;
mod influences;
mod instances;
mod json;
mod lights;
mod materials;
mod meshes;
mod mikktspace;
mod nodes;
mod pointers;
mod primitives;
mod schema;
mod skins;
mod springs;
mod tangents;
mod textures;
mod topology;
mod variants;

use super::budget::Budget;
use super::part::Part;
use super::{Apart, Format, ImportError, ImportReport, Need, Resources, data_uri};
use crate::model::{Metadata, Model, NodeIndex, Springs};
use crate::refusal::Place;
use accessor::Accessors;
use buffers::Buffers;
use document::Document;
use pointers::Pointers;

/// Returns what a file needs, and which code that a page fetches apart may be needed to read it.
pub(super) fn inspect(bytes: &[u8], format: Format) -> Result<(Vec<(Need, String)>, Apart), ImportError> {
    let container = glb::open(bytes, format, &mut ImportReport::default())?;
    let Glance { needs_nothing, apart } = Glance::at(container.json);
    let needs = if needs_nothing { Vec::new() } else { needs_of(container.json)? };
    Ok((needs, apart))
}

/// What a text surely doesn't name. It isn't parsed for that, which takes as long as the rest of an import. Without
/// backslashes, quotes enclose every text as it is; one with backslashes may name anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Glance {
    /// Nothing that the file needs is named.
    needs_nothing: bool,
    apart: Apart,
}

/// Names in files that are read by code that a page fetches apart: [`instances::expand`], [`springs::springs`] and
/// [`humanoid::roles`].
const READ_LATE: [&[u8]; 4] =
    [b"EXT_mesh_gpu_instancing", b"VRMC_springBone", b"secondaryAnimation", b"humanBones"];

/// Names in files that need [`Part::Import`], besides the extensions of materials. Others need it too, which an import
/// finds out.
const NEEDS_PART: [&[u8]; 3] = [b"KHR_animation_pointer", b"KHR_lights_punctual", b"cameras"];

impl Glance {
    fn at(json: &[u8]) -> Self {
        let is_escaped = json.contains(&b'\\');
        let apart = Apart { late: is_escaped, import: false, tangents: false };
        let mut glance = Self { needs_nothing: !is_escaped, apart };
        let (mut is_requiring, mut has_tangents) = (false, false);
        for (nth, piece) in json.split(|&byte| byte == b'"').enumerate() {
            // Texts and what separates them take turns.
            if nth % 2 == 0 {
                is_requiring &= !piece.contains(&b']');
                continue;
            }
            glance.apart.late |= READ_LATE.contains(&piece);
            glance.apart.import |= NEEDS_PART.contains(&piece) || piece.starts_with(b"data:");
            glance.apart.import |= piece.starts_with(b"KHR_materials_") && extensions::is_of_materials(piece);
            // Few files have tangents for some normal maps alone. An import finds out.
            glance.apart.tangents |= piece == b"normalTexture";
            has_tangents |= piece == b"TANGENT";
            glance.needs_nothing &= piece != b"uri";
            if is_requiring {
                glance.needs_nothing &= str::from_utf8(piece).is_ok_and(extensions::is_supported);
            }
            is_requiring |= piece == b"extensionsRequired";
        }
        glance.apart.tangents &= !has_tangents;
        glance
    }
}

fn needs_of(json: &[u8]) -> Result<Vec<(Need, String)>, ImportError> {
    let document = document::parse(json, None, &mut ImportReport::default())?;
    let root = document.root();
    let mut needs = Vec::new();
    let mut decoders: Vec<&str> = root.texts("extensionsRequired").collect();
    for (need, array) in [(Need::File, "buffers"), (Need::Image, "images")] {
        for part in root.list(array) {
            if need == Need::File
                && let Some(name) = extensions::replaced_by(part)
            {
                if !decoders.contains(&name) {
                    decoders.push(name);
                }
            } else if let Some(uri) = part.text("uri").filter(|uri| !data_uri::is_data_uri(uri)) {
                needs.push((need, uri.to_owned()));
            }
        }
    }
    for name in decoders {
        if !extensions::is_supported(name) {
            needs.push((Need::Decoder, name.to_owned()));
        }
    }
    Ok(needs)
}

pub(super) fn import(
    bytes: &[u8],
    format: Format,
    resources: &Resources,
    report: &mut ImportReport,
) -> Result<Model, ImportError> {
    let container = glb::open(bytes, format, report)?;
    let document = document::parse(container.json, Some(&resources.decoders), report)?;
    model_from(&document, container.binary, resources, report)
}

/// Builds the model. The functions for its parts aren't inlined, so that browsers don't compile them all once more
/// because a loop of one runs for long.
fn model_from(
    document: &Document<'_>,
    binary: Option<&[u8]>,
    resources: &Resources,
    report: &mut ImportReport,
) -> Result<Model, ImportError> {
    let root = document.root();
    #[cfg_attr(target_arch = "wasm32", allow(unused_mut, reason = "a page decodes"))]
    let mut buffers = Buffers::open(root, binary, resources, report)?;
    let budget = Budget::of_file(document.byte_count + buffers.byte_count());
    budget.charge(resources.decoded_byte_count(), 1, || Place::ROOT.pointer())?;
    #[cfg(not(target_arch = "wasm32"))]
    buffers.decode(&budget)?;
    let accessors = Accessors::new(root, &buffers, &budget);
    accessors.report_alignment(report);
    let mut hierarchy = nodes::hierarchy(root)?;

    let images = textures::images(root, &buffers, &budget)?;
    let (textures, texture_from_source) = textures::textures(root, &images, &resources.decoders, report);
    let materials = materials::materials(root, &texture_from_source, report)?;
    let mut meshes = meshes::meshes(root, &accessors, &materials, report)?;
    let skins = skins::skins(root, &accessors, &hierarchy, report)?;
    let mut nodes = nodes::nodes(root, &hierarchy, &mut meshes, &skins, &budget, report)?;
    for (extras, &node) in extras::of_nodes(root, document.text).into_iter().zip(&hierarchy.node_from_source)
    {
        if let Some(node) = nodes.get_mut(node.get()) {
            node.extras = extras;
        }
    }
    if instances::are_in(root) {
        instances::expand(root, &accessors, &meshes, &mut hierarchy, &mut nodes, report)?;
    }
    let pointers = Pointers::new(root, &hierarchy, &materials);
    let (clips, properties) = clips::clips(pointers, &accessors, &nodes, &meshes, report)?;

    let springs = if springs::are_in(root) {
        springs::springs(root, &hierarchy, &nodes, &budget, report)?
    } else {
        Springs::default()
    };
    let humanoid = if humanoid::is_in(root) { humanoid::roles(root, &hierarchy) } else { Vec::new() };
    let lights = if lights::are_in(root) {
        Part::Import.need()?;
        lights::lights(root, &mut nodes, report)
    } else {
        Vec::new()
    };
    let cameras = if cameras::are_in(root) {
        Part::Import.need()?;
        cameras::cameras(root, report)
    } else {
        Vec::new()
    };
    let metadata = metadata(root, document.text);

    Ok(Model {
        scenes: nodes::scenes(root, &hierarchy),
        default_scene: nodes::default_scene(root),
        node_from_source: hierarchy.node_from_source,
        nodes,
        clips,
        properties,
        skins,
        meshes,
        materials,
        variants: variants::names(root),
        textures,
        images: images.into_iter().map(|image| image.image).collect(),
        cameras,
        lights,
        springs,
        humanoid,
        metadata,
    })
}

#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
fn metadata(root: json::Json<'_>, text: &[u8]) -> Metadata {
    extras::metadata(root, text)
}

/// Reads nothing: the player's download has no code for what it doesn't show.
#[cfg(not(any(feature = "formats", not(target_arch = "wasm32"))))]
fn metadata(_: json::Json<'_>, _: &[u8]) -> Metadata {
    Metadata::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_needs_nothing_is_known_without_parsing_it() {
        let asset = r#""asset": { "version": "2.0" }"#;
        for (rest, needs) in [
            ("", 0),
            (r#", "extensionsUsed": ["KHR_materials_unlit"]"#, 0),
            (r#", "nodes": [{ "name": "uri" }]"#, 0),
            (r#", "nodes": [{ "name": "\"uri\"" }]"#, 0),
            (r#", "images": [{ "uri": "a.png" }]"#, 1),
            (r#", "images": [{ "\u0075ri": "a.png" }]"#, 1),
            (r#", "images": [{ "uri" : "a.png" }], "buffers": [{"uri":"b","byteLength":1}]"#, 2),
            (r#", "extensionsRequired": []"#, 0),
            (r#", "extensionsRequired": ["KHR_mesh_quantization", "KHR_materials_unlit"]"#, 0),
            (r#", "extensionsRequired": ["KHR_mesh_quantization" , "EXT_of_tomorrow"]"#, 1),
            (r#", "extensionsRequired": ["EXT_of_tomorrow"], "extensionsUsed": ["EXT_of_tomorrow"]"#, 1),
            (r#", "extensionsRequired": ["KHR_mesh_quantization"], "images": [{ "uri": "a.png" }]"#, 1),
            (r#", "extensions\u0052equired": ["EXT_of_tomorrow"], "extensionsUsed": ["EXT_of_tomorrow"]"#, 1),
        ] {
            let text = format!("{{ {asset}{rest} }}");
            let parsed = needs_of(text.as_bytes()).expect("it is sound");
            assert_eq!(parsed.len(), needs, "{text}");
            assert_eq!(inspect(text.as_bytes(), Format::Gltf).expect("it is sound").0, parsed, "{text}");
            assert!(parsed.is_empty() || !Glance::at(text.as_bytes()).needs_nothing, "{text}");
        }
        let supported = br#"{ "asset": {}, "extensionsRequired": ["KHR_mesh_quantization"], "nodes": [{}] }"#;
        assert!(Glance::at(supported).needs_nothing);
    }

    #[test]
    fn files_that_are_read_late_are_known_without_parsing_them() {
        for (rest, springs, instances) in [
            ("", false, false),
            (r#", "extensions": { "VRM": { "humanoid": {} } }"#, false, false),
            (r#", "nodes": [{ "name": "springs of EXT_mesh_gpu_instancing" }]"#, false, false),
            (r#", "extensions": { "VRMC_springBone": {} }"#, true, false),
            (r#", "extensions": { "VRM": { "secondaryAnimation": {} } }"#, true, false),
            (r#", "extensions": { "VRMC_spring\u0042one": {} }"#, true, false),
            (r#", "nodes": [{ "extensions": { "EXT_mesh_gpu_instancing": {} } }]"#, false, true),
            (r#", "nodes": [{ "extensions": { "EXT_mesh_gpu\u005Finstancing": {} } }]"#, false, true),
        ] {
            let text = format!(r#"{{ "asset": {{ "version": "2.0" }}{rest} }}"#);
            let document = document::parse(text.as_bytes(), None, &mut ImportReport::default());
            let document = document.expect("it is sound");
            assert_eq!(springs::are_in(document.root()), springs, "{text}");
            assert_eq!(instances::are_in(document.root()), instances, "{text}");
            assert_eq!(Glance::at(text.as_bytes()).apart.late, springs || instances, "{text}");
        }
    }

    #[test]
    fn files_that_surely_need_rare_code_are_known_without_parsing_them() {
        for (text, needs_it) in [
            (r#"{ "asset": { "version": "2.0" } }"#, false),
            (r#"{ "nodes": [{ "name": "all data: none" }], "images": [{ "uri": "a.png" }] }"#, false),
            (r#"{ "buffers": [{ "uri": "data:;base64,Zg==" }] }"#, true),
            (r#"{ "extensionsUsed": ["KHR_animation_pointer"] }"#, true),
            (r#"{ "extensionsUsed": ["KHR_materials_clearcoat"] }"#, true),
            (r#"{ "extensionsUsed": ["KHR_materials_unlit", "KHR_materials_variants"] }"#, false),
            (r#"{ "materials": [{ "normalTexture": { "index": 0 } }] }"#, false),
        ] {
            assert_eq!(Glance::at(text.as_bytes()).apart.import, needs_it, "{text}");
        }
    }
}
