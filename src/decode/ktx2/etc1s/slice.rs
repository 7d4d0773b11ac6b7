//! Decoder of one slice: the numbers of endpoint and selector for each block, row after row.
use super::codebooks::{Codebooks, Endpoint, Selector};
use crate::decode::ktx2::bits::{BitStream, at};

/// Symbol that repeats the last prediction.
const REPEAT: u32 = 256;
/// Symbol of the longest run of selectors, whose length follows.
const LONG_RUN: u32 = 63;

pub(super) type Block = (Endpoint, Selector);

/// State of a slice between two rows.
pub(super) struct SliceDecoder<'a> {
    books: &'a Codebooks<'a>,
    stream: BitStream<'a>,
    history: History,
    /// Numbers of the endpoints of this row and of the one above it.
    row: Vec<u32>,
    above: Vec<u32>,
    /// Predictions for the second of two rows, four bits for each pair of blocks.
    below: Vec<u32>,
    is_second_row: bool,
    is_first_row: bool,
    prediction: u32,
    prediction_repeats: u32,
    endpoint: u32,
    selector_repeats: u32,
}

impl<'a> SliceDecoder<'a> {
    /// Begins a slice with rows of `width` blocks.
    pub(super) fn new(books: &'a Codebooks<'a>, bytes: &'a [u8], width: usize) -> Self {
        Self {
            books,
            stream: BitStream::new(bytes),
            history: History::new(books.history),
            row: vec![0; width],
            above: vec![0; width],
            below: vec![0; width.div_ceil(2)],
            is_second_row: false,
            is_first_row: true,
            prediction: 0,
            prediction_repeats: 0,
            endpoint: 0,
            selector_repeats: 0,
        }
    }

    /// Decodes the next row. Returns `None` for invalid data.
    pub(super) fn next_row(&mut self, blocks: &mut Vec<Block>) -> Option<()> {
        blocks.clear();
        std::mem::swap(&mut self.row, &mut self.above);
        let mut predictions = 0;
        for x in 0..self.row.len() {
            if x % 2 == 0 {
                predictions = self.predictions(x / 2)?;
            }
            let endpoint = self.endpoint(x, predictions & 3)?;
            predictions >>= 2;
            *self.row.get_mut(x)? = endpoint;
            self.endpoint = endpoint;
            let selector = self.selector()?;
            blocks.push((
                *self.books.endpoints.get(endpoint as usize)?,
                *self.books.selectors.get(selector as usize)?,
            ));
        }
        self.is_second_row = !self.is_second_row;
        self.is_first_row = false;
        (!self.stream.overrun()).then_some(())
    }

    /// Returns the predictions of a pair of blocks, two bits each. Two rows share a symbol.
    fn predictions(&mut self, pair: usize) -> Option<u32> {
        if self.is_second_row {
            return Some(at(&self.below, pair));
        }
        if self.prediction_repeats > 0 {
            self.prediction_repeats -= 1;
        } else {
            match self.books.predictions.decode(&mut self.stream)? {
                REPEAT => self.prediction_repeats = self.stream.take_groups(4).saturating_add(2),
                prediction => self.prediction = prediction,
            }
        }
        *self.below.get_mut(pair)? = self.prediction >> 4;
        Some(self.prediction)
    }

    fn endpoint(&mut self, x: usize, prediction: u32) -> Option<u32> {
        match prediction {
            0 if x > 0 => Some(self.endpoint),
            1 if !self.is_first_row => Some(at(&self.above, x)),
            2 if !self.is_first_row => self.above.get(x.checked_sub(1)?).copied(),
            3 => {
                let count = u32::try_from(self.books.endpoints.len()).unwrap_or(0);
                let endpoint = self.endpoint + self.books.deltas.decode(&mut self.stream)?;
                Some(if endpoint >= count { endpoint - count } else { endpoint })
            }
            _ => None,
        }
    }

    fn selector(&mut self) -> Option<u32> {
        let count = u32::try_from(self.books.selectors.len()).unwrap_or(0);
        let recent = if self.selector_repeats > 0 {
            self.selector_repeats -= 1;
            0
        } else {
            let code = self.books.selector_codes.decode(&mut self.stream)?;
            if code < count {
                self.history.add(code);
                return Some(code);
            }
            let recent = (code - count) as usize;
            if recent == self.history.recent.len() {
                let run = self.books.runs.decode(&mut self.stream)?;
                let more = if run == LONG_RUN { self.stream.take_groups(7) } else { run };
                self.selector_repeats = more.saturating_add(2);
                0
            } else {
                recent
            }
        };
        self.history.take(recent)
    }
}

/// Recent selectors. Those that are used again move towards the beginning.
struct History {
    recent: Vec<u32>,
    next: usize,
}

impl History {
    fn new(length: usize) -> Self {
        Self { recent: vec![0; length], next: length / 2 }
    }

    fn add(&mut self, selector: u32) {
        if let Some(place) = self.recent.get_mut(self.next) {
            *place = selector;
        }
        self.next += 1;
        if self.next >= self.recent.len() {
            self.next = self.recent.len() / 2;
        }
    }

    fn take(&mut self, index: usize) -> Option<u32> {
        let selector = *self.recent.get(index)?;
        self.recent.swap(index, index / 2);
        Some(selector)
    }
}
