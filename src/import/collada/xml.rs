//! The file as a tree of elements, with their places in the text.
//!
//! Names are compared without their namespace: 1.4.1 and 1.5 differ in it and in little else that matters here.
use crate::import::{ImportError, ImportProblem};
use crate::refusal::shortened;
use roxmltree::{Document, Node, NodeId, ParsingOptions};
use std::cell::Cell;
use std::collections::HashMap;

/// Index of an element. Indices ascend in document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Id(u32);

pub(super) struct File<'a> {
    tree: &'a Document<'a>,
    /// Elements by `id`. If several share an id, the first is used.
    by_id: HashMap<&'a str, Id>,
    /// Elements by parent and `sid`. If several match, the first is used.
    by_sid: HashMap<(Id, &'a str), Id>,
    /// Elements by `sid`, in document order.
    all_by_sid: HashMap<&'a str, Vec<Id>>,
    line_starts: Vec<usize>,
    /// Number of characters before each block of the text. It speeds up columns in a file without line breaks.
    characters_before: Vec<usize>,
    /// The first element whose numbers have decimal commas.
    with_commas: Cell<Option<Id>>,
}

const BLOCK_BYTES: usize = 1024;

/// Parses the XML.
///
/// # Errors
/// If the text isn't well-formed XML, isn't Collada, or is made to exhaust the parser.
pub(super) fn parse(text: &str) -> Result<Document<'_>, ImportError> {
    guard(text)?;
    let tree = Document::parse_with_options(text, ParsingOptions::default()).map_err(|error| {
        let at = error.pos();
        let place = format!("line {} column {}", at.row, at.col);
        // The message ends in the place.
        let found = error.to_string();
        let found = found.rsplit_once(" at ").map_or(found.as_str(), |(what, _)| what).to_owned();
        match text.contains("COLLADA") {
            true => ImportProblem::SyntaxInvalid.at(place, found),
            false => ImportProblem::NotAModel.at("byte 0".into(), "XML without Collada".into()),
        }
    })?;
    let name = tree.root_element().tag_name().name();
    if name != "COLLADA" {
        let found = format!("XML of <{name}>");
        return Err(ImportProblem::NotAModel.at("byte 0".into(), found));
    }
    Ok(tree)
}

/// Refuses text for which the parser takes quadratic time. The parser compares each attribute of an element with
/// those before it, and copies each namespace prefix to every element below that declares another.
fn guard(text: &str) -> Result<(), ImportError> {
    // Exporters write ten or so.
    const MAX_ATTRIBUTES: usize = 256;
    const MAX_PREFIXES: usize = 256;
    let found = if text.matches("xmlns:").count() > MAX_PREFIXES {
        "too many namespaces"
    } else if has_crowded_tag(text, MAX_ATTRIBUTES) {
        "an element with too many attributes"
    } else {
        return Ok(());
    };
    Err(ImportProblem::SyntaxInvalid.at("line 1 column 1".into(), found.into()))
}

fn has_crowded_tag(text: &str, most: usize) -> bool {
    let mut rest = text;
    while let Some((_, tag)) = rest.split_once('<') {
        let (inside, after) = if let Some(comment) = tag.strip_prefix("!--") {
            ("", comment.split_once("-->").map_or("", |(_, after)| after))
        } else if let Some(data) = tag.strip_prefix("![CDATA[") {
            ("", data.split_once("]]>").map_or("", |(_, after)| after))
        } else {
            tag.split_once('>').unwrap_or((tag, ""))
        };
        if inside.bytes().filter(|&byte| byte == b'=').count() > most {
            return true;
        }
        rest = after;
    }
    false
}

impl<'a> File<'a> {
    pub(super) fn new(tree: &'a Document<'a>) -> Self {
        let mut by_id = HashMap::new();
        let mut by_sid = HashMap::new();
        let mut all_by_sid: HashMap<_, Vec<Id>> = HashMap::new();
        for node in tree.descendants().filter(Node::is_element) {
            if let Some(id) = node.attribute("id") {
                by_id.entry(id).or_insert(Id(node.id().get()));
            }
            if let (Some(sid), Some(parent)) = (node.attribute("sid"), node.parent()) {
                by_sid.entry((Id(parent.id().get()), sid)).or_insert(Id(node.id().get()));
                all_by_sid.entry(sid).or_default().push(Id(node.id().get()));
            }
        }
        let text = tree.input_text();
        let line_starts = [0].into_iter().chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let mut characters_before = vec![0];
        let mut count = 0;
        for block in text.as_bytes().chunks(BLOCK_BYTES) {
            count += character_count(block);
            characters_before.push(count);
        }
        Self { tree, by_id, by_sid, all_by_sid, line_starts, characters_before, with_commas: Cell::new(None) }
    }

