// Occlusion between limbs, as `shaders/occlusion` finds it: a texel of `beyond` has the share of light that reaches a
// surface, and its distance from the viewer in 24 bits, for at least four pixels of the whole picture.

// Returns the share of the light from all around that limbs in front of a surface let through, for a pixel and the
// point of the world that it shows.
fn open_among_limbs(pixel: vec2f, place: vec3f) -> f32 {
    let distance = length(frame.viewer_in_world - place);
    let size = textureDimensions(beyond);
    let on_tile = pixel * frame.tile.xy / frame.viewport * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0);
    let in_picture = (on_tile - frame.tile.zw) / frame.tile.xy * vec2f(0.5, -0.5) + 0.5;
    let at = in_picture * vec2f(size) - 0.5;
    let corner = floor(at);
    let share = at - corner;
    var sum = 0.0;
    var total = 0.0;
    for (var index = 0; index < 4; index++) {
        let offset = vec2i(index & 1, index >> 1u);
        let texel = textureLoad(beyond, clamp(vec2i(corner) + offset, vec2i(0), vec2i(size) - 1), 0);
        let code = dot(round(texel.gba * 255.0), vec3f(65536.0, 256.0, 1.0));
        let apart = abs(16777215.0 / max(code, 0.5) - 1.0 - distance);
        let part = abs(vec2f(1 - offset) - share);
        // Texels at the distance of the pixel count most.
        let weight = part.x * part.y / (apart + 0.002 * distance);
        sum += weight * texel.r;
        total += weight;
    }
    return sum / max(total, 1e-20);
}
