//! The bytes that a page and a decoder exchange: one input, and one output.

use std::cell::RefCell;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Reserves memory for the input, and returns its address; 0 if there isn't so much.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> usize {
    let mut input = Vec::new();
    if input.try_reserve_exact(length).is_err() {
        return 0;
    }
    input.resize(length, 0);
    let address = input.as_ptr() as usize;
    INPUT.set(input);
    address
}

/// Returns the address of the output.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> usize {
    OUTPUT.with_borrow(|output| output.as_ptr() as usize)
}

/// Returns the length of the output.
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    OUTPUT.with_borrow(Vec::len)
}

/// Calls a decoder with the input, and keeps its output.
pub fn exchange<Answer>(decode: impl FnOnce(&[u8]) -> (Answer, Vec<u8>)) -> Answer {
    let (answer, output) = INPUT.with_borrow(|input| decode(input));
    OUTPUT.set(output);
    answer
}
