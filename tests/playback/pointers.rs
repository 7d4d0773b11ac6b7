//! Animated properties of materials and nodes (`KHR_animation_pointer`) through layers, fades, seeks and crowds.

use crate::support::gltf_file::{File, le};
use gambol::import::Imported;
use gambol::model::{MaterialIndex, NodeIndex, VariantIndex};
use gambol::playback::PlayOptions;
use gambol::player::{Crowd, MaterialChange, Player};
use glam::{Vec2, Vec3, Vec4};

/// Channels with pointers, each with the type of its values and their numbers at 0 and 1 second.
type Channels<'a> = &'a [(&'a str, &'a str, &'a [f32])];

/// Returns a model with two materials, a hidden node, and a clip for each list of channels.
fn imported(clips: &[Channels<'_>]) -> Imported {
    let mut file = File::default();
    file.positions();
    let times = file.floats("SCALAR", 2, &[0.0, 1.0]);
    let mut animations = Vec::new();
    for (at, channels) in clips.iter().enumerate() {
        let (mut samplers, mut targets) = (Vec::new(), Vec::new());
        for (pointer, of_type, numbers) in channels.iter() {
            let is_flag = pointer.ends_with("visible");
            let output = match is_flag {
                true => {
                    let bytes: Vec<u8> = numbers.iter().map(|&number| number as u8).collect();
                    file.accessor(of_type, 5121, 2, &bytes, "")
                }
                false => file.accessor(of_type, 5126, 2, &le(numbers), ""),
            };
            let interpolation = if is_flag { "STEP" } else { "LINEAR" };
            targets.push(format!(
                r#"{{"sampler":{},"target":{{"path":"pointer",
                "extensions":{{"KHR_animation_pointer":{{"pointer":"{pointer}"}}}}}}}}"#,
                samplers.len()
            ));
            samplers
                .push(format!(r#"{{"input":{times},"output":{output},"interpolation":"{interpolation}"}}"#));
        }
        animations.push(format!(
            r#"{{"name":"{at}","samplers":[{}],"channels":[{}]}}"#,
            samplers.join(","),
            targets.join(",")
        ));
    }
    file.load(&format!(
        r#""extensionsUsed":["KHR_animation_pointer","KHR_node_visibility","KHR_materials_emissive_strength",
            "KHR_texture_transform","KHR_materials_clearcoat","KHR_materials_pbrSpecularGlossiness"],
        "extensionsRequired":["KHR_animation_pointer"],
        "images":[{{"uri":"a.png"}}],"textures":[{{"source":0}}],
        "materials":[{{"emissiveFactor":[0.5,0.25,0],"alphaMode":"MASK",
            "pbrMetallicRoughness":{{"baseColorTexture":{{"index":0,"extensions":{{"KHR_texture_transform":{{}}}}}}}},
            "extensions":{{"KHR_materials_emissive_strength":{{"emissiveStrength":4}},
            "KHR_materials_clearcoat":{{}}}}}},
            {{}},{{"extensions":{{"KHR_materials_pbrSpecularGlossiness":{{"diffuseTexture":{{"index":0}}}}}}}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"material":0}}]}}],
        "nodes":[{{"mesh":0}},{{"mesh":0,"translation":[0,9,0],"children":[2],
            "extensions":{{"KHR_node_visibility":{{"visible":false}}}}}},{{"mesh":0}}],
        "animations":[{}]"#,
        animations.join(",")
    ))
}

