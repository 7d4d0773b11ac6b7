//! Writes the shader texts that `src/render` includes, in two forms: with the original names, and minified. For the
//! feature `webgl`, it also writes the modules in GLSL.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

#[path = "build/condense.rs"]
mod condense;
#[cfg(feature = "webgl")]
#[path = "build/translate.rs"]
mod translate;

use condense::{ShortNames, joined, parts, with_names};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=shaders");
    if env::var_os("CARGO_FEATURE_RENDER").is_none() {
        return Ok(());
    }
    let (core, extensions) = (sources("shaders")?, sources("shaders/extensions")?);
    let (views, backdrop) = (sources("shaders/views")?, sources("shaders/backdrop")?);
    let (guides, throng) = (sources("shaders/guides")?, sources("shaders/throng")?);
    let (still, occlusion) = (sources("shaders/still")?, sources("shaders/occlusion")?);
    let out_dir = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    let (named_dir, short_dir) = (Path::new(&out_dir).join("named"), Path::new(&out_dir).join("short"));
    fs::create_dir_all(&named_dir)?;
    fs::create_dir_all(&short_dir)?;
    let core: Vec<_> = core.iter().map(|(path, source)| (path, parts(source))).collect();
    let extensions: Vec<_> = extensions.iter().map(|(path, source)| (path, parts(source))).collect();
    let apart = views.iter().chain(&backdrop).chain(&guides).chain(&throng).chain(&still).chain(&occlusion);
    let apart: Vec<_> = apart.map(|(path, source)| (path, parts(source))).collect();
    let texts_of_core = |is_conditional: bool| {
        let parts = core.iter().flat_map(|(_, parts)| parts);
        parts.filter(move |part| part.condition.is_some() == is_conditional).map(|part| part.text)
    };
    let mut short_names = ShortNames::default();
    short_names.add(texts_of_core(false));
    let texts_of_extensions = extensions.iter().flat_map(|(_, parts)| parts).map(|part| part.text);
    short_names.add(texts_of_core(true).chain(texts_of_extensions));
    short_names.add(apart.iter().flat_map(|(_, parts)| parts).map(|part| part.text));
    for (path, parts) in core.iter().chain(&extensions).chain(&apart) {
        let file_name = path.file_name().ok_or_else(|| io::Error::other("every file has a name"))?;
        fs::write(named_dir.join(file_name), joined(parts, with_names))?;
        fs::write(short_dir.join(file_name), joined(parts, |text| short_names.apply(text)))?;
    }
    #[cfg(feature = "webgl")]
    {
        let is_named = env::var_os("PROFILE").is_some_and(|profile| profile == "debug");
        let dir = if is_named { named_dir } else { short_dir };
        let text_of = |file: &str| {
            let path = dir.join(file).with_extension("wgsl");
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        let out_dir = Path::new(&out_dir);
        fs::write(out_dir.join("translated.rs"), translate::table(&translate::modules(text_of)))?;
        let extended = translate::extended(text_of);
        fs::write(out_dir.join("extended.glsl"), translate::translated_extension(&extended))?;
        fs::write(out_dir.join("backdrop.glsl"), translate::translated(&translate::backdrop(text_of)))?;
        fs::write(out_dir.join("guides.glsl"), translate::translated_guides(&translate::guides(text_of)))?;
        let occlusion = translate::occlusion(text_of);
        fs::write(out_dir.join("occlusion.glsl"), translate::translated(&occlusion))?;
        fs::write(out_dir.join("still.glsl"), translate::translated(&translate::still(text_of)))?;
        fs::write(out_dir.join("throng.glsl"), translate::translated_throng(&translate::throng(text_of)))?;
        fs::write(out_dir.join("views.glsl"), translate::translated_views(&translate::views(text_of)))?;
    }
    Ok(())
}

/// Returns the paths and the contents of the WGSL files in a folder.
fn sources(folder: &str) -> io::Result<Vec<(PathBuf, String)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        // Editors create temporary files in the same folder.
        if path.extension().is_some_and(|extension| extension == "wgsl") {
            let source = fs::read_to_string(&path)?;
            files.push((path, source));
        }
    }
    Ok(files)
}
