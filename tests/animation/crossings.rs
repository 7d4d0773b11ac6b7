//! Transitions in which only the new motion plays: inertialization and dead blending.

use crate::blending::{SEEDS, assert_close, sampled_from, second_clip};
use crate::support::made_model::{
    Random, any_model, at, bits, every_node, first_clip, model, nodes, rig, turned,
};
use gambol::animation::reference::ReferencePose;
use gambol::animation::{DeadBlending, Inertia, LocalPose, Rig};
use gambol::model::Srt;
use glam::{Quat, Vec3};

/// Returns a pose with the node at `x`, rotated by `angle` radians about X.
fn standing(rig: &Rig, x: f32, angle: f32) -> LocalPose {
    let mut pose = LocalPose::rest(rig);
    pose.set_srt(at(0), Srt { translation: Vec3::X * x, ..turned(Quat::from_rotation_x(angle)) });
    pose
}

fn one_node() -> Rig {
    rig(model(nodes(&[(None, Srt::IDENTITY)]), vec![]))
}

fn x_and_angle(pose: &LocalPose) -> [f32; 2] {
    let Srt { translation, rotation, .. } = pose.srt(at(0));
    [translation.x, 2.0 * rotation.x.atan2(rotation.w)]
}

#[test]
fn through_a_cut_place_and_speed_go_on() {
    let rig = one_node();
    let dt = 1.0 / 60.0;
    // Old pose: x is 2 and changes by 3 per second; the angle is 1 and changes by −2 per second. New pose: at rest
    // elsewhere.
    let [shown, shown_later] = [0.0, dt].map(|time| standing(&rig, 2.0 + 3.0 * time, 1.0 - 2.0 * time));
    let new = standing(&rig, 1.5, -0.5);
    let mut inertia = Inertia::new(&rig);
    inertia.start([&shown, &shown_later], [&new, &new], dt, 0.4);
    let after = |elapsed: f32| {
        let mut pose = new.clone();
        inertia.apply(elapsed, &mut pose);
        x_and_angle(&pose)
    };
    let near = |a: [f32; 2], b: [f32; 2], tolerance: f32| (0..2).all(|i| (a[i] - b[i]).abs() < tolerance);
    assert!(near(after(0.0), [2.0, 1.0], 1e-6), "{:?}", after(0.0));
    // After a millisecond the pose has moved at the old speed, within the accuracy of the step.
    assert!(near(after(0.001), [2.003, 0.998], 1e-4), "{:?}", after(0.001));
    // No step exceeds what speed and distance require, and the transition ends with zero speed.
    for step in 1..=400 {
        let (a, b) = (after((step - 1) as f32 * 0.001), after(step as f32 * 0.001));
        assert!(near(a, b, 0.02), "{a:?} to {b:?}");
    }
    assert!(near(after(0.399), [1.5, -0.5], 1e-5));
}

#[test]
fn once_its_duration_is_over_nothing_is_left_bit_for_bit() {
    for seed in SEEDS {
        let rig = rig(any_model(&mut Random::new(seed)));
        let poses = [0.1, 0.12].map(|time| sampled_from(&rig, first_clip(), time));
        let later = [0.4, 0.42].map(|time| sampled_from(&rig, second_clip(), time));
        let mut inertia = Inertia::new(&rig);
        let mut pose = later[0].clone();
        inertia.apply(0.0, &mut pose);
        assert_eq!(bits(&rig, &pose), bits(&rig, &later[0]), "seed {seed}: not yet started");
        for (duration, elapsed) in [(0.3, 0.3), (0.3, 9.0), (0.3, f32::NAN), (0.0, 0.0), (f32::NAN, 0.0)] {
            inertia.start([&poses[0], &poses[1]], [&later[0], &later[1]], 0.02, duration);
            inertia.apply(elapsed, &mut pose);
            assert_eq!(bits(&rig, &pose), bits(&rig, &later[0]), "seed {seed}, {elapsed} of {duration}");
        }
    }
}

#[test]
fn what_heads_for_its_place_does_not_pass_it() {
    let rig = one_node();
    let new = standing(&rig, 0.0, 0.0);
    for speed in [-0.1, -1.0, -4.0, -8.0, -9.9, -10.1, -30.0, -500.0] {
        let dt = 1e-3;
        let shown = [0.0, dt].map(|time| standing(&rig, 1.0 + speed * time, 0.0));
        let mut inertia = Inertia::new(&rig);
        inertia.start([&shown[0], &shown[1]], [&new, &new], dt, 0.5);
        let mut last = 1.0;
        for step in 0..=500 {
            let mut pose = new.clone();
            inertia.apply(step as f32 * 0.001, &mut pose);
            let x = pose.srt(at(0)).translation.x;
            assert!((0.0..=last + 1e-6).contains(&x), "speed {speed}, step {step}: {x} after {last}");
            last = x;
        }
        assert!(last < 1e-6);
    }
}

