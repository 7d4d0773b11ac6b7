//! Inputs kept from fuzzing, `tests/fixtures/fuzz/<target>`, each run through the checks of its fuzz target.

#[path = "../../fuzz/judge.rs"]
mod judge;

use std::fs;
use std::path::Path;

#[test]
fn kept_inputs_hold_what_their_target_asks() {
    for (target, judge) in [
        ("collada", judge::import as fn(&[u8])),
        ("export", judge::export),
        ("gltf", judge::import),
        ("iqm", judge::import),
        ("picture", judge::picture),
        ("x", judge::import),
    ] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/fuzz").join(target);
        let mut count = 0;
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.unwrap().path();
            // Printed only if the test fails: the last path is the failing input.
            println!("{}", path.display());
            judge(&fs::read(&path).unwrap());
            count += 1;
        }
        assert!(count > 20, "only {count} inputs of {target} are kept");
    }
}
