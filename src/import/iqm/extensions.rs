//! Extension blocks, which engines add as a linked list. Their names are reported; their contents are ignored.
use super::file::{EXTENSIONS, File};
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportReport, Warning};
use std::collections::BTreeSet;

pub(super) fn report_all(file: &File<'_>, report: &mut ImportReport) -> Result<(), ImportError> {
    let mut seen = BTreeSet::new();
    let (mut next, mut said_at) = (file.offset(EXTENSIONS), EXTENSIONS.offset_at);
    for _ in 0..file.count(EXTENSIONS) {
        // A list that returns to an earlier block has been read whole.
        if next == 0 || !seen.insert(next) {
            break;
        }
        let record = file.record(next, 4, said_at)?;
        // Blocks may overlap, so there may be one for each byte of the file.
        file.budget.charge(1, size_of::<Warning>() + 128, || record.place(0))?;
        report.warn_at(WarningKind::ExtensionIgnored, record.place(0), &file.text(&record, 0)?);
        (next, said_at) = (record.index(3), record.at + 12);
    }
    Ok(())
}
