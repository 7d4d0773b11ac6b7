//! Interpolation between two keys, four lanes wide. [`cursor`](super::cursor) finds the two keys.
//!
//! Stepped values may have any kind, since their alpha is always 0. There every kind returns exactly the key's value,
//! except that kinds that normalize may change the last bit.
use super::simd::{Components, normalized};
use glam::Vec4;

/// Kind of interpolation, for values of `N` components whose keys store `K` numbers.
pub(super) trait Interpolate<const N: usize, const K: usize>: Send + Sync + 'static {
    /// Factors that depend on alpha alone, computed once for all values at the same phase.
    type Weights;

    fn weights(alpha: Vec4) -> Self::Weights;

    fn between(weights: &Self::Weights, from: &[Vec4; K], to: &[Vec4; K]) -> [Vec4; N];
}

/// Linear interpolation.
#[derive(Debug)]
pub(super) struct Straight;

impl<const N: usize> Interpolate<N, N> for Straight
where
    [Vec4; N]: Components,
{
    type Weights = Vec4;

    #[inline(always)]
    fn weights(alpha: Vec4) -> Self::Weights {
        alpha
    }

    #[inline(always)]
    fn between(&alpha: &Self::Weights, from: &[Vec4; N], to: &[Vec4; N]) -> [Vec4; N] {
        Components::lerp(from, to, alpha)
    }
}

/// Normalized linear interpolation of quaternions (NLERP). Neighbouring keys are already in one hemisphere.
#[derive(Debug)]
pub(super) struct Chord;

impl Interpolate<4, 4> for Chord {
    type Weights = Vec4;

    #[inline(always)]
    fn weights(alpha: Vec4) -> Self::Weights {
        alpha
    }

    #[inline(always)]
    fn between(&alpha: &Self::Weights, from: &[Vec4; 4], to: &[Vec4; 4]) -> [Vec4; 4] {
        normalized(Components::lerp(from, to, alpha))
    }
}

/// SLERP the short way, for keys up to a [short arc](super::encode::COSINE_OF_SHORT_ARC) apart. Keys store the
/// rotation and the coefficients of the arc to the next one, which [`encode`](super::encode) defines.
#[derive(Debug)]
pub(super) struct ShortArc;

/// SLERP the short way, for any two keys.
#[derive(Debug)]
pub(super) struct LongArc;

impl Interpolate<4, 6> for ShortArc {
    type Weights = [AlongArc; 2];

    #[inline(always)]
    fn weights(alpha: Vec4) -> Self::Weights {
        [AlongArc::at(Vec4::ONE - alpha), AlongArc::at(alpha)]
    }

    #[inline(always)]
    fn between(weights: &Self::Weights, from: &[Vec4; 6], to: &[Vec4; 6]) -> [Vec4; 4] {
        let [x0, y0, z0, w0, c0, c1] = *from;
        let [x1, y1, z1, w1, ..] = *to;
        let [before, after] = weights;
        let s0 = before.alpha + before.bump * (c1 * before.squared + c0);
        let s1 = after.alpha + after.bump * (c1 * after.squared + c0);
        [x0 * s0 + x1 * s1, y0 * s0 + y1 * s1, z0 * s0 + z1 * s1, w0 * s0 + w1 * s1]
    }
}

impl Interpolate<4, 8> for LongArc {
    type Weights = [AlongArc; 2];

    #[inline(always)]
    fn weights(alpha: Vec4) -> Self::Weights {
        [AlongArc::at(Vec4::ONE - alpha), AlongArc::at(alpha)]
    }

    #[inline(always)]
    fn between(weights: &Self::Weights, from: &[Vec4; 8], to: &[Vec4; 8]) -> [Vec4; 4] {
        let [x0, y0, z0, w0, c0, c1, c2, c3] = *from;
        let [x1, y1, z1, w1, ..] = *to;
        let [before, after] = weights;
        let y = before.squared;
        let s0 = before.alpha + before.bump * (((c3 * y + c2) * y + c1) * y + c0);
        let y = after.squared;
        let s1 = after.alpha + after.bump * (((c3 * y + c2) * y + c1) * y + c0);
        [x0 * s0 + x1 * s1, y0 * s0 + y1 * s1, z0 * s0 + z1 * s1, w0 * s0 + w1 * s1]
    }
}

/// Polynomials of alpha from which the weights along an arc are computed.
#[derive(Debug)]
pub(super) struct AlongArc {
    alpha: Vec4,
    squared: Vec4,
    /// `α·(α² − 1)`: 0 at both ends, so that the weights there are exactly 0 and 1.
    bump: Vec4,
}

