//! Search for files beside a model, by the names that the model contains.
//!
//! The names come from other machines: they may contain backslashes, drives, an artist's folders and other
//! capitalisation, or the extension of a picture that was converted since.
use std::fs;
use std::path::{Path, PathBuf};

const PICTURES: [&str; 7] = ["png", "jpg", "jpeg", "webp", "dds", "tga", "bmp"];

/// Returns the file that a URI refers to, relative to a model's folder.
pub(crate) fn find(folder: &Path, uri: &str) -> Option<PathBuf> {
    let decoded = percent_decoded(uri);
    [uri, &decoded].into_iter().find_map(|name| {
        let name = name.trim_start_matches("file://").replace('\\', "/");
        along(folder, &name).or_else(|| in_folder(folder, name.rsplit('/').next()?))
    })
}

/// Follows a relative path, ignoring case. Absolute paths belong to another machine and give `None`.
fn along(folder: &Path, name: &str) -> Option<PathBuf> {
    if name.starts_with('/') || name.get(1..2) == Some(":") {
        return None;
    }
    let (folders, file) = name.rsplit_once('/').unwrap_or(("", name));
    let mut at = folder.to_path_buf();
    for step in folders.split('/') {
        at = match step {
            "" | "." => at,
            ".." => at.join(".."),
            _ if at.join(step).is_dir() => at.join(step),
            _ => entries(&at).find(|path| path.is_dir() && is_called(path, step))?,
        };
    }
    in_folder(&at, file)
}

/// Finds a file by its name, then ignoring case, then with the extension of another picture format.
fn in_folder(folder: &Path, name: &str) -> Option<PathBuf> {
    if name.is_empty() {
        return None;
    }
    if folder.join(name).is_file() {
        return Some(folder.join(name));
    }
    let mut files: Vec<PathBuf> = entries(folder).filter(|path| path.is_file()).collect();
    files.sort();
    let named = files.iter().find(|path| is_called(path, name));
    let stem = match name.rsplit_once('.') {
        Some((stem, ending)) if PICTURES.contains(&ending.to_lowercase().as_str()) => stem,
        _ => name,
    };
    let other = || {
        let mut names = PICTURES.iter().map(|ending| format!("{stem}.{ending}"));
        names.find_map(|name| files.iter().find(|path| is_called(path, &name)))
    };
    named.or_else(other).cloned()
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn is_called(path: &Path, name: &str) -> bool {
    path.file_name().is_some_and(|found| found.to_string_lossy().to_lowercase() == name.to_lowercase())
}

/// Decodes escapes such as `%20`. Text that is no escape stays as it is.
fn percent_decoded(text: &str) -> String {
    let mut decoded = Vec::with_capacity(text.len());
    let mut parts = text.split('%');
    decoded.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        match part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                decoded.extend(part.bytes().skip(2));
            }
            None => {
                decoded.push(b'%');
                decoded.extend(part.bytes());
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
