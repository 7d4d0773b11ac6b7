// Output for screens that show more than white.

// The brightest light that is shown; white is 1.
const BRIGHTEST = 4.0;

// Returns the greatest part of a colour when light is compressed to at most `most`, as by Khronos PBR Neutral.
fn compressed(peak: f32, most: f32) -> f32 {
    let start = 0.76;
    let room = most - start;
    return select(most - room * room / (peak + room - start), peak, peak < start);
}

// Returns the light that such a screen shows. `shown` is what others show of it. Below 0.76, where Khronos PBR Neutral
// begins to compress, both are the same.
fn highly_toned(light: vec3f, shown: vec3f) -> vec3f {
    if tones_linearly {
        return min(light, vec3f(BRIGHTEST));
    }
    let peak = largest(light);
    return shown * (compressed(peak, BRIGHTEST) / compressed(peak, 1.0));
}

// Returns what `srgb_encoded` does, but continues above 1.
fn highly_encoded(linear: vec3f) -> vec3f {
    let light = clamp(linear, vec3f(0.0), vec3f(BRIGHTEST));
    let curved = 1.055 * pow(light, vec3f(1.0 / 2.4)) - 0.055;
    return select(curved, light * 12.92, light <= vec3f(0.0031308));
}
