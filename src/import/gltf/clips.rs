//! Conversion of animations to clips.
use super::Accessors;
use super::formats::Use;
use super::json::Json;
use super::nodes::Hierarchy;
use super::pointers::{Pointers, Target};
use crate::import::matrices::unit_rotation;
use crate::import::part::Part;
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem, ImportReport};
use crate::model::{
    AnimatedProperty, Clip, Interpolation, Mesh, Node, NodeIndex, PropertyIndex, PropertyTarget,
    PropertyTrack, Track, TrackValues,
};
use crate::refusal::Place;
use glam::{Affine3A, Mat4, Quat};
use std::sync::Arc;

#[inline(never)]
pub(super) fn clips(
    pointers: Pointers<'_>,
    accessors: &Accessors<'_>,
    nodes: &[Node],
    meshes: &[Mesh],
    report: &mut ImportReport,
) -> Result<(Vec<Clip>, Vec<AnimatedProperty>), ImportError> {
    let Pointers { root, hierarchy, .. } = pointers;
    let mut reader = Reader {
        root,
        pointers,
        accessors,
        hierarchy,
        nodes,
        meshes,
        report,
        keys: vec![None; root.count("accessors")],
        taken: vec![[0; 5]; nodes.len()],
    };
    let mut clips = Vec::with_capacity(root.count("animations"));
    for (index, animation) in root.list("animations").enumerate() {
        clips.push(reader.clip(animation, index)?);
    }
    Ok((clips, reader.pointers.properties))
}

struct Reader<'a> {
    root: Json<'a>,
    pointers: Pointers<'a>,
    accessors: &'a Accessors<'a>,
    hierarchy: &'a Hierarchy,
    nodes: &'a [Node],
    meshes: &'a [Mesh],
    report: &'a mut ImportReport,
    /// Key times by accessor, so that tracks keyed together share them.
    keys: Vec<Option<Keys>>,
    /// For each node and property the last clip with a track for it, counted from 1.
    taken: Vec<[usize; 5]>,
}

#[derive(Clone, Copy, PartialEq)]
enum Property {
    Translation,
    Rotation,
    Scale,
    MorphWeights,
    /// The whole matrix, which [`MATRIX_KEYS`](super::extensions::MATRIX_KEYS) allows to be animated.
    Matrix,
}

#[derive(Clone)]
struct Keys {
    times_secs: Arc<[f32]>,
    /// For each time, the index of its key in the file; `None` if all keys are kept.
    kept: Option<Arc<[usize]>>,
    file_count: usize,
}

impl<'a> Reader<'a> {
    fn clip(&mut self, animation: Json<'a>, index: usize) -> Result<Clip, ImportError> {
        let place = Place::ROOT.field("animations");
        let place = place.index(index);
        let place = place.field("channels");
        let mut clip = Clip::default();
        clip.tracks.reserve(animation.count("channels"));
        for (at, channel) in animation.list("channels").enumerate() {
            let place = place.index(at);
            let number = channel.index("sampler").unwrap_or(usize::MAX);
            let Some(sampler) = animation.element("samplers", number) else {
                return Err(ImportProblem::ReferenceOutOfRange.at(
                    place.field("sampler").pointer(),
                    format!("{number} of {} samplers", animation.count("samplers")),
                ));
            };
            match channel.get("target").map_or(Ok(None), |target| self.target(target))? {
                None => self.report.warn(WarningKind::TrackTargetUnknown, &place.field("target")),
                Some(Target::Property(property)) => {
                    self.property_track(&mut clip, sampler, property, &place)?;
                }
                Some(Target::Nodes(sources, path)) => {
                    for source in sources {
                        let Some((node, property)) = self.of_node(source, path, &place) else { continue };
                        // The weights of a node are those of its instances.
                        let drawn = match property {
                            Property::MorphWeights => self.hierarchy.drawn_by(node),
                            _ => node.get()..node.get() + 1,
                        };
                        for node in drawn {
                            self.node_track(
                                &mut clip,
                                index,
                                sampler,
                                (NodeIndex::new(node), property),
                                &place,
                            )?;
                        }
                    }
                }
            }
        }
        let name = animation.text("name").filter(|name| !name.is_empty()).map(str::to_owned);
        clip.name = name.unwrap_or_else(|| ["clip ", &index.to_string()].concat());
        clip.duration_secs = clip.last_key_secs();
        Ok(clip)
    }

