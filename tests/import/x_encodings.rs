//! The encodings of .x files: text and binary tokens, compressed or not, give the same model to the bit.

use crate::support::x_made::encode::{binary, compressed, packed};
use crate::support::x_made::{Keys, Made, Offsets};
use gambol::import::{Imported, Resources, import};
use gambol::model::Model;
use gambol::model::check::check;
use std::fs;
use std::path::{Path, PathBuf};

fn model(file: &[u8]) -> Model {
    let Imported { model, report } =
        import(file, &Resources::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(check(&model), []);
    assert_eq!(report.warnings, []);
    model
}

/// Asserts that two files give the same model to the bit. `Debug` prints floats so that they read back as the same
/// bits, including −0.
fn assert_same_bits(file: &[u8], other: &[u8], what: &str) {
    let (model, other) = (model(file), model(other));
    assert!(!model.nodes.is_empty());
    assert_eq!(format!("{model:?}"), format!("{other:?}"), "{what}");
}

fn formats() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/formats")
}

#[test]
fn S74_all_encodings_of_one_text_give_one_model() {
    for seed in 0..4 {
        let made = Made::new(seed);
        let keys = if seed % 2 == 0 { Keys::Srt } else { Keys::Matrix(4) };
        for header in ["xof 0303txt 0032", "xof 0302txt 0064"] {
            let text = format!("{header}\n{}", made.text(keys, Offsets::Given));
            let binary = binary(&text);
            assert_same_bits(text.as_bytes(), &binary, "binary");
            assert_same_bits(text.as_bytes(), &compressed(text.as_bytes()), "compressed text");
            assert_same_bits(text.as_bytes(), &compressed(&binary), "compressed binary");
        }
    }
}

#[test]
fn the_fixtures_of_each_encoding_are_one_model() {
    let text = fs::read(formats().join("flag.x")).unwrap();
    let binary = binary(std::str::from_utf8(&text).unwrap());
    for (name, expected) in [
        ("flag.binary.x", &binary),
        ("flag.tzip.x", &compressed(&text)),
        ("flag.bzip.x", &compressed(&binary)),
    ] {
        if std::env::var_os("X_FIXTURES").is_some() {
            fs::write(formats().join(name), expected).unwrap();
        }
        let file = fs::read(formats().join(name)).unwrap_or_default();
        assert!(file == *expected, "{name} differs from flag.x: X_FIXTURES=1 writes it again");
        assert_same_bits(&text, &file, name);
    }
}

#[test]
fn templates_and_guids_are_passed_over_in_binary_too() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/import/x/valid.x");
    let text = fs::read_to_string(fixture).unwrap();
    assert_same_bits(text.as_bytes(), &binary(&text), "valid.x");
}

#[test]
fn separators_and_comments_make_no_difference() {
    let text = fs::read_to_string(formats().join("flag.x")).unwrap();
    let loose = text.replace(";;,", ",").replace(";,", " ").replace(";;", ";").replace('{', "{ // open\n");
    assert_same_bits(text.as_bytes(), loose.as_bytes(), "with fewer separators");
    let crammed: String = text[16..].lines().skip(2).flat_map(|line| line.trim().chars()).collect();
    let crammed = crammed.replace(';', ";;,\r\n# a comment }\r\n");
    assert_same_bits(
        text.as_bytes(),
        format!("xof 0303txt 0032{crammed}").as_bytes(),
        "with more separators",
    );
}

#[test]
fn a_mark_that_an_editor_left_before_the_header_is_passed_over() {
    let text = fs::read(formats().join("flag.x")).unwrap();
    assert_same_bits(&text, &[b"\xEF\xBB\xBF", text.as_slice()].concat(), "with a byte-order mark");
}

/// Tests that a block may refer to the 32 KiB before it, which are its dictionary.
#[test]
fn blocks_may_repeat_what_stands_in_the_blocks_before_them() {
    let first = format!("{:1$}", "\nFrame A { }", 0x8000);
    let second = "\nFrame B { }";
    let file = ["xof 0303txt 0032", &first, second].concat();

    // The second block uses the fixed Huffman codes: three bytes from the largest distance, then literals.
    let mut bits = Bits::default();
    bits.push(0b011, 3);
    bits.length_3_from_farthest();
    second.bytes().skip(3).for_each(|byte| bits.literal(byte));
    bits.end();
    let blocks = [
        (first.len(), miniz_oxide::deflate::compress_to_vec(first.as_bytes(), 9)),
        (second.len(), bits.bytes),
    ];
    let packed = packed(file.as_bytes(), &blocks);
    assert_same_bits(file.as_bytes(), &packed, "with a repeat");
    let names: Vec<String> = model(&packed).nodes.into_iter().map(|node| node.name).collect();
    assert_eq!(names, ["A", "B"]);
}

/// Encoder of Deflate's fixed Huffman codes (RFC 1951, section 3.2.6), as far as the test above needs them.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: usize,
}

impl Bits {
    /// Appends bits, the lowest first.
    fn push(&mut self, value: u32, count: usize) {
        for bit in 0..count {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            *self.bytes.last_mut().unwrap() |= ((value >> bit & 1) as u8) << (self.used % 8);
            self.used += 1;
        }
    }

    /// Appends a Huffman code, the highest bit first.
    fn code(&mut self, code: u32, count: usize) {
        (0..count).rev().for_each(|bit| self.push(code >> bit & 1, 1));
    }

    fn literal(&mut self, byte: u8) {
        assert!(byte < 144);
        self.code(0x30 + u32::from(byte), 8);
    }

    /// Appends a match of length 3 at distance 0x8000: code 257, then distance code 29 with its 13 extra bits set
    /// (24577 + 8191).
    fn length_3_from_farthest(&mut self) {
        self.code(1, 7);
        self.code(29, 5);
        self.push(8191, 13);
    }

    fn end(&mut self) {
        self.code(0, 7);
    }
}
