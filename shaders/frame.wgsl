struct Frame {
    projection_from_world: mat4x4f,
    viewer_in_world: vec3f,
    exposure: f32,
    viewport: vec2f,
    ground_height: f32,
    ground_radius: f32,
    shadow_center: vec2f,
    shadow_half_side: f32,
    shadow_reach: f32,
    towards_key_light: vec3f,
}

@group(0) @binding(0) var<uniform> frame: Frame;
