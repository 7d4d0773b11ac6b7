//! Every shader, as built for both tiers: valid WGSL, translatable to GLSL ES 3.00 for WebGL2, and with the memory
//! layout of the Rust structs.

use gambol::render::Tier;
use gambol::render::gpu_data::{
    DrawData, FrameData, LineData, MaterialData, READ_BACK_WIDTH, ROW_TEXTURE_WIDTH, SHADE_COARSENESS,
    VertexData,
};
use gambol::render::shaders::{Module, Texts};
use naga::back::glsl;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use std::mem::offset_of;

#[path = "../build/condense.rs"]
mod condense;

const TIERS: [Tier; 2] = [Tier::WebGpu, Tier::WebGl2];
/// Shader texts with readable names, and the shortened ones that ship.
const FORMS: [&Texts; 2] = [&Texts::NAMED, &Texts::SHORT];

fn parsed(module: Module, texts: &Texts, tier: Tier) -> naga::Module {
    let source = module.source_from(texts, tier);
    naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|error| panic!("{module:?} for {tier:?}: {}", error.emit_to_string(&source)))
}

fn validated(parsed: &naga::Module, what: &str) -> ModuleInfo {
    // No capabilities: only what every WebGPU implementation supports.
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(parsed)
        .unwrap_or_else(|error| panic!("{what}: {error:?}"))
}

#[test]
fn every_module_is_valid_on_both_tiers() {
    for tier in TIERS {
        for texts in FORMS {
            for module in Module::ALL {
                validated(&parsed(module, texts, tier), &format!("{module:?} for {tier:?}"));
            }
        }
    }
}

#[test]
fn every_webgl2_entry_point_translates_to_glsl_es_300() {
    let options = glsl::Options {
        version: glsl::Version::Embedded { version: 300, is_webgl: true },
        ..glsl::Options::default()
    };
    for (module, texts) in Module::ALL.into_iter().flat_map(|module| FORMS.map(|texts| (module, texts))) {
        let what = format!("{module:?}");
        let parsed = parsed(module, texts, Tier::WebGl2);
        let info = validated(&parsed, &what);
        for entry in &parsed.entry_points {
            let pipeline = glsl::PipelineOptions {
                shader_stage: entry.stage,
                entry_point: entry.name.clone(),
                multiview: None,
            };
            let mut text = String::new();
            glsl::Writer::new(&mut text, &parsed, &info, &options, &pipeline, Default::default())
                .and_then(|mut writer| writer.write())
                .unwrap_or_else(|error| panic!("{what}, {}: {error}", entry.name));
            assert!(text.starts_with("#version 300 es"), "{what}, {}", entry.name);
        }
    }
}

