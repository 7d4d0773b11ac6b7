//! A node's transforms, animated by curves.
use super::baking::{Baked, Baker, Value, Window};
use super::channels::Pick;
use super::curves::{Curve, Side, Span};
use super::nodes::single_affine;
use super::sources::single_of;
use super::stack::{Kind, Stack, Stretch, Transform, affine, parent_from_child, rotation};
use super::xml::Id;
use crate::import::ImportError;
use crate::import::budget::Budget;
use crate::import::imported_model::ImportedClip;
use crate::import::matrix_tracks::MatrixTrack;
use crate::model::{NodeIndex, Track, TrackValues};
use glam::{Affine3A, DAffine3, DQuat, DVec3};
use std::rc::Rc;

/// The transforms of one node, each with the curves that drive it.
pub(super) struct Posing {
    stack: Stack,
    drives: Vec<Vec<Drive>>,
}

struct Drive {
    pick: Pick,
    curve: Rc<Curve>,
}

impl Posing {
    pub(super) fn new(stack: Stack) -> Self {
        let drives = stack.transforms.iter().map(|_| Vec::new()).collect();
        Self { stack, drives }
    }

    pub(super) fn drive(&mut self, transform: Id, pick: Pick, curve: &Rc<Curve>) {
        let at = self.stack.transforms.iter().position(|other| other.id == transform);
        if let Some(drives) = at.and_then(|at| self.drives.get_mut(at)) {
            drives.push(Drive { pick, curve: curve.clone() });
        }
    }

    /// Adds the tracks of a node.
    ///
    /// Translation, rotation and scale get a track each if the transforms are in that order. Otherwise the matrix
    /// gets one.
    pub(super) fn bake_into(
        &self,
        clip: &mut ImportedClip,
        node: NodeIndex,
        (window, budget): (Window, &Budget),
        place: &dyn Fn() -> String,
    ) -> Result<(), ImportError> {
        let cost = self.stack.transforms.len() + self.drives.iter().map(Vec::len).sum::<usize>();
        let Some(stretches) = self.stack.stretches() else {
            let curves = self.curves(|_| true);
            let at = |time, side| single_affine(&self.parent_from_node(time, side));
            let baker = Baker { curves: &curves, window, budget, cost, place };
            let baked = if self.is_matrix_alone() { baker.keep(at) } else { baker.bake(at) }?;
            clip.matrix_tracks.push(MatrixTrack {
                node,
                interpolation: baked.interpolation,
                key_times_secs: baked.times_secs,
                keys: baked.values,
                place: place(),
            });
            return Ok(());
        };
        for stretch in [Stretch::Translation, Stretch::Rotation, Stretch::Scale] {
            let curves = self.curves(|at| stretches.get(at) == Some(&stretch));
            if curves.is_empty() {
                continue;
            }
            let baker = Baker { curves: &curves, window, budget, cost, place };
            let driven = |time, side| self.stretch(&stretches, stretch, time, side);
            clip.tracks.push(match stretch {
                Stretch::Translation => {
                    let sum = |sum: DVec3, numbers: Vec<f64>| sum + vector(&numbers);
                    let at = |time, side| driven(time, side).fold(DVec3::ZERO, sum).as_vec3();
                    track(node, baker.bake(at)?, TrackValues::Translation)
                }
                Stretch::Rotation => {
                    let product = |product: DQuat, numbers: Vec<f64>| product * rotation(&numbers);
                    let at =
                        |time, side| driven(time, side).fold(DQuat::IDENTITY, product).as_quat().normalize();
                    track(node, baker.bake(at)?, TrackValues::Rotation)
                }
                Stretch::Scale => {
                    let product = |product: DVec3, numbers: Vec<f64>| product * vector(&numbers);
                    let at = |time, side| driven(time, side).fold(DVec3::ONE, product).as_vec3();
                    track(node, baker.bake(at)?, TrackValues::Scale)
                }
            });
        }
        Ok(())
    }

    /// Returns the curves of the chosen transforms, one per channel.
    fn curves(&self, wanted: impl Fn(usize) -> bool) -> Vec<Rc<Curve>> {
        let drives =
            self.drives.iter().enumerate().filter(|(at, _)| wanted(*at)).flat_map(|(_, drives)| drives);
        drives.map(|drive| drive.curve.clone()).collect()
    }

