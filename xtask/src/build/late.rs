//! The functions that a page fetches on first use, in `gambol_late.wasm`. `Engine.extend` of the package fetches it,
//! before any call of these.

use std::path::Path;

use super::short_names::{ShortNames, rename_member};
use super::split::{Doors, split};
use super::{read, read_bytes, write};

/// Exports that the package calls only after `Engine.extend`, as the glue names them.
const EXPORTS: [&str; 26] = [
    "playerhandle_addClips",
    "playerhandle_borrowClips",
    "modelhandle_rolePairs",
    "playerhandle_skinningError",
    "playerhandle_screenshot",
    "playerhandle_setChain",
    "playerhandle_setGoal",
    "playerhandle_turnTip",
    "playerhandle_setGaze",
    "playerhandle_setGazeTarget",
    "playerhandle_setFeet",
    "playerhandle_setGroundBelow",
    "playerhandle_fadeConstraint",
    "playerhandle_removeConstraint",
    "playerhandle_setSprings",
    "playerhandle_startRagdoll",
    "playerhandle_pushRagdoll",
    "playerhandle_fadeRagdoll",
    "playerhandle_addActor",
    "playerhandle_removeActor",
    "playerhandle_placeActor",
    "playerhandle_showActor",
    "playerhandle_attachActor",
    "playerhandle_wearActor",
    "playerhandle_pick",
    "playerhandle_placePins",
];

/// Pieces of the mangled names of functions that other code calls. That code checks first whether there is anything to
/// do. What gives it something are the exports above, and files for which `inspect` says so (`src/import/gltf/mod.rs`).
const DOORS: [&[&str]; 23] = [
    &["Constraints", "apply_stage"],
    &["fade_all_constraints"],
    &["player7ragdoll7fall_on"],
    &["springs12SpringSolver3new"],
    &["springs12SpringSolver5apply"],
    &["import4gltf7springs7springs"],
    &["import4gltf9instances6expand"],
    &["import4gltf8humanoid5roles"],
    &["company", "company_is_moving"],
    &["company", "company_has_events"],
    &["company", "step_company"],
    &["company", "pose_company"],
    &["company", "lowest_floor"],
    &["company", "frame_company"],
    &["company", "outermost_of_company"],
    &["company", "carry"],
    &["company", "lend_to_company"],
    &["company", "prepare_company"],
    &["company", "Company", "cast"],
    &["company", "worn", "Worn", "apply"],
    // What screenshots and `skinningError` use of the backend.
    &["gambol..web", "DeviceInterface", "15pop_error_scope17h"],
    &["gambol..web", "BufferInterface", "9map_async17h"],
    &["gambol..web", "BufferInterface", "16get_mapped_range17h"],
];

pub(super) const WASM: &str = "gambol_late.wasm";

/// Splits the module beside the glue, and connects the glue with both parts. `linked` is what the linker wrote.
///
/// # Errors
///
/// When the module lacks one of the functions, or the glue has an unexpected form.
pub(super) fn split_off(linked: &Path, glue_dir: &Path, names: &ShortNames) -> Result<(), String> {
    let exports: Vec<&str> = EXPORTS
        .iter()
        .map(|name| names.short_export(name).ok_or_else(|| format!("the module has no export {name}")))
        .collect::<Result<_, _>>()?;
    let whole = glue_dir.join("gambol_bg.wasm");
    let parts =
        split(&read_bytes(&whole)?, &read_bytes(linked)?, &Doors { exports: &exports, called: &DOORS })?;
    write(&whole, parts.core)?;
    write(&glue_dir.join(WASM), parts.late)?;
    let glue = glue_dir.join("gambol.js");
    write(&glue, connect(&read(&glue)?, &exports)?)
}

/// Writes a second part without functions, for builds that aren't split.
pub(super) fn leave_whole(glue_dir: &Path) -> Result<(), String> {
    write(&glue_dir.join(WASM), wasm_encoder::Module::new().finish())?;
    let glue = glue_dir.join("gambol.js");
    write(&glue, connect(&read(&glue)?, &[])?)
}

/// What a reset of the instance does. The functions of the second part belong to the previous one.
const RESET: &str = "    wasmInstance = new WebAssembly.Instance(wasmModule, __wbg_get_imports());\n";

/// Two copies of the package can share the glue, and both start the second part.
const JOIN: &str = "
let late;
function lateImports() {
    return { ...__wbg_get_imports(), core: wasm };
}
function join(instance) {
    late ??= instance.exports;
}
export { lateImports, join };
";

/// Lets the glue call the exports of the second part.
fn connect(glue: &str, exports: &[&str]) -> Result<String, String> {
    if !glue.contains(RESET) {
        return Err(format!("wasm-bindgen's output lacks the text that `late.rs` replaces:\n{RESET}"));
    }
    let mut connected = glue.replace(RESET, &format!("{RESET}    late = undefined;\n"));
    for name in exports {
        connected = rename_member(&connected, &format!("wasm.{name}"), &format!("late.{name}"));
    }
    Ok(connected + JOIN)
}

/// Declarations of what is added to the glue.
pub(super) const DECLARATIONS: &str = "export function lateImports(): WebAssembly.Imports;
export function join(instance: WebAssembly.Instance): void;
";

#[cfg(test)]
mod tests {
    use super::{JOIN, RESET, connect};

    #[test]
    fn the_glue_calls_the_second_part_where_it_exports_the_function() {
        let glue = format!("wasm.ab(1);\n// wasm.abc\nconst ret = wasm.a(wasm.abc(2));\n{RESET}");
        let connected = connect(&glue, &["ab"]).expect("it resets its instance");
        let expected = format!(
            "late.ab(1);\n// wasm.abc\nconst ret = wasm.a(wasm.abc(2));\n{RESET}    late = undefined;\n{JOIN}"
        );
        assert_eq!(connected, expected);
        assert!(connect("wasm.ab(1);", &["ab"]).is_err());
    }
}
