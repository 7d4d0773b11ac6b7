// The fragment shader of materials with extensions. Its parts between `// #if NAME` and `// #end` are for materials
// that use the extension NAME, or have the texture NAME, and for pictures with what NAME says: lamps, limbs that
// occlude each other, or a high range.
//
// For WebGL2, `build/translate.rs` makes branches of the conditional parts inside of functions, so these parts declare
// nothing that is used outside.

// The picture behind transmissive surfaces: colours encoded to sRGB, with premultiplied alpha. For the others, the
// occlusion between limbs.
@group(3) @binding(6) var beyond: texture_2d<f32>;

struct Extensions {
    clearcoat: f32,
    clearcoat_roughness: f32,
    clearcoat_normal_scale: f32,
    clearcoat_uv_rows: array<vec4f, 6>,
    specular_color: vec3f,
    specular: f32,
    specular_uv_rows: array<vec4f, 4>,
    @align(16) ior: f32,
    sheen_color: vec3f,
    sheen_roughness: f32,
    sheen_uv_rows: array<vec4f, 4>,
    specular_glossiness_color: vec3f,
    glossiness: f32,
    specular_glossiness_uv_rows: array<vec4f, 2>,
    iridescence: f32,
    iridescence_ior: f32,
    iridescence_thickness_minimum: f32,
    iridescence_thickness_maximum: f32,
    iridescence_uv_rows: array<vec4f, 4>,
    anisotropy: f32,
    anisotropy_rotation: f32,
    anisotropy_uv_rows: array<vec4f, 2>,
    diffuse_transmission_color: vec3f,
    diffuse_transmission: f32,
    diffuse_transmission_uv_rows: array<vec4f, 4>,
    transmission: f32,
    transmission_uv_rows: array<vec4f, 2>,
    attenuation_color: vec3f,
    thickness: f32,
    attenuation_distance: f32,
    thickness_uv_rows: array<vec4f, 2>,
    dispersion: f32,
}

// Returns the UV that two rows transform, for a texture of an extension.
fn uv_by(uv_sets: vec4f, u: vec4f, v: vec4f) -> vec2f {
    let uv_set = vec3f(select(uv_sets.xy, uv_sets.zw, u.w > 0.5), 1.0);
    return vec2f(dot(u.xyz, uv_set), dot(v.xyz, uv_set));
}

fn largest(color: vec3f) -> f32 {
    return max(color.r, max(color.g, color.b));
}

// Returns the fraction of light that a surface reflects, by its reflectance at normal and at grazing incidence.
// `surface_light` has the same for plain materials.
fn reflected_share(specular: vec3f, grazing: f32, share: vec2f) -> vec3f {
    let once = specular * share.x + grazing * share.y;
    let lost = 1.0 - (share.x + share.y);
    let average = specular + (grazing - specular) / 21.0;
    return once + once * average * lost / (1.0 - average * lost);
}

// Returns the light that a screen shows for the light of the scene.
fn shown_light(light: vec3f) -> vec3f {
    var shown = toned(light);
    // #if high_range
    shown = highly_toned(light, shown);
    // #end
    return shown;
}

