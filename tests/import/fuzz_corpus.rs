//! Inputs kept from fuzzing, `tests/fixtures/fuzz/<target>.tar`, each run through the checks of its fuzz target.

#[path = "../../fuzz/judge.rs"]
mod judge;

use std::fs;
use std::ops::Range;
use std::path::Path;

#[test]
fn kept_inputs_hold_what_their_target_asks() {
    for (target, judge) in [
        ("collada", judge::import as fn(&[u8])),
        ("draco", judge::draco),
        ("export", judge::export),
        ("gltf", judge::import),
        ("iqm", judge::import),
        ("ktx2", judge::ktx2),
        ("meshopt", judge::meshopt),
        ("picture", judge::picture),
        ("x", judge::import),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/fuzz/{target}.tar"));
        let archive = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut count = 0;
        for (name, input) in entries(&archive) {
            // Printed only if the test fails: the last name is the failing input.
            println!("{target}: {name}");
            judge(input);
            count += 1;
        }
        assert!(count > 20, "only {count} inputs of {target} are kept");
    }
}

/// Returns the names and contents of a ustar archive's files.
fn entries(archive: &[u8]) -> impl Iterator<Item = (&str, &[u8])> {
    const BLOCK: usize = 512;
    let mut rest = archive;
    std::iter::from_fn(move || {
        // The archive ends with blocks of zeros.
        let (header, after) = rest.split_at_checked(BLOCK).filter(|(header, _)| header[0] != 0)?;
        let size = usize::from_str_radix(field(header, 124..135), 8).expect("the size is octal");
        rest = &after[size.next_multiple_of(BLOCK)..];
        Some((field(header, 0..100), &after[..size]))
    })
}

/// Returns a text of a header, which ends at its first zero.
fn field(header: &[u8], range: Range<usize>) -> &str {
    let bytes = header[range].split(|&byte| byte == 0).next().unwrap_or_default();
    std::str::from_utf8(bytes).expect("headers are ASCII")
}
