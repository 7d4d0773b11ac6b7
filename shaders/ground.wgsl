@group(1) @binding(0) var shadow_texture: texture_2d<f32>;
@group(1) @binding(1) var shadow_sampler: sampler;

struct Ground {
    @builtin(position) position: vec4f,
    // From the middle, in radii.
    @location(0) place: vec2f,
    @location(1) shadow_uv: vec2f,
}

@vertex
fn ground_vertex(@builtin(vertex_index) corner: u32) -> Ground {
    let place = vec2f(f32(corner & 1u), f32(corner >> 1u)) * 2.0 - 1.0;
    let from_center = place * frame.ground_radius;
    let in_world = vec3f(from_center.x + frame.shadow_center.x, frame.ground_height, from_center.y + frame.shadow_center.y);
    return Ground(
        frame.projection_from_world * vec4f(in_world, 1.0),
        place,
        from_center / frame.shadow_half_side * 0.5 + 0.5,
    );
}

@fragment
fn ground_fragment(ground: Ground) -> @location(0) vec4f {
    let shade = textureSample(shadow_texture, shadow_sampler, ground.shadow_uv).r;
    let fade = 1.0 - smoothstep(0.0, 1.0, length(ground.place));
    // Light on the floor shows on a dark page, the shadow on a bright one; both are premultiplied.
    let pool = 0.07 * fade * fade;
    let shadow = 0.68 * shade * (1.0 - pow(1.0 - fade, 4.0));
    let glow = pool * (1.0 - shadow);
    return vec4f(vec3f(glow), glow + shadow);
}
