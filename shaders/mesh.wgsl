@group(3) @binding(0) var shadow_map: texture_depth_2d;
@group(3) @binding(1) var shadow_sampler: sampler_comparison;

// Whether the material has these textures.
const has_normal_map = (PARTS & 32) != 0;
const has_metallic_roughness_map = (PARTS & 64) != 0;
const has_occlusion_map = (PARTS & 128) != 0;
const has_emissive_map = (PARTS & 256) != 0;
// Whether the material is lit.
const is_lit = (PARTS & 512) != 0;
// Whether fragments are discarded by their alpha.
const cuts_out = (PARTS & 1024) != 0;
// Whether tangents are read, for a normal map or for an extension's.
const has_tangents = (PARTS & 2048) != 0;
// Whether the thickness of the material scales with the model.
const scales_normals = (PARTS & 131072) != 0;
// Whether any of the model's materials is a metal.
const is_metallic = (PARTS & 65536) != 0;
// Whether the shadow map is drawn.
const is_shadowed = (PARTS & 4096) != 0;
// The first pictures have no shadow.
const is_lasting = (PARTS & 4096) != 0;
// Whether a character may have a tint.
const may_be_tinted = (PARTS & 262144) != 0;

struct Varying {
    @builtin(position) position: vec4f,
    @location(0) position_in_world: vec3f,
    @location(1) normal: vec3f,
    @location(2) tangent: vec4f,
    @location(3) uv_sets: vec4f,
    @location(4) color: vec4f,
}

@vertex
fn mesh_vertex(vertex: Vertex) -> Varying {
    let surface = surface_in_world(vertex);
    var color = vertex.color;
    if may_be_tinted && frame.first_tint_row != 0u {
        color *= character_row(frame.first_tint_row + vertex.character);
    }
    return Varying(
        frame.tile_from_world * vec4f(surface.position, 1.0),
        surface.position,
        surface.normal,
        surface.tangent,
        vec4f(vertex.uv0, vertex.uv1),
        color,
    );
}

// Returns the normal to light a pixel by. `normal` is that of the surface, and `side` is -1 for back faces.
fn shading_normal(fragment: Varying, normal: vec3f, side: f32) -> vec3f {
    if !has_normal_map {
        return normal * side;
    }
    let pixel = textureSample(normal_texture, normal_sampler, uv(fragment.uv_sets, 2u)).xyz;
    return tilted_normal(fragment, normal, side, pixel, material.normal_scale);
}

// Returns an interpolated normal with a length of 1, or zero where there is none. Unlike `unit_or_zero`, it doesn't
// support very small numbers, which vertices don't have.
fn smooth_normal(interpolated: vec3f) -> vec3f {
    let square = dot(interpolated, interpolated);
    return select(vec3f(0.0), interpolated * inverseSqrt(square), square > 1e-30);
}

// Returns a normal that the pixel of a normal map tilts.
fn tilted_normal(fragment: Varying, normal: vec3f, side: f32, pixel: vec3f, scale: f32) -> vec3f {
    let tangent = unit_or_zero(fragment.tangent.xyz - normal * dot(normal, fragment.tangent.xyz));
    if dot(tangent, tangent) == 0.0 {
        return normal * side;
    }
    let bitangent = cross(normal, tangent) * fragment.tangent.w;
    let mapped = pixel * 2.0 - 1.0;
    let tilt = mapped.xy * scale;
    return side * unit_or_zero(tangent * tilt.x + bitangent * tilt.y + normal * mapped.z);
}

// Returns a roughness for a pixel in which the normal turns. This widens the lobe, so that highlights don't flicker
// (Kaplanyan et al. 2016).
fn widened(roughness: f32, across: vec3f, down: vec3f) -> f32 {
    let alpha = roughness * roughness;
    let spread = min(0.1 * (dot(across, across) + dot(down, down)), 0.18);
    return min(sqrt(sqrt(alpha * alpha + spread)), 1.0);
}