fn showing(clips: &[Channels<'_>]) -> Player {
    let Imported { model, report } = imported(clips);
    let missing: Vec<_> = report.warnings.iter().filter(|warning| warning.code != "UV_SET_MISSING").collect();
    assert!(missing.is_empty(), "{missing:?}");
    let mut player = Player::new();
    player.show(std::sync::Arc::new(gambol::animation::Rig::new(std::sync::Arc::new(model))), report);
    player
}

fn play(player: &mut Player, clip: &str, fade_secs: f64) {
    let clip = player.model().unwrap().find_clip(clip).unwrap();
    player.play(clip, &PlayOptions { fade_secs, ..PlayOptions::default() }).unwrap();
}

fn material(player: &mut Player) -> gambol::model::Material {
    player.pose();
    player.material(MaterialIndex::new(0)).unwrap()
}

const BASE_COLOR: &str = "/materials/0/pbrMetallicRoughness/baseColorFactor";
const STRENGTH: &str = "/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength";
const OFFSET: &str =
    "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset";
const VISIBLE: &str = "/nodes/1/extensions/KHR_node_visibility/visible";

#[test]
fn materials_follow_the_clip_wherever_it_is_sought() {
    let mut player = showing(&[&[
        (BASE_COLOR, "VEC4", &[1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.5]),
        ("/materials/0/pbrMetallicRoughness/roughnessFactor", "SCALAR", &[0.0, 1.0]),
        ("/materials/0/alphaCutoff", "SCALAR", &[0.0, 0.5]),
        ("/materials/0/extensions/KHR_materials_clearcoat/clearcoatFactor", "SCALAR", &[0.0, 1.0]),
        (OFFSET, "VEC2", &[0.0, 0.0, 1.0, -1.0]),
    ]]);
    assert_eq!(material(&mut player).base_color, Vec4::ONE, "the file's value without a clip");
    play(&mut player, "0", 0.0);
    for (time, share) in [(0.25, 0.25), (0.75, 0.75), (0.0, 0.0), (0.5, 0.5)] {
        player.seek(time).unwrap();
        let found = material(&mut player);
        assert_eq!(found.base_color, Vec4::new(1.0 - share, share, 0.0, 1.0 - share * 0.5));
        assert_eq!((found.roughness, found.metallic, found.clearcoat), (share, 1.0, share));
        assert_eq!(found.alpha, gambol::model::AlphaMode::Mask { cutoff: share * 0.5 });
        let transform = found.base_color_texture.unwrap().transform;
        assert_eq!((transform.offset, transform.scale), (Vec2::new(share, -share), Vec2::ONE));
    }
    player.stop();
    assert_eq!(material(&mut player).base_color, Vec4::ONE, "unkeyed properties have the file's value");
}

#[test]
fn colours_of_extensions_follow_the_clip() {
    let glossy = |name: &str| format!("/materials/2/extensions/KHR_materials_pbrSpecularGlossiness/{name}");
    let paths =
        ["diffuseFactor", "glossinessFactor", "diffuseTexture/extensions/KHR_texture_transform/scale"];
    let [diffuse, glossiness, scale] = paths.map(glossy);
    let mut player = showing(&[&[
        (&diffuse, "VEC4", &[1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]),
        (&glossiness, "SCALAR", &[0.0, 3.0]),
        (&scale, "VEC2", &[1.0, 1.0, 3.0, 5.0]),
        ("/materials/1/extensions/KHR_materials_ior/ior", "SCALAR", &[1.0, 2.0]),
        (
            "/materials/1/extensions/KHR_materials_sheen/sheenColorFactor",
            "VEC3",
            &[0.0, 0.0, 0.0, 1.0, 2.0, 0.5],
        ),
    ]]);
    play(&mut player, "0", 0.0);
    player.seek(0.5).unwrap();
    player.pose();
    let glossy = player.material(MaterialIndex::new(2)).unwrap();
    // The diffuse colour is the base colour. Numbers beyond the range are clamped.
    assert_eq!(glossy.base_color, Vec4::new(0.5, 0.5, 0.0, 1.0));
    assert_eq!(glossy.base_color_texture.unwrap().transform.scale, Vec2::new(2.0, 3.0));
    assert_eq!(glossy.glossiness, 1.0);
    let other = player.material(MaterialIndex::new(1)).unwrap();
    assert_eq!((other.ior, other.sheen_color), (1.5, Vec3::new(0.5, 1.0, 0.25)));
}

#[test]
fn emissive_colour_and_strength_multiply_whichever_is_animated() {
    let factor: (&str, &str, &[f32]) =
        ("/materials/0/emissiveFactor", "VEC3", &[0.0, 0.0, 0.0, 1.0, 0.5, 0.0]);
    let strength: (&str, &str, &[f32]) = (STRENGTH, "SCALAR", &[0.0, 8.0]);
    let mut player = showing(&[&[factor], &[strength], &[strength, factor]]);
    let file = Vec3::new(2.0, 1.0, 0.0);
    assert_eq!(material(&mut player).emissive, file);
    for (clip, expected) in [
        ("0", Vec3::new(0.5, 0.25, 0.0) * 4.0),
        ("1", Vec3::new(0.5, 0.25, 0.0) * 4.0),
        ("2", Vec3::new(0.5, 0.25, 0.0) * 4.0),
    ] {
        play(&mut player, clip, 0.0);
        player.seek(0.5).unwrap();
        assert_eq!(material(&mut player).emissive, expected, "clip {clip}");
    }
    player.seek(1.0).unwrap();
    assert_eq!(material(&mut player).emissive, Vec3::new(8.0, 4.0, 0.0));
}

#[test]
fn fades_and_layers_blend_properties() {
    let constant: (&str, &str, &[f32]) = (BASE_COLOR, "VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    let other: (&str, &str, &[f32]) = (BASE_COLOR, "VEC4", &[1.0, 0.5, 0.0, 1.0, 1.0, 0.5, 0.0, 1.0]);
    let mut player = showing(&[&[constant], &[other]]);
    play(&mut player, "0", 0.0);
    player.advance(0.1).unwrap();
    assert_eq!(material(&mut player).base_color, Vec4::W);
    play(&mut player, "1", 1.0);
    player.advance(0.5).unwrap();
    let half = material(&mut player).base_color;
    assert!(half.abs_diff_eq(Vec4::new(0.5, 0.25, 0.0, 1.0), 1e-6), "{half}");
    player.advance(0.5).unwrap();
    assert_eq!(material(&mut player).base_color, Vec4::new(1.0, 0.5, 0.0, 1.0));
}

#[test]
fn the_page_overrides_what_clips_animate() {
    let mut player = showing(&[&[(BASE_COLOR, "VEC4", &[1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0])]]);
    play(&mut player, "0", 0.0);
    player.seek(0.5).unwrap();
    let index = MaterialIndex::new(0);
    let change = MaterialChange { base_color: Some(Vec4::ONE), ..MaterialChange::default() };
    player.set_material(index, change).unwrap();
    assert_eq!(material(&mut player).base_color, Vec4::ONE);
    player.set_material(index, MaterialChange::default()).unwrap();
    assert_eq!(material(&mut player).base_color, Vec4::new(0.5, 0.5, 0.0, 1.0));
    assert_eq!(player.material(MaterialIndex::new(1)).unwrap().base_color, Vec4::ONE);
}

#[test]
fn a_crowd_has_the_materials_of_its_first_character() {
    let mut player = showing(&[&[(BASE_COLOR, "VEC4", &[1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0])]]);
    let clip = player.model().unwrap().find_clip("0");
    player.crowd(3, &Crowd { clip, phases: vec![0.25, 0.5, 0.75], world_from_model: Vec::new() }).unwrap();
    assert_eq!(material(&mut player).base_color, Vec4::new(0.75, 0.25, 0.0, 1.0));
    player.crowd(1, &Crowd::default()).unwrap();
    material(&mut player);
}

#[test]
fn a_clip_shows_a_node_that_the_file_hides() {
    let mut player = showing(&[&[(VISIBLE, "SCALAR", &[0.0, 255.0])]]);
    // The clip may show the node, so that it is framed, and the page hasn't hidden it.
    assert_eq!(player.bounds().unwrap().max.y, 10.0);
    assert_eq!(player.hidden_nodes(), [] as [NodeIndex; 0]);
    let model = player.model().unwrap().clone();
    assert_eq!(model.properties[0].rest, [0.0]);
    assert_eq!(model.clips[0].property_tracks[0].values, [0.0, 1.0], "any number but 0 is true");
    player.set_visible(NodeIndex::new(1), false).unwrap();
    player.pose();
    assert_eq!(player.hidden_nodes(), [NodeIndex::new(1)]);
}

#[test]
fn a_pointer_may_stand_for_a_path_and_the_second_is_ignored() {
    let numbers: &[f32] = &[0.0, 0.0, 0.0, 2.0, 0.0, 0.0];
    let translation: (&str, &str, &[f32]) = ("/nodes/0/translation", "VEC3", numbers);
    let color: (&str, &str, &[f32]) = (BASE_COLOR, "VEC4", &[0.0; 8]);
    let imported = imported(&[&[
        translation,
        translation,
        color,
        color,
        ("/materials/0/extras/glow", "SCALAR", &[0.0; 2]),
        ("/materials/9/alphaCutoff", "SCALAR", &[0.0; 2]),
        ("/materials/1/alphaCutoff", "SCALAR", &[0.0; 2]),
        ("/materials/1/normalTexture/extensions/KHR_texture_transform/scale", "VEC2", &[0.0; 4]),
        ("/nodes/99999999999999999999/scale", "VEC3", &[0.0; 6]),
        ("materials", "SCALAR", &[0.0; 2]),
        ("/", "SCALAR", &[0.0; 2]),
        ("", "SCALAR", &[0.0; 2]),
    ]]);
    let clip = &imported.model.clips[0];
    assert_eq!((clip.tracks.len(), clip.property_tracks.len()), (1, 1));
    let codes: Vec<_> =
        imported.report.warnings.iter().map(|warning| (warning.code, warning.count)).collect();
    assert!(codes.contains(&("TRACK_REPEATED", 2)), "{codes:?}");
    assert!(codes.contains(&("TRACK_TARGET_UNKNOWN", 8)), "{codes:?}");
}

#[test]
fn a_model_without_variants_has_none_to_choose() {
    let mut player = showing(&[]);
    assert!(player.set_variant(Some(VariantIndex::new(0))).is_err());
}
