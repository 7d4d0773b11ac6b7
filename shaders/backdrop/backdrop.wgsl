// Draws the environment behind the model, with one triangle that covers the picture.

struct Backdrop {
    world_from_projection: mat4x4f,
    // Of the surface whose reflections look like the backdrop. −1 for the panorama itself.
    roughness: f32,
}

@group(1) @binding(0) var<uniform> backdrop: Backdrop;
// The environment's map, or the panorama.
@group(1) @binding(1) var light_around: texture_2d<f32>;
@group(1) @binding(2) var light_sampler: sampler;

struct Seen {
    @builtin(position) position: vec4f,
    // From −1 to 1 in the whole picture.
    @location(0) place: vec2f,
}

@vertex
fn backdrop_vertex(@builtin(vertex_index) corner: u32) -> Seen {
    let place = vec2f(f32(corner & 1u), f32(corner >> 1u)) * 4.0 - 1.0;
    return Seen(vec4f(place, 0.5, 1.0), (place - frame.tile.zw) / frame.tile.xy);
}

@fragment
fn backdrop_fragment(seen: Seen) -> @location(0) vec4f {
    let near = backdrop.world_from_projection * vec4f(seen.place, 0.0, 1.0);
    let beyond = backdrop.world_from_projection * vec4f(seen.place, 0.5, 1.0);
    let direction = in_environment(normalize(beyond.xyz / beyond.w - near.xyz / near.w));
    var place = place_on_map(direction);
    if backdrop.roughness < 0.0 {
        let turns = atan2(direction.z, direction.x) / 6.2831853;
        place = vec2f(turns + 0.5, 0.5 - asin(clamp(direction.y, -1.0, 1.0)) / 3.1415927);
    }
    let level = level_of(max(backdrop.roughness, 0.0));
    let light = textureSampleLevel(light_around, light_sampler, place, level).rgb;
    return vec4f(srgb_encoded(toned(light * (frame.environment_light * frame.exposure))), 1.0);
}
