// Which tone mapper is used; none of these is Khronos PBR Neutral.
const tones_aces = (PARTS & 8192) != 0;
const tones_agx = (PARTS & 16384) != 0;
const tones_linearly = (PARTS & 32768) != 0;

// Returns the light that a screen shows for the light of the scene.
fn toned(light: vec3f) -> vec3f {
    if tones_linearly {
        return light;
    }
    if tones_aces {
        return aces_tone(light);
    }
    if tones_agx {
        return agx_tone(light);
    }
    return neutral_tone(light);
}

// ACES: Stephen Hill's fit of the reference and output transforms. Its grey is darker, which the factor evens out.
fn aces_tone(linear: vec3f) -> vec3f {
    let to_scene = mat3x3f(0.59719, 0.076, 0.0284, 0.35458, 0.90834, 0.13383, 0.04823, 0.01566, 0.83777);
    let to_screen = mat3x3f(1.60475, -0.10208, -0.00327, -0.53108, 1.10813, -0.07276, -0.07367, -0.00605, 1.07602);
    let light = to_scene * (linear / 0.6);
    let bent = (light * (light + 0.0245786) - 0.000090537) / (light * (0.983729 * light + 0.432951) + 0.238081);
    return to_screen * bent;
}

// AgX: Troy Sobotka's transform with the fit of its curve that Blender's and Filament's users know as the default look.
fn agx_tone(linear: vec3f) -> vec3f {
    let to_wide = mat3x3f(0.6274, 0.0691, 0.0164, 0.3293, 0.9195, 0.088, 0.0433, 0.0113, 0.8956);
    let inset = mat3x3f(
        0.8566272, 0.137319, 0.1118982, 0.0951212, 0.761242, 0.0767994, 0.0482516, 0.101439, 0.8113024,
    );
    let outset = mat3x3f(
        1.1271006, -0.1413298, -0.1413298, -0.1106066, 1.1578237, -0.1106066, -0.0164939, -0.0164939, 1.2519364,
    );
    let to_screen = mat3x3f(1.6605, -0.1246, -0.0182, -0.5876, 1.1329, -0.1006, -0.0728, -0.0083, 1.1187);
    let stops = log2(max(inset * (to_wide * linear), vec3f(1e-10)));
    let x = clamp((stops + 12.47393) / 16.5, vec3f(0.0), vec3f(1.0));
    let curve = (((((15.5 * x - 40.14) * x + 31.96) * x - 6.868) * x + 0.4298) * x + 0.1191) * x - 0.00232;
    return to_screen * pow(max(outset * curve, vec3f(0.0)), vec3f(2.2));
}

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

// Returns the code of a colour in sRGB. Roots are faster than powers, and the sum is never off by more than a tenth of
// a level of 8 bits.
fn srgb_encoded(linear: vec3f) -> vec3f {
    let clamped = clamp(linear, vec3f(0.0), vec3f(1.0));
    let root = sqrt(clamped);
    let curved = 0.83374 * root + 0.29811 * sqrt(root) - 0.05531 * clamped - 0.0769;
    return select(curved, clamped * 12.92, clamped <= vec3f(0.0031308));
}
