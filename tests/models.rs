//! Real files that no one here wrote, from `../shared/models` or wherever `GAMBOL_MODELS` says. Where they aren't, each
//! test says so and passes: the repository's own fixtures cover the rules one by one.

use gambol::import::{ImportError, Imported, Resources, external_buffers, import};
use gambol::model::check::check;
use std::fs;
use std::path::{Path, PathBuf};

fn models() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/models");
    let folder = std::env::var_os("GAMBOL_MODELS").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("SKIPPED: no models at {}", folder.display());
    None
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() => waiting.push(path),
                Some("gltf" | "glb") => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

fn load(path: &Path) -> Result<Imported, ImportError> {
    let bytes = fs::read(path).unwrap();
    let mut resources = Resources::default();
    for uri in external_buffers(&bytes)? {
        if let Ok(buffer) = fs::read(path.with_file_name(&uri)) {
            resources.insert(&uri, buffer);
        }
    }
    import(&bytes, &resources)
}

#[test]
fn every_gltf_imports_soundly_or_names_the_extension_it_needs() {
    let Some(models) = models() else { return };
    let mut imported = 0;
    for path in files(&models.join("gltf")) {
        let name = path.strip_prefix(&models).unwrap().display();
        match load(&path) {
            Ok(Imported { model, report }) => {
                assert_eq!(check(&model), [], "{name}");
                assert!(!model.nodes.is_empty(), "{name}");
                println!("{name}: {} warnings", report.warnings.len());
                for warning in report.warnings {
                    println!("    {} {} {}", warning.code, warning.place, warning.message);
                }
                imported += 1;
            }
            Err(error) => {
                assert_eq!(error.code(), "EXTENSION_UNSUPPORTED", "{name}: {error}");
                println!("{name}: {error}");
            }
        }
    }
    assert!(imported > 50, "only {imported} files imported");
}
