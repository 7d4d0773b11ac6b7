// Light that passes through glass and the like, by KHR_materials_transmission. It is taken from the picture without
// transmissive surfaces (`src/render/behind.rs`), in which a refracted ray ends where it leaves the matter.

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

// Returns the light that leaves the screen where a point of the world is, premultiplied, and the alpha there.
fn shown_behind(place_in_world: vec3f, level: f32) -> vec4f {
    let projected = on_tile(frame.projection_from_world * vec4f(place_in_world, 1.0));
    let uv = projected.xy / max(projected.w, 1e-6) * vec2f(0.5, -0.5) + 0.5;
    // Four samples hide the squares of coarse levels.
    let apart = vec2f(0.5, -0.5) * (exp2(level) - 1.0) / vec2f(textureDimensions(beyond));
    let seen = 0.25 * (textureSampleLevel(beyond, environment_sampler, uv + apart, level)
        + textureSampleLevel(beyond, environment_sampler, uv - apart, level)
        + textureSampleLevel(beyond, environment_sampler, uv + apart * vec2f(1.0, -1.0), level)
        + textureSampleLevel(beyond, environment_sampler, uv - apart * vec2f(1.0, -1.0), level));
    return vec4f(srgb_decoded(seen.rgb / max(seen.a, 1e-6)) * seen.a, seen.a);
}

// Returns the same for a ray that passes matter with a refractive index. A thin wall doesn't bend it.
fn shown_through(place: vec3f, normal: vec3f, towards_viewer: vec3f, ior: f32, level: f32, thickness: f32) -> vec4f {
    let bent = refract(-towards_viewer, normal, 1.0 / max(ior, 1.0));
    return shown_behind(place + bent * thickness, level);
}

// Returns what is shown behind a surface, for a refractive index of each colour.
fn light_from_behind(
    place: vec3f, normal: vec3f, towards_viewer: vec3f, roughness: f32, iors: vec3f, thickness: f32,
) -> vec4f {
    // A refractive index near 1 doesn't blur.
    let blur = roughness * clamp(iors.g * 2.0 - 2.0, 0.0, 1.0);
    let level = blur * log2(f32(textureDimensions(beyond).x));
    var seen = shown_through(place, normal, towards_viewer, iors.g, level, thickness);
    // #if KHR_materials_dispersion
    seen.r = shown_through(place, normal, towards_viewer, iors.r, level, thickness).r;
    seen.b = shown_through(place, normal, towards_viewer, iors.b, level, thickness).b;
    // #end
    return seen;
}

fn srgb_decoded(encoded: vec3f) -> vec3f {
    return select(pow((encoded + 0.055) / 1.055, vec3f(2.4)), encoded / 12.92, encoded <= vec3f(0.04045));
}
