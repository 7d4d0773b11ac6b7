//! Translates shader modules to GLSL ES 3.00, so that WebGL2 pages download no shader compiler.
//!
//! A translated module is one text: for each entry point a line with its name and what it reads, then its GLSL.
//! `src/webgl/shader.rs` reads it and describes the line. naga's options are those of wgpu's own backend for WebGL2.

use naga::back::glsl;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The modules of `src/render/shaders.rs` with the files that they are composed of for WebGL2. The test
/// `what_is_translated_is_what_is_composed` compares the two.
const MODULES: [(&str, &[&str]); 7] = [
    ("Mesh", &["frame", "rows_texture", "deform", "material", "environment", "tone", "mesh", "clearcoat"]),
    ("Shadow", &["frame", "rows_texture", "deform", "material", "shadow"]),
    ("ReadBack", &["frame", "rows_texture", "deform", "read_back"]),
    ("Ground", &["frame", "ground"]),
    ("Lines", &["frame", "lines"]),
    ("Blur", &["frame", "blur"]),
    ("Blit", &["blit"]),
];

/// `ShaderParts::ALL`.
const ALL_PARTS: u32 = 131_071;

/// A module for materials with certain features.
#[derive(Debug, PartialEq)]
pub(crate) struct Variant {
    pub(crate) module: &'static str,
    /// The glTF extensions of the features, in alphabetical order.
    pub(crate) extensions: Vec<String>,
    /// The module in WGSL.
    pub(crate) source: String,
}

/// Returns every module, and those variants of the mesh module that differ by features. The others are made once.
/// `text_of` returns a file of `shaders/` as `condense::joined` writes it.
pub(crate) fn variants(text_of: impl Fn(&str) -> String) -> Vec<Variant> {
    let mut variants = Vec::new();
    for (module, files) in MODULES {
        let whole: String = files.iter().map(|file| text_of(file)).collect();
        let extensions = if module == "Mesh" { extensions(&whole) } else { Vec::new() };
        for set in 0..1_u32 << extensions.len() {
            let is_in_set = |(index, _): &(usize, &String)| set & (1 << index) != 0;
            let extensions: Vec<String> =
                extensions.iter().enumerate().filter(is_in_set).map(|(_, name)| name.clone()).collect();
            let source = format!("const PARTS={ALL_PARTS};{}", composed(&whole, &extensions));
            variants.push(Variant { module, extensions, source });
        }
    }
    variants
}

/// Returns the extensions that conditions name.
fn extensions(whole: &str) -> Vec<String> {
    let conditions = whole.split('#').skip(1).step_by(2).filter_map(|part| part.lines().next());
    let names: BTreeSet<&str> = conditions.map(|condition| condition.trim_start_matches('!')).collect();
    names.into_iter().filter(|name| *name != "extended").map(str::to_owned).collect()
}

/// Returns the text with the parts whose conditions hold, as `Module::source_from` does.
fn composed(whole: &str, extensions: &[String]) -> String {
    let parts = whole.split('#').enumerate().filter_map(|(index, part)| {
        if index % 2 == 0 {
            return Some(part);
        }
        let (condition, part) = part.split_once('\n')?;
        let name = condition.trim_start_matches('!');
        let holds = if name == "extended" {
            !extensions.is_empty()
        } else {
            extensions.iter().any(|known| known == name)
        };
        (holds != condition.starts_with('!')).then_some(part)
    });
    parts.collect()
}

/// Returns Rust's text of an array with a row for each variant: the module, its extensions, and its translation.
pub(crate) fn table(variants: &[Variant]) -> String {
    let mut table = String::from("[\n");
    for Variant { module, extensions, source } in variants {
        let translated = translated(source);
        writeln!(table, "(Module::{module}, &{extensions:?}, {translated:?}),").expect("strings grow");
    }
    table + "]\n"
}

