//! Converts animation sets to clips.
use super::document::{Document, Kind, Object};
use super::fields::{Fields, integer, single};
use super::frames::Frames;
use super::handedness::{column_matrix, mirrored, rotation};
use crate::import::imported_model::ImportedClip;
use crate::import::key_order::KeyOrder;
use crate::import::matrices::unit_rotation;
use crate::import::matrix_tracks::MatrixTrack;
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportOptions, ImportProblem, ImportReport};
use crate::model::{Interpolation, NodeIndex, Track, TrackValues};
use glam::{Affine3A, Quat, Vec3};
use std::sync::Arc;

// D3DX's default, for files that don't define a rate.
const DEFAULT_TICKS_PER_SECOND: f64 = 4800.0;

pub(super) fn clips(
    document: &Document<'_>,
    frames: &Frames,
    options: &ImportOptions,
    report: &mut ImportReport,
) -> Result<Vec<ImportedClip>, ImportError> {
    let sets = document.objects().filter(|object| object.kind() == Kind::AnimationSet);
    let mut sets: Vec<(String, Vec<Object<'_>>)> =
        sets.map(|set| (set.name(), set.children_of(Kind::Animation).collect())).collect();
    // Some exporters write animations outside of any set.
    let strays: Vec<Object<'_>> =
        document.roots().filter(|object| object.kind() == Kind::Animation).collect();
    if !strays.is_empty() {
        sets.push((String::new(), strays));
    }
    let Some(first) = sets.iter().find_map(|(_, animations)| animations.first()) else {
        return Ok(sets
            .into_iter()
            .map(|(name, _)| ImportedClip { name, ..ImportedClip::default() })
            .collect());
    };
    let ticks_per_second = ticks_per_second(document).unwrap_or_else(|| {
        let assumed = options.ticks_per_second.filter(usable).unwrap_or(DEFAULT_TICKS_PER_SECOND);
        report.warn_at(WarningKind::TicksPerSecondMissing, first.place(), &assumed.to_string());
        assumed
    });
    let mut clips = Vec::with_capacity(sets.len());
    for (name, animations) in sets {
        let clip = ImportedClip { name, ..ImportedClip::default() };
        let mut reader = Reader { frames, ticks_per_second, report, clip };
        for animation in animations {
            reader.animation(animation)?;
        }
        clips.push(reader.clip);
    }
    Ok(clips)
}

/// Returns the file's first `AnimTicksPerSecond` at any depth; `None` if there is none or it is unusable.
fn ticks_per_second(document: &Document<'_>) -> Option<f64> {
    let mut objects = document.objects().filter(|object| object.kind() == Kind::AnimTicksPerSecond);
    objects.next()?.fields().number().ok().filter(usable)
}

fn usable(ticks_per_second: &f64) -> bool {
    ticks_per_second.is_finite() && *ticks_per_second > 0.0
}

struct Reader<'a> {
    frames: &'a Frames,
    ticks_per_second: f64,
    report: &'a mut ImportReport,
    clip: ImportedClip,
}

