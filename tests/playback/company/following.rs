//! Actors that are attached to a node of another one, and outfits.

use super::{PLAYER, add, assert_alike, assert_held, frames, matrices, place, rig_of, showing};
use crate::support::figure::{ARM, fading, figure, playing};
use crate::support::made_model::{Random, any_model, at, clip, model, moved, nodes, slider, track, turned};
use crate::support::tail::{TIP, joint, pulled, tail};
use gambol::import::ImportReport;
use gambol::model::{ClipIndex, Interpolation, Model, Spring, SpringEnd, Srt, TrackValues};
use gambol::playback::{PlayOptions, RootMotion};
use gambol::player::{Crowd, NodeOverride};
use glam::{Affine3A, Mat4, Quat, Vec3};

#[test]
fn what_is_attached_follows_through_clips_fades_overrides_and_crowds() {
    let mut player = playing("walk");
    let sword = add(&mut player, &rig_of(slider()));
    let offset = place(2);
    let hand = (PLAYER, at(ARM));
    player.attach_actor(sword, Some(hand), &offset).unwrap();
    assert_held(&mut player, sword, hand, &offset);
    let mut places = Vec::new();
    for frame in 0..200 {
        match frame {
            50 => {
                let run = player.find_clip("run").unwrap();
                player.play(run, &fading(0.5)).unwrap();
            }
            80 => player.set_place(0, place(4)).unwrap(),
            100 => player.seek(0.2).unwrap(),
            120 => {
                let turn = Some(Quat::from_rotation_z(1.0));
                player.set_node(at(ARM), &NodeOverride { rotation: turn, ..Default::default() }).unwrap();
            }
            140 => player.crowd(5, &Crowd::default()).unwrap(),
            160 => player.reach(at(ARM), Some(Vec3::new(0.5, 3.0, 1.0)), None, 1.0).unwrap(),
            _ => {}
        }
        frames(&mut player, 1);
        places.push(player.actor_place(sword).unwrap());
        assert_held(&mut player, sword, hand, &offset);
    }
    let count = places.len();
    places.dedup();
    assert!(places.len() > count - 10, "it moves in nearly every frame: {} of {count}", places.len());
}

#[test]
fn what_is_attached_follows_root_motion() {
    let ahead = TrackValues::Translation(vec![Vec3::ZERO, Vec3::Z * 2.0]);
    let stride = clip("stride", vec![track(0, Interpolation::Linear, &[0.0, 1.0], ahead)]);
    let holder = model(nodes(&[(None, Srt::IDENTITY), (Some(0), moved(Vec3::X))]), vec![stride]);
    let mut player = showing(&rig_of(holder));
    player.set_root_motion(ClipIndex::new(0), RootMotion::Move).unwrap();
    player.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
    let held = add(&mut player, &rig_of(slider()));
    player.attach_actor(held, Some((PLAYER, at(1))), &Affine3A::IDENTITY).unwrap();
    frames(&mut player, 300);
    assert_held(&mut player, held, (PLAYER, at(1)), &Affine3A::IDENTITY);
    let way = player.actor_place(held).unwrap().translation;
    assert!(way.abs_diff_eq(Vec3::new(1.0, 0.0, 10.0).into(), 1e-3), "{way}");
}

