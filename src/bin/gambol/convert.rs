//! `gambol convert`: writes any supported file as .glb.
use crate::Failure;
use crate::arguments::Arguments;
use crate::load::{failure, load, piece};
use crate::wording::{bytes, printable, remarks};
use gambol::export::to_glb;
use std::fs;
use std::io::Write;
use std::path::Path;

pub(crate) fn run(
    file: &Path,
    to: &Path,
    arguments: &Arguments,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if to.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("glb")) {
        return Err(failure(to, "the name of the new file must end with .glb"));
    }
    let is_same = |(from, to): (_, _)| from == to;
    if fs::canonicalize(file).ok().zip(fs::canonicalize(to).ok()).is_some_and(is_same) {
        return Err(failure(to, "the new file would overwrite the original"));
    }
    let loaded = load(file, &arguments.import)?;
    let mut byte_count = loaded.byte_count + loaded.buffer_byte_count;
    let exported = to_glb(&loaded.imported.model, &arguments.export, &mut |uri| {
        let piece = piece(file, uri);
        byte_count += piece.as_ref().map_or(0, Vec::len);
        piece
    });
    fs::write(to, &exported.glb).map_err(|error| failure(to, &format!("cannot be written: {error}")))?;

    let (before, after) = (bytes(byte_count), bytes(exported.glb.len()));
    #[allow(clippy::cast_precision_loss, reason = "two digits are printed")]
    let ratio = byte_count as f64 / exported.glb.len().max(1) as f64;
    writeln!(out, "{}: {after}, before {before}, factor {ratio:.2}", printable(&to.to_string_lossy()))?;
    let warnings = loaded.imported.report.warnings.iter();
    remarks(out, "warnings", warnings.map(|warning| (warning.code, &*warning.place, &*warning.message)))?;
    let notes = exported.notes.iter();
    remarks(out, "changed in the .glb", notes.map(|note| (note.code, &*note.place, &*note.message)))
}
