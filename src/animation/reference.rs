//! Reference implementation: reads tracks directly from the model, in `f64`, one node at a time, without compilation.
//!
//! It is for comparison only. Playback doesn't call it, so the shipped module doesn't contain it.
use crate::model::{ClipIndex, Interpolation, Model, NodeIndex, SkinIndex, Track, TrackValues};
use glam::{Affine3A, DAffine3, DMat4, DQuat, DVec3};

/// A pose of every node relative to its parent.
#[derive(Clone, Debug)]
pub struct ReferencePose {
    pub translations: Vec<DVec3>,
    pub rotations: Vec<DQuat>,
    pub scales: Vec<DVec3>,
    /// One list per node, empty if its mesh has no morph targets.
    pub morph_weights: Vec<Vec<f64>>,
    /// Matrices of nodes that shear, used instead of the above.
    pub matrices: Vec<Option<DMat4>>,
}

impl ReferencePose {
    pub fn rest(model: &Model) -> Self {
        let nodes = &model.nodes;
        let weights = |(index, rest): (usize, &[f32])| {
            let mut weights: Vec<f64> = rest.iter().copied().map(f64::from).collect();
            weights.resize(model.morph_target_count(NodeIndex::new(index)), 0.0);
            weights
        };
        Self {
            translations: nodes.iter().map(|node| node.rest.translation.as_dvec3()).collect(),
            rotations: nodes.iter().map(|node| node.rest.rotation.as_dquat()).collect(),
            scales: nodes.iter().map(|node| node.rest.scale.as_dvec3()).collect(),
            morph_weights: nodes
                .iter()
                .map(|node| &*node.rest_morph_weights)
                .enumerate()
                .map(weights)
                .collect(),
            matrices: nodes.iter().map(|node| node.sheared_rest.as_ref().map(matrix)).collect(),
        }
    }

    /// Reference implementation of [`Rig::sample_into`](super::Rig::sample_into).
    pub fn sample(model: &Model, clip: ClipIndex, time_secs: f32) -> Self {
        Self::rest(model).under(model, clip, time_secs)
    }

    /// Reference implementation of [`Rig::sample_over`](super::Rig::sample_over).
    pub fn under(&self, model: &Model, clip: ClipIndex, time_secs: f32) -> Self {
        let clip = model.clip(clip);
        let time_secs = f64::from(time_secs.max(0.0).min(clip.duration_secs));
        let mut pose = self.clone();
        for track in &clip.tracks {
            let node = track.node.get();
            match &track.values {
                TrackValues::Translation(values) => {
                    pose.translations[node] = sample(track, time_secs, |i| values[i].as_dvec3(), DVec3::lerp);
                }
                TrackValues::Scale(values) => {
                    pose.scales[node] = sample(track, time_secs, |i| values[i].as_dvec3(), DVec3::lerp);
                }
                TrackValues::Rotation(values) => {
                    let rotation = |i: usize| Turn(values[i].as_dquat());
                    pose.rotations[node] = sample(track, time_secs, rotation, Turn::slerp).finish(track);
                }
                TrackValues::MorphWeights(values) => {
                    let count = pose.morph_weights[node].len();
                    for target in 0..count {
                        let weight = |i: usize| f64::from(values[i * count + target]);
                        pose.morph_weights[node][target] =
                            sample(track, time_secs, weight, |a, b, alpha| a + (b - a) * alpha);
                    }
                }
                TrackValues::Matrix(values) => {
                    let between = |a, b, alpha| a + (b - a) * alpha;
                    pose.matrices[node] = Some(sample(track, time_secs, |i| matrix(&values[i]), between));
                }
            }
        }
        pose
    }

    /// Reference implementation of [`Rig::add_over`](super::Rig::add_over).
    pub fn plus(&self, model: &Model, clip: ClipIndex, time_secs: f32, reference: &Self) -> Self {
        let sampled = Self::sample(model, clip, time_secs);
        let mut pose = self.clone();
        for track in &model.clip(clip).tracks {
            let node = track.node.get();
            match &track.values {
                TrackValues::Translation(_) => {
                    pose.translations[node] += sampled.translations[node] - reference.translations[node];
                }
                TrackValues::Rotation(_) => {
                    let beyond = reference.rotations[node].inverse() * sampled.rotations[node];
                    pose.rotations[node] = (self.rotations[node] * beyond).normalize();
                }
                TrackValues::Scale(_) => {
                    let (scale, by) = (sampled.scales[node], reference.scales[node]);
                    let ratio = |axis: usize| if by[axis] == 0.0 { 1.0 } else { scale[axis] / by[axis] };
                    pose.scales[node] *= DVec3::new(ratio(0), ratio(1), ratio(2));
                }
                TrackValues::MorphWeights(_) => {
                    let beyond = sampled.morph_weights[node].iter().zip(&reference.morph_weights[node]);
                    for (held, (weight, reference)) in pose.morph_weights[node].iter_mut().zip(beyond) {
                        *held += weight - reference;
                    }
                }
                TrackValues::Matrix(_) => {
                    let of = |pose: &Self| pose.matrices[node].unwrap_or_default();
                    pose.matrices[node] = Some(of(self) + of(&sampled) - of(reference));
                }
            }
        }
        pose
    }