    /// Returns whether only one matrix is animated, as a whole and with keys that the player can interpolate.
    fn is_matrix_alone(&self) -> bool {
        let mut driven =
            self.stack.transforms.iter().zip(&self.drives).filter(|(_, drives)| !drives.is_empty());
        let Some((transform, drives)) = driven.next() else { return false };
        // Two keys at the same time are a jump, which needs an additional key.
        let ascends = |curve: &Curve| curve.times.is_sorted_by(|time, next| time < next);
        let is_uniform = |drive: &Drive| {
            drive.pick == Pick::Whole && drive.curve.uniform().is_some() && ascends(&drive.curve)
        };
        driven.next().is_none() && transform.kind == Kind::Matrix && drives.iter().all(is_uniform)
    }

    fn parent_from_node(&self, time: f64, side: Side) -> DAffine3 {
        let transforms = self.stack.transforms.iter().zip(&self.drives);
        transforms.fold(DAffine3::IDENTITY, |before, (transform, drives)| {
            before * parent_from_child_at(transform, drives, time, side)
        })
    }

    /// Returns the numbers of each transform of one part.
    fn stretch<'s>(
        &'s self,
        stretches: &'s [Stretch],
        stretch: Stretch,
        time: f64,
        side: Side,
    ) -> impl Iterator<Item = Vec<f64>> + 's {
        let transforms = self.stack.transforms.iter().zip(&self.drives).zip(stretches);
        let of_stretch = transforms.filter(move |(_, other)| **other == stretch);
        of_stretch.map(move |((transform, drives), _)| numbers_at(transform, drives, time, side))
    }
}

fn track<V: Value>(node: NodeIndex, baked: Baked<V>, values: fn(Vec<V>) -> TrackValues) -> Track {
    let Baked { times_secs, interpolation, values: keys } = baked;
    Track { node, interpolation, key_times_secs: times_secs, values: values(keys) }
}

fn vector(numbers: &[f64]) -> DVec3 {
    let number = |at: usize| numbers.get(at).copied().unwrap_or(0.0);
    DVec3::new(number(0), number(1), number(2))
}

fn numbers_at(transform: &Transform, drives: &[Drive], time: f64, side: Side) -> Vec<f64> {
    let mut numbers = transform.numbers.clone();
    for Drive { pick, curve } in drives {
        match *pick {
            Pick::Whole => {
                for (at, number) in numbers.iter_mut().enumerate() {
                    *number = curve.at(at, time, side);
                }
            }
            Pick::Number(at) => {
                if let Some(number) = numbers.get_mut(at) {
                    *number = curve.at(0, time, side);
                }
            }
        }
    }
    numbers
}

fn parent_from_child_at(transform: &Transform, drives: &[Drive], time: f64, side: Side) -> DAffine3 {
    match drives {
        [] => parent_from_child(transform.kind, &transform.numbers),
        [Drive { pick: Pick::Whole, curve }] if transform.kind == Kind::Matrix => {
            matrix_at(curve, time, side)
        }
        _ => parent_from_child(transform.kind, &numbers_at(transform, drives, time, side)),
    }
}

/// Returns a matrix between keys. Linear spans are interpolated as in the player, Bézier spans element by element.
fn matrix_at(curve: &Curve, time: f64, side: Side) -> DAffine3 {
    let (key, alpha) = curve.locate(time, side);
    let whole = |key: usize| curve.key(key).try_into().ok().map(|rows: &[f64; 16]| affine(rows));
    let start = whole(key).unwrap_or(DAffine3::IDENTITY);
    match (curve.span(key), whole(key + 1)) {
        (Span::Linear, Some(end)) if alpha > 0.0 => {
            let mixed: Affine3A = single_affine(&start).mix(&single_affine(&end), single_of(alpha));
            DAffine3::from_cols_array(&mixed.to_cols_array().map(f64::from))
        }
        (Span::Bezier, Some(_)) => affine(&std::array::from_fn(|number| curve.at(number, time, side))),
        _ => start,
    }
}
