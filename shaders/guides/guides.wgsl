// Draws guides: a grid on the ground, strokes, octahedra and letters.

// Red is the cover of letters, blue that of the strokes around them.
@group(1) @binding(0) var letters: texture_2d<f32>;

// An instance of any guide. The meaning of the numbers depends on its kind.
struct Guide {
    @location(0) first: vec4f,
    @location(1) second: vec4f,
    @location(2) third: vec4f,
    @location(3) fourth: vec4f,
    @builtin(vertex_index) corner: u32,
}

const AXIS_X = vec3f(0.9, 0.24, 0.3);
const AXIS_Z = vec3f(0.24, 0.48, 0.95);

// ── the grid ──

struct GridPoint {
    @builtin(position) position: vec4f,
    // Offset from the middle, in radii.
    @location(0) from_middle: vec2f,
    // Place in the plane, from a crossing of lines near the middle.
    @location(1) place: vec2f,
    // Colour of the lines, sRGB-encoded, and their strength.
    @location(2) @interpolate(flat) line: vec4f,
    // Place of the world's origin, from the same crossing, and the distance between lines.
    @location(3) @interpolate(flat) measures: vec3f,
}

// `first` is the middle of the disc, x and z in the world, its height and its radius, `second` the colour of the lines
// and their strength, and `third` the origin and the distance between lines, as in `GridPoint`.
@vertex
fn grid_vertex(guide: Guide) -> GridPoint {
    let from_middle = vec2f(f32(guide.corner & 1u), f32(guide.corner >> 1u)) * 2.0 - 1.0;
    let in_world = guide.first.xy + from_middle * guide.first.w;
    let projected = frame.projection_from_world * vec4f(in_world.x, guide.first.z, in_world.y, 1.0);
    return GridPoint(on_tile(projected), from_middle, in_world + guide.third.xy, guide.second, guide.third.xyz);
}

// Returns how much of a pixel lines cover that are `spacing` apart, in both directions. Lines that are nearly as close
// as pixels fade out.
fn lines(place: vec2f, pixel: vec2f, spacing: f32, width: f32) -> f32 {
    let per_pixel = pixel / spacing;
    let from_line = abs(fract(place / spacing - 0.5) - 0.5) / per_pixel;
    let cover = saturate(0.5 * width + 0.5 - from_line) * (1.0 - smoothstep(vec2f(0.12), vec2f(0.4), per_pixel));
    return max(cover.x, cover.y);
}

@fragment
fn grid_fragment(point: GridPoint) -> @location(0) vec4f {
    let pixel = max(sqrt(dpdx(point.place) * dpdx(point.place) + dpdy(point.place) * dpdy(point.place)), vec2f(1e-12));
    let scale = pixels_per_stroke_pixel();
    let fine = 0.3 * lines(point.place, pixel, point.measures.z, scale);
    let coarse = 0.7 * lines(point.place, pixel, 10.0 * point.measures.z, 1.4 * scale);
    // The axis x is where z is 0.
    let on_axes = saturate(scale + 0.5 - abs(point.place - point.measures.xy).yx / pixel.yx);
    let fade = 1.0 - smoothstep(0.3, 1.0, length(point.from_middle));
    let axes = max(on_axes.x, on_axes.y);
    let cover = max(max(fine, coarse) * point.line.a, axes) * fade;
    let axis = select(AXIS_Z, AXIS_X, on_axes.x >= on_axes.y);
    return vec4f(mix(point.line.rgb, axis, axes) * cover, cover);
}

// ── strokes ──

struct GuideStroke {
    @builtin(position) position: vec4f,
    // Position along the line from its start, and across it, in stroke pixels. w is 1, so it is interpolated linearly
    // on screen.
    @location(0) place: vec2f,
    @location(1) color: vec4f,
    // Length, half the width, and the radius of the dot at the start, in stroke pixels.
    @location(2) @interpolate(flat) sizes: vec3f,
}

// `first` is the start and half the width, `second` its colour, `third` the end and the radius of a dot at the start,
// `fourth` the colour of the end.
@vertex
fn guide_stroke_vertex(guide: Guide) -> GuideStroke {
    let whole_start = frame.projection_from_world * vec4f(guide.first.xyz, 1.0);
    let whole_end = frame.projection_from_world * vec4f(guide.third.xyz, 1.0);
    let start = before_viewer(whole_start, whole_end);
    let end = before_viewer(whole_end, whole_start);
    let half_viewport = frame.viewport * (0.5 / pixels_per_stroke_pixel());
    let start_pixel = start.xy / start.w * half_viewport;
    let between = end.xy / end.w * half_viewport - start_pixel;
    let pixels = length(between);
    let along = select(vec2f(1.0, 0.0), between / max(pixels, 1e-6), pixels > 1e-6);
    let reach = max(guide.first.w, guide.third.w) + 1.0;
    let far_end = f32(guide.corner & 1u);
    let place = vec2f(mix(-reach, pixels + reach, far_end), (f32(guide.corner >> 1u) * 2.0 - 1.0) * reach);
    let pixel = start_pixel + along * place.x + vec2f(-along.y, along.x) * place.y;
    // Depths are linear on screen.
    let depth = mix(start.z / start.w, end.z / end.w, far_end);
    let shown = select(2.0, depth, start.w > 0.0 && end.w > 0.0);
    return GuideStroke(
        on_tile(vec4f(pixel / half_viewport, shown, 1.0)),
        place,
        mix(guide.second, guide.fourth, far_end),
        vec3f(pixels, guide.first.w, guide.third.w),
    );
}