#[test]
fn inertia_takes_the_short_way_round() {
    let rig = one_node();
    let new = standing(&rig, 0.0, 0.0);
    let mut shown = standing(&rig, 0.0, 0.0);
    shown.set_srt(at(0), turned(-Quat::from_rotation_x(0.4)));
    let mut inertia = Inertia::new(&rig);
    inertia.start([&shown, &shown], [&new, &new], 0.01, 1.0);
    for step in 0..10 {
        let mut pose = new.clone();
        inertia.apply(step as f32 * 0.1, &mut pose);
        let [_, angle] = x_and_angle(&pose);
        assert!((0.0..=0.4 + 1e-6).contains(&angle), "step {step}: {angle}");
    }
}

#[test]
fn inertia_equals_its_plain_twin() {
    for seed in SEEDS {
        let mut random = Random::new(seed);
        let model = any_model(&mut random);
        let rig = rig(model.clone());
        let mut inertia = Inertia::new(&rig);
        let dt = 1.0 / 32.0;
        for _ in 0..5 {
            let (shown, new) = (random.between(0.0, 1.0), random.between(0.0, 1.0));
            let later = |time: f32| [time, time + dt];
            let before = later(shown).map(|time| sampled_from(&rig, first_clip(), time));
            let after = later(new).map(|time| sampled_from(&rig, second_clip(), time));
            let plain_before = later(shown).map(|time| ReferencePose::sample(&model, first_clip(), time));
            let plain_after = later(new).map(|time| ReferencePose::sample(&model, second_clip(), time));
            inertia.start([&before[0], &before[1]], [&after[0], &after[1]], dt, 0.25);
            for elapsed in [0.0, 0.05, 0.125, 0.2] {
                let mut pose = after[0].clone();
                inertia.apply(elapsed, &mut pose);
                let plain = plain_after[0].with_inertia(
                    [&plain_before[0], &plain_before[1]],
                    [&plain_after[0], &plain_after[1]],
                    dt.into(),
                    0.25,
                    elapsed.into(),
                );
                for node in every_node(&rig) {
                    let index = node.get();
                    let turn = plain_before[0].rotations[index] * plain_after[0].rotations[index].conjugate();
                    // At half a turn both arcs are equally short, and rounding decides.
                    if turn.w.abs() > 1e-4 {
                        // The velocity is a difference over a thirtieth of a second, which multiplies rounding by
                        // thirty.
                        assert_close(&rig, node, &pose, &plain, 1e-4, &format!("seed {seed} at {elapsed}"));
                    }
                }
            }
        }
    }
}

// Dead blending.

/// Returns a blending from a node at `x` that moves by `speed` per second, to a node that rests at 0. The angle does
/// the same.
fn dead(rig: &Rig, x: f32, speed: f32) -> DeadBlending {
    let dt = 1.0 / 512.0;
    let [shown, later] = [0.0, dt].map(|time| standing(rig, x + speed * time, x + speed * time));
    let mut blending = DeadBlending::new(rig);
    blending.start([&shown, &later], &standing(rig, 0.0, 0.0), dt);
    blending
}

/// Returns where the blending shows a node of a new motion that stands at `new`.
fn shown(rig: &Rig, blending: &DeadBlending, elapsed: f32, weight: f32, new: f32) -> [f32; 2] {
    let mut pose = standing(rig, new, new);
    blending.apply(elapsed, weight, &mut pose);
    x_and_angle(&pose)
}

