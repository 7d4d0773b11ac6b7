//! Checks the module dependencies of the source tree (see `src/lib.rs` for the diagram).
//!
//! A room is a folder or file of `src`. A path such as `crate::model::Aabb` refers to the room `model`, a path such
//! as `wgpu::Device` to the foreign crate `wgpu`. Unit tests inside a room follow the same rules.

use std::fs;
use std::path::{Path, PathBuf};

/// Rooms and the other rooms that each may refer to. Dependencies point one way: no room refers to `web`, and only
/// `web` refers to `player`.
const ROOMS: &[(&str, &[&str])] = &[
    ("angle", &[]),
    ("image_type", &[]),
    ("order", &[]),
    ("light", &["angle"]),
    ("model", &["order"]),
    ("json", &["order"]),
    ("refusal", &["json"]),
    // Packages of `decoders` compile it without the other rooms.
    ("decode", &["refusal"]),
    ("import", &["angle", "decode", "image_type", "json", "order", "model", "refusal"]),
    ("export", &["json", "model", "order", "picture"]),
    // The command uses the crate's public API only.
    ("bin", &[]),
    ("picture", &["image_type", "refusal"]),
    ("animation", &["angle", "order", "model"]),
    ("playback", &["angle", "animation", "json", "order", "model", "refusal"]),
    ("camera", &["angle", "model"]),
    ("render", &["angle", "order", "animation", "camera", "light", "model"]),
    ("player", &["angle", "order", "animation", "camera", "import", "light", "model", "playback", "render"]),
    (
        "web",
        &[
            "animation",
            "camera",
            "export",
            "image_type",
            "import",
            "light",
            "model",
            "picture",
            "playback",
            "player",
            "render",
            "webgl",
            "webgpu",
        ],
    ),
    // Backends of wgpu: they know wgpu's interface, and nothing of what is drawn.
    ("backend", &[]),
    ("webgl", &["backend"]),
    ("webgpu", &["backend"]),
];

/// Foreign crates and the rooms that may refer to them. A crate that isn't listed is allowed in `import` alone,
/// which holds the formats' libraries.
const FOREIGN: &[(&str, &[&str])] = &[
    (
        "bytemuck",
        &["model", "import", "export", "animation", "camera", "playback", "render", "player", "web", "webgl"],
    ),
    (
        "glam",
        &["light", "model", "import", "export", "animation", "camera", "playback", "render", "player", "web"],
    ),
    ("gltf", &["import", "export"]),
    ("gltf_json", &["import", "export"]),
    ("miniz_oxide", &["import", "picture"]),
    ("serde", &["import", "export"]),
    // Reference that `json` is tested against.
    ("serde_json", &["json"]),
    ("wgpu", &["backend", "render", "player", "web", "webgl", "webgpu"]),
    ("naga", &["render"]),
    ("console_error_panic_hook", &["web"]),
    ("js_sys", &["web", "webgl", "webgpu"]),
    ("rlsf", &["web"]),
    ("wasm_bindgen", &["web", "webgl", "webgpu"]),
    ("wasm_bindgen_futures", &["web", "webgpu"]),
    ("web_sys", &["web", "webgl", "webgpu"]),
];

/// Clock types that rooms other than `web` may not use. Time is a parameter, so that tests are exact to the frame.
const CLOCKS: [&str; 3] = ["Instant", "SystemTime", "UNIX_EPOCH"];

/// Longest file allowed. A file past some 500 lines is usually two ideas; the limit leaves room for a last table.
const MAX_LINES: usize = 600;

const NAMELESS: [&str; 7] = ["util", "utils", "common", "helper", "helpers", "misc", "types"];

