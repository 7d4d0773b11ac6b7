//! Floor height and camera distance: the floor touches the lowest vertex and the camera is as near as possible.
//! Measured with every vertex of many poses.

use crate::support::made_model::palette;
use crate::support::real_models::{files_below, model, saw};
use gambol::animation::{ClipCursor, LocalPose, Rig, reference_skin};
use gambol::camera::OrbitCamera;
use gambol::import::{ImportReport, Resources, external_buffers, import};
use gambol::model::{Aabb, ClipIndex, Model};
use gambol::playback::PlayOptions;
use gambol::player::Player;
use glam::{Vec2, Vec3};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Largest gap under the lowest vertex at the lowest moment, as a share of the height that the clip takes up.
const MOST_GAP: f32 = 0.001;
/// Largest camera distance, as a multiple of the least one from which everything is in view. A fast movement may
/// reach slightly farther between the moments that this test samples.
const MOST_DISTANCE: f32 = 1.025;
const LEAST_DISTANCE: f32 = 1.0;
/// Distance from the centre of the view to its edge, in normalized device coordinates.
const EDGE: f32 = 1.0;
const ASPECTS: [f32; 3] = [0.5, 1.0, 1.8];

/// Largest number of clips tested per model.
const CLIPS_AT_MOST: usize = 8;
/// Approximate number of vertices sampled per clip, which determines the number of poses.
const VERTICES_AT_MOST: usize = 1_000_000;

#[derive(Debug, Default)]
struct Worst {
    gap: f32,
    near: f32,
    far: f32,
    edge: f32,
    clips: usize,
}

#[test]
fn fixtures_stand_on_the_floor_and_fill_the_picture() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let worst = measure_all(&folder);
    assert!(worst.clips > 10, "{worst:?}");
}

#[test]
fn real_models_stand_on_the_floor_and_fill_the_picture() {
    let Some(folder) = model("gltf") else { return };
    let worst = measure_all(&folder);
    assert!(worst.clips > 100, "{worst:?}");
    saw(files_below(&folder, &["gltf", "glb"]).len());
}

