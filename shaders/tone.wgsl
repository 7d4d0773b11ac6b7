// Khronos PBR Neutral tone mapper: preserves base colours up to 0.8 and compresses highlights towards white.
fn neutral_tone(linear: vec3f) -> vec3f {
    let least = min(linear.r, min(linear.g, linear.b));
    let offset = select(0.04, least - 6.25 * least * least, least < 0.08);
    let color = linear - offset;
    let peak = max(color.r, max(color.g, color.b));
    let start = 0.76;
    if peak < start {
        return color;
    }
    let room = 1.0 - start;
    let new_peak = 1.0 - room * room / (peak + room - start);
    let whiteness = 1.0 - 1.0 / (0.15 * (peak - new_peak) + 1.0);
    return mix(color * new_peak / peak, vec3f(new_peak), whiteness);
}

fn srgb_encoded(linear: vec3f) -> vec3f {
    let clamped = clamp(linear, vec3f(0.0), vec3f(1.0));
    let curved = 1.055 * pow(clamped, vec3f(1.0 / 2.4)) - 0.055;
    return select(curved, clamped * 12.92, clamped <= vec3f(0.0031308));
}
