//! A module, read as far as splitting needs it.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use wasmparser::{
    BinaryReaderError, ConstExpr, DataKind, ElementItems, ElementKind, Export, ExternalKind, FunctionBody,
    GlobalType, Import, KnownCustom, MemoryType, Name, Operator, Parser, Payload, TableType, TypeRef,
    TypeSectionReader,
};

/// A module of which functions are imported, and nothing else, as rustc and wasm-bindgen write it.
#[derive(Default)]
pub(super) struct Parts<'a> {
    pub(super) types: Option<TypeSectionReader<'a>>,
    pub(super) imports: Vec<Import<'a>>,
    /// The type of each function, imported ones first, like all lists of functions.
    pub(super) function_types: Vec<u32>,
    pub(super) tables: Vec<TableType>,
    pub(super) memories: Vec<MemoryType>,
    pub(super) globals: Vec<GlobalType>,
    pub(super) exports: Vec<Export<'a>>,
    pub(super) start: Option<u32>,
    /// The functions in the table of functions.
    pub(super) elements: Vec<Elements>,
    pub(super) bodies: Vec<FunctionBody<'a>>,
    pub(super) segments: Vec<Segment<'a>>,
    pub(super) names: HashMap<u32, &'a str>,
}

/// Neighbours in a table.
pub(super) struct Elements {
    pub(super) table: u32,
    pub(super) first_slot: u32,
    pub(super) functions: Vec<u32>,
}

/// A piece of the initial memory.
#[derive(Clone, Copy)]
pub(super) struct Segment<'a> {
    pub(super) address: u32,
    pub(super) bytes: &'a [u8],
}

impl Segment<'_> {
    /// Returns its addresses.
    pub(super) fn range(&self) -> Range<u32> {
        self.address..self.address + self.bytes.len() as u32
    }
}

/// What a function refers to.
#[derive(Default)]
pub(super) struct Uses {
    /// Whether a number in it can be an address of initial data.
    pub(super) has_address: bool,
    pub(super) functions: HashSet<u32>,
    pub(super) globals: HashSet<u32>,
    pub(super) tables: HashSet<u32>,
}

impl<'a> Parts<'a> {
    pub(super) fn read(module: &'a [u8]) -> Result<Self, BinaryReaderError> {
        let mut parts = Self::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::TypeSection(types) => parts.types = Some(types),
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let import = import?;
                        if let TypeRef::Func(ty) = import.ty {
                            parts.function_types.push(ty);
                            parts.imports.push(import);
                        }
                    }
                }
                Payload::FunctionSection(functions) => {
                    for ty in functions {
                        parts.function_types.push(ty?);
                    }
                }
                Payload::TableSection(tables) => {
                    for table in tables {
                        parts.tables.push(table?.ty);
                    }
                }
                Payload::MemorySection(memories) => {
                    for memory in memories {
                        parts.memories.push(memory?);
                    }
                }
                Payload::GlobalSection(globals) => {
                    for global in globals {
                        parts.globals.push(global?.ty);
                    }
                }
                Payload::ExportSection(exports) => {
                    for export in exports {
                        parts.exports.push(export?);
                    }
                }
                Payload::StartSection { func, .. } => parts.start = Some(func),
                Payload::ElementSection(elements) => {
                    for element in elements {
                        let element = element?;
                        let ElementKind::Active { table_index, offset_expr } = element.kind else { continue };
                        let ElementItems::Functions(functions) = element.items else { continue };
                        parts.elements.push(Elements {
                            table: table_index.unwrap_or(0),
                            first_slot: constant(&offset_expr)?,
                            functions: functions.into_iter().collect::<Result<_, _>>()?,
                        });
                    }
                }
                Payload::CodeSectionEntry(body) => parts.bodies.push(body),
                Payload::DataSection(segments) => {
                    for segment in segments {
                        let segment = segment?;
                        let DataKind::Active { offset_expr, .. } = segment.kind else { continue };
                        parts
                            .segments
                            .push(Segment { address: constant(&offset_expr)?, bytes: segment.data });
                    }
                }
                Payload::CustomSection(section) => {
                    let KnownCustom::Name(names) = section.as_known() else { continue };
                    for name in names {
                        let Name::Function(map) = name? else { continue };
                        for naming in map {
                            let naming = naming?;
                            parts.names.insert(naming.index, naming.name);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(parts)
    }

    /// Number of imported functions.
    pub(super) fn imported(&self) -> u32 {
        self.imports.len() as u32
    }

    pub(super) fn name(&self, function: u32) -> &'a str {
        self.names.get(&function).copied().unwrap_or("")
    }

    /// Returns the names and functions of the exports that are functions.
    pub(super) fn exported_functions(&self) -> impl Iterator<Item = (&'a str, u32)> {
        let functions = self.exports.iter().filter(|export| export.kind == ExternalKind::Func);
        functions.map(|export| (export.name, export.index))
    }

    /// Returns what each function uses.
    pub(super) fn uses(&self) -> Result<Vec<Uses>, BinaryReaderError> {
        let mut all: Vec<Uses> = self.imports.iter().map(|_| Uses::default()).collect();
        for body in &self.bodies {
            let mut uses = Uses::default();
            for operator in body.get_operators_reader()? {
                match operator? {
                    Operator::Call { function_index } | Operator::RefFunc { function_index } => {
                        uses.functions.insert(function_index);
                    }
                    Operator::GlobalGet { global_index } | Operator::GlobalSet { global_index } => {
                        uses.globals.insert(global_index);
                    }
                    Operator::CallIndirect { table_index: table, .. }
                    | Operator::TableGet { table }
                    | Operator::TableSet { table }
                    | Operator::TableGrow { table }
                    | Operator::TableSize { table }
                    | Operator::TableFill { table } => {
                        uses.tables.insert(table);
                    }
                    Operator::I32Const { value } => {
                        let is_inside = |segment: &Segment<'_>| segment.range().contains(&(value as u32));
                        uses.has_address |= self.segments.iter().any(is_inside);
                    }
                    _ => {}
                }
            }
            all.push(uses);
        }
        Ok(all)
    }
}

fn constant(expression: &ConstExpr<'_>) -> Result<u32, BinaryReaderError> {
    match expression.get_operators_reader().read()? {
        Operator::I32Const { value } => Ok(value as u32),
        // Only position-independent code begins elsewhere.
        _ => Ok(0),
    }
}
