//! Writes one alignment at all loads and stores, which makes a page 0.6 KB smaller, compressed.
//!
//! The alignment of an address is a hint: WebAssembly defines the same result with any, and engines for processors
//! that load from any address ignore it. The lowest one is always valid.

use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{MemArg, Module};
use wasmparser::Parser;

/// Returns the module with an alignment of one byte everywhere.
///
/// # Errors
///
/// When the module can't be read.
pub(super) fn unify(module: &[u8]) -> Result<Vec<u8>, String> {
    let mut written = Module::new();
    Unified
        .parse_core_module(&mut written, Parser::new(0), module)
        .map_err(|error| format!("cannot read the module: {error}"))?;
    Ok(written.finish())
}

struct Unified;

impl Reencode for Unified {
    type Error = Infallible;

    fn mem_arg(&mut self, arg: wasmparser::MemArg) -> Result<MemArg, Error<Infallible>> {
        Ok(MemArg { offset: arg.offset, align: 0, memory_index: self.memory_index(arg.memory)? })
    }
}

#[cfg(test)]
mod tests {
    use super::unify;
    use wasm_encoder::{
        CodeSection, Function, FunctionSection, Instruction, MemArg, MemorySection, MemoryType, Module,
        TypeSection,
    };

    /// Returns a module that copies a number and a vector, and names these alignments.
    fn module(number: u32, vector: u32) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        let mut functions = FunctionSection::new();
        functions.function(0);
        let mut memories = MemorySection::new();
        memories.memory(MemoryType {
            minimum: 1,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
        let at = |offset, align| MemArg { offset, align, memory_index: 0 };
        let mut body = Function::new([]);
        for instruction in [
            Instruction::I32Const(0),
            Instruction::I32Const(0),
            Instruction::I64Load32U(at(300, number)),
            Instruction::I64Store(at(12, number)),
            Instruction::I32Const(0),
            Instruction::I32Const(0),
            Instruction::V128Load(at(0, vector)),
            Instruction::V128Store(at(16, vector)),
            Instruction::End,
        ] {
            body.instruction(&instruction);
        }
        let mut code = CodeSection::new();
        code.function(&body);
        let mut module = Module::new();
        module.section(&types).section(&functions).section(&memories).section(&code);
        module.finish()
    }

    #[test]
    fn only_alignments_change() {
        assert_eq!(unify(&module(2, 4)).expect("the module is whole"), module(0, 0));
        assert_eq!(unify(&module(0, 0)).expect("the module is whole"), module(0, 0));
    }

    #[test]
    fn a_broken_module_is_reported() {
        assert!(unify(&module(2, 4)[..20]).is_err());
    }
}
