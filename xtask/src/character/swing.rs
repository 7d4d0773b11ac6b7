//! Secondary motion of ears, tail, scarf, bell and hair. Each is a chain of damped pendulums, simulated over the
//! loop until the motion repeats, and then recorded.

use glam::{Mat4, Quat, Vec3};

use super::{
    clips::FRAMES_PER_SEC,
    field::limb,
    pose::Pose,
    skeleton::{EAR_TIP, Joint, SCARF_BACK, SCARF_FRONT, Side, TAIL_TIP},
};

/// A swinging chain, from its first joint to the tip of its last.
struct Chain {
    joints: Vec<Joint>,
    tip: Vec3,
    /// Acceleration towards the rest position per unit of distance, in 1/s².
    stiffness: f32,
    /// Damping ratio, where 1 is critical damping.
    damping: f32,
    /// Factor for gravity and wind.
    looseness: f32,
    /// Largest rotation of one joint from rest, in radians, so that cloth and ears don't fold back on themselves.
    limit: f32,
    /// Whether the chain is pushed out of the trunk.
    collides: bool,
}

const GRAVITY: Vec3 = Vec3::new(0.0, -6.0, 0.0);
const STEPS_PER_FRAME: usize = 10;
/// Number of loops simulated before recording, enough for the initial state to have no effect.
const WARM_UP_LOOPS: usize = 4;

fn chains() -> Vec<Chain> {
    let ear = |side: Side| Chain {
        joints: vec![Joint::Ear(side, 0), Joint::Ear(side, 1)],
        tip: side.place(EAR_TIP),
        stiffness: 340.0,
        damping: 0.32,
        looseness: 0.2,
        limit: 0.55,
        collides: false,
    };
    let scarf = |joint: fn(u8) -> Joint, tip: Vec3| Chain {
        joints: (0..3).map(joint).collect(),
        tip,
        stiffness: 55.0,
        damping: 0.5,
        looseness: 1.0,
        limit: 0.75,
        collides: true,
    };
    let single = |joint: Joint, tip: Vec3, stiffness: f32, damping: f32| Chain {
        joints: vec![joint],
        tip: joint.rest() + tip,
        stiffness,
        damping,
        looseness: 0.3,
        limit: 0.6,
        collides: false,
    };
    let tail = Chain {
        joints: vec![Joint::Tail(0), Joint::Tail(1)],
        tip: TAIL_TIP,
        stiffness: 260.0,
        damping: 0.25,
        ..single(Joint::Tail(0), Vec3::ZERO, 0.0, 0.0)
    };
    vec![
        ear(Side::Left),
        ear(Side::Right),
        tail,
        scarf(Joint::ScarfFront, SCARF_FRONT[3]),
        scarf(Joint::ScarfBack, SCARF_BACK[3]),
        Chain { looseness: 1.0, ..single(Joint::Bell, Vec3::new(0.0, -0.06, 0.0), 70.0, 0.2) },
        single(Joint::Forelock, Vec3::new(0.0, -0.03, 0.12), 420.0, 0.35),
        single(Joint::Beard, Vec3::new(0.0, -0.08, 0.0), 300.0, 0.3),
    ]
}

#[derive(Clone, Copy)]
struct Bob {
    place: Vec3,
    velocity: Vec3,
}

