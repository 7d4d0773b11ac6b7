//! Application data of nodes and of the file (`extras`), and metadata (`KHR_xmp_json_ld`), kept as written in the file.
//!
//! It is cut out of the text, which is already parsed: writing JSON would need more code in the wasm module and would
//! change the form of numbers.
use super::json::Json;
#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
use crate::model::Metadata;

/// Returns the `extras` of each node of the file as JSON text. The list is empty if no node has any.
#[inline(never)]
pub(super) fn of_nodes(root: Json<'_>, text: &[u8]) -> Vec<Option<String>> {
    if root.list("nodes").all(|node| node.get("extras").is_none()) {
        return Vec::new();
    }
    let nodes = field(text, b"\"nodes\"").unwrap_or_default();
    Parts::of(nodes).map(|node| field_text(node, b"\"extras\"")).collect()
}

#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
/// Returns the data about the whole file.
pub(super) fn metadata(root: Json<'_>, text: &[u8]) -> Metadata {
    let has_packets = root.extension(XMP).is_some();
    let extensions = if has_packets { field(text, b"\"extensions\"") } else { None };
    let packet = root.get("asset").and_then(|asset| asset.extension(XMP));
    Metadata {
        extras: if root.get("extras").is_some() { field_text(text, b"\"extras\"") } else { None },
        xmp_packets: extensions
            .and_then(|extensions| field(extensions, b"\"KHR_xmp_json_ld\""))
            .and_then(|extension| field_text(extension, b"\"packets\"")),
        xmp_packet: packet.and_then(|extension| extension.index("packet")),
    }
}

#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
const XMP: &str = "KHR_xmp_json_ld";

/// Returns the text of the value with a name, unless it is null.
fn field_text(object: &[u8], name: &[u8]) -> Option<String> {
    let value = field(object, name).filter(|value| *value != b"null")?;
    std::str::from_utf8(value).ok().map(str::to_owned)
}

/// Returns the value with a name, which is given in quotes. Of several the last counts, as in the parser.
fn field<'a>(object: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let mut parts = Parts::of(object);
    let mut found = None;
    while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
        if key == name {
            found = Some(value);
        }
    }
    found
}

/// Iterator over the elements of an array, or alternately over the names and values of an object.
struct Parts<'a>(&'a [u8]);

impl<'a> Parts<'a> {
    fn of(container: &'a [u8]) -> Self {
        Self(container.trim_ascii().get(1..).unwrap_or_default())
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let between = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b':');
        let start = self.0.iter().position(|byte| !between(byte))?;
        let text = self.0.get(start..)?;
        let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
        let end = text.iter().position(|byte| {
            if in_string {
                in_string = escaped || *byte != b'"';
                escaped = !escaped && *byte == b'\\';
                return false;
            }
            match byte {
                b'"' => in_string = true,
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth == 0 => return true,
                b'}' | b']' => depth -= 1,
                byte => return depth == 0 && between(byte),
            }
            false
        })?;
        let (part, rest) = text.split_at(end);
        self.0 = rest;
        (end > 0).then_some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_told_apart_whatever_stands_in_them() {
        let parts = |text: &'static str| -> Vec<&str> {
            Parts::of(text.as_bytes()).map(|part| std::str::from_utf8(part).expect("it was text")).collect()
        };
        assert_eq!(
            parts(r#" [1, "a,\"]\\" ,[2,{"b":[]}],{ } ] "#),
            ["1", r#""a,\"]\\""#, r#"[2,{"b":[]}]"#, "{ }"]
        );
        assert_eq!(parts(r#"{"a" : -1e5, "b":null}"#), [r#""a""#, "-1e5", r#""b""#, "null"]);
        assert_eq!(parts("[]"), [""; 0]);
    }
}
