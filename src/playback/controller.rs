use super::{Event, FinishReason, Looping, PlayOptions, Playhead, Run, fade::Fade};
use crate::animation::{ClipCursor, LocalPose, Rig, blend_into};
use crate::model::ClipIndex;

/// Fades that overlap more deeply than this lose their oldest, by then faintest, motion.
const MOST_MOTIONS: usize = 8;

/// A pass boundary costs an event; a step across more of them than this reports the rest as one.
const MOST_LOOP_EVENTS_A_STEP: u32 = 64;

/// What one character plays: a current motion, and those it is still fading from.
///
/// - The pose is the oldest motion's, with each younger one blended over it by the weight of its fade.
/// - All motions run on while they fade; when a fade is done what lies under it is dropped.
/// - Steady play allocates nothing.
#[derive(Clone, Debug)]
pub struct Controller {
    /// Oldest first; the last is the current one.
    motions: Vec<Motion>,
    paused: bool,
    playback_rate: f64,
    next_run: u32,
}

/// What a controller is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// No clip: the rest pose.
    Stopped,
    Playing,
    Paused,
    /// The current clip has ended and its last pose is held.
    Finished,
}

#[derive(Clone, Debug)]
struct Motion {
    run: Run,
    clip: ClipIndex,
    speed: f64,
    playhead: Playhead,
    fade: Fade,
    cursor: ClipCursor,
}

impl Default for Controller {
    fn default() -> Self {
        Self { motions: Vec::with_capacity(MOST_MOTIONS), paused: false, playback_rate: 1.0, next_run: 0 }
    }
}

impl Controller {
    pub fn state(&self) -> State {
        match self.motions.last() {
            None => State::Stopped,
            Some(current) if current.playhead.is_finished() => State::Finished,
            Some(_) if self.paused => State::Paused,
            Some(_) => State::Playing,
        }
    }

    pub fn clip(&self) -> Option<ClipIndex> {
        self.motions.last().map(|current| current.clip)
    }

    /// The current run; `None` when stopped.
    pub fn run(&self) -> Option<Run> {
        self.motions.last().map(|current| current.run)
    }

    /// Where the current clip stands; 0 when stopped.
    pub fn time_secs(&self) -> f64 {
        self.motions.last().map_or(0.0, |current| current.playhead.time_secs())
    }

    /// Whether passing time would change the pose.
    pub fn is_moving(&self) -> bool {
        let moves = |motion: &Motion| {
            !motion.fade.is_done()
                || (self.playback_rate * motion.speed != 0.0 && motion.playhead.is_moving())
        };
        !self.paused && self.motions.iter().any(moves)
    }

    pub fn playback_rate(&self) -> f64 {
        self.playback_rate
    }

    /// Negative runs backwards. The caller has made sure that it is finite.
    pub fn set_playback_rate(&mut self, rate: f64) {
        self.playback_rate = rate;
    }

    /// Starts a clip, fading from what plays now. Ends a pause.
    pub fn play(
        &mut self,
        rig: &Rig,
        clip: ClipIndex,
        options: &PlayOptions,
        events: &mut Vec<Event>,
    ) -> Run {
        let run = Run(self.next_run);
        self.next_run = self.next_run.wrapping_add(1);
        self.report_end(FinishReason::Replaced, events);

        let fades = options.fade_secs > 0.0 && !self.motions.is_empty();
        if !fades {
            self.motions.clear();
        } else if self.motions.len() == MOST_MOTIONS {
            self.motions.remove(0);
        }
        let duration_secs = f64::from(rig.model().clip(clip).duration_secs);
        let rate = self.playback_rate * options.speed;
        let mut playhead = Playhead::new(duration_secs, options.looping, rate);
        if options.phase != 0.0 {
            playhead.shift(options.phase);
        }
        self.motions.push(Motion {
            run,
            clip,
            speed: options.speed,
            playhead,
            fade: Fade::over(if fades { options.fade_secs } else { 0.0 }),
            cursor: ClipCursor::default(),
        });
        self.paused = false;
        events.push(Event::Play { run, clip });
        run
    }

