// The textures are 2048 texels wide, which WebGL2 guarantees: `ROW_TEXTURE_WIDTH` of `gpu_data.rs`.
@group(0) @binding(1) var character_rows: texture_2d<f32>;
@group(1) @binding(1) var mesh_rows: texture_2d<f32>;

fn character_row(row: u32) -> vec4f {
    return textureLoad(character_rows, vec2i(i32(row & 2047u), i32(row >> 11u)), 0);
}

fn mesh_row(row: u32) -> vec4f {
    return textureLoad(mesh_rows, vec2i(i32(row & 2047u), i32(row >> 11u)), 0);
}

// Not every compiler of GLSL unrolls a loop.
const loops_over_joints = false;