fn measure_all(folder: &Path) -> Worst {
    let mut worst = Worst { near: f32::MAX, ..Worst::default() };
    let mut wrong = Vec::new();
    for path in files_below(folder, &["gltf", "glb"]) {
        let Some(model) = load(&path) else { continue };
        if model.drawn_nodes().next().is_none() {
            continue;
        }
        let clips = (0..model.clips.len().min(CLIPS_AT_MOST)).map(|clip| Some(ClipIndex::new(clip)));
        let rig = Arc::new(Rig::new(Arc::new(model)));
        for clip in [None].into_iter().chain(clips) {
            let found = measure(&rig, clip);
            let Some(found) = found else { continue };
            let name = format!("{} {clip:?}", path.strip_prefix(folder).unwrap().display());
            println!("{name}: {found:?}");
            if found.gap >= MOST_GAP
                || found.far > MOST_DISTANCE
                || found.near < LEAST_DISTANCE
                || found.edge > EDGE
            {
                wrong.push(format!("{name}: {found:?}"));
            }
            worst = Worst {
                gap: worst.gap.max(found.gap),
                near: worst.near.min(found.near),
                far: worst.far.max(found.far),
                edge: worst.edge.max(found.edge),
                clips: worst.clips + 1,
            };
        }
    }
    println!("{worst:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    worst
}

fn measure(rig: &Arc<Rig>, clip: Option<ClipIndex>) -> Option<Worst> {
    let places = places(rig, clip);
    let bounds = Aabb::around(places.iter().copied())?;
    if bounds.radius() == 0.0 || !bounds.radius().is_finite() {
        return None;
    }
    let mut player = Player::new();
    player.show(rig.clone(), ImportReport::default());
    if let Some(clip) = clip {
        player.play(clip, &PlayOptions::default()).unwrap();
    }
    let height = bounds.max.y - bounds.min.y;
    let gap = (player.floor().unwrap() - bounds.min.y).abs();
    let mut worst = Worst {
        gap: if gap == 0.0 { 0.0 } else { gap / height },
        near: f32::MAX,
        far: 0.0,
        edge: 0.0,
        clips: 1,
    };
    for aspect in ASPECTS {
        player.frame(aspect);
        let (share, edge) = seen(&player.camera, &places, aspect);
        worst = Worst {
            near: worst.near.min(share),
            far: worst.far.max(share),
            edge: worst.edge.max(edge),
            ..worst
        };
    }
    Some(worst)
}

/// Returns the camera's distance as a multiple of the least possible one, and the largest absolute view coordinate,
/// which is 1 at the edge.
fn seen(camera: &OrbitCamera, places: &[Vec3], aspect: f32) -> (f32, f32) {
    let view = camera.view(aspect);
    let half_height = (camera.vertical_fov() * 0.5).tan();
    let half = Vec2::new(half_height * aspect, half_height);
    // A point at height y and depth z is in view while |y − shift| ≤ (distance − z) · half.
    let target = camera.current().target;
    let mut most = [f32::MIN; 4];
    let mut edge = 0.0_f32;
    for &place in places {
        let in_view = view.view_from_world.transform_point3(place);
        let at = in_view - view.view_from_world.transform_point3(target);
        for (side, toward) in
            [(0, at.x / half.x), (1, -at.x / half.x), (2, at.y / half.y), (3, -at.y / half.y)]
        {
            most[side] = most[side].max(toward + at.z);
        }
        edge = edge.max((in_view.truncate() / half / -in_view.z).abs().max_element());
    }
    let least = ((most[0] + most[1]) * 0.5).max((most[2] + most[3]) * 0.5);
    (camera.current().distance / least, edge)
}

/// Returns the positions of every vertex at many moments.
fn places(rig: &Rig, clip: Option<ClipIndex>) -> Vec<Vec3> {
    let (mut pose, mut cursor) = (LocalPose::rest(rig), ClipCursor::default());
    let mut places = Vec::new();
    let vertices: usize = rig
        .palette_layout()
        .drawables
        .iter()
        .map(|drawable| {
            rig.model()
                .mesh(drawable.mesh)
                .primitives
                .iter()
                .map(|primitive| primitive.positions.len())
                .sum::<usize>()
        })
        .sum();
    let pose_count = (VERTICES_AT_MOST / vertices.max(1)).clamp(16, 100);
    let Some(clip) = clip else {
        pose_places(rig, &pose, &mut places);
        return places;
    };
    let mut look = |time_secs: f32| {
        rig.sample_into(clip, time_secs, &mut cursor, &mut pose);
        let before = places.len();
        pose_places(rig, &pose, &mut places);
        places[before..].iter().fold(f32::MAX, |lowest, place| lowest.min(place.y))
    };
    let step_secs = rig.model().clip(clip).duration_secs / pose_count as f32;
    let mut lowest = (f32::MAX, 0.0);
    for step in 0..=pose_count {
        let time_secs = step_secs * step as f32;
        let height = look(time_secs);
        if height < lowest.0 {
            lowest = (height, time_secs);
        }
    }
    // Finer steps around the lowest moment.
    for step in -8..=8 {
        look(lowest.1 + step_secs * step as f32 / 8.0);
    }
    places
}

fn pose_places(rig: &Rig, pose: &LocalPose, places: &mut Vec<Vec3>) {
    let rows = palette(rig, pose);
    for drawable in &rig.palette_layout().drawables {
        for primitive in 0..rig.model().mesh(drawable.mesh).primitives.len() {
            let skinned = reference_skin(rig, drawable, primitive, &rows);
            places.extend(skinned.positions.into_iter().filter(|place| place.is_finite()));
        }
    }
}

/// Loads a model. Returns `None` for files that aren't models or are refused, which other tests cover.
fn load(path: &Path) -> Option<Model> {
    let bytes = fs::read(path).unwrap();
    let mut resources = Resources::default();
    for uri in external_buffers(&bytes).ok()? {
        resources.insert(&uri, fs::read(path.with_file_name(&uri)).ok()?);
    }
    Some(import(&bytes, &resources).ok()?.model)
}
