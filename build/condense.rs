//! A minifier for WGSL: removes comments and unnecessary white space, and shortens names.
//!
//! - Names are chosen for all files together, since the files of a module share their declarations. Extensions of
//!   materials get theirs last, so that they don't change the text of the others.
//! - Every renamed word gets a distinct short name, so scopes and shadowing aren't affected.
//! - Entry points and overrides keep their names, because Rust refers to them.
//! - Words inside attributes are kept. Therefore attributes can't refer to constants; `tests/shaders.rs` fails if one
//!   does.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Keywords and reserved words of WGSL that have at most two letters, and `gl`: naga numbers names in GLSL, which
/// reserves those that begin with `gl_`.
const RESERVED: [&str; 6] = ["as", "do", "fn", "gl", "if", "of"];

/// A part of a file.
#[derive(Debug, PartialEq)]
pub(crate) struct Part<'a> {
    /// `None` for a part that belongs to every shader. `NAME` or `!NAME` for a part that belongs to shaders with or
    /// without the feature.
    pub(crate) condition: Option<String>,
    pub(crate) text: &'a str,
}

/// Divides a file at the lines `// #if NAME`, `// #else` and `// #end`. The parts don't include these lines.
pub(crate) fn parts(source: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut condition: Option<String> = None;
    let (mut start, mut end) = (0, 0);
    for line in source.split_inclusive('\n') {
        let line_start = end;
        end += line.len();
        let Some(mark) = line.trim().strip_prefix("// #") else { continue };
        let next = match (mark.split_once(' '), &condition) {
            (Some(("if", name)), None) => Some(name.to_owned()),
            (None, Some(name)) if mark == "else" && !name.starts_with('!') => Some(["!", name].concat()),
            (None, Some(_)) if mark == "end" => None,
            _ => panic!("unexpected // #{mark}"),
        };
        let text = &source[start..line_start];
        parts.push(Part { condition: std::mem::replace(&mut condition, next), text });
        start = end;
    }
    assert_eq!(condition, None, "no // #end");
    parts.push(Part { condition, text: &source[start..] });
    parts
}

/// Joins the parts of a file after applying `condensed` to each text. A conditional part is written as `#`, its
/// condition, a line break, its text, and `#`.
pub(crate) fn joined(parts: &[Part<'_>], condensed: impl Fn(&str) -> String) -> String {
    let texts = parts.iter().map(|Part { condition, text }| {
        let text = condensed(text.trim_start_matches(' '));
        condition.as_ref().map_or_else(|| text.clone(), |condition| format!("#{condition}\n{text}#"))
    });
    texts.collect()
}

/// Returns the text without comments and indentation. Line numbers are kept, so that error messages of browsers refer
/// to the right lines.
pub(crate) fn with_names(source: &str) -> String {
    let mut text = String::new();
    for token in tokens(source) {
        match token.gap.matches('\n').count() {
            0 if !token.gap.is_empty() => text.push(' '),
            line_count => text.extend(std::iter::repeat_n('\n', line_count)),
        }
        text.push_str(token.text);
    }
    text
}

/// Short names for the declarations of a set of files.
#[derive(Debug, Default)]
pub(crate) struct ShortNames<'a> {
    words: Words<'a>,
    by_name: BTreeMap<&'a str, String>,
}

impl<'a> ShortNames<'a> {
    /// Chooses names for the words of further texts. The names that were chosen before stay. The most frequent words
    /// get the shortest ones; equally frequent words are in alphabetical order.
    pub(crate) fn add(&mut self, texts: impl IntoIterator<Item = &'a str>) {
        texts.into_iter().for_each(|text| self.words.read(text));
        let Self { words, by_name } = self;
        let (mut renamed, kept): (Vec<_>, Vec<_>) =
            words.uses.iter().map(|(name, count)| (*name, *count)).partition(|(name, _)| words.renames(name));
        let renamed_before = renamed.iter().filter(|(name, _)| by_name.contains_key(name)).count();
        assert_eq!(renamed_before, by_name.len(), "a word that was declared is a builtin now");
        renamed.retain(|(name, _)| !by_name.contains_key(name));
        renamed.sort_by_key(|(name, count)| (Reverse(*count), *name));

        let mut taken: BTreeSet<&str> = by_name.values().map(String::as_str).collect();
        for (name, _) in kept {
            assert!(taken.insert(name), "{name} is a short name already");
        }
        let free = candidates().filter(|candidate| !taken.contains(candidate.as_str()));
        let added: Vec<_> = renamed.iter().map(|(name, _)| *name).zip(free).collect();
        assert_eq!(added.len(), renamed.len(), "two letters don't suffice for every name");
        by_name.extend(added);
    }

