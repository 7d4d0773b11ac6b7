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
    ("Mesh", &["frame", "rows_texture", "deform", "material", "surroundings", "environment", "tone", "mesh"]),
    ("Shadow", &["frame", "rows_texture", "deform", "material", "shadow"]),
    ("ReadBack", &["frame", "rows_texture", "deform", "read_back"]),
    ("Ground", &["frame", "ground"]),
    ("Lines", &["frame", "lines"]),
    ("Blur", &["frame", "blur"]),
    ("Blit", &["blit"]),
];

/// The files of `shaders/extensions`, as `src/render/extended_shaders.rs` lists them.
const EXTENSIONS: [&str; 13] = [
    "extended",
    "lamps",
    "limbs",
    "high_range",
    "clearcoat",
    "specular",
    "sheen",
    "specular_glossiness",
    "iridescence",
    "anisotropy",
    "diffuse_transmission",
    "transmission",
    "volume",
];

/// The files of `shaders/views`, as `src/render/views/shaders.rs` lists them.
const VIEWS: [&str; 2] = ["view_colors", "view"];

/// The fragment shader of materials with extensions.
const EXTENDED_ENTRY: &str = "extended_fragment";

/// `ShaderParts::ALL`.
const ALL_PARTS: u32 = 524_287;

/// Returns the name of every module and its WGSL. `text_of` returns a file of `shaders` as `condense::joined` writes
/// it.
pub(crate) fn modules(text_of: impl Fn(&str) -> String) -> Vec<(&'static str, String)> {
    MODULES.into_iter().map(|(name, files)| (name, composed(files, &text_of))).collect()
}

/// Returns a module of some files, without what is for materials with extensions.
fn composed(files: &[&str], text_of: impl Fn(&str) -> String) -> String {
    let whole: String = files.iter().map(|file| text_of(file)).collect();
    let core: String = whole.split('#').step_by(2).collect();
    format!("const PARTS={ALL_PARTS};{core}")
}

/// Returns the module that draws the environment behind the model, in WGSL, as `src/render/backdrop.rs` composes it.
pub(crate) fn backdrop(text_of: impl Fn(&str) -> String) -> String {
    composed(&["frame", "surroundings", "tone", "backdrop"], text_of)
}

/// Returns the module that draws guides, in WGSL, as `src/render/guides/shaders.rs` composes it.
pub(crate) fn guides(text_of: impl Fn(&str) -> String) -> String {
    composed(&["frame", "lines", "guides"], text_of)
}

/// Returns the module that finds the occlusion between limbs, in WGSL, as `src/render/occlusion.rs` composes it.
pub(crate) fn occlusion(text_of: impl Fn(&str) -> String) -> String {
    composed(&["occlusion"], text_of)
}

/// Returns the module that poses throngs, in WGSL, as `src/render/throng/shaders.rs` composes it.
pub(crate) fn throng(text_of: impl Fn(&str) -> String) -> String {
    composed(&["rows_texture", "throng"], text_of)
}

/// Returns the module of still pictures, in WGSL, as `src/render/still.rs` composes it.
pub(crate) fn still(text_of: impl Fn(&str) -> String) -> String {
    composed(&["still"], text_of)
}

/// Returns the mesh module with the parts for every extension and texture, in WGSL. Inside of functions, each
/// conditional part is a branch that depends on a variable, `is_` and its condition.
pub(crate) fn extended(text_of: impl Fn(&str) -> String) -> String {
    let [(_, mesh), ..] = MODULES;
    let whole: String = mesh.iter().chain(&EXTENSIONS).map(|file| text_of(file)).collect();
    let (mut names, mut text, mut depth) = (BTreeSet::new(), String::new(), 0);
    for (index, part) in whole.split('#').enumerate() {
        let (condition, part) =
            if index % 2 == 0 { ("", part) } else { part.split_once('\n').expect("conditions end lines") };
        let name = condition.trim_start_matches('!');
        if depth == 0 || name.is_empty() || name == "extended" {
            text.push_str(part);
        } else {
            names.insert(name);
            let not = if condition.starts_with('!') { "!" } else { "" };
            write!(text, "if {not}is_{name} {{{part}}}").expect("strings grow");
        }
        depth += part.matches('{').count();
        depth -= part.matches('}').count();
    }
    let variables = names.iter().map(|name| format!("{VARIABLE}{name}:bool=true;"));
    format!("const PARTS={ALL_PARTS};{}{text}", variables.collect::<String>())
}

/// Returns the mesh module with what draws views of surfaces, in WGSL.
pub(crate) fn views(text_of: impl Fn(&str) -> String) -> String {
    let [(_, mesh), ..] = MODULES;
    composed(&[mesh, &VIEWS].concat(), text_of)
}

