//! Inconsistent, truncated and malicious .x files. None causes a panic, disproportionate memory use or excessive
//! run time.

use crate::support::hostile::within_bounds;
use crate::support::made_model::Random;
use crate::support::x_made::encode::{binary, compressed, packed};
use gambol::import::{Imported, Resources, import};
use gambol::model::check::check;
use miniz_oxide::deflate::compress_to_vec;
use std::fs;
use std::path::{Path, PathBuf};

/// Imports the file, checks the model, and asserts a bound on memory. Returns the code of the error, or "".
fn code_of(bytes: &[u8]) -> &'static str {
    within_bounds(bytes, |bytes| match import(bytes, &Resources::default()) {
        Ok(Imported { model, .. }) => {
            assert_eq!(check(&model), []);
            ""
        }
        Err(error) => {
            assert!(!error.place().is_empty() && !error.to_string().is_empty());
            error.code()
        }
    })
}

fn text(body: &str) -> Vec<u8> {
    ["xof 0303txt 0032", body].concat().into_bytes()
}

fn fixtures(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "x"));
    files.sort();
    files
}

/// Returns one file in each encoding.
fn encodings() -> [Vec<u8>; 4] {
    let text =
        fs::read_to_string(fixtures("import/x").into_iter().find(|path| path.ends_with("valid.x")).unwrap());
    let text = text.unwrap();
    let binary = binary(&text);
    [compressed(text.as_bytes()), compressed(&binary), binary, text.into_bytes()]
}

#[test]
fn a_file_cut_anywhere_is_refused_or_ends_between_two_objects() {
    for whole in encodings() {
        assert_eq!(code_of(&whole), "");
        let is_compressed = &whole[9..12] == b"zip";
        let (mut refused, mut read) = (0, 0);
        for length in 0..whole.len() {
            let code = code_of(&whole[..length]);
            match length {
                0..4 => assert_eq!(code, "NOT_A_MODEL"),
                _ if code == "FILE_TRUNCATED" => refused += 1,
                // A truncated word is a different word.
                _ if !is_compressed && code == "SYNTAX_INVALID" => refused += 1,
                _ => {
                    assert!(!is_compressed && code.is_empty(), "{code:?} at {length}");
                    read += 1;
                }
            }
        }
        // Cuts in space, comments and templates between the seven top-level objects leave a valid file.
        assert!(refused > 4 * read, "{read} of {} read", whole.len());
    }
}

#[test]
fn flipped_bytes_never_panic() {
    let mut random = Random::new(0x5EED);
    let mut wholes: Vec<Vec<u8>> = encodings().into();
    wholes
        .extend(fixtures("import/x").iter().chain(&fixtures("formats")).map(|path| fs::read(path).unwrap()));
    for whole in wholes {
        for _ in 0..60 {
            let mut mutant = whole.clone();
            for _ in 0..=random.below(4) {
                let at = random.below(mutant.len());
                mutant[at] = random.below(256) as u8;
            }
            code_of(&mutant);
        }
    }
}

/// Tests compressed files whose blocks inflate to damaged text and tokens.
#[test]
fn damage_under_compression_never_panics() {
    let mut random = Random::new(0xB10C);
    let [.., binary, text] = encodings();
    for whole in [binary, text] {
        for _ in 0..300 {
            let mut mutant = whole.clone();
            let at = 16 + random.below(mutant.len() - 16);
            mutant[at] = random.below(256) as u8;
            assert_eq!(code_of(&compressed(&mutant)), code_of(&mutant));
        }
    }
}

