//! The runtime form of a model.
use super::compile::CompiledClip;
use super::hierarchy::Hierarchy;
use super::hull::{Part, outer_parts};
use super::morphs::MorphRows;
use super::palette::Palette;
use super::skeleton::{Line, lines_of};
use super::{ClipCursor, LocalPose, ModelPose, PaletteLayout, Sweep};
use crate::model::{ClipIndex, Model};
use glam::{Affine3A, Vec4};
use std::sync::{Arc, OnceLock};

/// How rotations go from key to key where a track is linear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rotations {
    /// Along the arc at even speed (SLERP): what the glTF specification asks for.
    #[default]
    Arc,
    /// Along the chord (NLERP): cheaper, and uneven where keys are sparse.
    Chord,
}

/// A model compiled for playing: immutable, shared by all its characters.
#[derive(Debug)]
pub struct Rig {
    model: Arc<Model>,
    rotations: Rotations,
    morphs: MorphRows,
    rest: LocalPose,
    hierarchy: Hierarchy,
    palette: Palette,
    skeleton: Vec<Line>,
    /// Compiled when first sampled: a file may hold a hundred clips of which a page plays two.
    clips: Vec<OnceLock<CompiledClip>>,
    hull: OnceLock<Vec<Part>>,
    /// One per clip, and at last that of the rest pose: computed when first asked for.
    sweeps: Vec<OnceLock<Option<Sweep>>>,
}

impl Rig {
    /// # Panics
    /// If the model breaks an invariant that [`check`](crate::model::check) asserts.
    pub fn new(model: Arc<Model>) -> Self {
        Self::with_rotations(model, Rotations::Arc)
    }

    /// # Panics
    /// As [`new`](Self::new).
    pub fn with_rotations(model: Arc<Model>, rotations: Rotations) -> Self {
        let morphs = MorphRows::new(&model);
        Self {
            rest: LocalPose::rest_of(&model, &morphs),
            hierarchy: Hierarchy::new(&model, &morphs),
            palette: Palette::new(&model, &morphs),
            skeleton: lines_of(&model),
            clips: model.clips.iter().map(|_| OnceLock::new()).collect(),
            hull: OnceLock::new(),
            sweeps: (0..=model.clips.len()).map(|_| OnceLock::new()).collect(),
            morphs,
            rotations,
            model,
        }
    }

    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Writes the whole pose of the clip at a time: rest where nothing is keyed.
    ///
    /// - Before 0 (and for NaN) the first pose, past the end the last.
    /// - The same time gives the same bits, whatever the cursor has seen.
    /// - A clip's first sampling compiles it; later ones don't allocate.
    pub fn sample_into(
        &self,
        clip: ClipIndex,
        time_secs: f32,
        cursor: &mut ClipCursor,
        pose: &mut LocalPose,
    ) {
        self.compiled(clip).sample_into(time_secs, cursor, pose);
    }

    /// Writes the whole pose of the clip at a time: what the clip doesn't key is `under`'s, bit for bit.
    pub fn sample_over(
        &self,
        clip: ClipIndex,
        time_secs: f32,
        cursor: &mut ClipCursor,
        under: &LocalPose,
        pose: &mut LocalPose,
    ) {
        let clip = self.compiled(clip);
        clip.sample_into(time_secs, cursor, pose);
        clip.keyed().keep(under, pose);
    }

    /// Writes the whole pose that is `under` plus what the clip at a time has beyond `reference`.
    ///
    /// - Only for what the clip keys; the rest is `under`'s, bit for bit.
    /// - Translations and morph weights are added, scales multiplied. A node turns first as in the clip, within its
    ///   own frame, and then as in `under`.
    pub fn add_over(
        &self,
        clip: ClipIndex,
        time_secs: f32,
        cursor: &mut ClipCursor,
        reference: &LocalPose,
        under: &LocalPose,
        pose: &mut LocalPose,
    ) {
        let clip = self.compiled(clip);
        clip.sample_into(time_secs, cursor, pose);
        clip.keyed().add(reference, under, pose);
    }

    /// From poses relative to the parent to poses in model space.
    pub fn resolve_into(&self, local: &LocalPose, model: &mut ModelPose) {
        self.hierarchy.resolve_into(local, model);
    }

    pub fn palette_layout(&self) -> &PaletteLayout {
        self.palette.layout()
    }

    /// Writes what the vertex shader reads of one character.
    ///
    /// # Panics
    /// Unless `rows` are exactly [`PaletteLayout::rows_per_character`].
    pub fn palette_into(
        &self,
        local: &LocalPose,
        model: &ModelPose,
        world_from_model: &Affine3A,
        rows: &mut [Vec4],
    ) {
        self.palette.write(local, model, world_from_model, rows);
    }

    /// How much memory a clip takes up in the form that is sampled. Compiles it, if it wasn't yet.
    pub fn clip_bytes(&self, clip: ClipIndex) -> usize {
        self.compiled(clip).bytes()
    }

    /// The vertices that may be outermost in some pose.
    pub(super) fn hull(&self) -> &[Part] {
        self.hull.get_or_init(|| outer_parts(self))
    }

    pub(super) fn sweeps(&self) -> &[OnceLock<Option<Sweep>>] {
        &self.sweeps
    }

    pub(super) fn rotations(&self) -> Rotations {
        self.rotations
    }

    pub(super) fn rest(&self) -> &LocalPose {
        &self.rest
    }

    pub(super) fn morphs(&self) -> &MorphRows {
        &self.morphs
    }

    pub(super) fn skeleton(&self) -> &[Line] {
        &self.skeleton
    }

    fn compiled(&self, clip: ClipIndex) -> &CompiledClip {
        self.clips[clip.get()].get_or_init(|| {
            CompiledClip::new(self.model.clip(clip), &self.rest, &self.morphs, self.rotations)
        })
    }
}
