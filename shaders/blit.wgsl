// Halves a texture for its next mip level, with one triangle that covers the whole target.

@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var source_sampler: sampler;

struct Corner {
    @builtin(position) position: vec4f,
    @location(0) uv: vec2f,
}

@vertex
fn blit_vertex(@builtin(vertex_index) corner: u32) -> Corner {
    let uv = vec2f(f32(corner & 1u), f32(corner >> 1u)) * 2.0;
    return Corner(vec4f(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, 0.5, 1.0), uv);
}

@fragment
fn halve_fragment(corner: Corner) -> @location(0) vec4f {
    return textureSample(source, source_sampler, corner.uv);
}
