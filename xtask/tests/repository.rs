//! The repository as a whole: spelling, and the licences and versions of the crates that it builds on.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use unicase::UniCase;

/// Words that the list of misspellings contains, and which are right here.
const WORDS: [&str; 7] = [
    // An event of `HTMLMediaElement`.
    "seeked",
    // The material factor.
    "metalness",
    // The author of PNG's fourth filter.
    "paeth",
    // Level of detail.
    "lod",
    // Prefix of joints in Rigify's skeletons.
    "mch",
    // Broken JSON, in tests.
    "nulll",
    "tru",
];

/// Licences that allow use under this project's own terms.
const LICENCES: [&str; 8] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Crates that are built in two versions, because their users have not agreed on one yet.
const TWICE: [&str; 2] = ["hashbrown", "syn"];

#[test]
fn no_word_is_misspelt() {
    let tokenizer = typos::tokens::Tokenizer::new();
    let mut found = Vec::new();
    for path in tracked_files() {
        // Files that aren't text have no words.
        let Ok(text) = fs::read_to_string(root().join(&path)) else { continue };
        for word in tokenizer.parse_str(&text).flat_map(|identifier| identifier.split().collect::<Vec<_>>()) {
            let letters = word.token();
            let is_known = letters.len() < 3 || WORDS.contains(&letters.to_lowercase().as_str());
            if let Some(right) = typos_dict::WORD.find(&UniCase::new(letters))
                && !is_known
            {
                let line = text[..word.offset()].matches('\n').count() + 1;
                found.push(format!("{path}:{line}: {letters}, perhaps {}", right.join(" or ")));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_misspelt_word_would_be_found() {
    // In two parts, so that this file has no misspelt word.
    let misspelt = ["Rec", "ieve"].concat();
    assert!(typos_dict::WORD.find(&UniCase::new(misspelt.as_str())).is_some());
    assert!(tracked_files().iter().any(|path| path == "xtask/tests/repository.rs"));
}

#[test]
fn every_crate_has_a_licence_that_this_project_may_use() {
    let mut refused = Vec::new();
    for package in packages() {
        let name = package["name"].as_str().unwrap();
        let licence = package["license"].as_str().unwrap_or_default();
        // Only crates from a registry come from others.
        if !package["source"].is_null() && !is_allowed(licence) {
            refused.push(format!("{name}: {licence:?}"));
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn a_licence_is_allowed_by_one_of_its_alternatives_and_all_of_its_parts() {
    for licence in ["MIT", "MIT OR GPL-3.0", "MIT/Apache-2.0", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
        assert!(is_allowed(licence), "{licence}");
    }
    for licence in ["", "GPL-3.0", "MIT AND GPL-3.0", "(GPL-2.0 OR GPL-3.0) AND MIT"] {
        assert!(!is_allowed(licence), "{licence}");
    }
}

#[test]
fn no_crate_is_built_in_two_versions() {
    let mut versions = BTreeMap::<String, Vec<String>>::new();
    for package in packages() {
        let text = |key: &str| package[key].as_str().unwrap().to_owned();
        versions.entry(text("name")).or_default().push(text("version"));
    }
    versions.retain(|_, versions| versions.len() > 1);
    let twice: Vec<&str> = versions.keys().map(String::as_str).collect();
    assert_eq!(twice, TWICE, "{versions:?}");
}

/// Evaluates an SPDX expression. An `AND` of alternatives needs one of each.
fn is_allowed(licence: &str) -> bool {
    let bare = |part: &str| part.trim_matches(['(', ')', ' ']).to_owned();
    licence.split(" AND ").all(|part| {
        let part = part.replace('/', " OR ");
        part.split(" OR ").any(|one| LICENCES.contains(&bare(one).as_str()))
    })
}

fn packages() -> Vec<Value> {
    // Natively wgpu would add the graphics APIs of every system.
    let target = "wasm32-unknown-unknown";
    let arguments =
        ["metadata", "--locked", "--format-version", "1", "--all-features", "--filter-platform", target];
    let text = output(Command::new(env!("CARGO")).args(arguments));
    let metadata: Value = serde_json::from_str(&text).expect("cargo's metadata is JSON");
    let packages = metadata["packages"].as_array().expect("metadata lists packages").clone();
    assert!(packages.len() > 20);
    packages
}

/// Returns the paths of our own files. Fixtures may misspell, and lock files hold the names that others chose.
fn tracked_files() -> Vec<String> {
    let files = output(Command::new("git").arg("ls-files"));
    let is_ours = |path: &&str| {
        !path.starts_with("tests/fixtures/") && !path.ends_with(".lock") && *path != "package-lock.json"
    };
    files.lines().filter(is_ours).map(str::to_owned).collect()
}

fn output(command: &mut Command) -> String {
    let output = command.current_dir(root()).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the output is UTF-8")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask has a parent").to_owned()
}