#[test]
fn the_scale_of_a_skeleton_in_centimeters_is_left_out_and_that_of_a_place_is_not() {
    let armature = Srt { scale: Vec3::splat(0.01), ..turned(Quat::from_rotation_x(1.0)) };
    let larger = TrackValues::Scale(vec![Vec3::ONE, Vec3::splat(3.0)]);
    let grow = clip("grow", vec![track(1, Interpolation::Linear, &[0.0, 1.0], larger)]);
    let holder = model(nodes(&[(None, armature), (Some(0), moved(Vec3::Y * 100.0))]), vec![grow]);
    let mut player = showing(&rig_of(holder));
    let held = add(&mut player, &rig_of(slider()));
    let offset = Affine3A::from_translation(Vec3::X * 0.5);
    player.attach_actor(held, Some((PLAYER, at(1))), &offset).unwrap();
    let turn = Affine3A::from_rotation_x(1.0);
    let expected = |scale: f32, offset: f32| {
        let at_node = turn * Affine3A::from_translation(Vec3::Y);
        [Mat4::from(
            at_node * Affine3A::from_translation(Vec3::X * offset) * Affine3A::from_scale(Vec3::splat(scale)),
        )]
    };
    assert_alike(&[player.actor_place(held).unwrap().into()], &expected(1.0, 0.5));
    player.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
    player.advance(0.5).unwrap();
    player.pose();
    assert_alike(&[player.actor_place(held).unwrap().into()], &expected(2.0, 1.0));
    player.stop();
    let place = Affine3A::from_scale(Vec3::splat(4.0));
    player.set_place(0, place).unwrap();
    player.pose();
    let [expected] = expected(1.0, 0.5);
    assert_alike(&[player.actor_place(held).unwrap().into()], &[Mat4::from(place) * expected]);
}

#[test]
fn chains_of_attachments_follow_in_the_same_frame_in_whatever_order_they_were_made() {
    for (order, chain) in [
        ([0, 1, 2, 3], [0, 1, 2, 3]),
        ([3, 2, 1, 0], [3, 2, 1, 0]),
        ([0, 1, 2, 3], [3, 1, 2, 0]),
        ([2, 0, 3, 1], [1, 3, 0, 2]),
    ] {
        let mut player = playing("walk");
        let added: Vec<_> = (0..4).map(|_| add(&mut player, &rig_of(figure()))).collect();
        let ids = chain.map(|nth| added[nth]);
        for nth in order {
            let leader = if nth == 0 { PLAYER } else { ids[nth - 1] };
            player.attach_actor(ids[nth], Some((leader, at(ARM))), &place(1)).unwrap();
        }
        for id in &ids {
            let actor = player.actor_mut(*id).unwrap();
            actor.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
        }
        for _ in 0..50 {
            frames(&mut player, 1);
            let mut expected = player.world_matrix(ARM, 0).unwrap();
            for &id in &ids {
                expected *= Mat4::from(place(1));
                assert_alike(&[player.actor_place(id).unwrap().into()], &[expected]);
                expected = player.actor_mut(id).unwrap().world_matrix(ARM, 0).unwrap();
            }
        }
        let sorted: Vec<_> = player.actors().collect();
        assert_eq!(sorted, ids, "leaders before followers");
    }
}

#[test]
fn another_model_ends_what_followed_the_one_before_and_the_same_one_does_not() {
    let mut player = playing("walk");
    let rig = rig_of(figure());
    let [held, outfit] = [add(&mut player, &rig), add(&mut player, &rig)];
    player.place_actor(held, place(5)).unwrap();
    player.attach_actor(held, Some((PLAYER, at(ARM))), &place(1)).unwrap();
    player.wear_actor(outfit, Some(PLAYER)).unwrap();
    let same = player.rig().unwrap().clone();
    player.show(same, ImportReport::default());
    player.play(ClipIndex::new(1), &PlayOptions::default()).unwrap();
    frames(&mut player, 10);
    assert_held(&mut player, held, (PLAYER, at(ARM)), &place(1));
    let worn = matrices(&mut player, PLAYER);
    assert_eq!(matrices(&mut player, outfit), worn);

    player.show(rig_of(slider()), ImportReport::default());
    frames(&mut player, 2);
    assert_eq!(player.actor_place(held).unwrap(), place(5));
    assert_eq!(player.actor_place(outfit).unwrap(), Affine3A::IDENTITY);
    let at_rest = showing(&rig).world_matrices(0).unwrap();
    assert_eq!(matrices(&mut player, outfit), at_rest);
    // An outfit that becomes another model follows no more.
    let wearer = add(&mut player, &rig);
    player.wear_actor(outfit, Some(wearer)).unwrap();
    player.actor_mut(outfit).unwrap().show(rig.clone(), ImportReport::default());
    player.actor_mut(wearer).unwrap().play(ClipIndex::new(1), &PlayOptions::default()).unwrap();
    frames(&mut player, 2);
    assert_eq!(matrices(&mut player, outfit), at_rest);
    player.unload();
    frames(&mut player, 2);
    assert_eq!(player.actors().count(), 3);
}

