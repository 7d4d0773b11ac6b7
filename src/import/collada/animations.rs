//! Converts channels to clips: those that `<library_animation_clips>` defines, or else as few as the targets allow.
use super::Reader;
use super::baking::{Baker, Window};
use super::channels::{self, Aim, Channel, Pick};
use super::curves::{Curve, Side};
use super::meshes::{Morphed, MorphedNodes};
use super::nodes::Hierarchy;
use super::posing::Posing;
use super::sources::single_of;
use super::stack::Stack;
use super::xml::{Element, Id, decimal};
use crate::import::ImportError;
use crate::import::imported_model::ImportedClip;
use crate::import::report::WarningKind;
use crate::model::{NodeIndex, Track, TrackValues};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    hierarchy: &Hierarchy<'a>,
    morphed: &MorphedNodes,
) -> Result<(), ImportError> {
    let is_placed = |aim: &Aim<'a>| match aim {
        Aim::Transform { node, .. } => !hierarchy.of_element(*node).is_empty(),
        Aim::Morph { morph, .. } => morphed.contains_key(&morph.id()),
    };
    let (channels, animations) = channels::read(reader, is_placed)?;
    let libraries = reader.file.root().children_named("library_animation_clips");
    let clips: Vec<Element<'a>> =
        libraries.flat_map(|library| library.children_named("animation_clip")).collect();
    let mut builder = ClipBuilder { reader, hierarchy, morphed };
    for &clip in &clips {
        let chosen = builder.chosen(&channels, clip)?;
        let window = builder.window(&chosen, clip);
        builder.clip(clip.label(), &chosen, window)?;
    }
    if clips.is_empty() {
        for (name, chosen) in together(&channels, &animations) {
            let window = builder.whole(&chosen);
            builder.clip(name, &chosen, window)?;
        }
    }
    Ok(())
}

