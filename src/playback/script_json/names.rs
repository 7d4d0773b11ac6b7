//! Lookup of indices by name.
use crate::order::sort;
use crate::refusal::shortened;

/// Map from names to indices. If two names are equal, the first is used.
#[derive(Default)]
pub(super) struct Names {
    sorted: Vec<(String, usize)>,
}

impl Names {
    pub(super) fn of(names: &mut dyn Iterator<Item = &str>) -> Self {
        let mut listed: Vec<(&str, usize)> = names.zip(0..).collect();
        sort(&mut listed, |a, b| a < b);
        listed.dedup_by_key(|(name, _)| *name);
        Self { sorted: listed.into_iter().map(|(name, index)| (name.to_owned(), index)).collect() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    pub(super) fn add(&mut self, name: &str, index: usize) {
        if let Err(place) = self.place(name) {
            self.sorted.insert(place, (name.to_owned(), index));
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let place = self.place(name).ok()?;
        self.sorted.get(place).map(|(_, index)| *index)
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.sorted.binary_search_by(|(other, _)| other.as_str().cmp(name))
    }

    /// Appends the known names to a message, 20 at most.
    pub(super) fn list(&self, words: &mut String) {
        const MOST: usize = 20;
        for (nth, (name, _)) in self.sorted.iter().enumerate() {
            words.push_str(if nth == 0 { "; there are " } else { ", " });
            if nth == MOST {
                words.push('…');
                return;
            }
            words.push_str(shortened(name));
        }
        if self.sorted.is_empty() {
            words.push_str("; there are none");
        }
    }
}
