use crate::model::ClipIndex;

/// Identifier of one start of a motion, which distinguishes its events from those of other starts.
///
/// A controller numbers the motions that it starts itself below [`Run::FIRST_GIVEN`]. Numbers given by callers begin
/// there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Run(pub u32);

impl Run {
    pub const FIRST_GIVEN: u32 = 1 << 31;
}

/// Index of a controller's layer; 0 is the base layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LayerIndex(pub u32);

impl LayerIndex {
    pub const BASE: Self = Self(0);
}

/// Event caused by playback. Seeking causes none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    pub layer: LayerIndex,
    pub kind: EventKind,
}

/// Kind of an [`Event`]. For a blend, `clip` is the clip that defines its length and loops, except in `Marker`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    Play {
        run: Run,
        clip: ClipIndex,
    },
    Pause {
        run: Run,
        clip: ClipIndex,
    },
    /// A pass ended and the next one began. `passes` is the number of passes that have ended.
    Loop {
        run: Run,
        clip: ClipIndex,
        passes: u32,
    },
    /// The run ended. Seeking back from its end continues it.
    Finished {
        run: Run,
        clip: ClipIndex,
        reason: FinishReason,
    },
    /// The playhead passed the marker of the clip with this index.
    Marker {
        run: Run,
        clip: ClipIndex,
        marker: usize,
    },
    /// The layer's state machine entered this state.
    StateChange {
        state: usize,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishReason {
    /// The last pass ended.
    Ended,
    /// Another motion replaced it.
    Replaced,
    /// Playback was stopped, or the model was unloaded.
    Stopped,
}
