// Strength and colour of reflections at normal incidence, by KHR_materials_specular.

// #if specular_texture
@group(2) @binding(17) var specular_texture: texture_2d<f32>;
@group(2) @binding(18) var specular_sampler: sampler;
// #end
// #if specular_color_texture
@group(2) @binding(19) var specular_color_texture: texture_2d<f32>;
@group(2) @binding(20) var specular_color_sampler: sampler;
// #end

// Returns the colour, and the strength as the fourth number.
fn specular_at(uv_sets: vec4f) -> vec4f {
    let rows = material.extensions.specular_uv_rows;
    var specular = vec4f(material.extensions.specular_color, material.extensions.specular);
    // #if specular_texture
    specular.a *= textureSample(specular_texture, specular_sampler, uv_by(uv_sets, rows[0], rows[1])).a;
    // #end
    // #if specular_color_texture
    let uv = uv_by(uv_sets, rows[2], rows[3]);
    specular *= vec4f(textureSample(specular_color_texture, specular_color_sampler, uv).rgb, 1.0);
    // #end
    return specular;
}
