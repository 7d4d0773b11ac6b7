//! Company of a player: actors of different models, their places, time, events and memory.

mod area;
mod following;
mod real;

use crate::support::allocator::allocations;
use crate::support::figure::{ARM, LEG, fading, figure, playing};
use crate::support::made_model::{Random, any_model, at, foxlike, model, node, nodes, slider};
use crate::support::tail::{pulled, tail};
use gambol::animation::Rig;
use gambol::import::ImportReport;
use gambol::model::{
    ClipIndex, Mesh, MeshIndex, Model, Node, NodeIndex, Primitive, Skin, SkinIndex, Srt, Topology,
};
use gambol::playback::{EventKind, PlayOptions};
use gambol::player::{ActorId, Clock, Crowd, Player, PlayerError};
use glam::{Affine3A, Mat4, Quat, Vec3};
use std::sync::Arc;

const PLAYER: ActorId = ActorId::PLAYER;
const FRAME_SECS: f64 = 1.0 / 60.0;

fn rig_of(model: Model) -> Arc<Rig> {
    Arc::new(Rig::new(Arc::new(model)))
}

fn showing(rig: &Arc<Rig>) -> Player {
    let mut player = Player::new();
    player.show(rig.clone(), ImportReport::default());
    player
}

fn add(player: &mut Player, rig: &Arc<Rig>) -> ActorId {
    player.add_actor(rig.clone(), ImportReport::default()).unwrap()
}

fn frames(player: &mut Player, count: usize) {
    for _ in 0..count {
        player.advance(FRAME_SECS).unwrap();
        player.pose();
    }
}

fn matrices(player: &mut Player, id: ActorId) -> Vec<Mat4> {
    player.pose();
    player.actor_mut(id).unwrap().world_matrices(0).unwrap()
}

/// Some place with a uniform scale.
fn place(nth: usize) -> Affine3A {
    let nth = nth as f32;
    Affine3A::from_scale_rotation_translation(
        Vec3::splat(1.0 + nth * 0.25),
        Quat::from_rotation_y(nth) * Quat::from_rotation_x(nth * 0.3),
        Vec3::new(nth * 2.0, nth - 4.0, -nth),
    )
}

/// Asserts that matrices differ by the rounding of a few products at most.
#[track_caller]
fn assert_alike(found: &[Mat4], expected: &[Mat4]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let size = expected.to_cols_array().iter().fold(1.0_f32, |most, number| most.max(number.abs()));
        assert!(found.abs_diff_eq(*expected, size * 1e-5), "{found}\n{expected}");
    }
}

/// Rigs of ten different models.
fn ten() -> Vec<Arc<Rig>> {
    let made_up = (0..6).map(|seed| any_model(&mut Random::new(seed)));
    let models = [figure(), foxlike(), slider(), tail()];
    models.into_iter().chain(made_up).map(rig_of).collect()
}

#[test]
fn ten_actors_of_different_models_pose_like_each_alone_at_its_place() {
    let rigs = ten();
    let mut player = showing(&rigs[0]);
    player.set_clock(Clock::Fixed { step_secs: 1.0 / 100.0, left_secs: 0.0 }).unwrap();
    let mut alone: Vec<Player> = rigs.iter().map(showing).collect();
    let mut ids = vec![PLAYER];
    ids.extend(rigs[1..].iter().map(|rig| add(&mut player, rig)));
    let crowd = Crowd { world_from_model: (0..3).map(place).collect(), ..Crowd::default() };
    for (nth, (&id, other)) in ids.iter().zip(&mut alone).enumerate() {
        if nth > 0 {
            player.place_actor(id, place(nth)).unwrap();
        }
        other.set_clock(player.clock()).unwrap();
        for player in [player.actor_mut(id).unwrap(), other] {
            player.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
            player.set_playback_rate(1.0 + nth as f64 * 0.1).unwrap();
            if nth % 3 == 0 {
                player.crowd(3, &crowd).unwrap();
            }
            player.look_at(at(0), None, None, None, 1.0, None).unwrap();
        }
    }
    for frame in 0..90 {
        player.advance(FRAME_SECS).unwrap();
        player.pose();
        for (nth, (&id, other)) in ids.iter().zip(&mut alone).enumerate() {
            other.advance(FRAME_SECS).unwrap();
            other.pose();
            let moved = if nth > 0 { Mat4::from(place(nth)) } else { Mat4::IDENTITY };
            for character in 0..other.character_count() {
                let own = other.world_matrices(character).unwrap();
                let expected: Vec<_> = own.into_iter().map(|own| moved * own).collect();
                let found = player.actor_mut(id).unwrap().world_matrices(character).unwrap();
                assert_alike(&found, &expected);
            }
            let (mine, theirs) = (player.actor_mut(id).unwrap(), &mut *other);
            assert!(mine.drain_events().eq(theirs.drain_events()), "frame {frame}, actor {nth}");
        }
    }
    assert_eq!(player.actors().count(), 9);
}