/// Returns naga's representation of a module without names and source positions. Types with offsets, bindings,
/// arguments and statements remain.
fn without_names(parsed: &naga::Module) -> String {
    let printed = format!("{parsed:#?}");
    let unquoted: String = printed.split('"').step_by(2).collect();
    let is_place = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("start: ") || line.starts_with("end: ")
    };
    unquoted.lines().filter(|line| !is_place(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_ships_differs_in_names_alone() {
    for (module, tier) in Module::ALL.into_iter().flat_map(|module| TIERS.map(|tier| (module, tier))) {
        let [named, short] = FORMS.map(|texts| parsed(module, texts, tier));
        let entry_points = |parsed: &naga::Module| -> Vec<String> {
            parsed.entry_points.iter().map(|entry| entry.name.clone()).collect()
        };
        assert_eq!(entry_points(&named), entry_points(&short), "{module:?} for {tier:?}");
        let (named, short) = (without_names(&named), without_names(&short));
        let difference = named.lines().zip(short.lines()).find(|(named, short)| named != short);
        assert_eq!(difference, None, "{module:?} for {tier:?}");
        assert_eq!(named.lines().count(), short.lines().count(), "{module:?} for {tier:?}");
    }
}

/// Tests that `without_names` keeps the differences that matter to the test above.
#[test]
fn a_difference_beyond_names_is_seen() {
    let printed = |source: &str| without_names(&naga::front::wgsl::parse_str(source).unwrap());
    let source = "struct A { b: f32, c: vec2f } @group(0) @binding(0) var<uniform> d: A;
        @vertex fn e(@location(0) f: f32) -> @builtin(position) vec4f { return vec4f(d.c, d.b, f); }";
    assert_eq!(printed(source), printed(&source.replace("d.", "name.").replace(" d:", " name:")));
    for (from, to) in [
        ("b: f32, c: vec2f", "c: vec2f, b: f32"),
        ("binding(0)", "binding(1)"),
        ("location(0)", "location(1)"),
        ("d.b, f", "f, d.b"),
    ] {
        assert_ne!(printed(source), printed(&source.replace(from, to)), "{from}");
    }
}

#[test]
fn what_ships_is_short() {
    let lengths = |module: Module| FORMS.map(|texts| module.source_from(texts, Tier::WebGl2).len());
    let [named, short] = Module::ALL
        .map(lengths)
        .into_iter()
        .fold([0, 0], |sum, lengths| [sum[0] + lengths[0], sum[1] + lengths[1]]);
    assert!(short * 3 < named * 2, "{short} of {named} bytes");
}

#[test]
fn webgl2_modules_use_no_storage_buffer() {
    for module in Module::ALL {
        let source = module.source_from(&Texts::NAMED, Tier::WebGl2);
        assert!(!source.contains("var<storage"), "{module:?}");
    }
}

/// Returns the names and offsets of the fields of a shader struct, and its span in bytes.
fn layout_of(module: Module, name: &str) -> (Vec<(String, usize)>, usize) {
    let parsed = parsed(module, &Texts::NAMED, Tier::WebGpu);
    let (_, ty) = parsed
        .types
        .iter()
        .find(|(_, ty)| ty.name.as_deref() == Some(name))
        .unwrap_or_else(|| panic!("{module:?} has no {name}"));
    let naga::TypeInner::Struct { members, span } = &ty.inner else { panic!("{name} is no struct") };
    let offsets = members
        .iter()
        .map(|member| (member.name.clone().unwrap_or_default(), member.offset as usize))
        .collect();
    (offsets, *span as usize)
}

/// Lists the fields of a `repr(C)` struct with their offsets, without padding fields, which WGSL doesn't declare.
macro_rules! offsets {
    ($ty:ty: $($field:ident),+ $(,)?) => {
        vec![$((stringify!($field).to_owned(), offset_of!($ty, $field))),+]
    };
}

#[test]
fn frame_is_laid_out_as_rust_writes_it() {
    let ours = offsets!(FrameData: projection_from_world, viewer_in_world, exposure, viewport, ground_height,
        ground_radius, shadow_center, shadow_half_side, shadow_reach, towards_key_light, first_tint_row,
        shadow_softness, tile);
    for module in
        [Module::Mesh, Module::Shadow, Module::ReadBack, Module::Ground, Module::Lines, Module::Blur]
    {
        assert_eq!(layout_of(module, "Frame"), (ours.clone(), size_of::<FrameData>()), "{module:?}");
    }
}

#[test]
fn draw_is_laid_out_as_rust_writes_it() {
    let ours = offsets!(DrawData: rows_per_character, first_row, first_weight_row, morph_target_count,
        first_morph_row, morph_rows_per_vertex, morph_normal_row, morph_tangent_row, first_influence_row,
        influence_rows_per_vertex, vertex_count, skinned);
    for module in [Module::Mesh, Module::Shadow, Module::ReadBack] {
        assert_eq!(layout_of(module, "Draw"), (ours.clone(), size_of::<DrawData>()), "{module:?}");
    }
}

#[test]
fn material_is_laid_out_as_rust_writes_it() {
    let ours = offsets!(MaterialData: base_color, emissive, normal_scale, metallic, roughness, occlusion_strength,
        alpha_cutoff, unlit, opaque, uv_rows);
    for module in [Module::Mesh, Module::Shadow] {
        assert_eq!(layout_of(module, "Material"), (ours.clone(), size_of::<MaterialData>()), "{module:?}");
    }
}

/// Returns the location and component count of each input of a vertex shader.
fn inputs_of(module: Module, name: &str) -> Vec<(u32, u32)> {
    let parsed = parsed(module, &Texts::NAMED, Tier::WebGpu);
    let (_, ty) = parsed.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name)).expect(name);
    let naga::TypeInner::Struct { members, .. } = &ty.inner else { panic!("{name} is no struct") };
    let location = |member: &naga::StructMember| match member.binding {
        Some(naga::Binding::Location { location, .. }) => {
            let naga::TypeInner::Vector { size, .. } = parsed.types[member.ty].inner else {
                panic!("a vertex attribute is a vector")
            };
            Some((location, size as u32))
        }
        _ => None,
    };
    members.iter().filter_map(location).collect()
}

