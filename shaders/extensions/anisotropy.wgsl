// Reflections that are stretched along the surface, by KHR_materials_anisotropy.

// #if anisotropy_texture
@group(2) @binding(31) var anisotropy_texture: texture_2d<f32>;
@group(2) @binding(32) var anisotropy_sampler: sampler;
// #end

// Returns the direction in the tangent space, and the strength as the third number.
fn stretch_at(uv_sets: vec4f) -> vec3f {
    var direction = vec2f(1.0, 0.0);
    var strength = material.extensions.anisotropy;
    // #if anisotropy_texture
    let rows = material.extensions.anisotropy_uv_rows;
    let pixel = textureSample(anisotropy_texture, anisotropy_sampler, uv_by(uv_sets, rows[0], rows[1])).rgb;
    direction = pixel.rg * 2.0 - 1.0;
    strength *= pixel.b;
    // #end
    let rotation = material.extensions.anisotropy_rotation;
    let turn = vec2f(cos(rotation), sin(rotation));
    return vec3f(
        turn.x * direction.x - turn.y * direction.y,
        turn.y * direction.x + turn.x * direction.y,
        strength,
    );
}

// Returns the light that a surface reflects whose facets are rougher along one direction: an average over facets that
// are distributed like those of GGX, each with the roughness of the other direction.
fn stretched_light(fragment: Varying, normal: vec3f, towards_viewer: vec3f, roughness: f32, stretch: vec3f) -> vec3f {
    let tangent = unit_or_zero(fragment.tangent.xyz - normal * dot(normal, fragment.tangent.xyz));
    let bitangent = cross(normal, tangent) * fragment.tangent.w;
    let along = unit_or_zero(tangent * stretch.x + bitangent * stretch.y);
    let across = roughness * roughness;
    let longest = mix(across, 1.0, stretch.z * stretch.z);
    let spread = sqrt(max(longest * longest - across * across, 0.0));
    // The share is small, but prevents a division by 0.
    var light = reflected_light(lobe_of(normal, towards_viewer, roughness), roughness) * 0.001;
    var whole = 0.001;
    for (var place = -0.875; place < 1.0; place += 0.25) {
        let facet = normalize(normal + along * (spread * place / sqrt(1.0 - place * place)));
        let mirrored = reflect(-towards_viewer, facet);
        let facing = max(dot(normal, mirrored), 0.0);
        light += reflected_light(mirrored, roughness) * facing;
        whole += facing;
    }
    return light / whole;
}
