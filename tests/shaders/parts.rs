//! Parts of shaders that not all meshes and materials need.

use gambol::render::Tier;
use gambol::render::shader_parts::ShaderParts;
use gambol::render::shaders::{Module, Texts};

/// Returns whether a constant of a module is true.
fn is_true(parsed: &naga::Module, name: &str) -> bool {
    let mut constants = parsed.constants.iter().map(|(_, constant)| constant);
    let constant = constants.find(|constant| constant.name.as_deref() == Some(name));
    let init = constant.unwrap_or_else(|| panic!("no constant {name}")).init;
    match parsed.global_expressions[init] {
        naga::Expression::Literal(naga::Literal::Bool(value)) => value,
        ref other => panic!("{name} is {other:?}"),
    }
}

#[test]
fn each_part_is_a_constant_of_the_shader() {
    for (bit, name) in ShaderParts::NAMES.iter().enumerate() {
        for (other, parts) in ShaderParts::ALL.iter().enumerate() {
            let source = Module::Mesh.source_from(&Texts::NAMED, Tier::WebGpu, false, parts);
            let parsed = naga::front::wgsl::parse_str(&source).unwrap();
            assert_eq!(is_true(&parsed, name), bit == other, "{name}");
        }
    }
}

/// Parts that a module doesn't declare must not make another module of it.
#[test]
fn modules_differ_by_the_parts_that_they_declare() {
    for module in Module::ALL {
        let source = |parts| module.source_from(&Texts::NAMED, Tier::WebGpu, false, parts);
        let declared = ShaderParts::NAMES.iter().filter(|name| {
            let declaration = format!("const {name} = (PARTS");
            source(ShaderParts::ALL).contains(&declaration)
        });
        assert_eq!(ShaderParts::ALL.within(module).iter().count(), declared.count(), "{module:?}");
    }
}
