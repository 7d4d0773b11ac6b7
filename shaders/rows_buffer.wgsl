// Each module declares `is_lasting`: whether it draws more than the first pictures.

@group(0) @binding(1) var<storage, read> character_rows: array<vec4f>;
@group(1) @binding(1) var<storage, read> mesh_rows: array<vec4f>;

fn character_row(row: u32) -> vec4f {
    return character_rows[row];
}

fn mesh_row(row: u32) -> vec4f {
    return mesh_rows[row];
}

// Returns the sum of four joints' matrices times their weights.
fn blended_rows(matrices: u32, joints: vec4u, weights: vec4f) -> mat3x4f {
    if !is_lasting {
        // A software GPU compiles a loop in less time than four terms, but takes longer to run it.
        var sum = mat3x4f();
        for (var i = 0u; i < 4u; i++) {
            sum += rows_at(matrices + joints[i] * 3u) * weights[i];
        }
        return sum;
    }
    return rows_at(matrices + joints.x * 3u) * weights.x
        + rows_at(matrices + joints.y * 3u) * weights.y
        + rows_at(matrices + joints.z * 3u) * weights.z
        + rows_at(matrices + joints.w * 3u) * weights.w;
}