/// Translates a module. The parts that a pipeline needs are chosen later, by the macro `PARTS`.
pub(crate) fn translated(source: &str) -> String {
    let (source, parts) = with_open_parts(source);
    let module = naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)));
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{error:?}"));
    let options = glsl::Options {
        version: glsl::Version::Embedded { version: 300, is_webgl: true },
        writer_flags: glsl::WriterFlags::ADJUST_COORDINATE_SPACE | glsl::WriterFlags::FORCE_POINT_SIZE,
        ..glsl::Options::default()
    };
    let place = |variable: naga::Handle<naga::GlobalVariable>| {
        let binding = module.global_variables[variable].binding.expect("resources have bindings");
        format!("{}:{}", binding.group, binding.binding)
    };
    let mut text = String::new();
    for entry in &module.entry_points {
        let pipeline = glsl::PipelineOptions {
            shader_stage: entry.stage,
            entry_point: entry.name.clone(),
            multiview: None,
        };
        let mut glsl = String::new();
        // WebGL checks the bounds of arrays and textures itself.
        let reflection =
            glsl::Writer::new(&mut glsl, &module, &info, &options, &pipeline, Default::default())
                .and_then(|mut writer| writer.write())
                .unwrap_or_else(|error| panic!("{}: {error}", entry.name));

        let blocks = reflection.uniforms.iter().map(|(block, name)| format!("b:{name}:{}", place(*block)));
        let textures = reflection.texture_mapping.iter().map(|(name, pair)| {
            let sampler = pair.sampler.map_or_else(|| ":".to_owned(), place);
            format!("t:{name}:{}:{sampler}", place(pair.texture))
        });
        let read: BTreeSet<String> = blocks.chain(textures).collect();
        text.push('@');
        text.push_str(&entry.name);
        for resource in read {
            text.push(' ');
            text.push_str(&resource);
        }
        assert!(!glsl.contains('@'), "{}: `@` divides entry points", entry.name);
        // The version comes first, before the macro.
        let lines = glsl.lines().map(str::trim).filter(|line| !line.is_empty() && *line != VERSION);
        for line in lines {
            text.push('\n');
            text.push_str(&with_constant_parts(line, &parts));
        }
    }
    text
}

/// The first line of each shader, which `src/webgl/shader.rs` writes.
const VERSION: &str = "#version 300 es";

/// Returns the source with variables instead of the constants that say whether a part is needed, and for each its name
/// and the bits that it tests. naga would remove the parts that a constant rules out, and could not add them later.
fn with_open_parts(source: &str) -> (String, Vec<(&str, String)>) {
    let mut parts = Vec::new();
    let mut open = String::new();
    for statement in source.split_inclusive(';') {
        let (before, rest) = statement.split_at(statement.rfind("const ").unwrap_or(statement.len()));
        open.push_str(before);
        match part_of(rest) {
            Some((name, bits)) => {
                parts.push((name, bits));
                write!(open, "var<private> {name}:bool=true;").expect("strings grow");
            }
            None => open.push_str(rest),
        }
    }
    (open, parts)
}

/// Returns name and bits of `const NAME=(PARTS&BITS)!=0;`, with or without spaces.
fn part_of(statement: &str) -> Option<(&str, String)> {
    let (name, value) = statement.strip_prefix("const ")?.split_once('=')?;
    let value: String = value.split_whitespace().collect();
    Some((name.trim_end(), value.strip_prefix("(PARTS&")?.strip_suffix(")!=0;")?.to_owned()))
}

/// Returns a line of GLSL with the variables of parts as constants again, and the copies that naga makes of them, so
/// that the compiler removes what is ruled out.
fn with_constant_parts(line: &str, parts: &[(&str, String)]) -> String {
    let copied = line.strip_prefix("bool ").and_then(|rest| rest.strip_suffix(';')?.split_once(" = "));
    let Some((variable, value)) = copied else { return line.to_owned() };
    match parts.iter().find(|(name, _)| *name == if value == "true" { variable } else { value }) {
        Some((_, bits)) if value == "true" => format!("const bool {variable} = (PARTS & {bits}u) != 0u;"),
        Some(_) => format!("const {line}"),
        None => line.to_owned(),
    }
}
