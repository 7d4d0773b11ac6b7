//! Exports the reader of KTX2 textures to a page. `www/element/files/ktx2_pictures.ts` calls it.
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

use decode::ktx2::{Ktx2, Ktx2Error, Target, best_target, open};

/// Bytes that an image may have. A side has at most 16,384 pixels; a page scales down what its GPU can't take.
const BUDGET: usize = 1 << 30;

/// Transcodes the levels of a texture that a GPU can take. The input is the file.
///
/// `formats` has a bit for each of [`Target::ALL`] that the GPU can read. A level is left out if a side is longer than
/// `max_size`, unless it is the last one. Blocks are used if the size of the first level allows.
///
/// Returns 0. The output has numbers with 32 bits: the target in [`Target::ALL`], width and height of the first level,
/// and then each level after its length. For a texture that is damaged, returns 1, and the output says what is wrong.
#[unsafe(no_mangle)]
pub extern "C" fn transcode_levels(formats: u32, max_size: u32) -> u32 {
    exchange::exchange(|input| match transcoded(input, formats, max_size) {
        Ok(output) => (0, output),
        Err(error) => (1, error.to_string().into_bytes()),
    })
}

fn transcoded(file: &[u8], formats: u32, max_size: u32) -> Result<Vec<u8>, Ktx2Error> {
    let texture = open(file)?;
    let fits = |level: &u32| {
        let (width, height) = texture.level_size(*level);
        width.max(height) <= max_size
    };
    let last = texture.level_count() - 1;
    let first = (0..last).find(fits).unwrap_or(last);
    let (width, height) = texture.level_size(first);
    let target = target_of(&texture, formats, max_size, [width, height]);
    // Texels get their levels on the GPU.
    let end = if target == Target::Rgba8 { first } else { last };
    let mut output: Vec<u8> = Vec::new();
    let number = Target::ALL.iter().position(|known| *known == target).unwrap_or_default();
    for number in [number as u32, width, height] {
        output.extend_from_slice(&number.to_le_bytes());
    }
    for level in first..=end {
        let image = texture.transcode(level, 0, 0, target, BUDGET)?;
        output.extend_from_slice(&(image.len() as u32).to_le_bytes());
        output.extend_from_slice(&image);
    }
    Ok(output)
}

fn target_of(texture: &Ktx2<'_>, formats: u32, max_size: u32, [width, height]: [u32; 2]) -> Target {
    // GPUs take blocks only whole, and the page can scale nothing but texels.
    if !width.is_multiple_of(4) || !height.is_multiple_of(4) || width.max(height) > max_size {
        return Target::Rgba8;
    }
    let has_format = |name: &str| {
        Target::ALL
            .iter()
            .enumerate()
            .any(|(index, target)| target.name() == name && formats >> index & 1 == 1)
    };
    best_target(texture.kind(), texture.has_alpha(), has_format)
}