impl Reader<'_> {
    fn animation(&mut self, animation: Object<'_>) -> Result<(), ImportError> {
        let keys = || animation.children_of(Kind::AnimationKey);
        let frame = animation.children().find_map(|child| child.referred(Kind::Frame));
        let Some(node) = frame.and_then(|frame| self.frames.node(frame)) else {
            if keys().next().is_some() {
                let reference = animation.child(Kind::Reference);
                let name = reference.map(Object::name).unwrap_or_default();
                let place = reference.unwrap_or(animation).place();
                self.report.warn_at(WarningKind::TrackNodeUnknown, place, &name);
            }
            return Ok(());
        };
        // Most properties of a node are keyed together; such tracks share their times.
        let mut shared: Arc<[f32]> = [].into();
        for object in keys() {
            self.keys(object, node, &mut shared)?;
        }
        Ok(())
    }

    /// Reads an `AnimationKey`: `type; count;`, then for each key `time; number of values; values`.
    fn keys(
        &mut self,
        object: Object<'_>,
        node: NodeIndex,
        shared: &mut Arc<[f32]>,
    ) -> Result<(), ImportError> {
        let mut fields = object.fields();
        let key_type = fields.number()?;
        match integer(key_type) {
            Some(0) => {
                let keys = self.read::<4>(&mut fields, shared)?;
                let mut odd = 0;
                let rotations = keys.values.iter().map(|key| {
                    // Exporters write six digits.
                    let (unit, was_unit) = unit_rotation(rotation(*key), 1e-3);
                    odd += usize::from(!was_unit);
                    unit
                });
                let rotations: Vec<Quat> = rotations.collect();
                if odd > 0 {
                    let about = format!("{odd} of {}", rotations.len());
                    self.report.warn_at(WarningKind::KeyRotationsNotUnit, object.place(), &about);
                }
                self.push(node, keys.times_secs, TrackValues::Rotation(rotations));
            }
            Some(1) => {
                let keys = self.read::<3>(&mut fields, shared)?;
                let scales = keys.values.iter().map(|key| Vec3::from_array(*key)).collect();
                self.push(node, keys.times_secs, TrackValues::Scale(scales));
            }
            Some(2) => {
                let keys = self.read::<3>(&mut fields, shared)?;
                let translations = keys.values.iter().map(|key| mirrored(*key)).collect();
                self.push(node, keys.times_secs, TrackValues::Translation(translations));
            }
            // Exporters use both for matrices: 4 is documented, 3 is older.
            Some(3 | 4) => {
                let keys = self.read::<16>(&mut fields, shared)?;
                let matrices: Option<Vec<Affine3A>> = keys.values.iter().map(column_matrix).collect();
                let Some(matrices) = matrices else {
                    let (place, found) = (object.place(), "a projection among the keys".to_owned());
                    return Err(ImportProblem::MatrixNotAffine.at(place, found));
                };
                if !matrices.is_empty() {
                    self.clip.matrix_tracks.push(MatrixTrack {
                        node,
                        interpolation: Interpolation::Linear,
                        key_times_secs: keys.times_secs,
                        keys: matrices,
                        place: object.place(),
                    });
                }
            }
            _ => {
                self.report.warn_at(WarningKind::KeyTypeUnknown, object.place(), &format!("type {key_type}"))
            }
        }
        Ok(())
    }

    fn push(&mut self, node: NodeIndex, key_times_secs: Arc<[f32]>, values: TrackValues) {
        if !key_times_secs.is_empty() {
            let interpolation = Interpolation::Linear;
            self.clip.tracks.push(Track { node, interpolation, key_times_secs, values });
        }
    }

    fn read<const N: usize>(
        &mut self,
        fields: &mut Fields<'_>,
        shared: &mut Arc<[f32]>,
    ) -> Result<Keys<N>, ImportError> {
        let count = fields.count()?;
        let (mut times_secs, mut values) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let tick = fields.number()?;
            let time_secs = tick / self.ticks_per_second;
            if !single(time_secs).is_finite() {
                let (place, found) = (fields.place(1), format!("tick {tick}"));
                return Err(ImportProblem::ValueNotFinite.at(place, found));
            }
            let value_count = fields.count()?;
            if value_count != N {
                let (place, found) = (fields.place(1), format!("{value_count} values instead of {N} a key"));
                return Err(ImportProblem::KeyValuesCountWrong.at(place, found));
            }
            times_secs.push(time_secs);
            values.push(fields.vector::<N>()?);
        }
        let early = times_secs.iter().filter(|time_secs| **time_secs < 0.0).count();
        if early > 0 {
            let about = format!("{early} of {count}");
            self.report.warn_at(WarningKind::KeyTimeNegative, fields.object.place(), &about);
        }
        let order = KeyOrder::of(&times_secs);
        if order.was_unsorted {
            self.report.warn_at(WarningKind::KeysUnsorted, fields.object.place(), "");
        }
        if order.repeated > 0 {
            let about = format!("{} of {count}", order.repeated);
            self.report.warn_at(WarningKind::KeyTimesRepeated, fields.object.place(), &about);
        }
        let values = order.pick(&values);
        if **shared != *order.times_secs {
            *shared = order.times_secs;
        }
        Ok(Keys { times_secs: shared.clone(), values })
    }
}

struct Keys<const N: usize> {
    times_secs: Arc<[f32]>,
    values: Vec<[f32; N]>,
}