    /// Returns the text with short names, and with white space only between tokens that would otherwise merge.
    pub(crate) fn apply(&self, source: &str) -> String {
        let mut text = String::new();
        for token in tokens(source) {
            let short = self.by_name.get(token.text).filter(|_| !token.in_attribute);
            let token_text = short.map_or(token.text, String::as_str);
            if !token.gap.is_empty() && would_merge(&text, token_text) {
                text.push(' ');
            }
            text.push_str(token_text);
        }
        text
    }
}

/// Iterates over the available short names: one letter, then two.
fn candidates() -> impl Iterator<Item = String> {
    let letters = || ('a'..='z').chain('A'..='Z');
    let pairs = letters().flat_map(move |first| letters().map(move |second| format!("{first}{second}")));
    letters()
        .map(String::from)
        .chain(pairs)
        .filter(|name| !is_swizzle(name) && !RESERVED.contains(&name.as_str()))
}

fn is_swizzle(name: &str) -> bool {
    let is_made_of = |letters: &str| name.chars().all(|letter| letters.contains(letter));
    name.len() <= 4 && (is_made_of("xyzw") || is_made_of("rgba"))
}

/// Returns whether two adjacent tokens would be parsed differently without white space, like `1` and `u`, or `-` and
/// `-`.
fn would_merge(before: &str, after: &str) -> bool {
    let (Some(last), Some(first)) = (before.chars().last(), after.chars().next()) else { return false };
    let is_in_words = |letter: char| is_in_name(letter) || letter == '.';
    match (last, first) {
        ('-', '>') | ('/', '*') => true,
        ('+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '<' | '>' | '!' | '=', '=') => true,
        ('+' | '-' | '/' | '&' | '|' | '<' | '>', first) => first == last,
        _ => is_in_words(last) && is_in_words(first),
    }
}

/// The words of a set of files outside of attributes, and their roles.
#[derive(Debug, Default)]
struct Words<'a> {
    uses: BTreeMap<&'a str, usize>,
    declared: BTreeSet<&'a str>,
    /// Words that are called or used as types.
    called_or_types: BTreeSet<&'a str>,
    /// Functions and types that are declared in the files.
    callable: BTreeSet<&'a str>,
    /// Words that aren't renamed: entry points, overrides, and address spaces with access modes.
    fixed: BTreeSet<&'a str>,
}

impl<'a> Words<'a> {
    fn read(&mut self, source: &'a str) {
        let tokens = tokens(source);
        let text_at = |at: usize| tokens.get(at).map_or("", |token| token.text);
        let mut follows_stage = false;
        // The last two tokens outside attributes.
        let mut before = ["", ""];
        for (at, token) in tokens.iter().enumerate() {
            if token.in_attribute {
                follows_stage |= ["vertex", "fragment", "compute"].contains(&token.text);
                continue;
            }
            if token.text == "@" {
                continue;
            }
            let follows = before;
            before = [follows[1], token.text];
            if !is_name(token.text) {
                continue;
            }
            *self.uses.entry(token.text).or_default() += 1;
            let next = text_at(at + 1);
            if next == "(" || follows[1] == ":" || follows == ["-", ">"] {
                self.called_or_types.extend([token.text]);
            }
            match token.text {
                "fn" if std::mem::take(&mut follows_stage) => self.fixed.extend([next]),
                "override" => self.fixed.extend([next]),
                "fn" | "struct" | "alias" => {
                    self.declared.extend([next]);
                    self.callable.extend([next]);
                }
                "var" if next == "<" => {
                    let space = tokens[at + 2..].iter().map(|token| token.text);
                    let space: Vec<&str> = space.take_while(|text| *text != ">").collect();
                    self.declared.extend([text_at(at + 2 + space.len() + 1)]);
                    self.fixed.extend(space);
                }
                "let" | "const" | "var" => self.declared.extend([next]),
                "default" => {}
                name if next == ":" => self.declared.extend([name]),
                _ => {}
            }
        }
    }

