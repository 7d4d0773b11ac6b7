//! Unsupported formats, recognised by content so that an error can name them.
//!
//! Nothing else depends on these names. A name must be true of every format that begins with its mark.

/// Offset of a signature, the signature, and a name for files that have it.
const MARKS: &[(usize, &[u8], &str)] = &[
    (0, b"Kaydara FBX Binary", "an FBX file"),
    (0, b"; FBX ", "an FBX file"),
    (0, b"PXR-USDC", "a USD file"),
    (0, b"#usda ", "a USD file"),
    (0, b"BLENDER", "a Blender file (.blend)"),
    (0, b"HIERARCHY", "a BVH motion file"),
    (0, b"MD5Version", "an MD5 file"),
    (0, b"ply\n", "a PLY file"),
    (0, b"ply\r", "a PLY file"),
    (0, b"IDP2", "a Quake II model (.md2)"),
    (0, b"IDP3", "a Quake III model (.md3)"),
    (0, b"IDST", "a Half-Life model (.mdl)"),
    (0, b"Ogawa", "an Alembic file"),
    (0, b"PMX ", "an MMD model (.pmx)"),
    (0, b"Vocaloid Motion Data", "an MMD motion file (.vmd)"),
    (0, b"//Maya ASCII", "a Maya scene"),
    (0, b"FOR4", "a Maya scene"),
    (0, b"FOR8", "a Maya scene"),
    (0, b"QC4DC4D6", "a Cinema 4D scene"),
    (8, b"LWO", "a LightWave object"),
    (0, b"b3dm", "a 3D Tiles file"),
    (0, b"DRACO", "a Draco mesh"),
    (0, b"\x89PNG", "a PNG picture"),
    (0, b"\xFF\xD8\xFF", "a JPEG picture"),
    (0, b"GIF8", "a GIF picture"),
    (8, b"WEBP", "a WebP picture"),
    (0, b"8BPS", "a Photoshop picture"),
    (0, b"II*\0", "a TIFF picture"),
    (0, b"MM\0*", "a TIFF picture"),
    (0, b"DDS ", "a DDS texture"),
    (0, b"\xABKTX", "a KTX texture"),
    (4, b"ftyp", "a video or an AVIF picture"),
    (0, b"%PDF", "a PDF document"),
    (0, b"\x1F\x8B", "gzip-compressed data, to be unpacked first"),
    (0, b"\x28\xB5\x2F\xFD", "Zstandard-compressed data, as Blender saves"),
    (0, b"7z\xBC\xAF", "a 7-Zip archive, to be unpacked first"),
    (0, b"Rar!", "a RAR archive, to be unpacked first"),
    (0, b"\0asm", "a WebAssembly module"),
    (0, b"version https://git-lfs", "a Git LFS pointer instead of the file itself"),
];

/// Returns a name such as “an FBX file”; `None` for unknown content and for formats that can be read.
pub(super) fn name_of(bytes: &[u8]) -> Option<&'static str> {
    if let Some(name) = marked(bytes) {
        return Some(name);
    }
    if has_at(bytes, 0, b"PK\x03\x04") {
        return Some(zipped(bytes));
    }
    // 3DS and BMP headers contain the length of the file.
    let length = u32::try_from(bytes.len()).ok();
    if has_at(bytes, 0, b"MM") && word_at(bytes, 2) == length {
        return Some("a 3DS file");
    }
    if has_at(bytes, 0, b"BM") && word_at(bytes, 2) == length {
        return Some("a BMP picture");
    }
    // Binary STL: 80 arbitrary bytes, a count, and 50 bytes per triangle.
    let triangles = word_at(bytes, 80).and_then(|count| count.checked_mul(50)?.checked_add(84));
    if triangles.is_some() && triangles == length {
        return Some("an STL file");
    }
    text_name(&text_start(bytes)?)
}

fn marked(bytes: &[u8]) -> Option<&'static str> {
    MARKS.iter().find(|(at, mark, _)| has_at(bytes, *at, mark)).map(|(.., name)| *name)
}

/// Returns the first 8 KiB of a text without leading space; `None` for binary content.
fn text_start(bytes: &[u8]) -> Option<String> {
    const LONGEST: usize = 8192;
    let start = bytes.get(..LONGEST).unwrap_or(bytes);
    let is_text = !start.is_empty() && start.iter().all(|&byte| byte >= b' ' || byte.is_ascii_whitespace());
    is_text.then(|| {
        String::from_utf8_lossy(start).trim_start_matches(['\u{FEFF}', ' ', '\n', '\r', '\t']).to_owned()
    })
}