    /// Reference implementation of [`blend_masked_into`](super::blend_masked_into).
    pub fn blended(&self, other: &Self, weight_of: impl Fn(NodeIndex) -> f64) -> Self {
        let mut pose = self.clone();
        for node in 0..self.translations.len() {
            let weight = weight_of(NodeIndex::new(node));
            pose.translations[node] = self.translations[node].lerp(other.translations[node], weight);
            pose.scales[node] = self.scales[node].lerp(other.scales[node], weight);
            let far = self.rotations[node].dot(other.rotations[node]) < 0.0;
            let near = if far { -other.rotations[node] } else { other.rotations[node] };
            pose.rotations[node] = (self.rotations[node] * (1.0 - weight) + near * weight).normalize();
            for (held, other) in pose.morph_weights[node].iter_mut().zip(&other.morph_weights[node]) {
                *held += (other - *held) * weight;
            }
            if let (Some(held), Some(other)) = (&mut pose.matrices[node], other.matrices[node]) {
                *held += (other - *held) * weight;
            }
        }
        pose
    }

    /// Reference implementation of [`Inertia`](super::Inertia), started with these poses and applied to `self`.
    pub fn with_inertia(
        &self,
        [before, before_later]: [&Self; 2],
        [after, after_later]: [&Self; 2],
        dt_secs: f64,
        duration_secs: f64,
        elapsed_secs: f64,
    ) -> Self {
        let rest = |at_start: f64, later: f64| {
            left(at_start, (later - at_start) / dt_secs, elapsed_secs, duration_secs)
        };
        let rest_of = |at_start: DVec3, later: DVec3| {
            DVec3::new(rest(at_start.x, later.x), rest(at_start.y, later.y), rest(at_start.z, later.z))
        };
        let mut pose = self.clone();
        for node in 0..self.translations.len() {
            let straight = |of: fn(&Self) -> &Vec<DVec3>| {
                let offset = |before: &Self, after: &Self| of(before)[node] - of(after)[node];
                rest_of(offset(before, after), offset(before_later, after_later))
            };
            pose.translations[node] += straight(|pose| &pose.translations);
            pose.scales[node] += straight(|pose| &pose.scales);
            let turn = |before: &Self, after: &Self, near: DQuat| {
                let turn = (before.rotations[node] * after.rotations[node].conjugate()).normalize();
                if turn.dot(near) < 0.0 { -turn } else { turn }
            };
            let rodrigues = |turn: DQuat| turn.xyz() / (1.0 + turn.w).max(0.5);
            let now = turn(before, after, DQuat::IDENTITY);
            let offset = rest_of(rodrigues(now), rodrigues(turn(before_later, after_later, now)));
            let quarter = offset.length().atan();
            let axis = offset.try_normalize().unwrap_or(DVec3::X);
            pose.rotations[node] = DQuat::from_axis_angle(axis, 4.0 * quarter) * self.rotations[node];
            for (target, held) in pose.morph_weights[node].iter_mut().enumerate() {
                let offset = |before: &Self, after: &Self| {
                    before.morph_weights[node][target] - after.morph_weights[node][target]
                };
                *held += rest(offset(before, after), offset(before_later, after_later));
            }
            if let Some(held) = &mut pose.matrices[node] {
                let offset = |before: &Self, after: &Self| {
                    before.matrices[node].unwrap_or_default() - after.matrices[node].unwrap_or_default()
                };
                let (now, later) = (offset(before, after), offset(before_later, after_later));
                for column in 0..4 {
                    for row in 0..3 {
                        held.col_mut(column)[row] += rest(now.col(column)[row], later.col(column)[row]);
                    }
                }
            }
        }
        pose
    }