    /// Returns the first element whose numbers have decimal commas.
    pub(super) fn with_commas(&'a self) -> Option<Element<'a>> {
        self.element(self.with_commas.get()?)
    }

    pub(super) fn root(&'a self) -> Element<'a> {
        Element { node: self.tree.root_element(), file: self }
    }

    pub(super) fn element(&'a self, id: Id) -> Option<Element<'a>> {
        self.tree.get_node(NodeId::new(id.0)).map(|node| Element { node, file: self })
    }

    pub(super) fn by_id(&'a self, id: &str) -> Option<Element<'a>> {
        self.element(*self.by_id.get(id)?)
    }

    /// Returns the element that `#id` refers to; `None` also for a reference to another file.
    pub(super) fn by_url(&'a self, url: &str) -> Option<Element<'a>> {
        let url = url.trim();
        self.by_id(url.strip_prefix('#').unwrap_or(url))
    }

    fn place(&self, byte: usize) -> String {
        let line = self.line_starts.partition_point(|&start| start <= byte);
        let start = self.line_starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let column = 1 + self.characters_before(byte) - self.characters_before(start);
        format!("line {line} column {column}")
    }

    fn characters_before(&self, byte: usize) -> usize {
        let block = byte / BLOCK_BYTES;
        let in_block = self.tree.input_text().as_bytes().get(block * BLOCK_BYTES..byte).unwrap_or_default();
        self.characters_before.get(block).copied().unwrap_or(0) + character_count(in_block)
    }
}

/// Counts the characters that begin in these bytes of UTF-8.
fn character_count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

#[derive(Clone, Copy)]
pub(super) struct Element<'a> {
    node: Node<'a, 'a>,
    file: &'a File<'a>,
}

impl<'a> Element<'a> {
    pub(super) fn id(self) -> Id {
        Id(self.node.id().get())
    }

    pub(super) fn tag(self) -> &'a str {
        self.node.tag_name().name()
    }

    pub(super) fn attribute(self, name: &str) -> Option<&'a str> {
        self.node.attribute(name)
    }

    /// Returns `name`, or else `id`, or else an empty string.
    pub(super) fn label(self) -> &'a str {
        let given = |name| self.attribute(name).filter(|text| !text.is_empty());
        given("name").or_else(|| given("id")).unwrap_or_default()
    }

    pub(super) fn parent(self) -> Option<Self> {
        self.node.parent_element().map(|node| Self { node, ..self })
    }

    pub(super) fn children(self) -> impl DoubleEndedIterator<Item = Self> {
        self.node.children().filter(Node::is_element).map(move |node| Self { node, ..self })
    }

    pub(super) fn children_named(self, tag: &str) -> impl DoubleEndedIterator<Item = Self> {
        self.children().filter(move |child| child.tag() == tag)
    }

    pub(super) fn child(self, tag: &str) -> Option<Self> {
        self.children_named(tag).next()
    }

    /// Returns the element at the end of a path of tags, by the first child of each name.
    pub(super) fn descend(self, tags: &[&str]) -> Option<Self> {
        tags.iter().try_fold(self, |element, tag| element.child(tag))
    }

    /// Returns every element below, in document order.
    pub(super) fn descendants(self) -> impl Iterator<Item = Self> {
        self.node.descendants().skip(1).filter(Node::is_element).map(move |node| Self { node, ..self })
    }

    /// Returns the child with this `sid`.
    pub(super) fn child_by_sid(self, sid: &str) -> Option<Self> {
        self.file.element(*self.file.by_sid.get(&(self.id(), sid))?)
    }

    /// Returns the first element below with this `sid`, at any depth.
    pub(super) fn descendant_by_sid(self, sid: &str) -> Option<Self> {
        let all = self.file.all_by_sid.get(sid)?;
        let first = all.get(all.partition_point(|id| *id <= self.id()))?;
        self.file.element(*first).filter(|found| self.contains(*found))
    }

    /// Returns whether `other` is this element or inside it.
    pub(super) fn contains(self, other: Self) -> bool {
        self.node.range().contains(&other.node.range().start)
    }

    /// Returns the text up to the first child or comment, trimmed.
    pub(super) fn text(self) -> &'a str {
        self.node.text().unwrap_or_default().trim()
    }

