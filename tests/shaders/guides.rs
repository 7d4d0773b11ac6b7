//! The shaders that draw guides.

use super::{given, inputs_in, translate, validated};
use gambol::player::{GUIDE_LETTERS, GuideSet};
use gambol::render::gpu_data::GuideData;
use gambol::render::guides::shaders::{NAMED, SHORT, source_from};
use gambol::render::shader_parts::ShaderParts;

const ENTRIES: [&str; 9] = [
    "grid_vertex",
    "grid_fragment",
    "guide_stroke_vertex",
    "guide_stroke_fragment",
    "guide_behind_fragment",
    "octahedron_vertex",
    "octahedron_fragment",
    "letter_vertex",
    "letter_fragment",
];

#[test]
fn guides_are_valid_and_laid_out_as_rust_writes_them() {
    for texts in [&NAMED, &SHORT] {
        let source = source_from(texts);
        let parsed = naga::front::wgsl::parse_str(&source)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)));
        validated(&parsed, "guides");
        let entries: Vec<&str> = parsed.entry_points.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(entries[2..], ENTRIES, "after those of lines");
    }
    let parsed = naga::front::wgsl::parse_str(&source_from(&NAMED)).unwrap();
    assert_eq!(inputs_in(&parsed, "Guide"), given(&GuideData::ATTRIBUTES));
    assert_eq!(size_of::<GuideData>(), GuideData::ATTRIBUTES.len() * 16);
}

#[test]
fn what_is_translated_of_guides_is_what_is_composed() {
    let parts = (1u32 << ShaderParts::NAMES.len()) - 1;
    let composed = format!("const PARTS={parts};frame;lines;guides;");
    assert_eq!(translate::guides(|file| format!("{file};")), composed);
    let source = format!("const PARTS={parts};{}", source_from(&NAMED));
    let translated = translate::translated_guides(&source);
    for entry in ENTRIES {
        assert!(translated.contains(&format!("@{entry} ")), "{entry}");
    }
    assert_eq!(translated.matches('@').count(), ENTRIES.len());
}

/// Guides have the same bits, and measures the same letters, in Rust and in TypeScript.
#[test]
fn the_page_has_the_same_guides() {
    let script = include_str!("../../www/element/player/guides.ts");
    assert!(script.contains(&format!("GUIDE_LETTERS = \"{GUIDE_LETTERS}\";")));
    let (_, list) = script.split_once("GUIDES = [").unwrap();
    let words: Vec<&str> = list.split(']').next().unwrap().split('"').skip(1).step_by(2).collect();
    let ours = [
        ("grid", GuideSet::GRID),
        ("bounds", GuideSet::BOUNDS),
        ("octahedra", GuideSet::OCTAHEDRA),
        ("axes", GuideSet::AXES),
        ("names", GuideSet::NAMES),
        ("bindPose", GuideSet::BIND_POSE),
        ("trails", GuideSet::TRAILS),
        ("onionSkins", GuideSet::ONION_SKINS),
    ];
    assert_eq!(words.len(), ours.len());
    for (bit, (word, (name, set))) in words.into_iter().zip(ours).enumerate() {
        assert_eq!((word, 1 << bit), (name, set.0));
    }
}
