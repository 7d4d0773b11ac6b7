@group(0) @binding(1) var<storage, read> character_rows: array<vec4f>;
@group(1) @binding(1) var<storage, read> mesh_rows: array<vec4f>;

fn character_row(row: u32) -> vec4f {
    return character_rows[row];
}

fn mesh_row(row: u32) -> vec4f {
    return mesh_rows[row];
}

// Returns the sum of four joints' matrices times their weights. Compilers of WebGPU's shaders unroll the loop if that
// is faster. A software GPU doesn't, and compiles it in less time than four terms.
fn blended_rows(matrices: u32, joints: vec4u, weights: vec4f) -> mat3x4f {
    var sum = mat3x4f();
    for (var i = 0u; i < 4u; i++) {
        sum += rows_at(matrices + joints[i] * 3u) * weights[i];
    }
    return sum;
}
