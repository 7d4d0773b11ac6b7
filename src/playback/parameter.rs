//! Parameters: numbers and switches that a page sets and that blends and transitions read.

/// Index into the list of parameters of a [`AnimationLibrary`](super::AnimationLibrary) or a [`Script`](super::Script).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParameterIndex(pub usize);

#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: String,
    pub kind: ParameterKind,
    /// Value before the page sets the parameter. Booleans are 0 or 1.
    pub start: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    Number,
    Boolean,
    /// Switch that the page sets, and that the transition which it fires resets.
    Trigger,
}