/// Adds the swing to the poses of one loop. The last pose equals the first, and stays equal.
pub(super) fn add_swing(poses: &mut [Pose], wind: Vec3) {
    let loop_length = poses.len() - 1;
    let bodies: Vec<Vec<Mat4>> = poses.iter().map(Pose::resolve).collect();
    for chain in chains() {
        let mut bobs: Option<Vec<Bob>> = None;
        for frame in 0..loop_length * (WARM_UP_LOOPS + 1) {
            let at = frame % loop_length;
            let mut turns = Vec::new();
            for step in 0..STEPS_PER_FRAME {
                let t = (step + 1) as f32 / STEPS_PER_FRAME as f32;
                let parent = chain.joints[0].parent().expect("chains hang on something").index();
                let body = between(bodies[at][parent], bodies[at + 1][parent], t);
                let trunk =
                    between(bodies[at][Joint::Chest.index()], bodies[at + 1][Joint::Chest.index()], t);
                turns = chain.step(&mut bobs, body, trunk, wind);
            }
            if frame >= loop_length * WARM_UP_LOOPS {
                for (joint, turn) in chain.joints.iter().zip(turns) {
                    let pose = &mut poses[at + 1];
                    pose.turns[joint.index()] = (turn * pose.turns[joint.index()]).normalize();
                }
            }
        }
        for joint in &chain.joints {
            poses[0].turns[joint.index()] = poses[loop_length].turns[joint.index()];
        }
    }
}

/// Interpolates two frames' matrices linearly, which is accurate enough over one frame.
fn between(a: Mat4, b: Mat4, t: f32) -> Mat4 {
    a * (1.0 - t) + b * t
}

impl Chain {
    fn step(&self, bobs: &mut Option<Vec<Bob>>, body: Mat4, trunk: Mat4, wind: Vec3) -> Vec<Quat> {
        let dt = 1.0 / (FRAMES_PER_SEC * STEPS_PER_FRAME as f32);
        let parent_rest = self.joints[0].parent().expect("chains hang on something").rest();
        let ends: Vec<Vec3> =
            self.joints.iter().skip(1).map(|joint| joint.rest()).chain([self.tip]).collect();
        let bobs = bobs.get_or_insert_with(|| {
            ends.iter()
                .map(|&end| Bob { place: body.transform_point3(end - parent_rest), velocity: Vec3::ZERO })
                .collect()
        });
        let (_, mut turn, _) = body.to_scale_rotation_translation();
        let mut joint_place = body.transform_point3(self.joints[0].rest() - parent_rest);
        let mut turns = Vec::new();
        for (link, bob) in bobs.iter_mut().enumerate() {
            let along_rest = ends[link] - self.joints[link].rest();
            let held = joint_place + turn * along_rest;
            let pull = (held - bob.place) * self.stiffness;
            let drag = -bob.velocity * (2.0 * self.damping * self.stiffness.sqrt());
            // Only the difference to gravity at rest acts, so that nothing sags at rest.
            let sag = GRAVITY - turn * GRAVITY;
            bob.velocity += (pull + drag + (sag + wind) * self.looseness) * dt;
            let mut place = bob.place + bob.velocity * dt;
            if self.collides {
                place = outside_trunk(place, trunk);
            }
            let along = (turn.inverse() * (place - joint_place)).normalize();
            let free = Quat::from_rotation_arc(along_rest.normalize(), along);
            let angle = free.angle_between(Quat::IDENTITY);
            let local = Quat::IDENTITY.slerp(free, (self.limit / angle.max(1e-4)).min(1.0));
            let next = joint_place + turn * (local * along_rest);
            bob.velocity = (next - bob.place) / dt;
            bob.place = next;
            turns.push(local);
            turn *= local;
            joint_place = next;
        }
        turns
    }
}

/// Pushes a point out of the sweater, approximated by a capsule fixed to the chest.
fn outside_trunk(place: Vec3, trunk: Mat4) -> Vec3 {
    let chest = Joint::Chest.rest();
    let mut local = trunk.inverse().transform_point3(place) + chest;
    let flattened = |p: Vec3| Vec3::new(p.x, p.y, p.z * 1.12);
    let (low, high) = (Vec3::new(0.0, 0.59, 0.012), Vec3::new(0.0, 0.79, 0.0));
    let depth = limb(flattened(local), low, 0.196, high, 0.155);
    if depth < 0.0 {
        let axis_point = Vec3::new(0.0, local.y.clamp(low.y, high.y), 0.0);
        local += (local - axis_point).normalize_or(Vec3::Z) * -depth;
    }
    trunk.transform_point3(local - chest)
}