fn given(attributes: &[wgpu::VertexAttribute]) -> Vec<(u32, u32)> {
    let components = |format: wgpu::VertexFormat| match format {
        wgpu::VertexFormat::Float32x2 => 2,
        wgpu::VertexFormat::Float32x3 => 3,
        _ => 4,
    };
    attributes.iter().map(|attribute| (attribute.shader_location, components(attribute.format))).collect()
}

#[test]
fn vertices_match_what_shaders_take() {
    for module in [Module::Mesh, Module::Shadow, Module::ReadBack] {
        assert_eq!(inputs_of(module, "Vertex"), given(&VertexData::ATTRIBUTES), "{module:?}");
    }
    let offsets = offsets!(VertexData: position, normal, tangent, uv_sets, color, joints, joint_weights);
    let attribute_offset = |index: usize| VertexData::ATTRIBUTES[index].offset as usize;
    // The second UV set shares a field with the first.
    for ((field, offset), attribute) in offsets.iter().zip([0, 1, 2, 3, 5, 6, 7]) {
        assert_eq!(*offset, attribute_offset(attribute), "{field}");
    }
    assert_eq!(size_of::<VertexData>(), 76);
}

#[test]
fn lines_match_what_shaders_take() {
    assert_eq!(inputs_of(Module::Lines, "Line"), given(&LineData::ATTRIBUTES));
    let offsets = offsets!(LineData: start_in_world, start_color, end_in_world, end_color);
    for ((field, offset), attribute) in offsets.iter().zip(&LineData::ATTRIBUTES) {
        assert_eq!(*offset, attribute.offset as usize, "{field}");
    }
}

#[test]
fn shaders_divide_by_the_widths_that_rust_writes() {
    let rows = Module::Mesh.source_from(&Texts::NAMED, Tier::WebGl2);
    let (mask, shift) = (ROW_TEXTURE_WIDTH - 1, ROW_TEXTURE_WIDTH.ilog2());
    assert!(ROW_TEXTURE_WIDTH.is_power_of_two());
    assert_eq!(rows.matches(&format!("row & {mask}u")).count(), 2);
    assert_eq!(rows.matches(&format!("row >> {shift}u")).count(), 2);
    let blur = Module::Blur.source_from(&Texts::NAMED, Tier::WebGpu);
    assert!(blur.contains(&format!("f32(textureDimensions(source).x) / {SHADE_COARSENESS}.0")));
    let read_back = Module::ReadBack.source_from(&Texts::NAMED, Tier::WebGpu);
    assert!(read_back.contains(&format!("vertex_index % {READ_BACK_WIDTH}u")));
    assert!(read_back.contains(&format!("vertex_index / {READ_BACK_WIDTH}u")));
}