fn text_name(text: &str) -> Option<&'static str> {
    match text.bytes().next() {
        Some(b'<') => return markup_name(&text.to_ascii_lowercase()),
        // The glTF reader decides whether JSON is glTF.
        Some(b'{') => return None,
        _ => {}
    }
    if let Some(name) = marked(text.as_bytes()) {
        return Some(name);
    }
    // Comments may come before the first word.
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let first = lines.next().unwrap_or_default();
    Some(match first.split_ascii_whitespace().next() {
        Some("solid") => "an STL file",
        Some("v" | "vn" | "vt" | "f" | "o" | "g" | "s" | "mtllib" | "usemtl") => "an OBJ file",
        Some("newmtl") => "the materials of an OBJ file (.mtl)",
        _ if text.starts_with('[') => "JSON that isn't glTF",
        _ => "plain text",
    })
}

/// Names markup that can't be COLLADA, which is XML as well.
fn markup_name(lower: &str) -> Option<&'static str> {
    let names = [
        ("<collada", None),
        ("<!doctype html", Some("a web page (HTML), perhaps the server's page for a missing file")),
        ("<html", Some("a web page (HTML), perhaps the server's page for a missing file")),
        ("<svg", Some("an SVG picture")),
        ("<x3d", Some("an X3D scene")),
    ];
    names.into_iter().find(|(tag, _)| lower.contains(tag)).and_then(|(_, name)| name)
}

/// Names a ZIP archive by the ending of its first file.
fn zipped(bytes: &[u8]) -> &'static str {
    let length = bytes.get(26..28).and_then(|bytes| bytes.try_into().ok()).map_or(0, u16::from_le_bytes);
    let name = bytes.get(30..30 + usize::from(length)).unwrap_or_default().to_ascii_lowercase();
    match [&b".usdc"[..], b".usda", b".usd"].iter().any(|ending| name.ends_with(ending)) {
        true => "a USDZ file",
        false => "a ZIP archive, to be unpacked first",
    }
}

fn has_at(bytes: &[u8], at: usize, mark: &[u8]) -> bool {
    bytes.get(at..).is_some_and(|bytes| bytes.starts_with(mark))
}

fn word_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a binary STL file: a header of 80 bytes, then triangles.
    fn stl(triangles: u32) -> Vec<u8> {
        let mut bytes = b"solid but binary".to_vec();
        bytes.resize(80, b' ');
        bytes.extend(triangles.to_le_bytes());
        bytes.resize(84 + 50 * triangles as usize, 0);
        bytes
    }

    fn zip(name: &str) -> Vec<u8> {
        let mut bytes = b"PK\x03\x04".to_vec();
        bytes.resize(26, 0);
        bytes.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        bytes.extend([0; 2]);
        bytes.extend(name.bytes());
        bytes
    }

    #[test]
    fn other_formats_have_names() {
        let page = "a web page (HTML), perhaps the server's page for a missing file";
        for (bytes, name) in [
            (&b"Kaydara FBX Binary  \0\x1A\0"[..], "an FBX file"),
            (b"\xEF\xBB\xBF; FBX 7.4.0 project file", "an FBX file"),
            (b"HIERARCHY\r\nROOT Hips", "a BVH motion file"),
            (b"MD5Version 10\n", "an MD5 file"),
            (b"ply\nformat ascii 1.0", "a PLY file"),
            (b"BLENDER-v300", "a Blender file (.blend)"),
            (b"solid cube\n facet normal 0 0 1", "an STL file"),
            (&stl(2), "an STL file"),
            (b"# made by hand\n\nmtllib a.mtl\nv 0 0 0", "an OBJ file"),
            (b"newmtl skin", "the materials of an OBJ file (.mtl)"),
            (b"MM\x0A\0\0\0\x02\0\x04\0", "a 3DS file"),
            (&zip("scene.usdc"), "a USDZ file"),
            (&zip("model/scene.gltf"), "a ZIP archive, to be unpacked first"),
            (b"#usda 1.0\n", "a USD file"),
            (b"<!DOCTYPE html><title>404</title>", page),
            (b"\n<?xml version='1.0'?><!-- x --><HTML xmlns='x'>", page),
            (b"<svg/>", "an SVG picture"),
            (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
            (b"RIFF\0\0\0\0WEBPVP8 ", "a WebP picture"),
            (b"\x1F\x8B\x08\0", "gzip-compressed data, to be unpacked first"),
            (b"[{\"a\":1}]", "JSON that isn't glTF"),
            (b"Not Found", "plain text"),
        ] {
            assert_eq!(name_of(bytes), Some(name), "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn what_can_be_read_or_is_unknown_has_none() {
        for bytes in [
            &b""[..],
            b"{\"asset\":{\"version\":\"2.0\"}}",
            b"<COLLADA version='1.4.1'><!-- <html> -->",
            b"<?xml version='1.0'?>\n<c:COLLADA/>",
            b"\xFF\xFE<\0C\0O\0",
            b"\x01\x02\x03\x04",
        ] {
            assert_eq!(name_of(bytes), None, "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn a_file_cut_anywhere_never_panics() {
        for whole in [stl(3), zip("a.usda"), b"RIFF\0\0\0\0WEBP".to_vec(), b"; FBX 7".to_vec()] {
            for length in 0..whole.len() {
                name_of(&whole[..length]);
            }
        }
    }
}
