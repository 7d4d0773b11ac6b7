//! Which constants and functions in the table each function refers to, from the linker's relocations.
//!
//! The module that the linker writes has them (`--emit-relocs`). Later steps renumber functions, but keep the names of
//! functions and the addresses of constants.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use wasmparser::{
    BinaryReaderError, DataKind, DefinedDataSymbol, KnownCustom, Linking, Name, Operator, Parser, Payload,
    RelocSectionReader, RelocationEntry, RelocationType, SymbolInfo, TypeRef,
};

/// What functions and constants refer to.
#[derive(Default)]
pub(super) struct Links<'a> {
    /// Addresses of the segments of data.
    pub(super) segments: Vec<Range<u32>>,
    pub(super) constants: Vec<Constant<'a>>,
    /// What the functions of each [`lasting_name`] refer to. Each function has an entry.
    pub(super) functions: HashMap<&'a str, Targets<'a>>,
}

/// A constant or variable with initial data.
pub(super) struct Constant<'a> {
    /// Its addresses. Two constants can share bytes.
    pub(super) range: Range<u32>,
    pub(super) is_read_only: bool,
    pub(super) targets: Targets<'a>,
}

/// What something contains the address of, or the slot in the table of functions.
#[derive(Clone, Default)]
pub(super) struct Targets<'a> {
    pub(super) constants: HashSet<usize>,
    /// The [`lasting_name`]s of functions.
    pub(super) functions: HashSet<&'a str>,
}

/// Name of the linker's segment without variables.
const READ_ONLY: &str = ".rodata";

/// A section that relocations apply to.
#[derive(Clone, Copy)]
enum Section {
    Code { start: usize },
    Data { start: usize },
    Other,
}

impl<'a> Links<'a> {
    /// Reads a module of the linker.
    ///
    /// # Errors
    ///
    /// When it can't be read, has no relocations, or an unknown kind of them.
    pub(super) fn read(linked: &'a [u8]) -> Result<Self, String> {
        let linked =
            Linked::read(linked).map_err(|error| format!("cannot read the linked module: {error}"))?;
        let segments = linked
            .segments
            .iter()
            .map(|segment| segment.address..segment.address + segment.bytes.len() as u32);
        let functions = linked.names.values().map(|name| (lasting_name(name), Targets::default()));
        let mut links = Self {
            segments: segments.collect(),
            constants: linked.constants(),
            functions: functions.collect(),
        };
        let [mut in_code, mut in_data] = [false; 2];
        for relocations in &linked.relocations {
            let section = linked.sections.get(relocations.section_index() as usize);
            for relocation in relocations.entries() {
                let relocation = relocation.map_err(|error| format!("cannot read a relocation: {error}"))?;
                let offset = relocation.offset as usize;
                let targets = match section {
                    Some(Section::Code { start }) => {
                        in_code = true;
                        let name = linked.function_at(start + offset).map(lasting_name);
                        vec![
                            links.functions.entry(name.ok_or("a relocation is in no function")?).or_default(),
                        ]
                    }
                    Some(Section::Data { start }) => {
                        in_data = true;
                        let address =
                            linked.address_at(start + offset).ok_or("a relocation is in no data")?;
                        let mut around = links.constants.iter_mut().filter(|it| it.range.contains(&address));
                        around.by_ref().map(|constant| &mut constant.targets).collect()
                    }
                    _ => continue,
                };
                if targets.is_empty() {
                    return Err("a relocation is in no constant".into());
                }
                for targets in targets {
                    linked.add_target(targets, &relocation)?;
                }
            }
        }
        if in_code && in_data { Ok(links) } else { Err("the linked module has no relocations".into()) }
    }
}

impl<'a> Links<'a> {
    /// Returns what each function and constant refers to.
    pub(super) fn targets(&self) -> impl Iterator<Item = &Targets<'a>> {
        self.functions.values().chain(self.constants.iter().map(|constant| &constant.targets))
    }
}

/// Returns the name of a function without the hash of its crate, which wasm-bindgen removes from those of exports.
pub(super) fn lasting_name(name: &str) -> &str {
    let is_hash = |end: &str| end.len() == 16 && end.bytes().all(|byte| byte.is_ascii_hexdigit());
    match name.rsplit_once('_') {
        Some((lasting, end)) if is_hash(end) => lasting,
        _ => name,
    }
}

/// The parts of a linked module that tell what refers to what.
#[derive(Default)]
struct Linked<'a> {
    sections: Vec<Section>,
    relocations: Vec<RelocSectionReader<'a>>,
    symbols: Vec<SymbolInfo<'a>>,
    segments: Vec<Segment>,
    names: HashMap<u32, &'a str>,
    /// Number of imported functions.
    imported: u32,
    /// Where each function is in the module.
    bodies: Vec<Range<usize>>,
}