// Returns the fraction of the key light that isn't occluded, from 0 to 1.
fn key_light_share(position_in_world: vec3f, normal: vec3f) -> f32 {
    if !is_shadowed {
        return 1.0;
    }
    if dot(normal, frame.towards_key_light) <= 0.0 {
        return 0.0;
    }
    let texel = 1.0 / f32(textureDimensions(shadow_map).x);
    let texel_in_world = 2.0 * frame.shadow_half_side * texel;
    // Offset along the normal and towards the light, against self-shadowing (shadow acne).
    let place = shadow_place(position_in_world + normal * (2.5 * texel_in_world));
    let depth = place.z - 1.5 * texel_in_world / frame.shadow_reach;
    let uv = place.xy * 0.5 + 0.5;
    // Four places of a turned grid, so that edges along the map's sides pass them one by one.
    let along = vec2f(0.66, 1.98) * texel;
    let across = vec2f(along.y, -along.x);
    return (lit(uv + along, depth) + lit(uv - along, depth) + lit(uv + across, depth) + lit(uv - across, depth)) / 4.0;
}

// Returns how much of the four texels around a place of the shadow map is lit.
fn lit(uv: vec2f, depth: f32) -> f32 {
    return textureSampleCompareLevel(shadow_map, shadow_sampler, uv, depth);
}

// Returns the alpha with which a pixel is drawn. That of a cut-out is 0 for none, and depends on where in the pixel the
// alpha passes the cutoff. Its pipeline both chooses samples by it and blends them by it. The share of the pixel that
// the cut-out gets is therefore its square.
fn drawn_alpha(alpha: f32) -> f32 {
    if !cuts_out {
        return max(alpha, material.opaque);
    }
    let cutoff = material.alpha_cutoff;
    // With the upper limit, an alpha of 0 is below each cutoff but 0. With the lower one, the cutoff itself is above.
    let width = max(min(fwidth(alpha), 2.0 * min(cutoff, 1.0 - cutoff)), 1e-5);
    return sqrt(clamp((alpha - cutoff + 1e-5) / width + 0.5, 0.0, 1.0));
}

// What the textures of a material say, besides base colour and normal. Those that it lacks change nothing.
struct Maps {
    metal_rough: vec4f,
    occlusion: f32,
    emissive: vec3f,
}

fn maps_at(uv_sets: vec4f) -> Maps {
    var maps = Maps(vec4f(1.0), 1.0, material.emissive);
    if has_metallic_roughness_map {
        maps.metal_rough = textureSample(metallic_roughness_texture, metallic_roughness_sampler, uv(uv_sets, 1u));
    }
    if has_occlusion_map {
        let occlusion = textureSample(occlusion_texture, occlusion_sampler, uv(uv_sets, 3u)).r;
        maps.occlusion = mix(1.0, occlusion, material.occlusion_strength);
    }
    if has_emissive_map {
        maps.emissive *= textureSample(emissive_texture, emissive_sampler, uv(uv_sets, 4u)).rgb;
    }
    return maps;
}

@fragment
fn mesh_fragment(fragment: Varying, @builtin(front_facing) front_facing: bool) -> @location(0) vec4f {
    var base = base_color(fragment.uv_sets, fragment.color);
    let maps = maps_at(fragment.uv_sets);
    let side = select(-1.0, 1.0, front_facing);
    let surface_normal = smooth_normal(fragment.normal);
    let normal = shading_normal(fragment, surface_normal, side);
    let across = dpdx(normal);
    let down = dpdy(normal);
    base.a = drawn_alpha(base.a);
    if cuts_out && base.a == 0.0 {
        discard;
    }

    var light = base.rgb;
    if is_lit && dot(normal, normal) > 0.0 {
        var matter: Matter;
        matter.normal = normal;
        matter.towards_viewer = normalize(frame.viewer_in_world - fragment.position_in_world);
        matter.roughness = widened(clamp(material.roughness * maps.metal_rough.g, 0.0, 1.0), across, down);
        matter.metallic = clamp(material.metallic * maps.metal_rough.b, 0.0, 1.0);
        matter.color = base.rgb;
        matter.key_light_share = key_light_share(fragment.position_in_world, surface_normal * side);
        matter.occlusion = maps.occlusion;
        light = toned((surface_light(matter) + maps.emissive) * frame.exposure);
    }
    return vec4f(srgb_encoded(light) * base.a, base.a);
}
