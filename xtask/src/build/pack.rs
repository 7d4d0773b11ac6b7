//! Packs a wasm file, so that it compresses better: `xtask/unpack` tells how.

use std::ops::Range;
use std::path::Path;

use unpack::streams::{Stream, Transfer, transfer_body};
use unpack::{END, NUMBER_LEN, PACKED_AT};
use wasm_encoder::{
    ConstExpr, DataSection, DataSegment, DataSegmentMode, ExportSection, MemorySection, MemoryType, Module,
    RawSection,
};
use wasmparser::{BinaryReaderError, Parser, Payload};

use super::{Effort, decoders, make_dir, read_bytes, write};

/// Smaller files become at most 4 % smaller, compressed, since each has the code that unpacks.
const SMALLEST: usize = 128 << 10;

const PAGE_LEN: usize = 65_536;

/// The wasm file with the code that unpacks.
pub(super) struct Unpacker(Vec<u8>);

impl Unpacker {
    pub(super) fn build(root: &Path, effort: Effort) -> Result<Self, String> {
        let built = root.join("target/xtask/unpack.wasm");
        make_dir(&root.join("target/xtask"))?;
        decoders::build_one(root, "unpack", &built, effort)?;
        read_bytes(&built).map(Self)
    }

    /// Packs a file in place, unless it is small.
    ///
    /// # Errors
    ///
    /// When the file can't be read, or has an instruction that the code doesn't know.
    pub(super) fn pack(&self, path: &Path) -> Result<(), String> {
        let module = read_bytes(path)?;
        if module.len() < SMALLEST {
            return Ok(());
        }
        let packed = self.around(&packed(&module)?)?;
        write(path, packed)
    }

    /// Returns the wasm file that has something packed as its data.
    fn around(&self, packed: &Packed) -> Result<Vec<u8>, String> {
        let memory_len = (PACKED_AT + packed.bytes.len() + packed.module_len).next_multiple_of(PAGE_LEN);
        let mut written = Module::new();
        for payload in Parser::new(0).parse_all(&self.0) {
            match payload.map_err(|error| unreadable(&error))? {
                Payload::MemorySection(memories) => {
                    let own = memories.into_iter().next().and_then(Result::ok).map(|memory| memory.initial);
                    if own != Some((PACKED_AT / PAGE_LEN) as u64) {
                        return Err("the code that unpacks uses the memory of what is packed".into());
                    }
                    written.section(&memory((memory_len / PAGE_LEN) as u64));
                }
                // The linker exports more.
                Payload::ExportSection(exports) => {
                    let mut kept = ExportSection::new();
                    for export in exports {
                        let export = export.map_err(|error| unreadable(&error))?;
                        if ["memory", "unpack"].contains(&export.name) {
                            kept.export(export.name, export.kind.into(), export.index);
                        }
                    }
                    written.section(&kept);
                }
                Payload::DataSection(_) => return Err("the code that unpacks has data of its own".into()),
                payload => {
                    if let Some((id, range)) = payload.as_section() {
                        written.section(&RawSection { id, data: &self.0[range] });
                    }
                }
            }
        }
        let mut data = DataSection::new();
        data.segment(DataSegment {
            mode: DataSegmentMode::Active {
                memory_index: 0,
                offset: &ConstExpr::i32_const(PACKED_AT as i32),
            },
            data: packed.bytes.iter().copied(),
        });
        written.section(&data);
        Ok(written.finish())
    }
}

