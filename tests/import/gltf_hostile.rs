//! Inconsistent, truncated and malicious glTF files. None causes a panic or disproportionate memory use.

use crate::support::hostile::{Random, within_bounds};
use gambol::import::{Imported, Resources, import};
use gambol::model::check::check;
use std::fs;
use std::path::{Path, PathBuf};

/// Imports the file and checks the model. Returns the code of the error, or "".
fn code_of(bytes: &[u8]) -> &'static str {
    match import(bytes, &Resources::default()) {
        Ok(Imported { model, .. }) => {
            assert_eq!(check(&model), []);
            ""
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            error.code()
        }
    }
}

/// Returns the code of the error, and asserts a bound on memory.
fn code_within_bounds(bytes: &[u8]) -> &'static str {
    within_bounds(bytes, code_of)
}

fn gltf(body: &str) -> Vec<u8> {
    format!(r#"{{"asset":{{"version":"2.0"}},{body}}}"#).into_bytes()
}

fn fixture_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/import");
    let folders = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = folders
        .flat_map(|folder| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()))
        .filter(|path| path.extension().is_some_and(|extension| extension != "json"))
        .collect();
    files.sort();
    files
}

fn rich_glb() -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/import/container/valid.rich.glb"))
        .unwrap()
}

#[test]
fn a_container_cut_anywhere_is_refused() {
    let whole = rich_glb();
    assert_eq!(code_of(&whole), "");
    for length in 0..whole.len() {
        let code = code_of(&whole[..length]);
        assert_eq!(code, if length < 4 { "NOT_A_MODEL" } else { "GLB_TRUNCATED" }, "{length} bytes");
    }
}

