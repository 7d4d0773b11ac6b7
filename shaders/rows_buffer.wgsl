@group(0) @binding(1) var<storage, read> character_rows: array<vec4f>;
@group(1) @binding(1) var<storage, read> mesh_rows: array<vec4f>;

fn character_row(row: u32) -> vec4f {
    return character_rows[row];
}

fn mesh_row(row: u32) -> vec4f {
    return mesh_rows[row];
}

// Compilers of WebGPU's shaders unroll a loop over four joints if that is faster. A software GPU doesn't, and compiles
// it in a fifth less time.
const loops_over_joints = true;