fn memory(minimum: u64) -> MemorySection {
    let mut memories = MemorySection::new();
    memories.memory(MemoryType {
        minimum,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    memories
}

struct Packed {
    bytes: Vec<u8>,
    module_len: usize,
}

/// Sorts the bytes of a module.
fn packed(module: &[u8]) -> Result<Packed, String> {
    let code = Code::of(module)
        .map_err(|error| unreadable(&error))?
        .ok_or("a module without code can't be packed")?;
    let mut packing = Packing { rest: &[], streams: vec![Vec::new(); Stream::COUNT], overran: false };
    packing.streams[Stream::Plain as usize].extend_from_slice(&module[..code.before]);
    for body in &code.bodies {
        packing.rest = &module[body.clone()];
        transfer_body(&mut packing);
        if packing.overran || !packing.rest.is_empty() {
            return Err("the module has an instruction that `xtask/unpack` doesn't know".into());
        }
    }
    packing.streams[Stream::Plain as usize].extend_from_slice(&module[code.end..]);

    let bodies_len: usize = code.bodies.iter().map(|body| NUMBER_LEN + body.len()).sum();
    let module_len = code.before + 2 * NUMBER_LEN + bodies_len + module.len() - code.end;
    let numbers = [module_len, code.before, code.bodies.len()];
    let lengths = packing.streams.iter().map(Vec::len);
    let mut bytes: Vec<u8> =
        numbers.into_iter().chain(lengths).flat_map(|number| (number as u32).to_le_bytes()).collect();
    bytes.extend(packing.streams.iter().flatten());
    Ok(Packed { bytes, module_len })
}

struct Packing<'a> {
    /// What hasn't been sorted of a function's body.
    rest: &'a [u8],
    streams: Vec<Vec<u8>>,
    overran: bool,
}

impl Transfer for Packing<'_> {
    fn transfer(&mut self, stream: Stream) -> u8 {
        let Some((&byte, rest)) = self.rest.split_first() else {
            self.overran = true;
            return END;
        };
        self.rest = rest;
        self.streams[stream as usize].push(byte);
        byte
    }
}

/// Where the code of a module is.
struct Code {
    /// The end of the code section's number.
    before: usize,
    bodies: Vec<Range<usize>>,
    /// The end of the section.
    end: usize,
}

impl Code {
    fn of(module: &[u8]) -> Result<Option<Self>, BinaryReaderError> {
        let mut code = None;
        // The end of the last section.
        let mut end = 0;
        for payload in Parser::new(0).parse_all(module) {
            let payload = payload?;
            match &payload {
                Payload::CodeSectionStart { range, .. } => {
                    code = Some(Self { before: end + 1, bodies: Vec::new(), end: range.end });
                }
                Payload::CodeSectionEntry(body) => {
                    code.iter_mut().for_each(|code| code.bodies.push(body.range()));
                }
                _ => {}
            }
            if let Payload::Version { range, .. } = &payload {
                end = range.end;
            } else if let Some((_, range)) = payload.as_section() {
                end = range.end;
            }
        }
        Ok(code)
    }
}

fn unreadable(error: &BinaryReaderError) -> String {
    format!("cannot read the module: {error}")
}

#[cfg(test)]
mod tests {
    use unpack::take_number;
    use wasm_encoder::{CodeSection, Function, FunctionSection, Instruction, MemArg, TypeSection};
    use wasmparser::Validator;

    use super::*;

