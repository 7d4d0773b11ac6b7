//! Numbers of glTF's extensions of materials after import. The expected values are worked out by hand.

use crate::support::gltf_file::File;
use gambol::model::{Material, MaterialFeature, MaterialFeatures, TextureSlot, UvTransform};
use glam::{Vec2, Vec3, Vec4};

#[test]
fn clear_coats_are_read() {
    let mut file = File::default();
    let positions = file.positions();
    let uvs = file.floats("VEC2", 3, &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let png = file.view(b"\x89PNG\r\n\x1a\n", "");
    let model = file.model(&format!(
        r#""extensionsUsed":["KHR_materials_clearcoat","KHR_texture_transform"],
        "extensionsRequired":["KHR_materials_clearcoat"],
        "images":[{{"bufferView":{png},"mimeType":"image/png"}}],"textures":[{{"source":0}},{{"source":0}}],
        "materials":[{{"extensions":{{"KHR_materials_clearcoat":{{
            "clearcoatFactor":0.5,"clearcoatTexture":{{"index":1,"texCoord":2}},"clearcoatRoughnessFactor":0.25,
            "clearcoatRoughnessTexture":{{"index":0,"extensions":{{"KHR_texture_transform":
                {{"offset":[0.5,0.25],"rotation":1.5,"scale":[2,3],"texCoord":1}}}}}},
            "clearcoatNormalTexture":{{"index":1,"scale":-2}}}}}}}},
            {{"extensions":{{"KHR_materials_clearcoat":{{"clearcoatTexture":{{"index":1}}}}}}}},
            {{"extensions":{{"KHR_materials_clearcoat":{{"clearcoatFactor":1}},"KHR_materials_unlit":{{}}}}}}],
        "meshes":[{{"primitives":[{{"material":0,"attributes":{{"POSITION":{positions},"TEXCOORD_0":{uvs},
            "TEXCOORD_1":{uvs},"TEXCOORD_2":{uvs}}}}}]}}]"#
    ));
    let [coated, without, unlit] = &model.materials[..] else { panic!() };
    assert_eq!(
        [coated.clearcoat, coated.clearcoat_roughness, coated.clearcoat_normal_scale],
        [0.5, 0.25, -2.0]
    );
    let slots =
        [coated.clearcoat_texture, coated.clearcoat_roughness_texture, coated.clearcoat_normal_texture];
    let [strength, roughness, normal] = slots.map(Option::unwrap);
    assert_eq!(
        [strength, roughness, normal].map(|slot| (slot.texture.get(), slot.uv_set)),
        [(1, 2), (0, 1), (1, 0)]
    );
    let transform = UvTransform { offset: Vec2::new(0.5, 0.25), rotation: 1.5, scale: Vec2::new(2.0, 3.0) };
    assert_eq!(roughness.transform, transform);
    assert_eq!(strength.transform, UvTransform::IDENTITY);
    assert!(coated.features().contains(MaterialFeature::Clearcoat));

    // The defaults of the specification: no coat, smooth.
    assert_eq!(
        [without.clearcoat, without.clearcoat_roughness, without.clearcoat_normal_scale],
        [0.0, 0.0, 1.0]
    );
    assert!(without.clearcoat_texture.is_some());
    assert_eq!([without, unlit].map(Material::features), [MaterialFeatures::CORE; 2], "no coat is drawn");

    assert_eq!(model.meshes[0].primitives[0].tangents.len(), 3, "the coat's normal map needs them");
}

/// Returns the materials of a file with two textures, whose text follows.
fn materials_of(extension: &str, materials: &str) -> Vec<Material> {
    let mut file = File::default();
    let png = file.view(b"\x89PNG\r\n\x1a\n", "");
    file.model(&format!(
        r#""extensionsUsed":["{extension}","KHR_texture_transform"],"extensionsRequired":["{extension}"],
        "images":[{{"bufferView":{png},"mimeType":"image/png"}}],"textures":[{{"source":0}},{{"source":0}}],
        "materials":[{materials}]"#
    ))
    .materials
}

/// Returns the texture, the set of texture coordinates and the offset of slots.
fn places<const N: usize>(slots: [Option<TextureSlot>; N]) -> [(usize, usize, Vec2); N] {
    slots.map(Option::unwrap).map(|slot| (slot.texture.get(), slot.uv_set, slot.transform.offset))
}

#[test]
fn specular_strength_and_colour_are_read() {
    let materials = materials_of(
        "KHR_materials_specular",
        r#"{"extensions":{"KHR_materials_specular":{"specularFactor":0.25,"specularTexture":{"index":1,"texCoord":2},
            "specularColorFactor":[0.5,3,0],"specularColorTexture":{"index":0,"extensions":{"KHR_texture_transform":
            {"offset":[0.5,0.25],"texCoord":1}}}}}},{"extensions":{"KHR_materials_specular":{}}}"#,
    );
    let [changed, without] = &materials[..] else { panic!() };
    assert_eq!((changed.specular, changed.specular_color), (0.25, Vec3::new(0.5, 3.0, 0.0)));
    let slots = places([changed.specular_texture, changed.specular_color_texture]);
    assert_eq!(slots, [(1, 2, Vec2::ZERO), (0, 1, Vec2::new(0.5, 0.25))]);
    assert!(changed.features().contains(MaterialFeature::Specular));
    // The defaults of the specification.
    assert_eq!((without.specular, without.specular_color), (1.0, Vec3::ONE));
    assert_eq!(without.features(), MaterialFeatures::CORE);
    // A texture alone changes the look, too.
    let textured = Material { specular_texture: changed.specular_texture, ..without.clone() };
    assert!(textured.features().contains(MaterialFeature::Specular));
}

