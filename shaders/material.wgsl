// Whether a texture has a transform, or uses the second UV set.
const moves_uvs = (PARTS & 16) != 0;

struct Material {
    base_color: vec4f,
    emissive: vec3f,
    normal_scale: f32,
    metallic: f32,
    roughness: f32,
    occlusion_strength: f32,
    alpha_cutoff: f32,
    opaque: f32,
    uv_rows: array<vec4f, 10>,
    // #if extended
    extensions: Extensions,
    // #end
}

@group(2) @binding(0) var<uniform> material: Material;
@group(2) @binding(1) var base_color_texture: texture_2d<f32>;
@group(2) @binding(2) var metallic_roughness_texture: texture_2d<f32>;
@group(2) @binding(3) var normal_texture: texture_2d<f32>;
@group(2) @binding(4) var occlusion_texture: texture_2d<f32>;
@group(2) @binding(5) var emissive_texture: texture_2d<f32>;
@group(2) @binding(6) var base_color_sampler: sampler;
@group(2) @binding(7) var metallic_roughness_sampler: sampler;
@group(2) @binding(8) var normal_sampler: sampler;
@group(2) @binding(9) var occlusion_sampler: sampler;
@group(2) @binding(10) var emissive_sampler: sampler;

// Returns the transformed UV of a texture slot. `uv_sets` contains two UV sets: xy and zw.
fn uv(uv_sets: vec4f, slot: u32) -> vec2f {
    if !moves_uvs {
        return uv_sets.xy;
    }
    let row = material.uv_rows[slot * 2u];
    let uv_set = vec3f(select(uv_sets.xy, uv_sets.zw, row.w > 0.5), 1.0);
    return vec2f(dot(row.xyz, uv_set), dot(material.uv_rows[slot * 2u + 1u].xyz, uv_set));
}

fn base_color(uv_sets: vec4f, vertex_color: vec4f) -> vec4f {
    return material.base_color * vertex_color * textureSample(base_color_texture, base_color_sampler, uv(uv_sets, 0u));
}
