//! Throngs: members of the player's model that only play clips, without controllers. The GPU poses them
//! (`src/render/throng`), so that in a frame the processor only finds those that the picture may show.
//!
//! A throng is there beside the characters of the player, and belongs to the company: code for it runs where that of
//! other actors does. Pages fetch this code with the first throng, so the player holds it through a trait.

mod markers;
#[cfg(feature = "render")]
mod picture;
mod rows;

pub use markers::PassedMarker;

use super::crowd::{GOLDEN_FRACTION, fermat_spiral};
use super::{Player, PlayerError, Value};
use crate::angle::wrapped;
use crate::animation::{ClipCursor, ClipRows, LocalPose, ModelPose, Rig, blend_into};
use crate::model::{Aabb, ClipIndex};
#[cfg(feature = "render")]
use crate::render::{Coarse, KeptThrong, Revised};
use glam::{Affine3A, Mat4, Vec3, Vec4};
use markers::Followed;
use std::fmt;
use std::sync::Arc;

/// Greatest number of members.
const MOST_MEMBERS: usize = 65_536;

/// Most rows of all members: 128 MiB, which every device with WebGPU can bind.
const MOST_ROWS: usize = (128 << 20) / size_of::<Vec4>();

/// Number of times that the fastest member has played its clip, after which phases are written anew. Single precision
/// then has five digits for the place in the clip.
const MOST_PASSES: f64 = 64.0;

/// Numbers of a member that are set together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberPart {
    /// A column-major 4×4 matrix.
    Place,
    /// A linear colour with alpha.
    Tint,
    /// 0 hides the member.
    Visible,
    /// Clip, second clip, share of the second clip, phase and speed. −1 stands for the rest pose, and NaN for the
    /// present phase.
    Motion,
}

impl MemberPart {
    pub const ALL: [Self; 4] = [Self::Place, Self::Tint, Self::Visible, Self::Motion];

    /// Returns how many numbers a member has.
    fn length(self) -> usize {
        match self {
            Self::Place => 16,
            Self::Tint => 4,
            Self::Visible => 1,
            Self::Motion => 5,
        }
    }
}

/// One character of a throng. Both of its clips are at the same share of their durations.
#[derive(Clone, Copy, Debug)]
struct Member {
    actor_from_model: Affine3A,
    tint: Vec4,
    visible: bool,
    /// `None` is the rest pose.
    clips: [Option<ClipIndex>; 2],
    /// Share of the second clip in the pose.
    share: f32,
    /// Place in the clips when the throng's time was 0, as a share of their durations.
    phase: f64,
    /// Passes through the clips in a second of the throng.
    rate: f64,
}

/// Members of one model.
pub(super) struct Throng {
    rig: Arc<Rig>,
    members: Vec<Member>,
    clip_rows: ClipRows,
    /// Factor of the player's time.
    playback_rate: f64,
    /// Time since the members' phases.
    elapsed_secs: f64,
    /// Greatest magnitude of a rate.
    fastest: f64,
    /// Those whose markers are listed, by their indices.
    followed: Vec<Followed>,
    /// Rows must be written anew.
    stale: bool,
    /// Place of the actor for which the rows were written.
    world_from_actor: Affine3A,
    /// Bounds of all visible members in the world, over the clips that they play.
    bounds: Option<Aabb>,
    /// The outermost corners of the bounds of visible members.
    outline: Vec<Vec3>,
    #[cfg(feature = "render")]
    shown: Shown,
}

/// What pictures have of a throng.
#[cfg(feature = "render")]
#[derive(Default)]
struct Shown {
    clips: Revised,
    members: Revised,
    /// Rows of one character at rest, from which the draws are listed.
    rest_rows: Vec<Vec4>,
    /// Fewer triangles for members that are small in the picture.
    coarse: Coarse,
    /// Centre and radius of a sphere around each member in model space.
    reach: Vec4,
    kept: KeptThrong,
}

/// Holds a throng. It hides what drops it, which only pages with throngs have.
pub(super) trait HoldThrong {
    fn get(&self) -> &Throng;
    fn get_mut(&mut self) -> &mut Throng;
}

impl fmt::Debug for dyn HoldThrong {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Throng")
    }
}

impl HoldThrong for Throng {
    fn get(&self) -> &Throng {
        self
    }

    fn get_mut(&mut self) -> &mut Throng {
        self
    }
}

impl Player {
    /// Shows `count` members beside the characters, in place of those before. They play the clip that the first
    /// character plays, each at a phase and a place of its own. A count of 0 removes the throng.
    ///
    /// # Errors
    /// When there is no model, `count` is too large for it, or the GPU can't pose throngs.
    pub fn set_throng(&mut self, count: usize) -> Result<(), PlayerError> {
        let rig = Arc::clone(self.rig().ok_or(PlayerError::NoModel)?);
        #[cfg(feature = "render")]
        self.gpu().map_or(Ok(()), crate::render::throng::check)?;
        let most = MOST_MEMBERS.min(MOST_ROWS / (rig.palette_layout().rows_per_character + 1));
        if count > most {
            return Err(PlayerError::CrowdSize { asked: count, most });
        }
        let spacing = self.spacing();
        let clip = self.clip();
        self.company.throng = None;
        if count > 0 {
            self.company.throng = Some(Box::new(Throng::new(rig, clip, count, spacing)));
        }
        Ok(())
    }