#[test]
fn refractive_indices_are_read() {
    let materials = materials_of(
        "KHR_materials_ior",
        r#"{"extensions":{"KHR_materials_ior":{"ior":2.5}}},{"extensions":{"KHR_materials_ior":{"ior":0}}},
            {"extensions":{"KHR_materials_ior":{"ior":1.5}}},{"extensions":{"KHR_materials_ior":{}}}"#,
    );
    assert_eq!(materials.iter().map(|material| material.ior).collect::<Vec<_>>(), [2.5, 0.0, 1.5, 1.5]);
    let is_drawn = |material: &Material| material.features().contains(MaterialFeature::Ior);
    assert_eq!(materials.iter().map(is_drawn).collect::<Vec<_>>(), [true, true, false, false]);
}

#[test]
fn sheen_is_read() {
    let materials = materials_of(
        "KHR_materials_sheen",
        r#"{"extensions":{"KHR_materials_sheen":{"sheenColorFactor":[0.5,1,0],"sheenColorTexture":{"index":1},
            "sheenRoughnessFactor":0.25,"sheenRoughnessTexture":{"index":0,"texCoord":1,"extensions":
            {"KHR_texture_transform":{"offset":[0.5,0.25]}}}}}},{"extensions":{"KHR_materials_sheen":
            {"sheenColorTexture":{"index":1},"sheenRoughnessFactor":1}}}"#,
    );
    let [cloth, without] = &materials[..] else { panic!() };
    assert_eq!((cloth.sheen_color, cloth.sheen_roughness), (Vec3::new(0.5, 1.0, 0.0), 0.25));
    let slots = places([cloth.sheen_color_texture, cloth.sheen_roughness_texture]);
    assert_eq!(slots, [(1, 0, Vec2::ZERO), (0, 1, Vec2::new(0.5, 0.25))]);
    assert!(cloth.features().contains(MaterialFeature::Sheen));
    // By default, there is no sheen.
    assert_eq!((without.sheen_color, without.sheen_roughness), (Vec3::ZERO, 1.0));
    assert_eq!(without.features(), MaterialFeatures::CORE);
}

