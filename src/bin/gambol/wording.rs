//! Text formatting for both commands.
use crate::Failure;
use std::io::Write;

/// Escapes control characters, so that file contents can't control the terminal.
pub(crate) fn printable(text: &str) -> String {
    let shown = |character: char| match character.is_control() {
        true => character.escape_default().collect(),
        false => String::from(character),
    };
    text.chars().map(shown).collect()
}

/// Returns a count with its noun, such as `1 mesh` or `3 meshes`.
pub(crate) fn counted(count: usize, one: &str) -> String {
    match (count, one) {
        (1, _) => format!("1 {one}"),
        (_, "vertex") => format!("{count} vertices"),
        (_, "mesh") => format!("{count} meshes"),
        _ => format!("{count} {one}s"),
    }
}

pub(crate) fn bytes(count: usize) -> String {
    match count {
        0..10_000 => format!("{count} bytes"),
        10_000..10_000_000 => format!("{} KB", count / 1000),
        _ => format!("{} MB", count / 1_000_000),
    }
}

/// Prints codes, places and messages under a heading; prints nothing if there are none.
pub(crate) fn remarks<'a>(
    out: &mut impl Write,
    heading: &str,
    remarks: impl Iterator<Item = (&'a str, &'a str, &'a str)>,
) -> Result<(), Failure> {
    for (nth, (code, place, message)) in remarks.enumerate() {
        if nth == 0 {
            writeln!(out, "\n{heading}")?;
        }
        let place = if place.is_empty() { "the file" } else { place };
        writeln!(out, "  {code} at {}: {}", printable(place), printable(message))?;
    }
    Ok(())
}
