//! The functions that a page fetches on first use, in a wasm file for each of the [`PARTS`]. `Engine.extend` of the
//! package fetches it, before any call of these.

use std::path::Path;

use super::short_names::{ShortNames, rename_member};
use super::split::{Doors, split};
use super::{read, read_bytes, write};

/// A wasm file that a page fetches on first use.
struct Part {
    /// Its name in the glue and for `Engine.extend`.
    name: &'static str,
    /// Exports that the package calls only after `Engine.extend`, as the glue names them.
    exports: &'static [&'static str],
    /// Pieces of the mangled names of functions that other code calls.
    doors: &'static [&'static [&'static str]],
}

const PARTS: [Part; 4] = [
    // What gives the code before a door something to do are the exports, and files for which `inspect` says so
    // (`src/import/gltf/mod.rs`).
    Part { name: "late", exports: &LATE_EXPORTS, doors: &LATE_DOORS },
    // The code before a door asks `src/import/part.rs`.
    Part { name: "import", exports: &IMPORT_EXPORTS, doors: &IMPORT_DOORS },
    Part { name: "still", exports: &["playerhandle_refine"], doors: &[] },
    // As for `import`.
    Part { name: "tangents", exports: &[], doors: &[&["import4gltf8tangents8generate17h"]] },
];

const IMPORT_EXPORTS: [&str; 6] = [
    "playerhandle_setFileCamera",
    "playerhandle_setRoom",
    "playerhandle_setPanorama",
    "playerhandle_showEnvironment",
    "playerhandle_setOcclusion",
    "playerhandle_setHighRange",
];

const LATE_EXPORTS: [&str; 38] = [
    "playerhandle_addClips",
    "playerhandle_borrowClips",
    "modelhandle_rolePairs",
    "playerhandle_primitiveCounts",
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
    "playerhandle_address",
    "playerhandle_addActor",
    "playerhandle_removeActor",
    "playerhandle_placeActor",
    "playerhandle_showActor",
    "playerhandle_attachActor",
    "playerhandle_wearActor",
    "playerhandle_pick",
    "playerhandle_placePins",
    "playerhandle_setView",
    "playerhandle_setGuides",
    "playerhandle_coarsen",
    "playerhandle_setThrong",
    "playerhandle_setMembers",
    "playerhandle_setThrongRate",
    "playerhandle_throngTime",
    "playerhandle_throngMarkers",
    "playerhandle_throngMatrices",
    "playerhandle_throngError",
];

const LATE_DOORS: [&[&str]; 24] = [
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
    &["views7shaders6extend17h"],
    // What screenshots and `skinningError` use of the backend.
    &["gambol..web", "DeviceInterface", "15pop_error_scope17h"],
    &["gambol..web", "BufferInterface", "9map_async17h"],
    &["gambol..web", "BufferInterface", "16get_mapped_range17h"],
];

const IMPORT_DOORS: [&[&str]; 14] = [
    &["import4gltf8topology6unroll"],
    &["import8data_uri6decode"],
    &["buffers16invalid_data_uri"],
    &["resources9Resources5alike"],
    &["pointers8Pointers7resolve"],
    &["clips6Reader14property_track"],
    // Called when `setFileCamera` has been.
    &["file_camera", "look_through"],
    &["file_camera", "restore_orbit"],
    // A model with such materials is imported when the part has started, or not at all.
    &["extended_shaders6extend17h"],
    &["13record_behind17h"],
    // A model with lights or cameras, too.
    &["import4gltf6lights6lights17h"],
    &["import4gltf7cameras7cameras17h"],
    &["12add_lamps_to17h"],
    &["9add_lamps17h"],
];

/// Names of the wasm files.
pub(super) const FILES: [&str; PARTS.len()] =
    ["gambol_late.wasm", "gambol_import.wasm", "gambol_still.wasm", "gambol_tangents.wasm"];

/// Splits the module beside the glue, and connects the glue with the parts. `linked` is what the linker wrote.
///
/// # Errors
///
/// When the module lacks one of the functions, or the glue has an unexpected form.
pub(super) fn split_off(linked: &Path, glue_dir: &Path, names: &ShortNames) -> Result<(), String> {
    let short = |name: &&'static str| {
        names.short_export(name).ok_or_else(|| format!("the module has no export {name}"))
    };
    let exports: Vec<Vec<&str>> =
        PARTS.iter().map(|part| part.exports.iter().map(short).collect()).collect::<Result<_, _>>()?;
    let doors: Vec<Doors<'_>> =
        PARTS.iter().zip(&exports).map(|(part, exports)| Doors { exports, called: part.doors }).collect();
    let whole = glue_dir.join("gambol_bg.wasm");
    let written = split(&read_bytes(&whole)?, &read_bytes(linked)?, &doors)?;
    write(&whole, written.core)?;
    for (file, part) in FILES.iter().zip(written.parts) {
        write(&glue_dir.join(file), part)?;
    }
    let glue = glue_dir.join("gambol.js");
    let moved = PARTS.iter().zip(&exports).map(|(part, exports)| (part.name, exports.as_slice()));
    write(&glue, connect(&read(&glue)?, moved)?)
}

/// Writes parts without functions, for builds that aren't split.
pub(super) fn leave_whole(glue_dir: &Path) -> Result<(), String> {
    for file in FILES {
        write(&glue_dir.join(file), wasm_encoder::Module::new().finish())?;
    }
    let glue = glue_dir.join("gambol.js");
    write(&glue, connect(&read(&glue)?, [])?)
}

/// What a reset of the instance does. The functions of parts belong to the previous one.
const RESET: &str = "    wasmInstance = new WebAssembly.Instance(wasmModule, __wbg_get_imports());\n";

/// Two copies of the package can share the glue, and both start the parts.
const JOIN: &str = "
let parts = {};
function partImports() {
    return { ...__wbg_get_imports(), core: wasm };
}
function join(part, instance) {
    parts[part] ??= instance.exports;
}
export { partImports, join };
";

/// Lets the glue call the exports of parts. `moved` has the name of each part and its exports.
fn connect<'a>(
    glue: &str,
    moved: impl IntoIterator<Item = (&'a str, &'a [&'a str])>,
) -> Result<String, String> {
    if !glue.contains(RESET) {
        return Err(format!("wasm-bindgen's output lacks the text that `late.rs` replaces:\n{RESET}"));
    }
    let mut connected = glue.replace(RESET, &format!("{RESET}    parts = {{}};\n"));
    for (part, exports) in moved {
        for name in exports {
            connected = rename_member(&connected, &format!("wasm.{name}"), &format!("parts.{part}.{name}"));
        }
    }
    Ok(connected + JOIN)
}

/// Declarations of what is added to the glue.
pub(super) const DECLARATIONS: &str = "export function partImports(): WebAssembly.Imports;
export function join(part: string, instance: WebAssembly.Instance): void;
";

#[cfg(test)]
mod tests {
    use super::{JOIN, RESET, connect};

    #[test]
    fn the_glue_calls_the_part_that_exports_the_function() {
        let glue = format!("wasm.ab(1);\n// wasm.abc\nconst ret = wasm.a(wasm.abc(2));\n{RESET}");
        let connected = connect(&glue, [("late", ["ab"].as_slice())]).expect("it resets its instance");
        let expected = format!(
            "parts.late.ab(1);\n// wasm.abc\nconst ret = wasm.a(wasm.abc(2));\n{RESET}    parts = {{}};\n{JOIN}"
        );
        assert_eq!(connected, expected);
        assert!(connect("wasm.ab(1);", []).is_err());
    }
}
