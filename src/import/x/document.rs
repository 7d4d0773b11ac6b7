//! The data objects of a file: kinds, names, values and nested objects, independent of the encoding.
//!
//! Templates define how values are grouped. The templates of all kinds read here are known, so an object's values are
//! kept as one list of numbers and one of strings. Template definitions and objects of other kinds are skipped.
use super::fields::Fields;
use super::source::{Encoding, Source};
use super::tokens::{Placed, Token, Tokens};
use crate::import::budget::Budget;
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem, ImportReport};
use std::collections::{BTreeMap, BTreeSet};

pub(super) struct Document<'a> {
    pub(super) source: &'a Source<'a>,
    /// All objects, each before its descendants.
    records: Vec<Record<'a>>,
    numbers: Vec<f64>,
    strings: Vec<&'a [u8]>,
    /// Index of the first object of each kind and name.
    named: BTreeMap<(Kind, &'a [u8]), usize>,
}

struct Record<'a> {
    kind: Kind,
    name: &'a [u8],
    at: usize,
    /// Index past the last descendant.
    end: usize,
    first_number: usize,
    last_number: usize,
    first_string: usize,
    last_string: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    AnimTicksPerSecond,
    Animation,
    AnimationKey,
    AnimationSet,
    DeclData,
    EffectInstance,
    EffectParamString,
    EffectString,
    Frame,
    FrameTransformMatrix,
    FvfData,
    Material,
    Mesh,
    MeshMaterialList,
    MeshNormals,
    MeshTextureCoords,
    MeshVertexColors,
    SkinWeights,
    TextureFilename,
    VertexDuplicationIndices,
    /// `{ name }`: a reference to an object defined elsewhere.
    Reference,
}

enum Recognized {
    Read(Kind),
    /// A known kind whose contents a model doesn't store.
    Skipped,
    Unknown,
}

fn known(kind: &[u8]) -> Recognized {
    // Exporters differ in capitals: TextureFilename, TextureFileName.
    Recognized::Read(match kind.to_ascii_lowercase().as_slice() {
        b"animtickspersecond" => Kind::AnimTicksPerSecond,
        b"animation" => Kind::Animation,
        b"animationkey" => Kind::AnimationKey,
        b"animationset" => Kind::AnimationSet,
        b"decldata" => Kind::DeclData,
        b"effectinstance" => Kind::EffectInstance,
        b"effectparamstring" => Kind::EffectParamString,
        b"effectstring" => Kind::EffectString,
        b"frame" => Kind::Frame,
        b"frametransformmatrix" => Kind::FrameTransformMatrix,
        b"fvfdata" => Kind::FvfData,
        b"material" => Kind::Material,
        b"mesh" => Kind::Mesh,
        b"meshmateriallist" => Kind::MeshMaterialList,
        b"meshnormals" => Kind::MeshNormals,
        b"meshtexturecoords" => Kind::MeshTextureCoords,
        b"meshvertexcolors" => Kind::MeshVertexColors,
        b"skinweights" => Kind::SkinWeights,
        b"texturefilename" => Kind::TextureFilename,
        b"vertexduplicationindices" => Kind::VertexDuplicationIndices,
        b"animationoptions" | b"effectdword" | b"effectfloats" | b"effectparamdword"
        | b"effectparamfloats" | b"faceadjacency" | b"header" | b"meshfacewraps" | b"pminfo"
        | b"xskinmeshheader" => return Recognized::Skipped,
        _ => return Recognized::Unknown,
    })
}

/// Reads all objects, without recursion, since the file's length is the only limit to nesting.
pub(super) fn parse<'a>(
    source: &'a Source<'a>,
    budget: &Budget,
    report: &mut ImportReport,
) -> Result<Document<'a>, ImportError> {
    let document = Document {
        source,
        records: Vec::new(),
        numbers: Vec::new(),
        strings: Vec::new(),
        named: BTreeMap::new(),
    };
    let mut parser = Parser {
        document,
        tokens: Tokens::new(source, source.start),
        budget,
        report,
        open: Vec::new(),
        unknown: BTreeSet::new(),
    };
    while let Some(placed) = parser.tokens.next()? {
        parser.read(placed)?;
    }
    match parser.open.last().and_then(|index| parser.document.records.get(*index)) {
        Some(record) => Err(parser.truncated(record.at)),
        None => Ok(parser.document),
    }
}

struct Parser<'a, 'r> {
    document: Document<'a>,
    tokens: Tokens<'a>,
    budget: &'r Budget,
    report: &'r mut ImportReport,
    /// Indices of the objects that haven't ended yet.
    open: Vec<usize>,
    /// Unknown kinds that are reported already.
    unknown: BTreeSet<&'a [u8]>,
}

