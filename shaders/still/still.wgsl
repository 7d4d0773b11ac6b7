// Adds up pictures and shows their mean, each with one triangle that covers the whole target.

@group(0) @binding(0) var picture: texture_2d<f32>;
// The sum of the pictures before, in steps of 8 bits from -128 to 127: floats of 16 bits hold 16 of them exactly.
@group(0) @binding(1) var sum: texture_2d<f32>;

struct Pixel {
    @builtin(position) position: vec4f,
    @location(0) @interpolate(flat) count: u32,
}

// The instance is the number of pictures in the sum.
@vertex
fn still_vertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) count: u32) -> Pixel {
    let place = vec2f(f32(corner & 1u), f32(corner >> 1u)) * 4.0 - 1.0;
    return Pixel(vec4f(place, 0.5, 1.0), count);
}

@fragment
fn sum_fragment(pixel: Pixel) -> @location(0) vec4f {
    let place = vec2i(pixel.position.xy);
    return round(textureLoad(picture, place, 0) * 255.0) - 128.0 + textureLoad(sum, place, 0);
}

@fragment
fn mean_fragment(pixel: Pixel) -> @location(0) vec4f {
    return (textureLoad(sum, vec2i(pixel.position.xy), 0) / f32(pixel.count) + 128.0) / 255.0;
}
