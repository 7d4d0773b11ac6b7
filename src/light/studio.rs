//! The light of the built-in studio, which can be computed before there is a GPU for it.

use super::{Environment, Room};
use std::cell::Cell;

thread_local! {
    static PREPARED: Cell<Option<Environment>> = const { Cell::new(None) };
}

/// Computes the environment that the next call of [`studio`] returns.
pub fn prepare_studio() {
    PREPARED.set(Some(studio()));
}

/// Returns the studio's environment.
pub fn studio() -> Environment {
    PREPARED.take().unwrap_or_else(|| Room::studio().environment())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_studio_that_is_prepared_is_the_same_and_is_taken_once() {
        let new = studio();
        assert!(PREPARED.take().is_none());
        prepare_studio();
        // What is returned is what was prepared, and not computed again.
        let prepared = PREPARED.take().expect("the studio is prepared");
        let texels = prepared.levels.as_ptr();
        PREPARED.set(Some(prepared));
        let environment = studio();
        assert_eq!(environment.levels.as_ptr(), texels);
        assert_eq!(environment.levels, new.levels);
        assert_eq!(environment.irradiance, new.irradiance);
        assert!(PREPARED.take().is_none());
        assert_eq!(studio().levels, new.levels);
    }
}
