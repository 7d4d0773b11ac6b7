//! Conversion of sRGB colours to linear light, in which lighting adds up.

/// Converts one channel, clamped to 0 to 1, from sRGB to linear (IEC 61966-2-1).
pub(super) fn linear(shown: f32) -> f32 {
    let shown = shown.clamp(0.0, 1.0);
    if shown <= 0.04045 { shown / 12.92 } else { ((shown + 0.055) / 1.055).powf(2.4) }
}
