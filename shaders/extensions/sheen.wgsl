// Cloth: fibres above the surface that reflect light at grazing angles, by KHR_materials_sheen.

// #if sheen_color_texture
@group(2) @binding(21) var sheen_color_texture: texture_2d<f32>;
@group(2) @binding(22) var sheen_color_sampler: sampler;
// #end
// #if sheen_roughness_texture
@group(2) @binding(23) var sheen_roughness_texture: texture_2d<f32>;
@group(2) @binding(24) var sheen_roughness_sampler: sampler;
// #end

// Returns the colour, and the roughness as the fourth number.
fn sheen_at(uv_sets: vec4f) -> vec4f {
    let rows = material.extensions.sheen_uv_rows;
    var sheen = vec4f(material.extensions.sheen_color, material.extensions.sheen_roughness);
    // #if sheen_color_texture
    let uv = uv_by(uv_sets, rows[0], rows[1]);
    sheen *= vec4f(textureSample(sheen_color_texture, sheen_color_sampler, uv).rgb, 1.0);
    // #end
    // #if sheen_roughness_texture
    sheen.a *= textureSample(sheen_roughness_texture, sheen_roughness_sampler, uv_by(uv_sets, rows[2], rows[3])).a;
    // #end
    return sheen;
}

// Returns the share of light that white fibres reflect: an integral of the distribution “Charlie” with its visibility,
// approximated. The error is at most 0.02 for most angles, and 0.09 for smooth fibres that are seen edge-on.
fn sheen_reflectance(roughness: f32, facing: f32) -> f32 {
    let rough = max(roughness, 0.1);
    let angle = vec3f(1.0, facing, sqrt(facing));
    let whole = dot(vec3f(-0.8077, 0.0475, -0.0352), angle)
        + dot(vec3f(0.7181, 0.2549, -0.7292), angle) * rough
        + dot(vec3f(0.1716, -1.2580, -0.0888), angle) / rough;
    return min(exp(whole), 1.0);
}
