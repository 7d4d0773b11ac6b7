//! Adds the functions that `src/webgpu` calls to the glue.

use std::path::Path;

use super::{read, write};

/// Script with the functions.
const CALLS: &str = "src/webgpu/calls.js";

/// Only the glue calls the functions.
const EXPORT: &str = "\nexport function ";
const OWN: &str = "\nfunction ";

/// Appends the script to the glue, whose imports call its functions by name. No page then has to request it.
///
/// # Errors
///
/// When a file can't be read or written.
pub(super) fn add(root: &Path, glue_dir: &Path) -> Result<(), String> {
    let glue = glue_dir.join("gambol.js");
    write(&glue, read(&glue)? + &read(&root.join(CALLS))?.replace(EXPORT, OWN))
}
