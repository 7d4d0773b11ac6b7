//! Records: JavaScript objects whose properties Rust reads by name and type.

use wasm_bindgen::prelude::wasm_bindgen;

/// Declares a record: the type, a getter for each property, and the interface in the generated TypeScript
/// declarations, which `tests/wasm_exports/compare.ts` compares with that of the package.
macro_rules! record {
    ($(#[$about:meta])* $name:ident, $typescript:literal, {
        $($(#[$meaning:meta])* $property:ident: $type:ident $(<$inner:ident>)?,)*
    }) => {
        #[wasm_bindgen]
        extern "C" {
            $(#[$about])*
            #[derive(Debug)]
            #[wasm_bindgen(typescript_type = $typescript)]
            pub type $name;

            $($(#[$meaning])*
            #[wasm_bindgen(method, getter, structural)]
            pub fn $property(this: &$name) -> $type $(<$inner>)?;)*
        }

        #[wasm_bindgen(typescript_custom_section)]
        const INTERFACE: &str = concat!(
            "export interface ", $typescript, " {\n",
            $("  readonly ", stringify!($property), ": ", typescript!($type $(<$inner>)?), ";\n",)*
            "}\n",
        );
    };
}

/// Expands to the TypeScript type of a Rust type.
macro_rules! typescript {
    (bool) => {
        "boolean"
    };
    (f64) => {
        "number"
    };
    (u32) => {
        "number"
    };
    (usize) => {
        "number"
    };
    (String) => {
        "string"
    };
    (Option<$inner:ident>) => {
        concat!(typescript!($inner), " | undefined")
    };
}

record!(
    /// How to start a motion. All times are in seconds.
    PlayRecord, "PlayRecord", {
        /// Duration of the fade.
        fade: f64,
        /// Index into `EASINGS`.
        easing: usize,
        /// Index into `CROSSINGS`.
        crossing: usize,
        /// Number of passes; 0 is endless.
        passes: u32,
        /// Whether every other pass runs backwards.
        bounce: bool,
        speed: f64,
        /// Time at which to begin, from the start of the motion.
        start: f64,
        /// Duration of the fade-out after the last pass. `None` holds the last pose.
        release: Option<f64>,
        /// Name of the sync group.
        sync: Option<String>,
        /// The run's number, from `Run::FIRST_GIVEN` on. `None` keeps that of a motion that continues.
        run: Option<u32>,
        /// Whether to continue after a pause or an end instead, if there is anything to continue.
        resumes: bool,
    }
);
