//! Retargeting: clips of one humanoid body become clips of another, which may have other joints, axes and proportions.
//!
//! ```text
//! clip ─▶ sampled pose ─▶ turns from the reference pose ─▶ pose of the other body ─▶ legs and arms ─▶ keys
//! ```
//!
//! - Directions of limbs are the same in both bodies, so knees and elbows bend the same way.
//! - The hips move in proportion to the length of the legs.
//! - Feet stand where they stand in the other body, in proportion. The hips sink where legs are too short for that.
//! - Hands that are near each other stay so.
//! - It happens once. The result is ordinary clips, with keys of the hips' translation and of rotations.

mod body;
mod feet;
mod keys;
mod plan;
mod pose;

use super::Rig;
use super::ik::arc;
use crate::model::humanoid::{Humanoid, Role, RoleNode, RoleReason};
use crate::model::{Clip, ClipIndex, NodeIndex};
use body::Body;
use feet::{Step, corrections, faded};
use glam::{Quat, Vec3};
use plan::Plan;
use pose::{Borrowed, Lent};

/// What the caller knows about the two bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RetargetOptions {
    /// Roles of nodes of the model that lends its clips, over what is found.
    pub from: Vec<(Role, NodeIndex)>,
    /// Roles of nodes of the model that borrows them, over what is found.
    pub to: Vec<(Role, NodeIndex)>,
    /// Nodes of the first and of the second model that belong together. A role of either is that of both. Without a
    /// role, as with tails and ears, the second node turns as the first does.
    pub pairs: Vec<(NodeIndex, NodeIndex)>,
    /// Takes the given roles and pairs alone and looks for no others.
    pub only_given: bool,
}

/// A role that motion is borrowed for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RolePair {
    pub role: Role,
    /// Nodes of the model that lends and of the one that borrows. A node that only one of them has borrows from the
    /// joint above, or lends nothing.
    pub from: Option<NodeIndex>,
    pub to: Option<NodeIndex>,
    /// The lower confidence of the two, from 0 to 1.
    pub confidence: f32,
    /// The reason for the less certain of the two.
    pub reason: RoleReason,
}

/// Clips for another body, and the map that they were made with.
#[derive(Clone, Debug, Default)]
pub struct Retargeted {
    /// One for each clip that was lent, in the same order.
    pub clips: Vec<Clip>,
    pub map: Vec<RolePair>,
}

/// One of the two models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    /// The model whose clips are borrowed.
    Lender,
    /// The model that is to move.
    Borrower,
}

/// A model isn't a humanoid body that motion can be borrowed from or for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotHumanoid {
    pub whose: Party,
    /// Roles that no node was found for. Empty if all were found, but legs and torso don't point away from each other,
    /// as in animals on four feet.
    pub missing: Vec<Role>,
}

/// Makes clips for `to` from all clips of `from`.
///
/// Each is sampled at the times of its keys, and at least 30 times a second (60 times with splines). Keys that linear
/// interpolation gives anyway are left out.
///
/// # Errors
/// When one of the models isn't a humanoid.
pub fn retarget(from: &Rig, to: &Rig, options: &RetargetOptions) -> Result<Retargeted, NotHumanoid> {
    let find = |rig: &Rig, given: &[(Role, NodeIndex)]| match options.only_given {
        true => Humanoid::given(given),
        false => Humanoid::find(rig.model(), given),
    };
    let mut pairs = options.pairs.clone();
    pairs.retain(|(lender, borrower)| {
        lender.get() < from.model().nodes.len() && borrower.get() < to.model().nodes.len()
    });
    let given = |rig: &Rig, roles: &[(Role, NodeIndex)]| {
        let mut roles = roles.to_vec();
        roles.retain(|(_, node)| node.get() < rig.model().nodes.len());
        roles
    };
    let (mut given_from, mut given_to) = (given(from, &options.from), given(to, &options.to));
    let (found_from, found_to) = (find(from, &given_from), find(to, &given_to));
    // A pair gives the role of one node to the other.
    pairs.retain(|&(lender, borrower)| {
        match (found_from.role_of(lender), found_to.role_of(borrower)) {
            (Some(role), _) => given_to.push((role, borrower)),
            (None, Some(role)) => given_from.push((role, lender)),
            (None, None) => return true,
        }
        false
    });
    let (roles_from, roles_to) = (find(from, &given_from), find(to, &given_to));
    let body_from = measured(from, &roles_from, Party::Lender, options)?;
    let body_to = measured(to, &roles_to, Party::Borrower, options)?;
    let plan = Plan::new(&body_from, &body_to, &pairs);
    let mut clips = Vec::with_capacity(from.clip_count());
    for clip in 0..from.clip_count() {
        clips.push(borrow(ClipIndex::new(clip), &body_from, &body_to, &plan));
    }
    Ok(Retargeted { clips, map: map_of(&roles_from, &roles_to) })
}

