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
mod knit;
mod materials;
mod occlusion;
mod outfit;
mod png;
mod pose;
mod prop;
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
        const MOST_BYTES: usize = 380_000;
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
    fn a_walking_foot_stands_still_on_the_ground() {
        // The speed at which the ground moves back below the walk, as the viewer's controllers state it.
        const SPEED: f32 = 0.47;
        // Largest distance that a standing foot may slide. It comes from the keys that the file leaves out.
        const MOST_SLIP: f32 = 0.004;
        let model = Arc::new(import(&character_glb(), &Resources::default()).expect("it can be read").model);
        let rig = Rig::new(model.clone());
        let walk = model.find_clip("Walk").expect("it walks");
        let (mut local, mut posed) = (LocalPose::rest(&rig), ModelPose::new(&rig));
        // From the beat on which each foot is flat until its heel has left the ground.
        for (toes, from_secs) in [("LeftToes", 0.10), ("RightToes", 0.56)] {
            let toes = model.find_node(toes).expect("it has toes");
            let mut stood: Option<glam::Vec3> = None;
            for step in 0..40 {
                let time_secs = from_secs + step as f32 * 0.01;
                rig.sample_into(walk, time_secs % 0.916_666_7, &mut ClipCursor::default(), &mut local);
                rig.resolve_into(&local, &mut posed);
                let at = posed.model_from_node(toes).translation;
                let on_ground = glam::Vec3::new(at.x, at.y, at.z + SPEED * time_secs);
                let slip = on_ground.distance(*stood.get_or_insert(on_ground));
                assert!(slip < MOST_SLIP, "{slip} at {time_secs} s");
            }
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
