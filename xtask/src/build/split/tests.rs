use super::links::lasting_name;
use super::parts::Parts;
use super::{Doors, Split, split};
use wasm_encoder::{
    CodeSection, ConstExpr, CustomSection, DataSection, DataSymbolDefinition, ElementSection, Elements,
    Encode, EntityType, ExportKind, ExportSection, Function, FunctionSection, GlobalSection, GlobalType,
    ImportSection, Instruction, MemorySection, MemoryType, Module, NameMap, NameSection, RefType,
    SymbolTable, TableSection, TableType, TypeSection, ValType,
};
use wasmparser::{Parser, Payload, RelocationType};

/// The functions, each with those that it calls. The first is imported.
const FUNCTIONS: [(&str, &[u32]); 11] = [
    ("log", &[]),
    ("play", &[2, 4]),
    ("add", &[]),
    ("constrain", &[2, 5]),
    ("apply", &[0, 5]),
    ("solve", &[2]),
    ("closure of solve", &[5]),
    ("closure of play", &[]),
    ("closure of nobody", &[5]),
    ("closure of the page", &[]),
    ("closure of kept", &[]),
];

/// The constants, four bytes each. The last is a variable, in a segment of its own.
const CONSTANTS: [&str; 6] = ["play", "plus", "slot", "text", "none", "kept"];
const READ_ONLY_AT: u32 = 1024;
const VARIABLES_AT: u32 = 1100;

/// What has the address or slot of what.
const POINTERS: [(Node, Node); 10] = [
    (Node::Function(1), Node::Constant(0)),
    (Node::Function(1), Node::Function(7)),
    (Node::Function(2), Node::Constant(1)),
    (Node::Function(5), Node::Constant(1)),
    (Node::Function(5), Node::Constant(2)),
    (Node::Function(5), Node::Constant(5)),
    (Node::Constant(2), Node::Constant(3)),
    (Node::Constant(2), Node::Function(6)),
    (Node::Constant(4), Node::Function(8)),
    (Node::Constant(5), Node::Function(10)),
];

#[derive(Clone, Copy)]
enum Node {
    Function(u32),
    Constant(u32),
}