#[test]
fn the_old_velocity_decays_by_its_half_life() {
    let rig = one_node();
    // Away from the goal, with the shortest half-life: after 0.05 s half of the way is left.
    let blending = dead(&rig, 0.1, 1.0);
    let way = 0.05 / std::f32::consts::LN_2;
    for (halves, left) in [(0.0, 1.0), (1.0, 0.5), (2.0, 0.25), (4.0, 1.0 / 16.0), (400.0, 0.0)] {
        let [x, angle] = shown(&rig, &blending, halves * 0.05, 0.0, 9.0);
        let expected = 0.1 + way * (1.0 - left);
        // The velocity of the angle is a difference of rounded quaternions, over 1/512 s.
        assert!((x - expected).abs() < 2e-5 && (angle - expected).abs() < 1e-3, "{halves}: {x}, {angle}");
    }
    // Towards the goal: comes to rest there.
    let blending = dead(&rig, 0.4, -1.0);
    for (elapsed, expected) in [(0.0, 0.4), (0.4 * std::f32::consts::LN_2, 0.2), (100.0, 0.0)] {
        let [x, angle] = shown(&rig, &blending, elapsed, 0.0, 9.0);
        assert!((x - expected).abs() < 1e-5 && (angle - expected).abs() < 2e-3, "{elapsed}: {x}, {angle}");
    }
    // Slowly towards a goal that is far: stops on its way. Too fast: passes it by little.
    let far = shown(&rig, &dead(&rig, 10.0, -1.0), 1e9, 0.0, 9.0)[0];
    assert!((far - (10.0 - std::f32::consts::LOG2_E)).abs() < 1e-3, "{far}");
    let fast = shown(&rig, &dead(&rig, 0.1, -10.0), 1e9, 0.0, 9.0)[0];
    assert!((fast - (0.1 - 10.0 * way)).abs() < 1e-3, "{fast}");
}

#[test]
fn dead_blending_stays_near_where_inertia_overshoots() {
    let rig = one_node();
    // One unit from the goal, and moving away from it by 10 per second.
    let new = standing(&rig, 0.0, 0.0);
    let [before, later] = [0.0, 1e-3].map(|time| standing(&rig, 1.0 + 10.0 * time, 0.0));
    let mut inertia = Inertia::new(&rig);
    inertia.start([&before, &later], [&new, &new], 1e-3, 1.0);
    let mut blending = DeadBlending::new(&rig);
    blending.start([&before, &later], &new, 1e-3);
    let mut farthest = [0.0_f32; 2];
    for step in 0..=100 {
        let share = step as f32 / 100.0;
        let mut poses = [new.clone(), new.clone()];
        inertia.apply(share, &mut poses[0]);
        blending.apply(share, share * share * (3.0 - 2.0 * share), &mut poses[1]);
        for (farthest, pose) in farthest.iter_mut().zip(&poses) {
            *farthest = farthest.max(pose.srt(at(0)).translation.x);
        }
    }
    let [by_inertia, by_dead_blending] = farthest;
    assert!(by_inertia > 2.7 && by_dead_blending < 1.0 + 0.722, "{farthest:?}");
}

#[test]
fn the_weight_goes_from_the_old_pose_to_the_new_one() {
    let rig = one_node();
    let blending = dead(&rig, 0.5, 0.0);
    for (weight, expected) in [(0.0, 0.5), (0.25, 0.625), (0.5, 0.75), (1.0, 1.0)] {
        let [x, angle] = shown(&rig, &blending, 0.2, weight, 1.0);
        // Rotations are blended by NLERP.
        assert!((x - expected).abs() < 1e-6 && (angle - expected).abs() < 1e-3, "{weight}: {x}, {angle}");
    }
}

#[test]
fn what_both_motions_leave_at_the_same_place_follows_the_new_one_bit_for_bit() {
    let rig = one_node();
    let mut blending = DeadBlending::new(&rig);
    let start = standing(&rig, 0.7, 0.3);
    blending.start([&start, &standing(&rig, 0.8, 0.5)], &start, 0.01);
    let new = standing(&rig, 0.123, -0.7);
    let mut pose = new.clone();
    blending.apply(0.1, 0.3, &mut pose);
    assert_eq!(bits(&rig, &pose), bits(&rig, &new));
}

#[test]
fn dead_blending_does_not_flip_where_the_other_way_round_becomes_shorter() {
    let rig = one_node();
    // 2.6 radians apart. Both turn away from each other, by more than half a turn in the end.
    let [before, later] = [0.0, 1e-3].map(|time| standing(&rig, 0.0, 2.6 + 6.0 * time));
    let mut blending = DeadBlending::new(&rig);
    blending.start([&before, &later], &standing(&rig, 0.0, 0.0), 1e-3);
    let mut last = None;
    for step in 0..=400 {
        let (elapsed, share) = (step as f32 * 0.001, step as f32 / 400.0);
        let mut pose = standing(&rig, 0.0, -3.0 * elapsed);
        blending.apply(elapsed, share * share * (3.0 - 2.0 * share), &mut pose);
        let rotation = pose.srt(at(0)).rotation;
        let turned = last.replace(rotation).map_or(0.0, |last: Quat| last.angle_between(rotation));
        assert!(turned < 0.05, "step {step}: {turned}");
    }
}

