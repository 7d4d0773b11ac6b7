//! Takes the hashes out of the names by which wasm and glue know each other.
//!
//! `__wbg_createBuffer_8a9c1e0f5b7d2c46` becomes `createBuffer`. What is random doesn't compress, and each hash would
//! be sent twice: over some two hundred names that is 4 KB of a page.

use std::collections::HashSet;

pub(super) struct ImportNames {
    /// Long name and short name.
    pairs: Vec<(String, String)>,
}

impl ImportNames {
    /// Renames the module's imports, and remembers what the glue must be told.
    pub(super) fn shorten<'a>(names: impl Iterator<Item = &'a mut String>) -> Self {
        let mut taken = HashSet::new();
        let mut pairs = Vec::new();
        for name in names {
            let Some(base) = without_hash(name) else { continue };
            let short = (1..)
                .map(|count| if count == 1 { base.to_owned() } else { format!("{base}_{count}") })
                .find(|short| taken.insert(short.clone()))
                .expect("numbers don't run out");
            pairs.push((std::mem::replace(name, short.clone()), short));
        }
        Self { pairs }
    }

    /// A long name stands nowhere but where it is meant: its hash is 64 bits.
    pub(super) fn replace_in(&self, mut script: String) -> String {
        for (long, short) in &self.pairs {
            script = script.replace(long, short);
        }
        script
    }
}

fn without_hash(name: &str) -> Option<&str> {
    let (base, hash) = name.strip_prefix("__wbg_")?.rsplit_once('_')?;
    let is_hash = hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_hash && !base.is_empty()).then_some(base)
}

#[cfg(test)]
mod tests {
    use super::ImportNames;

    #[test]
    fn hashes_go_and_names_stay_apart() {
        let mut names = [
            "__wbg_set_0123456789abcdef".to_owned(),
            "__wbg_set_fedcba9876543210".to_owned(),
            "__wbindgen_init_externref_table".to_owned(),
        ];
        let script = names.join(" ");
        let short = ImportNames::shorten(names.iter_mut());
        assert_eq!(names, ["set", "set_2", "__wbindgen_init_externref_table"]);
        assert_eq!(short.replace_in(script), names.join(" "));
    }
}