impl AlongArc {
    #[inline(always)]
    fn at(alpha: Vec4) -> Self {
        let squared = alpha * alpha;
        Self { alpha, squared, bump: alpha * (squared - Vec4::ONE) }
    }
}

/// Cubic Hermite spline. Keys store the in-tangent, the value and the out-tangent, with tangents per interval.
#[derive(Debug)]
pub(super) struct Spline;

/// Cubic Hermite spline of rotations, normalized.
#[derive(Debug)]
pub(super) struct RotationSpline;

/// Hermite basis functions: for the value before, its out-tangent, the value after, and its in-tangent.
#[derive(Debug)]
pub(super) struct Hermite([Vec4; 4]);

impl Hermite {
    #[inline(always)]
    fn at(alpha: Vec4) -> Self {
        let (two, three) = (Vec4::splat(2.0), Vec4::splat(3.0));
        let squared = alpha * alpha;
        let cubed = squared * alpha;
        let after = three * squared - two * cubed;
        Self([Vec4::ONE - after, (cubed - two * squared) + alpha, after, cubed - squared])
    }
}

macro_rules! spline {
    ($kind:ty, $n:literal: $($c:literal)*, $k:literal, $finish:expr) => {
        impl Interpolate<$n, $k> for $kind {
            type Weights = Hermite;

            #[inline(always)]
            fn weights(alpha: Vec4) -> Self::Weights {
                Hermite::at(alpha)
            }

            #[inline(always)]
            fn between(weights: &Self::Weights, from: &[Vec4; $k], to: &[Vec4; $k]) -> [Vec4; $n] {
                let [before, leaving, after, arriving] = weights.0;
                $finish([$(
                    (from[$n + $c] * before + from[2 * $n + $c] * leaving)
                        + (to[$n + $c] * after + to[$c] * arriving)
                ),*])
            }
        }
    };
}

spline!(Spline, 1: 0, 3, std::convert::identity);
spline!(Spline, 3: 0 1 2, 9, std::convert::identity);
spline!(RotationSpline, 4: 0 1 2 3, 12, normalized);

#[cfg(test)]
mod tests {
    use super::super::cursor::Timeline;
    use super::super::encode::{COSINE_OF_SHORT_ARC, Kind};
    use super::*;

    fn arc<I: Interpolate<4, K>, const K: usize>(kind: Kind, angle: f64, alpha: f32) -> [f32; 4] {
        let ends = [0.0, 0.0, 0.0, 1.0, angle.sin() as f32, 0.0, 0.0, angle.cos() as f32];
        let timeline = Timeline { key_times_secs: [0.0, 1.0].into(), is_stepped: false };
        let keys = kind.encode(&timeline, &ends, 4);
        let (keys, _) = keys.as_chunks::<K>();
        let splat = |key: [f32; K]| key.map(Vec4::splat);
        I::between(&I::weights(Vec4::splat(alpha)), &splat(keys[0]), &splat(keys[1])).map(|lanes| lanes.x)
    }

    fn short_arc(angle: f64, alpha: f32) -> [f32; 4] {
        arc::<ShortArc, 6>(Kind::ShortArc, angle, alpha)
    }

    fn long_arc(angle: f64, alpha: f32) -> [f32; 4] {
        arc::<LongArc, 8>(Kind::LongArc, angle, alpha)
    }

    fn max_error(widest: f64, arc: impl Fn(f64, f32) -> [f32; 4]) -> f64 {
        let mut worst = 0.0_f64;
        for arc_step in 0..=200 {
            let angle = widest * f64::from(arc_step) / 200.0;
            for step in 0..=100 {
                let alpha = step as f32 / 100.0;
                let [x, _, _, w] = arc(angle, alpha).map(f64::from);
                let exact = (angle.sin() as f32).atan2(angle.cos() as f32) as f64 * f64::from(alpha);
                worst = worst.max((x - exact.sin()).hypot(w - exact.cos()));
            }
        }
        worst
    }

    #[test]
    fn slerp_is_exact_to_the_rounding_of_its_operations() {
        // Half a dozen roundings of numbers up to 1, 6e-8 each.
        let short = max_error(COSINE_OF_SHORT_ARC.acos(), short_arc);
        let long = max_error(std::f64::consts::FRAC_PI_2, long_arc);
        assert!(short < 2e-7, "{short:e}");
        assert!(long < 3e-7, "{long:e}");
    }

    #[test]
    fn slerp_between_equal_keys_is_that_key() {
        for step in 0..=10 {
            assert_eq!(short_arc(0.0, step as f32 / 10.0), [0.0, 0.0, 0.0, 1.0]);
        }
    }
}
