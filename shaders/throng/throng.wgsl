// Poses the members of a throng: draws each row of their characters as one pixel. `ClipRows` in
// `src/animation/clip_rows.rs` describes what `mesh_row` returns here, and `src/player/throng/rows.rs` what
// `character_row` does.

// Lines of pixels of a pass: `BAND_LINES` of `src/render/throng`.
const band_lines = 512u;
const line_width = 2048u;

const rows_per_member = 6u;

// `rows_buffer.wgsl` asks for it.
const is_lasting = true;

struct Pixel {
    @builtin(position) position: vec4f,
    @location(0) @interpolate(flat) band: u32,
}

// A triangle that covers the target. The instance is the band of lines.
@vertex
fn throng_vertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) band: u32) -> Pixel {
    let place = vec2f(f32(corner & 1u), f32(corner >> 1u)) * 4.0 - 1.0;
    return Pixel(vec4f(place, 0.5, 1.0), band);
}

@fragment
fn throng_fragment(pixel: Pixel) -> @location(0) vec4f {
    let line = pixel.band * band_lines + u32(pixel.position.y);
    return posed_row(line * line_width + u32(pixel.position.x));
}

// For targets that aren't read as floats.
@fragment
fn throng_bits_fragment(pixel: Pixel) -> @location(0) vec4u {
    let line = pixel.band * band_lines + u32(pixel.position.y);
    return bitcast<vec4u>(posed_row(line * line_width + u32(pixel.position.x)));
}

// Returns a row of a member's character, or a tint, which follow those of all members.
fn posed_row(index: u32) -> vec4f {
    let head = character_row(0u);
    let count = u32(head.x);
    let per_character = u32(head.y);
    if index >= count * per_character {
        return character_row(first_row(min(index - count * per_character, count - 1u), head) + 2u);
    }
    let character = index / per_character;
    let row = index - character * per_character;
    let first = first_row(character, head);
    let plays = character_row(first);
    let moves = character_row(first + 1u);
    if moves.y == 0.0 {
        return vec4f(0.0);
    }
    if row < 3u {
        return character_row(first + 3u + row);
    }
    let phase = fract(moves.z + head.z * moves.x);
    let clips = Clips(instant(plays.x, phase), instant(plays.y, phase), plays.z);
    let source = mesh_row(row);
    if source.w < 0.0 {
        return weights(clips, u32(source.z));
    }
    var along = vec4f(0.0);
    along[u32(source.w)] = 1.0;
    let path = u32(source.x);
    for (var i = 0u; i < u32(source.y); i++) {
        along = through(along, u32(mesh_row(path + i / 4u)[i % 4u]), clips);
    }
    if source.z > 0.0 {
        return through_rows(along, rows_at(u32(source.z)));
    }
    return along;
}

// Returns the first row of the member that a character is.
fn first_row(character: u32, head: vec4f) -> u32 {
    return u32(head.w) + u32(character_row(1u + character / 4u)[character % 4u]) * rows_per_member;
}

// A clip at a time: the clip's first row, and the times before and after.
struct Instant {
    head: vec4f,
    before: u32,
    share: f32,
}

// What a member plays. `share` is that of the second clip.
struct Clips {
    first: Instant,
    second: Instant,
    share: f32,
}

fn instant(clip: f32, phase: f32) -> Instant {
    let head = mesh_row(u32(clip));
    let at = phase * head.z;
    let before = min(floor(at), head.z - 1.0);
    return Instant(head, u32(before), at - before);
}

// Returns the number of a track. A negative base is that of a number that is the same at all times.
fn at_instant(base: f32, stride: u32, now: Instant) -> vec4f {
    if base < 0.0 {
        return mesh_row(u32(-base));
    }
    let row = u32(base) + now.before * stride;
    return mix(mesh_row(row), mesh_row(row + stride), now.share);
}

fn weights(clips: Clips, row: u32) -> vec4f {
    let first = weights_at(clips.first, row);
    if clips.share == 0.0 {
        return first;
    }
    return mix(first, weights_at(clips.second, row), clips.share);
}

fn weights_at(now: Instant, row: u32) -> vec4f {
    return at_instant(now.head.y + f32(row), u32(now.head.w), now);
}

// The transform of a node in its parent: a translation, a rotation and a scale.
struct Local {
    translation: vec3f,
    rotation: vec4f,
    scale: vec3f,
}

fn local_at(tracks: vec4f, now: Instant) -> Local {
    var local = Local(at_instant(tracks.y, 1u, now).xyz, normalize(at_instant(tracks.x, 1u, now)), vec3f(1.0));
    if tracks.z != 0.0 {
        local.scale = at_instant(tracks.z, 1u, now).xyz;
    }
    return local;
}

// Returns a row of `parent_from_node` matrices so far, multiplied by that of the next node.
fn through(along: vec4f, node: u32, clips: Clips) -> vec4f {
    let tracks = mesh_row(u32(clips.first.head.x) + node);
    let others = mesh_row(u32(clips.second.head.x) + node);
    let blends = clips.share > 0.0;
    if tracks.w != 0.0 {
        var rows = matrix_at(tracks.w, clips.first);
        if blends {
            let other = matrix_at(others.w, clips.second);
            rows += (other - rows) * clips.share;
        }
        return through_rows(along, rows);
    }
    var local = local_at(tracks, clips.first);
    if blends {
        let other = local_at(others, clips.second);
        let near = select(other.rotation, -other.rotation, dot(local.rotation, other.rotation) < 0.0);
        local.translation = mix(local.translation, other.translation, clips.share);
        local.rotation = normalize(mix(local.rotation, near, clips.share));
        local.scale = mix(local.scale, other.scale, clips.share);
    }
    // The transpose of a rotation is its inverse.
    let axis = -local.rotation.xyz;
    let twice = 2.0 * cross(axis, along.xyz);
    let turned = along.xyz + local.rotation.w * twice + cross(axis, twice);
    return vec4f(turned * local.scale, along.w + dot(along.xyz, local.translation));
}

fn matrix_at(base: f32, now: Instant) -> mat3x4f {
    if base < 0.0 {
        return rows_at(u32(-base));
    }
    let row = u32(base) + now.before * 3u;
    let before = rows_at(row);
    return before + (rows_at(row + 3u) - before) * now.share;
}

fn through_rows(along: vec4f, rows: mat3x4f) -> vec4f {
    return along.x * rows[0] + along.y * rows[1] + along.z * rows[2] + vec4f(0.0, 0.0, 0.0, along.w);
}

// Returns a 3×4 matrix as a `mat3x4f` whose columns are the rows.
fn rows_at(row: u32) -> mat3x4f {
    return mat3x4f(mesh_row(row), mesh_row(row + 1u), mesh_row(row + 2u));
}
