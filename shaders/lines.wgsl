// Draws each line as a quad a few pixels wide, with a dot at its start.

struct Line {
    @location(0) start_in_world: vec3f,
    @location(1) start_color: vec4f,
    @location(2) end_in_world: vec3f,
    @location(3) end_color: vec4f,
    @builtin(vertex_index) corner: u32,
}

struct Stroke {
    @builtin(position) position: vec4f,
    // Position along the line from its start, and across it, in stroke pixels. w is 1, so it is interpolated linearly
    // on screen.
    @location(0) place: vec2f,
    @location(1) length: f32,
    @location(2) color: vec4f,
}

const HALF_WIDTH = 1.2;
const DOT_RADIUS = 3.2;

// Returns the size of a stroke pixel in pixels. Strokes scale with the picture's height above 800 pixels.
fn pixels_per_stroke_pixel() -> f32 {
    return max(1.0, frame.viewport.y / 800.0);
}

// Returns `behind`, or, if it is behind the viewer, the first point in front of the viewer on the way to `before`.
fn before_viewer(behind: vec4f, before: vec4f) -> vec4f {
    let near = 1e-3 * max(before.w, 1e-3);
    if behind.w >= near || before.w <= behind.w {
        return behind;
    }
    return mix(behind, before, (near - behind.w) / (before.w - behind.w));
}

@vertex
fn line_vertex(line: Line) -> Stroke {
    let whole_start = frame.projection_from_world * vec4f(line.start_in_world, 1.0);
    let whole_end = frame.projection_from_world * vec4f(line.end_in_world, 1.0);
    let start = before_viewer(whole_start, whole_end);
    let end = before_viewer(whole_end, whole_start);
    let half_viewport = frame.viewport * (0.5 / pixels_per_stroke_pixel());
    let start_pixel = start.xy / start.w * half_viewport;
    let end_pixel = end.xy / end.w * half_viewport;
    let between = end_pixel - start_pixel;
    let pixels = length(between);
    let along = select(vec2f(1.0, 0.0), between / max(pixels, 1e-6), pixels > 1e-6);
    let across = vec2f(-along.y, along.x);

    let reach = DOT_RADIUS + 1.0;
    let far_end = f32(line.corner & 1u);
    let side = f32(line.corner >> 1u) * 2.0 - 1.0;
    let place = vec2f(mix(-reach, pixels + reach, far_end), side * reach);
    let pixel = start_pixel + along * place.x + across * place.y;
    let visible = select(2.0, 0.0, start.w > 0.0 && end.w > 0.0);
    return Stroke(
        on_tile(vec4f(pixel / half_viewport, visible, 1.0)),
        place,
        pixels,
        mix(line.start_color, line.end_color, far_end),
    );
}

@fragment
fn line_fragment(stroke: Stroke) -> @location(0) vec4f {
    let along = stroke.place.x - clamp(stroke.place.x, 0.0, stroke.length);
    let to_line = length(vec2f(along, stroke.place.y)) - HALF_WIDTH;
    let to_dot = length(stroke.place) - DOT_RADIUS;
    let cover = clamp(0.5 - min(to_line, to_dot) * pixels_per_stroke_pixel(), 0.0, 1.0) * stroke.color.a;
    return vec4f(stroke.color.rgb * cover, cover);
}
