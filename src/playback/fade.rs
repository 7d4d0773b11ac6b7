/// A gradual change of a motion's weight from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fade {
    elapsed_secs: f64,
    duration_secs: f64,
}

impl Fade {
    /// # Panics
    /// On a duration that isn't finite: the controller refuses those.
    pub(super) fn over(duration_secs: f64) -> Self {
        assert!(duration_secs.is_finite(), "a fade has a finite duration");
        Self { elapsed_secs: 0.0, duration_secs: duration_secs.max(0.0) }
    }

    pub(super) fn advance(&mut self, dt_secs: f64) {
        self.elapsed_secs = (self.elapsed_secs + dt_secs.abs()).min(self.duration_secs);
    }

    pub(super) fn is_done(&self) -> bool {
        self.elapsed_secs >= self.duration_secs
    }

    /// 0 at the start, 1 when done.
    pub(super) fn weight(&self) -> f32 {
        if self.is_done() { 1.0 } else { (self.elapsed_secs / self.duration_secs) as f32 }
    }
}
