// Seen along the key light, what comes first? The depth buffer keeps it.

@vertex
fn shadow_vertex(vertex: Vertex) -> @builtin(position) vec4f {
    let place = shadow_place(surface_in_world(vertex).position);
    return vec4f(place.x, -place.y, place.z, 1.0);
}
