// The textures are 2048 texels wide, which WebGL2 guarantees: `ROW_TEXTURE_WIDTH` of `gpu_data.rs`.
@group(0) @binding(1) var character_rows: texture_2d<f32>;
@group(1) @binding(1) var mesh_rows: texture_2d<f32>;

fn character_row(row: u32) -> vec4f {
    return textureLoad(character_rows, vec2i(i32(row & 2047u), i32(row >> 11u)), 0);
}

fn mesh_row(row: u32) -> vec4f {
    return textureLoad(mesh_rows, vec2i(i32(row & 2047u), i32(row >> 11u)), 0);
}

// Returns the sum of four joints' matrices times their weights. Not every compiler of GLSL unrolls a loop.
fn blended_rows(matrices: u32, joints: vec4u, weights: vec4f) -> mat3x4f {
    return rows_at(matrices + joints.x * 3u) * weights.x
        + rows_at(matrices + joints.y * 3u) * weights.y
        + rows_at(matrices + joints.z * 3u) * weights.z
        + rows_at(matrices + joints.w * 3u) * weights.w;
}