    /// Returns a module with some functions, and what is before and after its code.
    fn module(functions: &[&[Instruction<'_>]]) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        let mut declared = FunctionSection::new();
        let mut code = CodeSection::new();
        for instructions in functions {
            declared.function(0);
            let mut function =
                Function::new([(3, wasm_encoder::ValType::I32), (200, wasm_encoder::ValType::F64)]);
            for instruction in *instructions {
                function.instruction(instruction);
            }
            function.instruction(&Instruction::End);
            code.function(&function);
        }
        let mut data = DataSection::new();
        data.passive(*b"behind the code");
        let mut module = Module::new();
        module.section(&types).section(&declared).section(&memory(1));
        module.section(&wasm_encoder::DataCountSection { count: 1 });
        module.section(&code).section(&data);
        module.finish()
    }

    /// Packs a module and unpacks it.
    fn restored(module: &[u8]) -> Vec<u8> {
        let packed = packed(module).expect("all instructions are known");
        assert_eq!(take_number(&mut packed.bytes.as_slice()), packed.module_len);
        let mut restored = vec![0; packed.module_len];
        unpack::unpack(&packed.bytes, &mut restored);
        restored
    }

    /// Returns the bytes of a module with the bodies of its functions, and its other sections.
    fn contents(module: &[u8]) -> Vec<Vec<u8>> {
        let payloads = Parser::new(0).parse_all(module).map(|payload| payload.expect("the module is whole"));
        payloads
            .filter_map(|payload| match &payload {
                Payload::CodeSectionEntry(body) => Some(body.as_bytes().to_vec()),
                Payload::CodeSectionStart { count, .. } => Some(count.to_le_bytes().to_vec()),
                _ => payload.as_section().map(|(_, range)| module[range].to_vec()),
            })
            .collect()
    }

    #[test]
    fn every_kind_of_instruction_comes_back() {
        let at = |offset| MemArg { offset, align: 0, memory_index: 0 };
        let kinds = [
            Instruction::Block(wasm_encoder::BlockType::Empty),
            Instruction::Loop(wasm_encoder::BlockType::Empty),
            Instruction::BrTable([1, 0, 300].as_slice().into(), 1),
            Instruction::Br(1),
            Instruction::BrIf(0),
            Instruction::If(wasm_encoder::BlockType::Empty),
            Instruction::Else,
            Instruction::End,
            Instruction::End,
            Instruction::End,
            Instruction::Call(70_000),
            Instruction::CallIndirect { type_index: 200, table_index: 0 },
            Instruction::LocalGet(200),
            Instruction::LocalSet(2),
            Instruction::LocalTee(0),
            Instruction::GlobalGet(1),
            Instruction::GlobalSet(0),
            Instruction::TableGet(1),
            Instruction::TableSet(0),
            Instruction::I32Load(at(1 << 20)),
            Instruction::I64Store32(at(11)),
            Instruction::MemorySize(0),
            Instruction::MemoryGrow(0),
            Instruction::I32Const(-1),
            Instruction::I64Const(0x0b0b_0b0b_0b0b),
            Instruction::F32Const(f32::from_bits(0x0b0b_0b0b).into()),
            Instruction::F64Const(f64::from_bits(0x0b0b_0b0b_0b0b_0b0b).into()),
            Instruction::RefNull(wasm_encoder::HeapType::FUNC),
            Instruction::RefFunc(0),
            Instruction::I32TruncSatF32S,
            Instruction::MemoryInit { mem: 0, data_index: 0 },
            Instruction::DataDrop(0),
            Instruction::MemoryCopy { src_mem: 0, dst_mem: 0 },
            Instruction::MemoryFill(0),
            Instruction::TableInit { elem_index: 11, table: 0 },
            Instruction::ElemDrop(11),
            Instruction::TableCopy { src_table: 11, dst_table: 0 },
            Instruction::TableGrow(11),
            Instruction::TableSize(11),
            Instruction::TableFill(11),
            Instruction::V128Load(at(11)),
            Instruction::V128Store(at(11)),
            Instruction::V128Load32Zero(at(11)),
            Instruction::V128Const(0x0b0b_0b0b_0b0b_0b0b_0b0b),
            Instruction::I8x16Shuffle([11; 16]),
            Instruction::F32x4ExtractLane(11),
            Instruction::V128Load32Lane { memarg: at(11), lane: 11 },
            Instruction::F32x4Add,
            Instruction::I32Add,
        ];
        let all = module(&[&kinds]);
        assert_eq!(contents(&restored(&all)), contents(&all));
        // Alone, each ends where the next begins.
        for kind in kinds {
            if let Instruction::Block(_) | Instruction::Loop(_) | Instruction::If(_) | Instruction::End = kind
            {
                continue;
            }
            let one = module(&[&[], &[kind.clone(), Instruction::LocalGet(1)], &[]]);
            assert_eq!(contents(&restored(&one)), contents(&one), "{kind:?}");
        }
    }

    #[test]
    fn what_is_unpacked_is_valid() {
        let module = module(&[&[Instruction::I32Const(1), Instruction::Drop], &[]]);
        Validator::new().validate_all(&restored(&module)).expect("the numbers of five bytes are valid");
    }

    #[test]
    fn an_unknown_instruction_is_reported() {
        for unknown in [Instruction::ReturnCall(11), Instruction::ReturnCall(2)] {
            let unknown = [unknown, Instruction::Drop];
            assert!(packed(&module(&[&unknown])).is_err());
        }
    }

    #[test]
    fn a_broken_module_is_reported() {
        let module = module(&[&[Instruction::Drop]]);
        assert!(packed(&module[..module.len() - 3]).is_err());
        assert!(packed(&Module::new().finish()).is_err());
    }

    #[test]
    fn a_packed_file_has_its_code_and_its_data() {
        let packed = packed(&module(&[&[Instruction::Drop]])).expect("all instructions are known");
        let with = |pages| {
            let mut module = Module::new();
            module.section(&memory(pages));
            Unpacker(module.finish())
        };
        let file = with(1).around(&packed).expect("the code uses the first page");
        let data = Parser::new(0).parse_all(&file).find_map(|payload| match payload {
            Ok(Payload::DataSection(section)) => section.into_iter().next()?.ok(),
            _ => None,
        });
        assert_eq!(data.expect("there is data").data, packed.bytes);
        Validator::new().validate_all(&file).expect("the data has room");
        assert!(with(2).around(&packed).is_err(), "code with data of its own");
    }
}
