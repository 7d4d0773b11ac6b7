//! Encodes text .x files as binary tokens, and compresses either encoding. It is written from the format's
//! description alone and shares no code with the importer.
use miniz_oxide::deflate::compress_to_vec;

/// Encodes a text file as binary tokens. Words with a point or an exponent become floats, of the header's width.
pub fn binary(text: &str) -> Vec<u8> {
    let (header, body) = text.split_at(16);
    let wide = header.ends_with("64");
    let mut file = header.replace("txt", "bin").into_bytes();
    let mut numbers = Numbers::default();
    let mut in_template = false;
    for word in words(body) {
        let is_number = !in_template && word.parse::<f64>().is_ok();
        let is_float = is_number && word.contains(['.', 'e']);
        if !is_number && word != ";" && word != "," || numbers.are_floats != is_float && is_number {
            numbers.flush(wide, &mut file);
        }
        match word.as_str() {
            ";" | "," if !in_template => {}
            _ if is_float => {
                numbers.are_floats = true;
                numbers.words.push(word);
            }
            _ if is_number => numbers.words.push(word),
            "template" => {
                in_template = true;
                file.extend(31_u16.to_le_bytes());
            }
            "{" => file.extend(10_u16.to_le_bytes()),
            "}" => {
                in_template = false;
                file.extend(11_u16.to_le_bytes());
            }
            _ => file.extend(token(&word)),
        }
    }
    numbers.flush(wide, &mut file);
    file
}

#[derive(Default)]
struct Numbers {
    words: Vec<String>,
    are_floats: bool,
}

impl Numbers {
    /// Writes the collected numbers as one list token.
    fn flush(&mut self, wide: bool, file: &mut Vec<u8>) {
        if !self.words.is_empty() {
            file.extend(if self.are_floats { 7_u16 } else { 6 }.to_le_bytes());
            file.extend((self.words.len() as u32).to_le_bytes());
            for word in &self.words {
                match (self.are_floats, wide) {
                    (false, _) => file.extend((word.parse::<i64>().unwrap() as u32).to_le_bytes()),
                    (true, false) => file.extend(word.parse::<f32>().unwrap().to_le_bytes()),
                    (true, true) => file.extend(word.parse::<f64>().unwrap().to_le_bytes()),
                }
            }
        }
        *self = Self::default();
    }
}

fn token(word: &str) -> Vec<u8> {
    let counted = |token: u16, text: &str| {
        [&token.to_le_bytes()[..], &(text.len() as u32).to_le_bytes(), text.as_bytes()].concat()
    };
    if let Some(string) = word.strip_prefix('"') {
        return [counted(2, string.trim_end_matches('"')), 20_u16.to_le_bytes().to_vec()].concat();
    }
    if let Some(guid) = word.strip_prefix('<') {
        return guid_token(guid.trim_end_matches('>'));
    }
    let plain: u16 = match word {
        "WORD" => 40,
        "DWORD" => 41,
        "FLOAT" => 42,
        "STRING" => 51,
        "array" => 52,
        "[" => 14,
        "]" => 15,
        "." => 18,
        "," => 19,
        ";" => 20,
        _ => return counted(1, word),
    };
    plain.to_le_bytes().to_vec()
}

/// Encodes a GUID. Its first three groups are little-endian numbers.
fn guid_token(guid: &str) -> Vec<u8> {
    let digits: Vec<u8> = guid.bytes().filter(|byte| *byte != b'-').collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    let bytes: Vec<u8> = digits.chunks(2).map(byte).collect();
    let order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
    [5_u16.to_le_bytes().to_vec(), order.map(|at: usize| bytes[at]).to_vec()].concat()
}

/// Splits a text into tokens, without comments and white space. Punctuation marks are tokens of their own.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap();
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '"' => rest[1..].find('"').unwrap() + 2,
                '<' => rest.find('>').unwrap() + 1,
                '{' | '}' | ';' | ',' | '[' | ']' => 1,
                '.' if !rest[1..].starts_with(|next: char| next.is_ascii_digit()) => 1,
                _ => rest.find([' ', '\t', '{', '}', ';', ',', '[', ']', '"', '<']).unwrap_or(rest.len()),
            };
            words.push(rest[..length].to_owned());
            rest = rest[length..].trim_start();
        }
    }
    words
}

/// Compresses a file, text or binary, with MSZIP.
pub fn compressed(file: &[u8]) -> Vec<u8> {
    let blocks: Vec<(usize, Vec<u8>)> =
        file[16..].chunks(0x8000).map(|block| (block.len(), compress_to_vec(block, 9))).collect();
    packed(file, &blocks)
}

/// Wraps deflate streams, each with its uncompressed size, in a compressed .x file.
pub fn packed(file: &[u8], blocks: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let mut packed =
        [&file[..8], if &file[8..11] == b"txt" { b"tzip" } else { b"bzip" }, &file[12..16]].concat();
    packed.extend((file.len() as u32).to_le_bytes());
    for (size, stream) in blocks {
        packed.extend((*size as u16).to_le_bytes());
        packed.extend((stream.len() as u16 + 2).to_le_bytes());
        packed.extend(b"CK");
        packed.extend(stream);
    }
    packed
}