fn stroke_cover(stroke: GuideStroke) -> f32 {
    let along = stroke.place.x - clamp(stroke.place.x, 0.0, stroke.sizes.x);
    let to_line = length(vec2f(along, stroke.place.y)) - stroke.sizes.y;
    let to_dot = length(stroke.place) - stroke.sizes.z;
    return saturate(0.5 - min(to_line, to_dot) * pixels_per_stroke_pixel()) * stroke.color.a;
}

@fragment
fn guide_stroke_fragment(stroke: GuideStroke) -> @location(0) vec4f {
    let cover = stroke_cover(stroke);
    return vec4f(stroke.color.rgb * cover, cover);
}

// Draws what is behind a surface.
@fragment
fn guide_behind_fragment(stroke: GuideStroke) -> @location(0) vec4f {
    let cover = 0.3 * stroke_cover(stroke);
    return vec4f(stroke.color.rgb * cover, cover);
}

// ── octahedra ──

struct Facet {
    @builtin(position) position: vec4f,
    @location(0) @interpolate(flat) color: vec4f,
    // 1 at one corner of the triangle, 0 at the others.
    @location(1) corners: vec3f,
}

// Where the octahedron is widest, as a share of its length.
const WIDEST = 0.12;

// Returns a corner: 0 at the head, 1 at the tail, and 2 to 5 around.
fn octahedron_corner(guide: Guide, corner: u32) -> vec3f {
    let along = guide.second.xyz - guide.first.xyz;
    let up = normalize(cross(along, guide.third.xyz));
    var offsets = array(guide.third.xyz, up, -guide.third.xyz, -up);
    let around = guide.first.xyz + along * WIDEST + offsets[(corner + 2u) & 3u] * guide.first.w;
    return select(select(around, guide.second.xyz, corner == 1u), guide.first.xyz, corner == 0u);
}

// `first` is the head and half the width, `second` the tail, `third` a unit vector across, `fourth` the colour.
@vertex
fn octahedron_vertex(guide: Guide) -> Facet {
    let face = guide.corner / 3u;
    let nth = guide.corner % 3u;
    let side = face & 3u;
    let next = (side + 1u) & 3u;
    // Four faces at the head, then four at the tail.
    let is_tail = face > 3u;
    let second = octahedron_corner(guide, 2u + select(next, side, is_tail));
    let third = octahedron_corner(guide, 2u + select(side, next, is_tail));
    let tip = octahedron_corner(guide, u32(is_tail));
    let normal = normalize(cross(second - tip, third - tip));
    let position = select(select(third, second, nth == 1u), tip, nth == 0u);
    // Light from above the viewer.
    let light = normalize(normalize(frame.viewer_in_world - tip) + vec3f(0.0, 0.7, 0.0));
    let shade = 0.4 + 0.6 * saturate(dot(normal, light));
    var projected = frame.projection_from_world * vec4f(position, 1.0);
    // In front of everything else, and in depth among themselves.
    projected.z *= 0.02;
    return Facet(
        on_tile(projected),
        vec4f(guide.fourth.rgb * shade, guide.fourth.a),
        vec3f(vec3u(nth) == vec3u(0u, 1u, 2u)),
    );
}

@fragment
fn octahedron_fragment(facet: Facet) -> @location(0) vec4f {
    let from_edges = facet.corners / max(fwidth(facet.corners), vec3f(1e-6));
    let nearest = min(min(from_edges.x, from_edges.y), from_edges.z) / pixels_per_stroke_pixel();
    let color = facet.color.rgb * mix(0.3, 1.0, saturate(nearest - 0.2));
    return vec4f(color * facet.color.a, facet.color.a);
}

// ── letters ──

struct Letter {
    @builtin(position) position: vec4f,
    @location(0) texel: vec2f,
    // The colour; alpha above 1 marks the stroke around the letter.
    @location(1) @interpolate(flat) color: vec4f,
}

// `first` is the place in pixels of the picture from its upper left, and the size, `second` the place among the
// letters and the depth, and `third` the colour.
@vertex
fn letter_vertex(guide: Guide) -> Letter {
    let offset = vec2f(f32(guide.corner & 1u), f32(guide.corner >> 1u)) * guide.first.zw;
    let place = (guide.first.xy + offset) / frame.viewport * 2.0 - 1.0;
    return Letter(on_tile(vec4f(place.x, -place.y, guide.second.z, 1.0)), guide.second.xy + offset, guide.third);
}

@fragment
fn letter_fragment(letter: Letter) -> @location(0) vec4f {
    let texel = textureLoad(letters, vec2i(letter.texel), 0);
    let is_around = letter.color.a > 1.0;
    let cover = select(texel.r, max(texel.r, texel.b), is_around) * (letter.color.a - select(0.0, 1.0, is_around));
    return vec4f(letter.color.rgb * cover, cover);
}
