// Light that shines through thin matter, like leaves and paper, by KHR_materials_diffuse_transmission.

// #if diffuse_transmission_texture
@group(2) @binding(33) var diffuse_transmission_texture: texture_2d<f32>;
@group(2) @binding(34) var diffuse_transmission_sampler: sampler;
// #end
// #if diffuse_transmission_color_texture
@group(2) @binding(35) var diffuse_transmission_color_texture: texture_2d<f32>;
@group(2) @binding(36) var diffuse_transmission_color_sampler: sampler;
// #end

// Returns the colour of the light that passes, and its share as the fourth number.
fn diffuse_transmission_at(uv_sets: vec4f) -> vec4f {
    let rows = material.extensions.diffuse_transmission_uv_rows;
    var found =
        vec4f(material.extensions.diffuse_transmission_color, material.extensions.diffuse_transmission);
    // #if diffuse_transmission_texture
    let place = uv_by(uv_sets, rows[0], rows[1]);
    found.a *= textureSample(diffuse_transmission_texture, diffuse_transmission_sampler, place).a;
    // #end
    // #if diffuse_transmission_color_texture
    let uv = uv_by(uv_sets, rows[2], rows[3]);
    let color = textureSample(diffuse_transmission_color_texture, diffuse_transmission_color_sampler, uv).rgb;
    found *= vec4f(color, 1.0);
    // #end
    return found;
}
