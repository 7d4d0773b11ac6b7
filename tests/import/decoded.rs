//! What a file needs before its import, and data that the caller has decoded.

use gambol::import::{CONVERTER, ImportError, Imported, Need, Resources, external_buffers, import, inspect};
use gambol::model::ImageIndex;
use glam::Vec3;

const POSITIONS: [f32; 9] = [0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0, 0.0];

/// Returns a triangle whose positions are compressed by `TEST_toy`.
fn triangle() -> Vec<u8> {
    r#"{"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
            "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3,
                "min": [0, 0, 0], "max": [2, 3, 0]}],
            "bufferViews": [{"buffer": 0, "byteLength": 36, "extensions": {"TEST_toy": {}}}],
            "buffers": [{"byteLength": 36}, {"byteLength": 4, "uri": "packed.bin"}],
            "images": [{"uri": "skin.png"}, {"uri": "skin.toy"}, {"uri": "data:image/png;base64,iVBORw=="}],
            "textures": [{"source": 0, "extensions": {"TEST_toy": {"source": 1}}}],
            "extensionsUsed": ["KHR_materials_unlit", "TEST_toy"],
            "extensionsRequired": ["KHR_materials_unlit", "TEST_toy"]}"#
        .as_bytes()
        .to_vec()
}

fn decoded(name: &str, bytes: &[u8]) -> Resources {
    let mut resources = Resources::with_decoders(vec!["TEST_toy".into()]);
    resources.insert("packed.bin", vec![0; 4]);
    resources.insert(name, bytes.to_vec());
    resources
}

fn bytes_of(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn positions(imported: &Imported) -> Vec<Vec3> {
    imported.model.meshes[0].primitives[0].positions.clone()
}

fn place(error: &ImportError) -> (&str, &str) {
    (error.code(), error.place())
}

fn expected() -> Vec<Vec3> {
    POSITIONS.chunks(3).map(Vec3::from_slice).collect()
}

#[test]
fn needs_are_external_files_and_the_required_extensions_that_are_not_supported() {
    let need = |need, name: &str| (need, name.to_owned());
    let file = triangle();
    assert_eq!(
        inspect(&file).unwrap(),
        [
            need(Need::File, "packed.bin"),
            need(Need::Image, "skin.png"),
            need(Need::Image, "skin.toy"),
            need(Need::Decoder, "TEST_toy"),
        ]
    );
    assert_eq!(external_buffers(&file).unwrap(), ["packed.bin"]);
    assert_eq!(inspect(br#"{"asset": {"version": "2.0"}}"#).unwrap(), []);
    // Only builds that read nothing but glTF name the converter.
    assert_eq!(inspect(b"xof 0303txt 0032").unwrap(), []);
    assert_eq!(inspect(b"PK\x03\x04").unwrap_err().code(), "NOT_A_MODEL");
    assert_eq!(CONVERTER, "formats", "the page compares with it");
}

#[test]
fn a_decoded_view_replaces_the_bytes_of_its_buffer() {
    let file = triangle();
    let imported = import(&file, &decoded("#/bufferViews/0", &bytes_of(&POSITIONS))).unwrap();
    assert_eq!(positions(&imported), expected());
    let codes: Vec<_> = imported.report.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["UV_SET_MISSING"], "nothing is said of the extension");
    // Further bytes are ignored, as those behind a view in its buffer are.
    let longer = [&POSITIONS[..], &[f32::NAN]].concat();
    assert_eq!(
        positions(&import(&file, &decoded("#/bufferViews/0", &bytes_of(&longer))).unwrap()),
        expected()
    );
}

#[test]
fn a_decoded_accessor_replaces_its_view() {
    let imported = import(&triangle(), &decoded("#/accessors/0", &bytes_of(&POSITIONS))).unwrap();
    assert_eq!(positions(&imported), expected());
}

#[test]
fn a_decoder_that_gives_too_little_is_an_error_with_a_place() {
    let file = triangle();
    let bytes = bytes_of(&POSITIONS[..8]);
    let error = import(&file, &decoded("#/bufferViews/0", &bytes)).unwrap_err();
    assert_eq!(place(&error), ("BUFFER_VIEW_OUT_OF_BOUNDS", "/bufferViews/0"));
    let error = import(&file, &decoded("#/accessors/0", &bytes)).unwrap_err();
    assert_eq!(place(&error), ("ACCESSOR_OUT_OF_BOUNDS", "/accessors/0"));
    let error = import(&file, &decoded("#/bufferViews/1", &bytes)).unwrap_err();
    assert_eq!(place(&error), ("BUFFER_MISSING", "/buffers/0"), "nothing was decoded for it");
}

#[test]
fn without_its_decoder_a_file_is_refused_by_name() {
    let mut resources = Resources::default();
    resources.insert("packed.bin", vec![0; 4]);
    resources.insert("#/bufferViews/0", bytes_of(&POSITIONS));
    let error = import(&triangle(), &resources).unwrap_err();
    assert_eq!(place(&error), ("EXTENSION_UNSUPPORTED", "/extensionsRequired/1"));
    assert!(
        error.to_string().contains("TEST_toy") && error.to_string().contains("Export it without"),
        "{error}"
    );
}

#[test]
fn an_external_file_is_no_decoded_data() {
    let file = String::from_utf8(triangle()).unwrap().replace("packed.bin", "bufferViews/0");
    let mut resources = Resources::with_decoders(vec!["TEST_toy".into()]);
    resources.insert("bufferViews/0", bytes_of(&POSITIONS));
    let error = import(file.as_bytes(), &resources).unwrap_err();
    assert_eq!(place(&error), ("BUFFER_MISSING", "/buffers/0"));
    // And decoded data is no external file.
    let resources = decoded("#/bufferViews/0", &bytes_of(&POSITIONS));
    assert_eq!(resources.get("0"), None);
    assert_eq!(resources.get("#/bufferViews/0"), None);
}

#[test]
fn decoded_data_counts_towards_the_limit_of_memory() {
    let most = 64 * ((1 << 20) + triangle().len() + 4);
    let too_much = vec![0; most + 1];
    let error = import(&triangle(), &decoded("#/bufferViews/0", &too_much)).unwrap_err();
    assert_eq!(error.code(), "MODEL_TOO_LARGE");
}

#[test]
fn a_texture_extension_with_a_decoder_gives_the_image() {
    let imported = import(&triangle(), &decoded("#/bufferViews/0", &bytes_of(&POSITIONS))).unwrap();
    assert_eq!(imported.model.textures[0].image, ImageIndex::new(1));
    let other = String::from_utf8(triangle())
        .unwrap()
        .replace(r#""TEST_toy": {"source""#, r#""TEST_other": {"source""#);
    let imported = import(other.as_bytes(), &decoded("#/bufferViews/0", &bytes_of(&POSITIONS))).unwrap();
    assert_eq!(imported.model.textures[0].image, ImageIndex::new(0));
}