#[test]
fn targets_are_in_the_world_for_every_actor() {
    let rig = rig_of(figure());
    let mut player = showing(&rig);
    let id = add(&mut player, &rig);
    player.place_actor(id, place(3)).unwrap();
    let target = Vec3::new(4.0, 5.0, -6.0);
    let actor = player.actor_mut(id).unwrap();
    actor.look_at(at(LEG), Some(target), Some(Vec3::Z), None, 1.0, None).unwrap();
    let leg = matrices(&mut player, id)[LEG];
    let wanted = (target - leg.w_axis.truncate()).normalize();
    assert!(leg.z_axis.truncate().normalize().dot(wanted) > 1.0 - 1e-5);
}

/// Asserts that an actor is where a node of another one and an offset place it.
#[track_caller]
fn assert_held(player: &mut Player, id: ActorId, by: (ActorId, NodeIndex), offset: &Affine3A) {
    player.pose();
    let hand = player.actor_mut(by.0).unwrap().world_matrix(by.1.get(), 0).unwrap();
    let found = Mat4::from(player.actor_place(id).unwrap());
    assert_alike(&[found], &[hand * Mat4::from(*offset)]);
}

fn code<T>(result: Result<T, PlayerError>) -> &'static str {
    let error = result.err().expect("a refusal");
    assert!(error.to_string().len() > 20, "{error}");
    error.code()
}

#[test]
fn wrong_calls_are_refused_and_nothing_changes() {
    let mut player = playing("walk");
    let rig = rig_of(figure());
    let [first, second] = [add(&mut player, &rig), add(&mut player, &rig)];
    let nowhere = Affine3A::IDENTITY;
    player.attach_actor(second, Some((first, at(LEG))), &nowhere).unwrap();
    let gone = add(&mut player, &rig);
    player.remove_actor(gone).unwrap();
    let empty = Player::new().add_actor(rig.clone(), ImportReport::default()).unwrap();
    assert_eq!(empty.number(), 1);

    let loops = [
        code(player.attach_actor(first, Some((first, at(0))), &nowhere)),
        code(player.attach_actor(first, Some((second, at(0))), &nowhere)),
        code(player.wear_actor(first, Some(second))),
        code(player.wear_actor(first, Some(first))),
    ];
    assert_eq!(loops, ["ACTOR_LOOP"; 4]);
    let unknown = [
        code(player.actor(gone)),
        code(player.actor_mut(gone)),
        code(player.remove_actor(gone)),
        code(player.remove_actor(PLAYER)),
        code(player.place_actor(gone, nowhere)),
        code(player.place_actor(PLAYER, nowhere)),
        code(player.show_actor(PLAYER, false)),
        code(player.is_actor_visible(gone)),
        code(player.actor_place(gone)),
        code(player.attach_actor(PLAYER, Some((first, at(0))), &nowhere)),
        code(player.attach_actor(first, Some((gone, at(0))), &nowhere)),
        code(player.attach_actor(gone, None, &nowhere)),
        code(player.wear_actor(first, Some(ActorId::new(77)))),
        code(player.wear_actor(gone, None)),
    ];
    assert_eq!(unknown, ["UNKNOWN_ACTOR"; 14]);
    let nested = player.actor_mut(first).unwrap().add_actor(rig.clone(), ImportReport::default());
    assert_eq!(code(nested), "NESTED_ACTOR");
    let bad = Affine3A::from_translation(Vec3::splat(f32::NAN));
    let far = Affine3A::from_translation(Vec3::splat(1e10));
    assert_eq!(code(player.place_actor(first, bad)), "NOT_FINITE");
    assert_eq!(code(player.place_actor(first, far)), "OUT_OF_RANGE");
    assert_eq!(code(player.attach_actor(first, Some((PLAYER, at(0))), &bad)), "NOT_FINITE");
    assert_eq!(code(player.attach_actor(first, Some((PLAYER, at(99))), &nowhere)), "UNKNOWN_NODE");
    let stranger = add(&mut player, &rig_of(skinned(nodes(&[(None, Srt::IDENTITY)]), "Other")));
    assert_eq!(code(player.wear_actor(stranger, Some(PLAYER))), "NO_FITTING_JOINTS");
    player.unload();
    assert_eq!(code(player.attach_actor(first, Some((PLAYER, at(0))), &nowhere)), "NO_MODEL");

    assert_eq!(player.actor_place(first).unwrap(), nowhere);
    assert_held(&mut player, second, (first, at(LEG)), &nowhere);
}

