//! Rig: the runtime form of a model.
use super::compile::CompiledClip;
use super::hierarchy::Hierarchy;
use super::hull::{Part, outer_parts};
use super::palette::Palette;
use super::scalars::ScalarRows;
use super::skeleton::{Line, lines_of};
use super::{ClipCursor, LocalPose, ModelPose, PaletteLayout, Sweep};
use crate::model::{ClipIndex, Model};
use glam::{Affine3A, Vec4};
use std::sync::{Arc, OnceLock};

/// Interpolation of rotations in linear tracks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rotations {
    /// SLERP: along the arc at constant speed, as the glTF specification requires.
    #[default]
    Arc,
    /// NLERP: along the chord. Cheaper, but the speed varies where keys are sparse.
    Chord,
}

/// A model compiled for playing: immutable, shared by all its characters.
#[derive(Debug)]
pub struct Rig {
    model: Arc<Model>,
    rotations: Rotations,
    scalar_rows: ScalarRows,
    rest: LocalPose,
    hierarchy: Hierarchy,
    palette: Palette,
    skeleton: Vec<Line>,
    /// Clips, compiled when first sampled: a file may contain a hundred clips of which a page plays two.
    clips: Vec<OnceLock<CompiledClip>>,
    hull: OnceLock<Vec<Part>>,
    /// Sweeps of all clips, followed by that of the rest pose, computed on first use.
    sweeps: Vec<OnceLock<Option<Sweep>>>,
}

impl Rig {
    /// Compiles a model with SLERP for rotations.
    ///
    /// # Panics
    /// If the model breaks an invariant that [`check`](crate::model::check) asserts.
    pub fn new(model: Arc<Model>) -> Self {
        Self::with_rotations(model, Rotations::Arc)
    }

    /// Compiles a model with the given interpolation of rotations.
    ///
    /// # Panics
    /// If the model breaks an invariant that [`check`](crate::model::check) asserts.
    pub fn with_rotations(model: Arc<Model>, rotations: Rotations) -> Self {
        let scalar_rows = ScalarRows::new(&model);
        Self {
            rest: LocalPose::rest_of(&model, &scalar_rows),
            hierarchy: Hierarchy::new(&model, &scalar_rows),
            palette: Palette::new(&model, &scalar_rows),
            skeleton: lines_of(&model),
            clips: model.clips.iter().map(|_| OnceLock::new()).collect(),
            hull: OnceLock::new(),
            sweeps: (0..=model.clips.len()).map(|_| OnceLock::new()).collect(),
            scalar_rows,
            rotations,
            model,
        }
    }

    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Writes the whole pose of a clip at a time in seconds. Everything without keys has the rest pose.
    ///
    /// - Times below 0 and NaN give the first pose, times past the end the last one.
    /// - A time always gives the same bits, regardless of the cursor.
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

    /// Writes the whole pose of a clip at a time in seconds.
    ///
    /// Everything without keys is copied from `under`, bit for bit.
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

    /// Writes the whole pose of `under` plus the difference of a clip at a time in seconds from `reference`.
    ///
    /// - Everything without keys in the clip is copied from `under`, bit for bit.
    /// - Differences of translations and morph weights are added, and those of scales multiplied. The difference of a
    ///   rotation is applied first, in the node's own frame, followed by the rotation of `under`.
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

    /// Converts a local pose to model space.
    pub fn resolve_into(&self, local: &LocalPose, model: &mut ModelPose) {
        self.hierarchy.resolve_into(local, model);
    }

    pub fn palette_layout(&self) -> &PaletteLayout {
        self.palette.layout()
    }

    /// Writes the rows of one character for the vertex shader.
    ///
    /// # Panics
    /// If the number of `rows` isn't [`PaletteLayout::rows_per_character`].
    pub fn palette_into(
        &self,
        local: &LocalPose,
        model: &ModelPose,
        world_from_model: &Affine3A,
        rows: &mut [Vec4],
    ) {
        self.palette.write(local, model, world_from_model, rows);
    }

    /// Returns the size of a clip's compiled form in bytes. Compiles the clip if necessary.
    pub fn clip_bytes(&self, clip: ClipIndex) -> usize {
        self.compiled(clip).bytes()
    }

    /// Returns the vertices that may be outermost in some pose.
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

    pub(super) fn scalar_rows(&self) -> &ScalarRows {
        &self.scalar_rows
    }

    pub(super) fn skeleton(&self) -> &[Line] {
        &self.skeleton
    }

    fn compiled(&self, clip: ClipIndex) -> &CompiledClip {
        self.clips[clip.get()].get_or_init(|| {
            CompiledClip::new(self.model.clip(clip), &self.rest, &self.scalar_rows, self.rotations)
        })
    }
}
