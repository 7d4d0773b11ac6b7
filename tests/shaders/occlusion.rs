//! The shader that finds the occlusion between limbs.

use super::{fields_of, translate, validated};
use gambol::render::gpu_data::OcclusionData;
use gambol::render::occlusion::{NAMED, SHORT};
use gambol::render::shader_parts::ShaderParts;
use std::mem::offset_of;

const ENTRIES: [&str; 4] =
    ["occlusion_vertex", "occlusion_fragment", "first_average_fragment", "second_average_fragment"];

#[test]
fn occlusion_is_valid() {
    for source in [NAMED, SHORT] {
        let parsed = naga::front::wgsl::parse_str(source)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
        validated(&parsed, "occlusion");
        let entries: Vec<&str> = parsed.entry_points.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(entries, ENTRIES);
    }
}

#[test]
fn its_data_are_laid_out_as_rust_writes_them() {
    let parsed = naga::front::wgsl::parse_str(NAMED).expect("the test above says why it isn't valid");
    let ours = offsets!(OcclusionData: world_from_projection, projection_from_world, viewer_in_world, reach, strength);
    assert_eq!(fields_of(&parsed, "Surroundings"), (ours, size_of::<OcclusionData>()));
}

#[test]
fn what_is_translated_of_occlusion_is_what_is_composed() {
    let parts = (1u32 << ShaderParts::NAMES.len()) - 1;
    assert_eq!(translate::occlusion(|file| format!("{file};")), format!("const PARTS={parts};occlusion;"));
    let translated = translate::translated(NAMED);
    for entry in ENTRIES {
        assert!(translated.contains(&format!("@{entry}")), "{entry}");
    }
}
