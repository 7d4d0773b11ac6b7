//! What posing one character costs, stage by stage: `cargo bench --bench pose`.
//!
//! Medians over many rounds, since the machine may be busy; each round times enough work to dwarf the clock's own cost.
#[path = "../tests/made_model/mod.rs"]
mod made_model;

use gambol::animation::{ClipCursor, LocalPose, ModelPose, Rig, blend_into};
use gambol::import::{Resources, import};
use gambol::model::{ClipIndex, Model};
use glam::{Affine3A, Vec4};
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

const ROUNDS: usize = 101;

/// What a character carries from frame to frame.
struct Character {
    cursor: ClipCursor,
    local: LocalPose,
    model: ModelPose,
    rows: Vec<Vec4>,
    time_secs: f32,
}

fn main() {
    bench("Made up, as large as Fox", made_model::foxlike());
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/models");
    let models = std::env::var_os("GAMBOL_MODELS").map_or(beside, PathBuf::from).join("gltf");
    for name in [
        "khronos/Fox/glTF-Binary/Fox.glb",
        "khronos/CesiumMan/glTF-Binary/CesiumMan.glb",
        "robot-expressive/RobotExpressive.glb",
    ] {
        match fs::read(models.join(name)) {
            Ok(bytes) => bench(name, import(&bytes, &Resources::default()).expect("a sound file").model),
            Err(error) => println!("\nSKIPPED {name}: {error}"),
        }
    }
}

fn bench(name: &str, model: Model) {
    let joint_count: usize = model.skins.iter().map(|skin| skin.joints.len()).sum();
    let duration_secs = model.clips[0].duration_secs;
    println!("\n{name}: {} nodes, {joint_count} joints, {} clips", model.nodes.len(), model.clips.len());
    let rig = Rig::new(Arc::new(model));
    for count in [1, 100, 1000] {
        let mut characters: Vec<Character> = (0..count)
            .map(|index| Character {
                cursor: ClipCursor::default(),
                local: LocalPose::rest(&rig),
                model: ModelPose::new(&rig),
                rows: vec![Vec4::ZERO; rig.palette_layout().rows_per_character],
                time_secs: duration_secs * index as f32 / count as f32,
            })
            .collect();
        let mut other = LocalPose::rest(&rig);
        let mut half_way = LocalPose::rest(&rig);
        rig.sample_into(ClipIndex::new(0), duration_secs * 0.5, &mut ClipCursor::default(), &mut half_way);
        let mut other_cursor = ClipCursor::default();
        let last_clip = ClipIndex::new(rig.model().clips.len() - 1);

        let mut report = |stage: &str, work: &mut dyn FnMut(&mut Character)| {
            let micros = median_micros(&mut characters, |character| {
                character.time_secs = (character.time_secs + 1.0 / 60.0) % duration_secs;
                work(character);
            });
            println!(
                "  {count:>4} × {stage:<34} {micros:>7.3} µs  {:>6.1} ns a joint",
                micros * 1e3 / joint_count as f64
            );
        };
        let sample = |it: &mut Character| {
            rig.sample_into(ClipIndex::new(0), it.time_secs, &mut it.cursor, &mut it.local);
        };
        let palette = |it: &mut Character| {
            rig.palette_into(&it.local, &it.model, &Affine3A::IDENTITY, &mut it.rows);
            black_box(&it.rows);
        };
        report("sample", &mut |it| sample(it));
        // From a fresh copy: blended again and again, a pose would creep up to the other and into subnormal numbers.
        report("copy and blend", &mut |it| {
            it.local.copy_from(&half_way);
            blend_into(&mut it.local, &other, 0.5);
        });
        report("hierarchy", &mut |it| rig.resolve_into(&it.local, &mut it.model));
        report("palette", &mut |it| palette(it));
        report("sample + hierarchy + palette", &mut |it| {
            sample(it);
            rig.resolve_into(&it.local, &mut it.model);
            palette(it);
        });
        report("the same, two clips blended", &mut |it| {
            sample(it);
            rig.sample_into(last_clip, it.time_secs, &mut other_cursor, &mut other);
            blend_into(&mut it.local, &other, 0.5);
            rig.resolve_into(&it.local, &mut it.model);
            palette(it);
        });
    }
}

/// Of one character's share.
fn median_micros(characters: &mut [Character], mut work: impl FnMut(&mut Character)) -> f64 {
    let repeats = 2000 / characters.len().min(2000);
    let mut rounds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..repeats {
                characters.iter_mut().for_each(&mut work);
            }
            start.elapsed().as_secs_f64() * 1e6 / (repeats * characters.len()) as f64
        })
        .collect();
    rounds.sort_unstable_by(f64::total_cmp);
    rounds[ROUNDS / 2]
}