#[test]
fn springs_of_what_is_carried_swing_as_long_as_it_takes() {
    let mut player = showing(&rig_of(slider()));
    let tassel = add(&mut player, &rig_of(pulled(tail(), 0.5)));
    player.attach_actor(tassel, Some((PLAYER, at(0))), &Affine3A::IDENTITY).unwrap();
    frames(&mut player, 600);
    assert!(!player.is_moving(), "it hangs still");
    let hanging = matrices(&mut player, tassel)[TIP];
    player.play(ClipIndex::new(0), &PlayOptions { speed: 0.5, ..PlayOptions::default() }).unwrap();
    frames(&mut player, 60);
    let swung = matrices(&mut player, tassel);
    let lag = swung[TIP].w_axis.x - swung[0].w_axis.x;
    assert!(lag < -0.01, "the tip is behind: {lag}");
    player.pause();
    assert!(player.is_moving());
    frames(&mut player, 600);
    assert!(!player.is_moving());
    let body = matrices(&mut player, tassel)[0].w_axis - Mat4::IDENTITY.w_axis;
    let still = matrices(&mut player, tassel)[TIP];
    let moved = Vec3::X * body.x;
    assert!((still.w_axis.truncate() - hanging.w_axis.truncate()).abs_diff_eq(moved, 2e-3));
}

#[test]
fn springs_at_rest_take_the_first_movement_of_their_leader_with_its_time() {
    let mut with_clip = pulled(tail(), 0.5);
    let still = TrackValues::Translation(vec![Vec3::Y, Vec3::Y]);
    with_clip.clips = vec![clip("still", vec![track(0, Interpolation::Linear, &[0.0, 1.0], still)])];
    let rig = rig_of(with_clip);
    let mut player = showing(&rig_of(slider()));
    let [resting, playing] = [add(&mut player, &rig), add(&mut player, &rig)];
    for id in [resting, playing] {
        player.attach_actor(id, Some((PLAYER, at(0))), &Affine3A::IDENTITY).unwrap();
    }
    frames(&mut player, 600);
    assert!(!player.is_moving());
    player.actor_mut(playing).unwrap().play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
    frames(&mut player, 10);
    player.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
    for frame in 0..60 {
        frames(&mut player, 1);
        let [resting, playing] = [resting, playing].map(|id| matrices(&mut player, id)[TIP].w_axis);
        assert!(resting.abs_diff_eq(playing, 1e-4), "frame {frame}: {resting} {playing}");
    }
}

#[test]
fn an_outfit_has_the_pose_of_its_wearer_bit_for_bit() {
    for seed in 0..20 {
        let rig = rig_of(any_model(&mut Random::new(seed)));
        let mut player = showing(&rig);
        player.set_place(0, place(2)).unwrap();
        player.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
        let outfit = add(&mut player, &rig);
        if player.wear_actor(outfit, Some(PLAYER)).is_err() {
            continue;
        }
        frames(&mut player, 20);
        let shears = rig.model().nodes.iter().any(|node| node.sheared_rest.is_some());
        if !shears {
            let expected = matrices(&mut player, PLAYER);
            assert_eq!(matrices(&mut player, outfit), expected, "seed {seed}");
        }
        player.wear_actor(outfit, None).unwrap();
        let at_rest = showing(&rig).world_matrices(0).unwrap();
        assert_eq!(matrices(&mut player, outfit), at_rest, "seed {seed}");
    }
}

