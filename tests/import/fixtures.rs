//! Minimal files for each error and warning code of the import,
//! `tests/fixtures/import/<noun>/<CODE>[.<variant>].gltf`, with the expected report beside each. A `valid` file in
//! each folder differs by little and gives no report.

use gambol::import::{ImportError, Imported, Resources, WARNING_CODES, import};
use gambol::model::check::check;
use gltf::json::Value;
use gltf::json::deserialize::from_slice;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/import")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Returns the code and place of the error, or of each warning with its count.
fn outcome(path: &Path) -> Vec<[String; 3]> {
    match import(&fs::read(path).unwrap(), &Resources::default()) {
        Ok(Imported { model, report }) => {
            assert_eq!(check(&model), [], "{}", path.display());
            let warnings = report.warnings.into_iter();
            warnings
                .map(|warning| {
                    let told = warning.message.ends_with(&format!("(the first of {})", warning.count));
                    assert_eq!(told, warning.count > 1, "{}", warning.message);
                    [warning.code.to_owned(), warning.place, warning.count.to_string()]
                })
                .collect()
        }
        Err(error) => {
            let words = error.to_string();
            assert!(words.contains(error.place()) && words.ends_with('.'), "{words}");
            vec![["error ".to_owned() + error.code(), error.place().to_owned(), "1".to_owned()]]
        }
    }
}

fn expected(path: &Path) -> Vec<[String; 3]> {
    let report: Value = from_slice(&fs::read(path.with_extension("report.json")).unwrap()).unwrap();
    let pair = |item: &Value, prefix: &str| {
        let text = |key: &str| item[key].as_str().unwrap().to_owned();
        let count = item["count"].as_u64().unwrap_or(1).to_string();
        [prefix.to_owned() + &text("code"), text("place"), count]
    };
    match report.get("error") {
        Some(error) => vec![pair(error, "error ")],
        None => report["warnings"].as_array().unwrap().iter().map(|warning| pair(warning, "")).collect(),
    }
}

#[test]
fn every_fixture_gives_the_report_beside_it() {
    let mut seen = BTreeSet::new();
    for folder in entries(&fixtures()) {
        let mut valid = false;
        for path in entries(&folder) {
            let name = path.file_name().unwrap().to_str().unwrap();
            if name.ends_with(".report.json") {
                continue;
            }
            let code = name.split('.').next().unwrap();
            let (found, expected) = (outcome(&path), expected(&path));
            assert_eq!(found, expected, "{}", path.display());
            if code == "valid" {
                assert_eq!(found, <[[String; 3]; 0]>::default(), "{}", path.display());
                valid = true;
                continue;
            }
            assert!(found[0][0].ends_with(code), "{} is named after another code", path.display());
            seen.insert(code.to_owned());
        }
        assert!(valid, "no valid file in {}", folder.display());
    }
    // Those about clips for another model are tested in `tests/playback/added_clips.rs`.
    let of_clips =
        ["CLIP_NODE_MISSING", "CLIPS_BOUND_BY_SHAPE", "CLIPS_OTHER_SIZE", "CLIP_PROPERTIES_LEFT_OUT"];
    let of_files = WARNING_CODES.iter().filter(|code| !of_clips.contains(code));
    let all: BTreeSet<String> =
        ImportError::CODES.iter().chain(of_files).map(|code| (*code).to_owned()).collect();
    assert_eq!(seen, all, "each code has a fixture, each fixture a code");
}