impl<'a> Parser<'a, '_> {
    fn read(&mut self, placed: Placed<'a>) -> Result<(), ImportError> {
        match placed.token {
            Token::Number(number) => self.number(number, placed.start)?,
            Token::String(string) => self.string(string, placed.start)?,
            Token::Name(kind) => self.object(kind, placed)?,
            Token::Open => self.reference(placed)?,
            Token::Close => self.close(placed),
            Token::Template => {
                self.skip_to_open_brace(placed)?;
                self.skip_body(placed.start)?;
            }
            Token::Guid | Token::Separator => {}
        }
        Ok(())
    }

    /// Returns the object whose values are being read, if any. An object's values precede the objects nested in it.
    fn latest(&mut self) -> Option<&mut Record<'a>> {
        let last = self.document.records.len().checked_sub(1)?;
        self.document.records.last_mut().filter(|_| self.open.last() == Some(&last))
    }

    fn number(&mut self, number: f64, at: usize) -> Result<(), ImportError> {
        let end = self.document.numbers.len() + 1;
        if let Some(latest) = self.latest() {
            latest.last_number = end;
            self.charge(1, size_of::<f64>(), at)?;
            self.document.numbers.push(number);
        }
        Ok(())
    }

    fn string(&mut self, string: &'a [u8], at: usize) -> Result<(), ImportError> {
        let end = self.document.strings.len() + 1;
        if let Some(latest) = self.latest() {
            latest.last_string = end;
            self.charge(1, size_of::<&[u8]>(), at)?;
            self.document.strings.push(string);
        }
        Ok(())
    }

    /// Reads an object from its kind on: `kind [name] [guid] {`.
    fn object(&mut self, kind: &'a [u8], placed: Placed<'a>) -> Result<(), ImportError> {
        let mut name = Words::default();
        loop {
            let Some(next) = self.tokens.next()? else { return Err(self.truncated(placed.start)) };
            match next.token {
                Token::Name(_) | Token::Number(_) => name.push(next),
                Token::Guid => {}
                Token::Open => break,
                _ => {
                    // Not an object, but a string without quotes.
                    let Some(_) = self.latest() else {
                        let (place, found) = (self.document.source.place(placed.start), "no { after a name");
                        return Err(ImportProblem::SyntaxInvalid.at(place, found.into()));
                    };
                    self.string(kind, placed.start)?;
                    return self.read(next);
                }
            }
        }
        match known(kind) {
            Recognized::Read(kind) => {
                let name = name.text(self.document.source);
                let index = self.push(kind, name, placed.start)?;
                self.open.push(index);
                if !name.is_empty() {
                    self.document.named.entry((kind, name)).or_insert(index);
                }
                Ok(())
            }
            Recognized::Skipped => self.skip_body(placed.start),
            Recognized::Unknown => {
                if self.unknown.insert(kind) {
                    let place = self.document.source.place(placed.start);
                    self.report.warn_at(WarningKind::ObjectUnknown, place, &text(kind));
                }
                self.skip_body(placed.start)
            }
        }
    }

    /// Reads a reference after its brace: `{ name }`, `{ name guid }` or `{ guid }`.
    fn reference(&mut self, placed: Placed<'a>) -> Result<(), ImportError> {
        let mut name = Words::default();
        loop {
            let Some(next) = self.tokens.next()? else { return Err(self.truncated(placed.start)) };
            match next.token {
                Token::Name(_) | Token::Number(_) | Token::String(_) => name.push(next),
                Token::Guid | Token::Separator => {}
                Token::Close => break,
                Token::Open | Token::Template => {
                    let place = self.document.source.place(next.start);
                    let found = "an object in a reference".to_owned();
                    return Err(ImportProblem::SyntaxInvalid.at(place, found));
                }
            }
        }
        let name = name.text(self.document.source);
        if !name.is_empty() {
            self.push(Kind::Reference, name, placed.start)?;
        }
        Ok(())
    }

    fn push(&mut self, kind: Kind, name: &'a [u8], at: usize) -> Result<usize, ImportError> {
        // 48 bytes for the entry in the map of names.
        self.charge(1, size_of::<Record<'_>>() + 48, at)?;
        let Document { records, numbers, strings, .. } = &mut self.document;
        let index = records.len();
        let (number, string) = (numbers.len(), strings.len());
        records.push(Record {
            kind,
            name,
            at,
            end: index + 1,
            first_number: number,
            last_number: number,
            first_string: string,
            last_string: string,
        });
        Ok(index)
    }

    fn close(&mut self, placed: Placed<'a>) {
        let end = self.document.records.len();
        match self.open.pop().and_then(|index| self.document.records.get_mut(index)) {
            Some(record) => record.end = end,
            None => {
                self.report.warn_at(WarningKind::BraceUnmatched, self.document.source.place(placed.start), "")
            }
        }
    }

    fn skip_to_open_brace(&mut self, placed: Placed<'a>) -> Result<(), ImportError> {
        while let Some(next) = self.tokens.next()? {
            if next.token == Token::Open {
                return Ok(());
            }
        }
        Err(self.truncated(placed.start))
    }

    /// Skips the rest of a body, including its closing brace.
    fn skip_body(&mut self, at: usize) -> Result<(), ImportError> {
        let mut depth = 1_usize;
        while let Some(placed) = self.tokens.next()? {
            match placed.token {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
        Err(self.truncated(at))
    }

    fn charge(&self, count: u64, bytes_each: usize, at: usize) -> Result<(), ImportError> {
        self.budget.charge(count, bytes_each, || self.document.source.place(at))
    }

    /// Returns the error for an object at byte `at` that has no end.
    fn truncated(&self, at: usize) -> ImportError {
        let source = self.document.source;
        let found = format!("what began at {} has no end", source.place(at));
        ImportProblem::FileTruncated.at(source.place(source.bytes.len()), found)
    }
}

/// A name of one or more tokens, since some exporters write names with spaces.
#[derive(Default)]
struct Words<'a> {
    first: Option<Placed<'a>>,
    end: usize,
}

impl<'a> Words<'a> {
    fn push(&mut self, placed: Placed<'a>) {
        self.first.get_or_insert(placed);
        self.end = placed.end;
    }

    fn text(&self, source: &'a Source<'a>) -> &'a [u8] {
        match self.first {
            None => &[],
            Some(Placed { token: Token::Name(name) | Token::String(name), end, .. }) if end == self.end => {
                name
            }
            Some(first) if source.encoding == Encoding::Text => {
                source.bytes.get(first.start..self.end).unwrap_or_default()
            }
            Some(Placed { token: Token::Name(name) | Token::String(name), .. }) => name,
            Some(_) => &[],
        }
    }
}

