//! Moves the functions that a page seldom needs from a module, the core, to other ones, the parts, which a page fetches
//! on first use, with the constants that only these read.
//!
//! A part imports the memory, the tables, the globals and the functions of the core. Where other modules call a part,
//! they call through the table of functions instead, whose slots the part fills when it starts. Until then such a call
//! traps: the code before it checks whether there is anything to do, or whether the part has started.
//!
//! What two parts need is in the core. Constants keep their addresses. Their bytes are zero until their part starts.
//! What nothing refers to is left out.

mod constants;
mod links;
mod parts;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::hash::{DefaultHasher, Hasher};

use wasm_encoder::reencode::{self, Reencode, RoundtripReencoder};
use wasm_encoder::{
    CodeSection, ConstExpr, CustomSection, DataSection, ElementSection, Elements, EntityType, ExportKind,
    ExportSection, FunctionSection, ImportSection, Instruction, Module, NameMap, NameSection, TableType,
    TypeSection,
};
use wasmparser::{CustomSectionReader, ExternalKind, FunctionBody, Operator, Parser};

use super::mute::is_mute;
use constants::Constants;
use links::{Constant, Links, Targets, lasting_name};
use parts::{Parts, Segment, Uses};

/// The functions that lead to a part. All that only these lead to is moved with them.
pub(super) struct Doors<'a> {
    /// Names of exports, which the page calls after the part has started.
    pub(super) exports: &'a [&'a str],
    /// Pieces of the names of functions that other modules call. Each function has all pieces of one entry.
    pub(super) called: &'a [&'a [&'a str]],
}

pub(super) struct Split {
    pub(super) core: Vec<u8>,
    /// A module for each entry of `wanted`.
    pub(super) parts: Vec<Vec<u8>>,
}

/// Module name under which parts import from the core.
const CORE: &str = "core";

/// Splits a module with names. `linked` is what the linker wrote, with relocations.
///
/// # Errors
///
/// When a module can't be read, lacks one of the exports or doors, or has other constants than the other one.
pub(super) fn split(module: &[u8], linked: &[u8], wanted: &[Doors<'_>]) -> Result<Split, String> {
    let unreadable = |error: &dyn std::fmt::Display| format!("cannot read the module to split: {error}");
    let parts = Parts::read(module).map_err(|error| unreadable(&error))?;
    let uses = parts.uses().map_err(|error| unreadable(&error))?;
    let links = Links::read(linked)?;
    let mut plan = Plan::new(&parts, &uses, &links, wanted)?;
    plan.build = hash(module);
    let core = CoreModule::new(&parts, &plan).write(module).map_err(|error| unreadable(&error))?;
    let written = (0..wanted.len()).map(|part| part_module(&parts, &plan, part)).collect::<Result<_, _>>();
    Ok(Split { core, parts: written.map_err(|error| unreadable(&error))? })
}

/// Returns a short hash of a module.
fn hash(module: &[u8]) -> u32 {
    let mut hasher = DefaultHasher::new();
    hasher.write(module);
    hasher.finish() as u32
}

/// The module of a function or constant.
#[derive(Clone, Copy, PartialEq)]
enum Home {
    Core,
    /// Index of a part.
    Part(usize),
    /// Neither, because nothing refers to it.
    Nowhere,
}

/// Which function and constant is in which module.
struct Plan<'a> {
    /// Piece of a name that parts import, so that they can't be linked with the core of another build.
    build: u32,
    /// The module of each function.
    homes: Vec<Home>,
    constants: Constants<'a>,
    /// Slot in the table of functions for each function of a part that other modules call. Those of a part are
    /// neighbours, in the order of the functions.
    doors: HashMap<u32, u32>,
    /// Functions, globals and tables of the core that each part uses.
    shared: Vec<[Vec<u32>; 3]>,
}

