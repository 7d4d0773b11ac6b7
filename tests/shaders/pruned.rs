//! Shaders without what their parts rule out.

use super::{SHORT, source_with, validated, variants};
use gambol::model::MaterialFeatures;
use gambol::render::Tier;
use gambol::render::pruned::pruned;
use gambol::render::shader_parts::ShaderParts;
use gambol::render::shaders::Module;
use gambol::render::views::shaders as view_texts;
use naga::back::glsl;
use naga::{Block, Expression, Function, Handle, Literal, LocalVariable, Statement, UnaryOperator};
use std::collections::{BTreeMap, HashMap};

/// The parts of a shadow map that draws what the viewer sees, and of views: edges, an outline, a ghost and its depths.
const OTHERS: [u32; 5] = [1 << 25, 1 << 30, 1 << 29, 1 << 27, 1 << 26];

/// Returns sets of parts: none, all, each alone, and all without each.
fn sets_of_parts(all: impl IntoIterator<Item = u32>) -> Vec<ShaderParts> {
    let each: Vec<u32> = all.into_iter().collect();
    let all = each.iter().sum::<u32>();
    let without = each.iter().map(|bit| all & !bit);
    [0, all].into_iter().chain(each.iter().copied()).chain(without).map(ShaderParts::from_bits).collect()
}

fn core_parts() -> impl Iterator<Item = u32> {
    (0..ShaderParts::NAMES.len()).map(|bit| 1 << bit)
}

fn parsed(source: &str) -> naga::Module {
    let module = naga::front::wgsl::parse_str(source)
        .unwrap_or_else(|error| panic!("{}\n{source}", error.emit_to_string(source)));
    validated(&module, source);
    module
}

/// Compares a module with the pruned one, by what is left of both when naga's representation has been simplified.
fn compare(whole: &str, parts: ShaderParts, what: &str) {
    let short = pruned(whole, parts);
    let [whole, short] = [whole, &short].map(|source| simplified(&parsed(source)));
    assert_eq!(whole.keys().collect::<Vec<_>>(), short.keys().collect::<Vec<_>>(), "{what}");
    for (entry, text) in &whole {
        let difference = text.lines().zip(short[entry].lines()).find(|(whole, short)| whole != short);
        assert_eq!(difference, None, "{what}, {entry}\n{text}\n{}", short[entry]);
        assert_eq!(text.lines().count(), short[entry].lines().count(), "{what}, {entry}");
    }
}

#[test]
fn what_is_pruned_computes_the_same() {
    for module in Module::ALL {
        for parts in sets_of_parts(core_parts().chain([OTHERS[0]])) {
            let whole = source_with((module, MaterialFeatures::CORE), SHORT, Tier::WebGl2, parts);
            compare(&whole, parts, &format!("{module:?} with {parts:?}"));
        }
    }
}

/// Materials with extensions, and views, whose texts are added to the module.
#[test]
fn what_is_pruned_of_other_fragment_shaders_computes_the_same() {
    let extended = variants().into_iter().filter(|(_, features)| *features != MaterialFeatures::CORE);
    for variant in extended {
        for parts in [ShaderParts::default(), ShaderParts::ALL] {
            let whole = source_with(variant, SHORT, Tier::WebGl2, parts);
            compare(&whole, parts, &format!("{variant:?} with {parts:?}"));
        }
    }
    for parts in sets_of_parts(core_parts().chain(OTHERS)) {
        let mut whole = source_with((Module::Mesh, MaterialFeatures::CORE), SHORT, Tier::WebGl2, parts);
        view_texts::extend_from(&mut whole, &view_texts::SHORT);
        compare(&whole, parts, &format!("views with {parts:?}"));
    }
}

#[test]
fn what_is_pruned_is_valid_where_rows_are_in_buffers() {
    for variant in variants() {
        for parts in [ShaderParts::default(), ShaderParts::ALL] {
            parsed(&pruned(&source_with(variant, SHORT, Tier::WebGpu, parts), parts));
        }
    }
}

#[test]
fn nothing_remains_of_parts_that_a_plain_model_lacks() {
    let parts = ShaderParts::from_bits(1 << 1 | 1 << 9);
    let variant = (Module::Mesh, MaterialFeatures::CORE);
    let whole = source_with(variant, SHORT, Tier::WebGpu, parts);
    let short = pruned(&whole, parts);
    assert!(short.len() * 2 < whole.len(), "{} of {} bytes", short.len(), whole.len());
    let bindings =
        parsed(&short).global_variables.iter().filter(|(_, variable)| variable.binding.is_some()).count();
    assert_eq!(bindings, 10, "rows, three uniform buffers, and three textures with samplers");
}