    /// Reference implementation of [`DeadBlending`](super::DeadBlending), started with these poses and applied to
    /// `self`.
    pub fn with_dead_blending(
        &self,
        [before, before_later]: [&Self; 2],
        after: &Self,
        dt_secs: f64,
        elapsed_secs: f64,
        new_weight: f64,
    ) -> Self {
        let coasting = |before: f64, later: f64, goal: f64| {
            goal + coasted(before - goal, (later - before) / dt_secs, elapsed_secs)
        };
        let mixed = |old: f64, new: f64| old * (1.0 - new_weight) + new * new_weight;
        let number = |before: f64, later: f64, goal: f64, held: f64| {
            if before == goal { held } else { mixed(coasting(before, later, goal), held) }
        };
        let straight = |before: DVec3, later: DVec3, goal: DVec3, held: DVec3| {
            DVec3::from_array([0, 1, 2].map(|i| number(before[i], later[i], goal[i], held[i])))
        };
        let mut pose = self.clone();
        for node in 0..self.translations.len() {
            let moved = |of: fn(&Self) -> &Vec<DVec3>| {
                let [before, later, goal, held] =
                    [before, before_later, after, self].map(|pose| of(pose)[node]);
                straight(before, later, goal, held)
            };
            pose.translations[node] = moved(|pose| &pose.translations);
            pose.scales[node] = moved(|pose| &pose.scales);
            for axis in 0..3 {
                let [before, later, goal, held] =
                    [before, before_later, after, self].map(|pose| pose.scales[node][axis]);
                if before != goal && coasting(before, later, goal) * before < 0.0 {
                    pose.scales[node][axis] = mixed(0.0, held);
                }
            }
            let goal = after.rotations[node];
            if before.rotations[node] != goal {
                let turn = |before: DQuat, near: DQuat| {
                    let turn = (before * goal.conjugate()).normalize();
                    if turn.dot(near) < 0.0 { -turn } else { turn }
                };
                let rodrigues = |turn: DQuat| turn.xyz() / (1.0 + turn.w).max(0.5);
                let now = turn(before.rotations[node], DQuat::IDENTITY);
                let later = rodrigues(turn(before_later.rotations[node], now));
                let now = rodrigues(now);
                let offset = [0, 1, 2].map(|i| coasting(now[i], later[i], 0.0));
                let offset = DVec3::from_array(offset);
                let axis = offset.try_normalize().unwrap_or(DVec3::X);
                let old = DQuat::from_axis_angle(axis, 4.0 * offset.length().atan());
                let new = turn(self.rotations[node], DQuat::IDENTITY);
                let blended = (old * (1.0 - new_weight) + new * new_weight).normalize();
                pose.rotations[node] = blended * goal;
            }
            for (target, held) in pose.morph_weights[node].iter_mut().enumerate() {
                let [before, later, goal] =
                    [before, before_later, after].map(|pose| pose.morph_weights[node][target]);
                *held = number(before, later, goal, *held);
            }
            if let Some(held) = &mut pose.matrices[node] {
                let [before, later, goal] =
                    [before, before_later, after].map(|pose| pose.matrices[node].unwrap_or_default());
                for column in 0..4 {
                    let of = |matrix: &DMat4| matrix.col(column).truncate();
                    let moved = straight(of(&before), of(&later), of(&goal), of(held));
                    *held.col_mut(column) = moved.extend(held.col(column).w);
                }
            }
        }
        pose
    }

    /// Reference implementation of [`Rig::resolve_into`](super::Rig::resolve_into). Returns `model_from_node` of
    /// every node.
    pub fn resolve(&self, model: &Model) -> Vec<DAffine3> {
        let mut model_from_node: Vec<DAffine3> = Vec::with_capacity(model.nodes.len());
        for (index, node) in model.nodes.iter().enumerate() {
            let srt = || {
                DAffine3::from_scale_rotation_translation(
                    self.scales[index],
                    self.rotations[index],
                    self.translations[index],
                )
            };
            let parent_from_node = self.matrices[index].map_or_else(srt, DAffine3::from_mat4);
            let resolved = match node.parent {
                Some(parent) => model_from_node[parent.get()] * parent_from_node,
                None => parent_from_node,
            };
            model_from_node.push(resolved);
        }
        model_from_node
    }
}