/// Decodes a name or path as UTF-8 or else as Latin-1. Names that aren't UTF-8 are in the exporter's code page, which
/// is unknown; as Latin-1 they stay distinct.
pub(super) fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

impl<'a> Document<'a> {
    /// Returns all objects, each before its descendants.
    pub(super) fn objects(&self) -> impl Iterator<Item = Object<'_>> {
        (0..self.records.len()).filter_map(|index| self.object(index))
    }

    /// Returns the objects that aren't nested in another.
    pub(super) fn roots(&self) -> impl Iterator<Item = Object<'_>> {
        self.siblings(0, self.records.len())
    }

    fn object(&self, index: usize) -> Option<Object<'_>> {
        Some(Object { document: self, index, record: self.records.get(index)? })
    }

    fn siblings(&self, first: usize, end: usize) -> impl Iterator<Item = Object<'_>> {
        let first = self.object(first).filter(|first| first.index < end);
        std::iter::successors(first, move |object| {
            self.object(object.record.end).filter(|next| next.index < end)
        })
    }
}

/// A data object of a file.
#[derive(Clone, Copy)]
pub(super) struct Object<'d> {
    document: &'d Document<'d>,
    pub(super) index: usize,
    record: &'d Record<'d>,
}

impl<'d> Object<'d> {
    pub(super) fn kind(self) -> Kind {
        self.record.kind
    }

    /// Returns the object's name, empty if it has none.
    pub(super) fn name(self) -> String {
        text(self.record.name)
    }

    pub(super) fn place(self) -> String {
        self.document.source.place(self.record.at)
    }

    /// Returns the index past the object's last descendant.
    pub(super) fn end(self) -> usize {
        self.record.end
    }

    /// Returns the objects nested directly in this one.
    pub(super) fn children(self) -> impl Iterator<Item = Object<'d>> {
        self.document.siblings(self.index + 1, self.record.end)
    }

    pub(super) fn children_of(self, kind: Kind) -> impl Iterator<Item = Object<'d>> {
        self.children().filter(move |child| child.kind() == kind)
    }

    pub(super) fn child(self, kind: Kind) -> Option<Object<'d>> {
        self.children_of(kind).next()
    }

    /// Returns the object itself if it is of `kind`, or the object of that kind that it refers to.
    pub(super) fn referred(self, kind: Kind) -> Option<Object<'d>> {
        match self.kind() {
            Kind::Reference => self.document.find(kind, self.record.name),
            of_kind => (of_kind == kind).then_some(self),
        }
    }

    pub(super) fn fields(self) -> Fields<'d> {
        let numbers = self.document.numbers.get(self.record.first_number..self.record.last_number);
        Fields::new(self, numbers.unwrap_or_default())
    }

    pub(super) fn strings(self) -> impl Iterator<Item = &'d [u8]> {
        let strings = self.document.strings.get(self.record.first_string..self.record.last_string);
        strings.unwrap_or_default().iter().copied()
    }

    /// Returns the place of the `nth` number. It reads the object again, since only an error needs such a place.
    pub(super) fn place_of_number(self, nth: usize) -> String {
        let source = self.document.source;
        let mut tokens = Tokens::new(source, self.record.at);
        let (mut opened, mut count) = (false, 0);
        while let Ok(Some(placed)) = tokens.next() {
            match placed.token {
                Token::Open => opened = true,
                Token::Number(_) if opened && count == nth => return source.place(placed.start),
                Token::Number(_) if opened => count += 1,
                _ => {}
            }
        }
        self.place()
    }
}

impl Document<'_> {
    /// Returns the first object of that kind and name.
    pub(super) fn find(&self, kind: Kind, name: &[u8]) -> Option<Object<'_>> {
        self.named.get(&(kind, name)).and_then(|&index| self.object(index))
    }
}
