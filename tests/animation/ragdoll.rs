//! Ragdolls.
use crate::support::drops::drop_often;
use gambol::animation::{Ragdoll, Rig};
use gambol::import::{Resources, external_buffers, import};
use std::fs;
use std::sync::Arc;

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
                println!(
                    "{index} {} parent {:?} mass {:.3} swing {:.2} twist {:.2} {:?}",
                    rig.model().node(body.node).name, body.parent, body.mass, body.swing_radians, body.twist_radians, body
                );
            }
        }
        let start = std::time::Instant::now();
        let drops = std::env::var("DROPS").map_or(20, |drops| drops.parse().unwrap());
        println!("{path}: {:.4?} in {:?}", drop_often(&rig, &ragdoll, drops, 1.0), start.elapsed());
    }
}