    /// Returns whether a word gets a short name: it is declared in the files, isn't also used as a builtin, and isn't
    /// fixed or a swizzle.
    fn renames(&self, word: &str) -> bool {
        let is_builtin = self.called_or_types.contains(word) && !self.callable.contains(word);
        self.declared.contains(word) && !is_builtin && !self.fixed.contains(word) && !is_swizzle(word)
    }
}

/// A name, a number or a punctuation mark. The last token of a file has an empty text.
struct Token<'a> {
    /// White space and comments before the token.
    gap: &'a str,
    text: &'a str,
    /// Whether the token is the name of an attribute or is inside its parentheses.
    in_attribute: bool,
}

fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut found: Vec<Token> = Vec::new();
    let mut rest = source;
    // Number of open parentheses since the attribute's name.
    let mut depth = 0;
    loop {
        let (gap, after_gap) = rest.split_at(gap_length(rest));
        let (text, after) = after_gap.split_at(token_length(after_gap));
        rest = after;
        let before = found.last();
        let follows_name = before.is_some_and(|before| before.in_attribute && is_name(before.text));
        let in_attribute = depth > 0
            || text == "(" && follows_name
            || before.is_some_and(|before| before.text == "@" && !before.in_attribute);
        if in_attribute {
            depth += usize::from(text == "(");
            depth -= usize::from(text == ")");
        }
        found.push(Token { gap, text, in_attribute });
        if text.is_empty() {
            return found;
        }
    }
}

/// Returns the length in bytes of the white space and comments at the start of a text.
fn gap_length(text: &str) -> usize {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") {
            rest = &rest[block_comment_length(rest)..];
        } else {
            return text.len() - rest.len();
        }
    }
}

/// Returns the length in bytes of the block comment at the start of a text. In WGSL, block comments nest.
fn block_comment_length(text: &str) -> usize {
    let (mut at, mut depth) = (0, 0);
    while at < text.len() {
        let pair = text.get(at..at + 2);
        match pair {
            Some("/*") => depth += 1,
            Some("*/") => depth -= 1,
            _ => {}
        }
        at += if matches!(pair, Some("/*" | "*/")) { 2 } else { 1 };
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

fn token_length(text: &str) -> usize {
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return 0 };
    let second_is_digit = letters.next().is_some_and(|second| second.is_ascii_digit());
    if first.is_ascii_digit() || first == '.' && second_is_digit {
        return number_length(text);
    }
    if is_in_name(first) {
        return text.find(|letter| !is_in_name(letter)).unwrap_or(text.len());
    }
    first.len_utf8()
}

/// Returns the length in bytes of the number at the start of a text, including the sign after the exponent's letter,
/// which is `p` in hexadecimal.
fn number_length(text: &str) -> usize {
    let exponents = if text.starts_with("0x") || text.starts_with("0X") { ['p', 'P'] } else { ['e', 'E'] };
    let mut before = ' ';
    text.find(|letter| {
        let is_exponents_sign = ['+', '-'].contains(&letter) && exponents.contains(&before);
        before = letter;
        !(is_in_name(letter) || letter == '.' || is_exponents_sign)
    })
    .unwrap_or(text.len())
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| is_in_name(first) && !first.is_ascii_digit())
}