@fragment
fn extended_fragment(fragment: Varying, @builtin(front_facing) front_facing: bool) -> @location(0) vec4f {
    // Textures are read before the first branch, since sampling requires uniform control flow.
    var base = base_color(fragment.uv_sets, fragment.color);
    let maps = maps_at(fragment.uv_sets);
    let side = select(-1.0, 1.0, front_facing);
    let surface_normal = smooth_normal(fragment.normal);
    let normal = shading_normal(fragment, surface_normal, side);
    let across = dpdx(normal);
    let down = dpdy(normal);
    base.a = drawn_alpha(base.a);
    var coat = vec2f(0.0);
    var coat_normal = normal;
    // #if KHR_materials_clearcoat
    coat = coat_at(fragment.uv_sets);
    coat_normal = coat_normal_at(fragment, surface_normal, side);
    // #end
    var specular_tint = vec4f(1.0);
    // #if KHR_materials_specular
    specular_tint = specular_at(fragment.uv_sets);
    // #end
    var sheen = vec4f(0.0);
    // #if KHR_materials_sheen
    sheen = sheen_at(fragment.uv_sets);
    // #end
    var specular_glossiness = vec4f(0.0);
    // #if KHR_materials_pbrSpecularGlossiness
    specular_glossiness = specular_glossiness_at(fragment.uv_sets);
    // #end
    var film = vec2f(0.0);
    // #if KHR_materials_iridescence
    film = film_at(fragment.uv_sets);
    // #end
    var stretch = vec3f(0.0);
    // #if KHR_materials_anisotropy
    stretch = stretch_at(fragment.uv_sets);
    // #end
    var passing = vec4f(0.0);
    // #if KHR_materials_diffuse_transmission
    passing = diffuse_transmission_at(fragment.uv_sets);
    // #end
    var transmission = 0.0;
    // #if KHR_materials_transmission
    transmission = transmission_at(fragment.uv_sets);
    // #end
    var thickness = 0.0;
    // #if KHR_materials_volume
    thickness = thickness_at(fragment.uv_sets) * length(fragment.normal);
    // #end
    if cuts_out && base.a == 0.0 {
        discard;
    }
    if dot(normal, normal) == 0.0 {
        return vec4f(srgb_encoded(base.rgb) * base.a, base.a);
    }

    let towards_viewer = normalize(frame.viewer_in_world - fragment.position_in_world);
    let facing = clamp(dot(normal, towards_viewer), 0.001, 1.0);
    var roughness = clamp(material.roughness * maps.metal_rough.g, 0.0, 1.0);
    // #if KHR_materials_pbrSpecularGlossiness
    roughness = clamp(1.0 - specular_glossiness.a, 0.0, 1.0);
    // #end
    roughness = widened(roughness, across, down);
    let metallic = clamp(material.metallic * maps.metal_rough.b, 0.0, 1.0);
    var open = maps.occlusion;
    // #if by_limbs
    open *= open_among_limbs(fragment.position.xy, fragment.position_in_world);
    // #end
    let shadow = key_light_share(fragment.position_in_world, surface_normal * side);
    var occluded = 1.0 - shadow;
    // #if by_lamps
    // Without a key light, a lamp casts the shadow.
    occluded *= f32(any(frame.key_light != vec3f(0.0)));
    // #end

    // What the surface reflects and scatters. Appendix B of glTF 2.0 mixes a dielectric and a metal.
    var ior = 1.5;
    // #if KHR_materials_ior
    ior = material.extensions.ior;
    // #end
    let root = (ior - 1.0) / (ior + 1.0);
    var dielectric = min(root * root * specular_tint.rgb, vec3f(1.0));
    var metal = base.rgb;
    // #if KHR_materials_iridescence
    dielectric = filmed(dielectric, film, facing);
    metal = filmed(metal, film, facing);
    // #end
    let share = reflectance(facing, roughness);
    let of_dielectric = reflected_share(dielectric * specular_tint.a, specular_tint.a, share);
    let of_metal = reflected_share(metal, 1.0, share);
    var reflecting = mix(of_dielectric, of_metal, metallic);
    let kept = (1.0 - metallic) * (1.0 - largest(of_dielectric));
    var scattering = base.rgb * kept;
    // The reflectance at normal and at grazing incidence, for lamps.
    var specular = mix(dielectric * specular_tint.a, metal, metallic);
    var grazing = mix(vec3f(specular_tint.a), vec3f(1.0), metallic);
    // #if KHR_materials_pbrSpecularGlossiness
    reflecting = reflected_share(specular_glossiness.rgb, 1.0, share);
    scattering = base.rgb * (1.0 - largest(specular_glossiness.rgb)) * (1.0 - reflecting);
    specular = specular_glossiness.rgb;
    grazing = vec3f(1.0);
    // #end

    // The light that falls on it.
    let lit = max(dot(normal, frame.towards_key_light), 0.0);
    let diffuse = diffuse_light(normal, frame.key_light * (lit * occluded)) * open;
    let lobe = lobe_of(normal, towards_viewer, roughness);
    var seen = reflected_light(lobe, roughness);
    // #if KHR_materials_anisotropy
    seen = stretched_light(fragment, normal, towards_viewer, roughness, stretch);
    // #end
    let mirrored = seen * (key_left(lobe, occluded, lit) * mix(1.0, open, roughness));

    var scattered = scattering * diffuse;
    var highlights = vec3f(0.0);
    var lamps_behind = vec3f(0.0);
    var lamps_on_coat = vec3f(0.0);
    var lamps_on_fibres = vec3f(0.0);
    // #if by_lamps
    for (var i = 0u; i < frame.lamp_count; i++) {
        let lamp = lamp_light(i, fragment.position_in_world, shadow);
        let facing_lamp = dot(normal, lamp.towards);
        scattered += scattering * lamp.light * max(facing_lamp, 0.0);
        lamps_behind += lamp.light * max(-facing_lamp, 0.0);
        let lobe = lamp_lobe(normal, lamp.towards, towards_viewer, roughness);
        highlights += lamp.light * lobe.x * mix(specular, grazing, lobe.y);
        // These are constant for materials without a coat and fibres.
        if coat.x > 0.0 {
            let on_coat = lamp_lobe(coat_normal, lamp.towards, towards_viewer, coat.y);
            lamps_on_coat += lamp.light * (coat.x * on_coat.x * mix(0.04, 1.0, on_coat.y));
        }
        if any(sheen.rgb > vec3f(0.0)) {
            lamps_on_fibres += lamp.light * lamp_sheen(normal, lamp.towards, towards_viewer, sheen.a);
        }
    }
    // #end
    var absorbed = vec3f(1.0);
    // #if KHR_materials_volume
    absorbed = unabsorbed(thickness);
    // #end
    // #if KHR_materials_diffuse_transmission
    let light_behind = diffuse_light(-normal, vec3f(0.0)) * open + lamps_behind;
    let from_behind = absorbed * passing.rgb * kept * light_behind;
    scattered = mix(scattered, from_behind, passing.a);
    // #end
    // Red, green and blue are bent differently.
    var iors = vec3f(ior);
    // #if KHR_materials_dispersion
    iors += vec3f(-0.025, 0.0, 0.025) * ((ior - 1.0) * material.extensions.dispersion);
    // #end
    // The share of what is behind the surface that the viewer sees.
    var passed = vec3f(0.0);
    // #if KHR_materials_transmission
    passed = base.rgb * kept * absorbed * transmission;
    scattered *= 1.0 - transmission;
    // #end
    var light = scattered + reflecting * mirrored + highlights;
    // #if KHR_materials_sheen
    let sheen_share = sheen_reflectance(sheen.a, facing);
    let below = 1.0 - largest(sheen.rgb) * sheen_share;
    light = light * below + sheen.rgb * (sheen_share * diffuse + lamps_on_fibres);
    passed *= below;
    // #end
    light += maps.emissive;
    // #if KHR_materials_clearcoat
    let layer = coat_light(towards_viewer, open, coat, coat_normal);
    light = mix(light, layer.rgb, layer.a) + lamps_on_coat;
    passed *= 1.0 - layer.a;
    // #end
    light *= frame.exposure;
    var shown = shown_light(light);
    var alpha = base.a;
    // #if KHR_materials_transmission
    let behind = light_from_behind(fragment.position_in_world, normal, towards_viewer, roughness, iors, thickness);
    // What is behind has been fitted to the screen already. Without other light it is shown unchanged.
    let through = passed * behind.rgb;
    shown = shown_light(light + through) - shown_light(through) + through;
    // The page shows through where nothing is behind.
    alpha *= 1.0 - dot(passed, vec3f((1.0 - behind.a) / 3.0));
    // #end
    var encoded = srgb_encoded(shown);
    // #if high_range
    encoded = highly_encoded(shown);
    // #end
    encoded *= base.a;
    return vec4f(encoded, max(alpha, min(largest(encoded), 1.0)));
}
