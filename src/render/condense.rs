//! Shader texts without comments and indentation, taken out while compiling: a page would download them for nothing.

/// A file of `shaders/`, condensed. Lines stay where they were, so that a browser's complaints still point at them.
macro_rules! wgsl {
    ($file:literal) => {{
        const SOURCE: &[u8] = include_bytes!(concat!("../../shaders/", $file));
        const CONDENSED: [u8; $crate::render::condense::condensed_length(SOURCE)] =
            $crate::render::condense::condense(SOURCE);
        const TEXT: &str = match std::str::from_utf8(&CONDENSED) {
            Ok(text) => text,
            Err(_) => panic!("shaders are written in UTF-8"),
        };
        TEXT
    }};
}
pub(super) use wgsl;

pub(super) const fn condensed_length(source: &[u8]) -> usize {
    let (mut kept, mut at) = (0, 0);
    while at < source.len() {
        at = next_kept(source, at);
        if at < source.len() {
            kept += 1;
            at += 1;
        }
    }
    kept
}

/// `LENGTH` is `condensed_length` of the same source.
pub(super) const fn condense<const LENGTH: usize>(source: &[u8]) -> [u8; LENGTH] {
    let mut condensed = [0; LENGTH];
    let (mut kept, mut at) = (0, 0);
    while kept < LENGTH {
        at = next_kept(source, at);
        condensed[kept] = source[at];
        kept += 1;
        at += 1;
    }
    condensed
}

/// The first place from `at` on that is neither in a line comment nor before a line's first word. WGSL has no strings.
const fn next_kept(source: &[u8], mut at: usize) -> usize {
    while at < source.len() {
        let starts_line = at == 0 || source[at - 1] == b'\n';
        if starts_line && source[at] == b' ' {
            while at < source.len() && source[at] == b' ' {
                at += 1;
            }
        } else if source[at] == b'/' && at + 1 < source.len() && source[at + 1] == b'/' {
            while at < source.len() && source[at] != b'\n' {
                at += 1;
            }
        } else {
            return at;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::{condense, condensed_length};

    #[test]
    fn comments_and_indentation_go_and_lines_stay() {
        const SOURCE: &[u8] = b"// a\nfn f() {\n    return 4 / 2; // half\n}\n\n// end";
        const LENGTH: usize = condensed_length(SOURCE);
        let condensed: [u8; LENGTH] = condense(SOURCE);
        assert_eq!(condensed.as_slice(), b"\nfn f() {\nreturn 4 / 2; \n}\n\n");
    }
}
