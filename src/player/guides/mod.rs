//! Guides for people who make characters: what is drawn below and over the models to measure and to check them.
//!
//! Few pages show them, so pages fetch this code with the first call. The player therefore calls it through a trait,
//! and only [`Player::set_guides`], which an export calls, refers to what implements it. They show the first
//! character of the player's own model, without other actors. `src/render/guides` draws them.

mod bind_pose;
mod bounds;
mod grid;
mod joints;
#[cfg(test)]
mod made;
mod measures;
mod onion_skins;
mod trails;

pub use measures::GUIDE_LETTERS;
use measures::LETTER_COUNT;
pub use onion_skins::OnionSkins;
use trails::Trails;

use super::Player;
use crate::camera::View;
use crate::model::{Aabb, Model, NodeIndex};
use crate::render::{GuideContent, Guides, Label, LetterCell, Letters};
use glam::{Vec3, Vec4};
use std::fmt;
use std::rc::Rc;
use std::sync::{Arc, Weak};

/// A set of guides, as bits. The names are those of `www/element/player/guides.ts`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GuideSet(pub u32);

impl GuideSet {
    /// Lines on the ground, with units.
    pub const GRID: Self = Self(1);
    /// The box around the posed model, with its size.
    pub const BOUNDS: Self = Self(1 << 1);
    /// An octahedron from each joint to each joint below it.
    pub const OCTAHEDRA: Self = Self(1 << 2);
    /// The axes of each joint.
    pub const AXES: Self = Self(1 << 3);
    /// The names of joints.
    pub const NAMES: Self = Self(1 << 4);
    /// The pose in which the meshes were skinned, in place of what plays.
    pub const BIND_POSE: Self = Self(1 << 5);
    /// The paths of joints over the clip that plays.
    pub const TRAILS: Self = Self(1 << 6);
    /// Poses before and after the present one.
    pub const ONION_SKINS: Self = Self(1 << 7);

    /// Guides of joints.
    const OF_JOINTS: Self = Self(Self::OCTAHEDRA.0 | Self::AXES.0 | Self::NAMES.0 | Self::TRAILS.0);

    /// Returns whether any of some guides is in the set.
    fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }
}

/// What guides show.
#[derive(Clone, Debug, Default)]
pub struct GuideSettings {
    pub shown: GuideSet,
    /// Cells for each of [`GUIDE_LETTERS`], then one for each of `named`.
    pub letters: Letters,
    /// Nodes whose names are shown.
    pub named: Vec<Option<NodeIndex>>,
    /// Nodes whose paths are shown. Empty for the hands, feet and head, or the leaf joints that move farthest.
    pub trailed: Vec<NodeIndex>,
    pub onion_skins: OnionSkins,
}

/// Collects what guides show. It doesn't extend `Debug`, whose code the table of its functions would keep.
pub(super) trait Trace {
    /// Returns what is drawn of a player in a picture.
    fn trace(&mut self, player: &mut Player, view: &View) -> &Guides;

    /// Returns what the next guides can use again.
    fn kept(&self) -> Guides;
}

impl fmt::Debug for dyn Trace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Trace")
    }
}

impl Player {
    /// Shows guides in place of those before. An empty set shows none.
    ///
    /// Nodes and the bind pose are those of the model that is shown now. Another model has none.
    pub fn set_guides(&mut self, settings: GuideSettings) {
        let before = self.screen.guides.take();
        let GuideSettings { shown, letters, named, trailed, onion_skins } = settings;
        self.hold_bind_pose(shown.has(GuideSet::BIND_POSE));
        if shown == GuideSet::default() {
            return;
        }
        let content = GuideContent { letters: Rc::new(letters), ..GuideContent::default() };
        let mut guides = before.map_or_else(Guides::default, |before| before.kept());
        guides.content = Rc::new(content);
        let model = self.model().map_or(Weak::new(), Arc::downgrade);
        let trails = Trails::new(trailed);
        let trace = GuideTrace { shown, named, trails, onion_skins, model, guides };
        self.screen.guides = Some(Box::new(trace));
    }
}

