//! UASTC: blocks that are a subset of ASTC, written as ASTC without loss, and as BC7 and ETC2 by its hints.
pub(super) mod block;
mod patterns;
pub(super) mod range;
mod to_bc7;
mod to_etc2;

use super::Target;
use super::astc;
use super::bc7_solid::SolidBc7;
use super::output::Output;
use block::Block;

/// Writes an image of UASTC blocks, row after row. Returns `None` for an invalid block.
pub(super) fn transcode(bytes: &[u8], output: &mut Output) -> Option<()> {
    let solid = SolidBc7::new(output.target == Target::Bc7);
    for bytes in bytes.as_chunks().0 {
        let block = Block::read(bytes)?;
        match output.target {
            Target::Rgba8 => output.texels(&block.texels()),
            Target::Astc4x4 => output.block(&astc::write(block)),
            Target::Bc7 => output.block(&to_bc7::write(&block, &solid)),
            Target::Etc2Rgb8 => output.block(&to_etc2::color(&block, &block.texels())),
            Target::Etc2Rgba8 => {
                let texels = block.texels();
                output.block(&to_etc2::alpha(&block, &texels));
                output.block(&to_etc2::color(&block, &texels));
            }
            Target::Bc1 => return None,
        }
    }
    Some(())
}
