// Specular colour and glossiness in place of metalness and roughness, by KHR_materials_pbrSpecularGlossiness.

// #if specular_glossiness_texture
@group(2) @binding(25) var specular_glossiness_texture: texture_2d<f32>;
@group(2) @binding(26) var specular_glossiness_sampler: sampler;
// #end

// Returns the specular colour, and the glossiness as the fourth number.
fn specular_glossiness_at(uv_sets: vec4f) -> vec4f {
    var found = vec4f(material.extensions.specular_glossiness_color, material.extensions.glossiness);
    // #if specular_glossiness_texture
    let rows = material.extensions.specular_glossiness_uv_rows;
    let uv = uv_by(uv_sets, rows[0], rows[1]);
    found *= textureSample(specular_glossiness_texture, specular_glossiness_sampler, uv);
    // #end
    return found;
}
