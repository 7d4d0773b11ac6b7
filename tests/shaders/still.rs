//! The shader of still pictures.

use super::{translate, validated};
use gambol::render::shader_parts::ShaderParts;
use gambol::render::still::{NAMED, SHORT};

const ENTRIES: [&str; 3] = ["still_vertex", "sum_fragment", "mean_fragment"];

#[test]
fn still_pictures_are_valid() {
    for source in [NAMED, SHORT] {
        let parsed = naga::front::wgsl::parse_str(source)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
        validated(&parsed, "still");
        let entries: Vec<&str> = parsed.entry_points.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(entries, ENTRIES);
    }
}

#[test]
fn what_is_translated_of_still_pictures_is_what_is_composed() {
    let parts = (1u32 << ShaderParts::NAMES.len()) - 1;
    assert_eq!(translate::still(|file| format!("{file};")), format!("const PARTS={parts};still;"));
    let translated = translate::translated(NAMED);
    for entry in ENTRIES {
        assert!(translated.contains(&format!("@{entry}")), "{entry}");
    }
}
