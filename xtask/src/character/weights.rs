//! Skin weights: the joints that a point of the skin follows, with their weights.

use glam::Vec3;

use super::{
    body::sleeve_depth,
    field::smoothstep,
    skeleton::{BALL, FINGERS, Finger, HIP, Joint, Side, arm_direction, finger_line},
};

/// Joints and weights of one point. The weights sum to 1, up to rounding.
pub(super) type Influences = Vec<(Joint, f32)>;

pub(super) fn only(joint: Joint) -> impl Fn(Vec3) -> Influences {
    move |_| vec![(joint, 1.0)]
}

/// Returns weights along a chain of joints, with a blend around each joint's rest position.
///
/// `blends[n]` is half the length over which `chain[n + 1]` takes over. `direction` is the chain's direction.
pub(super) fn along(p: Vec3, chain: &[Joint], blends: &[f32], direction: Vec3) -> Influences {
    let mut influences = Influences::new();
    let mut rest = 1.0;
    for (link, &joint) in chain.iter().enumerate() {
        let passed_on = match chain.get(link + 1) {
            Some(next) => {
                let beyond = (p - next.rest()).dot(direction);
                smoothstep(-blends[link], blends[link], beyond)
            }
            None => 0.0,
        };
        influences.push((joint, rest * (1.0 - passed_on)));
        rest *= passed_on;
    }
    influences
}

/// Blends two sets of weights, with `share` for the second and the remainder for the first.
pub(super) fn blend(mut a: Influences, b: Influences, share: f32) -> Influences {
    for influence in &mut a {
        influence.1 *= 1.0 - share;
    }
    for (joint, weight) in b {
        match a.iter_mut().find(|influence| influence.0 == joint) {
            Some(influence) => influence.1 += weight * share,
            None => a.push((joint, weight * share)),
        }
    }
    a
}

fn side_of(p: Vec3) -> Side {
    if p.x >= 0.0 { Side::Left } else { Side::Right }
}

/// Returns the weights of the trunk, from the hips up to the neck.
pub(super) fn trunk(p: Vec3) -> Influences {
    along(p, &[Joint::Hips, Joint::Spine, Joint::Chest, Joint::Neck], &[0.06, 0.07, 0.04], Vec3::Y)
}

/// Returns the weights of the sweater's trunk and sleeves.
pub(super) fn sweater(p: Vec3) -> Influences {
    let side = side_of(p);
    let direction = side.place(arm_direction());
    let onto_shoulder = smoothstep(0.03, 0.12, p.x.abs()) * smoothstep(0.66, 0.78, p.y) * 0.7;
    let body = blend(trunk(p), vec![(Joint::Shoulder(side), 1.0)], onto_shoulder);
    let arm = along(
        p,
        &[Joint::UpperArm(side), Joint::LowerArm(side), Joint::Hand(side)],
        &[0.055, 0.03],
        direction,
    );
    let beyond = (p - Joint::UpperArm(side).rest()).dot(direction);
    blend(body, arm, smoothstep(-0.04, 0.055, sleeve_depth(p)) * smoothstep(-0.075, 0.045, beyond))
}

pub(super) fn hand(p: Vec3) -> Influences {
    let side = side_of(p);
    let wrist = smoothstep(-0.03, 0.03, (p - Joint::Hand(side).rest()).dot(side.place(arm_direction())));
    let mut nearest: Vec<(f32, Finger)> = FINGERS
        .iter()
        .map(|&finger| {
            let [root, tip] = finger_line(finger).map(|point| side.place(point));
            let axis = tip - root;
            let t = ((p - root).dot(axis) / axis.length_squared()).clamp(0.0, 1.0);
            ((p - root - axis * t).length(), finger)
        })
        .collect();
    nearest.sort_by(|a, b| a.0.total_cmp(&b.0));
    let finger = nearest[0].1;
    let [root, tip] = finger_line(finger).map(|point| side.place(point));
    let direction = (tip - root).normalize();
    let chain = [Joint::Hand(side), Joint::Finger(side, finger, 0), Joint::Finger(side, finger, 1)];
    let palm_and_finger = along(p, &chain, &[0.02, 0.018], direction);
    blend(vec![(Joint::LowerArm(side), 1.0)], palm_and_finger, wrist)
}

/// Returns the weights of the shorts: the hips above, one leg's joints on each side, and a blend in the middle.
pub(super) fn shorts(p: Vec3) -> Influences {
    let below = smoothstep(HIP.y + 0.035, HIP.y - 0.075, p.y);
    let leftness = smoothstep(-0.03, 0.03, p.x);
    let mut influences = vec![(Joint::Hips, 1.0 - below)];
    for (side, share) in [(Side::Left, leftness), (Side::Right, 1.0 - leftness)] {
        let knee = smoothstep(0.06, -0.06, p.y - Joint::LowerLeg(side).rest().y) * 0.7;
        influences.push((Joint::UpperLeg(side), below * share * (1.0 - knee)));
        influences.push((Joint::LowerLeg(side), below * share * knee));
    }
    influences
}

pub(super) fn leg(p: Vec3) -> Influences {
    let side = side_of(p);
    let chain = [Joint::UpperLeg(side), Joint::LowerLeg(side), Joint::Foot(side)];
    along(p, &chain, &[0.05, 0.03], Vec3::NEG_Y)
}

pub(super) fn boot(p: Vec3) -> Influences {
    let side = side_of(p);
    let shaft = smoothstep(0.072, 0.142, p.y);
    let toes = smoothstep(-0.03, 0.03, p.z - BALL.z) * smoothstep(0.16, 0.08, p.y);
    let foot = blend(vec![(Joint::Foot(side), 1.0)], vec![(Joint::Toes(side), 1.0)], toes);
    blend(foot, vec![(Joint::LowerLeg(side), 1.0)], shaft)
}

/// Returns the weights of the head without its ears.
pub(super) fn skull(p: Vec3) -> Influences {
    let neck = smoothstep(0.93, 0.86, p.y) * 0.5 * smoothstep(0.2, 0.1, p.z);
    vec![(Joint::Head, 1.0 - neck), (Joint::Neck, neck)]
}

pub(super) fn ear(p: Vec3) -> Influences {
    let side = side_of(p);
    let root = Joint::Ear(side, 0).rest();
    let direction = (Joint::Ear(side, 1).rest() - root).normalize();
    let ear = along(p, &[Joint::Ear(side, 0), Joint::Ear(side, 1)], &[0.07], direction);
    blend(vec![(Joint::Head, 1.0)], ear, smoothstep(-0.015, 0.06, (p - root).dot(direction)))
}
