// The built-in lighting: a procedural photo studio. Soft boxes are rectangles on the sphere of directions. Their
// edges blur with the width of the reflection lobe, so one function serves smooth and rough surfaces.

struct Matter {
    normal: vec3f,
    towards_viewer: vec3f,
    roughness: f32,
    occlusion: f32,
    // Fraction of the key light that isn't occluded.
    key_light_share: f32,
    diffuse: vec3f,
    specular: vec3f,
}

struct SoftBox {
    towards: vec3f,
    right: vec3f,
    half_size: vec2f,
    light: vec3f,
}

// Key: large, warm, from the front left and above.
const KEY_BOX =
    SoftBox(vec3f(-0.5345, 0.5345, 0.6547), vec3f(0.7746, 0.0, 0.6325), vec2f(0.3, 0.36), vec3f(6.6, 6.2, 5.7));
// Fill: tall, cool, from the right.
const FILL_BOX =
    SoftBox(vec3f(0.9231, 0.2308, 0.3077), vec3f(0.3162, 0.0, -0.9487), vec2f(0.14, 0.48), vec3f(2.0, 2.2, 2.5));
// Rim: a wide strip behind, drawing the outline.
const RIM_BOX =
    SoftBox(vec3f(0.3015, 0.3015, -0.9045), vec3f(-0.9487, 0.0, -0.3162), vec2f(0.6, 0.1), vec3f(5.0, 5.2, 5.6));
const CEILING_BOX =
    SoftBox(vec3f(0.0, 1.0, 0.0), vec3f(1.0, 0.0, 0.0), vec2f(0.4, 0.4), vec3f(0.9, 0.9, 0.9));
const KEY_LIGHT = vec3f(1.05, 0.98, 0.9);

// Returns the light of the walls from a direction. `blur` is 0 for sharp reflections and 1 for diffuse light.
fn walls(direction: vec3f, blur: f32) -> vec3f {
    let softness = mix(0.25, 1.2, blur);
    let up = smoothstep(-softness, softness, direction.y);
    let glow = mix(0.2, 0.06, blur) * (1.0 - smoothstep(0.0, 0.5 + softness, abs(direction.y)));
    return mix(vec3f(0.1, 0.095, 0.09), vec3f(0.26, 0.275, 0.3), up) + glow;
}

// Returns the light of a box from a direction. Each box is a call of its own: software GPUs copy an array of boxes for
// each pixel.
fn soft_box(box: SoftBox, direction: vec3f, blur: f32) -> vec3f {
    let up = cross(box.towards, box.right);
    let place = vec2f(dot(direction, box.right), dot(direction, up));
    let edge = vec2f(blur);
    let inside = smoothstep(-edge, edge, place + box.half_size) - smoothstep(-edge, edge, place - box.half_size);
    let ahead = smoothstep(-0.2, 0.3 + blur, dot(direction, box.towards) + 0.1);
    return box.light * (inside.x * inside.y * ahead);
}

fn reflected_studio(direction: vec3f, roughness: f32) -> vec3f {
    let blur = 0.02 + 1.1 * roughness * roughness;
    return walls(direction, roughness)
        + soft_box(KEY_BOX, direction, blur)
        + soft_box(FILL_BOX, direction, blur)
        + soft_box(RIM_BOX, direction, blur)
        + soft_box(CEILING_BOX, direction, blur);
}

// Returns the light of a box that a matt surface scatters.
fn scattered_box(box: SoftBox, normal: vec3f) -> vec3f {
    // A large light reaches slightly beyond the horizon of the surface.
    let facing = max(dot(normal, box.towards) + 0.2, 0.0) / 1.2;
    return box.light * (facing * 4.0 * box.half_size.x * box.half_size.y / 3.14159);
}

fn diffuse_studio(normal: vec3f, key_share: f32) -> vec3f {
    return walls(normal, 1.0)
        + scattered_box(KEY_BOX, normal) * key_share
        + scattered_box(FILL_BOX, normal)
        + scattered_box(RIM_BOX, normal)
        + scattered_box(CEILING_BOX, normal);
}

// Returns the scale and bias of the specular colour for the reflected fraction of light: Karis's approximation for
// GGX.
fn reflectance(roughness: f32, facing: f32) -> vec2f {
    let r = roughness * vec4f(-1.0, -0.0275, -0.572, 0.022) + vec4f(1.0, 0.0425, 1.04, -0.04);
    let a = min(r.x * r.x, exp2(-9.28 * facing)) * r.x + r.y;
    return vec2f(-1.04, 1.04) * a + r.zw;
}

fn studio_light(matter: Matter) -> vec3f {
    let normal = matter.normal;
    let facing = clamp(dot(normal, matter.towards_viewer), 0.001, 1.0);
    let share = reflectance(matter.roughness, facing);
    // Multiple scattering: light that single scattering loses on rough surfaces is reflected again, tinted.
    let once = matter.specular * share.x + share.y;
    let lost = 1.0 - (share.x + share.y);
    let average = matter.specular + (1.0 - matter.specular) / 21.0;
    let again = once * average * lost / (1.0 - average * lost);
    let mirrored = reflect(-matter.towards_viewer, normal);
    let reflected = (once + again) * reflected_studio(mirrored, matter.roughness);
    let lit = dot(normal, frame.towards_key_light);
    // The key's soft box is too large to be occluded completely. Surfaces that face away from it aren't darkened by
    // its shadow.
    let key_share = 1.0 - 0.75 * (1.0 - matter.key_light_share) * smoothstep(0.0, 0.3, lit);
    let scattered = matter.diffuse * (1.0 - once - again) * diffuse_studio(normal, key_share);
    // Occlusion affects diffuse light fully, and reflections in proportion to the roughness.
    let open = matter.occlusion;
    let ambient = scattered * open + reflected * mix(1.0, open, matter.roughness);

    // Key light: GGX with Smith's shadowing.
    let towards_light = frame.towards_key_light;
    let facing_light = clamp(lit, 0.0, 1.0);
    let halfway = normalize(towards_light + matter.towards_viewer);
    let normal_half = clamp(dot(normal, halfway), 0.0, 1.0);
    // Limited, so that the highlight isn't sharper than the soft box.
    let alpha = max(matter.roughness * matter.roughness, 0.02);
    let alpha2 = alpha * alpha;
    let lobe = normal_half * normal_half * (alpha2 - 1.0) + 1.0;
    let distribution = alpha2 / (3.14159 * lobe * lobe);
    let visibility = 0.5 / (facing_light * sqrt(facing * facing * (1.0 - alpha2) + alpha2)
        + facing * sqrt(facing_light * facing_light * (1.0 - alpha2) + alpha2) + 1e-4);
    let grazing = pow(1.0 - clamp(dot(halfway, matter.towards_viewer), 0.0, 1.0), 5.0);
    let fresnel = matter.specular + (1.0 - matter.specular) * grazing;
    let key = matter.diffuse * (1.0 - fresnel) / 3.14159 + fresnel * distribution * visibility;
    return ambient + KEY_LIGHT * (facing_light * matter.key_light_share) * key;
}