/// Returns a module with the functions. It exports `play` and `constrain`, and its table has the closures.
fn module(twist: i32) -> Vec<u8> {
    let mut types = TypeSection::new();
    types.ty().function([], []);
    let mut imports = ImportSection::new();
    imports.import("glue", "a", EntityType::Function(0));
    let (mut functions, mut code, mut names) = (FunctionSection::new(), CodeSection::new(), NameMap::new());
    for (index, (name, calls)) in (0..).zip(FUNCTIONS) {
        names.append(index, name);
        if index == 0 {
            continue;
        }
        functions.function(0);
        let mut body = Function::new([]);
        body.instruction(&Instruction::I32Const(twist)).instruction(&Instruction::GlobalSet(0));
        for &call in calls {
            body.instruction(&Instruction::Call(call));
        }
        body.instruction(&Instruction::End);
        code.function(&body);
    }
    let mut tables = TableSection::new();
    tables.table(TableType {
        element_type: RefType::FUNCREF,
        table64: false,
        minimum: 6,
        maximum: Some(6),
        shared: false,
    });
    let mut memories = MemorySection::new();
    memories.memory(MemoryType {
        minimum: 1,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    let mut globals = GlobalSection::new();
    let stack = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
    globals.global(stack, &ConstExpr::i32_const(0));
    let mut exports = ExportSection::new();
    exports.export("p", ExportKind::Func, 1).export("c", ExportKind::Func, 3);
    let mut elements = ElementSection::new();
    elements.active(None, &ConstExpr::i32_const(1), Elements::Functions([6, 7, 8, 9, 10].as_slice().into()));
    let mut data = DataSection::new();
    let (variables, read_only) = CONSTANTS.split_last().expect("it has some");
    let read_only = [read_only.concat().as_bytes(), &[0; 4]].concat();
    data.active(0, &ConstExpr::i32_const(READ_ONLY_AT as i32), read_only);
    data.active(0, &ConstExpr::i32_const(VARIABLES_AT as i32), variables.bytes());
    let mut section = NameSection::new();
    section.functions(&names);
    let mut module = Module::new();
    module.section(&types).section(&imports).section(&functions).section(&tables).section(&memories);
    module.section(&globals).section(&exports).section(&elements).section(&code);
    module.section(&data).section(&section);
    module.finish()
}

/// Returns the segment of a constant, and its offset there.
fn place(constant: u32) -> [u32; 2] {
    if constant as usize == CONSTANTS.len() - 1 { [1, 0] } else { [0, 4 * constant] }
}

/// Returns the module as the linker writes it, with relocations.
fn linked(module: &[u8]) -> Vec<u8> {
    // Each section begins with the index of the one that it is about, and the number of its entries.
    let (mut code, mut data): (Vec<u8>, Vec<u8>) = (vec![8, 0], vec![9, 0]);
    let (mut bodies, mut code_start, mut data_start, mut segments) = (Vec::new(), 0, 0, Vec::new());
    for payload in Parser::new(0).parse_all(module) {
        match payload.expect("it can be read") {
            Payload::CodeSectionStart { range, .. } => code_start = range.start,
            Payload::CodeSectionEntry(body) => bodies.push(body.range().start),
            Payload::DataSection(section) => {
                data_start = section.range().start;
                let segment = |data: wasmparser::Data<'_>| data.range.end - data.data.len();
                segments.extend(section.into_iter().map(|data| segment(data.expect("it can be read"))));
            }
            _ => {}
        }
    }
    let functions = FUNCTIONS.len() as u32;
    for (from, to) in POINTERS {
        let (list, offset) = match from {
            Node::Function(function) => (&mut code, bodies[function as usize - 1] + 1 - code_start),
            Node::Constant(constant) => {
                let [segment, offset] = place(constant);
                (&mut data, segments[segment as usize] + offset as usize - data_start)
            }
        };
        let (in_code, in_data, symbol) = match to {
            Node::Function(function) => {
                (RelocationType::TableIndexSleb, RelocationType::TableIndexI32, function)
            }
            Node::Constant(constant) => {
                (RelocationType::MemoryAddrSleb, RelocationType::MemoryAddrI32, functions + constant)
            }
        };
        list[1] += 1;
        list.push(if list[0] == 8 { in_code } else { in_data } as u8);
        (offset as u32).encode(list);
        symbol.encode(list);
        if let Node::Constant(_) = to {
            0_i32.encode(list);
        }
    }

    let mut symbols = SymbolTable::new();
    for (index, (name, _)) in (0..).zip(FUNCTIONS) {
        // An import has no name of its own.
        symbols.function(if index == 0 { 0x10 } else { 0 }, index, (index > 0).then_some(name));
    }
    for (constant, name) in (0..).zip(CONSTANTS) {
        let [index, offset] = place(constant);
        symbols.data(0, name, Some(DataSymbolDefinition { index, offset, size: 4 }));
    }
    let mut linking = vec![2];
    symbols.encode(&mut linking);
    let mut names = vec![2];
    for name in [".rodata", ".data"] {
        name.encode(&mut names);
        names.extend([2, 0]);
    }
    linking.push(5);
    names.encode(&mut linking);
    let mut linked = module.to_vec();
    for (name, data) in [("linking", linking), ("reloc.CODE", code), ("reloc.DATA", data)] {
        linked.push(0);
        CustomSection { name: name.into(), data: data.into() }.encode(&mut linked);
    }
    linked
}

fn split_sample(twist: i32) -> Split {
    let whole = module(twist);
    split(&whole, &linked(&whole), &[DOORS]).expect("it has all doors")
}

/// Returns the core and the parts.
fn read(split: &Split) -> (Parts<'_>, Vec<Parts<'_>>) {
    let read = |module| Parts::read(module).expect("it can be read");
    (read(&split.core), split.parts.iter().map(|part| read(part)).collect())
}

/// Returns the addresses and bytes of a module's data.
fn data<'a>(parts: &Parts<'a>) -> Vec<(u32, &'a [u8])> {
    parts.segments.iter().map(|segment| (segment.address, segment.bytes)).collect()
}

const DOORS: Doors<'static> = Doors { exports: &["c"], called: &[&["app", "ly"]] };

/// Returns the names of the functions that a module has, without those that it imports.
fn own_names<'a>(parts: &Parts<'a>) -> Vec<&'a str> {
    (parts.imported()..parts.function_types.len() as u32).map(|function| parts.name(function)).collect()
}

