// 2048 is what every WebGL2 device can hold side by side: `rows.rs` writes the same width.
@group(0) @binding(1) var character_rows: texture_2d<f32>;
@group(1) @binding(1) var mesh_rows: texture_2d<f32>;

fn character_row(row: u32) -> vec4f {
    return textureLoad(character_rows, vec2i(i32(row & 2047u), i32(row >> 11u)), 0);
}

fn mesh_row(row: u32) -> vec4f {
    return textureLoad(mesh_rows, vec2i(i32(row & 2047u), i32(row >> 11u)), 0);
}
