//! Every shader, as built for both tiers: valid WGSL, translatable to GLSL ES 3.00 for WebGL2, and with the memory
//! layout of the Rust structs.

use gambol::model::material_table::{
    FACTOR_NAMES, FACTORS, MOST_EXTENSION_TEXTURES, TEXTURE_NAMES, TEXTURES,
};
use gambol::model::{Material, MaterialFeature, MaterialFeatures, TextureIndex, TextureSlot, UvTransform};
use gambol::render::extended_shaders;
use gambol::render::gpu_data::{
    DrawData, FrameData, LineData, MATERIAL_SIZE, READ_BACK_WIDTH, ROW_TEXTURE_WIDTH, SHADE_COARSENESS,
    VertexData, slot_bindings,
};
use gambol::render::shader_parts::ShaderParts;
use gambol::render::shaders::{Module, Texts};
use gambol::render::{Tier, material_data};
use glam::Vec2;
use naga::back::glsl;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use std::mem::offset_of;

/// Lists the fields of a `repr(C)` struct with their offsets, without padding fields, which WGSL doesn't declare.
macro_rules! offsets {
    ($ty:ty: $($field:ident),+ $(,)?) => {
        vec![$((stringify!($field).to_owned(), offset_of!($ty, $field))),+]
    };
}

#[path = "shaders/backdrop.rs"]
mod backdrop;
#[path = "../build/condense.rs"]
mod condense;
#[path = "shaders/guides.rs"]
mod guides;
#[path = "shaders/one_file.rs"]
mod one_file;
#[path = "shaders/parts.rs"]
mod parts;
#[path = "shaders/pruned.rs"]
mod pruned;
#[path = "shaders/throng.rs"]
mod throng;
#[path = "../build/translate.rs"]
mod translate;
#[path = "shaders/views.rs"]
mod views;

const TIERS: [Tier; 2] = [Tier::WebGpu, Tier::WebGl2];
/// Shader texts with readable names, and the shortened ones that ship.
const FORMS: [Form; 2] =
    [(&Texts::NAMED, &extended_shaders::Texts::NAMED), (&Texts::SHORT, &extended_shaders::Texts::SHORT)];

const NAMED: Form = FORMS[0];
const SHORT: Form = FORMS[1];

/// Texts of the core, and those of extensions.
type Form = (&'static Texts, &'static extended_shaders::Texts);

/// A module, and the features of the materials that it draws.
type Variant = (Module, MaterialFeatures);

/// Returns every module without features, and variants for extensions: each alone and with each other, without
/// textures and with all of them, and each texture alone. The parts of a shader refer to nothing that parts for others
/// declare, so these combinations stand for all.
fn variants() -> Vec<Variant> {
    let core = Module::ALL.into_iter().map(|module| (module, MaterialFeatures::CORE));
    core.chain(extended().into_iter().map(|features| (Module::Mesh, features))).collect()
}

/// Returns the features of the variants with extensions.
fn extended() -> Vec<MaterialFeatures> {
    let extensions = &MaterialFeature::ALL[1..];
    let mut sets: Vec<Vec<MaterialFeature>> = vec![extensions.to_vec()];
    for (index, &one) in extensions.iter().enumerate() {
        sets.push(vec![one]);
        sets.extend(extensions[..index].iter().map(|&other| vec![one, other]));
    }
    let mut found = Vec::new();
    for set in sets {
        found.extend([false, true].map(|textures| material_with(&set, |_| textures).features()));
    }
    let lit = extensions.iter().map(|&one| material_with(&[one], |_| true).features());
    for features in lit.chain([MaterialFeatures::CORE, found[1]]) {
        let needs = [[true, false, false], [true, false, true], [false, true, true], [true, true, false]];
        found.extend(needs.map(|needs| features.in_picture(needs)));
    }
    for (index, row) in TEXTURES.iter().enumerate().filter(|(_, row)| row.feature != MaterialFeature::Core) {
        found.push(material_with(&[row.feature], |texture| texture == index).features());
    }
    found
}

fn source(variant: Variant, texts: Form, tier: Tier) -> String {
    source_with(variant, texts, tier, ShaderParts::ALL)
}

fn source_with((module, features): Variant, texts: Form, tier: Tier, parts: ShaderParts) -> String {
    let is_extended = features != MaterialFeatures::CORE;
    let mut source = module.source_from(texts.0, tier, is_extended, parts);
    if is_extended {
        extended_shaders::extend_from(&mut source, texts.1, features);
    }
    source
}

