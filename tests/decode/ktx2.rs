//! KTX2 textures, against Basis Universal's own transcoder: small ones made for these tests, broken ones, and those of
//! other projects.

mod files;
mod hostile;

use crate::support::real_models::{model, saw};
use files::{fixture, fixtures, sha1, textures_of};
use gambol::decode::ktx2::{Channels, Kind, Ktx2, Target, best_target, open};
use std::collections::BTreeMap;
use std::fs;

const BUDGET: usize = 1 << 28;

/// Images that must be equal, by Basis Universal's transcoder: all formats of UASTC, and texels and colours of ETC1S.
#[test]
fn images_equal_those_of_basis_universal() {
    let expected = String::from_utf8(fixture("expected.txt")).unwrap();
    let mut count = 0;
    for line in expected.lines() {
        let parts: Vec<_> = line.split(' ').collect();
        let [name, level, layer, face, target, hash] = parts[..] else { panic!("{line}") };
        let bytes = fixture(&format!("{name}.ktx2"));
        let texture = open(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let [level, layer, face] = [level, layer, face].map(|number| number.parse().unwrap());
        let target = Target::ALL.into_iter().find(|other| format!("{other:?}") == target).unwrap();
        let image = texture.transcode(level, layer, face, target, BUDGET).unwrap();
        assert!(sha1(&image).starts_with(hash), "{line}");
        count += 1;
    }
    assert_eq!(count, 265);
}

#[test]
fn a_header_tells_what_a_texture_is() {
    let described = |name: &str| {
        let bytes = fixture(name);
        let texture = open(&bytes).unwrap();
        let size = (texture.width(), texture.height());
        let counts = (texture.level_count(), texture.layer_count(), texture.face_count());
        (texture.kind(), texture.channels(), texture.has_alpha(), texture.is_srgb(), size, counts)
    };
    assert_eq!(described("etc1s-ramp.ktx2"), (Kind::Etc1s, Channels::Rgb, false, true, (33, 17), (6, 1, 1)));
    assert_eq!(
        described("etc1s-flags-alpha.ktx2"),
        (Kind::Etc1s, Channels::Rgba, true, true, (13, 18), (5, 1, 1))
    );
    assert_eq!(described("etc1s-plain.ktx2"), (Kind::Etc1s, Channels::Rgb, false, false, (3, 5), (1, 1, 1)));
    assert_eq!(described("etc1s-cube.ktx2"), (Kind::Etc1s, Channels::Rgb, false, true, (8, 8), (4, 1, 6)));
    assert_eq!(
        described("uastc-clear-rdo-zstd.ktx2"),
        (Kind::Uastc, Channels::Rgba, true, true, (32, 16), (1, 1, 1))
    );
    assert_eq!(described("uastc-array.ktx2"), (Kind::Uastc, Channels::Rgb, false, true, (5, 4), (1, 2, 1)));
}

/// The fast path is the writer of blocks, the slow twin a decoder of that format and the texels.
#[test]
fn blocks_come_close_to_the_texels() {
    // Largest mean of the differences of red, green and blue, and of alpha.
    let limit = |kind: Kind, target: Target| match (kind, target) {
        (Kind::Etc1s, Target::Etc2Rgb8) => (0.0, 0.0),
        (Kind::Etc1s, Target::Etc2Rgba8) => (0.0, 2.0),
        // Colours that have nothing in common.
        (Kind::Etc1s, _) => (7.0, 5.0),
        (Kind::Uastc, Target::Astc4x4) => (0.25, 0.25),
        (Kind::Uastc, Target::Bc7) => (1.5, 1.5),
        // Few of these contents suit ETC1. The blocks equal those of Basis Universal, which another test checks.
        (Kind::Uastc, _) => (70.0, 10.0),
    };
    for (name, bytes) in fixtures() {
        let texture = open(&bytes).unwrap();
        for (target, (color, alpha)) in differences(&texture) {
            let target = Target::ALL.into_iter().find(|other| other.name() == target).unwrap();
            let (most_color, most_alpha) = limit(texture.kind(), target);
            assert!(color <= most_color && alpha <= most_alpha, "{name}, {target:?}: {color}, {alpha}");
        }
    }
}

#[test]
fn the_target_is_the_best_one_of_the_device() {
    let all = |_: &str| true;
    let family = |family: &'static str| move |name: &str| name.starts_with(family);
    assert_eq!(best_target(Kind::Etc1s, false, all), Target::Etc2Rgb8);
    assert_eq!(best_target(Kind::Etc1s, true, all), Target::Etc2Rgba8);
    assert_eq!(best_target(Kind::Uastc, true, all), Target::Astc4x4);
    assert_eq!(best_target(Kind::Etc1s, false, family("bc")), Target::Bc1);
    assert_eq!(best_target(Kind::Etc1s, true, family("bc")), Target::Bc7);
    assert_eq!(best_target(Kind::Uastc, false, family("bc")), Target::Bc7);
    assert_eq!(best_target(Kind::Uastc, false, family("etc2")), Target::Etc2Rgb8);
    assert_eq!(best_target(Kind::Uastc, true, family("etc2")), Target::Etc2Rgba8);
    for kind in [Kind::Etc1s, Kind::Uastc] {
        for has_alpha in [false, true] {
            assert_eq!(best_target(kind, has_alpha, |_| false), Target::Rgba8);
        }
    }
}

#[test]
fn textures_of_other_projects_equal_their_goldens() {
    let Some(goldens) = model("goldens/ktx2") else { return };
    let Some(folder) = model("ktx2") else { return };
    let mut count = 0;
    for name in ["2d_etc1s", "2d_uastc", "kodim23", "kota-mipmaps"] {
        let bytes = fs::read(folder.join(name).with_extension("ktx2")).unwrap();
        let golden = fs::read(goldens.join(name).with_extension("json")).unwrap();
        let golden: serde_json::Value = serde_json::from_slice(&golden).unwrap();
        let texture = open(&bytes).unwrap();
        assert_eq!(golden["uastc"], texture.kind() == Kind::Uastc);
        assert_eq!(golden["alpha"], texture.has_alpha());
        let levels = golden["levels"].as_array().unwrap();
        assert_eq!(levels.len(), texture.level_count() as usize);
        for (level, expected) in (0..).zip(levels) {
            let (width, height) = texture.level_size(level);
            assert_eq!((&expected["width"], &expected["height"]), (&width.into(), &height.into()));
            let texels = texture.transcode(level, 0, 0, Target::Rgba8, BUDGET).unwrap();
            assert_eq!(expected["sha1"], sha1(&texels), "{name}, level {level}");
            count += 1;
        }
    }
    saw(count);
}

#[test]
fn textures_inside_of_models_are_read() {
    let mut count = 0;
    for name in [
        "gltf/derived/CesiumMan.ktx2-etc1s.glb",
        "gltf/derived/CesiumMan.ktx2-uastc-zstd.glb",
        "gltf/derived/Fox.ktx2-etc1s.glb",
        "gltf/derived/Fox.ktx2-uastc-zstd.glb",
        "gltf/derived/Fox.ktx2-uastc.glb",
        "gltf/cesium/CesiumBalloonKTX2.glb",
        "gltf/unity/TextureVariants-Embedded-KTX.gltf",
    ] {
        let Some(path) = model(name) else { continue };
        for bytes in textures_of(&path) {
            let texture = open(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            for level in 0..texture.level_count() {
                for target in Target::ALL {
                    let is_unsuitable = texture.kind() == Kind::Uastc && target == Target::Bc1;
                    let image = texture.transcode(level, 0, 0, target, BUDGET);
                    assert!(is_unsuitable || image.is_ok(), "{name}, level {level}: {image:?}");
                }
            }
            let most = if texture.kind() == Kind::Etc1s { 1.5 } else { 3.0 };
            for (target, (color, alpha)) in differences(&texture) {
                assert!(color <= most && alpha <= 1.0, "{name}, {target}: {color}, {alpha}");
            }
            count += 1;
        }
    }
    if count > 0 {
        saw(count);
    }
}

/// Returns the mean differences of colour and alpha of level 0 from its texels, for each format with blocks.
fn differences(texture: &Ktx2) -> BTreeMap<&'static str, (f64, f64)> {
    let (width, height) = (texture.width() as usize, texture.height() as usize);
    let texels = texture.transcode(0, 0, 0, Target::Rgba8, BUDGET).unwrap();
    let mut found = BTreeMap::new();
    for target in Target::ALL {
        let decode = match target {
            Target::Rgba8 => continue,
            Target::Bc1 if texture.kind() == Kind::Uastc => continue,
            Target::Bc1 => texture2ddecoder::decode_bc1,
            Target::Bc7 => texture2ddecoder::decode_bc7,
            Target::Etc2Rgb8 => texture2ddecoder::decode_etc2_rgb,
            Target::Etc2Rgba8 => texture2ddecoder::decode_etc2_rgba8,
            Target::Astc4x4 => texture2ddecoder::decode_astc_4_4,
        };
        let blocks = texture.transcode(0, 0, 0, target, BUDGET).unwrap();
        let mut decoded = vec![0_u32; width * height];
        decode(&blocks, width, height, &mut decoded).unwrap();
        let (mut color, mut alpha) = (0, 0);
        for (decoded, texel) in decoded.iter().zip(texels.as_chunks::<4>().0) {
            let [blue, green, red, its_alpha] = decoded.to_le_bytes();
            let difference = |channel: usize, value: u8| u64::from(texel[channel].abs_diff(value));
            color += difference(0, red) + difference(1, green) + difference(2, blue);
            if !matches!(target, Target::Bc1 | Target::Etc2Rgb8) {
                alpha += difference(3, its_alpha);
            }
        }
        let count = (width * height) as f64;
        found.insert(target.name(), (color as f64 / count / 3.0, alpha as f64 / count));
    }
    found
}
