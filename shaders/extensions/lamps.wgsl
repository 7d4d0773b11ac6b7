// Lights of models, by KHR_lights_punctual, which shaders call lamps. A lamp is a matrix of four columns:
// - its position and 1, or for a directional light the direction towards it and 0,
// - the direction opposite to its axis, and the inverse square of its range,
// - its colour, divided by π, and the factor of its cone,
// - the offset of its cone, and 1 if it casts the shadow.

struct LampLight {
    towards: vec3f,
    // What a white, matt surface that faces the lamp reflects of it.
    light: vec3f,
}

// Returns the light of a lamp at a point. `shadow` is the fraction of the lamp that isn't occluded, if it casts the
// shadow.
fn lamp_light(index: u32, place: vec3f, shadow: f32) -> LampLight {
    let lamp = frame.lamps[index];
    let offset = lamp[0].xyz - place * lamp[0].w;
    let distance2 = max(dot(offset, offset), 1e-20);
    let towards = offset * inverseSqrt(distance2);
    var reaching = 1.0;
    if lamp[0].w > 0.0 {
        let share = distance2 * lamp[1].w;
        let cone = saturate(dot(lamp[1].xyz, towards) * lamp[2].w + lamp[3].x);
        reaching = saturate(1.0 - share * share) * cone * cone / distance2;
    }
    return LampLight(towards, lamp[2].rgb * (reaching * mix(1.0, shadow, lamp[3].y)));
}

// Returns the fraction of a lamp's light that facets reflect which all reflect everything, times π, and Schlick's
// weight of the reflectance at grazing incidence. Facets are distributed by GGX, with Smith's height-correlated
// shadowing.
fn lamp_lobe(normal: vec3f, towards: vec3f, towards_viewer: vec3f, roughness: f32) -> vec2f {
    let half_way = normalize(towards + towards_viewer);
    let lit = max(dot(normal, towards), 0.0);
    let facing = clamp(dot(normal, towards_viewer), 0.001, 1.0);
    // A perfect mirror would not show a point.
    let alpha = max(roughness * roughness, 0.002);
    let alpha2 = alpha * alpha;
    let above = max(dot(normal, half_way), 0.0);
    let spread = above * above * (alpha2 - 1.0) + 1.0;
    let shadowing = lit * sqrt(facing * facing * (1.0 - alpha2) + alpha2)
        + facing * sqrt(lit * lit * (1.0 - alpha2) + alpha2);
    let grazing = 1.0 - saturate(dot(towards, half_way));
    return vec2f(lit * 0.5 * alpha2 / (spread * spread * max(shadowing, 1e-6)), pow(grazing, 5.0));
}

// Returns the fraction of a lamp's light that white fibres reflect, times π, by the formulas of KHR_materials_sheen.
fn lamp_sheen(normal: vec3f, towards: vec3f, towards_viewer: vec3f, roughness: f32) -> f32 {
    let half_way = normalize(towards + towards_viewer);
    let lit = saturate(dot(normal, towards));
    let facing = clamp(dot(normal, towards_viewer), 0.001, 1.0);
    let above = saturate(dot(normal, half_way));
    let sharpness = 1.0 / max(roughness * roughness, 0.01);
    let distribution = (2.0 + sharpness) * pow(max(1.0 - above * above, 1e-4), sharpness * 0.5) * 0.5;
    return distribution * lit / (4.0 * (lit + facing - lit * facing));
}
