//! `gambol convert`: writes any supported file as .glb.
use crate::Failure;
use crate::arguments::Arguments;
use crate::load::{failure, load, piece};
use crate::wording::{bytes, printable, remarks};
use gambol::export::{ExportOptions, to_glb};
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
    let exported = to_glb(&loaded.imported.model, &ExportOptions::default(), &mut |uri| piece(file, uri));
    fs::write(to, &exported.glb).map_err(|error| failure(to, &format!("cannot be written: {error}")))?;

    writeln!(out, "{}: {}", printable(&to.to_string_lossy()), bytes(exported.glb.len()))?;
    let warnings = loaded.imported.report.warnings.iter();
    remarks(out, "warnings", warnings.map(|warning| (warning.code, &*warning.place, &*warning.message)))?;
    let notes = exported.notes.iter();
    remarks(out, "changed in the .glb", notes.map(|note| (note.code, &*note.place, &*note.message)))
}
