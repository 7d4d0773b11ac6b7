//! Inter-Quake files that other projects made.

use super::*;
use crate::support::real_models::{model, saw};
use gambol::model::NodeIndex;

pub(super) fn real(name: &str) -> Option<Vec<u8>> {
    let path = model(&format!("iqm/{name}"))?;
    saw(1);
    Some(fs::read(path).expect("it can be read"))
}

#[test]
fn real_files_have_what_their_headers_say() {
    for (name, codes, meshes, vertices, triangles, joints, clips) in [
        // A mesh and a joint are called Head.
        ("mrfixit.iqm", &["NODE_NAME_REPEATED"][..], 2, 1861, 2988, 75, &[("idle", 100.0 / 24.0)][..]),
        ("guy/guy.iqm", &[], 1, 240, 120, 14, &[("jump", 60.0 / 24.0), ("dance", 60.0 / 24.0)][..]),
    ] {
        let Some(bytes) = real(name) else { continue };
        let Imported { model, report } = loaded(&bytes);
        let found: Vec<_> = report.warnings.iter().map(|warning| warning.code).collect();
        assert_eq!(found, codes, "{name}");
        let primitives: Vec<_> = model.meshes.iter().flat_map(|mesh| &mesh.primitives).collect();
        assert_eq!(model.meshes.len(), meshes, "{name}");
        assert_eq!(primitives.iter().map(|primitive| primitive.positions.len()).sum::<usize>(), vertices);
        assert_eq!(primitives.iter().map(|primitive| primitive.indices.len() / 3).sum::<usize>(), triangles);
        assert_eq!(model.skins.len(), 1);
        assert_eq!(model.skins[0].joints.len(), joints, "{name}");
        let found: Vec<(&str, f32)> =
            model.clips.iter().map(|clip| (clip.name.as_str(), clip.duration_secs)).collect();
        assert_eq!(found, clips, "{name}");
        let moved = moved_at_rest(&model);
        assert!(moved < 1e-5, "{name}: {moved}");
        let away: usize = primitives.iter().map(|primitive| turned_away(primitive)).sum();
        println!(
            "{name}: moved {moved:e} at rest, {away} of {triangles} triangles look away from their normals"
        );
        assert!(away * 100 <= triangles, "{name}: {away} triangles look away from their normals");
    }
}

#[test]
fn S78_a_real_file_of_motion_alone_moves_as_its_twin_with_a_mesh() {
    let (Some(whole), Some(alone)) = (real("guy/guy.iqm"), real("guy/guyanim.iqm")) else { return };
    let (whole, alone) = (loaded(&whole), loaded(&alone));
    let codes: Vec<_> = alone.report.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["JOINTS_MISSING"]);
    assert_eq!(alone.model.nodes.len(), 14);
    // The twin has one node more, which turns it to the viewer; motion without names can't tell where that is.
    assert_eq!(whole.model.nodes[0].name, "Y_FRONT");
    let mut clips = whole.model.clips;
    for track in clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        track.node = NodeIndex::new(track.node.get() - 1);
    }
    assert_eq!(alone.model.clips, clips, "bit for bit");
}

/// Texture coordinates fall on the painted parts of the picture, not on the ground between them.
#[test]
fn real_textures_lie_the_right_way_up() {
    let Some(bytes) = real("mrfixit.iqm") else { return };
    let model = loaded(&bytes).model;
    for (mesh, name) in model.meshes.iter().zip(["Body.tga", "Head.tga"]) {
        let Some(texture) = real(name) else { continue };
        let picture = gambol::picture::decode(&texture).unwrap();
        let [primitive, ..] = &mesh.primitives[..] else { panic!("{name}: no primitive") };
        let (triangles, _) = primitive.indices.as_chunks::<3>();
        let painted = |flipped: bool| {
            let on_paint = |corners: &&[u32; 3]| {
                let middle =
                    corners.iter().map(|&corner| primitive.uv_sets[0][corner as usize]).sum::<Vec2>() / 3.0;
                let v = if flipped { 1.0 - middle.y } else { middle.y };
                let at =
                    |share: f32, side: u32| (share.rem_euclid(1.0) * side as f32) as usize % side as usize;
                let pixel = at(v, picture.height) * picture.width as usize + at(middle.x, picture.width);
                let ground = [0, 8, 1];
                let off =
                    picture.rgba[pixel * 4..].iter().zip(ground).map(|(&one, other)| one.abs_diff(other));
                off.max().unwrap() > 4
            };
            triangles.iter().filter(on_paint).count() as f32 / triangles.len() as f32
        };
        let (upright, flipped) = (painted(false), painted(true));
        println!("{name}: {upright} on paint, {flipped} if it were upside down");
        assert!(upright > 0.99 && flipped < 0.95, "{name}: {upright}, flipped {flipped}");
    }
}

/// What assimp 5.2 says of the same file (`assimp info mrfixit.iqm`), which turns it upright too.
#[test]
fn a_real_file_lies_where_another_reader_has_it() {
    let Some(bytes) = real("mrfixit.iqm") else { return };
    let model = loaded(&bytes).model;
    let positions = model.meshes.iter().flat_map(|mesh| mesh.primitives[0].positions.iter().copied());
    let bounds = gambol::model::Aabb::around(positions).unwrap();
    assert!(bounds.min.abs_diff_eq(Vec3::new(-1.069_82, 0.080_813, -5.041_351), 1e-6), "{bounds:?}");
    assert!(bounds.max.abs_diff_eq(Vec3::new(1.710_852, 7.983_968, 5.041_352), 1e-6), "{bounds:?}");
}
