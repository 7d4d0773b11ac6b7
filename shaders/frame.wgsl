struct Frame {
    projection_from_world: mat4x4f,
    // Projection to the tile that this pass draws.
    tile_from_world: mat4x4f,
    viewer_in_world: vec3f,
    exposure: f32,
    viewport: vec2f,
    ground_height: f32,
    ground_radius: f32,
    shadow_center: vec2f,
    shadow_half_side: f32,
    shadow_reach: f32,
    towards_key_light: vec3f,
    first_tint_row: u32,
    shadow_softness: f32,
    environment_light: f32,
    environment_turn: vec2f,
    key_light: vec3f,
    lamp_count: u32,
    view: u32,
    tile: vec4f,
    // #if extended
    lamps: array<mat4x4f, 8>,
    // #end
}

@group(0) @binding(0) var<uniform> frame: Frame;

// Converts a clip-space position of the whole picture to that of the tile that this pass draws.
fn on_tile(projected: vec4f) -> vec4f {
    return vec4f(projected.xy * frame.tile.xy + projected.w * frame.tile.zw, projected.zw);
}

// Returns the place of a point in the shadow map. x and y are the point's projection onto the ground along the key
// light, from -1 to 1. z is the depth, from 0 at the height `shadow_reach` to 1 on the ground.
fn shadow_place(position_in_world: vec3f) -> vec3f {
    let height = position_in_world.y - frame.ground_height;
    let light = frame.towards_key_light;
    let pressed = position_in_world.xz - light.xz * (height / light.y);
    return vec3f((pressed - frame.shadow_center) / frame.shadow_half_side, 1.0 - height / frame.shadow_reach);
}
