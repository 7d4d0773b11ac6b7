//! Native benchmarks of posing, stage by stage. Each result is the time per joint, for one character and for a
//! thousand at different times of the clip.
//!
//! `cargo bench --manifest-path benches/native/Cargo.toml -- Fox/whole` runs the benchmarks with that name.
#[path = "../../../tests/support/made_model.rs"]
#[allow(dead_code, unreachable_pub)]
mod made_model;

use criterion::{BenchmarkGroup, Criterion, measurement::WallTime};
use gambol::animation::{ClipCursor, LocalPose, ModelPose, Rig, blend_into};
use gambol::import::{Resources, import};
use gambol::model::{ClipIndex, Model};
use glam::{Affine3A, Vec4};
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

const STEP_SECS: f32 = 1.0 / 60.0;

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(40)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1200))
        .configure_from_args();
    bench(&mut criterion, "made up", made_model::foxlike());
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = std::env::var_os("GAMBOL_MODELS").map_or(repository.join("../shared/models"), PathBuf::from);
    for (name, path) in [
        ("Fox", shared.join("gltf/khronos/Fox/glTF-Binary/Fox.glb")),
        ("CesiumMan", shared.join("gltf/khronos/CesiumMan/glTF-Binary/CesiumMan.glb")),
        ("sample character", repository.join("dist/viewer/character.glb")),
    ] {
        match fs::read(&path) {
            Ok(bytes) => bench(
                &mut criterion,
                name,
                import(&bytes, &Resources::default()).expect("a sound file").model,
            ),
            Err(error) => println!("SKIPPED {name}: {}: {error}", path.display()),
        }
    }
    criterion.final_summary();
}

/// State of a character between frames.
struct Character {
    cursor: ClipCursor,
    other_cursor: ClipCursor,
    local: LocalPose,
    model: ModelPose,
    rows: Vec<Vec4>,
    time_secs: f32,
}

fn bench(criterion: &mut Criterion, name: &str, model: Model) {
    let joint_count: usize = model.skins.iter().map(|skin| skin.joints.len()).sum();
    let clip = ClipIndex::new(0);
    let other_clip = ClipIndex::new(1.min(model.clips.len() - 1));
    let duration_secs = model.clips[0].duration_secs;
    let rig = Rig::new(Arc::new(model));
    let mut half_way = LocalPose::rest(&rig);
    rig.sample_into(clip, duration_secs * 0.5, &mut ClipCursor::default(), &mut half_way);
    let mut other = LocalPose::rest(&rig);

    let mut group = criterion.benchmark_group(name);
    for count in [1, 1000] {
        let mut characters: Vec<Character> = (0..count)
            .map(|index| Character {
                cursor: ClipCursor::default(),
                other_cursor: ClipCursor::default(),
                local: half_way.clone(),
                model: ModelPose::new(&rig),
                rows: vec![Vec4::ZERO; rig.palette_layout().rows_per_character],
                time_secs: duration_secs * index as f32 / count as f32,
            })
            .collect();
        let sample = |it: &mut Character| rig.sample_into(clip, it.time_secs, &mut it.cursor, &mut it.local);
        let resolve = |it: &mut Character| {
            rig.resolve_into(&it.local, &mut it.model);
            rig.palette_into(&it.local, &it.model, &Affine3A::IDENTITY, &mut it.rows);
            black_box(&it.rows);
        };
        let mut stage = |stage: &str, work: &mut dyn FnMut(&mut Character)| {
            per_joint(&mut group, &format!("{stage} × {count}"), joint_count, &mut characters, |it| {
                it.time_secs = (it.time_secs + STEP_SECS) % duration_secs;
                work(it);
            });
        };
        stage("sample", &mut |it| sample(it));
        // Blend a fresh copy each time: blended repeatedly, a pose would converge on the other and reach subnormal
        // numbers.
        stage("copy and blend", &mut |it| {
            it.local.copy_from(&half_way);
            blend_into(&mut it.local, &other, 0.5);
        });
        stage("hierarchy", &mut |it| rig.resolve_into(&it.local, &mut it.model));
        stage("palette", &mut |it| {
            rig.palette_into(&it.local, &it.model, &Affine3A::IDENTITY, &mut it.rows);
            black_box(&it.rows);
        });
        stage("whole", &mut |it| {
            sample(it);
            resolve(it);
        });
        stage("whole, crossfade of two", &mut |it| {
            sample(it);
            rig.sample_into(other_clip, it.time_secs, &mut it.other_cursor, &mut other);
            blend_into(&mut it.local, &other, 0.5);
            resolve(it);
        });
    }
    group.finish();
}

/// Times rounds over all characters with criterion, and reports the time per joint.
fn per_joint(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    joint_count: usize,
    characters: &mut [Character],
    mut work: impl FnMut(&mut Character),
) {
    // A round has enough updates to make the clock's overhead negligible, and counts as one iteration.
    let repeats = 200_usize.div_ceil(characters.len());
    let shares = (repeats * characters.len() * joint_count) as f64;
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|iterations| {
            let start = Instant::now();
            for _ in 0..iterations {
                for _ in 0..repeats {
                    characters.iter_mut().for_each(&mut work);
                }
            }
            start.elapsed().div_f64(shares)
        });
    });
}