    /// Returns the words of the element's text, including text after comments.
    pub(super) fn words(self) -> impl Iterator<Item = &'a str> {
        let texts = self.node.children().filter(Node::is_text).filter_map(|node| node.text());
        texts.flat_map(str::split_ascii_whitespace)
    }

    /// Returns the element's numbers. Decimal commas are accepted only if the attribute `count` equals their count.
    ///
    /// # Errors
    /// If a word isn't a number. Infinity and NaN are accepted.
    pub(super) fn numbers(self) -> Result<Vec<f64>, ImportError> {
        let expected = self.attribute("count").and_then(|count| count.trim().parse().ok());
        self.numbers_counted(|count| expected == Some(count))
    }

    /// Returns the element's numbers. Decimal commas are accepted only if `is_expected` returns true for the count of
    /// numbers, since “0,5 1,5” may be two numbers or four.
    pub(super) fn numbers_counted(
        self,
        is_expected: impl Fn(usize) -> bool,
    ) -> Result<Vec<f64>, ImportError> {
        let mut numbers = Vec::new();
        let mut with_comma = None;
        for word in self.words() {
            numbers.push(match number(word) {
                Some(number) => number,
                None => {
                    with_comma = with_comma.or(Some(word));
                    decimal(word).ok_or_else(|| self.no_number(word))?
                }
            });
        }
        if let Some(word) = with_comma {
            if !is_expected(numbers.len()) {
                return Err(self.no_number(word));
            }
            self.file.with_commas.set(self.file.with_commas.get().or(Some(self.id())));
        }
        Ok(numbers)
    }

    /// Returns exactly `N` numbers, all finite.
    pub(super) fn array<const N: usize>(self) -> Result<[f64; N], ImportError> {
        let numbers = self.numbers_counted(|count| count == N)?;
        let array = <[f64; N]>::try_from(numbers).map_err(|numbers| {
            ImportProblem::CountWrong
                .at(self.place(), format!("{} numbers instead of {N} in <{}>", numbers.len(), self.tag()))
        })?;
        match array.iter().all(|number| fits_single(*number)) {
            true => Ok(array),
            false => Err(self.not_finite()),
        }
    }

    /// Returns indices or counts; −1, which stands for none, becomes `u32::MAX`.
    pub(super) fn indices(self) -> Result<Vec<u32>, ImportError> {
        let mut indices = Vec::new();
        for word in self.words() {
            let index = if word == "-1" { Some(u32::MAX) } else { word.parse().ok() };
            indices.push(index.ok_or_else(|| self.no_number(word))?);
        }
        Ok(indices)
    }

    /// Returns an attribute that is a whole number; `None` if it is absent.
    pub(super) fn count(self, name: &str) -> Result<Option<usize>, ImportError> {
        let Some(text) = self.attribute(name) else { return Ok(None) };
        text.trim().parse().map(Some).map_err(|_| self.no_number(text))
    }

    /// Returns the element that an attribute refers to.
    ///
    /// # Errors
    /// If the attribute is missing or refers to no element.
    pub(super) fn target(self, attribute: &str) -> Result<Self, ImportError> {
        let Some(url) = self.attribute(attribute) else {
            let found = format!("no {attribute} on <{}>", self.tag());
            return Err(ImportProblem::ElementMissing.at(self.place(), found));
        };
        self.file.by_url(url).ok_or_else(|| self.unknown(url))
    }

    /// Returns the first child with this tag.
    ///
    /// # Errors
    /// If there is no such child.
    pub(super) fn expect(self, tag: &str) -> Result<Self, ImportError> {
        self.child(tag).ok_or_else(|| self.missing(tag))
    }

    pub(super) fn missing(self, tag: &str) -> ImportError {
        let found = format!("no <{tag}> in <{}>", self.tag());
        ImportProblem::ElementMissing.at(self.place(), found)
    }

    pub(super) fn unknown(self, name: &str) -> ImportError {
        let found = shortened(name).to_owned();
        ImportProblem::NameUnknown.at(self.place(), found)
    }

    pub(super) fn not_finite(self) -> ImportError {
        ImportProblem::ValueNotFinite.at(self.place(), format!("a number of <{}>", self.tag()))
    }

    /// Returns the element's place, such as `line 3 column 7`.
    pub(super) fn place(self) -> String {
        self.file.place(self.node.range().start)
    }

    fn no_number(self, word: &str) -> ImportError {
        let found = format!("“{}” in <{}>", shortened(word), self.tag());
        // A word is part of the input, unless entities in it were replaced. Then the element's place is used.
        let text = self.node.document().input_text();
        let offset = (word.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
        let place = if offset < text.len() { self.file.place(offset) } else { self.place() };
        match word.contains(',') {
            true => ImportProblem::CommaInNumbers.at(place, found),
            false => ImportProblem::SyntaxInvalid.at(place, found),
        }
    }
}

