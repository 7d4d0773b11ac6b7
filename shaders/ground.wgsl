@group(1) @binding(0) var shadow_texture: texture_2d<f32>;
@group(1) @binding(1) var shadow_sampler: sampler;

struct Ground {
    @builtin(position) position: vec4f,
    // From the middle, in radii.
    @location(0) place: vec2f,
    @location(1) shadow_uv: vec2f,
    // In the whole picture, not yet divided by its last part.
    @location(2) in_picture: vec3f,
}

@vertex
fn ground_vertex(@builtin(vertex_index) corner: u32) -> Ground {
    let place = vec2f(f32(corner & 1u), f32(corner >> 1u)) * 2.0 - 1.0;
    let from_center = place * frame.ground_radius;
    // A thousandth of the model's height lower, lest it flicker in a floor of the model's own.
    let height = frame.ground_height - 0.06 * frame.shadow_softness * frame.shadow_half_side;
    let in_world = vec3f(from_center.x + frame.shadow_center.x, height, from_center.y + frame.shadow_center.y);
    let projected = frame.projection_from_world * vec4f(in_world, 1.0);
    return Ground(
        on_tile(projected),
        place,
        from_center / frame.shadow_half_side * 0.5 + 0.5,
        projected.xyw,
    );
}

// Evenly spread from -0.5 to 0.5 among neighbouring pixels (interleaved gradient noise, Jimenez 2014).
fn noise(pixel: vec2f) -> f32 {
    return fract(52.9829189 * fract(dot(floor(pixel), vec2f(0.06711056, 0.00583715)))) - 0.5;
}

// Without noise, the steps of 8 bits would be rings. What is nothing stays nothing.
fn dithered(value: f32, pixel: vec2f) -> f32 {
    let step = 1.0 / 255.0;
    return max(value + noise(pixel) * min(step, 2.0 * value), 0.0);
}

@fragment
fn ground_fragment(ground: Ground) -> @location(0) vec4f {
    let shade = textureSample(shadow_texture, shadow_sampler, ground.shadow_uv).r;
    let place = ground.in_picture.xy / ground.in_picture.z;
    let shorter_side = min(frame.viewport.x, frame.viewport.y);
    // Nothing may end at the picture's edge, where the page begins. The feet are near the lower one.
    let from_edge = (1.0 - abs(place)) * frame.viewport / shorter_side;
    let inside = smoothstep(vec2f(0.0), vec2f(0.3, 0.12), from_edge);
    // Wider for the light, whose outline would be a box.
    let well_inside = smoothstep(vec2f(0.0), vec2f(0.6), 1.0 - abs(place));
    let distance = length(ground.place);
    let pool_fade = 1.0 - smoothstep(0.0, 0.55, distance);
    let shadow_fade = 1.0 - pow(smoothstep(0.0, 1.0, distance), 4.0);
    // Light on the floor shows on a dark page, the shadow on a bright one; both are premultiplied.
    let pool = 0.07 * pool_fade * pool_fade * well_inside.x * well_inside.y;
    let shadow = 0.68 * shade * shadow_fade * inside.x * inside.y;
    let pixel = (place * 0.5 + 0.5) * frame.viewport;
    let glow = dithered(pool * (1.0 - shadow), pixel);
    return vec4f(vec3f(glow), glow + dithered(shadow, pixel.yx));
}
