// Light from all around, as `src/light` prepares it: a map of reflections, whose levels are blurred for rougher and
// rougher surfaces, and a small map of diffuse light.

@group(3) @binding(2) var environment_map: texture_2d<f32>;
@group(3) @binding(3) var environment_sampler: sampler;
@group(3) @binding(4) var matt_map: texture_2d<f32>;
@group(3) @binding(5) var matt_sampler: sampler;

struct Matter {
    normal: vec3f,
    towards_viewer: vec3f,
    roughness: f32,
    occlusion: f32,
    // Fraction of the key light that isn't occluded.
    key_light_share: f32,
    metallic: f32,
    color: vec3f,
}

// Returns the light that a white surface reflects in a direction.
fn reflected_light(direction: vec3f, roughness: f32) -> vec3f {
    let place = place_on_map(in_environment(direction));
    let light = textureSampleLevel(environment_map, environment_sampler, place, level_of(roughness));
    return light.rgb * frame.environment_light;
}

// Returns the light that a white, matt surface scatters.
fn diffuse_light(normal: vec3f, occluded_key_light: vec3f) -> vec3f {
    // The map is moved by half a texel.
    let place = place_on_map(in_environment(normal)) + 1.0 / 128.0;
    let light = textureSampleLevel(matt_map, matt_sampler, place, 0.0).rgb * frame.environment_light;
    // The key light is a large part of the environment, but never all of it.
    return max(light - occluded_key_light, light * 0.25);
}

// Returns the factor of the specular colour and what is added to it, for light that is the same from everywhere: an
// integral of GGX's facets with Smith's shadowing, approximated. Smooth surfaces have Schlick's Fresnel exactly. The
// error for others is 0.006 in the mean, and below 0.045.
fn reflectance(facing: f32, roughness: f32) -> vec2f {
    let alpha = roughness * roughness;
    let square = facing * facing;
    let past = 1.0 - facing;
    let terms = vec4f(1.0, facing, square, roughness);
    let addend = past * past * past
        * (past * past + roughness * dot(vec4f(-1.3238, 1.9628 - 1.2156 * roughness, 0.1763, 0.6801), terms))
        / (1.0 + roughness * dot(vec4f(-0.7391, -9.2963 - 11.89 * roughness, 14.2173, 8.3535), terms));
    // What facets hide from each other.
    let lost = facing * alpha * alpha * (0.2308 + alpha * (3.2076 * facing + 0.7416 * alpha - 0.1086))
        / (square * (facing - 2.331 * alpha)
            + alpha * alpha * (4.1463 * square + 2.8411 * facing + 0.1681 * alpha + 0.0133));
    return vec2f(1.0 - lost - addend, addend);
}

// Returns the light of a surface without extensions.
fn surface_light(matter: Matter) -> vec3f {
    let normal = matter.normal;
    let facing = clamp(dot(normal, matter.towards_viewer), 0.001, 1.0);
    // Light that single scattering loses on rough surfaces is reflected again: the sum over all reflections.
    let share = reflectance(facing, matter.roughness);
    let lost = 1.0 - share.x - share.y;
    let clear = (0.04 * share.x + share.y) / (1.0 - (0.04 + 0.96 / 21.0) * lost);
    let lobe = lobe_of(normal, matter.towards_viewer, matter.roughness);
    var occluded_key_light = vec3f(0.0);
    var reflected = reflected_light(lobe, matter.roughness);
    if is_shadowed {
        let occluded = 1.0 - matter.key_light_share;
        let lit = max(dot(normal, frame.towards_key_light), 0.0);
        occluded_key_light = frame.key_light * (lit * occluded);
        reflected *= key_left(lobe, occluded, lit);
    }
    var scattered = matter.color * diffuse_light(normal, occluded_key_light);
    var reflecting = vec3f(clear);
    if is_metallic {
        // Metals tint what they reflect again.
        let average = matter.color * (20.0 / 21.0) + 1.0 / 21.0;
        let metal = (matter.color * share.x + share.y) / (1.0 - average * lost);
        reflecting = mix(reflecting, metal, matter.metallic);
        scattered *= 1.0 - matter.metallic;
    }
    // Occlusion affects diffuse light fully, and reflections in proportion to the roughness.
    let open = matter.occlusion;
    return scattered * ((1.0 - clear) * open) + reflecting * reflected * mix(1.0, open, matter.roughness);
}

// Returns the direction from which a surface reflects. The lobe of a rough one leans towards the normal.
fn lobe_of(normal: vec3f, towards_viewer: vec3f, roughness: f32) -> vec3f {
    let alpha = roughness * roughness;
    return mix(reflect(-towards_viewer, normal), normal, alpha * alpha);
}

// Returns the fraction of a reflection that is left where the key light is occluded.
fn key_left(lobe: vec3f, occluded: f32, lit: f32) -> f32 {
    let towards_key = max(dot(lobe, frame.towards_key_light), 0.0);
    return 1.0 - 0.8 * occluded * towards_key * towards_key * min(4.0 * lit, 1.0);
}
