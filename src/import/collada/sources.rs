//! `<source>`: an array of numbers or names, and the accessor that divides it into elements.
use super::xml::{Element, Id, fits_single};
use crate::import::budget::Budget;
use crate::import::{ImportError, ImportProblem};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Cache of sources and arrays. Each is read once, even if it is referred to several times.
#[derive(Default)]
pub(super) struct Sources<'a> {
    arrays: RefCell<HashMap<Id, Rc<[f64]>>>,
    floats: RefCell<HashMap<Id, Rc<Floats>>>,
    names: RefCell<HashMap<Id, Names<'a>>>,
}

#[derive(Clone)]
pub(super) struct Names<'a> {
    pub(super) names: Rc<[&'a str]>,
    /// Whether they are ids, instead of names or sids.
    pub(super) are_ids: bool,
}

/// `count` elements of `width` numbers each.
pub(super) struct Floats {
    array: Rc<[f64]>,
    count: usize,
    offset: usize,
    stride: usize,
    /// Offsets in the stride of the numbers in use; `None` for all. An accessor skips params without a name.
    picked: Option<Vec<usize>>,
    place: String,
}

impl<'a> Sources<'a> {
    pub(super) fn floats(&self, source: Element<'_>) -> Result<Rc<Floats>, ImportError> {
        if let Some(floats) = self.floats.borrow().get(&source.id()) {
            return Ok(floats.clone());
        }
        let (accessor, array) = parts(source)?;
        let array = self.array(array)?;
        let floats = Rc::new(Floats::new(accessor, array)?);
        self.floats.borrow_mut().insert(source.id(), floats.clone());
        Ok(floats)
    }

    pub(super) fn names(&self, source: Element<'a>) -> Result<Names<'a>, ImportError> {
        if let Some(names) = self.names.borrow().get(&source.id()) {
            return Ok(names.clone());
        }
        let (accessor, array) = parts(source)?;
        let words: Vec<&str> = array.words().collect();
        let offset = accessor.count("offset")?.unwrap_or(0);
        let stride = accessor.count("stride")?.unwrap_or(1).max(1);
        let there = words.len().saturating_sub(offset).div_ceil(stride);
        let count = accessor.count("count")?.unwrap_or(there);
        if count > there {
            return Err(too_few(accessor, count, there));
        }
        let names = words.into_iter().skip(offset).step_by(stride).take(count).collect();
        let names = Names { names, are_ids: array.tag() == "IDREF_array" };
        self.names.borrow_mut().insert(source.id(), names.clone());
        Ok(names)
    }

    fn array(&self, element: Element<'_>) -> Result<Rc<[f64]>, ImportError> {
        if let Some(array) = self.arrays.borrow().get(&element.id()) {
            return Ok(array.clone());
        }
        let array: Rc<[f64]> = element.numbers()?.into();
        self.arrays.borrow_mut().insert(element.id(), array.clone());
        Ok(array)
    }
}

fn parts(source: Element<'_>) -> Result<(Element<'_>, Element<'_>), ImportError> {
    let accessor = source.expect("technique_common")?.expect("accessor")?;
    Ok((accessor, accessor.target("source")?))
}

fn too_few(accessor: Element<'_>, wanted: usize, there: usize) -> ImportError {
    let found = format!("{wanted} elements where the array has {there}");
    ImportProblem::CountWrong.at(accessor.place(), found)
}

impl Floats {
    fn new(accessor: Element<'_>, array: Rc<[f64]>) -> Result<Self, ImportError> {
        let offset = accessor.count("offset")?.unwrap_or(0);
        let stride = accessor.count("stride")?.unwrap_or(1).max(1);
        let picked = picked(accessor, stride);
        let width = picked.as_deref().and_then(<[usize]>::last).map_or(stride, |last| last + 1);
        let after = array.len().saturating_sub(offset);
        // The last element may end before its stride does.
        let there = if after < width { 0 } else { 1 + (after - width) / stride };
        let count = accessor.count("count")?.unwrap_or(there);
        if count > there {
            return Err(too_few(accessor, count, there));
        }
        Ok(Self { array, count, offset, stride, picked, place: accessor.place() })
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn width(&self) -> usize {
        self.picked.as_ref().map_or(self.stride, Vec::len)
    }

    pub(super) fn place(&self) -> &str {
        &self.place
    }

    /// Returns the numbers of one element; none past the last element.
    pub(super) fn of(&self, element: usize) -> impl Iterator<Item = f64> {
        let start = if element < self.count { self.offset + element * self.stride } else { self.array.len() };
        let at = move |at: usize| self.picked.as_ref().map_or(Some(at), |picked| picked.get(at).copied());
        (0..self.width()).map_while(move |pick| self.array.get(start + at(pick)?).copied())
    }

    /// Returns the first `N` numbers of an element as `f32`. Missing ones are 0, too large ones infinite.
    pub(super) fn singles<const N: usize>(&self, element: usize) -> [f32; N] {
        let mut singles = [0.0; N];
        for (single, number) in singles.iter_mut().zip(self.of(element)) {
            *single = single_of(number);
        }
        singles
    }

    /// Returns every number of every element.
    ///
    /// # Errors
    /// If one isn't finite.
    pub(super) fn finite(&self, budget: &Budget) -> Result<Vec<f64>, ImportError> {
        // A source may be referred to any number of times, and each time is a copy.
        budget.charge(self.count as u64, self.width() * size_of::<f64>(), || self.place.clone())?;
        let numbers: Vec<f64> = (0..self.count).flat_map(|element| self.of(element)).collect();
        match numbers.iter().all(|number| fits_single(*number)) {
            true => Ok(numbers),
            false => {
                let found = "a number of this source".into();
                Err(ImportProblem::ValueNotFinite.at(self.place.clone(), found))
            }
        }
    }
}

#[allow(clippy::cast_possible_truncation, reason = "to the nearest single")]
pub(super) fn single_of(number: f64) -> f32 {
    number as f32
}

/// Returns the offsets of the named params in the stride; `None` if they fill it or none has a name.
fn picked(accessor: Element<'_>, stride: usize) -> Option<Vec<usize>> {
    let mut picked = Vec::new();
    let mut at = 0;
    for param in accessor.children_named("param") {
        let size = match param.attribute("type") {
            Some("float4x4") => 16,
            Some("float3x3") => 9,
            Some("float4" | "float2x2") => 4,
            Some("float3") => 3,
            Some("float2") => 2,
            _ => 1,
        };
        if param.attribute("name").is_some_and(|name| !name.is_empty()) {
            picked.extend((at..at + size).take_while(|at| *at < stride));
        }
        at += size;
    }
    (!picked.is_empty() && picked.len() < stride).then_some(picked)
}