fn is_in_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::{Part, ShortNames, candidates, joined, parts, with_names};

    fn names<'a>(texts: impl IntoIterator<Item = &'a str>) -> ShortNames<'a> {
        let mut names = ShortNames::default();
        names.add(texts);
        names
    }

    fn short(source: &str) -> String {
        names([source]).apply(source)
    }

    #[test]
    fn comments_and_indentation_go_and_lines_stay() {
        let source = "// a\nfn f() {\n    return 4 / 2; // half\n}\n/* two\nlines */\n// end";
        assert_eq!(with_names(source), "\nfn f() {\nreturn 4 / 2;\n}\n\n\n");
    }

    #[test]
    fn block_comments_nest_and_separate() {
        assert_eq!(short("const/* é /* b */ c */one = 1;/* open"), "const c=1;");
    }

    #[test]
    fn operators_stay_apart_where_they_would_merge() {
        let source = "a - -b + +c & &d / *e < < f > = g - > h - 1 * -2 !i = = j == k";
        assert_eq!(short(source), "a- -b+ +c& &d/ *e< <f> =g- >h-1*-2!i= =j==k");
    }

    #[test]
    fn numbers_are_one_token() {
        assert_eq!(short("1e-3 - 0x1e - 3 - 0x1p-3 + .5 + 1. - 2u"), "1e-3-0x1e-3-0x1p-3+.5+1.-2u");
        assert_eq!(short("return .5; return 1. ; x. y"), "return .5;return 1.;x. y");
    }

    #[test]
    fn templates_keep_their_brackets() {
        let source = "var<storage, read> rows : array<vec2<f32>, 4>;\nlet less = rows[0].x < rows[1].x;";
        assert_eq!(short(source), "var<storage,read>c:array<vec2<f32>,4>;let d=c[0].x<c[1].x;");
    }

    #[test]
    fn attributes_and_entry_points_stay() {
        let source =
            "struct Corner { @builtin(position) @invariant position: vec4f, @location(0) location: f32, }
            @vertex fn corner_vertex(vertex: Corner) -> @builtin(position) vec4f { return vertex.position; }
            @fragment @must_use fn shown() -> @location(0) vec4f { return vec4f(); }
            override strength: f32;";
        assert_eq!(
            short(source),
            "struct c{@builtin(position)@invariant d:vec4f,@location(0)f:f32,}\
             @vertex fn corner_vertex(e:c)->@builtin(position)vec4f{return e.d;}\
             @fragment@must_use fn shown()->@location(0)vec4f{return vec4f();}\
             override strength:f32;"
        );
    }

    #[test]
    fn builtins_and_swizzles_stay() {
        let source = "fn reach(length: vec4f, x: f32, at: f32) -> f32 { return length(length.xy) + at + x; }
            fn uv(uv: vec2f) -> vec2f { return uv(uv.yx); }
            fn sampled(sampler: f32) -> @location(0) bool { let bool = sampler < 1.0; return bool; }
            @group(0) @binding(0) var smooth: sampler;
            fn pick(at: u32) { switch at { case 0: {} default: {} } }";
        let text = short(source);
        assert!(text.contains("(length:vec4f,x:f32,c:f32)->f32{return length(length.xy)+c+x;}"), "{text}");
        assert!(text.contains("fn d(d:vec2f)->vec2f{return d(d.yx);}"), "{text}");
        assert!(
            text.contains("(sampler:f32)->@location(0)bool{let bool=sampler<1.0;return bool;}"),
            "{text}"
        );
        assert!(text.contains(":sampler;"), "{text}");
        assert!(text.contains("switch c{case 0:{}default:{}}"), "{text}");
    }

    #[test]
    fn files_share_names_and_frequent_names_are_the_shortest() {
        let (first, second) = ("const often = 1; const c = often;", "const rare = often + often + c;");
        let names = names([first, second]);
        assert_eq!(names.apply(first), "const c=1;const d=c;");
        assert_eq!(names.apply(second), "const e=c+c+d;");
    }

    #[test]
    fn conditional_parts_are_marked() {
        let source = "a;\n  // #if one\n  b;\n  // #else\n  c;\n  // #end\n  d;\n";
        let found = parts(source);
        let part = |condition: Option<&str>, text| Part { condition: condition.map(str::to_owned), text };
        let [one, other] = [part(Some("one"), "  b;\n"), part(Some("!one"), "  c;\n")];
        assert_eq!(found, [part(None, "a;\n"), one, other, part(None, "  d;\n")]);
        assert_eq!(joined(&found, with_names), "a;\n#one\nb;\n##!one\nc;\n#d;\n");
        for wrong in ["// #if a\n", "// #end\n", "// #else\n", "// #if a\n// #if b\n", "// #elif a\n"] {
            assert!(std::panic::catch_unwind(|| parts(wrong).len()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_that_were_chosen_stay() {
        let (core, part) = ("const often = 1; const one = often;", "const two = one + one + one + one;");
        let mut names = names([core]);
        names.add([part]);
        assert_eq!(names.apply(core), "const c=1;const d=c;");
        assert_eq!(names.apply(part), "const e=d+d+d+d;");
    }

    #[test]
    fn short_names_are_free() {
        // The files don't declare `c` and `cc`, so these keep their meaning.
        let source = "const one = c + cc; const two = one;";
        assert_eq!(short(source), "const d=c+cc;const e=d;");
        let all: Vec<String> = candidates().collect();
        for taken in ["x", "g", "xy", "ba", "if", "do", "as", "fn", "gl", "of"] {
            assert!(!all.iter().any(|name| name == taken), "{taken}");
        }
        assert!(all.iter().any(|name| name == "xa"));
    }
}