    /// Returns the target of a channel; `None` if it is unknown.
    fn target(&mut self, target: Json<'a>) -> Result<Option<Target<'a>>, ImportError> {
        if target.text("path") == Some("pointer") {
            let extension = target.extension("KHR_animation_pointer");
            let Some(pointer) = extension.and_then(|extension| extension.text("pointer")) else {
                return Ok(None);
            };
            Part::Import.need()?;
            return Ok(self.pointers.resolve(pointer));
        }
        // Without a node, an extension defines the target.
        let node = target.index("node").zip(target.text("path"));
        Ok(node.map(|(node, path)| Target::Nodes(vec![node], path)))
    }

    fn node_track(
        &mut self,
        clip: &mut Clip,
        index: usize,
        sampler: Json<'_>,
        (node, property): (NodeIndex, Property),
        place: &Place<'_>,
    ) -> Result<(), ImportError> {
        let slot = property as usize;
        let taken = self.taken.get(node.get()).and_then(|slots| slots.get(slot));
        if taken == Some(&(index + 1)) {
            self.report.warn(WarningKind::TrackRepeated, place);
        } else if let Some(track) = self.track(sampler, node, property, place)? {
            if let Some(taken) = self.taken.get_mut(node.get()).and_then(|slots| slots.get_mut(slot)) {
                *taken = index + 1;
            }
            clip.tracks.push(track);
        }
        Ok(())
    }

    #[inline(never)]
    fn property_track(
        &mut self,
        clip: &mut Clip,
        sampler: Json<'_>,
        property: PropertyIndex,
        place: &Place<'_>,
    ) -> Result<(), ImportError> {
        if clip.property_tracks.iter().any(|track| track.property == property) {
            self.report.warn(WarningKind::TrackRepeated, place);
            return Ok(());
        }
        let Some(animated) = self.pointers.properties.get(property.get()) else { return Ok(()) };
        let width = animated.rest.len();
        let is_flag = matches!(animated.target, PropertyTarget::Visible(_));
        // Flags have no values between them.
        let interpolation =
            if is_flag { Interpolation::Step } else { self.interpolation(sampler, true, place) };
        let elements = interpolation.elements_per_key();
        let Some((keys, output)) = self.keyed(sampler, elements, place)? else { return Ok(()) };
        let values = self.accessors.floats(output, Use::property(width), place, self.report)?;
        let mut values = keys.keep(values, elements * width);
        if is_flag {
            values.iter_mut().for_each(|value| *value = f32::from(u8::from(*value != 0.0)));
        }
        let key_times_secs = keys.times_secs;
        clip.property_tracks.push(PropertyTrack { property, interpolation, key_times_secs, values });
        Ok(())
    }

    /// Returns a node and its property by the path of a channel.
    fn of_node(&mut self, source: usize, path: &str, place: &Place<'_>) -> Option<(NodeIndex, Property)> {
        let property = match path {
            "translation" => Some(Property::Translation),
            "rotation" => Some(Property::Rotation),
            "scale" => Some(Property::Scale),
            "weights" => Some(Property::MorphWeights),
            "matrix" => Some(Property::Matrix),
            _ => None,
        };
        let Some((node, property)) = self.hierarchy.node(source).zip(property) else {
            self.report.warn(WarningKind::TrackTargetUnknown, &place.field("target"));
            return None;
        };
        let sheared = self.nodes.get(node.get()).is_some_and(|node| node.sheared_rest.is_some());
        if !sheared && property == Property::Matrix {
            self.report.warn(WarningKind::TrackTargetUnknown, &place.field("target"));
            return None;
        }
        if sheared && !matches!(property, Property::MorphWeights | Property::Matrix) {
            self.report.warn(WarningKind::TrackOnShearedNode, place);
            return None;
        }
        let has_matrix =
            self.root.element("nodes", source).is_some_and(|source| source.get("matrix").is_some());
        if has_matrix && !matches!(property, Property::MorphWeights | Property::Matrix) {
            self.report.warn(WarningKind::TrackOnMatrixNode, place);
        }
        Some((node, property))
    }

    fn track(
        &mut self,
        sampler: Json<'_>,
        node: NodeIndex,
        property: Property,
        place: &Place<'_>,
    ) -> Result<Option<Track>, ImportError> {
        let interpolation = self.interpolation(sampler, property != Property::Matrix, place);
        let of = match property {
            Property::Translation | Property::Scale => Use::KEY_VECTORS,
            Property::Rotation => Use::KEY_ROTATIONS,
            Property::MorphWeights => Use::KEY_MORPH_WEIGHTS,
            Property::Matrix => Use::KEY_MATRICES,
        };
        let mut per_element = 1;
        if property == Property::MorphWeights {
            let mesh = self.nodes.get(node.get()).and_then(|node| self.meshes.get(node.mesh?.get()));
            per_element = mesh.map_or(0, Mesh::morph_target_count);
            if per_element == 0 {
                self.report.warn(WarningKind::TrackWithoutMorphs, place);
                return Ok(None);
            }
        }
        let per_key = per_element.saturating_mul(interpolation.elements_per_key());
        let Some((keys, output)) = self.keyed(sampler, per_key, place)? else { return Ok(None) };
        let (accessors, report) = (self.accessors, &mut *self.report);
        let values = match property {
            Property::Translation => {
                TrackValues::Translation(keys.keep(accessors.vectors(output, of, place, report)?, per_key))
            }
            Property::Scale => {
                TrackValues::Scale(keys.keep(accessors.vectors(output, of, place, report)?, per_key))
            }
            Property::Rotation => {
                let mut rotations = keys.keep(accessors.vectors(output, of, place, report)?, per_key);
                self.normalise(&mut rotations, interpolation, output);
                TrackValues::Rotation(rotations)
            }
            Property::MorphWeights => {
                TrackValues::MorphWeights(keys.keep(accessors.floats(output, of, place, report)?, per_key))
            }
            Property::Matrix => {
                let matrices: Vec<Mat4> = keys.keep(accessors.vectors(output, of, place, report)?, per_key);
                TrackValues::Matrix(matrices.into_iter().map(Affine3A::from_mat4).collect())
            }
        };
        Ok(Some(Track { node, interpolation, key_times_secs: keys.times_secs, values }))
    }

    fn interpolation(&mut self, sampler: Json<'_>, has_splines: bool, place: &Place<'_>) -> Interpolation {
        match sampler.text("interpolation") {
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") if has_splines => Interpolation::CubicSpline,
            word => {
                if word != Some("LINEAR") && sampler.get("interpolation").is_some() {
                    self.report.warn(WarningKind::InterpolationReplaced, &place.field("sampler"));
                }
                Interpolation::Linear
            }
        }
    }

    /// Returns the keys of a sampler, and the accessor of its values, of which there are `per_key` for each key.
    fn keyed(
        &mut self,
        sampler: Json<'_>,
        per_key: usize,
        place: &Place<'_>,
    ) -> Result<Option<(Keys, usize)>, ImportError> {
        let (input, output) = (sampler.index("input"), sampler.index("output"));
        let Some((input, output)) = input.zip(output) else { return Ok(None) };
        let keys = self.keys(input, place)?;
        let (there, wanted) = (self.accessors.count(output), keys.file_count.saturating_mul(per_key));
        if there != wanted {
            let found = format!("{there} values instead of {wanted} for {} keys", keys.file_count);
            return Err(ImportProblem::KeyValuesCountWrong.at(place.field("sampler").pointer(), found));
        }
        Ok(Some((keys, output)))
    }

    /// Returns strictly ascending key times. Each accessor is read once.
    fn keys(&mut self, input: usize, place: &Place<'_>) -> Result<Keys, ImportError> {
        if let Some(Some(keys)) = self.keys.get(input) {
            return Ok(keys.clone());
        }
        let place = place.field("sampler");
        let times = self.accessors.floats(input, Use::KEY_TIMES, &place, self.report)?;
        let in_accessors = Place::ROOT.field("accessors");
        let pairs = times.iter().zip(times.iter().skip(1));
        if let Some(key) = pairs.into_iter().position(|(time, next)| next < time) {
            let found = format!("key {} before key {key}", key + 1);
            return Err(ImportProblem::KeyTimesNotAscending.at(in_accessors.index(input).pointer(), found));
        }
        let early = times.iter().filter(|time| **time < 0.0).count();
        self.report.warn_counted(
            WarningKind::KeyTimeNegative,
            &in_accessors.index(input),
            early,
            times.len(),
        );
        // Of keys with one time the last is kept: its value holds from then on.
        let stays = |key: &usize| times.get(*key) != times.get(*key + 1);
        let kept: Vec<usize> = (0..times.len()).filter(stays).collect();
        let whole = kept.len() == times.len();
        if !whole {
            let repeated = times.len() - kept.len();
            let place = in_accessors.index(input);
            self.report.warn_counted(WarningKind::KeyTimesRepeated, &place, repeated, times.len());
        }
        let times_secs = kept.iter().filter_map(|&key| times.get(key).copied()).collect();
        let keys = Keys { times_secs, kept: (!whole).then(|| kept.into()), file_count: times.len() };
        if let Some(slot) = self.keys.get_mut(input) {
            *slot = Some(keys.clone());
        }
        Ok(keys)
    }

    /// Normalises rotations whose length is clearly not 1. Tangents of a spline stay as they are.
    ///
    /// Rotations that storage or an exporter has rounded aren't changed, since other players show the file's numbers
    /// and the golden poses contain them.
    fn normalise(&mut self, rotations: &mut [Quat], interpolation: Interpolation, output: usize) {
        // Bytes round each component by up to 1/254; floats written by exporters are off by far less.
        const TOLERANCE: f32 = 1e-2;
        let stride = interpolation.elements_per_key();
        let mut odd = 0;
        for rotation in rotations.iter_mut().skip(stride / 2).step_by(stride) {
            let (unit, was_unit) = unit_rotation(*rotation, TOLERANCE);
            if !was_unit {
                *rotation = unit;
                odd += 1;
            }
        }
        let place = Place::ROOT.field("accessors");
        self.report.warn_counted(
            WarningKind::KeyRotationsNotUnit,
            &place.index(output),
            odd,
            rotations.len() / stride,
        );
    }
}

impl Keys {
    /// Returns the values of the kept keys.
    fn keep<T: Copy>(&self, values: Vec<T>, per_key: usize) -> Vec<T> {
        match &self.kept {
            None => values,
            Some(kept) => {
                let mut kept_values = Vec::with_capacity(kept.len() * per_key);
                for &key in kept.iter() {
                    kept_values.extend_from_slice(
                        values.get(key * per_key..(key + 1) * per_key).unwrap_or_default(),
                    );
                }
                kept_values
            }
        }
    }
}