#[test]
fn removed_actors_leave_nothing_behind_in_any_order() {
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 0, 2]] {
        let rigs: Vec<_> = (0..3).map(|_| rig_of(figure())).collect();
        let mut player = playing("walk");
        let ids: Vec<_> = rigs.iter().map(|rig| add(&mut player, rig)).collect();
        for (nth, &id) in ids.iter().enumerate() {
            let leader = if nth == 0 { PLAYER } else { ids[nth - 1] };
            player.place_actor(id, place(nth)).unwrap();
            player.attach_actor(id, Some((leader, at(ARM))), &place(1)).unwrap();
        }
        frames(&mut player, 2);
        let models: Vec<_> = rigs.iter().map(|rig| rig.model().clone()).collect();
        let freed: Vec<_> = rigs.iter().map(Arc::downgrade).collect();
        drop(rigs);
        let mut left = vec![0, 1, 2];
        for gone in order {
            player.remove_actor(ids[gone]).unwrap();
            frames(&mut player, 2);
            left.retain(|nth| *nth != gone);
            assert_eq!((freed[gone].strong_count(), Arc::strong_count(&models[gone])), (0, 1));
            for &nth in &left {
                let leads = nth == 0 || left.contains(&(nth - 1));
                if leads {
                    let leader = if nth == 0 { PLAYER } else { ids[nth - 1] };
                    assert_held(&mut player, ids[nth], (leader, at(ARM)), &place(1));
                } else {
                    assert_eq!(player.actor_place(ids[nth]).unwrap(), place(nth));
                }
            }
        }
        assert_eq!(player.actors().count(), 0);
        // Nor does a weak reference keep the memory of a model.
        assert!(models.iter().all(|model| Arc::weak_count(model) == 0));
    }
}

#[test]
fn events_and_time_are_each_actors_own() {
    let mut player = playing("walk");
    let rig = rig_of(figure());
    let [first, second] = [add(&mut player, &rig), add(&mut player, &rig)];
    let walk = player.find_clip("walk").unwrap();
    player.actor_mut(first).unwrap().play(walk, &PlayOptions::default()).unwrap();
    for id in [first, second] {
        player.actor_mut(id).unwrap().drain_events().for_each(drop);
    }
    player.advance(1.5).unwrap();
    assert!(!player.has_events());
    player.actor_mut(first).unwrap().seek(0.0).unwrap();
    player.advance(1.0).unwrap();
    assert!(player.has_events());
    let looped = |player: &mut Player, id| {
        let events = player.actor_mut(id).unwrap().drain_events();
        events.filter(|event| matches!(event.kind, EventKind::Loop { .. })).count()
    };
    assert_eq!([PLAYER, first, second].map(|id| looped(&mut player, id)), [1, 0, 0]);
    assert!(!player.has_events());
    player.advance(1.5).unwrap();
    assert!(player.has_events(), "of an actor");
    assert_eq!([PLAYER, first, second].map(|id| looped(&mut player, id)), [1, 1, 0]);

    player.pause();
    assert!(player.is_moving(), "the actor still plays");
    player.actor_mut(first).unwrap().pause();
    assert!(!player.is_moving());
    assert!(!player.advance(FRAME_SECS).unwrap());
}

/// A model whose nodes all are joints of one skin with one mesh: a point at the origin of each joint, and one at a
/// height of −0.1 at the first.
fn skinned(nodes: Vec<Node>, prefix: &str) -> Model {
    let mut model = model(nodes, Vec::new());
    let rest = gambol::animation::ModelPose::new(&Rig::new(Arc::new(model.clone())));
    let joints: Vec<_> = (0..model.nodes.len()).map(NodeIndex::new).collect();
    let mut positions: Vec<Vec3> =
        joints.iter().map(|joint| rest.model_from_node(*joint).translation.into()).collect();
    positions.push(Vec3::NEG_Y * 0.1);
    let mut influences = gambol::model::Influences { per_vertex: 4, ..Default::default() };
    for nth in 0..positions.len() {
        influences.joints.extend([(nth % joints.len()) as u16, 0, 0, 0]);
        influences.joint_weights.extend([1.0, 0.0, 0.0, 0.0]);
    }
    let primitive = Primitive {
        topology: Topology::Points,
        indices: (0..positions.len() as u32).collect(),
        positions,
        influences,
        ..Primitive::default()
    };
    model.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    let joint_from_mesh = joints.iter().map(|joint| rest.model_from_node(*joint).inverse()).collect();
    model.skins.push(Skin { name: String::new(), joint_from_mesh, joints, skeleton_root: None });
    for node in &mut model.nodes {
        node.name = format!("{prefix} {}", node.name);
    }
    let mut drawn = node(None, Srt::IDENTITY, model.nodes.len());
    drawn.mesh = Some(MeshIndex::new(0));
    drawn.skin = Some(SkinIndex::new(0));
    drawn.name = format!("{prefix} mesh");
    model.node_from_source.push(NodeIndex::new(model.nodes.len()));
    model.nodes.push(drawn);
    model
}