#[test]
fn text_cut_anywhere_is_refused() {
    let whole = gltf(r#""nodes":[{"name":"a\u00e9é","children":[1]},{"scale":[1,-2.5e-3,3]}]"#);
    assert_eq!(code_of(&whole), "");
    for length in 0..whole.len() {
        let code = code_of(&whole[..length]);
        assert_eq!(code, if length == 0 { "NOT_A_MODEL" } else { "JSON_INVALID" }, "{length} bytes");
    }
}

#[test]
fn flipped_bytes_never_panic() {
    let mut random = Random(0x5EED);
    for path in fixture_files() {
        let whole = fs::read(&path).unwrap();
        for _ in 0..100 {
            let mut mutant = whole.clone();
            for _ in 0..=random.below(4) {
                let at = random.below(mutant.len());
                mutant[at] = random.next() as u8;
            }
            code_of(&mutant);
        }
    }
}

#[test]
fn lying_numbers_never_panic() {
    const LIES: [&str; 16] = [
        "0",
        "1",
        "2",
        "3",
        "7",
        "255",
        "65535",
        "4294967295",
        "4294967296",
        "9007199254740992",
        "1e9",
        "-1",
        "0.5",
        "3e38",
        "1e-40",
        "null",
    ];
    let mut random = Random(0x11E5);
    let mut files = vec![rich_glb()];
    files.extend(fixture_files().iter().map(|path| fs::read(path).unwrap()));
    for whole in files {
        for _ in 0..100 {
            code_of(&with_lies(&whole, &LIES, &mut random));
        }
    }
}

/// Replaces one to three numbers of the JSON. Lengths in the container are corrected, so that the import reaches
/// the wrong number.
fn with_lies(whole: &[u8], lies: &[&str], random: &mut Random) -> Vec<u8> {
    let (json, binary) = match whole.strip_prefix(b"glTF") {
        Some(_) if whole.len() > 20 => {
            let length = u32::from_le_bytes(whole[12..16].try_into().unwrap()) as usize;
            (whole.get(20..20 + length).unwrap_or_default(), whole.get(20 + length..).unwrap_or_default())
        }
        _ => (whole, &[][..]),
    };
    let mut json = json.to_vec();
    for _ in 0..=random.below(3) {
        let starts: Vec<usize> = (1..json.len())
            .filter(|&at| json[at].is_ascii_digit() && matches!(json[at - 1], b':' | b'[' | b',' | b' '))
            .collect();
        let Some(&start) = starts.get(random.below(starts.len())) else { continue };
        let end = (start..json.len())
            .find(|&at| !matches!(json[at], b'0'..=b'9' | b'.' | b'e' | b'-' | b'+'))
            .unwrap_or(json.len());
        json.splice(start..end, lies[random.below(lies.len())].bytes());
    }
    if !whole.starts_with(b"glTF") {
        return json;
    }
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut file = whole[..8].to_vec();
    file.extend((20 + json.len() as u32 + binary.len() as u32).to_le_bytes());
    file.extend((json.len() as u32).to_le_bytes());
    file.extend(b"JSON");
    file.extend(json);
    file.extend(binary);
    file
}

#[test]
fn nesting_has_a_limit() {
    assert_eq!(code_within_bounds(&gltf(&format!("\"x\":{}", "[".repeat(1_000_000)))), "JSON_INVALID");
    assert_eq!(code_within_bounds(&gltf(&format!("\"x\":{}", "{\"a\":".repeat(200_000)))), "JSON_INVALID");
}

#[test]
fn a_chain_of_a_hundred_thousand_nodes_is_walked_without_recursion() {
    let links: Vec<String> = (1..100_000).map(|child| format!("{{\"children\":[{child}]}}")).collect();
    assert_eq!(code_within_bounds(&gltf(&format!("\"nodes\":[{},{{}}]", links.join(",")))), "");
    let ring = format!("\"nodes\":[{},{{\"children\":[0]}}]", links.join(","));
    assert_eq!(code_within_bounds(&gltf(&ring)), "NODE_CYCLE");
}

#[test]
fn what_is_no_model_is_said_to_be_none() {
    let utf16: Vec<u8> = "{\"asset\":{}}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, code) in [
        (&b""[..], "NOT_A_MODEL"),
        (b"\x89PNG\r\n\x1a\n", "NOT_A_MODEL"),
        (b"<?xml version=\"1.0\"?>", "NOT_A_MODEL"),
        (b"xof 0303txt 0032", ""),
        (b"xof 0303txt 003", "FILE_TRUNCATED"),
        (b"[]", "NOT_A_MODEL"),
        (b"{", "JSON_INVALID"),
        (b"{}", "NOT_A_MODEL"),
        (b"{\"asset\":null}", "PROPERTY_MISSING"),
        (b"{\"asset\":{\"version\":2.0}}", "VERSION_UNSUPPORTED"),
        (b"{\"asset\":{\"version\":\"2.\xFF\"}}", "JSON_INVALID"),
        (&utf16, "JSON_INVALID"),
    ] {
        assert_eq!(code_within_bounds(bytes), code, "{}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn chunks_that_overlap_or_lie_are_refused() {
    let whole = rich_glb();
    for (offset, lie, code) in [
        (8, u32::MAX, "GLB_TRUNCATED"),
        (8, 11, "GLB_JSON_MISSING"),
        (8, 0, "GLB_JSON_MISSING"),
        (12, u32::MAX, "GLB_TRUNCATED"),
        (12, 0, "GLB_TRUNCATED"),
        (16, 0, "GLB_JSON_MISSING"),
    ] {
        let mut file = whole.clone();
        file[offset..offset + 4].copy_from_slice(&lie.to_le_bytes());
        assert_eq!(code_within_bounds(&file), code, "{lie} at byte {offset}");
    }
}

#[test]
fn little_text_cannot_ask_for_much_memory() {
    let zeros = |count: u64| format!(r#"{{"componentType":5126,"type":"VEC3","count":{count}}}"#);
    let primitive = r#"{"attributes":{"POSITION":0}}"#;
    let many = |what: &str, count: usize| vec![what; count].join(",");

    for count in [10_000_000, u64::from(u32::MAX), 1 << 53] {
        let body = format!(r#""accessors":[{}],"meshes":[{{"primitives":[{primitive}]}}]"#, zeros(count));
        assert_eq!(code_within_bounds(&gltf(&body)), "MODEL_TOO_LARGE", "{count} zeros");
    }
    let shared = format!(
        r#""accessors":[{}],"meshes":[{{"primitives":[{}]}}]"#,
        zeros(300_000),
        many(primitive, 10_000)
    );
    assert_eq!(code_within_bounds(&gltf(&shared)), "MODEL_TOO_LARGE", "one accessor for all primitives");
    let targets = format!(
        r#""accessors":[{}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"targets":[{}]}},{}]}}]"#,
        zeros(3),
        many("{}", 20_000),
        many(primitive, 20_000)
    );
    assert_eq!(code_within_bounds(&gltf(&targets)), "MODEL_TOO_LARGE", "targets of one primitive for all");
    let weights = format!(
        r#""accessors":[{}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"targets":[{}]}}]}}],"nodes":[{}]"#,
        zeros(3),
        many("{}", 50_000),
        many(r#"{"mesh":0}"#, 50_000)
    );
    assert_eq!(code_within_bounds(&gltf(&weights)), "MODEL_TOO_LARGE", "morph weights for each node");
    let corners = format!(
        r#""buffers":[{{"byteLength":90000,"uri":"data:,{}"}}],"bufferViews":[{{"buffer":0,"byteLength":90000}}],
        "accessors":[{},{{"bufferView":0,"type":"SCALAR","componentType":5121,"count":90000}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"targets":[{}]}}]}}]"#,
        "012345".repeat(15_000),
        zeros(64),
        many(r#"{"POSITION":0}"#, 2_000)
    );
    assert_eq!(code_within_bounds(&gltf(&corners)), "MODEL_TOO_LARGE", "morph targets for each corner");
    let empty = format!(r#""nodes":[{}]"#, many("{}", 3_000_000));
    assert_eq!(code_within_bounds(&gltf(&empty)), "MODEL_TOO_LARGE", "millions of empty nodes");
}
