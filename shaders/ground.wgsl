@group(1) @binding(0) var shadow_texture: texture_2d<f32>;
@group(1) @binding(1) var shadow_sampler: sampler;

struct Ground {
    @builtin(position) position: vec4f,
    // Offset from the centre, in radii.
    @location(0) place: vec2f,
    @location(1) shadow_uv: vec2f,
    // Clip-space x, y and w in the whole picture.
    @location(2) in_picture: vec3f,
}

@vertex
fn ground_vertex(@builtin(vertex_index) corner: u32) -> Ground {
    let place = vec2f(f32(corner & 1u), f32(corner >> 1u)) * 2.0 - 1.0;
    let from_center = place * frame.ground_radius;
    // Lowered by about a thousandth of the model's height, against z-fighting with a floor of the model.
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

// Interleaved gradient noise (Jimenez 2014), from -0.5 to 0.5, evenly distributed among neighbouring pixels.
fn noise(pixel: vec2f) -> f32 {
    return fract(52.9829189 * fract(dot(floor(pixel), vec2f(0.06711056, 0.00583715)))) - 0.5;
}

// Adds noise against banding in 8 bits. 0 stays 0.
fn dithered(value: f32, pixel: vec2f) -> f32 {
    let step = 1.0 / 255.0;
    return max(value + noise(pixel) * min(step, 2.0 * value), 0.0);
}

@fragment
fn ground_fragment(ground: Ground) -> @location(0) vec4f {
    let shade = textureSample(shadow_texture, shadow_sampler, ground.shadow_uv).r;
    let place = ground.in_picture.xy / ground.in_picture.z;
    let shorter_side = min(frame.viewport.x, frame.viewport.y);
    // Fade out before the edges of the picture, so that no edge shows on the page. The fade is shorter vertically,
    // since the feet are near the lower edge.
    let from_edge = (1.0 - abs(place)) * frame.viewport / shorter_side;
    let inside = smoothstep(vec2f(0.0), vec2f(0.3, 0.12), from_edge);
    // The light fades out over a wider range; otherwise its outline would be a box.
    let well_inside = smoothstep(vec2f(0.0), vec2f(0.6), 1.0 - abs(place));
    let distance = length(ground.place);
    let pool_fade = 1.0 - smoothstep(0.0, 0.55, distance);
    let shadow_fade = 1.0 - pow(smoothstep(0.0, 1.0, distance), 4.0);
    // The pool of light is visible on dark pages, the shadow on bright ones. Both are premultiplied.
    let pool = 0.07 * pool_fade * pool_fade * well_inside.x * well_inside.y;
    let shadow = 0.68 * shade * shadow_fade * inside.x * inside.y;
    let pixel = (place * 0.5 + 0.5) * frame.viewport;
    let glow = dithered(pool * (1.0 - shadow), pixel);
    return vec4f(vec3f(glow), glow + dithered(shadow, pixel.yx));
}