#[test]
fn steady_company_allocates_nothing() {
    let rigs = ten();
    let mut player = playing("walk");
    let ids: Vec<_> = rigs.iter().map(|rig| add(&mut player, rig)).collect();
    for (nth, &id) in ids.iter().enumerate() {
        let actor = player.actor_mut(id).unwrap();
        actor.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
        match nth {
            0 => player.wear_actor(id, Some(PLAYER)).unwrap(),
            1..5 => {
                let leader = if nth == 1 { PLAYER } else { ids[nth - 1] };
                player.attach_actor(id, Some((leader, at(0))), &place(1)).unwrap();
            }
            _ => player.place_actor(id, place(nth)).unwrap(),
        }
    }
    let mut steady = |count: usize| {
        for _ in 0..count {
            frames(&mut player, 1);
            player.drain_events().for_each(drop);
            for id in &ids {
                player.actor_mut(*id).unwrap().drain_events().for_each(drop);
            }
        }
    };
    steady(600);
    assert_eq!(allocations(|| steady(600)), 0);
}

#[test]
fn extreme_places_leave_finite_poses_and_no_panic() {
    let extremes = [
        Affine3A::from_scale(Vec3::ZERO),
        Affine3A::from_scale(Vec3::splat(1e9)),
        Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0)),
        Affine3A::from_scale(Vec3::new(1e-9, 1.0, 1e9)),
        Affine3A::from_translation(Vec3::splat(1e9)),
    ];
    for extreme in extremes {
        let mut player = playing("walk");
        let ids: Vec<_> = (0..6).map(|_| add(&mut player, &rig_of(pulled(tail(), 0.5)))).collect();
        for (nth, &id) in ids.iter().enumerate() {
            let leader = if nth == 0 { PLAYER } else { ids[nth - 1] };
            player.attach_actor(id, Some((leader, at(0))), &extreme).unwrap();
        }
        frames(&mut player, 10);
        player.frame(1.0);
        for &id in &ids {
            assert!(player.actor_place(id).unwrap().is_finite());
        }
        let view = player.camera.current();
        assert!(view.distance.is_finite() && view.target.is_finite(), "{view:?}");
    }
}

/// Calls in any order, with any numbers.
#[test]
fn whatever_is_asked_of_company_nothing_panics() {
    let rigs = ten();
    for seed in 0..30 {
        let mut random = Random::new(seed);
        let mut player = showing(&rigs[random.below(10)]);
        for _ in 0..200 {
            let any = |random: &mut Random| ActorId::new(random.below(8) as u32);
            let (id, other) = (any(&mut random), any(&mut random));
            let node = at(random.below(6));
            let place = match random.below(8) {
                0 => Affine3A::from_scale(Vec3::splat(f32::NAN)),
                _ => random.srt().parent_from_node(),
            };
            let rig = &rigs[random.below(10)];
            // Refused calls must change nothing.
            let _refused = match random.below(14) {
                0 | 1 if player.actors().count() < 7 => {
                    player.add_actor(rig.clone(), ImportReport::default()).map(drop)
                }
                2 => player.remove_actor(id),
                3 => player.place_actor(id, place),
                4 => player.show_actor(id, random.chance(50)),
                5 | 6 => player.attach_actor(id, random.chance(80).then_some((other, node)), &place),
                7 => player.wear_actor(id, random.chance(80).then_some(other)),
                8 => player.actor_mut(id).map(|actor| actor.show(rig.clone(), ImportReport::default())),
                9 => player.actor_mut(id).map(|actor| {
                    actor.play(ClipIndex::new(0), &fading(0.2)).ok();
                    actor.crowd(1 + random.below(3), &Crowd::default()).ok();
                }),
                10 => player.advance(f64::from(random.between(-0.1, 0.2))).map(drop),
                11 => {
                    player.frame(1.5);
                    Ok(())
                }
                12 if random.chance(10) => {
                    player.unload();
                    Ok(())
                }
                _ => {
                    player.pose();
                    Ok(())
                }
            };
            let order: Vec<_> = player.actors().collect();
            for id in order {
                assert!(player.actor_place(id).unwrap().is_finite(), "seed {seed}");
            }
        }
    }
}
