//! The one mutable object: a model, the characters that play it, a camera, and where they are drawn.
//!
//! Works headless: without a screen everything but drawing is the same. Time comes in through
//! [`Player::advance`], events are drained by whoever called it. It never names a browser.

mod character;
mod crowd;
mod error;
mod framing;
mod hand;
mod layers;
mod material;
mod member;
mod read;
#[cfg(feature = "render")]
mod screen;
mod script;
mod transport;
mod value;
mod viewpoint;
mod visible;

pub use crowd::{Crowd, MOST_CHARACTERS};
pub use error::PlayerError;
pub use hand::{ByHand, RelativeTo};
pub use material::MaterialChange;
#[cfg(feature = "render")]
pub use screen::Look;
pub use transport::Clock;
pub use value::{Range, Value};

use character::Character;
use hand::Hands;
use material::Touched;
#[cfg(feature = "render")]
use screen::Screen;

use crate::animation::{LocalPose, ModelPose, Rig};
use crate::camera::OrbitCamera;
use crate::import::{self, ImportReport, Resources};
use crate::model::{ClipIndex, Model, NodeIndex};
use crate::playback::{Event, PoseScratch, Repertoire};
use glam::Vec4;
use std::sync::Arc;

/// What passes at once at most: thirty thousand years, and never so much that a speed makes it infinite.
const LONGEST_STEP_SECS: f64 = 1e12;

/// A model and everyone who plays it.
#[derive(Debug)]
pub struct Player {
    pub camera: OrbitCamera,
    loaded: Option<Loaded>,
    /// The first leads: its state and its events are the player's. Never empty, also without a model.
    characters: Vec<Character>,
    /// The one that commands are for just now, instead of all.
    alone: Option<usize>,
    /// By the model's materials; those that are missing at the end are as in the file.
    touched: Vec<Touched>,
    events: Vec<Event>,
    clock: Clock,
    #[cfg(feature = "render")]
    screen: Screen,
}

/// What exists only while there is a model.
#[derive(Debug)]
struct Loaded {
    repertoire: Repertoire,
    report: ImportReport,
    workspace: Workspace,
    /// What the page has set by hand, on every character.
    hands: Hands,
    hidden_nodes: Vec<NodeIndex>,
    /// One per drawable of the rig: it hangs on a hidden node. Empty when nothing was ever hidden.
    hidden_drawables: Vec<bool>,
    /// One per character, linear; empty when nobody has one.
    tints: Vec<Vec4>,
    /// One per character that isn't drawn; empty when all are.
    absent: Vec<bool>,
    /// What is drawn: each character's rows, one after another, and then the tints.
    rows: Vec<Vec4>,
    /// `rows` is older than the controllers.
    stale: bool,
    /// What the camera was last framed for; `None` is the rest pose.
    framed: Vec<Option<ClipIndex>>,
}

/// Poses between sampling and palette. One set serves every character in turn.
#[derive(Debug)]
struct Workspace {
    local: LocalPose,
    scratch: PoseScratch,
    model: ModelPose,
}

