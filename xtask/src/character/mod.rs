//! The character that belongs to this repository: a goat kid in a sweater, made from formulas alone.
//!
//! ```text
//! field ─▶ surface ─▶ simplify ─┐                         pose, curves ─▶ clips ─▶ swing ─▶ bake ─┐
//! body, head, face, accessories ┴─▶ meshes on skeleton, weights ───────────────────────────────┴─▶ glb
//! ```
//! The same source gives the same bytes on every run: no randomness, no clock, no hash order.

mod accessories;
mod bake;
mod body;
mod clips;
mod curves;
mod face;
mod field;
mod glb;
mod head;
mod materials;
mod pose;
mod simplify;
mod skeleton;
mod surface;
mod swing;
mod weights;

use materials::Material;
use surface::Surface;

/// Everything of one mesh, a surface for each material.
struct Mesh {
    name: &'static str,
    morphs: bool,
    parts: Vec<(Material, Surface)>,
}

/// `cargo xtask character OUT.glb`
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let [path] = args else {
        return Err(
            "character: name the file to write, as in `cargo xtask character character.glb`".to_owned()
        );
    };
    std::fs::write(path, character_glb()).map_err(|error| format!("writing the character: {error}: {path}"))
}

/// The whole file.
fn character_glb() -> Vec<u8> {
    let palette = materials::palette();
    let mut skin = head::skin(&palette);
    face::follow_skin(&mut skin);
    let mut face_parts = vec![(Material::Fur, skin)];
    face_parts.extend(face::parts(&palette));
    let mut body_parts = body::parts(&palette);
    body_parts.extend(head::parts(&palette));
    body_parts.extend(accessories::parts(&palette));
    let meshes = [
        Mesh { name: "Body", morphs: false, parts: body_parts },
        Mesh { name: "Face", morphs: true, parts: face_parts },
    ];
    glb::write(&meshes, &clips::recordings())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_is_small_and_the_same_on_every_run() {
        // The viewer opens with it: a page of a few hundred kilobytes shouldn't wait for more than that again.
        const MOST_BYTES: usize = 345_000;
        let bytes = character_glb();
        assert!(bytes.len() <= MOST_BYTES, "{} bytes", bytes.len());
        assert!(bytes == character_glb());
    }
}