#[test]
fn nodes_between_worn_ones_keep_their_own_and_worn_ones_are_where_the_wearer_has_them() {
    // Wearer: hips, spine, hand. Outfit: a scaled, turned holder above, a belt between hips and spine, a ribbon with
    // springs at the hand. The hand has another parent.
    let wearer = nodes(&[
        (None, moved(Vec3::Y)),
        (Some(0), moved(Vec3::Y)),
        (Some(1), Srt { scale: Vec3::splat(1.5), ..moved(Vec3::X) }),
    ]);
    let bend = |angle: f32| TrackValues::Rotation(vec![Quat::IDENTITY, Quat::from_rotation_z(angle)]);
    let bends = (0..3).map(|node| track(node, Interpolation::Linear, &[0.0, 1.0], bend(node as f32 - 1.3)));
    let mut wearer = model(wearer, vec![clip("bend", bends.collect())]);
    let named = |model: &mut Model, names: &[&str]| {
        for (node, name) in model.nodes.iter_mut().zip(names) {
            node.name = (*name).into();
        }
    };
    named(&mut wearer, &["Hips", "Spine", "Hand"]);
    let armature = Srt { scale: Vec3::splat(0.1), ..turned(Quat::from_rotation_x(-1.0)) };
    let mut outfit = model(
        nodes(&[
            (None, armature),
            (Some(0), Srt::IDENTITY),
            (Some(1), moved(Vec3::Z * 0.2)),
            (Some(2), Srt::IDENTITY),
            (Some(2), Srt::IDENTITY),
            (Some(4), moved(Vec3::NEG_Z * 0.5)),
            (Some(5), moved(Vec3::NEG_Z * 0.5)),
        ]),
        Vec::new(),
    );
    named(&mut outfit, &["Coat", "rig:hips", "Belt", "rig:spine", "rig:hand", "Ribbon", "Ribbon end"]);
    let ribbon = joint(5, SpringEnd::Node(at(6)));
    outfit.springs.springs.push(Spring { joints: vec![ribbon], ..Spring::default() });
    let mut player = showing(&rig_of(wearer));
    player.set_place(0, place(1)).unwrap();
    let coat = add(&mut player, &rig_of(pulled(outfit, 0.5)));
    player.wear_actor(coat, Some(PLAYER)).unwrap();
    player.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
    // What the outfit holds is where its last pose places it, so that pose must follow without passing time.
    let ring = add(&mut player, &rig_of(slider()));
    // In the file of the coat, its nodes have a scale of 0.1.
    let offset = Affine3A::from_scale(Vec3::splat(0.1));
    player.attach_actor(ring, Some((coat, at(5))), &offset).unwrap();
    player.seek(0.7).unwrap();
    let ribbon = matrices(&mut player, coat)[5];
    assert_alike(&[player.actor_place(ring).unwrap().into()], &[ribbon]);
    let (of_wearer, of_coat) = (matrices(&mut player, PLAYER), matrices(&mut player, coat));
    assert_alike(&[of_coat[1], of_coat[3], of_coat[4]], &of_wearer);
    let mut swings = Vec::new();
    for _ in 0..100 {
        frames(&mut player, 1);
        let (of_wearer, of_coat) = (matrices(&mut player, PLAYER), matrices(&mut player, coat));
        assert_alike(&[of_coat[1], of_coat[3], of_coat[4]], &of_wearer);
        assert_alike(&[of_coat[2]], &[of_coat[1] * Mat4::from_translation(Vec3::Z * 0.2)]);
        swings.push((of_coat[5].inverse() * of_coat[6]).w_axis.truncate());
        let down = (of_coat[6].w_axis - of_coat[5].w_axis).truncate().normalize();
        swings.push(down);
    }
    let turned = swings.windows(3).filter(|pair| !pair[0].abs_diff_eq(pair[2], 1e-4)).count();
    assert!(turned > 50, "the ribbon swings: {turned}");
}