impl Default for Player {
    fn default() -> Self {
        Self {
            camera: OrbitCamera::default(),
            loaded: None,
            characters: vec![Character::default()],
            alone: None,
            touched: Vec::new(),
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

    /// Reads a file and shows its rest pose. When it can't be read, what was there goes on as before.
    ///
    /// # Errors
    /// Whatever is wrong with the file.
    pub fn load(&mut self, bytes: &[u8], resources: &Resources) -> Result<(), PlayerError> {
        let imported = import::import(bytes, resources)?;
        self.show(Arc::new(Rig::new(Arc::new(imported.model))), imported.report);
        Ok(())
    }

    /// Shows a model that may be shared with other players. Speed is kept, like the volume of a video; a crowd goes
    /// home.
    pub fn show(&mut self, rig: Arc<Rig>, report: ImportReport) {
        self.unload();
        self.loaded = Some(Loaded::new(rig, report));
        self.frame(1.0);
    }

    /// Forgets the model.
    pub fn unload(&mut self) {
        self.stop();
        self.characters.truncate(1);
        self.characters[0].stand_at_origin();
        self.characters[0].controller.forget();
        self.touched.clear();
        self.loaded = None;
        #[cfg(feature = "render")]
        self.screen.forget_model();
    }

    pub fn model(&self) -> Option<&Arc<Model>> {
        self.rig().map(|rig| rig.model())
    }

    pub fn rig(&self) -> Option<&Arc<Rig>> {
        self.loaded.as_ref().map(Loaded::rig)
    }

    /// What importing found odd about the file.
    pub fn report(&self) -> Option<&ImportReport> {
        self.loaded.as_ref().map(|loaded| &loaded.report)
    }

    /// Passes time for every character and the camera. Returns whether the picture changes.
    ///
    /// # Errors
    /// When the step isn't a finite number.
    pub fn advance(&mut self, dt_secs: f64) -> Result<bool, PlayerError> {
        let dt_secs = Value::TimeStep.check(dt_secs)?.clamp(-LONGEST_STEP_SECS, LONGEST_STEP_SECS);
        let moved = self.is_moving();
        if moved {
            self.pass_time(dt_secs);
        }
        Ok(self.camera.advance(dt_secs as f32) || moved)
    }

    /// Whether passing time would change a pose.
    pub fn is_moving(&self) -> bool {
        self.loaded.is_some() && self.characters.iter().any(Character::is_moving)
    }

    /// Whether [`drain_events`](Self::drain_events) has anything to tell.
    pub fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    /// What happened since the last call, in order.
    pub fn drain_events(&mut self) -> impl Iterator<Item = Event> + '_ {
        self.events.drain(..)
    }

    /// Poses every character, if time or a command has moved one.
    pub fn pose(&mut self) {
        if let Some(loaded) = &mut self.loaded {
            loaded.pose(&mut self.characters);
        }
    }

    /// Has every character that is meant do a thing, when there is a model. Only the lead is heard: a crowd would say all
    /// of it a thousand times.
    fn command(&mut self, obey: &mut dyn FnMut(&mut Character, &Repertoire, &mut Vec<Event>)) {
        let addressed = self.addressed();
        let Some(loaded) = &mut self.loaded else { return };
        loaded.stale = true;
        for index in addressed {
            let heard = self.events.len();
            obey(&mut self.characters[index], &loaded.repertoire, &mut self.events);
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
        };
        Self {
            workspace,
            hands: Hands::default(),
            hidden_nodes: Vec::new(),
            hidden_drawables: Vec::new(),
            tints: Vec::new(),
            absent: Vec::new(),
            rows: Vec::new(),
            stale: true,
            framed: vec![None],
            repertoire: Repertoire::new(rig),
            report,
        }
    }

    fn rig(&self) -> &Arc<Rig> {
        self.repertoire.rig()
    }

    fn pose(&mut self, characters: &mut [Character]) {
        if !std::mem::take(&mut self.stale) {
            return;
        }
        let rig = self.repertoire.rig();
        let rows_per_character = rig.palette_layout().rows_per_character;
        self.rows.resize(characters.len() * rows_per_character, Vec4::ZERO);
        for (character, rows) in characters.iter_mut().zip(self.rows.chunks_exact_mut(rows_per_character)) {
            self.workspace.pose(&self.repertoire, &self.hands, character);
            let Workspace { local, model, .. } = &self.workspace;
            rig.palette_into(local, model, &character.world_from_model, rows);
        }
        self.rows.extend_from_slice(&self.tints);
    }

    /// Leaves one character's pose in the workspace.
    fn pose_one(&mut self, character: &mut Character) {
        self.workspace.pose(&self.repertoire, &self.hands, character);
    }
}

impl Workspace {
    /// Leaves the character's pose in `local` and `model`.
    fn pose(&mut self, repertoire: &Repertoire, hands: &Hands, character: &mut Character) {
        character.controller.pose_into(repertoire, &mut self.local, &mut self.scratch);
        hands.lay_on(repertoire.rig(), &mut self.local);
        repertoire.rig().resolve_into(&self.local, &mut self.model);
        let Character { world_from_model, turns, .. } = character;
        hands.aim(repertoire.rig(), world_from_model, turns, &mut self.local, &mut self.model);
    }
}
