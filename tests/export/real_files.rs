//! Real files that no one here wrote, from `../shared/models` or wherever `GAMBOL_MODELS` says.
use crate::ULPS;
use crate::poses::worst_difference;
use gambol::export::{ExportOptions, to_glb};
use gambol::import::{Resources, external_buffers, import};
use gambol::model::Model;
use gambol::model::check::check;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn models() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/models");
    let folder = std::env::var_os("GAMBOL_MODELS").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("SKIPPED: no models at {}", folder.display());
    None
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let known = ["gltf", "glb", "x", "dae", "iqm"];
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| known.iter().any(|known| extension == *known)) {
            found.push(path);
        }
    }
}

fn load(path: &Path) -> Option<Model> {
    let bytes = fs::read(path).unwrap();
    let mut resources = Resources::default();
    for uri in external_buffers(&bytes).ok()? {
        if let Ok(buffer) = fs::read(path.with_file_name(&uri)) {
            resources.insert(&uri, buffer);
        }
    }
    Some(import(&bytes, &resources).ok()?.model)
}

#[test]
fn real_files_play_as_they_did() {
    let Some(folder) = models() else { return };
    let mut paths = Vec::new();
    for format in ["gltf", "x", "dae", "iqm"] {
        files(&folder.join(format), &mut paths);
    }
    paths.sort();
    let (mut compared, mut worst) = (0, 0.0_f64);
    for path in paths {
        let name = path.strip_prefix(&folder).unwrap().display();
        let Some(model) = load(&path) else {
            println!("{name}: not read");
            continue;
        };
        let since = Instant::now();
        let exported = to_glb(&model, &ExportOptions::default(), &mut |_| None);
        let taken = since.elapsed();
        let back =
            import(&exported.glb, &Resources::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let added: Vec<_> =
            back.report.warnings.iter().map(|warning| (warning.code, &warning.message)).collect();
        assert_eq!(check(&back.model), [], "{name}");
        let difference = worst_difference(&model, &back.model, 5);
        println!(
            "{name}: {difference:.1e}, {} bytes in {taken:?} {added:?} {:?}",
            exported.glb.len(),
            exported.notes.iter().map(|note| note.code).collect::<Vec<_>>()
        );
        assert!(difference <= 1e-4, "{name}: {difference}");
        let vertices = |model: &Model| -> usize {
            model
                .meshes
                .iter()
                .flat_map(|mesh| &mesh.primitives)
                .map(|primitive| primitive.positions.len())
                .sum()
        };
        assert_eq!(vertices(&model), vertices(&back.model), "{name}");

        let kept = to_glb(&model, &ExportOptions::HAND_OVER, &mut |_| None);
        let back =
            import(&kept.glb, &Resources::default()).unwrap_or_else(|error| panic!("{name}: {error}")).model;
        let difference = worst_difference(&model, &back, 5);
        assert!(difference <= ULPS, "{name}, handed over: {difference}");
        worst = worst.max(difference);
        compared += 1;
    }
    println!("{compared} files, handed over off by {worst:.1e} at most");
    assert!(compared > 60, "only {compared} files");
}
