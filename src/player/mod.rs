//! The player: a model, the characters that play it, a camera, and the canvas that they are drawn on. Its company are
//! further players, each with a model of its own, that share its time, camera and canvas.
//!
//! It works without a canvas: everything but drawing is the same. Time enters through [`Player::advance`] alone, and
//! events are queued until [`Player::drain_events`] is called. The module has no browser types.

mod character;
#[cfg(feature = "render")]
mod coarse;
mod company;
mod constraints;
mod crowd;
mod error;
mod file_camera;
mod framing;
#[cfg(feature = "render")]
mod guides;
#[cfg(feature = "render")]
mod lamps;
mod layers;
mod material;
mod member;
mod overrides;
mod pick;
mod ragdoll;
mod read;
#[cfg(feature = "render")]
mod reuse;
#[cfg(feature = "render")]
mod screen;
mod script;
mod skinning;
mod springs;
mod throng;
mod transport;
mod value;
mod viewpoint;
mod visible;

pub use company::ActorId;
pub use constraints::ConstraintOptions;
pub use crowd::{Crowd, MOST_CHARACTERS};
pub use error::PlayerError;
#[cfg(feature = "render")]
pub use guides::{GUIDE_LETTERS, GuideSet, GuideSettings, OnionSkins};
pub use material::MaterialChange;
pub use overrides::{NodeOverride, RelativeTo};
pub use pick::{Anchor, Picked, PlacedPin, SurfacePoint};
pub use ragdoll::RagdollMotion;
#[cfg(feature = "render")]
pub use screen::Look;
pub use throng::{MemberPart, PassedMarker};
pub use transport::Clock;
pub use value::{Range, Value};

use character::Character;
use company::{Company, FirstPose, Worn};
use material::MaterialOverride;
use overrides::{Overrides, Turns};
#[cfg(feature = "render")]
use screen::Screen;
use springs::SpringPlay;

use crate::animation::{
    self, LocalPose, ModelPose, Ragdoll, RetargetOptions, Retargeted, Rig, RolePair, Skinning,
};
use crate::camera::{OrbitCamera, SavedOrbit};
use crate::import::{self, BoundClips, ImportReport, Resources};
use crate::model::{ClipIndex, Model, NodeIndex, VariantIndex};
use crate::playback::{AnimationLibrary, Controller, Event, PoseScratch};
use glam::{Affine3A, Vec4};
use std::sync::Arc;

/// Longest time step: some 30,000 years. It stays finite when multiplied by the largest playback rate and speed.
const LONGEST_STEP_SECS: f64 = 1e12;

/// A model with its characters, their playback and their camera.
#[derive(Debug)]
pub struct Player {
    pub camera: OrbitCamera,
    /// Node with the camera of the file that the picture is seen from.
    file_camera: Option<NodeIndex>,
    /// The orbit before a camera of the file was used, until framing returns to it.
    saved_orbit: Option<SavedOrbit>,
    loaded: Option<Loaded>,
    /// Never empty, even without a model. The player's state and events are those of the first character.
    characters: Vec<Character>,
    /// Index of the only character that commands apply to, during a call of [`alone`](Self::alone()).
    alone: Option<usize>,
    /// Place of the player in the world. It is the identity unless the player is an actor of another one.
    world_from_actor: Affine3A,
    company: Company,
    /// Overrides by [`MaterialIndex`](crate::model::MaterialIndex). Materials beyond the end have none.
    material_overrides: Vec<MaterialOverride>,
    /// Variant of the model's materials.
    variant: Option<VariantIndex>,
    skinning: Skinning,
    events: Vec<Event>,
    clock: Clock,
    #[cfg(feature = "render")]
    screen: Screen,
}

