//! `<sampler>`: keys, and the interpolation between them.
use super::Reader;
use super::sources::Floats;
use super::xml::{Element, fits_single};
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem};
use std::rc::Rc;

/// Keys of one or more numbers, ordered by time.
pub(super) struct Curve {
    /// In seconds, in ascending order. A jump may be two keys at the same time.
    pub(super) times: Vec<f64>,
    /// Numbers per key.
    pub(super) width: usize,
    values: Vec<f64>,
    /// Interpolation from each key to the next.
    spans: Vec<Span>,
    /// Outgoing and incoming handle for each key and number; empty without tangents of Bézier or Hermite spans.
    handles: Vec<[Handle; 2]>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Span {
    Step,
    Linear,
    Bezier,
}

/// A control point of a Bézier curve.
#[derive(Clone, Copy)]
struct Handle {
    time: f64,
    value: f64,
}

/// Selects the value at the time of a key, where the curve may jump.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Side {
    /// The value at the end of the preceding span.
    Before,
    After,
}

/// Reads a sampler; `None` if it has no keys.
pub(super) fn read<'a>(reader: &mut Reader<'a>, sampler: Element<'a>) -> Result<Option<Curve>, ImportError> {
    let find = |semantic: &str| {
        sampler.children_named("input").find(|input| input.attribute("semantic") == Some(semantic))
    };
    let required = |semantic: &str| {
        let input = find(semantic).ok_or_else(|| sampler.missing(&format!("input semantic=\"{semantic}\"")));
        input.and_then(|input| input.target("source"))
    };
    let times = reader.sources.floats(required("INPUT")?)?.finite(&reader.budget)?;
    let output = reader.sources.floats(required("OUTPUT")?)?;
    let values = output.finite(&reader.budget)?;
    let count = times.len();
    // 1e12 seconds are over thirty thousand years.
    if times.iter().any(|time| time.abs() > 1e12) {
        let found = "a key time that is too large".into();
        return Err(ImportProblem::ValueNotFinite.at(sampler.place(), found));
    }
    if count == 0 {
        return Ok(None);
    }
    // Some exporters write a stride of 1 for an accessor of several numbers.
    let is_flat = output.width() == 1 && values.len() > count && values.len().is_multiple_of(count);
    let width = if is_flat { values.len() / count } else { output.width() };
    if values.len() < count.saturating_mul(width) {
        let found = format!("{} values of {width} numbers for {count} keys", output.count());
        return Err(ImportProblem::KeyValuesCountWrong.at(sampler.place(), found));
    }
    let mut curve = Curve { times, width, values, spans: Vec::new(), handles: Vec::new() };
    let mut odd = 0;
    if let Some(input) = find("INTERPOLATION") {
        let words = reader.sources.names(input.target("source")?)?.names;
        let tangents = |semantic: &str| -> Result<Option<Rc<Floats>>, ImportError> {
            let Some(input) = find(semantic) else { return Ok(None) };
            reader.sources.floats(input.target("source")?).map(Some)
        };
        let curved = words.iter().take(count).any(|word| matches!(*word, "BEZIER" | "HERMITE"));
        let tangents = match curved {
            true => tangents("OUT_TANGENT")?.zip(tangents("IN_TANGENT")?),
            false => None,
        };
        // A span, and for each number an outgoing and an incoming handle.
        let bytes_each = 1 + if tangents.is_some() { width * size_of::<[Handle; 2]>() } else { 0 };
        reader.budget.charge(count as u64, bytes_each, || sampler.place())?;
        odd = curve.join(&words, tangents);
    } else {
        curve.spans = vec![Span::Linear; count];
    }
    if odd > 0 {
        reader.warn(WarningKind::InterpolationReplaced, sampler, &format!("{odd} of {count}"));
    }
    if curve.sort() {
        reader.warn(WarningKind::KeysUnsorted, sampler, "");
    }
    Ok(Some(curve))
}

impl Curve {
    /// Sets the spans. Returns how many were replaced with linear ones.
    fn join(&mut self, words: &[&str], tangents: Option<(Rc<Floats>, Rc<Floats>)>) -> usize {
        let (count, width) = (self.times.len(), self.width);
        if tangents.is_some() {
            let still = Handle { time: 0.0, value: 0.0 };
            self.handles = vec![[still; 2]; count * width];
        }
        let word = |key: usize| words.get(key).or(words.last()).copied().unwrap_or("LINEAR");
        if let Some((leaving, arriving)) = &tangents {
            for key in 0..count {
                self.set_handles(key, 0, word(key), leaving);
                self.set_handles(key, 1, word(key.saturating_sub(1)), arriving);
            }
        }
        let mut odd = 0;
        for key in 0..count {
            let span = match word(key) {
                "STEP" => Span::Step,
                "LINEAR" => Span::Linear,
                "BEZIER" | "HERMITE" if self.has_all_handles(key) => Span::Bezier,
                _ => {
                    odd += usize::from(key + 1 < count);
                    Span::Linear
                }
            };
            self.spans.push(span);
        }
        odd
    }

    /// Returns whether the span after this key has all its control points.
    fn has_all_handles(&self, key: usize) -> bool {
        let of = |key: usize| self.handles.get(key * self.width..(key + 1) * self.width).unwrap_or_default();
        let (leaving, arriving) = (of(key), of(key + 1));
        let known = |handle: &Handle| fits_single(handle.time) && fits_single(handle.value);
        !arriving.is_empty()
            && leaving.iter().all(|[leaving, _]| known(leaving))
            && arriving.iter().all(|[_, arriving]| known(arriving))
    }