/// The beginning of the variables that conditional parts depend on.
const VARIABLE: &str = "var<private> is_";

/// Returns Rust's text of an array with a row for each module: its name and its translation.
pub(crate) fn table(modules: &[(&str, String)]) -> String {
    let mut table = String::from("[\n");
    for (name, source) in modules {
        writeln!(table, "(Module::{name}, {:?}),", translated(source)).expect("strings grow");
    }
    table + "]\n"
}

/// Translates the fragment shader of [`extended`]. Its conditional parts are chosen later, by a macro with the name of
/// each condition, which is true or false.
pub(crate) fn translated_extension(source: &str) -> String {
    let conditions = source.split(VARIABLE).skip(1).filter_map(|rest| rest.split(':').next());
    let conditions = conditions.map(|name| (format!("is_{name}"), name.to_owned())).collect();
    translation(source, conditions, |entry| entry == EXTENDED_ENTRY)
}

/// Translates what [`views`] adds to the mesh module.
pub(crate) fn translated_views(source: &str) -> String {
    translation(source, Vec::new(), |entry| entry.starts_with("view_"))
}

/// Translates what [`guides`] adds to the module of lines.
pub(crate) fn translated_guides(source: &str) -> String {
    translation(source, Vec::new(), |entry| !entry.starts_with("line_"))
}

/// Translates what [`throng`] has for targets of floats.
pub(crate) fn translated_throng(source: &str) -> String {
    translation(source, Vec::new(), |entry| entry != "throng_bits_fragment")
}

/// Translates a module. The parts that a pipeline needs are chosen later, by the macro `PARTS`.
pub(crate) fn translated(source: &str) -> String {
    translation(source, Vec::new(), |_| true)
}

/// Translates the wanted entry points of a module. `conditions` are variables that become constants, and their values
/// in GLSL.
fn translation(
    source: &str,
    mut conditions: Vec<(String, String)>,
    is_wanted: impl Fn(&str) -> bool,
) -> String {
    let (source, parts) = with_open_parts(source);
    conditions.extend(parts);
    let mut whole = naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)));
    whole.entry_points.retain(|entry| is_wanted(&entry.name));
    let options = glsl::Options {
        version: glsl::Version::Embedded { version: 300, is_webgl: true },
        writer_flags: glsl::WriterFlags::ADJUST_COORDINATE_SPACE | glsl::WriterFlags::FORCE_POINT_SIZE,
        ..glsl::Options::default()
    };
    let mut text = String::new();
    for entry in &whole.entry_points {
        // Without what only other entry points need.
        let mut module = naga::Module { entry_points: vec![entry.clone()], ..whole.clone() };
        naga::compact::compact(&mut module, naga::compact::KeepUnused::No);
        let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
            .validate(&module)
            .unwrap_or_else(|error| panic!("{error:?}"));
        let place = |variable: naga::Handle<naga::GlobalVariable>| {
            let binding = module.global_variables[variable].binding.expect("resources have bindings");
            format!("{}:{}", binding.group, binding.binding)
        };
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
            text.push_str(&with_constant_parts(line, &conditions));
        }
    }
    text
}

/// The first line of each shader, which `src/webgl/shader.rs` writes.
const VERSION: &str = "#version 300 es";

/// Returns the source with variables instead of the constants that say whether a part is needed, and for each its name
/// and its value in GLSL. naga would remove the parts that a constant rules out, and could not add them later.
fn with_open_parts(source: &str) -> (String, Vec<(String, String)>) {
    let mut parts = Vec::new();
    let mut open = String::new();
    for statement in source.split_inclusive(';') {
        let (before, rest) = statement.split_at(statement.rfind("const ").unwrap_or(statement.len()));
        open.push_str(before);
        match part_of(rest) {
            Some((name, bits)) => {
                parts.push((name.to_owned(), format!("(PARTS & {bits}u) != 0u")));
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

/// Returns a line of GLSL with the variables of `parts` as constants again, and the copies that naga makes of them, so
/// that the compiler removes what is ruled out.
fn with_constant_parts(line: &str, parts: &[(String, String)]) -> String {
    let copied = line.strip_prefix("bool ").and_then(|rest| rest.strip_suffix(';')?.split_once(" = "));
    let Some((variable, value)) = copied else { return line.to_owned() };
    match parts.iter().find(|(name, _)| *name == if value == "true" { variable } else { value }) {
        Some((_, wanted)) if value == "true" => format!("const bool {variable} = {wanted};"),
        Some(_) => format!("const {line}"),
        None => line.to_owned(),
    }
}
