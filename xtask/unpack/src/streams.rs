//! What the bytes of a function are for.

/// The bytes of a purpose, in their order in the file.
#[derive(Clone, Copy, Debug)]
pub enum Stream {
    /// What is outside the code section.
    Plain,
    Opcode,
    /// Numbers and types of locals.
    Declaration,
    /// Types of blocks.
    Block,
    /// Blocks that a branch leaves.
    Label,
    /// The same for tables of branches.
    Labels,
    Call,
    /// Types and tables of indirect calls.
    IndirectCall,
    LocalGet,
    LocalSet,
    LocalTee,
    Global,
    Alignment,
    LoadOffset,
    StoreOffset,
    VectorOffset,
    I32,
    I64,
    F32,
    F64,
    /// Constants and patterns of 16 bytes.
    Vector,
    /// What rare instructions name: lanes, tables, memories, segments, functions.
    Rare,
}

impl Stream {
    pub const COUNT: usize = Self::Rare as usize + 1;
}

/// Moves bytes between a module and its streams, in one of the two directions.
pub trait Transfer {
    /// Moves the next byte of a stream, and returns it.
    fn transfer(&mut self, stream: Stream) -> u8;
}

/// Moves the body of a function, without its length.
///
/// Instructions of proposals that the build doesn't allow (`optimise.rs`) are taken for ones without immediates. The
/// build refuses a function that doesn't end where it should.
pub fn transfer_body(bytes: &mut impl Transfer) {
    for _ in 0..number(bytes, Stream::Declaration) {
        skip(bytes, Stream::Declaration);
        bytes.transfer(Stream::Declaration);
    }
    // The blocks that haven't ended.
    let mut depth = 0;
    loop {
        // The stream of the one immediate that most instructions have.
        let stream = match bytes.transfer(Stream::Opcode) {
            // block, loop, if
            0x02..=0x04 => {
                depth += 1;
                Stream::Block
            }
            // end
            0x0b if depth == 0 => return,
            0x0b => {
                depth -= 1;
                continue;
            }
            // br, br_if
            0x0c | 0x0d => Stream::Label,
            // br_table, with a default
            0x0e => {
                for _ in 0..number(bytes, Stream::Labels) {
                    skip(bytes, Stream::Labels);
                }
                Stream::Labels
            }
            // call
            0x10 => Stream::Call,
            // call_indirect
            0x11 => {
                skip(bytes, Stream::IndirectCall);
                Stream::IndirectCall
            }
            // local.get, local.set, local.tee
            0x20 => Stream::LocalGet,
            0x21 => Stream::LocalSet,
            0x22 => Stream::LocalTee,
            // global.get, global.set
            0x23 | 0x24 => Stream::Global,
            // table.get, table.set, memory.size, memory.grow, ref.null, ref.func
            0x25 | 0x26 | 0x3f | 0x40 | 0xd0 | 0xd2 => Stream::Rare,
            // i32.load to i64.load32_u
            0x28..=0x35 => {
                skip(bytes, Stream::Alignment);
                Stream::LoadOffset
            }
            // i32.store to i64.store32
            0x36..=0x3e => {
                skip(bytes, Stream::Alignment);
                Stream::StoreOffset
            }
            // i32.const, i64.const
            0x41 => Stream::I32,
            0x42 => Stream::I64,
            // f32.const, f64.const
            0x43 => {
                several(bytes, Stream::F32, 4);
                continue;
            }
            0x44 => {
                several(bytes, Stream::F64, 8);
                continue;
            }
            0xfc => match number(bytes, Stream::Opcode) {
                // Conversions that saturate.
                ..8 => continue,
                // memory.init, memory.copy, table.init, table.copy
                8 | 10 | 12 | 14 => {
                    skip(bytes, Stream::Rare);
                    Stream::Rare
                }
                // data.drop, memory.fill, elem.drop, table.grow, table.size, table.fill
                _ => Stream::Rare,
            },
            0xfd => match number(bytes, Stream::Opcode) {
                // v128.load to v128.store, and those that load one lane and zeros
                ..12 | 92 | 93 => {
                    skip(bytes, Stream::Alignment);
                    Stream::VectorOffset
                }
                // v128.const, i8x16.shuffle
                12 | 13 => {
                    several(bytes, Stream::Vector, 16);
                    continue;
                }
                // Lanes that are extracted or replaced.
                21..35 => Stream::Rare,
                // Lanes that are loaded or stored.
                84..92 => {
                    skip(bytes, Stream::Alignment);
                    skip(bytes, Stream::VectorOffset);
                    Stream::Rare
                }
                _ => continue,
            },
            _ => continue,
        };
        skip(bytes, stream);
    }
}

/// Moves a number of any length.
fn skip(bytes: &mut impl Transfer, stream: Stream) {
    while bytes.transfer(stream) >= 0x80 {}
}

/// Moves a number of any length, and returns its last 32 bits. Copies of it would be in each packed file.
#[inline(never)]
fn number(bytes: &mut impl Transfer, stream: Stream) -> u32 {
    let (mut number, mut shift) = (0_u32, 0_u32);
    loop {
        let byte = bytes.transfer(stream);
        number |= u32::from(byte & 0x7f).wrapping_shl(shift);
        shift += 7;
        if byte < 0x80 {
            return number;
        }
    }
}

/// Moves some bytes.
#[inline(never)]
fn several(bytes: &mut impl Transfer, stream: Stream, count: usize) {
    for _ in 0..count {
        bytes.transfer(stream);
    }
}
