//! Names and what they stand for.
use serde_json::{Map, Value};

/// From a name to its index; of two equal names the first counts.
///
/// A JSON object of numbers: a map of our own would be a second one in the wasm module.
#[derive(Default)]
pub(super) struct Names(Map<String, Value>);

impl Names {
    pub(super) fn of<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let mut found = Self::default();
        names.enumerate().for_each(|(index, name)| found.add(name, index));
        found
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn add(&mut self, name: &str, index: usize) {
        if self.find(name).is_none() {
            self.0.insert(name.to_owned(), index.into());
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<usize> {
        usize::try_from(self.0.get(name)?.as_u64()?).ok()
    }

    /// What was asked for, and what there is instead, as far as a message can list it.
    pub(super) fn unlike(&self, asked: &str) -> String {
        const MOST: usize = 20;
        let mut words: String = asked.chars().take(40).collect();
        for (nth, name) in self.0.keys().take(MOST).enumerate() {
            words.push_str(if nth == 0 { "; there are " } else { ", " });
            words.extend(name.chars().take(40));
        }
        match self.0.len() {
            0 => words.push_str("; there are none"),
            count if count > MOST => words.push_str(", …"),
            _ => {}
        }
        words
    }
}
