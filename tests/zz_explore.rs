#![allow(dead_code, unused)]
#[path = "support/drops.rs"]
mod drops;
use drops::*;
use gambol::animation::*;
use gambol::import::{Resources, external_buffers, import};
use std::fs;
use std::sync::Arc;
use glam::*;

#[test]
fn explore() {
    let Ok(paths) = std::env::var("EXPLORE") else { return };
    for path in paths.split(',') {
        let bytes = fs::read(path).unwrap();
        let mut resources = Resources::default();
        for uri in external_buffers(&bytes).unwrap() {
            resources.insert(&uri, fs::read(std::path::Path::new(path).with_file_name(&uri)).unwrap());
        }
        let rig = Rig::new(Arc::new(import(&bytes, &resources).unwrap().model));
        let ragdoll = Ragdoll::new(&rig).unwrap();
        if std::env::var("BODIES").is_ok() {
            for (index, body) in ragdoll.bodies().iter().enumerate() {
                let s = format!("{body:?}");
                let at = s.find("shape:").unwrap();
                println!(
                    "{index} {} parent {:?} mass {:.3} swing {:.2} twist {:.2} {}",
                    rig.model().node(body.node).name, body.parent, body.mass, body.swing_radians, body.twist_radians, &s[at..at+100]
                );
            }
        }
        if let Ok(seed) = std::env::var("SEED") {
            if seed == "all" { for seed in 0..20 { let mut f = from_a_clip(&rig, &ragdoll, seed); let m = f.measure(10.0); println!("{seed} {m:.4?}");
 if m.depth > 0.005 { for (i,b) in ragdoll.bodies().iter().enumerate() { let y = f.node_in_world(b.node).y / f.size_in_world(); if y < 0.02 { println!("   {} {y:.4} shape {:?} {:?}", rig.model().node(b.node).name, f.state.body_in_world(i).0 / f.size_in_world(), f.node_in_world(b.node)/f.size_in_world()); } } }  } continue; }
            trace(&rig, &ragdoll, seed.parse().unwrap());
            continue;
        }
        let start = std::time::Instant::now();
        let drops = std::env::var("DROPS").map_or(20, |drops| drops.parse().unwrap());
        println!("{path}: {:.4?} in {:?}", drop_often(&rig, &ragdoll, 0..drops, 1.0), start.elapsed());
    }
}

fn from_a_clip<'a>(rig: &'a Rig, ragdoll: &'a Ragdoll, seed: u64) -> Falling<'a> {
    let mut dice = Dice::new(seed + 77);
    let clips = rig.clip_count();
    let mut pose = LocalPose::rest(rig);
    let clip = gambol::model::ClipIndex::new((((dice.roll() + 1.0) * 0.5 * clips as f32) as usize).min(clips - 1));
    let secs = rig.clip(clip).duration_secs * (dice.roll() + 1.0) * 0.5;
    rig.sample_into(clip, secs, &mut ClipCursor::default(), &mut pose);
    let turned = Affine3A::from_quat(dice.rotation(3.1));
    let options = RagdollOptions::default();
    let lowest = Falling::new(rig, ragdoll, &options, &pose, turned).lowest();
    let height = ragdoll.size() * (0.05 + 0.3 * (dice.roll() + 1.0)) - lowest;
    Falling::new(rig, ragdoll, &options, &pose, Affine3A::from_translation(Vec3::Y*height) * turned)
}

fn trace(rig: &Rig, ragdoll: &Ragdoll, seed: u64) {
    let mut falling = if std::env::var("CLIP").is_ok() { from_a_clip(rig, ragdoll, seed) } else { dropped(rig, ragdoll, seed, 1.0) };
    for frame in 1..=600 {
        falling.pass(1.0 / 60.0);
        let fastest = (0..ragdoll.bodies().len()).max_by(|&a, &b| {
            falling.state.speed_in_world(a).length().total_cmp(&falling.state.speed_in_world(b).length())
        }).unwrap();
        let name = |b: usize| rig.model().node(ragdoll.bodies()[b].node).name.clone();
        let worst_gap = (0..ragdoll.bodies().len()).max_by(|&a, &b| {
            let g = |i: usize| { let [p, q] = falling.state.joint_in_world(i); p.distance(q) };
            g(a).total_cmp(&g(b))
        }).unwrap();
        if frame % 20 == 0 || falling.gap() > 0.012 || falling.depth() > 0.01 || (frame>60 && falling.excess_radians() > 0.3) {
            println!("{frame} fastest {} {:.3} gap {} {:.4} depth {:.4} excess {:?}", name(fastest), falling.state.speed_in_world(fastest).length() / falling.size_in_world(), name(worst_gap), falling.gap(), falling.depth(), falling.worst_excess().map(|(a,b)| (a,name(b))));
        }
        if falling.state.is_asleep() { println!("asleep {frame}"); break; }
    }
}