fn parsed(variant: Variant, texts: Form, tier: Tier) -> naga::Module {
    let source = source(variant, texts, tier);
    naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|error| panic!("{variant:?} for {tier:?}: {}", error.emit_to_string(&source)))
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
            for module in variants() {
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
    for (module, texts) in variants().into_iter().flat_map(|module| FORMS.map(|texts| (module, texts))) {
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

/// Returns a file of `shaders`, as the build script writes it with the original names.
fn marked(file: &str) -> String {
    let folder = format!("{}/shaders", env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(format!("{folder}/{file}.wgsl"));
    let source = source.or_else(|_| std::fs::read_to_string(format!("{folder}/extensions/{file}.wgsl")));
    let source = source.or_else(|_| std::fs::read_to_string(format!("{folder}/views/{file}.wgsl")));
    let source = source.unwrap_or_else(|error| panic!("{file}: {error}"));
    condense::joined(&condense::parts(&source), condense::with_names)
}

/// Compares `build/translate.rs`, which can't refer to the crate, with the crate.
#[test]
fn what_is_translated_is_what_is_composed() {
    let modules = translate::modules(marked);
    let found: Vec<_> = modules.iter().map(|(name, source)| ((*name).to_owned(), source.clone())).collect();
    let wanted = Module::ALL
        .map(|module| (format!("{module:?}"), source((module, MaterialFeatures::CORE), NAMED, Tier::WebGl2)));
    assert_eq!(found, wanted);
    assert_eq!(translate::table(&modules).matches("\"@").count(), wanted.len());
}

/// For WebGL2, conditional parts inside of functions become branches, which macros choose.
#[test]
fn a_translation_has_a_macro_for_each_condition_of_extensions() {
    let source = translate::extended(marked);
    let translated = translate::translated_extension(&source);
    assert!(translated.starts_with("@extended_fragment ") && translated.matches('@').count() == 1);
    let extensions = MaterialFeature::ALL.iter().filter_map(|feature| feature.extension());
    let textures = TEXTURES.iter().zip(TEXTURE_NAMES).filter(|(row, _)| row.feature != MaterialFeature::Core);
    for name in extensions.chain(textures.map(|(_, (name, _))| *name)) {
        assert!(translated.contains(&format!("const bool is_{name} = {name};\n")), "{name} in {translated}");
    }
    constants_are_constant(&translated);
    // Everything together is valid.
    let parsed = naga::front::wgsl::parse_str(&source).unwrap_or_else(|error| panic!("{error:?}"));
    validated(&parsed, "all extensions");
}

#[test]
fn a_translation_lists_what_each_entry_point_reads() {
    let translated = translate::translated(
        "struct A { b: vec4f }
        @group(0) @binding(3) var<uniform> a: A;
        @group(1) @binding(2) var rows: texture_2d<f32>;
        @group(1) @binding(4) var picture: texture_2d<f32>;
        @group(2) @binding(5) var picture_sampler: sampler;
        @vertex
        fn corner(@location(6) at: vec4f, @builtin(instance_index) instance: u32) -> @builtin(position) vec4f {
            return at + a.b + textureLoad(rows, vec2i(i32(instance)), 0);
        }
        @fragment fn pixel() -> @location(0) vec4f { return textureSample(picture, picture_sampler, vec2f(0.5)); }",
    );
    let heads: Vec<&str> = translated.split('@').filter_map(|part| part.lines().next()).collect();
    let [corner, pixel] = heads[..] else { panic!("{heads:?}") };
    assert_eq!(corner, "corner b:A_block_0Vertex:0:3 t:_group_1_binding_2_vs:1:2::");
    assert_eq!(pixel, "pixel t:_group_1_binding_4_fs:1:4:2:5");
    // What `src/webgl` relies on: attributes have their numbers, and this name.
    assert!(translated.contains("layout(location = 6) in vec4 "), "{translated}");
    assert!(translated.contains("uniform uint naga_vs_first_instance;"), "{translated}");
}

/// A part that isn't needed leaves the program of WebGL2, too.
#[test]
fn translations_choose_parts_by_a_macro() {
    let source = source((Module::Mesh, MaterialFeatures::CORE), NAMED, Tier::WebGl2);
    let translated = translate::translated(&source);
    let names = ShaderParts::NAMES;
    for (bit, name) in names.iter().enumerate() {
        let constant = format!("const bool {name} = (PARTS & {}u) != 0u;\n", 1 << bit);
        assert!(translated.contains(&constant), "{name} in {translated}");
    }
    constants_are_constant(&translated);
}

/// What isn't a constant expression can't be a constant.
fn constants_are_constant(translated: &str) {
    let lines = || translated.lines().filter_map(|line| line.strip_prefix("const bool ")?.split_once(" = "));
    let names: Vec<&str> = lines().map(|(name, _)| name).collect();
    for (name, value) in lines() {
        let value = value.trim_end_matches(';');
        let is_macro = name.strip_prefix("is_") == Some(value) || value.starts_with("(PARTS & ");
        assert!(names.contains(&value) || is_macro, "{name} = {value}");
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
    for (module, tier) in variants().into_iter().flat_map(|module| TIERS.map(|tier| (module, tier))) {
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
    let lengths = |module: Variant| FORMS.map(|texts| source(module, texts, Tier::WebGl2).len());
    let [named, short] = variants()
        .into_iter()
        .map(lengths)
        .fold([0, 0], |sum, lengths| [sum[0] + lengths[0], sum[1] + lengths[1]]);
    assert!(short * 3 < named * 2, "{short} of {named} bytes");
}

#[test]
fn webgl2_modules_use_no_storage_buffer() {
    for module in variants() {
        let source = source(module, NAMED, Tier::WebGl2);
        assert!(!source.contains("var<storage"), "{module:?}");
    }
}

/// Returns a file of `shaders` without the parts for features.
fn core_of(file: &str) -> String {
    let path = format!("{}/shaders/{file}.wgsl", env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    let mut is_core = true;
    for line in std::fs::read_to_string(path).unwrap().split_inclusive('\n') {
        match line.trim() {
            mark if mark.starts_with("// #if ") => is_core = false,
            "// #else" | "// #end" => is_core = true,
            _ if is_core => text.push_str(line),
            _ => {}
        }
    }
    text
}

#[test]
fn materials_without_extensions_have_the_shader_that_they_had_if_there_were_none() {
    let folder = format!("{}/shaders", env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.is_file());
    let names = files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
    let cores: Vec<String> = names.map(|name| core_of(&name)).collect();
    let mut short_names = condense::ShortNames::default();
    short_names.add(cores.iter().map(String::as_str));
    for (tier, rows) in TIERS.into_iter().zip(["rows_buffer", "rows_texture"]) {
        let mesh = ["frame", rows, "deform", "material", "surroundings", "environment", "tone", "mesh"];
        let mesh = mesh.map(core_of);
        let shadow = ["frame", rows, "deform", "material", "shadow"].map(core_of);
        for (module, files) in [(Module::Mesh, &mesh[..]), (Module::Shadow, &shadow[..])] {
            let found = FORMS.map(|texts| source((module, MaterialFeatures::CORE), texts, tier));
            let named: String = files.iter().map(|text| condense::with_names(text)).collect();
            let short: String = files.iter().map(|text| short_names.apply(text)).collect();
            let found = found.map(|text| text.split_once(';').unwrap().1.to_owned());
            assert!(found == [named, short], "{module:?} for {tier:?}");
            assert!(
                found.iter().all(|text| text.is_ascii() && !text.contains('#')),
                "{module:?} for {tier:?}"
            );
        }
    }
}

/// Returns the names and offsets of the fields of a shader struct, and its span in bytes.
fn layout_of(module: Variant, name: &str) -> (Vec<(String, usize)>, usize) {
    fields_of(&parsed(module, NAMED, Tier::WebGpu), name)
}

fn fields_of(parsed: &naga::Module, name: &str) -> (Vec<(String, usize)>, usize) {
    let (_, ty) = parsed
        .types
        .iter()
        .find(|(_, ty)| ty.name.as_deref() == Some(name))
        .unwrap_or_else(|| panic!("no {name}"));
    let naga::TypeInner::Struct { members, span } = &ty.inner else { panic!("{name} is no struct") };
    let offsets = members
        .iter()
        .map(|member| (member.name.clone().unwrap_or_default(), member.offset as usize))
        .collect();
    (offsets, *span as usize)
}

#[test]
fn frame_is_laid_out_as_rust_writes_it() {
    let ours = offsets!(FrameData: projection_from_world, tile_from_world, viewer_in_world, exposure, viewport,
        ground_height, ground_radius, shadow_center, shadow_half_side, shadow_reach, towards_key_light,
        first_tint_row, shadow_softness, environment_light, environment_turn, key_light, lamp_count, view, tile,
        lamps);
    for module in
        [Module::Mesh, Module::Shadow, Module::ReadBack, Module::Ground, Module::Lines, Module::Blur]
    {
        let all_but_lamps = (ours[..ours.len() - 1].to_vec(), offset_of!(FrameData, lamps));
        assert_eq!(layout_of((module, MaterialFeatures::CORE), "Frame"), all_but_lamps, "{module:?}");
    }
    let lit = MaterialFeatures::CORE.in_picture([true, false, false]);
    assert_eq!(layout_of((Module::Mesh, lit), "Frame"), (ours, size_of::<FrameData>()));
}

#[test]
fn draw_is_laid_out_as_rust_writes_it() {
    let ours = offsets!(DrawData: rows_per_character, first_row, first_weight_row, morph_target_count,
        first_morph_row, morph_rows_per_vertex, morph_normal_row, morph_tangent_row, first_influence_row,
        influence_rows_per_vertex, vertex_count, skinned);
    for module in [Module::Mesh, Module::Shadow, Module::ReadBack] {
        assert_eq!(
            layout_of((module, MaterialFeatures::CORE), "Draw"),
            (ours.clone(), size_of::<DrawData>()),
            "{module:?}"
        );
    }
}

/// Returns a material with these extensions, and with the textures of them for which `has_texture` holds. All its
/// numbers differ from each other and from the defaults.
fn material_with(extensions: &[MaterialFeature], has_texture: impl Fn(usize) -> bool) -> Material {
    let mut material = Material::default();
    let mut number = 0.125;
    for (row, numbers) in FACTORS.iter().zip(material.factors_mut()) {
        let is_used = row.feature == MaterialFeature::Core || extensions.contains(&row.feature);
        for slot in numbers.iter_mut().filter(|_| is_used) {
            *slot = number;
            number += 0.015625;
        }
    }
    for (index, slot) in material.textures_mut().into_iter().enumerate() {
        let feature = TEXTURES[index].feature;
        let is_extension = extensions.contains(&feature) && has_texture(index);
        let transform =
            UvTransform { offset: Vec2::new(100.0 + index as f32, 200.0), ..UvTransform::IDENTITY };
        if feature == MaterialFeature::Core || is_extension {
            *slot = Some(TextureSlot { texture: TextureIndex::new(0), uv_set: 0, transform });
        }
    }
    material.specular_glossiness = extensions.contains(&MaterialFeature::SpecularGlossiness);
    let mut expected = vec![MaterialFeature::Core];
    expected.extend(MaterialFeature::ALL.iter().filter(|feature| extensions.contains(feature)));
    assert_eq!(material.features().iter().collect::<Vec<_>>(), expected);
    material
}

#[test]
fn material_is_laid_out_as_rust_writes_it() {
    let extensions = &MaterialFeature::ALL[1..];
    let material = material_with(extensions, |_| true);
    let features = material.features();
    let data = material_data(&material);
    let (members, span) = layout_of((Module::Mesh, features), "Material");
    let (extended, _) = layout_of((Module::Mesh, features), "Extensions");
    assert!(span <= MATERIAL_SIZE);
    let Some((last, start)) = members.last() else { panic!("no members") };
    assert_eq!(last, "extensions");
    let mut fields = members[..members.len() - 1].to_vec();
    fields.extend(extended.iter().map(|(name, offset)| (name.clone(), start + offset)));

    let mut slots = 0..TEXTURES.len();
    let mut factor_count = 0;
    for (index, (name, offset)) in fields.iter().enumerate() {
        let end = fields.get(index + 1).map_or(span, |(_, next)| *next);
        let written = &data[offset / 4..end / 4];
        match name.as_str() {
            "alpha_cutoff" => assert_eq!(written[0], -1.0),
            "opaque" => assert_eq!(written[0], 1.0),
            rows if rows.ends_with("uv_rows") => {
                for rows in written.chunks(8) {
                    let slot = slots.next().expect("a slot for each pair of rows");
                    assert_eq!(rows, [1.0, 0.0, 100.0 + slot as f32, 0.0, 0.0, 1.0, 200.0, 0.0]);
                }
            }
            factor => {
                let row = FACTOR_NAMES.iter().position(|name| *name == factor);
                let numbers = material.factors()[row.unwrap_or_else(|| panic!("the table has no {factor}"))];
                assert_eq!(written[..numbers.len()], *numbers, "{factor}");
                factor_count += 1;
            }
        }
    }
    assert_eq!((factor_count, slots.count()), (FACTORS.len(), 0));

    let [mesh, shadow] =
        [Module::Mesh, Module::Shadow].map(|module| layout_of((module, MaterialFeatures::CORE), "Material"));
    assert_eq!(mesh, shadow);
    assert_eq!(mesh.0, members[..members.len() - 1], "extensions follow the core");
}

#[test]
fn materials_bind_what_shaders_declare() {
    let all = extended().into_iter().chain([MaterialFeatures::CORE]);
    for (features, tier) in all.flat_map(|set| TIERS.map(|tier| (set, tier))) {
        let parsed = parsed((Module::Mesh, features), NAMED, tier);
        let globals = parsed.global_variables.iter().filter_map(|(_, variable)| {
            let binding = variable.binding.as_ref().filter(|binding| binding.group == 2)?;
            Some((binding.binding, variable.name.clone()?))
        });
        let mut found: Vec<(u32, String)> = globals.collect();
        found.sort();
        let slots = TEXTURES.iter().zip(TEXTURE_NAMES).enumerate();
        let slots = slots.filter(|(slot, _)| features.reads(*slot));
        let mut bound = vec![(0, "material".to_owned())];
        for (slot, (_, (name, _))) in slots {
            let [texture, sampler] = slot_bindings(slot);
            bound.extend([(texture, (*name).to_owned()), (sampler, name.replace("_texture", "_sampler"))]);
        }
        bound.sort();
        assert_eq!(found, bound, "{features:?} for {tier:?}");

        // WebGL2 guarantees 16 texture units for a stage, and wgpu counts those of all stages.
        let is_image = |ty| matches!(parsed.types[ty].inner, naga::TypeInner::Image { .. });
        let images = parsed.global_variables.iter().filter(|(_, variable)| is_image(variable.ty)).count();
        assert!(images <= 16, "{images} textures for {features:?}");
    }
}

/// Returns the location and component count of each input of a vertex shader.
fn inputs_of(module: Module, name: &str) -> Vec<(u32, u32)> {
    inputs_in(&parsed((module, MaterialFeatures::CORE), NAMED, Tier::WebGpu), name)
}

fn inputs_in(parsed: &naga::Module, name: &str) -> Vec<(u32, u32)> {
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
    let rows = source((Module::Mesh, MaterialFeatures::CORE), NAMED, Tier::WebGl2);
    let (mask, shift) = (ROW_TEXTURE_WIDTH - 1, ROW_TEXTURE_WIDTH.ilog2());
    assert!(ROW_TEXTURE_WIDTH.is_power_of_two());
    assert_eq!(rows.matches(&format!("row & {mask}u")).count(), 2);
    assert_eq!(rows.matches(&format!("row >> {shift}u")).count(), 2);
    let blur = source((Module::Blur, MaterialFeatures::CORE), NAMED, Tier::WebGpu);
    assert!(blur.contains(&format!("f32(textureDimensions(source).x) / {SHADE_COARSENESS}.0")));
    let read_back = source((Module::ReadBack, MaterialFeatures::CORE), NAMED, Tier::WebGpu);
    assert!(read_back.contains(&format!("vertex_index % {READ_BACK_WIDTH}u")));
    assert!(read_back.contains(&format!("vertex_index / {READ_BACK_WIDTH}u")));
}

#[test]
fn materials_have_as_many_textures_as_fit() {
    let others = MaterialFeature::ALL[1..].iter().copied();
    let opaque: Vec<_> = others.filter(|&feature| feature != MaterialFeature::Transmission).collect();
    for (used, most) in
        [(&opaque[..], MOST_EXTENSION_TEXTURES), (&MaterialFeature::ALL[1..], MOST_EXTENSION_TEXTURES - 1)]
    {
        let features = material_with(used, |_| true).features();
        let of_extensions = TEXTURES.iter().enumerate().filter(|(_, row)| used.contains(&row.feature));
        let read: Vec<bool> = of_extensions.map(|(index, _)| features.reads(index)).collect();
        let wanted: Vec<bool> = (0..read.len()).map(|index| index < most).collect();
        assert_eq!(read, wanted, "the first ones");
        assert!(!features.has_room(), "for occlusion");
    }
}
