// A thin film on the surface, whose colour depends on the angle, by KHR_materials_iridescence.

// #if iridescence_texture
@group(2) @binding(27) var iridescence_texture: texture_2d<f32>;
@group(2) @binding(28) var iridescence_sampler: sampler;
// #end
// #if iridescence_thickness_texture
@group(2) @binding(29) var iridescence_thickness_texture: texture_2d<f32>;
@group(2) @binding(30) var iridescence_thickness_sampler: sampler;
// #end

// Returns the strength of the film and its thickness in nanometres.
fn film_at(uv_sets: vec4f) -> vec2f {
    let rows = material.extensions.iridescence_uv_rows;
    var strength = material.extensions.iridescence;
    var thickness = material.extensions.iridescence_thickness_maximum;
    // #if iridescence_texture
    strength *= textureSample(iridescence_texture, iridescence_sampler, uv_by(uv_sets, rows[0], rows[1])).r;
    // #end
    // #if iridescence_thickness_texture
    let uv = uv_by(uv_sets, rows[2], rows[3]);
    let share = textureSample(iridescence_thickness_texture, iridescence_thickness_sampler, uv).g;
    thickness = mix(material.extensions.iridescence_thickness_minimum, thickness, share);
    // #end
    return vec2f(strength, thickness);
}

// Returns what a film adds to the colour: the Fourier transform of the eye's response, for an optical path difference
// in nanometres and phase shifts. The numbers are those of the extension's text, fitted to CIE's functions by the
// authors of “A Practical Extension to Microfacet Theory for the Modeling of Varying Iridescence” (Belcour and Barla,
// 2017).
fn film_response(path: f32, shift: vec3f) -> vec3f {
    let phase = 6.2831853e-9 * path;
    let falloff = vec3f(4.3278e9, 9.3046e9, 6.6121e9);
    let response = vec3f(5.4856e-13, 4.4201e-13, 5.2481e-13) * sqrt(6.2831853 * falloff);
    var xyz = response * cos(vec3f(1.6810e6, 1.7953e6, 2.2084e6) * phase + shift) * exp(-phase * phase * falloff);
    xyz.x += 9.7470e-14 * sqrt(6.2831853 * 4.5282e9) * cos(2.2399e6 * phase + shift.x) * exp(-4.5282e9 * phase * phase);
    xyz /= 1.0685e-7;
    return vec3f(
        dot(vec3f(3.2404542, -1.5371385, -0.4985314), xyz),
        dot(vec3f(-0.9692660, 1.8760108, 0.0415560), xyz),
        dot(vec3f(0.0556434, -0.2040259, 1.0572252), xyz),
    );
}

// Returns the reflectance at normal incidence that gives a surface with a film its reflectance at this angle. `below`
// is the reflectance at normal incidence of the surface without the film.
fn filmed(below: vec3f, film: vec2f, facing: f32) -> vec3f {
    // A film of no thickness changes nothing.
    let ior = mix(1.0, material.extensions.iridescence_ior, smoothstep(0.0, 0.03, film.y));
    let cosine2 = 1.0 - (1.0 - facing * facing) / (ior * ior);
    if cosine2 <= 0.0 {
        return mix(below, vec3f(1.0), film.x);
    }
    let inside = sqrt(cosine2);
    let grazing = pow(1.0 - facing, 5.0);

    let above = (ior - 1.0) / (ior + 1.0);
    let reflected = mix(above * above, 1.0, grazing);
    let passed = 1.0 - reflected;
    let root = sqrt(clamp(below, vec3f(0.0), vec3f(0.9999)));
    let ior_below = (1.0 + root) / (1.0 - root);
    let ratio = (ior_below - ior) / (ior_below + ior);
    let reflected_below = mix(ratio * ratio, vec3f(1.0), pow(1.0 - inside, 5.0));
    // Reflections by a denser medium are shifted by half a wave.
    let shift = select(vec3f(0.0), vec3f(3.1415927), ior_below < vec3f(ior))
        + select(3.1415927, 0.0, ior < 1.0);

    let path = 2.0 * ior * film.y * inside;
    let both = clamp(reflected * reflected_below, vec3f(1e-5), vec3f(0.9999));
    let amplitude = sqrt(both);
    let sum = passed * passed * reflected_below / (1.0 - both);
    var share = sum - passed;
    var light = reflected + sum;
    for (var order = 1.0; order < 2.5; order += 1.0) {
        share *= amplitude;
        light += share * 2.0 * film_response(order * path, order * shift);
    }
    // Schlick's approximation, solved for the reflectance at normal incidence.
    let seen = clamp(light, vec3f(0.0), vec3f(1.0));
    let straight = clamp((seen - grazing) / max(1.0 - grazing, 1e-4), vec3f(0.0), vec3f(1.0));
    return mix(below, straight, film.x);
}