fn slots<'a>(parts: &Parts<'a>) -> Vec<(u32, &'a str)> {
    let mut slots = Vec::new();
    for elements in &parts.elements {
        slots.extend((elements.first_slot..).zip(elements.functions.iter().map(|&index| parts.name(index))));
    }
    slots
}

#[test]
fn what_only_doors_lead_to_is_moved() {
    let split = split_sample(0);
    let (core, parts) = read(&split);
    let late = &parts[0];
    assert_eq!(own_names(&core), ["play", "add", "closure of play", "closure of the page"]);
    assert_eq!(own_names(late), ["constrain", "apply", "solve", "closure of solve", "closure of kept"]);
    assert_eq!(slots(&core), [(2, "closure of play"), (4, "closure of the page")]);
    assert_eq!(slots(late), [(1, "closure of solve"), (5, "closure of kept"), (6, "apply")]);
    assert_eq!(core.tables[0].initial, 7, "with a slot for the door");
    let exported = |parts: &Parts<'_>| -> Vec<String> {
        parts.exports.iter().map(|export| format!("{} {:?}", export.name, export.kind)).collect()
    };
    assert_eq!(exported(late), ["c Func"]);
    let shared = exported(&core);
    assert_eq!(shared[..4], ["p Func", "2 Func", "g0 Global", "t0 Table"]);
    assert!(shared.len() == 5 && shared[4].starts_with('m') && shared[4].ends_with("Memory"));
    let imported: Vec<(&str, &str)> =
        late.imports.iter().map(|import| (import.module, import.name)).collect();
    assert_eq!(imported, [("glue", "a"), ("core", "2")]);
}

#[test]
fn the_core_calls_doors_through_the_table() {
    let Split { core, .. } = split_sample(0);
    let parts = Parts::read(&core).expect("it can be read");
    let play = &parts.uses().expect("it can be read")[parts.imported() as usize];
    assert_eq!(play.functions.iter().map(|&function| parts.name(function)).collect::<Vec<_>>(), ["add"]);
    assert_eq!(play.tables.len(), 1);
}

#[test]
fn parts_call_each_other_through_the_table() {
    let whole = module(0);
    let wanted =
        [Doors { exports: &[], called: &[&["solve"]] }, Doors { exports: &["c"], called: &[&["app", "ly"]] }];
    let split = split(&whole, &linked(&whole), &wanted).expect("it has all doors");
    let (core, parts) = read(&split);
    assert_eq!(own_names(&core), ["play", "add", "closure of play", "closure of the page"]);
    assert_eq!(own_names(&parts[0]), ["solve", "closure of solve", "closure of kept"]);
    assert_eq!(own_names(&parts[1]), ["constrain", "apply"]);
    assert_eq!(core.tables[0].initial, 8, "with a slot for each door");
    assert_eq!(slots(&parts[0]), [(1, "closure of solve"), (5, "closure of kept"), (6, "solve")]);
    assert_eq!(slots(&parts[1]), [(7, "apply")]);
    let uses = parts[1].uses().expect("it can be read");
    assert!(uses[parts[1].imported() as usize..].iter().all(|uses| uses.tables.len() == 1));
    let imported = |part: &Parts<'_>| -> Vec<String> {
        part.imports.iter().map(|import| format!("{} {}", import.module, import.name)).collect()
    };
    assert_eq!(imported(&parts[0]), ["core 2"]);
    assert_eq!(imported(&parts[1]), ["glue a", "core 2"]);
    assert_eq!(data(&parts[0]), [(READ_ONLY_AT + 8, b"slottext\0\0\0\0\0\0\0\0".as_slice())]);
    assert_eq!(data(&parts[1]), []);
}

