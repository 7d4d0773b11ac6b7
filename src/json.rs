//! Parser of JSON text into a tree of values.
//!
//! It is as strict as RFC 8259, and limits nesting to [`MOST_NESTED`]. `serde_json` does more than is needed here and
//! adds 15 KB to the wasm module after brotli.
#![cfg_attr(
    not(test),
    deny(
        clippy::cast_possible_wrap,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]
use crate::order::sort;

/// Deepest nesting of arrays and objects. Each level takes a few hundred bytes of the stack.
const MOST_NESTED: usize = 128;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Value {
    #[default]
    Null,
    Bool(bool),
    /// A finite number.
    Number(f64),
    String(String),
    Array(Vec<Value>),
    Object(Object),
}

/// Entries in ascending order of their names. If a name is repeated, the last entry is kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Object(Vec<(String, Value)>);

impl Object {
    fn get(&self, name: &str) -> Option<&Value> {
        let nth = self.0.binary_search_by(|(other, _)| other.as_str().cmp(name)).ok()?;
        self.0.get(nth).map(|(_, value)| value)
    }

    fn new(mut entries: Vec<(String, Value)>) -> Self {
        let name = |nth: usize| entries.get(nth).map_or("", |(name, _)| name.as_str());
        let mut order: Vec<usize> = (0..entries.len()).collect();
        sort(&mut order, |a, b| (name(a), a) < (name(b), b));
        let mut sorted: Vec<(String, Value)> = Vec::with_capacity(entries.len());
        for nth in order {
            let Some(entry) = entries.get_mut(nth).map(std::mem::take) else { continue };
            match sorted.last_mut() {
                Some(last) if last.0 == entry.0 => *last = entry,
                _ => sorted.push(entry),
            }
        }
        Self(sorted)
    }
}

impl Value {
    /// Returns the value with this name; `None` if there is none or this isn't an object.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.as_object()?.get(name)
    }

    pub(crate) fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    pub(crate) fn as_array(&self) -> Option<&[Value]> {
        match self {
            Self::Array(values) => Some(values),
            _ => None,
        }
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub(crate) fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Returns the entries of an object in ascending order of their names; an empty slice for any other value.
    pub(crate) fn entries(&self) -> &[(String, Value)] {
        self.as_object().map_or(&[], |object| &object.0)
    }

    /// Returns the elements of an array; an empty slice for any other value.
    pub(crate) fn elements(&self) -> &[Value] {
        self.as_array().unwrap_or_default()
    }

    /// Returns a whole number from 0 to 2^53, also if it is written as `2.0`.
    pub(crate) fn as_integer(&self) -> Option<u64> {
        // Most programs read JSON numbers as doubles, which aren't exact above 2^53.
        const MAX_SAFE: f64 = 9_007_199_254_740_992.0;
        let whole = |number: &f64| number.fract() == 0.0 && (0.0..=MAX_SAFE).contains(number);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "in range, as was just seen"
        )]
        self.as_f64().filter(whole).map(|number| number as u64)
    }
}

/// Parses a JSON text.
///
/// # Errors
/// The place, such as `line 3 column 7`, and what is wrong there.
pub(crate) fn parse(text: &[u8]) -> Result<Value, [String; 2]> {
    let mut parser = Parser { text, at: 0, nested: 0, problem: "" };
    let valid = std::str::from_utf8(text).map_err(|error| error.valid_up_to());
    let value = match valid {
        Ok(_) => parser.document(),
        Err(at) => {
            parser.at = at;
            parser.fail("this is not UTF-8")
        }
    };
    value.ok_or_else(|| {
        let before = text.get(..parser.at).unwrap_or(text);
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        let column = 1 + before.len() - line_start;
        let place = ["line ", &line.to_string(), " column ", &column.to_string()].concat();
        [place, parser.problem.to_owned()]
    })
}

/// State of the parser. Its methods return `None` on failure, with `at` at the place of the error.
struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    nested: usize,
    problem: &'static str,
}