#[test]
fn specular_colour_and_glossiness_replace_the_base_colour() {
    let materials = materials_of(
        "KHR_materials_pbrSpecularGlossiness",
        r#"{"pbrMetallicRoughness":{"baseColorFactor":[1,0,0,1],"baseColorTexture":{"index":0}},"alphaMode":"BLEND",
            "extensions":{"KHR_materials_pbrSpecularGlossiness":{"diffuseFactor":[0.1,0.2,0.3,0.4],
            "diffuseTexture":{"index":1,"texCoord":1},"specularFactor":[0.5,1,0],"glossinessFactor":0.25,
            "specularGlossinessTexture":{"index":0,"extensions":{"KHR_texture_transform":{"offset":[0.5,0.25]}}}}}},
            {"pbrMetallicRoughness":{"baseColorFactor":[1,0,0,1],"baseColorTexture":{"index":0}},
            "extensions":{"KHR_materials_pbrSpecularGlossiness":{}}},{}"#,
    );
    let [glossy, white, without] = &materials[..] else { panic!() };
    assert_eq!(glossy.base_color, Vec4::new(0.1, 0.2, 0.3, 0.4));
    assert_eq!((glossy.specular_glossiness_color, glossy.glossiness), (Vec3::new(0.5, 1.0, 0.0), 0.25));
    let slots = places([glossy.base_color_texture, glossy.specular_glossiness_texture]);
    assert_eq!(slots, [(1, 1, Vec2::ZERO), (0, 0, Vec2::new(0.5, 0.25))]);
    // The defaults of the specification: white and glossy.
    assert_eq!((white.base_color, white.base_color_texture), (Vec4::ONE, None));
    assert_eq!((white.specular_glossiness_color, white.glossiness), (Vec3::ONE, 1.0));
    let is_drawn = |material: &Material| material.features().contains(MaterialFeature::SpecularGlossiness);
    assert_eq!([glossy, white, without].map(is_drawn), [true, true, false]);
}

#[test]
fn iridescence_is_read() {
    let materials = materials_of(
        "KHR_materials_iridescence",
        r#"{"extensions":{"KHR_materials_iridescence":{"iridescenceFactor":0.5,"iridescenceTexture":{"index":1},
            "iridescenceIor":1.8,"iridescenceThicknessMinimum":50,"iridescenceThicknessMaximum":600,
            "iridescenceThicknessTexture":{"index":0,"texCoord":1,"extensions":{"KHR_texture_transform":
            {"offset":[0.5,0.25]}}}}}},{"extensions":{"KHR_materials_iridescence":{}}}"#,
    );
    let [film, without] = &materials[..] else { panic!() };
    let numbers = |material: &Material| {
        let Material { iridescence, iridescence_ior, .. } = *material;
        let Material { iridescence_thickness_minimum, iridescence_thickness_maximum, .. } = *material;
        [iridescence, iridescence_ior, iridescence_thickness_minimum, iridescence_thickness_maximum]
    };
    assert_eq!(numbers(film), [0.5, 1.8, 50.0, 600.0]);
    let slots = places([film.iridescence_texture, film.iridescence_thickness_texture]);
    assert_eq!(slots, [(1, 0, Vec2::ZERO), (0, 1, Vec2::new(0.5, 0.25))]);
    assert!(film.features().contains(MaterialFeature::Iridescence));
    // The defaults of the specification.
    assert_eq!(numbers(without), [0.0, 1.3, 100.0, 400.0]);
    assert_eq!(without.features(), MaterialFeatures::CORE);
}