#[test]
fn what_two_parts_need_is_in_the_core() {
    let whole = module(0);
    let wanted = [Doors { exports: &["c"], called: &[] }, Doors { exports: &[], called: &[&["app", "ly"]] }];
    let split = split(&whole, &linked(&whole), &wanted).expect("it has all doors");
    let (core, parts) = read(&split);
    let of_core = ["play", "add", "solve", "closure of solve"];
    assert_eq!(own_names(&core)[..4], of_core);
    assert_eq!(own_names(&core)[4..], ["closure of play", "closure of the page", "closure of kept"]);
    assert_eq!(own_names(&parts[0]), ["constrain"]);
    assert_eq!(own_names(&parts[1]), ["apply"]);
    assert_eq!(data(&core)[0], (READ_ONLY_AT, b"playplusslottext".as_slice()));
    assert!(parts.iter().all(|part| data(part).is_empty()));
}

#[test]
fn parts_of_different_builds_have_different_names_for_the_memory() {
    let name = |twist: i32| {
        let core = split_sample(twist).core;
        let parts = Parts::read(&core).expect("it can be read");
        parts.exports.last().expect("it exports its memory").name.to_owned()
    };
    assert_eq!(name(0), name(0));
    assert_ne!(name(0), name(1));
}

#[test]
fn missing_doors_are_refused() {
    let whole = module(0);
    for doors in [Doors { exports: &["x"], ..DOORS }, Doors { called: &[&["apply", "all"]], ..DOORS }] {
        assert!(split(&whole, &linked(&whole), &[doors]).is_err());
    }
}

#[test]
fn constants_are_where_they_are_read() {
    let split = split_sample(0);
    let (core, parts) = read(&split);
    let late = &parts[0];
    // Constants of both stay, and so do variables, but not what they lead to. Nothing refers to the last constant.
    assert_eq!(data(&core), [(READ_ONLY_AT, b"playplus".as_slice()), (VARIABLES_AT, b"kept")]);
    assert_eq!(data(late), [(READ_ONLY_AT + 8, b"slottext\0\0\0\0\0\0\0\0".as_slice())]);
}

#[test]
fn modules_that_do_not_fit_the_linked_one_are_refused() {
    let whole = module(0);
    let fitting = linked(&whole);
    let reason = |module: &[u8], linked: &[u8]| split(module, linked, &[DOORS]).err().unwrap_or_default();
    assert_eq!(reason(&whole, &fitting), "");
    assert!(reason(&whole, &whole).contains("no relocations"));
    // Each text occurs once, but for names of functions.
    let replaced = |from: &[u8], to: &[u8]| {
        let at = whole.windows(from.len()).rposition(|piece| piece == from).expect("it is there");
        [&whole[..at], to, &whole[at + from.len()..]].concat()
    };
    let moved = replaced(&[0x41, 0x80, 0x08, 0x0b], &[0x41, 0x84, 0x08, 0x0b]);
    assert!(reason(&moved, &fitting).contains("data isn't where"));
    let unknown = module(READ_ONLY_AT as i32);
    assert_eq!(reason(&unknown, &linked(&unknown)), "");
    let renamed = unknown.windows(5).rposition(|piece| piece == b"solve").expect("it is there");
    let renamed = [&unknown[..renamed], b"other", &unknown[renamed + 5..]].concat();
    assert!(reason(&renamed, &fitting).contains("has no function"));
}

#[test]
fn names_last_without_the_hash_of_a_crate() {
    assert_eq!(lasting_name("importModel_125fd77aa1cffd47"), "importModel");
    for name in ["import_model", "importModel_125fd77aa1cffd4x", "_ZN4core3fmt17h1698c873bc8d6990E"] {
        assert_eq!(lasting_name(name), name);
    }
}
