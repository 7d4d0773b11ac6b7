@group(0) @binding(1) var<storage, read> character_rows: array<vec4f>;
@group(1) @binding(1) var<storage, read> mesh_rows: array<vec4f>;

fn character_row(row: u32) -> vec4f {
    return character_rows[row];
}

fn mesh_row(row: u32) -> vec4f {
    return mesh_rows[row];
}
