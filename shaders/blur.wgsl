// Blurs the shadow map for the shadow on the ground, with one triangle that covers the whole target.

@group(1) @binding(0) var source: texture_2d<f32>;
@group(1) @binding(1) var source_sampler: sampler;

struct Corner {
    @builtin(position) position: vec4f,
    @location(0) uv: vec2f,
}

@vertex
fn blur_vertex(@builtin(vertex_index) corner: u32) -> Corner {
    let uv = vec2f(f32(corner & 1u), f32(corner >> 1u)) * 2.0;
    return Corner(vec4f(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, 0.5, 1.0), uv);
}

// Returns the standard deviation as a fraction of the side. It is at least one texel of the target.
fn softness(target_side: f32) -> f32 {
    return max(frame.shadow_softness, 1.0 / target_side);
}

// Computes the ground's darkness from the shadow map, whose sides are four times as long, and blurs it horizontally.
@fragment
fn blur_across_fragment(corner: Corner) -> @location(0) vec4f {
    let step = softness(f32(textureDimensions(source).x) / 4.0) / 4.0;
    var sum = 0.0;
    var total = 0.0;
    for (var i = -9; i <= 9; i++) {
        // A Gaussian, lowered so that it ends at 0: otherwise the shadow would have a visible edge.
        let share = exp(-f32(i * i) / 32.0) - 0.0439;
        let depth = textureSampleLevel(source, source_sampler, corner.uv + vec2f(step * f32(i), 0.0), 0.0).r;
        // Casters high above the ground darken it less. The depth is 1 where nothing was drawn.
        sum += select(0.0, share * (0.3 + 0.7 * depth), depth < 1.0);
        total += share;
    }
    return vec4f(sum / total);
}

@fragment
fn blur_along_fragment(corner: Corner) -> @location(0) vec4f {
    let step = softness(f32(textureDimensions(source).y)) / 2.65;
    var sum = vec4f(0.0);
    var total = 0.0;
    for (var i = -6; i <= 6; i++) {
        let share = exp(-f32(i * i) / 14.0) - 0.0302;
        sum += share * textureSampleLevel(source, source_sampler, corner.uv + vec2f(0.0, step * f32(i)), 0.0);
        total += share;
    }
    return sum / total;
}