impl<'a> Plan<'a> {
    fn new(
        parts: &Parts<'a>,
        uses: &[Uses],
        links: &Links<'_>,
        wanted: &[Doors<'_>],
    ) -> Result<Self, String> {
        if links.segments != parts.segments.iter().map(Segment::range).collect::<Vec<_>>() {
            return Err("the module's data isn't where the linker has put it".into());
        }
        let count = parts.function_types.len() as u32;
        for (function, _) in (0..).zip(uses).filter(|(_, uses)| uses.has_address) {
            let name = parts.name(function);
            // wasm-bindgen adds functions, but without addresses.
            if !links.functions.contains_key(lasting_name(name)) {
                return Err(format!("the linked module has no function {name}, which has an address"));
            }
        }
        let roots_of_parts: Vec<HashSet<u32>> =
            wanted.iter().map(|doors| roots(parts, doors)).collect::<Result<_, _>>()?;
        let part_roots: HashSet<u32> = roots_of_parts.iter().flatten().copied().collect();

        let nodes = nodes(parts, uses, links);
        let mut core_roots: Vec<u32> = (0..parts.imported()).chain(parts.start).collect();
        core_roots.extend(parts.exported_functions().map(|(_, function)| function));
        let pointed: HashSet<&str> =
            links.targets().flat_map(|targets| &targets.functions).copied().collect();
        let elements = parts.elements.iter().flat_map(|elements| &elements.functions);
        core_roots
            .extend(elements.filter(|&&function| !pointed.contains(lasting_name(parts.name(function)))));
        core_roots.retain(|node| !part_roots.contains(node));
        let core = reached(&core_roots, &nodes, &part_roots);
        let led_to: Vec<HashSet<u32>> = roots_of_parts
            .iter()
            .map(|own| {
                let closed = core.iter().chain(&part_roots).copied().filter(|node| !own.contains(node));
                reached(&own.iter().copied().collect::<Vec<_>>(), &nodes, &closed.collect())
            })
            .collect();
        let home = |node: u32| {
            let mut of_parts = (0..led_to.len()).filter(|&part| led_to[part].contains(&node));
            match (core.contains(&node), of_parts.next(), of_parts.next()) {
                (false, None, _) => Home::Nowhere,
                (false, Some(part), None) => Home::Part(part),
                _ => Home::Core,
            }
        };
        let homes: Vec<Home> = (0..count).map(home).collect();
        // Variables stay, because a part can be started twice. What they point to at first is in the part, if only the
        // part reads them.
        let home_of_data =
            |(node, data): (u32, &Constant<'_>)| if data.is_read_only { home(node) } else { Home::Core };
        let of_constants: Vec<Home> = (count..).zip(&links.constants).map(home_of_data).collect();
        let constants = Constants::new(&parts.segments, &links.constants, &of_constants);

        let slots = parts.tables.first().map_or(0, |table| table.initial as u32);
        let home = |function: u32| homes[function as usize];
        let mut doors: Vec<(usize, u32)> = Vec::new();
        for (from, uses) in homes.iter().zip(uses).filter(|(from, _)| **from != Home::Nowhere) {
            for &function in &uses.functions {
                match home(function) {
                    Home::Part(part) if *from != Home::Part(part) => doors.push((part, function)),
                    _ => {}
                }
            }
        }
        doors.sort_unstable();
        doors.dedup();
        let doors = doors.into_iter().map(|(_, function)| function).zip(slots..).collect();

        let shared = |part: usize| {
            let mut shared = [const { Vec::new() }; 3];
            for (_, uses) in homes.iter().zip(uses).filter(|(home, _)| **home == Home::Part(part)) {
                shared[0].extend(uses.functions.iter().filter(|&&function| home(function) == Home::Core));
                shared[1].extend(&uses.globals);
                shared[2].extend(&uses.tables);
            }
            // The table of functions, for the slots that the part fills, and for calls of other parts.
            shared[2].push(0);
            shared.map(sorted)
        };
        let shared = (0..wanted.len()).map(shared).collect();
        Ok(Self { build: 0, homes, constants, doors, shared })
    }

    fn is_in(&self, home: Home, function: u32) -> bool {
        self.homes[function as usize] == home
    }
}

/// Returns the functions that lead to a part.
fn roots(parts: &Parts<'_>, doors: &Doors<'_>) -> Result<HashSet<u32>, String> {
    let mut roots = HashSet::new();
    for name in doors.exports {
        let function = parts.exported_functions().find(|(export, _)| export == name);
        roots.insert(function.ok_or_else(|| format!("the module has no export {name}"))?.1);
    }
    for pieces in doors.called {
        let is_door = |function: &u32| pieces.iter().all(|piece| parts.name(*function).contains(piece));
        let functions = parts.imported()..parts.function_types.len() as u32;
        let found: Vec<u32> = functions.filter(is_door).collect();
        if found.is_empty() {
            return Err(format!("the module has no function {pieces:?}"));
        }
        roots.extend(found);
    }
    Ok(roots)
}

/// Returns a list in ascending order, without repetitions.
fn sorted(mut list: Vec<u32>) -> Vec<u32> {
    list.sort_unstable();
    list.dedup();
    list
}

/// Returns what each function leads to, then what each constant leads to. Constants have the numbers behind those of
/// functions.
fn nodes(parts: &Parts<'_>, uses: &[Uses], links: &Links<'_>) -> Vec<HashSet<u32>> {
    let count = uses.len() as u32;
    let mut named: HashMap<&str, Vec<u32>> = HashMap::new();
    for (&function, &name) in &parts.names {
        named.entry(lasting_name(name)).or_default().push(function);
    }
    let targets = |targets: &Targets<'_>| -> Vec<u32> {
        // wasm-bindgen removes functions.
        let functions = targets.functions.iter().filter_map(|name| named.get(name)).flatten().copied();
        functions.chain(targets.constants.iter().map(|&constant| count + constant as u32)).collect()
    };
    let of_function = |(function, uses): (u32, &Uses)| {
        let name = parts.name(function);
        let pointed = links.functions.get(lasting_name(name)).filter(|_| !is_mute(name));
        uses.functions.iter().copied().chain(pointed.map(targets).unwrap_or_default()).collect()
    };
    let functions = (0..).zip(uses).map(of_function);
    functions.chain(links.constants.iter().map(|it| targets(&it.targets).into_iter().collect())).collect()
}

/// Returns the nodes that others lead to, with these, except for those behind `closed` ones.
fn reached(roots: &[u32], nodes: &[HashSet<u32>], closed: &HashSet<u32>) -> HashSet<u32> {
    let mut found: HashSet<u32> = roots.iter().copied().collect();
    let mut unread = roots.to_vec();
    while let Some(node) = unread.pop() {
        for &next in &nodes[node as usize] {
            if !closed.contains(&next) && found.insert(next) {
                unread.push(next);
            }
        }
    }
    found
}

/// Returns the name of the exported memory, for the parts of the same build.
fn memory_name(plan: &Plan<'_>) -> String {
    format!("m{:x}", plan.build)
}

/// Returns the name under which the core exports something for parts. The other exports' names are letters.
fn shared_name(kind: ExportKind, index: u32) -> String {
    match kind {
        ExportKind::Func => index.to_string(),
        ExportKind::Global => format!("g{index}"),
        ExportKind::Table => format!("t{index}"),
        _ => unreachable!("nothing else is shared"),
    }
}

/// Writes the core.
struct CoreModule<'a> {
    parts: &'a Parts<'a>,
    plan: &'a Plan<'a>,
    /// New index of each function of the core. Imports keep theirs.
    indices: Vec<u32>,
}