impl Parser<'_> {
    fn fail<T>(&mut self, problem: &'static str) -> Option<T> {
        self.problem = problem;
        None
    }

    fn peek(&self) -> u8 {
        // A 0 byte is invalid anywhere in JSON, so it can mark the end.
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn peek_past_space(&mut self) -> u8 {
        while matches!(self.peek(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
        self.peek()
    }

    fn document(&mut self) -> Option<Value> {
        let value = self.value()?;
        self.peek_past_space();
        if self.at == self.text.len() { Some(value) } else { self.fail("there is text after the end") }
    }

    fn value(&mut self) -> Option<Value> {
        match self.peek_past_space() {
            b'{' | b'[' => {
                if self.nested == MOST_NESTED {
                    return self.fail("it is nested too deeply");
                }
                self.nested += 1;
                let value = if self.peek() == b'{' { self.object() } else { self.array() };
                self.nested -= 1;
                value
            }
            b'"' => self.string().map(Value::String),
            b'n' => self.word("null", Value::Null),
            b't' => self.word("true", Value::Bool(true)),
            b'f' => self.word("false", Value::Bool(false)),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Option<Value> {
        if !self.text.get(self.at..).unwrap_or_default().starts_with(word.as_bytes()) {
            return self.fail("a value was expected");
        }
        self.at += word.len();
        Some(value)
    }

    fn array(&mut self) -> Option<Value> {
        let mut values = Vec::new();
        while self.more(b']', values.is_empty())? {
            values.push(self.value()?);
        }
        Some(Value::Array(values))
    }

    fn object(&mut self) -> Option<Value> {
        let mut entries = Vec::new();
        while self.more(b'}', entries.is_empty())? {
            if self.peek_past_space() != b'"' {
                return self.fail("a name in quotes was expected");
            }
            let name = self.string()?;
            if self.peek_past_space() != b':' {
                return self.fail("a colon was expected");
            }
            self.at += 1;
            entries.push((name, self.value()?));
        }
        Some(Value::Object(Object::new(entries)))
    }

    /// Returns whether another element follows. Moves past the opening bracket, a comma or the closing bracket.
    fn more(&mut self, close: u8, is_first: bool) -> Option<bool> {
        if is_first {
            self.at += 1;
        }
        let next = self.peek_past_space();
        if next == close {
            self.at += 1;
            return Some(false);
        }
        if !is_first {
            if next != b',' {
                return self.fail("a comma or the closing bracket was expected");
            }
            self.at += 1;
        }
        Some(true)
    }

    fn string(&mut self) -> Option<String> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let start = self.at;
            while !matches!(self.peek(), b'"' | b'\\' | 0..=0x1F) {
                self.at += 1;
            }
            // The slice begins and ends beside ASCII bytes, so it contains whole characters.
            text.push_str(std::str::from_utf8(self.text.get(start..self.at)?).ok()?);
            match self.peek() {
                b'"' => {
                    self.at += 1;
                    return Some(text);
                }
                b'\\' => text.push(self.escaped()?),
                _ => return self.fail("a quote is missing, or a control character isn't escaped"),
            }
        }
    }

    fn escaped(&mut self) -> Option<char> {
        const PROBLEM: &str = "there is no such escape";
        self.at += 1;
        let plain = match self.peek() {
            letter @ (b'"' | b'\\' | b'/') => letter,
            b'b' => 0x08,
            b'f' => 0x0C,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let mut code = self.hex()?;
                let is_pair = (0xD800..0xDC00).contains(&code);
                if is_pair && self.text.get(self.at..).unwrap_or_default().starts_with(b"\\u") {
                    self.at += 1;
                    // If the second half isn't a low surrogate, `code` stays a surrogate, which isn't a `char`.
                    code = match self.hex()? {
                        low @ 0xDC00..0xE000 => 0x1_0000 + ((code - 0xD800) << 10) + (low - 0xDC00),
                        _ => code,
                    };
                }
                let found = char::from_u32(code);
                return if found.is_some() { found } else { self.fail(PROBLEM) };
            }
            _ => return self.fail(PROBLEM),
        };
        self.at += 1;
        Some(plain.into())
    }

    /// Reads the four digits of an escape; `at` is at its `u`, and moves past the digits.
    fn hex(&mut self) -> Option<u32> {
        let mut code = 0;
        for _ in 0..4 {
            self.at += 1;
            let Some(digit) = char::from(self.peek()).to_digit(16) else {
                return self.fail("four hexadecimal digits were expected");
            };
            code = code * 16 + digit;
        }
        self.at += 1;
        Some(code)
    }

    fn number(&mut self) -> Option<Value> {
        let is_negative = self.peek() == b'-';
        self.at += usize::from(is_negative);
        let (mut digits, mut exponent) = (0_u64, 0_i32);
        let starts_with_zero = self.peek() == b'0';
        let whole = self.digits(&mut digits, &mut exponent);
        if whole == 0 || (starts_with_zero && whole > 1) {
            return self.fail(if whole == 0 { "a value was expected" } else { "a number has a leading 0" });
        }
        if self.peek() == b'.' {
            self.at += 1;
            let count = self.digits(&mut digits, &mut exponent);
            if count == 0 {
                return self.fail("a digit was expected");
            }
            exponent = exponent.saturating_sub_unsigned(count);
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.at += 1;
            let is_small = self.peek() == b'-';
            self.at += usize::from(matches!(self.peek(), b'+' | b'-'));
            let (mut power, mut more) = (0, 0);
            if self.digits(&mut power, &mut more) == 0 {
                return self.fail("a digit was expected");
            }
            let power = if more > 0 { i32::MAX } else { i32::try_from(power).unwrap_or(i32::MAX) };
            exponent = exponent.saturating_add(if is_small { -power } else { power });
        }
        let mut number = digits as f64;
        // Powers of ten up to 10^22 are exact, so numbers with a usual count of digits are rounded only once.
        while exponent != 0 && number != 0.0 && number.is_finite() {
            let step = exponent.clamp(-22, 22);
            let power = 10_f64.powi(step.abs());
            number = if step > 0 { number * power } else { number / power };
            exponent -= step;
        }
        if !number.is_finite() {
            return self.fail("the number is too large");
        }
        Some(Value::Number(if is_negative { -number } else { number }))
    }

    /// Reads digits and returns how many there are. Digits beyond a double's precision only raise the exponent.
    fn digits(&mut self, digits: &mut u64, exponent: &mut i32) -> u32 {
        let mut count = 0;
        while self.peek().is_ascii_digit() {
            if *digits < 100_000_000_000_000_000 {
                *digits = *digits * 10 + u64::from(self.peek() - b'0');
            } else {
                *exponent = exponent.saturating_add(1);
            }
            self.at += 1;
            count += 1;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value as Expected;

    fn same(found: &Value, expected: &Expected) -> bool {
        match (found, expected) {
            (Value::Null, Expected::Null) => true,
            (Value::Bool(found), Expected::Bool(expected)) => found == expected,
            (Value::Number(found), Expected::Number(expected)) => {
                // Neither parser guarantees the nearest double for numbers with more digits than a double can hold.
                let expected = expected.as_f64().expect("it is a double");
                (found - expected).abs() <= expected.abs() * 1e-15
            }
            (Value::String(found), Expected::String(expected)) => found == expected,
            (Value::Array(found), Expected::Array(expected)) => {
                found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| same(a, b))
            }
            (Value::Object(found), Expected::Object(expected)) => {
                found.0.len() == expected.len()
                    && found.0.iter().all(|(name, a)| expected.get(name).is_some_and(|b| same(a, b)))
                    && found.0.is_sorted_by(|a, b| a.0 < b.0)
            }
            _ => false,
        }
    }

    #[track_caller]
    fn assert_as_serde_has_it(text: &[u8]) {
        let shown = String::from_utf8_lossy(text).chars().take(200).collect::<String>();
        match (parse(text), serde_json::from_slice::<Expected>(text)) {
            (Ok(found), Ok(expected)) => assert!(same(&found, &expected), "{shown}: {found:?}"),
            (found, expected) => {
                assert_eq!(found.is_ok(), expected.is_ok(), "{shown}: {found:?} {expected:?}")
            }
        }
    }

    #[test]
    fn it_takes_and_refuses_what_serde_takes_and_refuses() {
        let texts: &[&str] = &[
            r#" { "b" : [ 1 , -2.5e3 , true , false , null ] , "a" : { } , "b" : "last" } "#,
            r#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00 é😀""#,
            "",
            " ",
            "nul",
            "nulll",
            "tru",
            "[",
            "]",
            "[1,]",
            "[,1]",
            "[1 2]",
            "{\"a\"}",
            "{\"a\":}",
            "{a:1}",
            "{\"a\":1,}",
            "{\"a\":1 \"b\":2}",
            "[1]]",
            "1 2",
            "'a'",
            "\"",
            "\"\\",
            "\"\\u12",
            "\"\\x\"",
            "\"\n\"",
            "\"\\ud800\"",
            "\"\\ud800\\u0041\"",
            "\"\\udc00\"",
            "\"\\ud800x\"",
            "\"\\u+123\"",
            "\u{feff}1",
            "0",
            "-0",
            "-",
            "+1",
            "01",
            "-01",
            "1.",
            ".5",
            "1.e3",
            "1e",
            "1e+",
            "1E-5",
            "0e9",
            "0e999999999999",
            "1e308",
            "1e309",
            "-1e400",
            "1e-400",
            "123456789012345678901234567890",
            "0.1e1000",
            "NaN",
            "Infinity",
            "0.000000000000000000000000000012345678901234567890",
            "9007199254740993",
            "1e99999999999999999999",
        ];
        texts.iter().for_each(|text| assert_as_serde_has_it(text.as_bytes()));
        assert_as_serde_has_it(b"\"\xFF\"");
        for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
            for depth in [1, 100, 100_000] {
                assert_as_serde_has_it(
                    [open.repeat(depth), "1".to_owned(), close.repeat(depth)].concat().as_bytes(),
                );
            }
        }
    }

    #[test]
    fn damage_is_seen_wherever_serde_sees_it() {
        let whole = include_bytes!("../tests/fixtures/controllers/valid.everything.json");
        for end in 0..whole.len() {
            assert_as_serde_has_it(&whole[..end]);
        }
        let mut seed = 1_u64;
        let mut below = |end: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % end
        };
        for _ in 0..4_000 {
            let mut text = whole.to_vec();
            for _ in 0..2 {
                let at = below(text.len());
                text[at] = b" \"{}[],:01.-+eEu\\nt\x00\xC3"[below(21)];
            }
            assert_as_serde_has_it(&text);
        }
    }

    #[test]
    fn numbers_that_programs_write_are_the_nearest_doubles() {
        for text in
            ["0.1", "-2.5", "1e22", "123456.789", "5e-324", "0.70710678", "1.7976931348623157e308", "1e-7"]
        {
            let expected: f64 = text.parse().expect("a number");
            let found = parse(text.as_bytes()).expect("a number").as_f64().expect("a number");
            assert!((found - expected).abs() <= expected.abs() * 1e-15, "{text}: {found}");
        }
        let mut seed = 9_u32;
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let single = f32::from_bits(seed);
            if single.is_finite() && (1e-12..1e12).contains(&single.abs()) {
                let found = parse(single.to_string().as_bytes()).expect("a number").as_f64();
                assert_eq!(
                    found.map(|number| number as f32),
                    Some(single),
                    "what a file means is what is read"
                );
            }
        }
    }

    #[test]
    fn failures_tell_line_and_column() {
        let place = |text: &str| parse(text.as_bytes()).expect_err("it is broken")[0].clone();
        assert_eq!(place("{\n  \"a\": 1,\n  \"b\": ]\n}"), "line 3 column 8");
        assert_eq!(place("[1, 2"), "line 1 column 6");
        assert_eq!(place(""), "line 1 column 1");
    }

    #[test]
    fn a_hundred_thousand_names_take_no_time() {
        let names: Vec<String> = (0..100_000).rev().map(|nth| format!("\"{nth}\":{nth}")).collect();
        let text = ["{", &names.join(","), "}"].concat();
        let value = parse(text.as_bytes()).expect("it is sound");
        assert_eq!(value.entries().len(), 100_000);
        assert_eq!(value.get("77777").and_then(Value::as_integer), Some(77_777));
    }
}
