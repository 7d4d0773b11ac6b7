//! The numbers and switches that a page turns, and blends and transitions read.

/// Into the list of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParameterIndex(pub usize);

#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: String,
    pub kind: ParameterKind,
    /// What it is before the page sets it; 0 and 1 for booleans.
    pub start: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    Number,
    Boolean,
    /// Set by the page, unset by the transition that it fires.
    Trigger,
}
