// Matter with a thickness, which absorbs light, by KHR_materials_volume.

// #if thickness_texture
@group(2) @binding(39) var thickness_texture: texture_2d<f32>;
@group(2) @binding(40) var thickness_sampler: sampler;
// #end

fn thickness_at(uv_sets: vec4f) -> f32 {
    var thickness = material.extensions.thickness;
    // #if thickness_texture
    let rows = material.extensions.thickness_uv_rows;
    thickness *= textureSample(thickness_texture, thickness_sampler, uv_by(uv_sets, rows[0], rows[1])).g;
    // #end
    return thickness;
}

// Returns the share of light that passes a distance: the law of Beer and Lambert.
fn unabsorbed(distance: f32) -> vec3f {
    let extensions = material.extensions;
    let color = max(extensions.attenuation_color, vec3f(1e-6));
    return pow(color, vec3f(distance / max(extensions.attenuation_distance, 1e-6)));
}
