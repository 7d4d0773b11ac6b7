//! Colours that were written for a screen become light, in which ours add up.

/// One channel, held to what a screen can show (IEC 61966-2-1).
pub(super) fn linear(shown: f32) -> f32 {
    let shown = shown.clamp(0.0, 1.0);
    if shown <= 0.04045 { shown / 12.92 } else { ((shown + 0.055) / 1.055).powf(2.4) }
}
