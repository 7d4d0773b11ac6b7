// Finds how much of the light from all around reaches surfaces that are close to others, from the depths that the
// viewer sees, each step with one triangle that covers the whole target. For some planes through the line of sight, it
// looks for the horizon on both sides and adds up the light above it (Jimenez et al. 2016, "Practical Real-Time
// Strategies for Accurate Indirect Occlusion").

struct Surroundings {
    world_from_projection: mat4x4f,
    projection_from_world: mat4x4f,
    viewer_in_world: vec3f,
    // The distance from which on surfaces occlude nothing.
    reach: f32,
    // 1 darkens surfaces as much as is right, 0 not at all.
    strength: f32,
}

@group(0) @binding(0) var<uniform> surroundings: Surroundings;
// The depths, or what the step before has found.
@group(0) @binding(1) var found: texture_2d<f32>;
@group(0) @binding(2) var found_sampler: sampler;

@vertex
fn occlusion_vertex(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4f {
    return vec4f(vec2f(f32(corner & 1u), f32(corner >> 1u)) * 4.0 - 1.0, 0.5, 1.0);
}

const PI = 3.14159265;
// Planes through the line of sight, and steps on each side of it.
const PLANES = 2;
const STEPS = 6;
// What is stored where no surface is: no occlusion, at the greatest distance.
const NOTHING = vec4f(1.0, 0.0, 0.0, 0.0);

fn depth_at(uv: vec2f) -> f32 {
    return textureSampleLevel(found, found_sampler, uv, 0.0).r;
}

// Returns the point of the world at a place of the picture and a depth.
fn in_world(uv: vec2f, depth: f32) -> vec3f {
    let point = surroundings.world_from_projection * vec4f(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, depth, 1.0);
    return point.xyz / point.w;
}

fn in_picture(point: vec3f) -> vec2f {
    let projected = surroundings.projection_from_world * vec4f(point, 1.0);
    return projected.xy / projected.w * vec2f(0.5, -0.5) + 0.5;
}

// Returns the vector from a point to its neighbour on the same surface: of the two neighbours at a distance of `step`,
// to the one whose depth is nearer.
fn along(uv: vec2f, step: vec2f, depth: f32, point: vec3f) -> vec3f {
    let after = depth_at(uv + step);
    let before = depth_at(uv - step);
    if abs(after - depth) < abs(before - depth) {
        return in_world(uv + step, after) - point;
    }
    return point - in_world(uv - step, before);
}

// Returns the cosine of the angle between the line of sight and the line to the surface at a place, at least `low`,
// that of the surface's own horizon. Surfaces matter less the farther they are. Those beyond the reach matter a little,
// since the highest point within it mostly lies between two steps.
fn horizon(place: vec2f, point: vec3f, towards_viewer: vec3f, low: f32) -> f32 {
    // Depths are those of the middles of texels.
    let size = vec2f(textureDimensions(found));
    let uv = (floor(place * size) + 0.5) / size;
    let depth = depth_at(uv);
    if depth >= 1.0 || any(uv < vec2f(0.0)) || any(uv > vec2f(1.0)) {
        return low;
    }
    let offset = in_world(uv, depth) - point;
    let distance = length(offset);
    let share = saturate(4.2 - distance * 3.5 / surroundings.reach);
    let rise = dot(offset, towards_viewer) / max(distance, 1e-20) - low;
    // Depths are rounded, so that flat surfaces rise a little.
    return low + max(rise - 0.04, 0.0) * 1.04 * share;
}

// Returns the light between two horizons, given by their cosines. `tilt` is the angle of the normal. Angles are
// measured from the line of sight.
fn light_between(horizons: vec2f, tilt: f32) -> f32 {
    let angles = acos(clamp(horizons, vec2f(-1.0), vec2f(1.0))) * vec2f(1.0, -1.0);
    let sides = 2.0 * angles * sin(tilt) - cos(2.0 * angles - tilt);
    return 0.25 * (2.0 * cos(tilt) + sides.x + sides.y);
}

// Stores a share of light, and the distance of the surface in 24 bits. `shaders/extensions/limbs.wgsl` reads both.
fn packed(open: f32, distance: f32) -> vec4f {
    let code = u32(16777215.0 / (1.0 + distance));
    return vec4f(open, vec3f(vec3u(code >> 16u, code >> 8u, code) & vec3u(255u)) / 255.0);
}

fn unpacked_distance(texel: vec4f) -> f32 {
    let code = dot(round(texel.gba * 255.0), vec3f(65536.0, 256.0, 1.0));
    return 16777215.0 / max(code, 0.5) - 1.0;
}

@fragment
fn occlusion_fragment(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let size = vec2f(textureDimensions(found));
    let uv = position.xy / size;
    let depth = depth_at(uv);
    if depth >= 1.0 {
        return NOTHING;
    }
    let point = in_world(uv, depth);
    let distance = length(surroundings.viewer_in_world - point);
    let towards_viewer = normalize(in_world(uv, 0.0) - point);
    let across = along(uv, vec2f(1.0 / size.x, 0.0), depth, point);
    let down = along(uv, vec2f(0.0, 1.0 / size.y), depth, point);
    let facing = cross(down, across);
    let normal = facing * sign(dot(facing, towards_viewer)) / max(length(facing), 1e-30);
    // How many texels as far away as the reach are, at the same distance from the viewer.
    let level = select(vec3f(0.0, 1.0, 0.0), vec3f(1.0, 0.0, 0.0), abs(towards_viewer.y) > 0.7);
    let aside = point + normalize(cross(towards_viewer, level)) * surroundings.reach;
    let radius = min(length((in_picture(aside) - uv) * size), 0.25 * max(size.x, size.y));
    if radius < 1.0 || dot(normal, normal) < 0.5 {
        return packed(1.0, distance);
    }
    // Each of 4 × 4 neighbouring texels looks elsewhere. The next steps average them.
    let texel = vec2i(position.xy);
    let turn = f32((((texel.x + texel.y) & 3) << 2u) + (texel.x & 3)) / 16.0;
    let shift = f32((texel.y - texel.x) & 3) / 4.0;
    // The light above the horizons, and the light if there were only this surface.
    var open = 0.0;
    var all = 0.0;
    for (var plane = 0; plane < PLANES; plane++) {
        let angle = (f32(plane) + turn) * (PI / f32(PLANES));
        let direction = vec2f(cos(angle), sin(angle)) / size;
        let ahead = in_world(uv + direction, depth) - point;
        let side = normalize(ahead - towards_viewer * dot(ahead, towards_viewer));
        let axis = cross(side, towards_viewer);
        let projected = normal - axis * dot(normal, axis);
        let share = length(projected);
        let tilt_cosine = clamp(dot(projected, towards_viewer) / max(share, 1e-6), -1.0, 1.0);
        let tilt = sign(dot(side, projected)) * acos(tilt_cosine);
        let lows = vec2f(-sin(tilt), sin(tilt));
        var horizons = lows;
        for (var step = 0; step < STEPS; step++) {
            let part = (f32(step) + shift) / f32(STEPS);
            // Denser near the point, and never on it.
            let offset = direction * (1.0 + part * part * (radius - 1.0));
            horizons = max(horizons, vec2f(
                horizon(uv + offset, point, towards_viewer, lows.x),
                horizon(uv - offset, point, towards_viewer, lows.y),
            ));
        }
        open += share * light_between(horizons, tilt);
        all += share * light_between(lows, tilt);
    }
    let share = saturate(open / max(all, 1e-6));
    return packed(mix(1.0, share, surroundings.strength), distance);
}

// Averages 4 × 4 texels of the same surface, from some texels to the left of its own and above on.
fn averaged(position: vec4f, before: i32) -> vec4f {
    let texel = vec2i(position.xy);
    let last = vec2i(textureDimensions(found)) - 1;
    let own = textureLoad(found, texel, 0);
    let distance = unpacked_distance(own);
    var sum = 0.0;
    var total = 0.0;
    for (var index = 0; index < 16; index++) {
        let place = clamp(texel + vec2i(index & 3, index >> 2u) - before, vec2i(0), last);
        let near = textureLoad(found, place, 0);
        let apart = abs(unpacked_distance(near) - distance);
        // The own texel is among them.
        let share = saturate(1.0 - 1.5 * apart / surroundings.reach);
        sum += share * near.r;
        total += share;
    }
    return vec4f(sum / total, own.gba);
}

// Two steps, which together average those around a texel evenly.
@fragment
fn first_average_fragment(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return averaged(position, 2);
}

@fragment
fn second_average_fragment(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return averaged(position, 1);
}
