//! Generates the sample character of this repository, a goat kid in a sweater, and its raincoat and pinwheel, from
//! formulas alone.
//!
//! ```text
//! field ─▶ surface ─▶ simplify ─────────────┐                  pose, curves ─▶ clips ─▶ swing ─▶ bake ─┐
//! body, head, hair, face, eyes, accessories ┴─▶ occlusion ─▶ meshes on skeleton, weights ──────────────┴─▶ glb
//! ```
//! The output is the same on every run, because no randomness, clock or hash order is involved.

mod accessories;
mod bake;
mod body;
mod clips;
mod curves;
#[cfg(test)]
#[allow(dead_code, unreachable_pub, reason = "the tests of the crate use the rest")]
#[path = "../../../tests/support/drops.rs"]
mod drops;
mod eyes;
mod face;
mod field;
mod glb;
mod hair;
mod head;
mod materials;
mod occlusion;
mod outfit;
mod png;
mod pose;
mod prop;
mod relief;
mod simplify;
mod skeleton;
mod surface;
mod swing;
mod weights;

use materials::Material;
use surface::Surface;

/// A mesh, with one surface for each material.
struct Mesh {
    name: &'static str,
    morphs: bool,
    parts: Vec<(Material, Surface)>,
}

/// Writes the sample character to the file named in `args`, or what it wears and holds, for `cargo xtask character`.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (path, bytes) = match args[..] {
        ["--outfit", path] => (path, outfit_glb()),
        ["--prop", path] => (path, prop_glb()),
        [path] if !path.starts_with("--") => (path, character_glb()),
        _ => {
            return Err(
                "character: name the file to write, as in `cargo xtask character character.glb`".to_owned()
            );
        }
    };
    std::fs::write(path, bytes).map_err(|error| format!("writing the character: {error}: {path}"))
}

/// Returns the file of the outfit, which has the skeleton of the character.
fn outfit_glb() -> Vec<u8> {
    glb::write(&outfit::meshes(&materials::palette()), &[])
}

/// Returns the file of the prop.
fn prop_glb() -> Vec<u8> {
    glb::write_rigid(&prop::meshes(&materials::palette()), &|store| prop::spin(store, 1))
}

/// Returns the bytes of the complete GLB file.
fn character_glb() -> Vec<u8> {
    let palette = materials::palette();
    let mut skin = head::skin(&palette);
    face::follow_skin(&mut skin);
    let mut face_parts = vec![(Material::Fur, skin)];
    face_parts.extend(face::parts(&palette));
    face_parts.extend(eyes::parts(&palette));
    let mut body_parts = body::parts(&palette);
    body_parts.extend(head::parts(&palette));
    body_parts.extend(hair::parts(&palette));
    body_parts.extend(accessories::parts(&palette));
    let shade = occlusion::Shade::new();
    for (material, surface) in body_parts.iter_mut().chain(&mut face_parts) {
        shade.shade(*material, surface);
    }
    let meshes = [
        Mesh { name: "Body", morphs: false, parts: body_parts },
        Mesh { name: "Face", morphs: true, parts: face_parts },
    ];
    glb::write(&meshes, &clips::recordings())
}

#[cfg(test)]
mod tests {
    use super::*;
    use gambol::animation::{ClipCursor, LocalPose, ModelPose, Ragdoll, Rig};
    use gambol::import::{Resources, import};
    use gambol::playback::Script;
    use std::sync::Arc;

    #[test]
    fn file_is_small_and_the_same_on_every_run() {
        // The viewer loads this file first: it shouldn't double the download of a few hundred kilobytes.
        const MOST_BYTES: usize = 380 * 1024;
        let bytes = character_glb();
        assert!(bytes.len() <= MOST_BYTES, "{} bytes", bytes.len());
        assert!(bytes == character_glb());
    }

    #[test]
    fn the_outfit_has_the_characters_joints_and_the_prop_turns() {
        let read = |bytes: &[u8]| import(bytes, &Resources::default()).expect("it can be read");
        let [character, outfit, prop] = [character_glb(), outfit_glb(), prop_glb()].map(|bytes| read(&bytes));
        for read in [&outfit, &prop] {
            assert!(read.report.warnings.is_empty(), "{:?}", read.report.warnings);
        }
        let joints = |model: &gambol::model::Model| model.skins[0].joints.len();
        assert_eq!(joints(&outfit.model), joints(&character.model));
        for joint in skeleton::all_joints() {
            let [of_outfit, of_character] =
                [&outfit, &character].map(|read| read.model.find_node(&joint.name()));
            assert!(of_outfit.is_some() && of_character.is_some(), "{joint:?}");
        }
        assert!(prop.model.find_clip("Spin").is_some());
    }

    #[test]
    fn it_falls_from_a_hundred_random_poses_and_comes_to_rest_in_one_piece() {
        let model = import(&character_glb(), &Resources::default()).expect("it can be read").model;
        let rig = Rig::new(Arc::new(model));
        let ragdoll = Ragdoll::new(&rig).expect("it has vertices");
        let worst = drops::drop_often(&rig, &ragdoll, 0..100, 1.0);
        println!("{worst:.4?}");
        // Lengths are in sizes of the model.
        assert!(worst.gap < 0.02 && worst.depth < 0.01 && worst.vertex_depth < 0.01, "{worst:?}");
        assert!(worst.rest_secs <= 10.0, "{worst:?}");
    }

