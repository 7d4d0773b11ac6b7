//! Shortens the import and export names that connect wasm and glue.
//!
//! `playerhandle_takeTravel` becomes `bK`, for example. Each name occurs in both files, and the random hashes in
//! names don't compress: about five hundred long names add 10 KB to a page.

use std::collections::HashMap;

pub(super) struct ShortNames {
    imports: HashMap<String, String>,
    exports: HashMap<String, String>,
}

impl ShortNames {
    /// Shortens the names in the module, and stores each name's replacement for the glue.
    pub(super) fn give<'a>(
        imports: impl Iterator<Item = &'a mut String>,
        exports: impl Iterator<Item = &'a mut String>,
    ) -> Self {
        Self { imports: rename(imports), exports: rename(exports) }
    }

    /// # Errors
    ///
    /// When the glue has an unexpected form, so that a long name would remain.
    pub(super) fn replace_in(&self, script: &str) -> Result<String, String> {
        self.replace_exports(&self.replace_imports(script)?)
    }

    /// Returns the short name of an export.
    pub(super) fn short_export(&self, long: &str) -> Option<&str> {
        self.exports.get(long).map(String::as_str)
    }

    /// Returns the long names by short name, for tests that check imports and exports.
    pub(super) fn listing(&self) -> serde_json::Value {
        let by_short = |names: &HashMap<String, String>| -> HashMap<String, String> {
            names.iter().map(|(long, short)| (short.clone(), long.clone())).collect()
        };
        serde_json::json!({ "imports": by_short(&self.imports), "exports": by_short(&self.exports) })
    }

    /// Replaces import names. Each import is an entry of one object literal, on a line of its own.
    fn replace_imports(&self, script: &str) -> Result<String, String> {
        let mut found = 0;
        let lines: Vec<String> = script
            .split('\n')
            .map(|line| {
                let entry = line.strip_prefix(IMPORT_INDENT).and_then(|entry| entry.split_once(": "));
                let Some((short, value)) =
                    entry.and_then(|(name, value)| Some((self.imports.get(name)?, value)))
                else {
                    return line.to_owned();
                };
                found += 1;
                format!("{IMPORT_INDENT}{short}: {value}")
            })
            .collect();
        if found == self.imports.len() {
            Ok(lines.join("\n"))
        } else {
            Err(format!("the glue has {found} of {} imports where they are looked for", self.imports.len()))
        }
    }

    /// Replaces export names. The glue reads each export as `wasm.name`.
    fn replace_exports(&self, script: &str) -> Result<String, String> {
        let mut replaced = String::with_capacity(script.len());
        let mut rest = script;
        while let Some(at) = rest.find(EXPORTS) {
            // Comments that come from Rust write file names, such as `wasm.ts`, in backticks.
            let starts_word = !rest[..at].ends_with(|letter| is_part_of_name(letter) || letter == '`');
            let (before, after) = rest.split_at(at + EXPORTS.len());
            let end = after.find(|letter| !is_part_of_name(letter)).unwrap_or(after.len());
            let (name, next) = after.split_at(end);
            let short = if starts_word { self.exports.get(name) } else { None };
            if starts_word && short.is_none() {
                return Err(format!("the glue asks for {EXPORTS}{name}, which the module doesn't export"));
            }
            replaced.push_str(before);
            replaced.push_str(short.map_or(name, String::as_str));
            rest = next;
        }
        replaced.push_str(rest);
        Ok(replaced)
    }
}

/// Replaces a member expression, but not one with a longer name.
pub(super) fn rename_member(script: &str, from: &str, to: &str) -> String {
    let mut replaced = String::with_capacity(script.len());
    let mut rest = script;
    while let Some(at) = rest.find(from) {
        let (before, after) = rest.split_at(at);
        let after = &after[from.len()..];
        let is_whole = !before.ends_with(is_part_of_name) && !after.starts_with(is_part_of_name);
        replaced.push_str(before);
        replaced.push_str(if is_whole { to } else { from });
        rest = after;
    }
    replaced.push_str(rest);
    replaced
}

const IMPORT_INDENT: &str = "        ";
const EXPORTS: &str = "wasm.";

fn is_part_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '$'
}

fn rename<'a>(names: impl Iterator<Item = &'a mut String>) -> HashMap<String, String> {
    names.enumerate().map(|(number, name)| (std::mem::replace(name, short(number)), short(number))).collect()
}

/// Returns the short name with this number: a … z, A … Z, aa, ab …
fn short(number: usize) -> String {
    const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let last = char::from(LETTERS[number % LETTERS.len()]);
    match number / LETTERS.len() {
        0 => last.to_string(),
        more => short(more - 1) + &last.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{ShortNames, short};

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn both_sides_say_the_same_short_names() {
        let mut imports = names(&["__wbg_draw_0123456789abcdef", "__wbg_draw_fedcba9876543210"]);
        let mut exports = names(&["memory", "playerhandle_show"]);
        let short = ShortNames::give(imports.iter_mut(), exports.iter_mut());
        assert_eq!([imports, exports], [["a", "b"], ["a", "b"]]);

        let glue = "
        // As `wasm.ts` does.
        __wbg_draw_0123456789abcdef: function(arg0) {
            wasm.playerhandle_show(wasm.memory.buffer, arg0.memory, wasmInstance);
        },
        __wbg_draw_fedcba9876543210: () => arg0.draw(),";
        let expected = "
        // As `wasm.ts` does.
        a: function(arg0) {
            wasm.b(wasm.a.buffer, arg0.memory, wasmInstance);
        },
        b: () => arg0.draw(),";
        assert_eq!(short.replace_in(glue).as_deref(), Ok(expected));
        assert_eq!(
            short.listing()["exports"],
            serde_json::json!({ "a": "memory", "b": "playerhandle_show" })
        );
    }

    #[test]
    fn glue_of_another_shape_is_refused() {
        let mut imports = names(&["__wbg_draw_0123456789abcdef"]);
        let mut exports = names(&["memory"]);
        let short = ShortNames::give(imports.iter_mut(), exports.iter_mut());
        assert!(short.replace_in("const draw = __wbg_draw_0123456789abcdef;").is_err());
        assert!(short.replace_in("        __wbg_draw_0123456789abcdef: draw\nwasm.forgotten").is_err());
    }

    #[test]
    fn no_two_are_alike() {
        assert_eq!([0, 51, 52, 103, 104].map(short), ["a", "Z", "aa", "aZ", "ba"]);
        assert_eq!((0..3000).map(short).collect::<HashSet<_>>().len(), 3000);
    }
}
