// Directions in the environment, and the map of its light. `src/light/octahedron.rs` describes the map.

// Returns a direction in the world as seen by the environment, which may be turned about the vertical.
fn in_environment(direction: vec3f) -> vec3f {
    let turn = frame.environment_turn;
    let across = direction.xz;
    return vec3f(dot(turn, across), direction.y, turn.x * across.y - turn.y * across.x);
}

// Returns the place of a direction on the map.
fn place_on_map(direction: vec3f) -> vec2f {
    let size = abs(direction);
    let above = direction.xz / (size.x + size.y + size.z);
    let below = (1.0 - abs(above.yx)) * select(vec2f(-1.0), vec2f(1.0), above >= vec2f(0.0));
    return 0.5 + 0.46875 * select(above, below, direction.y < 0.0);
}

// Returns the level of the map for a roughness: the inverse of `roughness_of` in `src/light/filter.rs`.
fn level_of(roughness: f32) -> f32 {
    return sqrt(20.0 * roughness + 0.25) - 0.5;
}
