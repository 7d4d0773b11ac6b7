//! Reader for the numbers of a data object, in the order of its template.
use super::document::Object;
use crate::import::{ImportError, ImportProblem};

pub(super) struct Fields<'d> {
    pub(super) object: Object<'d>,
    numbers: &'d [f64],
    at: usize,
}

impl<'d> Fields<'d> {
    pub(super) fn new(object: Object<'d>, numbers: &'d [f64]) -> Self {
        Self { object, numbers, at: 0 }
    }

    /// Returns how many numbers are left.
    pub(super) fn left(&self) -> usize {
        self.numbers.len() - self.at
    }

    /// Returns the place of the number that was read `back` numbers ago.
    pub(super) fn place(&self, back: usize) -> String {
        self.object.place_of_number(self.at.saturating_sub(back))
    }

    /// Returns the next `count` numbers.
    ///
    /// # Errors
    /// If fewer are left, because a count in the file is wrong.
    pub(super) fn take(&mut self, count: usize) -> Result<&'d [f64], ImportError> {
        let Some(taken) = self.numbers.get(self.at..).and_then(|left| left.get(..count)) else {
            let found = format!("{count} numbers are needed here, {} are left", self.left());
            return Err(ImportProblem::CountWrong.at(self.object.place_of_number(self.at), found));
        };
        self.at += count;
        Ok(taken)
    }

    pub(super) fn number(&mut self) -> Result<f64, ImportError> {
        Ok(self.take(1)?.first().copied().unwrap_or_default())
    }

    pub(super) fn count(&mut self) -> Result<usize, ImportError> {
        let number = self.number()?;
        let Some(count) = integer(number) else {
            let (place, found) = (self.place(1), format!("{number} as a count"));
            return Err(ImportProblem::CountWrong.at(place, found));
        };
        Ok(usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// Returns the next `count` numbers as indices below `bound`.
    pub(super) fn indices(&mut self, count: usize, bound: usize) -> Result<Vec<u32>, ImportError> {
        let numbers = self.take(count)?;
        let mut indices = Vec::with_capacity(count);
        for (number, nth) in numbers.iter().zip(0..) {
            let index = integer(*number).filter(|&index| (index as usize) < bound);
            let Some(index) = index else {
                let (place, found) = (self.place(count - nth), format!("{number} of {bound}"));
                return Err(ImportProblem::IndexOutOfRange.at(place, found));
            };
            indices.push(index);
        }
        Ok(indices)
    }

    /// Returns the next `count` vectors.
    ///
    /// # Errors
    /// If numbers are missing, or if one isn't finite.
    pub(super) fn vectors<const N: usize>(&mut self, count: usize) -> Result<Vec<[f32; N]>, ImportError> {
        let (vectors, bad) = self.any_vectors(count)?;
        match bad {
            None => Ok(vectors),
            Some(nth) => {
                let (place, found) = (self.place(count * N - nth), "in a list of numbers".to_owned());
                Err(ImportProblem::ValueNotFinite.at(place, found))
            }
        }
    }

    pub(super) fn vector<const N: usize>(&mut self) -> Result<[f32; N], ImportError> {
        Ok(self.vectors(1)?.first().copied().unwrap_or([0.0; N]))
    }

    /// Returns the next `count` vectors, with 0 for numbers that aren't finite, and the index of the first such
    /// number.
    pub(super) fn any_vectors<const N: usize>(
        &mut self,
        count: usize,
    ) -> Result<(Vec<[f32; N]>, Option<usize>), ImportError> {
        let numbers = self.take(count.saturating_mul(N))?;
        let bad = numbers.iter().position(|&number| !single(number).is_finite());
        let finite = |&number: &f64| if single(number).is_finite() { single(number) } else { 0.0 };
        let mut vectors = Vec::with_capacity(count);
        for vector in numbers.as_chunks::<N>().0 {
            vectors.push(vector.each_ref().map(finite));
        }
        Ok((vectors, bad))
    }
}

/// Returns the nearest `f32`; infinity beyond the largest.
#[allow(clippy::cast_possible_truncation, reason = "to the nearest single")]
pub(super) fn single(number: f64) -> f32 {
    number as f32
}

/// Returns an integer; `None` for fractions and numbers that a `u32` can't represent.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked right before")]
pub(super) fn integer(number: f64) -> Option<u32> {
    let whole = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    whole.then_some(number as u32)
}