    /// Returns the number of members; 0 without a throng.
    pub fn member_count(&self) -> usize {
        self.throng().map_or(0, |throng| throng.members.len())
    }

    /// Returns a column-major 4×4 matrix for the place of each member.
    pub fn member_places(&self) -> Vec<f32> {
        let mut places = Vec::new();
        for member in self.throng().into_iter().flat_map(|throng| &throng.members) {
            places.extend_from_slice(&Mat4::from(member.actor_from_model).to_cols_array());
        }
        places
    }

    /// Sets numbers of consecutive members, those of one after those of another.
    ///
    /// A phase is that of the present moment. NaN keeps the phase.
    ///
    /// # Errors
    /// When there are no such members or no such clip, or a number isn't finite or is out of range. Members before the
    /// one with the error are changed.
    pub fn set_members(
        &mut self,
        part: MemberPart,
        first: usize,
        numbers: &[f32],
    ) -> Result<(), PlayerError> {
        let clip_count = self.rig().map_or(0, |rig| rig.clip_count());
        let last = first.saturating_add((numbers.len() / part.length()).saturating_sub(1));
        self.check_member(last)?;
        let (Some(loaded), Some(throng)) = (&self.loaded, &mut self.company.throng) else { return Ok(()) };
        let throng = throng.get_mut();
        let moves = part == MemberPart::Motion;
        for (numbers, index) in numbers.chunks_exact(part.length()).zip(first..) {
            let followed = if moves { throng.list_before_change(&loaded.library, index) } else { None };
            throng.set_member(part, index, numbers, clip_count)?;
            if let Some(place) = followed {
                throng.follow_on(place);
            }
        }
        throng.stale = true;
        Ok(())
    }

    /// Returns a member's time in its first clip, in seconds.
    ///
    /// # Errors
    /// When there is no such member.
    pub fn member_time(&self, index: usize) -> Result<f64, PlayerError> {
        self.check_member(index)?;
        let time_of = |throng: &Throng| {
            let member = &throng.members[index];
            throng.phase(member) * throng.duration_secs(member.clips[0])
        };
        Ok(self.throng().map_or(0.0, time_of))
    }

    /// Returns the matrix `world_from_node` of every node of a member, in the file's order. It is computed from the
    /// clips themselves.
    ///
    /// # Errors
    /// When there is no such member.
    pub fn member_matrices(&self, index: usize) -> Result<Vec<Mat4>, PlayerError> {
        self.check_member(index)?;
        let Some(throng) = self.throng() else { return Ok(Vec::new()) };
        let member = &throng.members[index];
        let (_, model) = throng.pose(member);
        let world_from_model = self.world_from_actor * member.actor_from_model;
        let nodes = throng.rig.model().node_from_source.iter();
        Ok(nodes.map(|&node| Mat4::from(world_from_model * model.model_from_node(node))).collect())
    }

    /// Sets the factor of time for all members.
    ///
    /// # Errors
    /// When the rate isn't finite or is out of range.
    pub fn set_throng_rate(&mut self, rate: f64) -> Result<(), PlayerError> {
        let rate = Value::PlaybackRate.check(rate)?;
        if let Some(throng) = self.throng_mut() {
            throng.playback_rate = rate;
        }
        Ok(())
    }

    fn check_member(&self, index: usize) -> Result<(), PlayerError> {
        let character_count = self.member_count();
        match index < character_count {
            true => Ok(()),
            false => Err(PlayerError::CharacterOutOfRange { asked: index, character_count }),
        }
    }

    /// Brings the rows and the bounds of the throng up to date.
    pub(super) fn refresh_throng(&mut self) {
        let world_from_actor = self.world_from_actor;
        if let Some(throng) = self.throng_mut() {
            throng.refresh(&world_from_actor);
        }
    }

    pub(super) fn throng(&self) -> Option<&Throng> {
        self.company.throng.as_ref().map(|throng| throng.get())
    }

    pub(super) fn throng_mut(&mut self) -> Option<&mut Throng> {
        self.company.throng.as_mut().map(|throng| throng.get_mut())
    }
}

