use crate::model::ClipIndex;

/// One call of `play`: tells its events from those of every other call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Run(pub u32);

/// Into a controller's layers; 0 is the base.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LayerIndex(pub u32);

impl LayerIndex {
    pub const BASE: Self = Self(0);
}

/// Something that happened while playing. Seeking causes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    pub layer: LayerIndex,
    pub what: Happening,
}

/// The clip of a blend is the one whose passes count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    Play {
        run: Run,
        clip: ClipIndex,
    },
    Pause {
        run: Run,
        clip: ClipIndex,
    },
    /// A pass ended and another began; `passes` have ended since `play`.
    Loop {
        run: Run,
        clip: ClipIndex,
        passes: u32,
    },
    /// No more of this run will come.
    Finished {
        run: Run,
        clip: ClipIndex,
        reason: FinishReason,
    },
    /// The clip's marker of that number was passed.
    Marker {
        run: Run,
        clip: ClipIndex,
        marker: usize,
    },
    /// A state machine went into another state.
    StateChange {
        state: usize,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishReason {
    /// All its passes are done.
    Ended,
    /// Another `play` took its place.
    Replaced,
    /// `stop`, or the model went away.
    Stopped,
}