#[test]
fn lying_numbers_never_panic() {
    const LIES: [&str; 16] = [
        "0",
        "1",
        "2",
        "3",
        "7",
        "255",
        "65535",
        "4294967295",
        "4294967296",
        "1e9",
        "-1",
        "0.5",
        "3e38",
        "1e-40",
        "1.#QNAN0",
        "\"text\"",
    ];
    let mut random = Random::new(0x11E5);
    for path in fixtures("import/x").iter().chain(&fixtures("formats")) {
        let Ok(whole) = String::from_utf8(fs::read(path).unwrap()) else { continue };
        for _ in 0..100 {
            let mut words: Vec<&str> = whole.split_inclusive([';', ',', ' ', '\n']).collect();
            for _ in 0..=random.below(3) {
                let numbers: Vec<usize> = (3..words.len())
                    .filter(|&at| words[at].starts_with(|first: char| first.is_ascii_digit() || first == '-'))
                    .collect();
                if !numbers.is_empty() {
                    words[numbers[random.below(numbers.len())]] = LIES[random.below(LIES.len())];
                    let at = random.below(words.len() - 3) + 3;
                    words.insert(at, ";");
                }
            }
            code_of(words.concat().as_bytes());
        }
    }
}

#[test]
fn counts_that_lie_allocate_nothing() {
    for count in ["1000000", "4294967295", "1e30", "-1", "0.5"] {
        for body in [
            format!("Mesh {{ {count}; 0;0;0;; 1; 3;0,0,0;; }}"),
            format!("Mesh {{ 1; 0;0;0;; {count}; 3;0,0,0;; }}"),
            format!("Mesh {{ 1; 0;0;0;; 1; {count};0,0,0;; }}"),
            format!("Mesh {{ 1; 0;0;0;; 1; 3;0,0,0;; MeshNormals {{ {count}; 0;0;1;; }} }}"),
            format!("Mesh {{ 1; 0;0;0;; 1; 3;0,0,0;; MeshVertexColors {{ {count}; 0;1;1;1;1;; }} }}"),
            format!("Mesh {{ 1; 0;0;0;; 1; 3;0,0,0;; MeshMaterialList {{ 1; {count}; 0; }} }}"),
            format!("Mesh {{ 1; 0;0;0;; 1; 3;0,0,0;; DeclData {{ {count}; 2;0;3;0; 3; 0,0,0; }} }}"),
            format!("Mesh {{ 1; 0;0;0;; 1; 3;0,0,0;; FVFData {{ 18; {count}; 0,0,0; }} }}"),
            format!(
                "Frame A {{ }} Mesh {{ 1; 0;0;0;; 1; 3;0,0,0;; SkinWeights {{ \"A\"; {count}; 0; 1; }} }}"
            ),
            format!(
                "Frame A {{ }} AnimationSet {{ Animation {{ {{ A }} AnimationKey {{ 2; {count}; 0;3;0,0,0; }} }} }}"
            ),
        ] {
            let code = code_of(&text(&body));
            assert_eq!(code, "COUNT_WRONG", "{body}");
        }
    }
    for list in [6_u16, 7] {
        let mut file = b"xof 0303bin 0032".to_vec();
        file.extend(list.to_le_bytes());
        file.extend(u32::MAX.to_le_bytes());
        assert_eq!(code_of(&file), "FILE_TRUNCATED");
    }
}

#[test]
fn nesting_takes_no_stack() {
    let deep =
        |open: &str, close: &str, count: usize| text(&[open.repeat(count), close.repeat(count)].concat());
    assert_eq!(code_of(&deep("Frame{", "}", 100_000)), "");
    assert_eq!(code_of(&deep("Glow{", "}", 300_000)), "");
    assert_eq!(code_of(&deep("Frame{", "", 100_000)), "FILE_TRUNCATED");
    assert_eq!(code_of(&deep("{", "", 300_000)), "SYNTAX_INVALID");
    assert_eq!(code_of(&deep("template{", "", 300_000)), "FILE_TRUNCATED");
    assert_eq!(code_of(&deep("Mesh{0;0;", "}", 50_000)), "");
    assert_eq!(code_of(&text(&"}".repeat(300_000))), "");
}

