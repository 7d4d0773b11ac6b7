// Presses the deformed mesh onto the ground along the key light; higher parts weigh less.

struct Shade {
    @builtin(position) position: vec4f,
    @location(0) height: f32,
}

@vertex
fn shadow_vertex(vertex: Vertex) -> Shade {
    let position = surface_in_world(vertex).position;
    let height = position.y - frame.ground_height;
    let light = frame.towards_key_light;
    let pressed = position.xz - light.xz * (height / light.y);
    let place = (pressed - frame.shadow_center) / frame.shadow_half_side;
    return Shade(vec4f(place.x, -place.y, 0.5, 1.0), height / frame.shadow_reach);
}

@fragment
fn shadow_fragment(shade: Shade) -> @location(0) vec4f {
    return vec4f(clamp(1.0 - shade.height, 0.0, 1.0));
}
