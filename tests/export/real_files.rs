//! Files that other projects made.
use crate::ULPS;
use crate::poses::worst_difference;
use crate::support::real_models::{MODEL_EXTENSIONS, files_below, models, saw};
use gambol::export::{ExportOptions, to_glb};
use gambol::import::{Resources, external_buffers, import};
use gambol::model::Model;
use gambol::model::check::check;
use std::fs;
use std::path::Path;
use std::time::Instant;

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
    let folders = ["dae", "gltf", "iqm", "x"];
    let paths = folders.iter().flat_map(|format| files_below(&folder.join(format), &MODEL_EXTENSIONS));
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

        let kept = to_glb(&model, &ExportOptions::FOR_PLAYER, &mut |_| None);
        let back =
            import(&kept.glb, &Resources::default()).unwrap_or_else(|error| panic!("{name}: {error}")).model;
        let difference = worst_difference(&model, &back, 5);
        assert!(difference <= ULPS, "{name}, handed over: {difference}");
        worst = worst.max(difference);
        compared += 1;
    }
    println!("{compared} files, handed over off by {worst:.1e} at most");
    assert!(compared > 60, "only {compared} files");
    saw(compared);
}
