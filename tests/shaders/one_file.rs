//! The shaders of one file that pages fetch apart: that of still pictures, and that of the occlusion between limbs.

use super::{fields_of, translate, validated};
use gambol::render::gpu_data::OcclusionData;
use gambol::render::shader_parts::ShaderParts;
use gambol::render::{occlusion, still};
use std::mem::offset_of;

/// A module: its name, its texts with and without the names of its file, and its entry points.
type OneFile = (&'static str, [&'static str; 2], &'static [&'static str]);

const STILL: OneFile =
    ("still", [still::NAMED, still::SHORT], &["still_vertex", "sum_fragment", "mean_fragment"]);
const OCCLUSION: OneFile = (
    "occlusion",
    [occlusion::NAMED, occlusion::SHORT],
    &["occlusion_vertex", "occlusion_fragment", "first_average_fragment", "second_average_fragment"],
);

#[test]
fn they_are_valid() {
    for (name, texts, entries) in [STILL, OCCLUSION] {
        for source in texts {
            let parsed = naga::front::wgsl::parse_str(source)
                .unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
            validated(&parsed, name);
            let found: Vec<&str> = parsed.entry_points.iter().map(|entry| entry.name.as_str()).collect();
            assert_eq!(found, entries);
        }
    }
}

#[test]
fn data_of_occlusion_are_laid_out_as_rust_writes_them() {
    let parsed =
        naga::front::wgsl::parse_str(occlusion::NAMED).expect("the test above says why it isn't valid");
    let ours = offsets!(OcclusionData: world_from_projection, projection_from_world, viewer_in_world, reach, strength);
    assert_eq!(fields_of(&parsed, "Surroundings"), (ours, size_of::<OcclusionData>()));
}

#[test]
fn what_is_translated_of_them_is_what_is_composed() {
    let parts = (1u32 << ShaderParts::NAMES.len()) - 1;
    let file = |file: &str| format!("{file};");
    assert_eq!(translate::still(file), format!("const PARTS={parts};still;"));
    assert_eq!(translate::occlusion(file), format!("const PARTS={parts};occlusion;"));
    for (_, [named, _], entries) in [STILL, OCCLUSION] {
        let translated = translate::translated(named);
        for entry in entries {
            assert!(translated.contains(&format!("@{entry}")), "{entry}");
        }
    }
}