/// State that exists while a model is loaded.
#[derive(Debug)]
struct Loaded {
    library: AnimationLibrary,
    report: ImportReport,
    workspace: Workspace,
    /// Overrides of the pose, for all characters.
    overrides: Overrides,
    springs: SpringPlay,
    /// Whether the model has had constraints, springs or ragdolls. Without them, a frame has no further work for each
    /// character.
    has_extras: bool,
    /// How each skin is blended. Empty until one isn't linear.
    skinnings: Vec<Skinning>,
    /// Bodies fitted to the rig. `None` until a ragdoll starts.
    ragdoll: Option<Box<Ragdoll>>,
    hidden_nodes: Vec<NodeIndex>,
    /// Whether each drawable of the rig belongs to a hidden node or to a descendant of one. Empty until
    /// a node is hidden. If clips animate visibility, a list for each character, one after another.
    hidden_drawables: Vec<bool>,
    animates_visibility: bool,
    /// Numbers of the animated properties in the pose of the first character, and those that materials have.
    property_numbers: [Vec<f32>; 2],
    /// Linear tint of each character. Empty until a tint is set.
    tints: Vec<Vec4>,
    /// Whether each character is hidden. Empty until visibility is set.
    absent: Vec<bool>,
    /// Rows to upload: those of each character, one character after another, then the tints.
    rows: Vec<Vec4>,
    /// `rows` must be recomputed.
    stale: bool,
    /// Clips that the camera was last framed for. `None` stands for the rest pose.
    framed: Vec<Option<ClipIndex>>,
    /// Pose of the first character, kept while actors follow it.
    first_pose: Option<Box<FirstPose>>,
    /// Nodes whose transforms are those of another actor.
    worn: Option<Box<Worn>>,
    /// Pose of every character in place of what plays. `has_extras` is true then.
    held: Option<Box<FirstPose>>,
    /// Fewer triangles for characters that are small in the picture. `None` until the page asks for it.
    #[cfg(feature = "render")]
    coarse: Option<crate::render::Coarse>,
}

/// Intermediate poses between sampling and the palette. All characters use them in turn.
#[derive(Debug)]
struct Workspace {
    local: LocalPose,
    scratch: PoseScratch,
    model: ModelPose,
    is_hidden: Vec<bool>,
}

impl Default for Player {
    fn default() -> Self {
        Self {
            camera: OrbitCamera::default(),
            file_camera: None,
            saved_orbit: None,
            loaded: None,
            characters: vec![Character::default()],
            alone: None,
            world_from_actor: Affine3A::IDENTITY,
            company: Company::default(),
            material_overrides: Vec::new(),
            variant: None,
            skinning: Skinning::Linear,
            events: Vec::new(),
            clock: Clock::Free,
            #[cfg(feature = "render")]
            screen: Screen::default(),
        }
    }
}

impl Player {
    pub fn new() -> Self {
        Self::default()
    }

    /// Imports a file and shows its rest pose. If the import fails, the player is unchanged.
    ///
    /// # Errors
    /// When the file can't be imported.
    pub fn load(&mut self, bytes: &[u8], resources: &Resources) -> Result<(), PlayerError> {
        let imported = import::import(bytes, resources)?;
        self.show(Arc::new(Rig::new(Arc::new(imported.model))), imported.report);
        Ok(())
    }

    /// Replaces the model and shows its rest pose. The rig may be shared with other players.
    ///
    /// The playback rate, the skinning and other actors are kept. A crowd is reduced to one character. What followed
    /// the previous model no longer follows, unless this is the same one.
    pub fn show(&mut self, rig: Arc<Rig>, report: ImportReport) {
        self.unload();
        self.loaded = Some(Loaded::new(rig, report));
        self.skin_by(self.skinning);
        self.frame(1.0);
    }

    /// Removes the model and everything that belongs to it. The playback rate, the camera's orbit and other actors are
    /// kept.
    pub fn unload(&mut self) {
        self.stop();
        self.leave_file_camera(None);
        self.characters.truncate(1);
        self.characters[0].stand_at_origin();
        self.characters[0].controller.forget();
        self.material_overrides.clear();
        self.variant = None;
        self.loaded = None;
        self.company.throng = None;
        #[cfg(feature = "render")]
        self.screen.forget_model();
    }

    /// Adds the clips of another model with the same skeleton. Their indices follow those of the clips that are there.
    /// Returns a report of what did not match. What plays isn't interrupted.
    ///
    /// `names` replaces the names of the clips. See [`bind_clips`](import::bind_clips).
    ///
    /// # Errors
    /// When there is no model, or none of the clips animates a node of it.
    pub fn add_clips(&mut self, from: &Model, names: &[String]) -> Result<ImportReport, PlayerError> {
        let loaded = self.loaded.as_mut().ok_or(PlayerError::NoModel)?;
        let BoundClips { clips, report } = import::bind_clips(from, loaded.rig().model(), names);
        if clips.is_empty() {
            return Err(PlayerError::NoFittingClips { has_clips: !from.clips.is_empty() });
        }
        loaded.library.add_clips(clips);
        Ok(report)
    }