/// Parses one number with a point or a comma: exporters on a machine set to German or French write “0,5”.
pub(super) fn decimal(text: &str) -> Option<f64> {
    let word = text.trim();
    number(word).or_else(|| {
        let (whole, fraction) = word.split_once(',')?;
        let is_decimal = whole.ends_with(|letter: char| letter.is_ascii_digit())
            && fraction.starts_with(|letter: char| letter.is_ascii_digit())
            && !whole.contains(['.', 'e', 'E']);
        number(&[whole, ".", fraction].concat()).filter(|_| is_decimal)
    })
}

/// Parses a number as XML Schema writes it, or NaN as old C libraries write it.
fn number(word: &str) -> Option<f64> {
    word.parse().ok().or_else(|| {
        let unsigned = word.trim_start_matches(['+', '-']);
        ["1.#", "1,#", "nan"].iter().any(|start| unsigned.starts_with(start)).then_some(f64::NAN)
    })
}

/// Returns whether a number's magnitude is at most the largest `f32`.
pub(super) fn fits_single(number: f64) -> bool {
    number.abs() <= f64::from(f32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code_of(text: &str) -> &'static str {
        parse(text).map_or_else(|error| error.code(), |_| "")
    }

    #[test]
    fn elements_know_their_line_and_column() {
        let text = "<COLLADA>\n  <ä/><float_array id='a'>1 2\n x</float_array></COLLADA>";
        let tree = parse(text).unwrap();
        let file = File::new(&tree);
        let array = file.by_url("#a").unwrap();
        assert_eq!(array.place(), "line 2 column 7");
        let error = array.numbers().unwrap_err();
        assert_eq!((error.code(), error.place()), ("SYNTAX_INVALID", "line 3 column 2"));
    }

    #[test]
    fn numbers_are_read_as_every_exporter_writes_them() {
        for (word, value) in [("1", 1.0), ("-2.5E-3", -2.5e-3), ("+.5", 0.5), ("INF", f64::INFINITY)] {
            assert_eq!(number(word), Some(value), "{word}");
        }
        for word in ["NaN", "nan(ind)", "-1.#IND", "-nan"] {
            assert!(number(word).is_some_and(f64::is_nan), "{word}");
        }
        for word in ["", "x", "1,5", "0x10"] {
            assert_eq!(number(word), None, "{word}");
        }
        for (word, value) in [("1,5", 1.5), ("-0,25E-2", -0.0025), ("3", 3.0), ("0.5", 0.5)] {
            assert_eq!(decimal(word), Some(value), "{word}");
        }
        for word in ["1,", ",5", "1,5,2", "1.5,2", "1,2.5", "1e3,5", "1,x", ","] {
            assert_eq!(decimal(word), None, "{word}");
        }
    }

    #[test]
    fn what_is_made_to_exhaust_a_parser_is_refused() {
        let entities = "<!DOCTYPE COLLADA [<!ENTITY a \"b\">]><COLLADA>&a;</COLLADA>";
        let attributes: String = (0..1000).map(|number| format!(" a{number}='='")).collect();
        let prefixes: String = (0..1000).map(|number| format!("<a xmlns:a{number}='b'>")).collect();
        for text in [entities, &format!("<COLLADA{attributes}/>"), &format!("<COLLADA>{prefixes}")] {
            assert_eq!(code_of(text), "SYNTAX_INVALID");
        }
        let ruled =
            format!("<COLLADA><!-- {} --><a><![CDATA[{}]]></a></COLLADA>", "=".repeat(999), "=".repeat(999));
        assert_eq!(code_of(&ruled), "");
        assert_eq!(code_of("<html/>"), "NOT_A_MODEL");
        assert_eq!(code_of("<?xml version='1.0'?>"), "NOT_A_MODEL");
    }
}