#[test]
fn branches_and_declarations_are_left_out() {
    let prune = |statements: &str| {
        let module = format!(
            "const PARTS=1;const yes=(PARTS&1)!=0;const no=(PARTS&2)!=0;const never=false;fn unused(){{}}\
             fn used()->i32{{return 1;}}@fragment fn shown(){{{statements}}}"
        );
        pruned(&module, ShaderParts::from_bits(1))
    };
    let shown = |statements: &str| format!("@fragment fn shown(){{{statements}}}");
    assert_eq!(prune("a=1;if no{b=used();}c=2;"), shown("a=1;{}c=2;"));
    assert_eq!(prune("if yes{b=1;}else{b=2;}c=3;"), shown("{b=1;}c=3;"));
    assert_eq!(prune("if no{b=1;}else{b=2;}c=3;"), shown("{b=2;}c=3;"));
    assert_eq!(prune("if!yes||never{b=1;}c=3;"), shown("{}c=3;"));
    assert_eq!(prune("if no&&a>b{b=1;}c=3;"), shown("{}c=3;"));
    assert_eq!(prune("if!(no&&a>b){b=1;}c=3;"), shown("{b=1;}c=3;"));
    assert_eq!(prune("if!no{a=1;return;}b=2;"), shown("{a=1;return;}"));
    assert_eq!(prune("if no{return;}b=2;"), shown("{}b=2;"));
    assert_eq!(
        prune("for(var a=0;a<3;a++){if yes{b++;}if a==b{continue;}}"),
        shown("for(var a=0;a<3;a++){{b++;}if a==b{continue;}}")
    );
    // What depends on more than constants stays.
    for statements in [
        "if a{b=1;}else{b=2;}",
        "if a{b=1;}else if b{c=2;}else{c=3;}",
        "if(a)==(b||no){b=1;}",
        "if yesterday{return;}c=3;",
        "if a{return;}b=2;",
    ] {
        let short = prune(statements);
        assert!(short.starts_with(&shown(statements)), "{short}");
    }
    // So does what it refers to.
    let short = prune("if yes&&a{b=used();}");
    let found: Vec<&str> = short.split_inclusive([';', '}']).collect();
    let referred = ["const PARTS=1;", "const yes=(PARTS&1)!=0;", "fn used()->i32{return 1;"];
    assert!(referred.iter().all(|declaration| found.contains(declaration)), "{short}");
    assert!(!short.contains("unused"), "{short}");
}

/// Returns the functions, inputs and resources of each entry point in GLSL, without branches whose condition is
/// constant, and with names by the order of their use.
fn simplified(module: &naga::Module) -> BTreeMap<String, String> {
    let mut module = module.clone();
    let literals = module.constants.iter().filter_map(|(constant, declared)| {
        match module.global_expressions[declared.init] {
            Expression::Literal(Literal::Bool(value)) => Some((constant, value)),
            _ => None,
        }
    });
    let constants: Constants = literals.collect();
    module.functions.iter_mut().for_each(|(_, function)| simplify(function, &constants));
    module.entry_points.iter_mut().for_each(|entry| simplify(&mut entry.function, &constants));

    let texts = module.entry_points.iter().map(|entry| {
        let mut alone = naga::Module { entry_points: vec![entry.clone()], ..module.clone() };
        naga::compact::compact(&mut alone, naga::compact::KeepUnused::No);
        (entry.name.clone(), with_names_by_order(&written(&alone)))
    });
    texts.collect()
}

type Constants = HashMap<Handle<naga::Constant>, bool>;
/// Variables that are only ever given one value.
type Fixed = HashMap<Handle<LocalVariable>, bool>;

fn simplify(function: &mut Function, constants: &Constants) {
    function.named_expressions.clear();
    let mut fixed = Fixed::new();
    loop {
        function.body = live(&function.body, function, constants, &fixed);
        let mut stored: HashMap<Handle<LocalVariable>, Vec<Option<bool>>> = HashMap::new();
        visit(&function.body, &mut |statement| {
            if let Statement::Store { pointer, value } = *statement
                && let Expression::LocalVariable(variable) = function.expressions[pointer]
            {
                stored.entry(variable).or_default().push(known(value, function, constants, &fixed));
            }
        });
        let count = fixed.len();
        for (variable, values) in stored {
            if let Some(value) = values[0]
                && function.local_variables[variable].init.is_none()
                && values.iter().all(|other| *other == Some(value))
            {
                fixed.insert(variable, value);
            }
        }
        if fixed.len() == count {
            return;
        }
    }
}

fn live(block: &Block, function: &Function, constants: &Constants, fixed: &Fixed) -> Block {
    let live_in = |block: &Block| live(block, function, constants, fixed);
    let mut found = Block::new();
    for statement in block {
        if let Some(Statement::Return { .. }) = found.last() {
            break;
        }
        let mut statement = statement.clone();
        match &mut statement {
            Statement::Block(block) => {
                found.extend_block(live_in(block));
                continue;
            }
            Statement::If { condition, accept, reject } => {
                match known(*condition, function, constants, fixed) {
                    Some(holds) => {
                        found.extend_block(live_in(if holds { accept } else { reject }));
                        continue;
                    }
                    None => (*accept, *reject) = (live_in(accept), live_in(reject)),
                }
            }
            Statement::Loop { body, continuing, .. } => {
                (*body, *continuing) = (live_in(body), live_in(continuing))
            }
            Statement::Switch { cases, .. } => {
                cases.iter_mut().for_each(|case| case.body = live_in(&case.body))
            }
            Statement::Store { pointer, .. } => {
                if let Expression::LocalVariable(variable) = function.expressions[*pointer]
                    && fixed.contains_key(&variable)
                {
                    continue;
                }
            }
            _ => {}
        }
        found.push(statement, naga::Span::default());
    }
    found
}

