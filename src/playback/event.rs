use crate::model::ClipIndex;

/// One call of `play`: tells its events from those of every other call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Run(pub u32);

/// What happened while playing, in the order in which it happened. Seeking causes none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Play {
        run: Run,
        clip: ClipIndex,
    },
    Pause {
        run: Run,
        clip: ClipIndex,
    },
    /// A pass through the clip ended and another began; `passes` have ended since `play`.
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishReason {
    /// All its passes are done; the last pose is held.
    Ended,
    /// Another `play` took its place.
    Replaced,
    /// `stop`, or the model went away.
    Stopped,
}