impl<'a> CoreModule<'a> {
    fn new(parts: &'a Parts<'a>, plan: &'a Plan<'a>) -> Self {
        let mut next = 0;
        let indices = plan
            .homes
            .iter()
            .map(|&home| {
                let index = next;
                next += u32::from(home == Home::Core);
                index
            })
            .collect();
        Self { parts, plan, indices }
    }

    fn write(mut self, module: &[u8]) -> Result<Vec<u8>, reencode::Error> {
        let mut written = Module::new();
        self.parse_core_module(&mut written, Parser::new(0), module)?;
        written.section(&names(self.parts, |function| {
            self.plan.is_in(Home::Core, function).then_some(self.indices[function as usize])
        }));
        Ok(written.finish())
    }
}

impl Reencode for CoreModule<'_> {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, reencode::Error> {
        Ok(self.indices[function as usize])
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        _: wasmparser::FunctionSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        for function in self.parts.imported()..self.parts.function_types.len() as u32 {
            if self.plan.is_in(Home::Core, function) {
                functions.function(self.parts.function_types[function as usize]);
            }
        }
        Ok(())
    }

    /// Adds the slots of the doors.
    fn table_type(&mut self, table: wasmparser::TableType) -> Result<TableType, reencode::Error> {
        let mut written = reencode::utils::table_type(self, table)?;
        if table.element_type == wasmparser::RefType::FUNCREF {
            let added = self.plan.doors.len() as u64;
            written.minimum += added;
            written.maximum = written.maximum.map(|most| most + added);
        }
        Ok(written)
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: wasmparser::ExportSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        for export in section {
            let export = export?;
            if export.kind != ExternalKind::Func || self.plan.is_in(Home::Core, export.index) {
                self.parse_export(exports, export)?;
            }
        }
        let of_parts =
            |kind: usize| sorted(self.plan.shared.iter().flat_map(|shared| &shared[kind]).copied().collect());
        let [functions, globals, tables] = [0, 1, 2].map(of_parts);
        for &function in functions.iter().filter(|&&function| function >= self.parts.imported()) {
            exports.export(
                &shared_name(ExportKind::Func, function),
                ExportKind::Func,
                self.indices[function as usize],
            );
        }
        for global in globals {
            exports.export(&shared_name(ExportKind::Global, global), ExportKind::Global, global);
        }
        for table in tables {
            exports.export(&shared_name(ExportKind::Table, table), ExportKind::Table, table);
        }
        exports.export(&memory_name(self.plan), ExportKind::Memory, 0);
        Ok(())
    }

    fn parse_element_section(
        &mut self,
        section: &mut ElementSection,
        _: wasmparser::ElementSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        write_elements(section, self.parts, |function| {
            self.plan.is_in(Home::Core, function).then_some(self.indices[function as usize])
        });
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        _: wasmparser::CodeSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        for (function, body) in (self.parts.imported()..).zip(&self.parts.bodies) {
            if self.plan.is_in(Home::Core, function) {
                self.parse_function_body(code, body.clone())?;
            }
        }
        Ok(())
    }

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Result<(), reencode::Error> {
        let (parts, plan) = (self.parts, self.plan);
        write_body(self, code, body, parts, |function| plan.doors.get(&function).copied())
    }

    fn parse_data_section(
        &mut self,
        data: &mut DataSection,
        _: wasmparser::DataSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        *data = self.plan.constants.core();
        Ok(())
    }

    /// Leaves the names to the end, since the functions are renumbered.
    fn parse_custom_section(
        &mut self,
        module: &mut Module,
        section: CustomSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        if section.name() != "name" {
            module.section(&CustomSection { name: section.name().into(), data: section.data().into() });
        }
        Ok(())
    }
}