/// Groups all channels into clips. An animation that shares a target with an earlier one goes to a later clip.
fn together<'a, 'c>(
    channels: &'c [Channel<'a>],
    animations: &[Element<'a>],
) -> Vec<(&'a str, Vec<&'c Channel<'a>>)> {
    let mut times_driven: HashMap<(Id, Pick), usize> = HashMap::new();
    let mut clips: Vec<(Vec<usize>, Vec<&Channel<'a>>)> = Vec::new();
    for of_one in channels.chunk_by(|a, b| a.outermost == b.outermost) {
        let driven: HashSet<_> = of_one.iter().map(|channel| channel.aim.key()).collect();
        let seen = |key: &(Id, Pick)| times_driven.get(key).copied().unwrap_or(0);
        let number = driven.iter().map(seen).max().unwrap_or(0);
        for key in driven {
            times_driven.insert(key, number + 1);
        }
        if clips.len() <= number {
            clips.resize_with(number + 1, Default::default);
        }
        if let Some((members, chosen)) = clips.get_mut(number) {
            members.extend(of_one.first().map(|channel| channel.outermost));
            chosen.extend(of_one);
        }
    }
    let named = |(members, chosen): (Vec<usize>, Vec<&'c Channel<'a>>)| {
        let alone = match members.as_slice() {
            [alone] => animations.get(*alone),
            _ => None,
        };
        // The name of an animation with a single channel doesn't describe a whole clip.
        let name = alone.filter(|animation| animation.child("channel").is_none() || chosen.len() > 1);
        (name.map_or("", |animation| animation.label()), chosen)
    };
    clips.into_iter().map(named).collect()
}

struct ClipBuilder<'r, 'a> {
    reader: &'r mut Reader<'a>,
    hierarchy: &'r Hierarchy<'a>,
    morphed: &'r MorphedNodes,
}

impl<'a> ClipBuilder<'_, 'a> {
    /// Returns the channels of the animations that a clip instances.
    fn chosen<'c>(
        &mut self,
        channels: &'c [Channel<'a>],
        clip: Element<'a>,
    ) -> Result<Vec<&'c Channel<'a>>, ImportError> {
        let mut chosen = Vec::new();
        for instance in clip.children_named("instance_animation") {
            match instance.target("url") {
                // Channels are in document order, so those of an animation are contiguous.
                Ok(animation) => {
                    let first = channels.partition_point(|channel| channel.element.id() < animation.id());
                    let after = channels.get(first..).unwrap_or_default();
                    let count = after.partition_point(|channel| animation.contains(channel.element));
                    self.reader.budget.charge(count as u64, 64, || instance.place())?;
                    chosen.extend(after.iter().take(count));
                }
                Err(_) => self.reader.warn_of_reference(instance),
            }
        }
        Ok(chosen)
    }

    fn window(&mut self, chosen: &[&Channel<'_>], clip: Element<'_>) -> Window {
        let mut seconds = |name: &str| {
            let text = clip.attribute(name)?;
            let seconds = decimal(text).filter(|seconds: &f64| seconds.abs() < 1e9);
            if seconds.is_none() {
                self.reader.warn(WarningKind::ClipBoundsInvalid, clip, crate::refusal::shortened(text));
            }
            seconds
        };
        let start = seconds("start").unwrap_or(0.0);
        let last_key = chosen.iter().filter_map(|channel| channel.curve.times.last()).copied();
        let end = seconds("end").unwrap_or_else(|| last_key.fold(start, f64::max));
        if end < start {
            self.reader.warn(WarningKind::ClipBoundsInvalid, clip, "it ends before it starts");
        }
        Window { start, end: Some(end.max(start)) }
    }

    /// Returns the window that begins at 0, or at the first key if that is earlier.
    fn whole(&mut self, chosen: &[&Channel<'_>]) -> Window {
        let first = |channel: &&&Channel<'_>| channel.curve.times.first().copied().unwrap_or(0.0);
        let earliest = chosen.iter().min_by(|a, b| first(a).total_cmp(&first(b)));
        let start = earliest.as_ref().map_or(0.0, |channel| first(channel).min(0.0));
        if let Some(channel) = earliest.filter(|_| start < 0.0) {
            self.reader.warn(WarningKind::KeysBeforeZero, channel.element, "");
        }
        Window { start, end: None }
    }

    fn clip(&mut self, name: &str, chosen: &[&Channel<'a>], window: Window) -> Result<(), ImportError> {
        let first_place = || chosen.first().map_or(String::new(), |channel| channel.element.place());
        self.reader.budget.charge(1 + chosen.len() as u64, 64, first_place)?;
        self.reader.budget.charge(1, name.len(), first_place)?;
        let mut by_node: BTreeMap<Id, Vec<&Channel<'a>>> = BTreeMap::new();
        let mut by_carrier: BTreeMap<NodeIndex, Vec<(usize, &Channel<'a>)>> = BTreeMap::new();
        let mut driven = HashSet::new();
        for &channel in chosen {
            if !driven.insert(channel.aim.key()) {
                self.reader.warn(WarningKind::TrackRepeated, channel.element, "");
                continue;
            }
            match channel.aim {
                Aim::Transform { node, .. } => by_node.entry(node.id()).or_default().push(channel),
                Aim::Morph { morph, .. } => {
                    for &Morphed { node, first } in self.morphed.get(&morph.id()).into_iter().flatten() {
                        let carrier = self.reader.imported.nodes.get(node.get());
                        if carrier.is_none_or(|node| node.rest_morph_weights.is_empty()) {
                            self.reader.warn(WarningKind::TrackWithoutMorphs, channel.element, "");
                            continue;
                        }
                        self.reader.budget.charge(1, 64, || channel.element.place())?;
                        by_carrier.entry(node).or_default().push((first, channel));
                    }
                }
            }
        }
        let mut clip = ImportedClip { name: name.to_owned(), ..ImportedClip::default() };
        for channels in by_node.values() {
            self.node_tracks(&mut clip, channels, window)?;
        }
        for (&node, channels) in &by_carrier {
            clip.tracks.push(self.morph_track(node, channels, window)?);
        }
        self.reader.imported.clips.push(clip);
        Ok(())
    }

    fn node_tracks(
        &mut self,
        clip: &mut ImportedClip,
        channels: &[&Channel<'a>],
        window: Window,
    ) -> Result<(), ImportError> {
        let Some(Channel { element, aim: Aim::Transform { node, .. }, .. }) = channels.first() else {
            return Ok(());
        };
        let stack = Stack::read(*node)?;
        let lookups = stack.transforms.len().saturating_mul(channels.len());
        self.reader.budget.charge(lookups as u64, 1, || element.place())?;
        let mut posing = Posing::new(stack);
        for channel in channels {
            if let Aim::Transform { transform, pick, .. } = channel.aim {
                posing.drive(transform, pick, &channel.curve);
            }
        }
        for &place in self.hierarchy.of_element(*node) {
            posing.bake_into(clip, place, (window, &self.reader.budget), &|| element.place())?;
        }
        Ok(())
    }

    /// Returns one track for all weights of a node. Each channel comes with its controller's first target.
    fn morph_track(
        &self,
        node: NodeIndex,
        channels: &[(usize, &Channel<'a>)],
        window: Window,
    ) -> Result<Track, ImportError> {
        let rest =
            self.reader.imported.nodes.get(node.get()).map_or(&[][..], |node| &node.rest_morph_weights);
        let at = |time: f64, side: Side| {
            let mut weights = rest.to_vec();
            for &(first, channel) in channels {
                let (numbers, into) = match (channel.aim, channel.curve.width) {
                    (Aim::Morph { pick: Pick::Number(number), .. }, _) => (1, first.saturating_add(number)),
                    (_, width) => (width, first),
                };
                for (number, weight) in weights.iter_mut().skip(into).take(numbers).enumerate() {
                    *weight = single_of(channel.curve.at(number, time, side));
                }
            }
            weights
        };
        let curves: Vec<Rc<Curve>> = channels.iter().map(|(_, channel)| channel.curve.clone()).collect();
        let place = || channels.first().map_or(String::new(), |(_, channel)| channel.element.place());
        let cost = rest.len() + channels.len();
        let baker = Baker { curves: &curves, window, budget: &self.reader.budget, cost, place: &place };
        let baked = baker.bake(at)?;
        Ok(Track {
            node,
            interpolation: baked.interpolation,
            key_times_secs: baked.times_secs,
            values: TrackValues::MorphWeights(baked.values.concat()),
        })
    }
}
