//! Adds the functions that `src/webgpu` calls to the glue.

use std::path::Path;

use super::{read, write};

/// Script with the functions.
const CALLS: &str = "src/webgpu/calls.js";

/// Declaration of what the script exports.
const DECLARATION: &str = "export function requestGpu(adapter: object): Promise<GpuHandle>;
";

/// The functions that only the glue calls. `requestGpu` is `async`, and stays an export.
const EXPORT: &str = "\nexport function ";
const OWN: &str = "\nfunction ";

/// Appends the script to the glue, whose imports call its functions by name. No page then has to request it.
///
/// # Errors
///
/// When a file can't be read or written.
pub(super) fn add(root: &Path, glue_dir: &Path) -> Result<(), String> {
    let (glue, declarations) = (glue_dir.join("gambol.js"), glue_dir.join("gambol.d.ts"));
    write(&glue, read(&glue)? + &read(&root.join(CALLS))?.replace(EXPORT, OWN))?;
    write(&declarations, read(&declarations)? + DECLARATION)
}
