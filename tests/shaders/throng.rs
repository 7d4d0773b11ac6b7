//! The shader that poses throngs.

use super::{TIERS, translate, validated};
use gambol::render::Tier;
use gambol::render::shader_parts::ShaderParts;
use gambol::render::throng::shaders::{NAMED, SHORT, source_from};

const ENTRIES: [&str; 3] = ["throng_vertex", "throng_fragment", "throng_bits_fragment"];

#[test]
fn throngs_are_valid() {
    for (texts, tier) in [&NAMED, &SHORT].into_iter().flat_map(|texts| TIERS.map(|tier| (texts, tier))) {
        let source = source_from(texts, tier);
        let parsed = naga::front::wgsl::parse_str(&source)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)));
        validated(&parsed, "throng");
        let entries: Vec<&str> = parsed.entry_points.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(entries, ENTRIES);
    }
}

#[test]
fn what_is_translated_of_throngs_is_what_is_composed() {
    let parts = (1u32 << ShaderParts::NAMES.len()) - 1;
    let composed = format!("const PARTS={parts};rows_texture;throng;");
    assert_eq!(translate::throng(|file| format!("{file};")), composed);
    let source = format!("const PARTS={parts};{}", source_from(&NAMED, Tier::WebGl2));
    let translated = translate::translated_throng(&source);
    for entry in &ENTRIES[..2] {
        assert!(translated.contains(&format!("@{entry}")), "{entry}");
    }
    assert_eq!(translated.matches('@').count(), 2, "WebGL2 draws floats");
}