    /// Reads one key's tangents on one side. Missing ones become NaN.
    ///
    /// The file may store a time and a value for each number, one time for all, or values alone.
    fn set_handles(&mut self, key: usize, side: usize, word: &str, tangents: &Floats) {
        let numbers: Vec<f64> = tangents.of(key).collect();
        let width = self.width;
        let (start, end) = match side {
            0 => (key, key + 1),
            _ => (key.saturating_sub(1), key),
        };
        let time_at = |key: usize| self.times.get(key).or(self.times.last()).copied().unwrap_or(0.0);
        let third = (time_at(end) - time_at(start)) / 3.0 * if side == 0 { 1.0 } else { -1.0 };
        for at in 0..width {
            let number = |at: usize| numbers.get(at).copied();
            let (time, value) = if numbers.len() == 2 * width {
                (number(2 * at), number(2 * at + 1))
            } else if numbers.len() == width + 1 {
                (number(0), number(at + 1))
            } else {
                (None, number(at))
            };
            let key_value = self.values.get(key * width + at).copied().unwrap_or(0.0);
            let handle = match (word, value) {
                // A Hermite tangent is the derivative over the whole span; the Bézier handle is at a third of it.
                ("HERMITE", Some(value)) => {
                    let sign = if side == 0 { 1.0 } else { -1.0 };
                    let along = time.map_or(third, |time| sign * time / 3.0);
                    Handle { time: time_at(key) + along, value: key_value + sign * value / 3.0 }
                }
                (_, Some(value)) => Handle { time: time.unwrap_or(time_at(key) + third), value },
                (_, None) => Handle { time: f64::NAN, value: f64::NAN },
            };
            let held = self.handles.get_mut(key * width + at).and_then(|handles| handles.get_mut(side));
            if let Some(held) = held {
                *held = handle;
            }
        }
    }

    /// Sorts the keys by time. Returns whether that was necessary.
    fn sort(&mut self) -> bool {
        if self.times.is_sorted() {
            return false;
        }
        let time = |key: &usize| self.times.get(*key).copied().unwrap_or(0.0);
        let mut order: Vec<usize> = (0..self.times.len()).collect();
        order.sort_by(|a, b| time(a).total_cmp(&time(b)));
        fn picked<T: Copy>(items: &[T], order: &[usize], width: usize) -> Vec<T> {
            let of = |&key: &usize| items.get(key * width..(key + 1) * width).unwrap_or_default();
            order.iter().flat_map(of).copied().collect()
        }
        *self = Self {
            times: picked(&self.times, &order, 1),
            width: self.width,
            values: picked(&self.values, &order, self.width),
            spans: picked(&self.spans, &order, 1),
            handles: picked(&self.handles, &order, self.width),
        };
        true
    }

    /// Returns the kind of the spans, if they are all of one kind and it isn't Bézier.
    pub(super) fn uniform(&self) -> Option<Span> {
        let spans = self.spans.get(..self.spans.len().saturating_sub(1)).unwrap_or_default();
        let first = spans.first().copied().unwrap_or(Span::Step);
        (first != Span::Bezier && spans.iter().all(|span| *span == first)).then_some(first)
    }

    /// Returns the key at which the span of this time begins, and the position in the span from 0 to 1.
    pub(super) fn locate(&self, time: f64, side: Side) -> (usize, f64) {
        let after = match side {
            Side::Before => self.times.partition_point(|key| *key < time),
            Side::After => self.times.partition_point(|key| *key <= time),
        };
        let key = after.saturating_sub(1);
        let (Some(&start), Some(&end)) = (self.times.get(key), self.times.get(key + 1)) else {
            return (key, 0.0);
        };
        (key, ((time - start) / (end - start)).clamp(0.0, 1.0))
    }

    pub(super) fn span(&self, key: usize) -> Span {
        self.spans.get(key).copied().unwrap_or(Span::Step)
    }

    /// Returns the numbers of one key.
    pub(super) fn key(&self, key: usize) -> &[f64] {
        self.values.get(key * self.width..(key + 1) * self.width).unwrap_or_default()
    }

    /// Returns one number at a time. Before the first key and after the last, the nearest key's value applies.
    pub(super) fn at(&self, number: usize, time: f64, side: Side) -> f64 {
        let (key, alpha) = self.locate(time, side);
        let value = |key: usize| self.key(key).get(number).copied();
        let start = value(key).unwrap_or(0.0);
        let Some(end) = value(key + 1) else { return start };
        match self.span(key) {
            Span::Step => start,
            Span::Linear => start + (end - start) * alpha,
            Span::Bezier => self.bezier(number, key, time).unwrap_or(start),
        }
    }

    fn bezier(&self, number: usize, key: usize, time: f64) -> Option<f64> {
        let (start, end) = (*self.times.get(key)?, *self.times.get(key + 1)?);
        let [leaving, _] = *self.handles.get(key * self.width + number)?;
        let [_, arriving] = *self.handles.get((key + 1) * self.width + number)?;
        // Handles outside of the span would make time run backwards.
        let inside = |time: f64| time.clamp(start, end);
        let times = [start, inside(leaving.time), inside(arriving.time), end];
        let values =
            [*self.key(key).get(number)?, leaving.value, arriving.value, *self.key(key + 1).get(number)?];
        // Time ascends along the curve, so bisection finds the parameter, in 50 steps to about the precision of
        // `f64`.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..50 {
            let middle = (low + high) / 2.0;
            if cubic(&times, middle) < time { low = middle } else { high = middle }
        }
        Some(cubic(&values, (low + high) / 2.0))
    }
}

/// Returns the value of a cubic Bézier curve at a parameter from 0 to 1.
fn cubic([a, b, c, d]: &[f64; 4], at: f64) -> f64 {
    let left = 1.0 - at;
    a * left * left * left + 3.0 * b * left * left * at + 3.0 * c * left * at * at + d * at * at * at
}