/// Writes the body of a function. It calls functions that have a slot through the table.
fn write_body<R: Reencode<Error = Infallible>>(
    module: &mut R,
    code: &mut CodeSection,
    body: FunctionBody<'_>,
    parts: &Parts<'_>,
    slot: impl Fn(u32) -> Option<u32>,
) -> Result<(), reencode::Error> {
    let mut written = module.new_function_with_parsed_locals(&body)?;
    for operator in body.get_operators_reader()? {
        let operator = operator?;
        if let Operator::Call { function_index } = operator
            && let Some(slot) = slot(function_index)
        {
            written.instruction(&Instruction::I32Const(slot as i32));
            let type_index = parts.function_types[function_index as usize];
            written
                .instruction(&Instruction::CallIndirect { type_index, table_index: module.table_index(0)? });
        } else {
            written.instruction(&module.instruction(operator)?);
        }
    }
    code.function(&written);
    Ok(())
}

/// Writes a part.
fn part_module(parts: &Parts<'_>, plan: &Plan<'_>, part: usize) -> Result<Vec<u8>, reencode::Error> {
    let home = Home::Part(part);
    let own: Vec<u32> =
        (0..parts.function_types.len() as u32).filter(|&function| plan.is_in(home, function)).collect();
    let mut types = TypeSection::new();
    if let Some(section) = parts.types.clone() {
        RoundtripReencoder.parse_type_section(&mut types, section)?;
    }
    let [shared_functions, globals, tables] = &plan.shared[part];
    let mut imports = ImportSection::new();
    let mut indices = HashMap::new();
    for (index, &function) in (0..).zip(shared_functions) {
        let ty = EntityType::Function(parts.function_types[function as usize]);
        match parts.imports.get(function as usize) {
            Some(import) => imports.import(import.module, import.name, ty),
            None => imports.import(CORE, &shared_name(ExportKind::Func, function), ty),
        };
        indices.insert(function, index);
    }
    for (index, &function) in (shared_functions.len() as u32..).zip(&own) {
        indices.insert(function, index);
    }
    imports.import(CORE, &memory_name(plan), RoundtripReencoder.memory_type(parts.memories[0])?);
    for &global in globals {
        let ty = RoundtripReencoder.global_type(parts.globals[global as usize])?;
        imports.import(CORE, &shared_name(ExportKind::Global, global), ty);
    }
    for &table in tables {
        // The core's table has more slots, and may grow.
        let mut ty = RoundtripReencoder.table_type(parts.tables[table as usize])?;
        ty.maximum = ty.maximum.map(|most| most + if table == 0 { plan.doors.len() as u64 } else { 0 });
        imports.import(CORE, &shared_name(ExportKind::Table, table), ty);
    }
    let mut functions = FunctionSection::new();
    let mut code = CodeSection::new();
    let mut writer = PartModule { parts, plan, home, indices: &indices, globals, tables };
    for &function in &own {
        functions.function(parts.function_types[function as usize]);
        writer
            .parse_function_body(&mut code, parts.bodies[(function - parts.imported()) as usize].clone())?;
    }
    let mut exports = ExportSection::new();
    for (name, function) in parts.exported_functions().filter(|&(_, function)| plan.is_in(home, function)) {
        exports.export(name, ExportKind::Func, indices[&function]);
    }
    let mut elements = ElementSection::new();
    let new_index = |function: u32| plan.is_in(home, function).then(|| indices[&function]);
    write_elements(&mut elements, parts, new_index);
    let mut doors: Vec<(u32, u32)> = plan
        .doors
        .iter()
        .filter(|&(&door, _)| plan.is_in(home, door))
        .map(|(&door, &slot)| (slot, indices[&door]))
        .collect();
    doors.sort_unstable();
    if let [(slot, _), ..] = doors[..] {
        let doors: Vec<u32> = doors.into_iter().map(|(_, function)| function).collect();
        let slot = ConstExpr::i32_const(slot as i32);
        elements.active(None, &slot, Elements::Functions(doors.into()));
    }
    let mut written = Module::new();
    written.section(&types).section(&imports).section(&functions).section(&exports);
    written
        .section(&elements)
        .section(&code)
        .section(&plan.constants.of(home))
        .section(&names(parts, |function| indices.get(&function).copied()));
    Ok(written.finish())
}