    /// Adds the clips of another model with any humanoid skeleton, converted to this one's. Their indices follow those
    /// of the clips that are there. Returns the joints that belong together, with the reasons. What plays isn't
    /// interrupted.
    ///
    /// `names` replaces the names of the clips, in the order of `from`'s. See [`retarget`](animation::retarget).
    ///
    /// # Errors
    /// When there is no model, when `from` has no clips, or when one of the two isn't a humanoid.
    pub fn borrow_clips(
        &mut self,
        from: &Rig,
        names: &[String],
        options: &RetargetOptions,
    ) -> Result<Vec<RolePair>, PlayerError> {
        let loaded = self.loaded.as_mut().ok_or(PlayerError::NoModel)?;
        if from.clip_count() == 0 {
            return Err(PlayerError::NoFittingClips { has_clips: false });
        }
        let Retargeted { mut clips, map } = animation::retarget(from, loaded.rig(), options)?;
        for (clip, name) in clips.iter_mut().zip(names) {
            if !name.is_empty() {
                clip.name.clone_from(name);
            }
        }
        loaded.library.add_clips(clips);
        Ok(map)
    }

    /// Returns the model, without clips that were added.
    pub fn model(&self) -> Option<&Arc<Model>> {
        self.rig().map(|rig| rig.model())
    }

    pub fn rig(&self) -> Option<&Arc<Rig>> {
        self.loaded.as_ref().map(Loaded::rig)
    }

    /// Returns the import report, with the warnings about the file.
    pub fn report(&self) -> Option<&ImportReport> {
        self.loaded.as_ref().map(|loaded| &loaded.report)
    }

    /// Advances every character of every actor, and the camera, by `dt_secs`. Returns whether the picture may change.
    ///
    /// # Errors
    /// When the step isn't finite.
    pub fn advance(&mut self, dt_secs: f64) -> Result<bool, PlayerError> {
        let dt_secs = Value::TimeStep.check(dt_secs)?.clamp(-LONGEST_STEP_SECS, LONGEST_STEP_SECS);
        let moved_itself = self.is_moving_itself();
        let moved = moved_itself || (self.has_company() && self.company_is_moving());
        if moved {
            self.pass_time(dt_secs, moved_itself);
        }
        Ok(self.camera.advance(dt_secs as f32) || moved)
    }

    /// Returns whether advancing time would change the pose of an actor.
    pub fn is_moving(&self) -> bool {
        self.is_moving_itself() || (self.has_company() && self.company_is_moving())
    }

    /// Returns whether advancing time would change a pose of this player's model.
    #[inline(always)]
    fn is_moving_itself(&self) -> bool {
        let Some(loaded) = &self.loaded else { return false };
        self.characters.iter().any(Character::is_moving)
            || (loaded.has_extras
                && (loaded.overrides.constraints.are_fading() || loaded.springs.is_fading()))
    }

    /// Returns whether [`drain_events`](Self::drain_events) of an actor would return an event.
    #[inline]
    pub fn has_events(&self) -> bool {
        !self.events.is_empty() || (self.has_company() && self.company_has_events())
    }

    /// Removes and returns the events since the last call, in order. Each actor has its own.
    pub fn drain_events(&mut self) -> impl Iterator<Item = Event> + '_ {
        self.events.drain(..)
    }

    /// Computes the poses of all characters of all actors, if any may have changed.
    pub fn pose(&mut self) {
        if let Some(loaded) = &mut self.loaded {
            let place = self.company.is_actor().then_some(&self.world_from_actor);
            loaded.pose(&mut self.characters, place);
            self.animate_materials();
        }
        if self.has_company() {
            self.pose_company();
        }
    }

    /// Calls `apply` for every character that commands apply to, if there is a model. Keeps the events of the first
    /// character only, since those of a crowd would repeat them.
    fn command(&mut self, apply: &mut dyn FnMut(&mut Character, &AnimationLibrary, &mut Vec<Event>)) {
        let addressed = self.addressed();
        let Some(loaded) = &mut self.loaded else { return };
        loaded.stale = true;
        for index in addressed {
            let heard = self.events.len();
            apply(&mut self.characters[index], &loaded.library, &mut self.events);
            if index > 0 {
                self.events.truncate(heard);
            }
        }
    }
}

