//! Rig: the runtime form of a model.
use super::compile::CompiledClip;
use super::hierarchy::Hierarchy;
use super::hull::{Part, outer_parts};
use super::palette::{Palette, PathSource};
use super::scalars::ScalarRows;
use super::skeleton::{Line, lines_of};
use super::{ClipCursor, LocalPose, ModelPose, PaletteLayout, Sweep};
use crate::model::{Clip, ClipIndex, Model};
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

/// A model compiled for playing, and clips that were added to it: immutable, shared by all its characters.
#[derive(Debug)]
pub struct Rig {
    base: Arc<Base>,
    /// Clips that follow those of the model.
    added: Vec<Arc<AddedClip>>,
}

/// What rigs of one model share.
#[derive(Debug)]
struct Base {
    model: Arc<Model>,
    rotations: Rotations,
    scalar_rows: ScalarRows,
    rest: LocalPose,
    hierarchy: Hierarchy,
    palette: Palette,
    skeleton: Vec<Line>,
    /// Data about each clip of the model.
    clips: Vec<ClipData>,
    hull: OnceLock<Vec<Part>>,
    rest_sweep: OnceLock<Option<Sweep>>,
}

#[derive(Debug)]
struct AddedClip {
    clip: Clip,
    data: ClipData,
}

/// Data computed from a clip on first use: a file may contain a hundred clips of which a page plays two.
#[derive(Debug, Default)]
pub(super) struct ClipData {
    compiled: OnceLock<CompiledClip>,
    pub(super) sweep: OnceLock<Option<Sweep>>,
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
        let base = Base {
            rest: LocalPose::rest_of(&model, &scalar_rows),
            hierarchy: Hierarchy::new(&model, &scalar_rows),
            palette: Palette::new(&model, &scalar_rows),
            skeleton: lines_of(&model),
            clips: model.clips.iter().map(|_| ClipData::default()).collect(),
            hull: OnceLock::new(),
            rest_sweep: OnceLock::new(),
            scalar_rows,
            rotations,
            model,
        };
        Self { base: Arc::new(base), added: Vec::new() }
    }

    /// Returns a rig with more clips, which shares everything else with this one. Their indices follow those of the
    /// clips that this one has.
    ///
    /// The tracks of `clips` must be sound for the model, as those of [`bind_clips`](crate::import::bind_clips) are.
    #[must_use]
    pub fn with_clips(&self, clips: Vec<Clip>) -> Self {
        let mut added = self.added.clone();
        added.extend(clips.into_iter().map(|clip| Arc::new(AddedClip { clip, data: ClipData::default() })));
        Self { base: self.base.clone(), added }
    }

    /// Returns the model, without clips that were added.
    pub fn model(&self) -> &Arc<Model> {
        &self.base.model
    }

    /// Returns the clips of the model, followed by those that were added.
    pub fn clips(&self) -> impl Iterator<Item = &Clip> {
        self.base.model.clips.iter().chain(self.added.iter().map(|added| &added.clip))
    }

    pub fn clip_count(&self) -> usize {
        self.base.clips.len() + self.added.len()
    }

    /// Returns the first clip with this name.
    pub fn find_clip(&self, name: &str) -> Option<ClipIndex> {
        self.clips().position(|clip| clip.name == name).map(ClipIndex::new)
    }

    /// # Panics
    /// If there is no such clip.
    pub fn clip(&self, clip: ClipIndex) -> &Clip {
        let own = &self.base.model.clips;
        match own.get(clip.get()) {
            Some(clip) => clip,
            None => &self.added[clip.get() - own.len()].clip,
        }
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
        self.base.hierarchy.resolve_into(local, model);
    }

    pub fn palette_layout(&self) -> &PaletteLayout {
        self.base.palette.layout()
    }

    /// Returns what moves each slot of the palette.
    pub(super) fn path_sources(&self) -> Vec<PathSource> {
        self.base.palette.sources()
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
        self.base.palette.write(local, model, world_from_model, rows);
    }

    /// Returns the size of a clip's compiled form in bytes. Compiles the clip if necessary.
    pub fn clip_bytes(&self, clip: ClipIndex) -> usize {
        self.compiled(clip).bytes()
    }

    /// Returns the vertices that may be outermost in some pose.
    pub(super) fn hull(&self) -> &[Part] {
        self.base.hull.get_or_init(|| outer_parts(self))
    }

    pub(super) fn rest_sweep(&self) -> &OnceLock<Option<Sweep>> {
        &self.base.rest_sweep
    }

    pub(super) fn clip_data(&self, clip: ClipIndex) -> &ClipData {
        let own = &self.base.clips;
        match own.get(clip.get()) {
            Some(data) => data,
            None => &self.added[clip.get() - own.len()].data,
        }
    }

    pub(super) fn rotations(&self) -> Rotations {
        self.base.rotations
    }

    pub(super) fn rest(&self) -> &LocalPose {
        &self.base.rest
    }

    pub(super) fn scalar_rows(&self) -> &ScalarRows {
        &self.base.scalar_rows
    }

    pub(super) fn skeleton(&self) -> &[Line] {
        &self.base.skeleton
    }

    fn compiled(&self, clip: ClipIndex) -> &CompiledClip {
        self.clip_data(clip).compiled.get_or_init(|| {
            let Base { rest, scalar_rows, rotations, .. } = &*self.base;
            CompiledClip::new(self.clip(clip), rest, scalar_rows, *rotations)
        })
    }
}
