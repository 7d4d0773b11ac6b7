//! Unpacks a wasm file in a page.
//!
//! A wasm file that is packed is a small one with the code of this package. Its data is another file, in which the
//! bytes of the functions are sorted by purpose, in [`streams`]: opcodes, indices of locals, constants and so on.
//! Sorted, they compress by an eighth better. An instance writes the other file to the end of its memory, and the page
//! compiles that (`www/element/engine/download.ts`).
//!
//! `xtask/src/build/pack.rs` packs. What is packed begins with numbers of four bytes:
//!
//! 1. the length of the file,
//! 2. how many of its bytes are before the contents of the code section, without the section's length,
//! 3. the number of functions,
//! 4. the length of each stream.
//!
//! The streams follow. The file has all lengths and counts of the code section in five bytes, since those that come
//! before what they measure can't be known when they are written.
#![cfg_attr(target_arch = "wasm32", no_std)]

pub mod streams;

use streams::{Stream, Transfer, transfer_body};

/// Where an instance has what is packed. The stack is below.
pub const PACKED_AT: usize = 65_536;

/// The instruction that ends a function.
pub const END: u8 = 0x0b;

/// Bytes of a length or count of the code section.
pub const NUMBER_LEN: usize = 5;

/// Takes the next number of what is packed; 0 if there is none.
pub fn take_number(packed: &mut &[u8]) -> usize {
    let Some((bytes, rest)) = packed.split_first_chunk() else { return 0 };
    *packed = rest;
    u32::from_le_bytes(*bytes) as usize
}

/// Unpacks a file. The target is as long as the first number of what is packed.
///
/// What wasn't packed makes a target that no browser compiles, and no panic, whose texts would be in each packed file.
pub fn unpack(mut packed: &[u8], module: &mut [u8]) {
    take_number(&mut packed);
    let before = take_number(&mut packed);
    let functions = take_number(&mut packed);
    let lengths = [(); Stream::COUNT].map(|()| take_number(&mut packed));
    let streams = lengths.map(|len| {
        let (stream, rest) = packed.split_at_checked(len).unwrap_or_default();
        packed = rest;
        stream
    });
    let mut unpacking = Unpacking { streams, module, len: 0 };
    unpacking.copy(before);
    let section = unpacking.reserve();
    let count = unpacking.reserve();
    unpacking.write_number(count, functions);
    for _ in 0..functions {
        let body = unpacking.reserve();
        transfer_body(&mut unpacking);
        unpacking.measure(body);
    }
    unpacking.measure(section);
    unpacking.copy(unpacking.streams[Stream::Plain as usize].len());
}

struct Unpacking<'a> {
    /// What hasn't been moved.
    streams: [&'a [u8]; Stream::COUNT],
    module: &'a mut [u8],
    /// How much of the module is written.
    len: usize,
}

impl Unpacking<'_> {
    /// Moves some bytes that are outside the code section.
    fn copy(&mut self, count: usize) {
        let stream = &mut self.streams[Stream::Plain as usize];
        let (bytes, rest) = stream.split_at_checked(count).unwrap_or_default();
        *stream = rest;
        for (target, byte) in self.module.iter_mut().skip(self.len).zip(bytes) {
            *target = *byte;
        }
        self.len += count;
    }

    /// Makes room for a length or count, and returns where.
    fn reserve(&mut self) -> usize {
        self.len += NUMBER_LEN;
        self.len - NUMBER_LEN
    }

    /// Writes the number of the bytes behind it.
    fn measure(&mut self, at: usize) {
        self.write_number(at, self.len - at - NUMBER_LEN);
    }

    fn write_number(&mut self, at: usize, mut number: usize) {
        for nth in 0..NUMBER_LEN {
            let continues = if nth + 1 < NUMBER_LEN { 0x80 } else { 0 };
            self.write(at + nth, number as u8 & 0x7f | continues);
            number >>= 7;
        }
    }

    fn write(&mut self, at: usize, byte: u8) {
        if let Some(target) = self.module.get_mut(at) {
            *target = byte;
        }
    }
}

impl Transfer for Unpacking<'_> {
    fn transfer(&mut self, stream: Stream) -> u8 {
        let stream = &mut self.streams[stream as usize];
        let byte = match stream.split_first() {
            Some((&byte, rest)) => {
                *stream = rest;
                byte
            }
            None => END,
        };
        self.write(self.len, byte);
        self.len += 1;
        byte
    }
}

/// What a page calls.
#[cfg(target_arch = "wasm32")]
pub mod page {
    use core::arch::wasm32;
    use core::panic::PanicInfo;
    use core::slice;

    use super::{PACKED_AT, take_number};

    const PAGE_LEN: usize = 65_536;

    /// Writes the file to the end of the memory, and returns where it begins.
    ///
    /// # Safety
    /// [`PACKED_AT`] is where something packed begins, and the memory has room for the file behind it.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn unpack() -> usize {
        let packed = core::ptr::with_exposed_provenance::<u8>(PACKED_AT);
        // SAFETY: the caller guarantees it.
        unsafe {
            let len = take_number(&mut slice::from_raw_parts(packed, 4));
            let packed_len = wasm32::memory_size::<0>() * PAGE_LEN - len - PACKED_AT;
            let module = packed.add(packed_len).cast_mut();
            super::unpack(slice::from_raw_parts(packed, packed_len), slice::from_raw_parts_mut(module, len));
            module.addr()
        }
    }

    /// Nothing panics.
    #[panic_handler]
    fn panic(_: &PanicInfo<'_>) -> ! {
        wasm32::unreachable()
    }
}
