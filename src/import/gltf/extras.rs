//! What a file says of its nodes beyond glTF, kept as it is written there.
//!
//! Cut out of text that was parsed already: writing JSON anew would bring a whole writer into the wasm module, and
//! change how numbers look.
use super::json::Json;

/// For each node of the file its `extras`, as JSON text; nothing at all where no node has any.
pub(super) fn of_nodes(root: Json<'_>, text: &[u8]) -> Vec<Option<String>> {
    if root.list("nodes").all(|node| node.get("extras").is_none()) {
        return Vec::new();
    }
    let nodes = field(text, b"\"nodes\"").unwrap_or_default();
    let as_text = |extras: &[u8]| String::from_utf8_lossy(extras).into_owned();
    let extras = |node| field(node, b"\"extras\"").filter(|extras| *extras != b"null");
    Parts::of(nodes).map(|node| extras(node).map(as_text)).collect()
}

/// What an object holds by a name, in its quotes; the last of several, as the parser has it.
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

/// The elements of an array, or the names and values of an object by turns.
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