struct GuideTrace {
    shown: GuideSet,
    named: Vec<Option<NodeIndex>>,
    trails: Trails,
    onion_skins: OnionSkins,
    /// Model that the nodes belong to.
    model: Weak<Model>,
    guides: Guides,
}

impl Trace for GuideTrace {
    fn trace(&mut self, player: &mut Player, view: &View) -> &Guides {
        let content = Rc::make_mut(&mut self.guides.content);
        content.clear();
        let outermost = player.outermost_in_world();
        if self.shown.has(GuideSet::GRID)
            && let (Some(height), Some(framed)) = (player.floor(), Aabb::around(outermost.iter().copied()))
        {
            grid::place(content, height, &framed);
        }
        content.ghosts.around = outermost;
        let Player { loaded: Some(loaded), characters, world_from_actor, .. } = player else {
            return &self.guides;
        };
        if loaded.absent.first() == Some(&true) {
            return &self.guides;
        }
        let character = &mut characters[0];
        let world_from_model = character.world_from_model(world_from_actor);
        loaded.pose_one(character, &world_from_model);
        if self.shown.has(GuideSet::BOUNDS)
            && let Some(posed) = bounds::of(loaded)
        {
            bounds::trace(content, &posed, &world_from_model, view);
        }
        let (library, controller) = (&loaded.library, &characters[0].controller);
        if self.shown.has(GuideSet::OF_JOINTS) {
            let rig = loaded.rig();
            let joints = joints::Joints::new(rig, &loaded.workspace.model, world_from_model);
            joints.trace(content, self.shown);
            let is_same = Weak::as_ptr(&self.model) == Arc::as_ptr(rig.model());
            if self.shown.has(GuideSet::NAMES) && is_same {
                joints.name(content, &self.named);
            }
            if self.shown.has(GuideSet::TRAILS) && (is_same || self.trails.are_found()) {
                self.trails.trace(content, library, controller, &joints);
            }
        }
        if self.shown.has(GuideSet::ONION_SKINS) {
            onion_skins::write(&mut content.ghosts, self.onion_skins, library, controller, &world_from_model);
        }
        &self.guides
    }

    fn kept(&self) -> Guides {
        self.guides.clone()
    }
}

/// Colours of the axes x, y and z.
const AXIS_COLORS: [Vec4; 3] =
    [Vec4::new(0.9, 0.24, 0.3, 1.0), Vec4::new(0.42, 0.75, 0.2, 1.0), Vec4::new(0.24, 0.48, 0.95, 1.0)];

/// Adds a text of [`GUIDE_LETTERS`] at a place.
fn write(content: &mut GuideContent, text: &str, label: Label) {
    let first = content.cells.len();
    let known = GUIDE_LETTERS.chars().zip(&content.letters.cells);
    for letter in text.chars() {
        let cell = known.clone().find(|(known, _)| *known == letter).map(|(_, cell)| *cell);
        content.cells.extend(cell);
    }
    content.labels.push(Label { cells: first..content.cells.len(), ..label });
}

/// Returns a label without text in the middle of a place, that is always wanted.
fn label_at(id: u32, position: Vec3) -> Label {
    Label { id, position, offset: 0.0, size: f32::INFINITY, cells: 0..0, color: Vec4::ONE, is_covered: false }
}

/// Numbers of labels: those of nodes follow.
const FIRST_OF_GRID: u32 = 0;
const FIRST_OF_BOUNDS: u32 = 1000;
const FIRST_OF_NODES: u32 = 2000;

/// Returns a cell for a name; `None` if the letters lack it.
fn cell_of_name(content: &GuideContent, nth: usize) -> Option<LetterCell> {
    content.letters.cells.get(LETTER_COUNT + nth).copied()
}