#[test]
fn dead_blending_does_not_turn_a_scale_inside_out() {
    let rig = one_node();
    let scaled = |y: f32| {
        let mut pose = LocalPose::rest(&rig);
        pose.set_srt(at(0), Srt { scale: Vec3::new(1.0, y, -y), ..Srt::IDENTITY });
        pose
    };
    let mut blending = DeadBlending::new(&rig);
    blending.start([&scaled(0.05), &scaled(0.03)], &scaled(1.0), 0.01);
    for step in 0..=100 {
        let mut pose = scaled(1.0);
        blending.apply(step as f32 * 0.01, step as f32 * 0.01, &mut pose);
        let Srt { scale, .. } = pose.srt(at(0));
        assert!(scale.y >= 0.0 && scale.z <= 0.0, "{step}: {scale}");
    }
}

#[test]
fn dead_blending_has_no_effect_before_its_start_and_after_its_end() {
    for seed in SEEDS {
        let rig = rig(any_model(&mut Random::new(seed)));
        let before = [0.1, 0.12].map(|time| sampled_from(&rig, first_clip(), time));
        let new = sampled_from(&rig, second_clip(), 0.4);
        let mut blending = DeadBlending::new(&rig);
        let mut pose = new.clone();
        blending.apply(0.0, 0.0, &mut pose);
        assert_eq!(bits(&rig, &pose), bits(&rig, &new), "seed {seed}: not yet started");
        blending.start([&before[0], &before[1]], &new, 0.02);
        for weight in [1.0, 2.0, f32::NAN] {
            blending.apply(0.3, weight, &mut pose);
            assert_eq!(bits(&rig, &pose), bits(&rig, &new), "seed {seed}, weight {weight}");
        }
        for (dt, elapsed) in [(0.0, 0.1), (-1.0, 0.1), (f32::NAN, 0.1), (0.02, f32::MAX), (0.02, -1.0)] {
            blending.start([&before[0], &before[1]], &new, dt);
            let mut pose = new.clone();
            blending.apply(elapsed, 0.5, &mut pose);
            for node in every_node(&rig) {
                let Srt { scale, rotation, translation } = pose.srt(node);
                let is_finite = scale.is_finite() && rotation.is_normalized() && translation.is_finite();
                assert!(is_finite, "seed {seed}, {dt}, {elapsed}: {:?}", pose.srt(node));
            }
        }
    }
}

#[test]
fn dead_blending_equals_its_plain_twin() {
    for seed in SEEDS {
        let mut random = Random::new(seed);
        let model = any_model(&mut random);
        let rig = rig(model.clone());
        let mut blending = DeadBlending::new(&rig);
        let dt = 1.0 / 32.0;
        for _ in 0..5 {
            let (old, new) = (random.between(0.0, 1.0), random.between(0.0, 1.0));
            let before = [old, old + dt].map(|time| sampled_from(&rig, first_clip(), time));
            let after = sampled_from(&rig, second_clip(), new);
            let plain_before = [old, old + dt].map(|time| ReferencePose::sample(&model, first_clip(), time));
            let plain_after = ReferencePose::sample(&model, second_clip(), new);
            blending.start([&before[0], &before[1]], &after, dt);
            for (elapsed, weight) in [(0.0, 0.0), (0.05, 0.1), (0.2, 0.5), (1.5, 0.875)] {
                let mut pose = sampled_from(&rig, second_clip(), new + elapsed);
                let plain_held = ReferencePose::sample(&model, second_clip(), new + elapsed);
                blending.apply(elapsed, weight, &mut pose);
                let plain = plain_held.with_dead_blending(
                    [&plain_before[0], &plain_before[1]],
                    &plain_after,
                    dt.into(),
                    elapsed.into(),
                    weight.into(),
                );
                for node in every_node(&rig) {
                    let index = node.get();
                    let goal = plain_after.rotations[index];
                    let turn = plain_before[0].rotations[index] * goal.conjugate();
                    let new = plain_held.rotations[index] * goal.conjugate();
                    let unblended = plain_held.with_dead_blending(
                        [&plain_before[0], &plain_before[1]],
                        &plain_after,
                        dt.into(),
                        elapsed.into(),
                        0.0,
                    );
                    // Opposite quaternions cancel each other.
                    let old = unblended.rotations[index] * goal.conjugate();
                    let cancels = weight == 0.5 && old.dot(new).abs() > 0.9;
                    // At half a turn both arcs are equally short, and rounding decides.
                    if turn.w.abs() > 1e-4 && new.w.abs() > 1e-4 && !cancels {
                        assert_close(&rig, node, &pose, &plain, 1e-3, &format!("seed {seed} at {elapsed}"));
                    }
                }
            }
        }
    }
}
