//! Orders functions so that similar ones are neighbours, because brotli and gzip then compress the code better: by
//! about 3 KB for a page. wasm-opt orders them by their number of uses instead.
//!
//! The order is a chain: the function after each is the one most similar to it. The similarity is the number of pieces
//! of code that both have, divided by the square root of the other's length: a long function shares some with all.
//! Names make wasm-opt apply the order, whose pass `--reorder-functions-by-name` also renumbers the functions.

use wasm_encoder::{Encode, NameMap, NameSection, Section};
use wasmparser::{BinaryReaderError, Parser, Payload, TypeRef};

/// Length of the pieces of code that functions are compared by.
const PIECE: usize = 4;
/// Pieces that occur in more functions than this are ignored. They would take time and say nothing.
const COMMON: usize = 1000;

/// Returns a module without names with a name for each function. The alphabetical order of the names puts each
/// function beside one that is similar to it.
pub(super) fn name_by_similarity(mut module: Vec<u8>) -> Result<Vec<u8>, String> {
    let (imported, bodies) =
        functions(&module).map_err(|error| format!("cannot read the module: {error}"))?;
    let mut names = vec![String::new(); bodies.len()];
    for (place, body) in chain(&bodies).into_iter().enumerate() {
        names[body] = format!("{place:06}");
    }
    let mut map = NameMap::new();
    for (index, name) in (imported..).zip(&names) {
        map.append(index, name);
    }
    let mut section = NameSection::new();
    section.functions(&map);
    module.push(section.id());
    section.encode(&mut module);
    Ok(module)
}

/// Returns the number of imported functions, and the bodies of the others.
fn functions(module: &[u8]) -> Result<(u32, Vec<&[u8]>), BinaryReaderError> {
    let mut imported = 0;
    let mut bodies = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            _ => {}
        }
    }
    Ok((imported, bodies))
}

/// Returns the order of the bodies by their indices, the longest body first.
fn chain(bodies: &[&[u8]]) -> Vec<usize> {
    let (pieces, holders) = pieces(bodies);
    let mut left = vec![true; bodies.len()];
    let mut order: Vec<usize> = Vec::with_capacity(bodies.len());
    let mut next = (0..bodies.len()).max_by_key(|&body| bodies[body].len());
    while let Some(body) = next {
        left[body] = false;
        order.push(body);
        let mut shared = vec![0_u64; bodies.len()];
        for &piece in &pieces[body] {
            for &holder in &holders[piece] {
                shared[holder] += 1;
            }
        }
        // Compares the squares, without divisions. The first of several equals, so that the order never depends on
        // chance.
        let rank = |body: usize, other: usize| shared[body] * shared[body] * bodies[other].len() as u64;
        next =
            (0..bodies.len()).filter(|&body| left[body]).rev().max_by(|&a, &b| rank(a, b).cmp(&rank(b, a)));
    }
    order
}

/// Numbers the pieces that occur in several bodies, but not in too many. Returns the pieces of each body, and the
/// bodies of each piece.
fn pieces(bodies: &[&[u8]]) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
    let mut found: Vec<(&[u8], usize)> = bodies
        .iter()
        .enumerate()
        .flat_map(|(body, code)| code.windows(PIECE).map(move |at| (at, body)))
        .collect();
    found.sort_unstable();
    found.dedup();
    let mut pieces = vec![Vec::new(); bodies.len()];
    let mut holders = Vec::new();
    for same in found.chunk_by(|a, b| a.0 == b.0).filter(|same| (2..=COMMON).contains(&same.len())) {
        for &(_, body) in same {
            pieces[body].push(holders.len());
        }
        holders.push(same.iter().map(|&(_, body)| body).collect());
    }
    (pieces, holders)
}

#[cfg(test)]
mod tests {
    use super::{chain, functions, name_by_similarity};
    use wasm_encoder::{
        CodeSection, EntityType, Function, FunctionSection, ImportSection, Module, TypeSection,
    };
    use wasmparser::{KnownCustom, Name, Parser, Payload};

    #[test]
    fn similar_bodies_are_neighbours() {
        let bodies: [&[u8]; 5] = [b"abcdef", b"123456", b"abcdefgh", b"1234567", b"nothing alike"];
        assert_eq!(chain(&bodies), [4, 0, 2, 1, 3]);
        assert_eq!(chain(&[]), [0; 0]);
    }

    #[test]
    fn a_short_body_that_is_all_alike_precedes_a_long_one() {
        let bodies: [&[u8]; 3] = [
            b"0123456789abcdefgh, THEN A LONG REST THAT NO OTHER BODY HAS AT ALL",
            b"0123456789abcdefgh, and then something else",
            b"0123456789abcdefg",
        ];
        assert_eq!(chain(&bodies), [0, 2, 1]);
    }

    /// Returns a module that imports a function and has one with each of the bodies.
    fn module(bodies: &[&[u8]]) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        let mut imports = ImportSection::new();
        imports.import("page", "draw", EntityType::Function(0));
        let mut functions = FunctionSection::new();
        let mut code = CodeSection::new();
        for body in bodies {
            functions.function(0);
            let mut function = Function::new([]);
            function.raw(body.iter().copied());
            code.function(&function);
        }
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&code);
        module.finish()
    }

    #[test]
    fn names_follow_the_order_and_nothing_else_changes() {
        let before = module(&[b"abcdef", b"123456", b"abcdefgh"]);
        let after = name_by_similarity(before.clone()).unwrap();
        assert_eq!(after[..before.len()], before);
        assert_eq!(functions(&after).unwrap().0, 1);

        let mut named = Vec::new();
        for payload in Parser::new(0).parse_all(&after) {
            let Payload::CustomSection(section) = payload.unwrap() else { continue };
            let KnownCustom::Name(names) = section.as_known() else { continue };
            for name in names {
                let Name::Function(map) = name.unwrap() else { continue };
                named.extend(map.into_iter().map(|naming| naming.map(|it| (it.index, it.name)).unwrap()));
            }
        }
        assert_eq!(named, [(1, "000001"), (2, "000002"), (3, "000000")]);
    }
}