    /// Goes on after a pause; from the beginning when the clip has ended.
    pub fn resume(&mut self, events: &mut Vec<Event>) {
        let Some(current) = self.motions.last_mut() else { return };
        let ended = current.playhead.is_finished();
        if ended {
            let backwards = self.playback_rate * current.speed < 0.0;
            current.playhead.seek(if backwards { current.playhead.duration_secs() } else { 0.0 });
            current.run = Run(self.next_run);
            self.next_run = self.next_run.wrapping_add(1);
        }
        if ended || self.paused {
            self.paused = false;
            events.push(Event::Play { run: current.run, clip: current.clip });
        }
    }

    pub fn pause(&mut self, events: &mut Vec<Event>) {
        if self.state() == State::Playing {
            self.paused = true;
            if let Some(current) = self.motions.last() {
                events.push(Event::Pause { run: current.run, clip: current.clip });
            }
        }
    }

    /// Back to the rest pose.
    pub fn stop(&mut self, events: &mut Vec<Event>) {
        self.report_end(FinishReason::Stopped, events);
        self.motions.clear();
        self.paused = false;
    }

    /// Shows the current clip at a time, exactly: fades that are under way end here. Causes no event.
    pub fn seek(&mut self, time_secs: f64) {
        self.drop_all_but_current();
        if let Some(current) = self.motions.last_mut() {
            current.fade = Fade::over(0.0);
            current.playhead.seek(time_secs);
        }
    }

    /// For the clip that plays now.
    pub fn set_looping(&mut self, looping: Looping) {
        if let Some(current) = self.motions.last_mut() {
            current.playhead.set_looping(looping);
        }
    }

    /// Moves the current clip by a fraction of its length, round its end.
    pub fn shift(&mut self, phase: f64) {
        if let Some(current) = self.motions.last_mut() {
            current.playhead.shift(phase);
        }
    }

    /// Passes time. A paused or stopped controller stands still.
    pub fn advance(&mut self, dt_secs: f64, events: &mut Vec<Event>) {
        if self.paused {
            return;
        }
        let current = self.motions.len().saturating_sub(1);
        for (depth, motion) in self.motions.iter_mut().enumerate() {
            motion.fade.advance(dt_secs);
            let ended_passes = motion.playhead.advance(dt_secs * self.playback_rate * motion.speed);
            if depth == current {
                motion.report_passes(ended_passes, events);
            }
        }
        if self.motions.last().is_some_and(|current| current.fade.is_done()) {
            self.drop_all_but_current();
        }
    }

    /// Mixes all motions into `pose`; `scratch` is overwritten.
    pub fn pose_into(&mut self, rig: &Rig, pose: &mut LocalPose, scratch: &mut LocalPose) {
        let Some((bottom, fading_in)) = self.motions.split_first_mut() else {
            pose.set_to_rest(rig);
            return;
        };
        bottom.sample_into(rig, pose);
        for motion in fading_in {
            motion.sample_into(rig, scratch);
            blend_into(pose, scratch, motion.fade.weight());
        }
    }

    fn report_end(&self, reason: FinishReason, events: &mut Vec<Event>) {
        if let Some(current) = self.motions.last()
            && !current.playhead.is_finished()
        {
            events.push(Event::Finished { run: current.run, clip: current.clip, reason });
        }
    }

    fn drop_all_but_current(&mut self) {
        let current = self.motions.len().saturating_sub(1);
        self.motions.drain(..current);
    }
}

impl Motion {
    fn sample_into(&mut self, rig: &Rig, pose: &mut LocalPose) {
        rig.sample_into(self.clip, self.playhead.time_secs() as f32, &mut self.cursor, pose);
    }

    fn report_passes(&self, ended_passes: u32, events: &mut Vec<Event>) {
        if ended_passes == 0 {
            return;
        }
        let (run, clip) = (self.run, self.clip);
        // The pass that finishes the clip doesn't begin another one.
        let loops = ended_passes - u32::from(self.playhead.is_finished());
        let before = self.playhead.passes() - ended_passes;
        let one_by_one = loops.min(MOST_LOOP_EVENTS_A_STEP);
        events.extend((1..=one_by_one).map(|nth| Event::Loop {
            run,
            clip,
            passes: before.saturating_add(nth),
        }));
        if loops > one_by_one {
            events.push(Event::Loop { run, clip, passes: before.saturating_add(loops) });
        }
        if self.playhead.is_finished() {
            events.push(Event::Finished { run, clip, reason: FinishReason::Ended });
        }
    }
}
