// The grid of the view of UVs, the clay and the light of drawings.

// Returns the colour of a grid of labelled cells, 8 × 8 to a texture: letters from left to right, numbers from the top.
// It is averaged over the pixel. Where the texture is mirrored, cells are red and orange instead of green to violet.
fn uv_grid(uv: vec2f, across: vec2f, down: vec2f, mirrored: bool) -> vec3f {
    if dot(across, across) + dot(down, down) == 0.0 {
        return vec3f(0.5);
    }
    var sum = vec3f(0.0);
    for (var i = 0; i < 9; i++) {
        let place = vec2f(f32(i % 3 - 1), f32(i / 3 - 1)) / 3.0;
        sum += uv_cell((uv + across * place.x + down * place.y) * 8.0, mirrored);
    }
    return sum / 9.0;
}

fn uv_cell(at: vec2f, mirrored: bool) -> vec3f {
    let cell = floor(at);
    let inside = at - cell;
    let wrapped = cell - floor(cell / 8.0) * 8.0;
    let hue = select(0.36 + 0.05 * wrapped.x, 0.015 * wrapped.x, mirrored);
    // Rows and columns alternate, and so do quarters of cells, by less.
    let is_even = fract((cell.x + cell.y) * 0.5) < 0.25;
    let quarters = floor(inside * 4.0);
    let is_light = fract((quarters.x + quarters.y) * 0.5) < 0.25;
    let light = select(0.55, 0.85, is_even) + select(-0.03, 0.03, is_light);
    let color = light * mix(vec3f(1.0), hue_color(hue), 0.6);
    // The label takes five rows of seven columns: a letter, a gap and a number.
    let place = floor((inside - vec2f(0.15, 0.25)) * 10.0);
    if place.x < 0.0 || place.x > 6.0 || place.x == 3.0 || place.y < 0.0 || place.y > 4.0 {
        return color;
    }
    // Each number has the 15 dots of a letter or a digit, the upper left one first: A to H and 1 to 8.
    var dots = array<u32, 16>(
        11245u, 27566u, 14627u, 27502u, 31143u, 31140u, 14699u, 23533u,
        11415u, 25255u, 25230u, 23497u, 31118u, 14762u, 29330u, 31727u,
    );
    let is_number = place.x > 3.0;
    let glyph = dots[u32(select(wrapped.x, 8.0 + wrapped.y, is_number))];
    let dot_index = u32(place.y * 3.0 + place.x - select(0.0, 4.0, is_number));
    return select(color, color * 0.35, ((glyph >> (14u - dot_index)) & 1u) == 1u);
}

// Returns the colour with a hue: 0 is red, a third is green, two thirds are blue.
fn hue_color(hue: f32) -> vec3f {
    return clamp(abs(fract(hue + vec3f(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, vec3f(0.0), vec3f(1.0));
}

// Returns the colour of modelling clay for a normal as the viewer sees it.
fn clay(normal: vec3f) -> vec3f {
    let from_above = max(0.5 + 0.5 * dot(normal, vec3f(-0.45, 0.7, 0.555)), 0.0);
    let from_aside = max(dot(normal, vec3f(0.8, -0.2, 0.566)), 0.0);
    let edge = pow(1.0 - clamp(normal.z, 0.0, 1.0), 3.0);
    let shine = pow(max(dot(normal, vec3f(-0.26, 0.4, 0.879)), 0.0), 30.0);
    return vec3f(0.17, 0.1, 0.09)
        + vec3f(0.66, 0.46, 0.37) * from_above * from_above
        + vec3f(0.06, 0.08, 0.12) * from_aside
        + vec3f(0.16, 0.13, 0.12) * edge
        + vec3f(0.16) * shine;
}

// Returns the light of a drawing in three steps. `lit` is the cosine to the key light, which changes by `blur` over a
// pixel, and `share` the part of the light that isn't in shadow.
fn toon_light(lit: f32, blur: f32, share: f32) -> vec3f {
    let half_pixel = max(0.5 * blur, 0.005);
    let shaded = 1.0 - smoothstep(0.1 - half_pixel, 0.1 + half_pixel, lit) * smoothstep(0.4, 0.6, share);
    let bright = smoothstep(0.85 - half_pixel, 0.85 + half_pixel, lit) * (1.0 - shaded);
    return mix(vec3f(0.92), vec3f(0.4, 0.38, 0.5), shaded) + 0.16 * bright;
}
