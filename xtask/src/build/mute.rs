//! Empties functions that write what nobody reads.
//!
//! wgpu prints its values in panics that cannot occur here. A function below is still called where it was, and writes
//! nothing.

use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{CodeSection, Function, Instruction, Module};
use wasmparser::{BinaryReaderError, KnownCustom, Name, Parser, Payload, TypeRef};

/// Pieces of the mangled names of the functions.
const MUTE: [&[&str]; 3] = [
    // wgpu's panic about mapping a range twice. `src/render` maps each buffer once, whole.
    &["wgpu..api..buffer..RangeMappingKind$u20$as$u20$core..fmt..Debug$GT$3fmt"],
    &["4core3ops5range", "NtB4_5Range", "5Debug3fmt"],
    // The character in which a text was cut by a wrong index. The panic still has the index.
    &["4core3fmtcNtB5_5Debug3fmt"],
];

/// Returns whether a function is emptied.
pub(super) fn is_mute(name: &str) -> bool {
    MUTE.iter().any(|pieces| pieces.iter().all(|piece| name.contains(piece)))
}

/// Returns a module with names in which the functions write nothing.
///
/// # Errors
///
/// When the module can't be read.
pub(super) fn mute(module: &[u8]) -> Result<Vec<u8>, String> {
    let (imported, functions) =
        found(module).map_err(|error| format!("cannot read the module's names: {error}"))?;
    let mut written = Module::new();
    let mut mute = Mute { imported, functions };
    mute.parse_core_module(&mut written, Parser::new(0), module)
        .map_err(|error| format!("cannot read the module: {error}"))?;
    Ok(written.finish())
}

/// Returns the number of imported functions, and the indices of those to empty.
fn found(module: &[u8]) -> Result<(u32, Vec<u32>), BinaryReaderError> {
    let mut imported = 0;
    let mut functions = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CustomSection(section) => {
                let KnownCustom::Name(names) = section.as_known() else { continue };
                for name in names {
                    let Name::Function(map) = name? else { continue };
                    for naming in map {
                        let naming = naming?;
                        functions.extend(is_mute(naming.name).then_some(naming.index));
                    }
                }
            }
            _ => {}
        }
    }
    Ok((imported, functions))
}

struct Mute {
    imported: u32,
    functions: Vec<u32>,
}

impl Reencode for Mute {
    type Error = std::convert::Infallible;

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: wasmparser::CodeSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        for (index, body) in (self.imported..).zip(section) {
            if self.functions.contains(&index) {
                // `Ok(())`
                let mut empty = Function::new([]);
                empty.instruction(&Instruction::I32Const(0)).instruction(&Instruction::End);
                code.function(&empty);
            } else {
                self.parse_function_body(code, body?)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{FunctionSection, NameMap, NameSection, TypeSection, ValType};

    /// Returns a module of two functions with these names, which return 1 and 2.
    fn module(functions: [&str; 2]) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], [ValType::I32]);
        let mut declared = FunctionSection::new();
        let mut code = CodeSection::new();
        let mut map = NameMap::new();
        for (index, name) in (0..).zip(functions) {
            declared.function(0);
            let mut body = Function::new([]);
            body.instruction(&Instruction::I32Const(index + 1)).instruction(&Instruction::End);
            code.function(&body);
            map.append(index as u32, name);
        }
        let mut names = NameSection::new();
        names.functions(&map);
        let mut module = Module::new();
        module.section(&types).section(&declared).section(&code).section(&names);
        module.finish()
    }

    /// Returns the number that each function returns.
    fn constants(module: &[u8]) -> Vec<i32> {
        let payloads = Parser::new(0).parse_all(module).map(|payload| payload.expect("it can be read"));
        let bodies = payloads.filter_map(|payload| match payload {
            Payload::CodeSectionEntry(body) => Some(body),
            _ => None,
        });
        let mut found = Vec::new();
        for body in bodies {
            let mut operators = body.get_operators_reader().expect("it can be read");
            match operators.read().expect("it has an operator") {
                wasmparser::Operator::I32Const { value } => found.push(value),
                other => panic!("{other:?}"),
            }
        }
        found
    }

    #[test]
    fn only_functions_that_write_names_are_emptied() {
        let mute_name = format!("_R{}", MUTE[1].concat());
        let before = module(["other", &mute_name]);
        let after = mute(&before).expect("the module is whole");
        assert_eq!(constants(&before), [1, 2]);
        assert_eq!(constants(&after), [1, 0]);
    }
}
