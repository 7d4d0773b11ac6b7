// Draws the shadow map: the depths of the surfaces nearest to the key light.

const has_tangents = false;
const scales_normals = false;
const is_lasting = true;
// Whether the depths are of the surfaces nearest to the viewer instead.
const seen_by_viewer = (PARTS & 33554432) != 0;

fn place_on_map(vertex: Vertex) -> vec4f {
    let position = surface_in_world(vertex).position;
    if seen_by_viewer {
        return frame.projection_from_world * vec4f(position, 1.0);
    }
    let place = shadow_place(position);
    return vec4f(place.x, -place.y, place.z, 1.0);
}

@vertex
fn shadow_vertex(vertex: Vertex) -> @builtin(position) vec4f {
    return place_on_map(vertex);
}

struct CutOut {
    @builtin(position) position: vec4f,
    @location(0) uv_sets: vec4f,
    @location(1) color: vec4f,
}

@vertex
fn cut_out_vertex(vertex: Vertex) -> CutOut {
    return CutOut(place_on_map(vertex), vec4f(vertex.uv0, vertex.uv1), vertex.color);
}

@fragment
fn cut_out_fragment(fragment: CutOut) {
    // A shadow map has no partial coverage, so blended materials cast a shadow where their alpha is at least 0.5.
    let least = select(0.5, material.alpha_cutoff, material.opaque > 0.0);
    if base_color(fragment.uv_sets, fragment.color).a < least {
        discard;
    }
}