#[test]
fn rooms_name_only_what_they_may() {
    let mut found = Vec::new();
    for path in sources(&["src"], &["rs"]) {
        let source = read(&path);
        found.extend(trespasses(&path, &source));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_room_has_rules() {
    for entry in fs::read_dir(root().join("src")).unwrap() {
        let path = entry.unwrap().path();
        let room = path.file_stem().unwrap().to_str().unwrap();
        assert!(
            room == "lib" || ROOMS.iter().any(|(name, _)| *name == room),
            "src/{room} is in no table of this test"
        );
    }
}

#[test]
fn files_hold_one_idea() {
    let long: Vec<_> = own_sources()
        .into_iter()
        .map(|path| (read(&path).lines().count(), path))
        .filter(|(line_count, _)| *line_count > MAX_LINES)
        .collect();
    assert!(long.is_empty(), "longer than {MAX_LINES} lines, so probably two ideas: {long:#?}");
}

#[test]
fn nothing_is_left_to_do() {
    let mut found = Vec::new();
    for path in own_sources().into_iter().filter(|path| path.extension().is_some_and(|ext| ext == "rs")) {
        let tokens = tokens(&read(&path));
        for pair in tokens.windows(2) {
            if ["todo", "unimplemented", "dbg"].contains(&pair[0].as_str()) && pair[1] == "!" {
                found.push(format!("{}: {}!", path.display(), pair[0]));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Each room repeats the list, because neither Cargo nor Rust lets modules share one.
#[test]
fn rooms_that_read_input_deny_panics() {
    for room in ["decode", "export", "import", "json", "picture", "playback/script_json", "web"] {
        let folder = root().join("src").join(room);
        let path = if folder.is_dir() { folder.join("mod.rs") } else { folder.with_extension("rs") };
        let source = read(&path);
        let starts = ["\nmod ", "\npub mod ", "\nuse "];
        let (head, _) = starts.iter().find_map(|start| source.split_once(start)).unwrap();
        let (_, denied) = head.split_once("deny(").unwrap_or_default();
        for lint in ["expect_used", "indexing_slicing", "panic", "unwrap_used"] {
            assert!(denied.contains(&format!("clippy::{lint}")), "{} doesn't deny {lint}", path.display());
        }
    }
}

#[test]
fn every_file_has_a_name_that_says_something() {
    for path in own_sources() {
        for part in path.strip_prefix(root()).unwrap().iter() {
            let stem = Path::new(part).file_stem().unwrap().to_str().unwrap();
            assert!(!NAMELESS.contains(&stem), "{} has no home yet: say what it is about", path.display());
        }
    }
}

#[test]
fn the_viewer_uses_the_public_package_only() {
    for path in sources(&["www/viewer"], &["ts"]) {
        for line in read(&path).lines() {
            let Some(specifier) = imported(line) else { continue };
            let allowed = ["gambol", "gambol/element"].contains(&specifier) || specifier.starts_with("./");
            assert!(allowed, "{} imports {specifier}", path.display());
        }
    }
}

/// Rooms of the element, in order: a room may import from earlier ones only. The files that a page imports, and the
/// errors and checks that all rooms use, lie beside the rooms.
const ELEMENT_ROOMS: [&str; 6] = ["engine", "files", "host", "worker", "player", "tag"];

#[test]
fn rooms_of_the_element_name_earlier_ones_only() {
    for (at, room) in ELEMENT_ROOMS.iter().enumerate() {
        let files = sources(&[&format!("www/element/{room}")], &["ts"]);
        assert!(!files.is_empty(), "there is no room {room}");
        for path in files {
            for specifier in read(&path).split("\"../").skip(1).map(|rest| rest.split('"').next().unwrap()) {
                let allowed = match specifier.split_once('/') {
                    Some((other, _)) => ELEMENT_ROOMS[..at].contains(&other),
                    None => {
                        ["errors.js", "checks.js"].contains(&specifier)
                            || (*room == "tag" && specifier == "element.js")
                    }
                };
                assert!(allowed, "{} imports ../{specifier}", path.display());
            }
        }
    }
}

/// Tests the checks themselves, since they would also pass if they found no files or no paths.
#[test]
fn trespassers_are_seen() {
    let seen = |path: &str, source: &str| trespasses(&root().join(path), source).len();
    assert_eq!(seen("src/animation/sample.rs", "use crate::render::Gpu;"), 1);
    assert_eq!(seen("src/animation/sample.rs", "use crate::{model::Clip, playback::{self, Loop}};"), 1);
    assert_eq!(seen("src/animation/sample.rs", "use super::super::web::Door;"), 1);
    assert_eq!(seen("src/camera.rs", "use super::player::Player;"), 1);
    assert_eq!(seen("src/player/mod.rs", "fn f(window: &web_sys::Window) {}"), 1);
    assert_eq!(seen("src/render/mod.rs", "#[wasm_bindgen] pub struct Door;"), 1);
    assert_eq!(seen("src/playback/mod.rs", "let now = std::time::Instant::now();"), 1);
    assert_eq!(seen("src/playback/mod.rs", "use rand::Rng;"), 1);
    assert_eq!(seen("src/model/mod.rs", "use {wgpu, glam::Vec3};"), 1);

    assert_eq!(
        seen("src/animation/sample.rs", "// crate::render is next\nlet text = \"crate::render::Gpu\";"),
        0
    );
    assert_eq!(
        seen(
            "src/animation/sample.rs",
            "let r = r#\"wgpu::\"quoted\"\"#; let c = ':'; fn f<'a>(x: &'a str) {}"
        ),
        0
    );
    assert_eq!(
        seen(
            "src/import/gltf/mod.rs",
            "use super::report::Warning; use gltf::json; mod skins; use skins::read;"
        ),
        0
    );
    assert_eq!(
        seen("src/render/mod.rs", "use crate::{camera::View, model::Model}; use wgpu::util::DeviceExt;"),
        0
    );
    assert!(!sources(&["src"], &["rs"]).is_empty());
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn own_sources() -> Vec<PathBuf> {
    sources(
        &["src", "build", "shaders", "www", "tests", "benches", "fuzz", "xtask"],
        &["rs", "ts", "wgsl", "mjs"],
    )
}

fn sources(folders: &[&str], extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut unread: Vec<PathBuf> = folders.iter().map(|folder| root().join(folder)).collect();
    while let Some(folder) = unread.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            // `npm run bench` installs other players here, which aren't part of the project.
            if path.is_dir() && !path.ends_with("node_modules") {
                unread.push(path);
            } else if path.extension().is_some_and(|ext| extensions.iter().any(|wanted| ext == *wanted)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}

fn imported(line: &str) -> Option<&str> {
    let (_, after) = line.split_once(" from ").or_else(|| line.split_once("import "))?;
    let quote = after.trim_start().chars().next().filter(|&c| c == '"' || c == '\'')?;
    after.split(quote).nth(1)
}

/// Returns a line for each forbidden reference in the file.
fn trespasses(path: &Path, source: &str) -> Vec<String> {
    let inside = path.strip_prefix(root().join("src")).unwrap();
    let room = Path::new(inside.iter().next().unwrap()).file_stem().unwrap().to_str().unwrap();
    let Some((_, rooms)) = ROOMS.iter().find(|(name, _)| *name == room) else {
        return Vec::new();
    };
    // `src/a.rs` and `src/a/mod.rs` are one `super` away from the root, `src/a/b.rs` two.
    let depth = inside.iter().count() - usize::from(inside.ends_with("mod.rs") && inside.iter().count() > 1);
    let tokens = tokens(source);
    let modules = tokens.windows(2).filter(|two| two[0] == "mod").map(|two| &two[1]);
    let macros = tokens.windows(3).filter(|three| three[0] == "macro_rules").map(|three| &three[2]);
    let own_names: Vec<&str> = modules.chain(macros).map(String::as_str).collect();

    let mut found = Vec::new();
    let mut refuse = |what: String| {
        let line = format!("{} names {what}", path.display());
        if !found.contains(&line) {
            found.push(line);
        }
    };
    for path in paths(&tokens) {
        let supers = path.iter().take_while(|segment| *segment == "super").count();
        let from_root = match path[0].as_str() {
            "crate" => path.get(1),
            "super" if supers >= depth => path.get(supers),
            _ => None,
        };
        if let Some(other) = from_root
            && ROOMS.iter().any(|(name, _)| name == other)
            && other != room
            && !rooms.contains(&other.as_str())
        {
            refuse(format!("crate::{other}"));
        }
        if let Some(clock) = path.iter().find(|segment| CLOCKS.contains(&segment.as_str()))
            && room != "web"
        {
            refuse(format!("{clock}, a clock"));
        }
        if is_foreign(&path) && !own_names.contains(&path[0].as_str()) {
            let allowed = match FOREIGN.iter().find(|(name, _)| *name == path[0]) {
                Some((_, rooms)) => rooms.contains(&room),
                None => room == "import" || path[0] == "gambol",
            };
            if !allowed {
                refuse(path[0].clone());
            }
        }
    }
    found
}

/// Returns whether a path starts at another crate: at one listed in `FOREIGN`, or, within a `use`, at a name that
/// isn't a keyword or a standard crate.
fn is_foreign(path: &[String]) -> bool {
    let head = path[0].as_str();
    if FOREIGN.iter().any(|(name, _)| *name == head) {
        // A variable may be called `gltf` or `serde`; such a name counts only when `::` follows.
        return path.len() > 1 || !["gltf", "serde"].contains(&head);
    }
    path.last().is_some_and(|last| last == USED)
        && !["crate", "self", "super", "std", "core", "alloc"].contains(&head)
        && head.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Last segment that marks a path found in a `use` declaration.
const USED: &str = "(used)";

/// Returns every path of the file; `use a::{b, c}` gives two paths.
fn paths(tokens: &[String]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let used = tokens[at] == "use";
        let follows = at > 0 && ["::", "."].contains(&tokens[at - 1].as_str());
        if used {
            let before = found.len();
            at = branch(tokens, at + 1, &[], &mut found);
            found[before..].iter_mut().for_each(|path: &mut Vec<String>| path.push(USED.into()));
        } else if is_name(&tokens[at]) && !follows {
            at = branch(tokens, at, &[], &mut found);
        } else {
            at += 1;
        }
    }
    found
}

/// Parses one path at `at`, with its groups, and returns the index after it.
fn branch(tokens: &[String], mut at: usize, stem: &[String], found: &mut Vec<Vec<String>>) -> usize {
    let mut path = stem.to_vec();
    if tokens.get(at).is_some_and(|token| token == "::") {
        at += 1;
    }
    loop {
        match tokens.get(at).map(String::as_str) {
            Some("{") => {
                at += 1;
                while let Some(token) = tokens.get(at).filter(|token| *token != "}") {
                    at = if is_name(token) || ["{", "::"].contains(&token.as_str()) {
                        branch(tokens, at, &path, found)
                    } else {
                        at + 1
                    };
                }
                return at + 1;
            }
            Some(name) if is_name(name) => path.push(name.into()),
            _ => break,
        }
        at += 1;
        if tokens.get(at).is_none_or(|token| token != "::") {
            break;
        }
        at += 1;
    }
    // `use {self as x}` and a stray `*` add no path.
    if path.len() > stem.len() || !stem.is_empty() {
        found.push(path);
    }
    at.max(1)
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_') && token != "use"
}

/// Splits source text into names, `::` and single punctuation characters, without comments and literals.
fn tokens(source: &str) -> Vec<String> {
    let chars: Vec<char> = source.chars().collect();
    let at_is = |at: usize, text: &str| text.chars().enumerate().all(|(i, c)| chars.get(at + i) == Some(&c));
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        if at_is(at, "//") {
            while at < chars.len() && chars[at] != '\n' {
                at += 1;
            }
        } else if at_is(at, "/*") {
            let mut open = 0;
            loop {
                if at_is(at, "/*") {
                    open += 1;
                    at += 2;
                } else if at_is(at, "*/") {
                    open -= 1;
                    at += 2;
                } else {
                    at += 1;
                }
                if open == 0 || at >= chars.len() {
                    break;
                }
            }
        } else if c.is_alphabetic() || c == '_' {
            let start = at;
            while chars.get(at).is_some_and(|c| c.is_alphanumeric() || *c == '_') {
                at += 1;
            }
            let name: String = chars[start..at].iter().collect();
            let is_raw = name.ends_with('r') && name.len() <= 2 && (at_is(at, "\"") || at_is(at, "#"));
            match (is_raw, raw_string_end(&chars, at)) {
                (true, Some(end)) => at = end,
                _ => found.push(name),
            }
        } else if c == '"' {
            at = quoted_end(&chars, at, '"');
        } else if c == '\'' {
            // A lifetime has no closing quote two characters on; a character literal has, unless it is escaped.
            let is_literal = chars.get(at + 1) == Some(&'\\') || chars.get(at + 2) == Some(&'\'');
            at = if is_literal { quoted_end(&chars, at, '\'') } else { at + 1 };
        } else if at_is(at, "::") {
            found.push("::".into());
            at += 2;
        } else {
            if !c.is_whitespace() {
                found.push(c.to_string());
            }
            at += 1;
        }
    }
    found
}

fn quoted_end(chars: &[char], start: usize, quote: char) -> usize {
    let mut at = start + 1;
    while at < chars.len() && chars[at] != quote {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// Returns the index after a raw string whose `#` marks or quote start at `start`, or `None` if there is none.
fn raw_string_end(chars: &[char], start: usize) -> Option<usize> {
    let mark_count = chars[start..].iter().take_while(|c| **c == '#').count();
    if chars.get(start + mark_count) != Some(&'"') {
        return None;
    }
    let closes = |at: usize| {
        chars[at] == '"' && chars[at + 1..].iter().take_while(|c| **c == '#').count() >= mark_count
    };
    (start + mark_count + 1..chars.len()).find(|&at| closes(at)).map(|at| at + 1 + mark_count)
}
