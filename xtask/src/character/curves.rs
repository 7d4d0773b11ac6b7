//! Curves over time for clips: looping waves and smooth keyed curves.

use std::f32::consts::TAU;

/// Returns a cosine over one loop: 1 where `phase` is `peak`, and −1 half a loop later.
pub(super) fn wave(phase: f32, peak: f32) -> f32 {
    ((phase - peak) * TAU).cos()
}

/// Returns a cosine with two periods per loop, one for each step of a two-step loop.
pub(super) fn double_wave(phase: f32, peak: f32) -> f32 {
    ((phase - peak) * 2.0 * TAU).cos()
}

/// Evaluates a smooth curve through keys of (seconds, value). It is flat at peaks and valleys and never overshoots
/// them.
pub(super) fn keyed(time_secs: f32, keys: &[(f32, f32)]) -> f32 {
    let slope = |n: usize| (keys[n + 1].1 - keys[n].1) / (keys[n + 1].0 - keys[n].0);
    let tangent = |n: usize| {
        if n == 0 || n + 1 == keys.len() {
            return 0.0;
        }
        let (before, after) = (slope(n - 1), slope(n));
        // The harmonic mean keeps a cubic between its keys (Fritsch and Carlson).
        if before * after <= 0.0 { 0.0 } else { 2.0 * before * after / (before + after) }
    };
    let last = keys.len() - 1;
    if time_secs <= keys[0].0 {
        return keys[0].1;
    }
    if time_secs >= keys[last].0 {
        return keys[last].1;
    }
    let n = keys.iter().rposition(|key| key.0 <= time_secs).unwrap_or(0).min(last - 1);
    let length = keys[n + 1].0 - keys[n].0;
    let t = (time_secs - keys[n].0) / length;
    hermite(t, keys[n].1, tangent(n) * length, keys[n + 1].1, tangent(n + 1) * length)
}

/// Evaluates the cubic Hermite curve from `a` to `b` with the slopes at both ends.
pub(super) fn hermite(t: f32, a: f32, slope_a: f32, b: f32, slope_b: f32) -> f32 {
    let (t2, t3) = (t * t, t * t * t);
    a * (2.0 * t3 - 3.0 * t2 + 1.0)
        + slope_a * (t3 - 2.0 * t2 + t)
        + b * (3.0 * t2 - 2.0 * t3)
        + slope_b * (t3 - t2)
}

/// Returns the weight of a blink that starts at `start_secs`: closed after 80 ms, and open again after 260 ms.
pub(super) fn blink(time_secs: f32, start_secs: f32) -> f32 {
    keyed(time_secs - start_secs, &[(0.0, 0.0), (0.08, 1.0), (0.12, 1.0), (0.26, 0.0)])
}