    #[test]
    fn a_standing_foot_stands_still_on_the_ground() {
        // Largest distance over which a standing joint may slide. It comes from the keys that the file leaves out.
        const MOST_SLIP: f32 = 0.0025;
        const STEP_SECS: f32 = 1.0 / 96.0;
        // Clip, speed at which the ground moves back below it, as the viewer's controllers state it, greatest speed
        // of sliding in mm/s, joints, and the times between which they stand: the ball of the foot until the toes
        // lift, the ankle while the sole is flat.
        const BALLS: [&str; 2] = ["LeftToes", "RightToes"];
        const FEET: [&str; 4] = ["LeftToes", "RightToes", "LeftFoot", "RightFoot"];
        type Stand = (&'static str, f32, f32, &'static [&'static str], f32, f32);
        const STANDS: [Stand; 10] = [
            ("Idle", 0.0, 60.0, &BALLS, 0.0, 4.99),
            ("Walk", 0.47, 50.0, &[BALLS[0]], 0.10, 0.50),
            ("Walk", 0.47, 50.0, &[BALLS[1]], 0.56, 0.96),
            ("Walk", 0.47, 30.0, &["LeftFoot"], 0.10, 0.30),
            ("Walk", 0.47, 30.0, &["RightFoot"], 0.56, 0.76),
            ("Run", 1.5, 110.0, &[BALLS[0]], 0.035, 0.175),
            ("Run", 1.5, 110.0, &[BALLS[1]], 0.327, 0.467),
            ("Wave", 0.0, 60.0, &FEET, 0.0, 2.66),
            ("Jump", 0.0, 50.0, &FEET, 0.0, 0.5),
            ("Jump", 0.0, 50.0, &FEET, 1.17, 1.87),
        ];
        let model = Arc::new(import(&character_glb(), &Resources::default()).expect("it can be read").model);
        let rig = Rig::new(model.clone());
        let (mut local, mut posed) = (LocalPose::rest(&rig), ModelPose::new(&rig));
        let stands = STANDS.iter().flat_map(|stand| stand.3.iter().map(move |joint| (stand, joint)));
        for (&(clip, speed, most_mm_per_sec, _, from_secs, until_secs), joint) in stands {
            let index = model.find_clip(clip).expect("it has the clip");
            let length_secs = model.clip(index).duration_secs;
            let node = model.find_node(joint).expect("it has feet");
            let mut on_ground = |time_secs: f32| {
                rig.sample_into(index, time_secs % length_secs, &mut ClipCursor::default(), &mut local);
                rig.resolve_into(&local, &mut posed);
                let at = posed.model_from_node(node).translation;
                glam::Vec2::new(at.x, at.z + speed * time_secs)
            };
            let stood = on_ground(from_secs);
            let (mut slip, mut fastest) = (0.0_f32, 0.0_f32);
            for step in 0..((until_secs - from_secs) / STEP_SECS) as usize {
                let time_secs = from_secs + step as f32 * STEP_SECS;
                let [at, next] = [on_ground(time_secs), on_ground(time_secs + STEP_SECS)];
                slip = slip.max(next.distance(stood));
                fastest = fastest.max(at.distance(next) / STEP_SECS * 1000.0);
            }
            println!("{clip} {joint}: {:.1} mm, {fastest:.0} mm/s", slip * 1000.0);
            assert!(slip < MOST_SLIP, "{clip} {joint}: {slip}");
            assert!(fastest < most_mm_per_sec, "{clip} {joint}: {fastest}");
        }
    }

    #[test]
    fn the_viewers_controllers_fit_it_and_a_foot_stands_at_each_beat() {
        // Greatest height of a standing foot's toes in this model.
        const TOES_HEIGHT: f32 = 0.045;
        let resources = Resources::default();
        let model = Arc::new(import(&character_glb(), &resources).expect("it can be read").model);
        let rig = Rig::new(model.clone());
        for name in ["locomotion", "upper_body"] {
            let path = format!("{}/../www/viewer/controllers/{name}.json", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read(path).expect("it is there");
            let script = Script::from_json(&text, &rig).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(script.notes.len(), 2, "of the walk and the run");
            for (clip, notes) in &script.notes {
                let times: Vec<f64> = notes.markers.iter().map(|marker| marker.time_secs).collect();
                assert_eq!(times, notes.beats_secs);
                for marker in &notes.markers {
                    let (mut local, mut posed) = (LocalPose::rest(&rig), ModelPose::new(&rig));
                    let time_secs = marker.time_secs as f32;
                    rig.sample_into(*clip, time_secs, &mut ClipCursor::default(), &mut local);
                    rig.resolve_into(&local, &mut posed);
                    let toes = if &*marker.name == "left" { "LeftToes" } else { "RightToes" };
                    let toes = model.find_node(toes).expect("it has toes");
                    let height = posed.model_from_node(toes).translation.y;
                    assert!(height < TOES_HEIGHT, "{} at {time_secs} s: {height}", marker.name);
                }
            }
        }
    }
}