fn visit(block: &Block, found: &mut impl FnMut(&Statement)) {
    for statement in block {
        found(statement);
        match statement {
            Statement::Block(block) => visit(block, found),
            Statement::If { accept, reject, .. } => {
                [accept, reject].into_iter().for_each(|block| visit(block, found))
            }
            Statement::Loop { body, continuing, .. } => {
                [body, continuing].into_iter().for_each(|block| visit(block, found));
            }
            Statement::Switch { cases, .. } => cases.iter().for_each(|case| visit(&case.body, found)),
            _ => {}
        }
    }
}

/// Returns the value of an expression that is constant.
fn known(at: Handle<Expression>, function: &Function, constants: &Constants, fixed: &Fixed) -> Option<bool> {
    match function.expressions[at] {
        Expression::Literal(Literal::Bool(value)) => Some(value),
        Expression::Constant(constant) => constants.get(&constant).copied(),
        Expression::Unary { op: UnaryOperator::LogicalNot, expr } => {
            known(expr, function, constants, fixed).map(|value| !value)
        }
        Expression::Load { pointer } => match function.expressions[pointer] {
            Expression::LocalVariable(variable) => fixed.get(&variable).copied(),
            _ => None,
        },
        _ => None,
    }
}

/// Returns a module with one entry point in GLSL.
fn written(module: &naga::Module) -> String {
    let [entry] = &module.entry_points[..] else { panic!("several entry points") };
    let info = validated(module, &entry.name);
    let options = glsl::Options {
        version: glsl::Version::Embedded { version: 300, is_webgl: true },
        ..glsl::Options::default()
    };
    let pipeline =
        glsl::PipelineOptions { shader_stage: entry.stage, entry_point: entry.name.clone(), multiview: None };
    let mut text = String::new();
    glsl::Writer::new(&mut text, module, &info, &options, &pipeline, Default::default())
        .and_then(|mut writer| writer.write())
        .unwrap_or_else(|error| panic!("{}: {error}", entry.name));
    text
}

/// Returns the functions, inputs, outputs and resources of a shader in GLSL, in alphabetical order. Variables that
/// are declared in vain are left out, and what naga numbers gets its number by the order of its use.
fn with_names_by_order(text: &str) -> String {
    let mut pieces: Vec<String> = Vec::new();
    let mut piece = String::new();
    for line in text.lines() {
        let is_inside = !piece.is_empty();
        if is_inside || line.contains(['{', '=']) || line.starts_with("uniform") || line.contains(" in ") {
            piece.push_str(line);
            piece.push('\n');
        }
        if piece.matches('{').count() == piece.matches('}').count() && !piece.is_empty() {
            pieces.push(std::mem::take(&mut piece));
        }
    }
    let mut numbered: Vec<String> = pieces.iter().map(|piece| numbered_by_use(piece)).collect();
    numbered.retain(|piece| !piece.starts_with("const ") && !piece.starts_with("struct "));
    numbered.sort();
    numbered.concat()
}

fn numbered_by_use(piece: &str) -> String {
    let is_in_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let uses = |name: &str| piece.split(|letter| !is_in_name(letter)).filter(|word| *word == name).count();
    let is_in_vain = |line: &&str| {
        let declared = line.trim().strip_suffix(';').and_then(|line| line.split_once(" = "));
        let name = declared.and_then(|(declared, _)| declared.split_once(' ')).map(|(_, name)| name);
        name.is_some_and(|name| name.chars().all(is_in_name) && uses(name) == 1)
    };
    let lines: String =
        piece.lines().filter(|line| !is_in_vain(line)).flat_map(|line| [line, "\n"]).collect();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut text = String::new();
    let mut rest = lines.as_str();
    while let Some(start) = rest.find(is_in_name) {
        let end =
            rest[start..].find(|letter| !is_in_name(letter)).map_or(rest.len(), |length| start + length);
        let word = &rest[start..end];
        text.push_str(&rest[..start]);
        // Uniform blocks are numbered by the order of their declarations.
        let word = word.split_once("_block_").map_or(word, |(stem, _)| stem);
        let (stem, number) = word.rsplit_once('_').unwrap_or((word, ""));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
        if number.strip_prefix('e').is_some_and(is_number) {
            let next = numbers.len();
            text.push_str(&format!("_e{}", numbers.entry(word).or_insert(next)));
        } else {
            text.push_str(if is_number(number) { stem } else { word });
        }
        rest = &rest[end..];
    }
    text + rest
}
