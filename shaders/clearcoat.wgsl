// #if KHR_materials_clearcoat
// A clear layer above the surface, by the formulas of KHR_materials_clearcoat.

@group(2) @binding(11) var clearcoat_texture: texture_2d<f32>;
@group(2) @binding(12) var clearcoat_sampler: sampler;
@group(2) @binding(13) var clearcoat_roughness_texture: texture_2d<f32>;
@group(2) @binding(14) var clearcoat_roughness_sampler: sampler;
@group(2) @binding(15) var clearcoat_normal_texture: texture_2d<f32>;
@group(2) @binding(16) var clearcoat_normal_sampler: sampler;

struct Coat {
    strength: f32,
    roughness: f32,
    normal: vec3f,
}

// Reads the textures of the coat. It is called before any branch, since sampling requires uniform control flow.
fn coat_at(fragment: Varying, front_facing: bool) -> Coat {
    let rows = material.clearcoat_uv_rows;
    let strength_uv = uv_by(fragment.uv_sets, rows[0], rows[1]);
    let roughness_uv = uv_by(fragment.uv_sets, rows[2], rows[3]);
    let normal_uv = uv_by(fragment.uv_sets, rows[4], rows[5]);
    let pixel = textureSample(clearcoat_normal_texture, clearcoat_normal_sampler, normal_uv).xyz;
    let roughness = textureSample(clearcoat_roughness_texture, clearcoat_roughness_sampler, roughness_uv).g;
    return Coat(
        material.clearcoat * textureSample(clearcoat_texture, clearcoat_sampler, strength_uv).r,
        clamp(material.clearcoat_roughness * roughness, 0.0, 1.0),
        tilted_normal(fragment, front_facing, pixel, material.clearcoat_normal_scale),
    );
}

// Returns the light of a surface and of the coat above it. `light` includes the emission.
fn coated(light: vec3f, matter: Matter, coat: Coat) -> vec3f {
    let lobe = lobe_of(coat.normal, matter.towards_viewer, coat.roughness);
    let layer = reflected_light(lobe, coat.roughness) * mix(1.0, matter.occlusion, coat.roughness);
    // Schlick's approximation for the refractive index 1.5.
    let grazing = saturate(1.0 - abs(dot(coat.normal, matter.towards_viewer)));
    return mix(light, layer, coat.strength * (0.04 + 0.96 * pow(grazing, 5.0)));
}
// #end