/// Tests blocks of 65,535 spaces, highly compressed, in a file whose header gives the largest possible size.
#[test]
fn a_zip_bomb_is_refused_before_it_is_unpacked() {
    let block = (0xFFFF, compress_to_vec(&[b' '; 0xFFFF], 9));
    for count in [100, 10_000, 60_000] {
        let mut file = packed(&text(""), &vec![block.clone(); count]);
        file[16..20].copy_from_slice(&u32::MAX.to_le_bytes());
        let code = code_of(&file);
        assert_eq!(code, if count == 100 { "FILE_TRUNCATED" } else { "MODEL_TOO_LARGE" }, "{count} blocks");
    }
    // Empty blocks make no progress; the read ends at the end of the file.
    let nothing = (0, compress_to_vec(&[], 9));
    let mut file = packed(&text(""), &vec![nothing; 100_000]);
    file[16..20].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(code_of(&file), "FILE_TRUNCATED");
    // A small file that inflates to a large text is refused when it is read.
    let numbers: String = "0;".repeat(20_000_000);
    assert_eq!(code_of(&compressed(&text(&format!("Mesh {{ {numbers} }}")))), "MODEL_TOO_LARGE");
}

#[test]
fn little_text_cannot_ask_for_much_memory() {
    let objects = |what: &str, count: usize| text(&what.repeat(count));
    for what in ["Frame{}", "{a}", "Mesh{}", "Frame a{{b}}", "Glow{}", "Material{}", "0;", "\"\"", "a;"] {
        // Both outcomes are valid: it is read, or it is refused.
        code_of(&objects(what, 100_000));
        code_of(&text(&format!("Frame {{ {} }}", what.repeat(100_000))));
    }
    // One vertex with many joints, and many other vertices.
    let joints: String = (0..3_000).map(|joint| format!("Frame j{joint}{{}}")).collect();
    let weights: String = (0..3_000).map(|joint| format!("SkinWeights{{\"j{joint}\";1;0;1;}}")).collect();
    let vertices = 30_000;
    let mesh = format!(
        "{joints}Mesh{{{vertices};{}{};{}{weights}}}",
        "0;0;0;".repeat(vertices),
        vertices / 3,
        (0..vertices / 3)
            .map(|face| format!("3;{},{},{};", 3 * face, 3 * face + 1, 3 * face + 2))
            .collect::<String>(),
    );
    assert_eq!(code_of(&text(&mesh)), "MODEL_TOO_LARGE");
    // A mesh that a hundred thousand frames refer to is read once.
    let shared = format!("Mesh m{{3;0;0;0;1;0;0;0;1;0;1;3;0,1,2;}}{}", "Frame{{m}}".repeat(100_000));
    assert_eq!(code_of(&text(&shared)), "");
    // A name is stored for each frame and repeated in each warning.
    let name = "n".repeat(1_000_000);
    let named =
        format!("Mesh {name}{{3;0;0;0;1;0;0;0;1;0;1;3;0,1,2;}} Frame{{{}}}", format!("{{{name}}}").repeat(3));
    assert_eq!(code_of(&text(&named)), "");
    let shears = "AnimationKey{4;1;0;16;1,0,0,0,1,1,0,0,0,0,1,0,0,0,0,1;}".repeat(20_000);
    let told = format!("Frame {name}{{}} AnimationSet{{Animation{{{{{name}}}{shears}}}}}");
    assert_eq!(code_of(&text(&told)), "");
}

/// Tests that the line of a place in the text isn't counted from the start each time.
#[test]
fn many_warnings_take_no_time() {
    let animation = "Animation{{b}AnimationKey{2;0;}}";
    let lines = text(&format!("AnimationSet{{{}}}", [animation, "\n"].concat().repeat(100_000)));
    let line = text(&format!("AnimationSet{{{}}}", animation.repeat(100_000)));
    let start = std::time::Instant::now();
    assert_eq!((code_of(&lines), code_of(&line)), ("", ""));
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