impl Loaded {
    fn new(rig: Arc<Rig>, report: ImportReport) -> Self {
        let workspace = Workspace {
            local: LocalPose::rest(&rig),
            scratch: PoseScratch::new(&rig),
            model: ModelPose::new(&rig),
            is_hidden: Vec::new(),
        };
        let mut loaded = Self {
            workspace,
            overrides: Overrides::default(),
            springs: SpringPlay::new(&rig),
            has_extras: !rig.model().springs.is_empty(),
            skinnings: Vec::new(),
            ragdoll: None,
            hidden_nodes: Vec::new(),
            hidden_drawables: Vec::new(),
            animates_visibility: rig.model().animates_visibility(),
            property_numbers: Default::default(),
            tints: Vec::new(),
            absent: Vec::new(),
            rows: Vec::new(),
            stale: true,
            framed: vec![None],
            first_pose: None,
            worn: None,
            held: None,
            #[cfg(feature = "render")]
            coarse: None,
            library: AnimationLibrary::new(rig),
            report,
        };
        loaded.hide_as_in_file();
        loaded
    }

    fn rig(&self) -> &Arc<Rig> {
        self.library.rig()
    }

    /// Returns whether all poses are those of clips and their blends, near the bounds of the clips.
    #[cfg(feature = "render")]
    fn plays_clips_alone(&self, characters: &[Character]) -> bool {
        let is_free = !self.has_extras && self.worn.is_none() && self.overrides.is_empty();
        is_free && !characters.iter().any(|character| character.controller.is_additive())
    }

    /// Computes the rows of all characters. `place` is `world_from_actor` for an actor of another player.
    fn pose(&mut self, characters: &mut [Character], place: Option<&Affine3A>) {
        if !std::mem::take(&mut self.stale) {
            return;
        }
        let rows_per_character = self.rig().palette_layout().rows_per_character;
        self.rows.resize(characters.len() * rows_per_character, Vec4::ZERO);
        if self.animates_visibility {
            self.hidden_drawables.clear();
        }
        // A product for each character takes time.
        let place = place.filter(|place| **place != Affine3A::IDENTITY);
        for (index, character) in characters.iter_mut().enumerate() {
            let placed = place.map(|place| character.world_from_model(place));
            if self.has_extras {
                let world_from_model = placed.unwrap_or(character.actor_from_model);
                self.pose_one(character, &world_from_model);
            } else {
                let Character { controller, actor_from_model, turns, .. } = character;
                self.pose_clips(controller, turns, placed.as_ref().unwrap_or(actor_from_model));
            }
            let Workspace { local, model, .. } = &self.workspace;
            let rig = self.library.rig();
            let rows = &mut self.rows[index * rows_per_character..][..rows_per_character];
            let world_from_model = placed.as_ref().unwrap_or(&character.actor_from_model);
            rig.palette_into(local, model, world_from_model, rows);
            if index == 0 && !rig.model().properties.is_empty() {
                let [numbers, _] = &mut self.property_numbers;
                numbers.clear();
                numbers.extend_from_slice(local.properties(rig));
            }
            if index == 0
                && let Some(first_pose) = &mut self.first_pose
            {
                first_pose.copy_from(local, model);
            }
            if self.animates_visibility {
                self.hide_in_pose();
            }
        }
        self.rows.extend_from_slice(&self.tints);
    }

    /// Computes one character's pose in the workspace.
    fn pose_one(&mut self, character: &mut Character, world_from_model: &Affine3A) {
        if let Some(held) = &self.held {
            let Workspace { local, model, .. } = &mut self.workspace;
            return held.copy_to(local, model);
        }
        self.pose_played(character, world_from_model);
        let Self { workspace, library, springs, ragdoll, .. } = self;
        let (rig, Workspace { local, model, .. }) = (library.rig(), workspace);
        ragdoll::fall(ragdoll.as_deref(), rig, character, world_from_model, local, model);
        springs.swing(rig, character, world_from_model, local, model);
    }

    /// Computes what plays, with overrides, in the workspace.
    fn pose_played(&mut self, character: &mut Character, world_from_model: &Affine3A) {
        self.pose_clips(&mut character.controller, &mut character.turns, world_from_model);
    }

    /// Inlined, since a call takes time for each character.
    #[inline(always)]
    fn pose_clips(&mut self, controller: &mut Controller, turns: &mut Turns, world_from_model: &Affine3A) {
        let Workspace { local, scratch, model, .. } = &mut self.workspace;
        let rig = self.library.rig();
        controller.pose_into(&self.library, local, scratch);
        if let Some(worn) = &self.worn {
            worn.apply(rig, local);
        }
        self.overrides.apply(rig, local);
        rig.resolve_into(local, model);
        self.overrides.aim(rig, world_from_model, turns, local, model);
    }
}