struct Segment {
    address: u32,
    bytes: Range<usize>,
    is_read_only: bool,
}

impl<'a> Linked<'a> {
    fn read(module: &'a [u8]) -> Result<Self, BinaryReaderError> {
        let mut linked = Self::default();
        for payload in Parser::new(0).parse_all(module) {
            let payload = payload?;
            let section = match &payload {
                Payload::CodeSectionStart { range, .. } => Section::Code { start: range.start },
                Payload::DataSection(data) => Section::Data { start: data.range().start },
                _ => Section::Other,
            };
            if payload.as_section().is_some() {
                linked.sections.push(section);
            }
            match payload {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        linked.imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionEntry(body) => linked.bodies.push(body.range()),
                Payload::DataSection(section) => {
                    for data in section {
                        let data = data?;
                        let DataKind::Active { offset_expr, .. } = data.kind else { continue };
                        let Operator::I32Const { value } = offset_expr.get_operators_reader().read()? else {
                            continue;
                        };
                        let bytes = data.range.end - data.data.len()..data.range.end;
                        linked.segments.push(Segment { address: value as u32, bytes, is_read_only: false });
                    }
                }
                Payload::CustomSection(section) => match section.as_known() {
                    KnownCustom::Linking(linking) => {
                        for part in linking {
                            linked.read_linking(part?)?;
                        }
                    }
                    KnownCustom::Reloc(relocations) => linked.relocations.push(relocations),
                    KnownCustom::Name(names) => {
                        for name in names {
                            let Name::Function(map) = name? else { continue };
                            for naming in map {
                                let naming = naming?;
                                linked.names.insert(naming.index, naming.name);
                            }
                        }
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        Ok(linked)
    }

    fn read_linking(&mut self, part: Linking<'a>) -> Result<(), BinaryReaderError> {
        match part {
            Linking::SymbolTable(symbols) => {
                for symbol in symbols {
                    self.symbols.push(symbol?);
                }
            }
            Linking::SegmentInfo(segments) => {
                for (segment, named) in self.segments.iter_mut().zip(segments) {
                    segment.is_read_only = named?.name == READ_ONLY;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns an entry for each symbol, so that both have the same index. Those without data are empty.
    fn constants(&self) -> Vec<Constant<'a>> {
        let constant = |symbol: &SymbolInfo<'_>| {
            let place = match *symbol {
                SymbolInfo::Data { symbol, .. } => symbol,
                _ => None,
            };
            let segment = place.and_then(|place| self.segments.get(place.index as usize));
            let (start, size) = match (place, segment) {
                (Some(DefinedDataSymbol { offset, size, .. }), Some(segment)) => {
                    (segment.address + offset, size)
                }
                _ => (0, 0),
            };
            Constant {
                range: start..start + size,
                is_read_only: segment.is_some_and(|segment| segment.is_read_only),
                targets: Targets::default(),
            }
        };
        self.symbols.iter().map(constant).collect()
    }

    /// Returns the name of the function at a byte of the module.
    fn function_at(&self, at: usize) -> Option<&'a str> {
        let body = self.bodies.partition_point(|body| body.end <= at);
        let is_inside = self.bodies.get(body).is_some_and(|body| body.contains(&at));
        self.names.get(&(self.imported + body as u32)).copied().filter(|_| is_inside)
    }

    /// Returns the address of a byte of the module.
    fn address_at(&self, at: usize) -> Option<u32> {
        let segment = self.segments.iter().find(|segment| segment.bytes.contains(&at))?;
        Some(segment.address + (at - segment.bytes.start) as u32)
    }

    fn add_target(&self, targets: &mut Targets<'a>, relocation: &RelocationEntry) -> Result<(), String> {
        use RelocationType::{
            FunctionIndexLeb, GlobalIndexLeb, MemoryAddrI32, MemoryAddrLeb, MemoryAddrSleb, TableIndexI32,
            TableIndexSleb, TableNumberLeb, TypeIndexLeb,
        };
        let symbol = relocation.index as usize;
        match relocation.ty {
            MemoryAddrI32 | MemoryAddrLeb | MemoryAddrSleb => {
                targets.constants.insert(symbol);
            }
            TableIndexI32 | TableIndexSleb => {
                let Some(SymbolInfo::Func { index, .. }) = self.symbols.get(symbol) else {
                    return Err("a relocation of a function has none".into());
                };
                let name = self.names.get(index).ok_or("a function in the table has no name")?;
                targets.functions.insert(lasting_name(name));
            }
            // Read from the code itself.
            FunctionIndexLeb | GlobalIndexLeb | TableNumberLeb | TypeIndexLeb => {}
            other => return Err(format!("an unknown kind of relocation: {other:?}")),
        }
        Ok(())
    }
}