fn measured<'a>(
    rig: &'a Rig,
    roles: &'a Humanoid,
    whose: Party,
    options: &RetargetOptions,
) -> Result<Body<'a>, NotHumanoid> {
    let missing = roles.missing();
    if !missing.is_empty() {
        return Err(NotHumanoid { whose, missing });
    }
    Body::new(rig, roles, options.only_given).ok_or(NotHumanoid { whose, missing: Vec::new() })
}

fn map_of(from: &Humanoid, to: &Humanoid) -> Vec<RolePair> {
    let mut map = Vec::new();
    for role in Role::all() {
        let (from, to) = (from.get(role), to.get(role));
        let doubt = |found: &RoleNode| -found.confidence;
        let least = [from, to].into_iter().flatten().max_by(|a, b| doubt(a).total_cmp(&doubt(b)));
        if let Some(least) = least {
            map.push(RolePair {
                role,
                from: from.map(|found| found.node),
                to: to.map(|found| found.node),
                confidence: least.confidence,
                reason: least.reason,
            });
        }
    }
    map
}

/// Makes one clip.
fn borrow(index: ClipIndex, from: &Body, to: &Body, plan: &Plan) -> Clip {
    let clip = from.rig.clip(index);
    let times = keys::sample_times(clip);
    let mut lent = Lent::new(from, plan);
    let mut borrowed = Borrowed::new(to, plan);
    let scale = to.leg_length / from.leg_length;
    // Places of the lending body in proportion, with the ankles on the ground at the same height.
    let scaled = |place: Vec3| to.origin + (place - from.origin) * scale;

    let steps: Vec<Vec<Step>> = {
        let mut steps = vec![Vec::with_capacity(times.len()); plan.legs.len()];
        for &time_secs in &times {
            lent.sample(index, time_secs);
            borrowed.pose(&lent, scaled(lent.hips()));
            for (leg, steps) in plan.legs.iter().zip(&mut steps) {
                let turn = lent.turns[leg.source];
                let lowest = |body: &Body| body.sole(leg.side).map(|point| (turn * point).y);
                let [low_from, low_to] = [from, to].map(lowest).map(|[heel, toes]| heel.min(toes));
                let (ankle_from, ankle_to) = (lent.place(leg.source_end), borrowed.place(leg.end));
                let height = (ankle_from.y + low_from - from.ground) / from.leg_length;
                // A wide stance becomes one as wide as the body's own, along with the heading of the foot. It doesn't
                // change while the foot stands.
                let heading = arc(Vec3::Z, (turn * Vec3::Z).with_y(0.0));
                let mut error = scaled(ankle_from) + heading * leg.aside - ankle_to;
                // Feet of sitting and lying bodies don't stand.
                let stands = 1.0 - faded(((turn * Vec3::Y).y - 0.2) / 0.3);
                let standing = to.ground + height * to.leg_length - low_to - ankle_to.y;
                error.y += (standing - error.y) * stands;
                steps.push(Step { time_secs, height, error });
            }
        }
        steps
    };
    let is_loop = is_loop(&mut lent, plan, index, &times);
    let corrections: Vec<Vec<Vec3>> =
        steps.iter().map(|steps| corrections(steps, is_loop, MOST_SLIDE * to.leg_length)).collect();

    let mut rotations: Vec<Vec<Quat>> = vec![Vec::with_capacity(times.len()); plan.drives.len()];
    let mut translations = rotations.iter().map(|_| Vec::new()).collect::<Vec<Vec<Vec3>>>();
    for (at, &time_secs) in times.iter().enumerate() {
        lent.sample(index, time_secs);
        borrowed.pose(&lent, scaled(lent.hips()));
        let lift = lift(&corrections, &steps, at).clamp_length_max(0.5 * to.leg_length);
        let lift = lift - Vec3::Y * sink(&borrowed, &corrections, &steps, at, lift);
        borrowed.raise(lift);
        for (leg, corrections) in plan.legs.iter().zip(&corrections) {
            // Corrections far beyond a step come from poses that aren't those of a standing body.
            let correction = (corrections[at] - lift).clamp_length_max(0.5 * to.leg_length);
            if correction.length() > 1e-5 * to.leg_length {
                let ahead = lent.turns[leg.source] * Vec3::Z;
                borrowed.bend(leg, borrowed.place(leg.end) + correction, ahead);
            }
        }
        join_hands(&lent, &mut borrowed, from, to);
        borrowed.resolve();
        for (local, (rotations, translations)) in
            borrowed.local.iter().zip(rotations.iter_mut().zip(&mut translations))
        {
            rotations.push(local.rotation);
            translations.push(local.translation);
        }
    }

    let times = times.into();
    let mut tracks = Vec::new();
    for ((drive, rotations), translations) in plan.drives.iter().zip(rotations).zip(translations) {
        if to.rig.model().node(drive.node).sheared_rest.is_some() {
            continue;
        }
        let rest = to.rig.model().node(drive.node).rest.translation;
        // The parent may be scaled, so the distance is that of the whole motion rather than of the body.
        let far = translations.iter().fold(rest.length(), |far, place| far.max(place.distance(rest)));
        let moves = translations.iter().any(|place| place.distance(rest) > far * 1e-5);
        if moves || drive.node == plan.drives[plan.hips].node {
            tracks.push(keys::translations(drive.node, &times, &translations, far * 1e-6));
        }
        tracks.push(keys::rotations(drive.node, &times, rotations));
    }
    Clip { name: clip.name.clone(), duration_secs: clip.duration_secs, tracks, ..Clip::default() }
}

