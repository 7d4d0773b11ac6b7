//! Names and what they stand for.
use crate::refusal::shortened;
use serde_json::{Map, Value};

/// From a name to its index; of two equal names the first counts.
///
/// A JSON object of numbers: a map of our own would be a second one in the wasm module.
#[derive(Default)]
pub(super) struct Names(Map<String, Value>);

impl Names {
    pub(super) fn of(names: &mut dyn Iterator<Item = &str>) -> Self {
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

    /// Adds to a message what there is, as far as it can list it.
    pub(super) fn list(&self, words: &mut String) {
        const MOST: usize = 20;
        for (nth, (name, _)) in self.0.iter().enumerate() {
            words.push_str(if nth == 0 { "; there are " } else { ", " });
            if nth == MOST {
                words.push('…');
                return;
            }
            words.push_str(shortened(name));
        }
        if self.0.is_empty() {
            words.push_str("; there are none");
        }
    }
}
