//! The shader that draws the environment behind the model.

use super::{fields_of, translate, validated};
use gambol::render::gpu_data::BackdropData;
use gambol::render::shader_parts::ShaderParts;
use gambol::render::{Tone, backdrop};
use std::mem::offset_of;

#[test]
fn the_backdrop_is_valid_for_every_tone_mapper() {
    let as_given = |file: &str| format!("{file};");
    let parts = (1u32 << ShaderParts::NAMES.len()) - 1;
    let composed = format!("const PARTS={parts};frame;surroundings;tone;backdrop;");
    assert_eq!(translate::backdrop(as_given), composed);
    for texts in [&backdrop::NAMED, &backdrop::SHORT] {
        for tone in Tone::ALL {
            let source = backdrop::source_from(texts, tone);
            let parsed = naga::front::wgsl::parse_str(&source)
                .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)));
            validated(&parsed, "backdrop");
        }
    }
    let source = backdrop::source_from(&backdrop::NAMED, Tone::Neutral);
    let parsed = naga::front::wgsl::parse_str(&source).unwrap();
    let ours = offsets!(BackdropData: world_from_projection, roughness);
    assert_eq!(fields_of(&parsed, "Backdrop"), (ours, size_of::<BackdropData>()));
    let translated =
        translate::translated(&source.replace("const PARTS=0;", &format!("const PARTS={parts};")));
    assert_eq!(translated.matches('@').count(), 2);
}
