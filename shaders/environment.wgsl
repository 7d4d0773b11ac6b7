// Light from all around, as `src/light` prepares it: a map of reflections, whose levels are blurred for rougher and
// rougher surfaces, coefficients of diffuse light, and a table of what rough surfaces reflect.

@group(3) @binding(2) var environment_map: texture_2d<f32>;
@group(3) @binding(3) var environment_sampler: sampler;
@group(3) @binding(4) var reflectance_table: texture_2d<f32>;

struct Matter {
    normal: vec3f,
    towards_viewer: vec3f,
    roughness: f32,
    occlusion: f32,
    // Fraction of the key light that isn't occluded.
    key_light_share: f32,
    metallic: f32,
    // What light scatters below the surface, without the metallic part.
    diffuse: vec3f,
    // Specular colours straight on, of the metallic part and of the rest.
    metal: vec3f,
    dielectric: vec3f,
}

// Returns a direction in the world as seen by the environment, which may be turned about the vertical.
fn in_environment(direction: vec3f) -> vec3f {
    let turn = frame.environment_turn;
    let across = direction.xz;
    return vec3f(dot(turn, across), direction.y, turn.x * across.y - turn.y * across.x);
}

// Returns the light that a white surface reflects in a direction. `src/light/octahedron.rs` describes the map.
fn reflected_light(direction: vec3f, roughness: f32) -> vec3f {
    let seen = in_environment(direction);
    let size = abs(seen);
    let above = seen.xz / (size.x + size.y + size.z);
    let below = (1.0 - abs(above.yx)) * select(vec2f(-1.0), vec2f(1.0), above >= vec2f(0.0));
    let place = 0.5 + 0.46875 * select(above, below, seen.y < 0.0);
    // The inverse of `roughness_of` in `src/light/filter.rs`.
    let level = sqrt(20.0 * roughness + 0.25) - 0.5;
    return textureSampleLevel(environment_map, environment_sampler, place, level).rgb * frame.environment_light;
}

// Returns the light that a white, matt surface scatters. The terms are those of `src/light/irradiance.rs`.
fn diffuse_light(normal: vec3f, occluded_key_light: vec3f) -> vec3f {
    let seen = in_environment(normal);
    let light = frame.irradiance[0].rgb
        + frame.irradiance[1].rgb * seen.x
        + frame.irradiance[2].rgb * seen.y
        + frame.irradiance[3].rgb * seen.z
        + frame.irradiance[4].rgb * (seen.x * seen.y)
        + frame.irradiance[5].rgb * (seen.y * seen.z)
        + frame.irradiance[6].rgb * (seen.x * seen.z)
        + frame.irradiance[7].rgb * (3.0 * seen.z * seen.z - 1.0)
        + frame.irradiance[8].rgb * (seen.x * seen.x - seen.y * seen.y);
    // The key light is a large part of the environment, but never all of it.
    return max(light - occluded_key_light, max(light, vec3f(0.0)) * 0.25);
}

// Returns the factor of the specular colour and what is added to it, for light that is the same from everywhere.
fn reflectance(facing: f32, roughness: f32) -> vec2f {
    return textureSampleLevel(reflectance_table, environment_sampler, vec2f(facing, roughness), 0.0).rg;
}

// Returns the fraction of light that a specular colour reflects, from the table's factor and addend. Light that single
// scattering loses on rough surfaces is reflected again, tinted.
fn reflected_share(specular: vec3f, share: vec2f) -> vec3f {
    let once = specular * share.x + share.y;
    let lost = 1.0 - (share.x + share.y);
    let average = specular + (1.0 - specular) / 21.0;
    return once / (1.0 - average * lost);
}

fn surface_light(matter: Matter) -> vec3f {
    let normal = matter.normal;
    let facing = clamp(dot(normal, matter.towards_viewer), 0.001, 1.0);
    let share = reflectance(facing, matter.roughness);
    let clear = reflected_share(matter.dielectric, share);
    let occluded = 1.0 - matter.key_light_share;
    let lit = max(dot(normal, frame.towards_key_light), 0.0);
    let scattered = matter.diffuse * (1.0 - clear) * diffuse_light(normal, frame.key_light * (lit * occluded));
    // The lobe of a rough surface leans towards the normal.
    let alpha = matter.roughness * matter.roughness;
    let lobe = mix(reflect(-matter.towards_viewer, normal), normal, alpha * alpha);
    // Reflections of the key light are occluded where its light is.
    let towards_key = max(dot(lobe, frame.towards_key_light), 0.0);
    let hidden = 0.8 * occluded * towards_key * towards_key * min(4.0 * lit, 1.0);
    let reflected = mix(clear, reflected_share(matter.metal, share), matter.metallic) * (1.0 - hidden)
        * reflected_light(lobe, matter.roughness);
    // Occlusion affects diffuse light fully, and reflections in proportion to the roughness.
    let open = matter.occlusion;
    return scattered * open + reflected * mix(1.0, open, matter.roughness);
}
