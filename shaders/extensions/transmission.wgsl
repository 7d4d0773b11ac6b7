// Light that passes through glass and the like, by KHR_materials_transmission. It is taken from the environment: what
// is behind the surface isn't seen through it.

// #if transmission_texture
@group(2) @binding(37) var transmission_texture: texture_2d<f32>;
@group(2) @binding(38) var transmission_sampler: sampler;
// #end

// Returns the share of the light that passes.
fn transmission_at(uv_sets: vec4f) -> f32 {
    var transmission = material.extensions.transmission;
    // #if transmission_texture
    let rows = material.extensions.transmission_uv_rows;
    transmission *= textureSample(transmission_texture, transmission_sampler, uv_by(uv_sets, rows[0], rows[1])).r;
    // #end
    return transmission;
}

// Returns the light that comes through a surface towards the viewer, for a refractive index of each colour. Light
// passes a thin wall straight, and is bent by matter with a thickness.
fn light_from_behind(normal: vec3f, towards_viewer: vec3f, roughness: f32, iors: vec3f, thickness: f32) -> vec3f {
    let bends = select(vec3f(1.0), max(iors, vec3f(1.0)), thickness > 0.0);
    // A refractive index near 1 doesn't blur.
    let blur = roughness * clamp(iors.g * 2.0 - 2.0, 0.0, 1.0);
    return vec3f(
        reflected_light(refract(-towards_viewer, normal, 1.0 / bends.r), blur).r,
        reflected_light(refract(-towards_viewer, normal, 1.0 / bends.g), blur).g,
        reflected_light(refract(-towards_viewer, normal, 1.0 / bends.b), blur).b,
    );
}
