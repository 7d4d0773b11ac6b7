//! Animations become clips of tracks.
use super::Accessors;
use super::matrices::unit_rotation;
use super::nodes::Hierarchy;
use crate::import::place::{Place, element};
use crate::import::report::Oddity;
use crate::import::{ImportError, ImportReport};
use crate::model::{Clip, Interpolation, Mesh, Node, NodeIndex, Track, TrackValues};
use glam::Quat;
use gltf::json::accessor::Type;
use gltf::json::animation::{self, Property};
use gltf::json::validation::Checked;
use gltf::json::{self, Accessor, Animation, Root};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(super) fn clips(
    root: &Root,
    accessors: &Accessors<'_>,
    hierarchy: &Hierarchy,
    nodes: &[Node],
    meshes: &[Mesh],
    report: &mut ImportReport,
) -> Result<Vec<Clip>, ImportError> {
    let mut reader = Reader { accessors, hierarchy, nodes, meshes, report, keys: BTreeMap::new() };
    let mut clips = Vec::with_capacity(root.animations.len());
    for (index, animation) in root.animations.iter().enumerate() {
        clips.push(reader.clip(animation, index)?);
    }
    Ok(clips)
}

struct Reader<'a> {
    accessors: &'a Accessors<'a>,
    hierarchy: &'a Hierarchy,
    nodes: &'a [Node],
    meshes: &'a [Mesh],
    report: &'a mut ImportReport,
    /// By accessor, so that tracks keyed together share their times.
    keys: BTreeMap<json::Index<Accessor>, Keys>,
}

#[derive(Clone)]
struct Keys {
    times_secs: Arc<[f32]>,
    /// For each time which key of the file has it; `None` where all of them stand.
    kept: Option<Arc<[usize]>>,
    file_count: usize,
}