/// Returns the way up or down that both feet have in common, by the feet that are nearer to the ground. Taken by the
/// hips, it doesn't bend the knees.
fn lift(corrections: &[Vec<Vec3>], steps: &[Vec<Step>], at: usize) -> Vec3 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (corrections, steps) in corrections.iter().zip(steps) {
        let weight = faded(steps[at].height / 0.3) + 1e-3;
        sum += corrections[at].y * weight;
        weights += weight;
    }
    if weights > 0.0 { Vec3::Y * (sum / weights) } else { Vec3::ZERO }
}

/// Returns how far the hips have to go down after `lift`, so that legs reach feet that stand.
fn sink(borrowed: &Borrowed, corrections: &[Vec<Vec3>], steps: &[Vec<Step>], at: usize, lift: Vec3) -> f32 {
    let mut sink = 0.0_f32;
    for ((leg, corrections), steps) in borrowed.plan.legs.iter().zip(corrections).zip(steps) {
        let (way, length) = borrowed.reach(leg);
        let way = way + corrections[at] - lift;
        let across = way.with_y(0.0).length() / length;
        let missing = -way.y / length - (1.0 - across * across).max(0.0).sqrt();
        let stands = faded(steps[at].height / STANDS_BELOW);
        // The hips of a body that lies or squats don't hold its legs.
        let [near, far] = UPRIGHT_ACROSS;
        sink = sink.max(missing * length * stands * faded((across - near) / (far - near)));
    }
    sink.min(MOST_SINK * borrowed.body.leg_length)
}

/// Returns whether a clip ends with the feet where it began.
fn is_loop(lent: &mut Lent, plan: &Plan, clip: ClipIndex, times: &[f32]) -> bool {
    let mut ends = [[Vec3::ZERO; 2]; 2];
    for (ends, time_secs) in ends.iter_mut().zip([times.first(), times.last()]) {
        lent.sample(clip, time_secs.copied().unwrap_or(0.0));
        for (end, leg) in ends.iter_mut().zip(&plan.legs) {
            *end = lent.place(leg.source_end);
        }
    }
    let [first, last] = ends;
    let apart = first[0].distance(first[1]);
    first.iter().zip(&last).all(|(first, last)| first.distance(*last) <= 0.02 * apart)
}

/// Moves hands that are near each other, so that their distance is the same in widths of the shoulders.
fn join_hands(lent: &Lent, borrowed: &mut Borrowed, from: &Body, to: &Body) {
    let plan = borrowed.plan;
    let [left, right] = &plan.arms[..] else { return };
    if from.shoulder_width <= 0.0 {
        return;
    }
    let between_from = lent.place(left.source_end) - lent.place(right.source_end);
    let apart = between_from.length() / from.shoulder_width;
    let weight = faded((apart - NEAR_HANDS[0]) / (NEAR_HANDS[1] - NEAR_HANDS[0]));
    let places = [left, right].map(|arm| borrowed.place(arm.end));
    let between_to = between_from * (to.shoulder_width / from.shoulder_width);
    let correction = (between_to - (places[0] - places[1])) * (0.5 * weight);
    if correction.length() > 1e-5 * to.shoulder_width {
        for (arm, (place, correction)) in
            [left, right].into_iter().zip([(places[0], correction), (places[1], -correction)])
        {
            let upper = lent.turns[plan.drives[arm.upper].from[0]];
            borrowed.bend(arm, place + correction, upper * Vec3::NEG_Z);
        }
    }
}

/// A planted foot that would slide farther than this isn't one that stands, in lengths of a leg.
const MOST_SLIDE: f32 = 0.2;

/// The hips go down by this many lengths of a leg at most,
const MOST_SINK: f32 = 0.15;
/// less for feet above the ground, and not at all for those above this height,
const STANDS_BELOW: f32 = 0.15;
/// and for legs whose feet are up to the first distance beside the hips, and not beyond the second one.
const UPRIGHT_ACROSS: [f32; 2] = [0.7, 0.95];

/// Hands up to this distance are joined, in widths of the shoulders, and those beyond the second one aren't.
const NEAR_HANDS: [f32; 2] = [0.5, 0.9];
