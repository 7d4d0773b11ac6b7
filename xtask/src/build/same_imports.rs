//! Merges imports that do the same. wasm-bindgen writes one for each class, such as 13 that set a `label`. Without the
//! others, a WebGPU page is 0.4 KB smaller, compressed.

use std::collections::HashMap;
use std::convert::Infallible;
use std::ops::Range;

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CustomSection, Module};
use wasmparser::{BinaryReaderError, CustomSectionReader, Parser, Payload, TypeRef};

/// Returns the glue without the imports that equal an earlier one, and the module, which calls the earlier one instead.
/// The module still declares all of them: wasm-opt removes those that nothing calls.
///
/// # Errors
///
/// When the module can't be read, or the glue lacks an import.
pub(super) fn merge(glue: &str, module: &[u8]) -> Result<(String, Vec<u8>), String> {
    let imports = imports(module).map_err(|error| format!("cannot read the module's imports: {error}"))?;
    let mut merged = Merged { imports: Vec::new() };
    let mut rest = glue.to_owned();
    let mut firsts = HashMap::new();
    for (index, (name, ty)) in (0..).zip(imports) {
        let entry = entry(&rest, name).ok_or_else(|| format!("the glue lacks the import {name}"))?;
        let function = rest[entry.clone()].trim_start().trim_start_matches(name).to_owned();
        let first = *firsts.entry((function, ty)).or_insert(index);
        if first != index {
            rest.replace_range(entry, "");
        }
        merged.imports.push(first);
    }
    let mut written = Module::new();
    merged
        .parse_core_module(&mut written, Parser::new(0), module)
        .map_err(|error| format!("cannot read the module: {error}"))?;
    Ok((rest, written.finish()))
}

/// Returns the names and types of the imports, which are all functions.
fn imports(module: &[u8]) -> Result<Vec<(&str, u32)>, BinaryReaderError> {
    let mut found = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        let Payload::ImportSection(section) = payload? else { continue };
        for import in section.into_imports() {
            let import = import?;
            if let TypeRef::Func(ty) = import.ty {
                found.push((import.name, ty));
            }
        }
    }
    Ok(found)
}

/// Returns where the glue has an import: an entry of one object literal, from the line with its name to that with its
/// closing brace.
fn entry(glue: &str, name: &str) -> Option<Range<usize>> {
    let start = glue.find(&format!("\n        {name}: function("))?;
    let last_line = start + glue[start..].find("\n        }")? + 1;
    let end = glue[last_line..].find('\n')?;
    Some(start..last_line + end)
}

/// The function that each import is replaced by.
struct Merged {
    imports: Vec<u32>,
}

impl Reencode for Merged {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Infallible>> {
        Ok(self.imports.get(function as usize).copied().unwrap_or(function))
    }

    /// Copies the names as they are, since all functions keep their indices.
    fn parse_custom_section(
        &mut self,
        module: &mut Module,
        section: CustomSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        module.section(&CustomSection { name: section.name().into(), data: section.data().into() });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{
        CodeSection, EntityType, Function, FunctionSection, ImportSection, Instruction, Module, NameMap,
        NameSection, TypeSection, ValType,
    };

    use super::{imports, merge};

    /// The glue of five imports, of which `b` and `d` have the code of `a`.
    const GLUE: &str = "const imports = {
        a: function(arg0) {
            arg0.label = 1;
        },
        b: function(arg0) {
            arg0.label = 1;
        },
        c: function() { return handleError(function (arg0) {
            arg0.label = 1;
        }, arguments); },
        d: function(arg0) {
            arg0.label = 1;
        },
        e: function(arg0) {
            arg0.size = 1;
        },
    };
";

    /// Returns a module that calls these functions one after the other. It imports the functions of the glue, of which
    /// `d` takes another type.
    fn module(calls: [u32; 5]) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([ValType::I32], []);
        types.ty().function([ValType::F64], []);
        let mut declared = ImportSection::new();
        let mut names = NameMap::new();
        for (index, name) in (0..).zip(["a", "b", "c", "d", "e"]) {
            declared.import("glue", name, EntityType::Function(u32::from(name == "d")));
            names.append(index, name);
        }
        let mut functions = FunctionSection::new();
        functions.function(0);
        let mut body = Function::new([]);
        for call in calls {
            body.instruction(&Instruction::Call(call));
        }
        body.instruction(&Instruction::End);
        let mut code = CodeSection::new();
        code.function(&body);
        let mut section = NameSection::new();
        section.functions(&names);
        let mut module = Module::new();
        module.section(&types).section(&declared).section(&functions).section(&code).section(&section);
        module.finish()
    }

    #[test]
    fn only_equal_functions_of_one_type_are_merged() {
        let (glue, merged) = merge(GLUE, &module([0, 1, 2, 3, 4])).expect("the module is whole");
        assert_eq!(merged, module([0, 0, 2, 3, 4]));
        let b = "        b: function(arg0) {\n            arg0.label = 1;\n        },\n";
        assert_eq!(glue, GLUE.replace(b, ""));
    }

    #[test]
    fn a_glue_without_an_import_is_refused() {
        assert!(merge(&GLUE.replace("        e: ", "        f: "), &module([0; 5])).is_err());
        assert_eq!(imports(&module([0; 5])).expect("the module is whole").len(), 5);
    }
}