impl Reader<'_> {
    fn clip(&mut self, animation: &Animation, index: usize) -> Result<Clip, ImportError> {
        let place = Place::ROOT.field("animations");
        let place = place.index(index);
        let place = place.field("channels");
        let mut tracks: Vec<Track> = Vec::with_capacity(animation.channels.len());
        let mut taken = BTreeSet::new();
        for (at, channel) in animation.channels.iter().enumerate() {
            let place = place.index(at);
            let Some(sampler) = animation.samplers.get(channel.sampler.value()) else {
                return Err(ImportError::ReferenceOutOfRange {
                    place: place.field("sampler").pointer(),
                    found: format!("{} of {} samplers", channel.sampler.value(), animation.samplers.len()),
                });
            };
            let Some((node, property)) = self.target(&channel.target, &place) else { continue };
            if taken.contains(&(node, property as u8)) {
                self.report.warn(Oddity::TrackRepeated, &place);
                continue;
            }
            if let Some(track) = self.track(sampler, node, property, &place)? {
                taken.insert((node, property as u8));
                tracks.push(track);
            }
        }
        let name = animation.name.clone().filter(|name| !name.is_empty());
        let last_key = |track: &Track| track.key_times_secs.last().copied().unwrap_or(0.0);
        Ok(Clip {
            name: name.unwrap_or_else(|| ["clip ", &index.to_string()].concat()),
            duration_secs: tracks.iter().map(last_key).fold(0.0, f32::max),
            tracks,
        })
    }

    fn target(&mut self, target: &animation::Target, place: &Place<'_>) -> Option<(NodeIndex, Property)> {
        let node = self.hierarchy.node(target.node);
        let Some((node, Checked::Valid(property))) = node.map(|node| (node, target.path)) else {
            self.report.warn(Oddity::TrackTargetUnknown, &place.field("target"));
            return None;
        };
        let sheared = self.nodes.get(node.get()).is_some_and(|node| node.sheared_rest.is_some());
        if sheared && property != Property::MorphTargetWeights {
            self.report.warn(Oddity::TrackOnShearedNode, place);
            return None;
        }
        Some((node, property))
    }

    fn track(
        &mut self,
        sampler: &animation::Sampler,
        node: NodeIndex,
        property: Property,
        place: &Place<'_>,
    ) -> Result<Option<Track>, ImportError> {
        let interpolation = match sampler.interpolation {
            Checked::Valid(animation::Interpolation::Step) => Interpolation::Step,
            Checked::Valid(animation::Interpolation::CubicSpline) => Interpolation::CubicSpline,
            _ => Interpolation::Linear,
        };
        let types: &[Type] = match property {
            Property::Translation | Property::Scale => &[Type::Vec3],
            Property::Rotation => &[Type::Vec4],
            Property::MorphTargetWeights => &[Type::Scalar],
        };
        let mut per_element = 1;
        if property == Property::MorphTargetWeights {
            let mesh = self.nodes.get(node.get()).and_then(|node| self.meshes.get(node.mesh?.get()));
            per_element = mesh.map_or(0, Mesh::morph_target_count);
            if per_element == 0 {
                self.report.warn(Oddity::TrackWithoutMorphs, place);
                return Ok(None);
            }
        }
        let keys = self.keys(sampler.input, place)?;
        let per_key = per_element.saturating_mul(interpolation.elements_per_key());
        let (there, wanted) = (self.accessors.count(sampler.output), keys.file_count.saturating_mul(per_key));
        if there != wanted {
            let found = format!("{there} values instead of {wanted} for {} keys", keys.file_count);
            return Err(ImportError::KeyValuesCountWrong { place: place.field("sampler").pointer(), found });
        }
        let values = match property {
            Property::Translation => TrackValues::Translation(
                keys.keep(self.accessors.vectors(sampler.output, types, place)?, per_key),
            ),
            Property::Scale => {
                TrackValues::Scale(keys.keep(self.accessors.vectors(sampler.output, types, place)?, per_key))
            }
            Property::Rotation => {
                let mut rotations = keys.keep(self.accessors.vectors(sampler.output, types, place)?, per_key);
                self.normalise(&mut rotations, interpolation, sampler.output);
                TrackValues::Rotation(rotations)
            }
            Property::MorphTargetWeights => TrackValues::MorphWeights(
                keys.keep(self.accessors.floats(sampler.output, types, place)?, per_key),
            ),
        };
        Ok(Some(Track { node, interpolation, key_times_secs: keys.times_secs, values }))
    }

    /// Key times that ascend strictly, each accessor read once.
    fn keys(&mut self, input: json::Index<Accessor>, place: &Place<'_>) -> Result<Keys, ImportError> {
        if let Some(keys) = self.keys.get(&input) {
            return Ok(keys.clone());
        }
        let place = place.field("sampler");
        let times = self.accessors.floats(input, &[Type::Scalar], &place)?;
        let at = || element("accessors", input.value());
        if let Some(first) = times.first().filter(|first| **first < 0.0) {
            return Err(ImportError::KeyTimeNegative { place: at(), found: format!("{first} s") });
        }
        let pairs = times.iter().zip(times.iter().skip(1));
        if let Some((key, (time, next))) = pairs.enumerate().find(|(_, (time, next))| next < time) {
            let found = format!("{next} s at key {} after {time} s", key + 1);
            return Err(ImportError::KeyTimesNotAscending { place: at(), found });
        }
        // Of keys with one time the last stays: it is what holds from there on.
        let stays = |key: &usize| times.get(*key) != times.get(*key + 1);
        let kept: Vec<usize> = (0..times.len()).filter(stays).collect();
        let whole = kept.len() == times.len();
        if !whole {
            let place = Place::ROOT.field("accessors");
            let repeated = times.len() - kept.len();
            self.report.warn_counted(
                Oddity::KeyTimesRepeated,
                &place.index(input.value()),
                repeated,
                times.len(),
            );
        }
        let times_secs = kept.iter().filter_map(|&key| times.get(key).copied()).collect();
        let keys = Keys { times_secs, kept: (!whole).then(|| kept.into()), file_count: times.len() };
        self.keys.insert(input, keys.clone());
        Ok(keys)
    }

    /// Rotations to unit length where they are clearly off; a spline's tangents keep theirs.
    ///
    /// Those that storage or an exporter has rounded stay as they are: the file's numbers are what every other
    /// player shows, and what the golden poses hold.
    fn normalise(
        &mut self,
        rotations: &mut [Quat],
        interpolation: Interpolation,
        output: json::Index<Accessor>,
    ) {
        // Bytes round each component by up to 1/254; floats of exporters are off by far less.
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
            Oddity::KeyRotationsNotUnit,
            &place.index(output.value()),
            odd,
            rotations.len() / stride,
        );
    }
}

impl Keys {
    /// The values of the keys that stay.
    fn keep<T: Copy>(&self, values: Vec<T>, per_key: usize) -> Vec<T> {
        match &self.kept {
            None => values,
            Some(kept) => {
                let of_key = |&key: &usize| values.get(key * per_key..(key + 1) * per_key);
                kept.iter().filter_map(of_key).flatten().copied().collect()
            }
        }
    }
}