struct PartModule<'a> {
    parts: &'a Parts<'a>,
    plan: &'a Plan<'a>,
    home: Home,
    indices: &'a HashMap<u32, u32>,
    globals: &'a [u32],
    tables: &'a [u32],
}

impl Reencode for PartModule<'_> {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, reencode::Error> {
        Ok(self.indices[&function])
    }

    fn global_index(&mut self, global: u32) -> Result<u32, reencode::Error> {
        Ok(place_in(self.globals, global))
    }

    fn table_index(&mut self, table: u32) -> Result<u32, reencode::Error> {
        Ok(place_in(self.tables, table))
    }

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Result<(), reencode::Error> {
        let (parts, plan, home) = (self.parts, self.plan, self.home);
        let slot = |function| plan.doors.get(&function).copied().filter(|_| !plan.is_in(home, function));
        write_body(self, code, body, parts, slot)
    }
}

/// Returns the place of a used index in the sorted list of all used ones.
fn place_in(list: &[u32], index: u32) -> u32 {
    list.binary_search(&index).expect("all used ones are listed") as u32
}

/// Writes the slots whose functions have an index in the written module, as runs of neighbours.
fn write_elements(section: &mut ElementSection, parts: &Parts<'_>, new_index: impl Fn(u32) -> Option<u32>) {
    for elements in &parts.elements {
        let slots: Vec<(u32, u32)> = (elements.first_slot..)
            .zip(&elements.functions)
            .filter_map(|(slot, &function)| Some((slot, new_index(function)?)))
            .collect();
        for run in slots.chunk_by(|before, after| before.0 + 1 == after.0) {
            let functions: Vec<u32> = run.iter().map(|&(_, function)| function).collect();
            let table = (elements.table > 0).then_some(elements.table);
            section.active(
                table,
                &ConstExpr::i32_const(run[0].0 as i32),
                Elements::Functions(functions.into()),
            );
        }
    }
}

/// Returns the names of the functions that have an index in the written module.
fn names(parts: &Parts<'_>, new_index: impl Fn(u32) -> Option<u32>) -> NameSection {
    let mut named: Vec<(u32, &str)> =
        parts.names.iter().filter_map(|(&function, &name)| Some((new_index(function)?, name))).collect();
    named.sort_unstable();
    let mut map = NameMap::new();
    for (index, name) in named {
        map.append(index, name);
    }
    let mut section = NameSection::new();
    section.functions(&map);
    section
}
