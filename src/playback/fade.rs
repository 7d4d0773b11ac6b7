use super::Easing;

/// A gradual change of a weight from one value to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fade {
    from: f32,
    to: f32,
    elapsed_secs: f64,
    duration_secs: f64,
    easing: Easing,
}

impl Fade {
    pub(super) const DONE: Self = Self::at(1.0);

    /// Returns a constant weight.
    pub(crate) const fn at(weight: f32) -> Self {
        Self { from: weight, to: weight, elapsed_secs: 0.0, duration_secs: 0.0, easing: Easing::Linear }
    }

    /// Returns a fade from 0 to 1, which is done at once if the duration isn't above 0.
    ///
    /// # Panics
    /// If the duration isn't finite. The player rejects such durations.
    pub(super) fn over(duration_secs: f64, easing: Easing) -> Self {
        Self::at(0.0).towards(1.0, duration_secs, easing)
    }

    /// Returns a fade from the current weight to another.
    pub(crate) fn towards(self, to: f32, duration_secs: f64, easing: Easing) -> Self {
        assert!(duration_secs.is_finite(), "a fade has a finite duration");
        Self { from: self.weight(), to, elapsed_secs: 0.0, duration_secs: duration_secs.max(0.0), easing }
    }

    pub(crate) fn advance(&mut self, dt_secs: f64) {
        self.elapsed_secs = (self.elapsed_secs + dt_secs.abs()).min(self.duration_secs);
    }

    pub(crate) fn is_done(&self) -> bool {
        self.elapsed_secs >= self.duration_secs
    }

    pub(super) fn left_secs(&self) -> f64 {
        self.duration_secs - self.elapsed_secs
    }

    pub(super) fn elapsed_secs(&self) -> f64 {
        self.elapsed_secs
    }

    pub(crate) fn weight(&self) -> f32 {
        if self.is_done() {
            return self.to;
        }
        self.from + (self.to - self.from) * self.easing.at((self.elapsed_secs / self.duration_secs) as f32)
    }
}

impl Easing {
    /// Returns the eased value of a fraction of the duration: 0 at 0, and 1 at 1.
    pub fn at(self, share: f32) -> f32 {
        match self {
            Self::Linear => share,
            Self::Smooth => share * share * (3.0 - 2.0 * share),
            Self::In => share * share,
            Self::Out => share * (2.0 - share),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EASINGS: [Easing; 4] = [Easing::Linear, Easing::Smooth, Easing::In, Easing::Out];

    #[test]
    fn easings_begin_at_nothing_end_at_all_and_never_turn() {
        for easing in EASINGS {
            assert_eq!((easing.at(0.0), easing.at(1.0)), (0.0, 1.0));
            for step in 0..100 {
                let (before, after) = (step as f32 / 100.0, (step + 1) as f32 / 100.0);
                assert!(easing.at(before) < easing.at(after), "{easing:?} at {before}");
            }
        }
    }

    #[test]
    fn a_fade_that_changes_its_goal_goes_on_from_where_it_is() {
        let mut fade = Fade::over(1.0, Easing::Linear);
        fade.advance(0.5);
        assert_eq!(fade.weight(), 0.5);
        let mut back = fade.towards(0.0, 2.0, Easing::Linear);
        assert_eq!(back.weight(), 0.5);
        back.advance(1.0);
        assert_eq!(back.weight(), 0.25);
        back.advance(1.0);
        assert!(back.is_done());
        assert_eq!(back.weight(), 0.0);
    }
}