/// Returns what inertia leaves of an offset: the quintic given by its six boundary conditions, in powers of time.
fn left(at_start: f64, per_sec: f64, elapsed_secs: f64, duration_secs: f64) -> f64 {
    let heads_home = at_start * per_sec < 0.0;
    let arrival = if heads_home { -5.0 * at_start / per_sec } else { f64::INFINITY };
    let (t, end) = (elapsed_secs, duration_secs.min(arrival));
    if t >= end {
        return 0.0;
    }
    let brake = (-8.0 * per_sec * end - 20.0 * at_start) / (end * end);
    let acceleration = if brake * at_start > 0.0 { brake } else { 0.0 };
    let (a, v, x) = (acceleration * end * end, per_sec * end, at_start);
    let u = t / end;
    x + v * u + a / 2.0 * u.powi(2) - (1.5 * a + 6.0 * v + 10.0 * x) * u.powi(3)
        + (1.5 * a + 8.0 * v + 15.0 * x) * u.powi(4)
        - (0.5 * a + 3.0 * v + 6.0 * x) * u.powi(5)
}

/// Returns an offset whose velocity decays exponentially: so that it comes to rest at zero, where the half-life for
/// that is from 0.05 to 1 second.
fn coasted(at_start: f64, per_sec: f64, elapsed_secs: f64) -> f64 {
    let half_life_secs = if at_start * per_sec < 0.0 { -at_start / per_sec * 2_f64.ln() } else { 0.0 };
    let half_life_secs = half_life_secs.clamp(0.05, 1.0);
    let share_left = 2_f64.powf(-elapsed_secs / half_life_secs);
    at_start + per_sec * half_life_secs / 2_f64.ln() * (1.0 - share_left)
}

/// Returns `model_from_mesh` of every joint of a skin.
pub fn skin_matrices(model: &Model, skin: SkinIndex, model_from_node: &[DAffine3]) -> Vec<DAffine3> {
    let skin = model.skin(skin);
    let slots = skin.joints.iter().zip(&skin.joint_from_mesh);
    slots.map(|(joint, joint_from_mesh)| model_from_node[joint.get()] * to_f64(joint_from_mesh)).collect()
}

fn to_f64(affine: &Affine3A) -> DAffine3 {
    let [x, y, z, t] = affine.to_cols_array_2d().map(|column| DVec3::from_array(column.map(f64::from)));
    DAffine3::from_cols(x, y, z, t)
}

fn matrix(affine: &Affine3A) -> DMat4 {
    to_f64(affine).into()
}

/// A quaternion with the plain arithmetic that a spline needs.
#[derive(Clone, Copy)]
struct Turn(DQuat);

impl Turn {
    fn slerp(self, other: Self, alpha: f64) -> Self {
        let dot = self.0.dot(other.0);
        let near = if dot < 0.0 { -other.0 } else { other.0 };
        let angle = dot.abs().min(1.0).acos();
        if angle < 1e-6 {
            return Self(self.0 * (1.0 - alpha) + near * alpha);
        }
        Self((self.0 * ((1.0 - alpha) * angle).sin() + near * (alpha * angle).sin()) * (1.0 / angle.sin()))
    }

    fn finish(self, track: &Track) -> DQuat {
        match track.interpolation {
            Interpolation::CubicSpline if self.0.length_squared() == 0.0 => DQuat::IDENTITY,
            Interpolation::CubicSpline => self.0.normalize(),
            Interpolation::Step | Interpolation::Linear => self.0,
        }
    }
}

impl std::ops::Add for Turn {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl std::ops::Mul<f64> for Turn {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self(self.0 * factor)
    }
}

/// Samples a track. `element` takes the index of an element: a spline has three per key, other tracks one.
fn sample<T: Copy + std::ops::Add<Output = T> + std::ops::Mul<f64, Output = T>>(
    track: &Track,
    time_secs: f64,
    element: impl Fn(usize) -> T,
    between: impl Fn(T, T, f64) -> T,
) -> T {
    let times: Vec<f64> = track.key_times_secs.iter().copied().map(f64::from).collect();
    let per_key = track.interpolation.elements_per_key();
    let value = |key: usize| element(key * per_key + per_key / 2);
    let Some(after) = times.iter().position(|&time| time > time_secs) else {
        return value(times.len() - 1);
    };
    let Some(before) = after.checked_sub(1) else {
        return value(0);
    };
    let span = times[after] - times[before];
    let alpha = (time_secs - times[before]) / span;
    match track.interpolation {
        Interpolation::Step => value(before),
        Interpolation::Linear => between(value(before), value(after), alpha),
        Interpolation::CubicSpline => {
            let (squared, cubed) = (alpha.powi(2), alpha.powi(3));
            value(before) * (2.0 * cubed - 3.0 * squared + 1.0)
                + element(before * 3 + 2) * (span * (cubed - 2.0 * squared + alpha))
                + value(after) * (3.0 * squared - 2.0 * cubed)
                + element(after * 3) * (span * (cubed - squared))
        }
    }
}