#[test]
fn anisotropy_is_read() {
    let materials = materials_of(
        "KHR_materials_anisotropy",
        r#"{"extensions":{"KHR_materials_anisotropy":{"anisotropyStrength":0.5,"anisotropyRotation":-7.5,
            "anisotropyTexture":{"index":0,"texCoord":1,"extensions":{"KHR_texture_transform":
            {"offset":[0.5,0.25]}}}}}},{"extensions":{"KHR_materials_anisotropy":{"anisotropyRotation":1}}}"#,
    );
    let [brushed, without] = &materials[..] else { panic!() };
    assert_eq!((brushed.anisotropy, brushed.anisotropy_rotation), (0.5, -7.5));
    assert_eq!(places([brushed.anisotropy_texture]), [(0, 1, Vec2::new(0.5, 0.25))]);
    assert!(brushed.features().contains(MaterialFeature::Anisotropy));
    assert_eq!((without.anisotropy, without.anisotropy_rotation), (0.0, 1.0));
    assert_eq!(without.features(), MaterialFeatures::CORE);
    // Tangents are made by the coordinates of the texture, or else by the first ones.
    assert_eq!((brushed.tangent_uv_set(), without.tangent_uv_set()), (Some(1), None));
    let plain = Material { anisotropy_texture: None, ..brushed.clone() };
    assert_eq!(plain.tangent_uv_set(), Some(0));
}

#[test]
fn diffuse_transmission_is_read() {
    let materials = materials_of(
        "KHR_materials_diffuse_transmission",
        r#"{"extensions":{"KHR_materials_diffuse_transmission":{"diffuseTransmissionFactor":0.5,
            "diffuseTransmissionTexture":{"index":1},"diffuseTransmissionColorFactor":[0.5,1,0],
            "diffuseTransmissionColorTexture":{"index":0,"texCoord":1,"extensions":{"KHR_texture_transform":
            {"offset":[0.5,0.25]}}}}}},{"extensions":{"KHR_materials_diffuse_transmission":{}}}"#,
    );
    let [leaf, without] = &materials[..] else { panic!() };
    assert_eq!(leaf.diffuse_transmission, 0.5);
    assert_eq!(leaf.diffuse_transmission_color, Vec3::new(0.5, 1.0, 0.0));
    let slots = places([leaf.diffuse_transmission_texture, leaf.diffuse_transmission_color_texture]);
    assert_eq!(slots, [(1, 0, Vec2::ZERO), (0, 1, Vec2::new(0.5, 0.25))]);
    assert!(leaf.features().contains(MaterialFeature::DiffuseTransmission));
    assert_eq!((without.diffuse_transmission, without.diffuse_transmission_color), (0.0, Vec3::ONE));
    assert_eq!(without.features(), MaterialFeatures::CORE);
}

#[test]
fn transmission_volumes_and_dispersion_are_read() {
    let materials = materials_of(
        "KHR_materials_transmission",
        r#"{"extensions":{"KHR_materials_transmission":{"transmissionFactor":0.5,"transmissionTexture":{"index":1}},
            "KHR_materials_volume":{"thicknessFactor":2.5,"thicknessTexture":{"index":0,"texCoord":1},
            "attenuationColor":[0.5,1,0],"attenuationDistance":0.25},"KHR_materials_dispersion":{"dispersion":3}}},
            {"extensions":{"KHR_materials_transmission":{},"KHR_materials_volume":{},"KHR_materials_dispersion":{}}}"#,
    );
    let [glass, without] = &materials[..] else { panic!() };
    let numbers = |material: &Material| {
        let Material { transmission, thickness, attenuation_distance, dispersion, .. } = *material;
        [transmission, thickness, attenuation_distance, dispersion]
    };
    assert_eq!(numbers(glass), [0.5, 2.5, 0.25, 3.0]);
    assert_eq!(glass.attenuation_color, Vec3::new(0.5, 1.0, 0.0));
    let slots = places([glass.transmission_texture, glass.thickness_texture]);
    assert_eq!(slots, [(1, 0, Vec2::ZERO), (0, 1, Vec2::ZERO)]);
    let wanted = [MaterialFeature::Transmission, MaterialFeature::Volume, MaterialFeature::Dispersion];
    assert!(wanted.iter().all(|&feature| glass.features().contains(feature)));
    // By default, nothing absorbs light.
    assert_eq!(numbers(without), [0.0, 0.0, f32::MAX, 0.0]);
    assert_eq!((without.attenuation_color, without.features()), (Vec3::ONE, MaterialFeatures::CORE));
}
