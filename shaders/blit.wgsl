// One triangle over the whole target: halves a texture for its next mip level, or blurs a shadow.

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

fn blurred(uv: vec2f, stride: vec2f) -> vec4f {
    var sum = vec4f(0.0);
    var total = 0.0;
    for (var i = -6; i <= 6; i++) {
        let share = exp(-f32(i * i) / 14.0);
        // Between texels: each sample is the mean of two.
        sum += share * textureSampleLevel(source, source_sampler, uv + stride * (f32(i) * 1.5), 0.0);
        total += share;
    }
    return sum / total;
}

@fragment
fn blur_across_fragment(corner: Corner) -> @location(0) vec4f {
    return blurred(corner.uv, vec2f(1.0 / f32(textureDimensions(source).x), 0.0));
}

@fragment
fn blur_along_fragment(corner: Corner) -> @location(0) vec4f {
    return blurred(corner.uv, vec2f(0.0, 1.0 / f32(textureDimensions(source).y)));
}