impl Throng {
    fn new(rig: Arc<Rig>, clip: Option<ClipIndex>, count: usize, spacing: f32) -> Self {
        let clip_rows = ClipRows::new(&rig);
        let mut throng = Self {
            rig,
            members: Vec::new(),
            clip_rows,
            playback_rate: 1.0,
            elapsed_secs: 0.0,
            fastest: 0.0,
            followed: Vec::new(),
            stale: true,
            world_from_actor: Affine3A::IDENTITY,
            bounds: None,
            outline: Vec::new(),
            #[cfg(feature = "render")]
            shown: Shown::default(),
        };
        let rate = throng.rate([clip; 2], 0.0, 1.0);
        throng.fastest = rate;
        // The first place on the spiral is that of the player's character.
        throng.members.extend((1..=count).map(|index| Member {
            actor_from_model: fermat_spiral(index, spacing),
            tint: Vec4::ONE,
            visible: true,
            clips: [clip; 2],
            share: 0.0,
            phase: wrapped(index as f64 * GOLDEN_FRACTION, 1.0),
            rate,
        }));
        throng
    }

    pub(super) fn is_moving(&self) -> bool {
        self.playback_rate != 0.0 && self.fastest > 0.0
    }

    pub(super) fn advance(&mut self, dt_secs: f64) {
        self.elapsed_secs += dt_secs * self.playback_rate;
        if (self.elapsed_secs * self.fastest).abs() > MOST_PASSES {
            self.forget_passes();
            for at in 0..self.members.len() {
                self.members[at].phase = self.phase(&self.members[at]);
            }
            self.elapsed_secs = 0.0;
            self.stale = true;
        }
    }

    /// Returns the outermost points of all members.
    pub(super) fn outline(&self) -> &[Vec3] {
        &self.outline
    }

    /// Returns the height of the lowest member.
    pub(super) fn floor(&self) -> Option<f32> {
        self.bounds.map(|bounds| bounds.min.y)
    }

    fn set_member(
        &mut self,
        part: MemberPart,
        index: usize,
        numbers: &[f32],
        clip_count: usize,
    ) -> Result<(), PlayerError> {
        let member = &mut self.members[index];
        match (part, numbers) {
            (MemberPart::Place, numbers) => {
                // Checking one by one takes longer than all the rest.
                if !numbers.iter().all(|number| number.abs() <= 1e6) {
                    Value::Place.check_all(numbers)?;
                }
                member.actor_from_model = Affine3A::from_mat4(Mat4::from_cols_slice(numbers));
            }
            (MemberPart::Tint, numbers) => {
                Value::Tint.check_all(numbers)?;
                member.tint = Vec4::from_slice(numbers);
            }
            (MemberPart::Visible, numbers) => member.visible = numbers[0] != 0.0,
            (MemberPart::Motion, &[first, second, share, phase, speed]) => {
                let clip_at = |number: f32| match number {
                    number if number < 0.0 => Ok(None),
                    number if (number as usize) < clip_count => Ok(Some(ClipIndex::new(number as usize))),
                    number => Err(PlayerError::ClipOutOfRange { asked: number as usize, clip_count }),
                };
                let clips = [clip_at(first)?, clip_at(second)?];
                Value::Weight.check(share.into())?;
                let now = self.phase(&self.members[index]);
                let phase = if phase.is_nan() { now } else { Value::Phase.check(phase.into())? };
                Value::Speed.check(speed.into())?;
                let rate = self.rate(clips, share, speed.into());
                let began = phase - self.elapsed_secs * rate;
                self.fastest = self.fastest.max(rate.abs());
                let member = &mut self.members[index];
                *member = Member { clips, share, phase: wrapped(began, 1.0), rate, ..*member };
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the passes in a second: those through a clip as long as both clips in their shares.
    fn rate(&self, clips: [Option<ClipIndex>; 2], share: f32, speed: f64) -> f64 {
        let [first, second] = clips.map(|clip| self.duration_secs(clip));
        let duration = first + (second - first) * f64::from(share);
        if duration > 0.0 { speed / duration } else { 0.0 }
    }

    fn duration_secs(&self, clip: Option<ClipIndex>) -> f64 {
        clip.map_or(0.0, |clip| f64::from(self.rig.clip(clip).duration_secs))
    }

    /// Returns a member's place in its clips at present, in passes.
    fn position(&self, member: &Member) -> f64 {
        member.phase + self.elapsed_secs * member.rate
    }

    /// Returns the same from 0 to 1.
    fn phase(&self, member: &Member) -> f64 {
        wrapped(self.position(member), 1.0)
    }

    /// Returns the pose of a member, sampled from its clips.
    fn pose(&self, member: &Member) -> (LocalPose, ModelPose) {
        let phase = self.phase(member);
        let sampled = member.clips.map(|clip| {
            let mut pose = LocalPose::rest(&self.rig);
            if let Some(clip) = clip {
                let secs = phase * self.duration_secs(Some(clip));
                self.rig.sample_into(clip, secs as f32, &mut ClipCursor::default(), &mut pose);
            }
            pose
        });
        let [mut local, second] = sampled;
        blend_into(&mut local, &second, member.share);
        let mut model = ModelPose::new(&self.rig);
        self.rig.resolve_into(&local, &mut model);
        (local, model)
    }
}
