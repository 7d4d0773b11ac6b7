// A clear layer above the surface, by the formulas of KHR_materials_clearcoat.

// #if clearcoat_texture
@group(2) @binding(11) var clearcoat_texture: texture_2d<f32>;
@group(2) @binding(12) var clearcoat_sampler: sampler;
// #end
// #if clearcoat_roughness_texture
@group(2) @binding(13) var clearcoat_roughness_texture: texture_2d<f32>;
@group(2) @binding(14) var clearcoat_roughness_sampler: sampler;
// #end
// #if clearcoat_normal_texture
@group(2) @binding(15) var clearcoat_normal_texture: texture_2d<f32>;
@group(2) @binding(16) var clearcoat_normal_sampler: sampler;
// #end

// Returns strength and roughness of the coat.
fn coat_at(uv_sets: vec4f) -> vec2f {
    let rows = material.extensions.clearcoat_uv_rows;
    var coat = vec2f(material.extensions.clearcoat, material.extensions.clearcoat_roughness);
    // #if clearcoat_texture
    coat.x *= textureSample(clearcoat_texture, clearcoat_sampler, uv_by(uv_sets, rows[0], rows[1])).r;
    // #end
    // #if clearcoat_roughness_texture
    let uv = uv_by(uv_sets, rows[2], rows[3]);
    coat.y *= textureSample(clearcoat_roughness_texture, clearcoat_roughness_sampler, uv).g;
    // #end
    return vec2f(coat.x, clamp(coat.y, 0.0, 1.0));
}

fn coat_normal_at(fragment: Varying, straight: vec3f, side: f32) -> vec3f {
    var normal = straight * side;
    // #if clearcoat_normal_texture
    let rows = material.extensions.clearcoat_uv_rows;
    let uv = uv_by(fragment.uv_sets, rows[4], rows[5]);
    let pixel = textureSample(clearcoat_normal_texture, clearcoat_normal_sampler, uv).xyz;
    normal = tilted_normal(fragment, straight, side, pixel, material.extensions.clearcoat_normal_scale);
    // #end
    return normal;
}

// Returns the light that the coat reflects, and its share. The other light is that of the surface below it, with the
// emission.
fn coat_light(towards_viewer: vec3f, open: f32, coat: vec2f, normal: vec3f) -> vec4f {
    let layer = reflected_light(lobe_of(normal, towards_viewer, coat.y), coat.y) * mix(1.0, open, coat.y);
    // Schlick's approximation for the refractive index 1.5.
    let grazing = saturate(1.0 - abs(dot(normal, towards_viewer)));
    return vec4f(layer, coat.x * (0.04 + 0.96 * pow(grazing, 5.0)));
}
