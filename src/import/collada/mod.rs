//! COLLADA 1.4.1 and 1.5.
//!
//! The XML becomes a tree (`text`, `xml`), whose parts are read as the scene refers to them. Rules for all parts:
//! references are looked up in maps, an element that is referred to several times is read once, nothing recurses, and
//! everything that may grow faster than the file is charged to the budget.

mod animations;
mod baking;
mod cameras;
mod channels;
mod curves;
mod effects;
mod geometry;
mod materials;
mod meshes;
mod morphs;
mod nodes;
mod polygons;
mod posing;
mod skins;
mod sources;
mod stack;
mod text;
mod xml;

use super::budget::Budget;
use super::imported_model::ImportedModel;
use super::report::WarningKind;
use super::{ImportError, ImportOptions, ImportProblem, ImportReport};
use crate::model::Model;
use sources::Sources;
use std::collections::HashMap;
use xml::{Element, File};

pub(super) fn import(
    bytes: &[u8],
    options: &ImportOptions,
    report: &mut ImportReport,
) -> Result<Model, ImportError> {
    let text = text::decode(bytes)?;
    let tree = xml::parse(&text)?;
    let file = File::new(&tree);
    expect_known_version(file.root())?;
    let mut reader = Reader {
        file: &file,
        sources: Sources::default(),
        budget: Budget::of_file(bytes.len()),
        imported: ImportedModel::default(),
        report,
        warned: HashMap::new(),
    };
    let hierarchy = nodes::read(&mut reader)?;
    let morphed = meshes::place(&mut reader, &hierarchy)?;
    animations::read(&mut reader, &hierarchy, &morphed)?;
    if let Some(element) = file.with_commas() {
        reader.warn(WarningKind::DecimalCommas, element, "");
    }
    let Reader { imported, .. } = reader;
    Ok(imported.into_model(options, report))
}

/// Shared state of the import: its inputs, and the model built so far.
struct Reader<'a> {
    file: &'a File<'a>,
    sources: Sources<'a>,
    budget: Budget,
    imported: ImportedModel,
    report: &'a mut ImportReport,
    warned: HashMap<&'static str, usize>,
}

impl Reader<'_> {
    /// Reports a warning, but only the first few of each kind: a large file may be odd in one way a million times.
    fn warn(&mut self, kind: WarningKind, element: Element<'_>, about: &str) {
        const MOST: usize = 20;
        let count = self.warned.entry(kind.code()).or_insert(0);
        *count += 1;
        if *count <= MOST {
            self.report.warn_at(kind, element.place(), about);
        }
    }

    /// Reports a reference that leads nowhere, or to the wrong kind of element.
    fn warn_of_reference(&mut self, element: Element<'_>) {
        let written = ["url", "target", "source"].into_iter().find_map(|name| element.attribute(name));
        self.warn(
            WarningKind::ReferenceIgnored,
            element,
            crate::refusal::shortened(written.unwrap_or(element.text())),
        );
    }
}

fn expect_known_version(root: Element<'_>) -> Result<(), ImportError> {
    match root.attribute("version") {
        Some(version) if !["1.4", "1.5"].iter().any(|known| version.trim().starts_with(known)) => {
            let found = crate::refusal::shortened(version).to_owned();
            Err(ImportProblem::FormatVersionUnsupported.at(root.place(), found))
        }
        _ => Ok(()),
    }
}
