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

// From the shadow map, four times as fine: how dark the ground is, blurred across.
@fragment
fn blur_across_fragment(corner: Corner) -> @location(0) vec4f {
    let texel = 4.0 / f32(textureDimensions(source).x);
    var sum = 0.0;
    var total = 0.0;
    for (var i = -9; i <= 9; i++) {
        let share = exp(-f32(i * i) / 32.0);
        let depth = textureSampleLevel(source, source_sampler, corner.uv + vec2f(texel * f32(i), 0.0), 0.0).r;
        // What is high above the ground darkens it less; where nothing was drawn, depth is 1.
        sum += select(0.0, share * (0.3 + 0.7 * depth), depth < 1.0);
        total += share;
    }
    return vec4f(sum / total);
}

@fragment
fn blur_along_fragment(corner: Corner) -> @location(0) vec4f {
    let texel = 1.0 / f32(textureDimensions(source).y);
    var sum = vec4f(0.0);
    var total = 0.0;
    for (var i = -6; i <= 6; i++) {
        let share = exp(-f32(i * i) / 14.0);
        // Between texels: each sample is the mean of two.
        sum += share * textureSampleLevel(source, source_sampler, corner.uv + vec2f(0.0, texel * 1.5 * f32(i)), 0.0);
        total += share;
    }
    return sum / total;
}
