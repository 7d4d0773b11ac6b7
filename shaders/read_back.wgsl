// Draws each vertex as one pixel that contains the bits of its position in model space.

const has_tangents = false;
const scales_normals = false;
const is_lasting = true;

struct Pixel {
    @builtin(position) position: vec4f,
    @location(0) @interpolate(flat) bits: vec4u,
}

@vertex
fn read_back_vertex(vertex: Vertex) -> Pixel {
    // The target is 1024 pixels wide: `READ_BACK_WIDTH` of `gpu_data.rs`.
    let size = vec2f(1024.0, f32((draw.vertex_count + 1023u) / 1024u));
    let place = vec2f(f32(vertex.vertex_index % 1024u), f32(vertex.vertex_index / 1024u)) + 0.5;
    let projected = place / size * 2.0 - 1.0;
    let position = surface_in_model(vertex).position;
    return Pixel(vec4f(projected.x, -projected.y, 0.5, 1.0), bitcast<vec4u>(vec4f(position, 1.0)));
}

@fragment
fn read_back_fragment(pixel: Pixel) -> @location(0) vec4u {
    return pixel.bits;
}
