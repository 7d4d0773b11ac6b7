//! Exports the decoder of Draco meshes to a page. `www/element/files/draco_meshes.ts` calls it.
#![cfg(target_arch = "wasm32")]
#![allow(dead_code, unreachable_pub, reason = "the rooms are the crate's, and only a part of them is used")]

pub mod decode;
#[path = "../../exchange.rs"]
pub mod exchange;
#[path = "../../../src/json.rs"]
mod json;
#[path = "../../../src/order.rs"]
mod order;
#[path = "../../../src/refusal.rs"]
mod refusal;

use decode::draco::{ComponentType, DracoError, Wanted, decode_accessors};

/// Decodes a mesh. The input is a list of numbers with 32 bits, and the mesh:
///
/// ```text
/// index count · vertex count · type of indices · number of attributes · for each: unique id · components · type
/// ```
///
/// Returns 0. The output has the bytes of the indices and of each attribute, each after its length. For a mesh that is
/// damaged, returns the number of a problem in the order of `DracoProblem`, from 1, and the output says what was found.
#[unsafe(no_mangle)]
pub extern "C" fn decode_mesh() -> u32 {
    exchange::exchange(|input| match accessors_of(input) {
        Some(Ok(accessors)) => (0, joined(&accessors)),
        Some(Err(error)) => (error.problem() as u32 + 1, error.found().as_bytes().to_vec()),
        // The page writes no such list.
        None => (u32::MAX, Vec::new()),
    })
}

fn accessors_of(input: &[u8]) -> Option<Result<Vec<Vec<u8>>, DracoError>> {
    let mut numbers = Numbers { rest: input };
    let [index_count, vertex_count, index_type, attribute_count] = numbers.next()?;
    let mut wanted = Vec::new();
    for _ in 0..attribute_count {
        let [unique_id, components, component_type] = numbers.next()?;
        let component_type = ComponentType::numbered(component_type.into())?;
        wanted.push(Wanted { unique_id, components: components.try_into().ok()?, component_type });
    }
    let index_type = ComponentType::numbered(index_type.into())?;
    Some(decode_accessors(numbers.rest, index_count as usize, vertex_count as usize, index_type, &wanted))
}

fn joined(accessors: &[Vec<u8>]) -> Vec<u8> {
    let mut joined = Vec::with_capacity(accessors.iter().map(|bytes| 4 + bytes.len()).sum());
    for bytes in accessors {
        joined.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        joined.extend_from_slice(bytes);
    }
    joined
}

struct Numbers<'a> {
    rest: &'a [u8],
}

impl Numbers<'_> {
    fn next<const COUNT: usize>(&mut self) -> Option<[u32; COUNT]> {
        let (numbers, rest) = self.rest.split_at_checked(4 * COUNT)?;
        self.rest = rest;
        let mut read = [0; COUNT];
        for (slot, bytes) in read.iter_mut().zip(numbers.as_chunks().0) {
            *slot = u32::from_le_bytes(*bytes);
        }
        Some(read)
    }
}
