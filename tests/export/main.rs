//! Models become .glb and are read back: the same model where glTF has words for it, the same poses everywhere.
//!
//! `tests/node/exported.test.mjs` asks the Khronos validator about the same files.

mod everything;
mod meshopt;
mod poses;
mod real_files;
mod rules;
mod smaller;
#[path = "../support/mod.rs"]
mod support;

use gambol::export::{Compression, ExportOptions, Exported, to_glb};
use gambol::import::{ImportReport, Imported, Resources, import};
use gambol::model::check::check;
use gambol::model::{ImageSource, Model};
use poses::worst_difference;
use support::made_model::{Random, any_model};

/// No picture is there.
fn exported(model: &Model, options: &ExportOptions) -> Exported {
    to_glb(model, options, &mut |_| None)
}

fn read_back(exported: &Exported) -> Imported {
    import(&exported.glb, &Resources::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn codes(exported: &Exported) -> Vec<&'static str> {
    exported.notes.iter().map(|note| note.code).collect()
}

/// It cares for poses alone: influences break the model's own rules, and still the file keeps glTF's.
fn made_up(seed: u64) -> Model {
    any_model(&mut Random::new(seed))
}

#[test]
fn everything_that_gltf_has_words_for_comes_back() {
    let model = everything::model();
    assert_eq!(check(&model), []);
    let exported = exported(&model, &ExportOptions::default());
    assert_eq!(exported.notes, []);
    let Imported { model: back, report } = read_back(&exported);
    assert_eq!(report, ImportReport::default());
    assert_eq!(back.nodes, model.nodes);
    assert_eq!(back.clips, model.clips);
    assert_eq!(back.meshes, model.meshes);
    assert_eq!(back.materials, model.materials);
    assert_eq!(back, model);
}

#[test]
fn images_end_the_file() {
    let model = everything::model();
    let images: Vec<&[u8]> = model
        .images
        .iter()
        .filter_map(|image| match &image.source {
            ImageSource::Encoded(bytes) => Some(&**bytes),
            ImageSource::Uri(_) => None,
        })
        .collect();
    assert!(images.len() > 1);
    for compression in [Compression::None, Compression::Meshopt, Compression::KhrMeshopt] {
        let glb = exported(&model, &ExportOptions { compression, ..ExportOptions::default() }).glb;
        let mut rest = glb.as_slice();
        for image in images.iter().rev() {
            let padding = rest.iter().rev().take(3).take_while(|&&byte| byte == 0).count();
            let unpadded = (0..=padding).find_map(|zeros| rest[..rest.len() - zeros].strip_suffix(*image));
            rest = unpadded.unwrap_or_else(|| panic!("{compression:?}: something follows an image"));
        }
    }
}

#[test]
fn images_beside_the_model_stay_there_on_the_way_to_our_own_player() {
    let mut model = everything::model();
    everything::add_images_beside(&mut model);
    let exported = to_glb(&model, &ExportOptions::FOR_PLAYER, &mut |uri| panic!("asked for {uri}"));
    assert_eq!(read_back(&exported).model, model);
}

/// Keys come back to the bit, but a rotation at rest is normalised again: an ulp a level, and hierarchies are deep.
const ULPS: f64 = 3e-6;

#[test]
fn any_model_plays_as_it_did() {
    let (mut worst, mut worst_kept) = (0.0_f64, 0.0_f64);
    for seed in 0..150 {
        let model = made_up(seed);
        let back = read_back(&exported(&model, &ExportOptions::default())).model;
        let has_shear = model.nodes.iter().any(|node| node.sheared_rest.is_some());
        let difference = worst_difference(&model, &back, 24);
        assert!(difference <= if has_shear { 1e-4 } else { ULPS }, "seed {seed}: {difference}");
        worst = worst.max(difference);

        let back = read_back(&exported(&model, &ExportOptions::FOR_PLAYER)).model;
        let difference = worst_difference(&model, &back, 24);
        assert!(difference <= ULPS, "seed {seed}, handed over: {difference}");
        worst_kept = worst_kept.max(difference);
    }
    println!("off by {worst:.1e} of the model's size at most, handed over {worst_kept:.1e}");
}

/// For the Khronos validator, which is a program of Node's: `tests/node/exported.test.mjs` says where to.
#[test]
fn made_up_models_are_written_for_the_validator() {
    let Some(folder) = std::env::var_os("GAMBOL_EXPORT_TO").map(std::path::PathBuf::from) else {
        println!("SKIPPED: GAMBOL_EXPORT_TO names no folder");
        return;
    };
    let mut models: Vec<(String, Model)> =
        (0..40).map(|seed| (format!("seed {seed}"), any_model(&mut Random::new(seed)))).collect();
    models.push(("everything".to_owned(), everything::model()));
    models.extend(rules::models().into_iter().map(|(name, model)| (name.to_owned(), model)));
    for (name, model) in models {
        std::fs::write(folder.join(format!("{name}.glb")), exported(&model, &ExportOptions::default()).glb)
            .unwrap();
    }
}
