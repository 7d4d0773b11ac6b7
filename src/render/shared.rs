use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// Resources of a device that several of its canvases share. Each is dropped with its last user.
#[derive(Debug)]
pub(super) struct Shared<Thing> {
    known: RefCell<Vec<Weak<Thing>>>,
}

impl<Thing> Default for Shared<Thing> {
    fn default() -> Self {
        Self { known: RefCell::default() }
    }
}

impl<Thing> Shared<Thing> {
    pub(super) fn find(&self, fits: impl Fn(&Thing) -> bool) -> Option<Rc<Thing>> {
        self.known.borrow().iter().filter_map(Weak::upgrade).find(|thing| fits(thing))
    }

    /// Adds a resource, which [`find`](Self::find) returns until its last user drops it.
    pub(super) fn add(&self, thing: Thing) -> Rc<Thing> {
        let held = Rc::new(thing);
        let mut known = self.known.borrow_mut();
        known.retain(|thing| thing.strong_count() > 0);
        known.push(Rc::downgrade(&held));
        held
    }
}

/// Returns the bytes of a shared resource divided by the number of its users, so that the sum over all users is the
/// total.
pub(super) fn part_of_bytes<Thing>(thing: &Rc<Thing>, bytes: u64) -> u64 {
    bytes / Rc::strong_count(thing) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_found_for_as_long_as_someone_holds_them() {
        let shared = Shared::default();
        let three = shared.add(3);
        let four = shared.add(4);
        assert!(shared.find(|&number| number == 3).is_some_and(|found| Rc::ptr_eq(&found, &three)));
        drop(three);
        assert_eq!(shared.find(|&number| number == 3), None);
        assert_eq!(shared.find(|_| true), Some(four));
        shared.add(5);
        assert_eq!(shared.known.borrow().len(), 1, "what is gone is forgotten");
    }

    #[test]
    fn holders_share_the_bytes() {
        let shared = Shared::default();
        let one = shared.add(());
        assert_eq!(part_of_bytes(&one, 100), 100);
        let two = shared.find(|()| true).expect("it is held");
        assert_eq!(part_of_bytes(&one, 100) + part_of_bytes(&two, 100), 100);
    }
}
