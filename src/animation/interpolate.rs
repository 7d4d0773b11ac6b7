//! What lies between two keys, four lanes wide. Which two keys is [`cursor`](super::cursor)'s business.
//!
//! Every kind gives exactly the key's value at alpha 0.
use super::angle::{arc_cosine, sine};
use super::simd::{Components, normalized};
use glam::Vec4;

/// One way to go from key to key, for values of `N` components whose keys store `K` numbers.
pub(super) trait Interpolate<const N: usize, const K: usize>: Send + Sync + 'static {
    /// What depends on alpha alone: computed once for all values that stand at the same phase.
    type Weights;

    fn weights(alpha: Vec4) -> Self::Weights;

    fn between(weights: &Self::Weights, from: &[Vec4; K], to: &[Vec4; K]) -> [Vec4; N];

    /// What each key of one lane stores. A spline has three elements a key, the others one.
    fn encode(times_secs: &[f32], elements: &[[f32; N]]) -> Vec<[f32; K]>;
}

/// The value of the last key.
#[derive(Debug)]
pub(super) struct Step;

impl<const N: usize> Interpolate<N, N> for Step {
    type Weights = ();

    fn weights(_alpha: Vec4) -> Self::Weights {}

    #[inline(always)]
    fn between((): &Self::Weights, from: &[Vec4; N], _to: &[Vec4; N]) -> [Vec4; N] {
        *from
    }

    fn encode(_times_secs: &[f32], elements: &[[f32; N]]) -> Vec<[f32; N]> {
        elements.to_vec()
    }
}

/// A straight line at even speed.
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

    fn encode(_times_secs: &[f32], elements: &[[f32; N]]) -> Vec<[f32; N]> {
        elements.to_vec()
    }
}

/// SLERP the short way, for keys up to [`SHORT_ARC`] apart.
#[derive(Debug)]
pub(super) struct ShortArc;

/// SLERP the short way, for any two keys.
#[derive(Debug)]
pub(super) struct LongArc;

/// In radians on the quaternions' sphere (half the turn): up to here two coefficients keep the error below 2e-8,
/// less than half a unit in the last place of 1. Four coefficients keep it there up to a right angle.
pub(super) const SHORT_ARC: f64 = 0.35;

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

    fn encode(_times_secs: &[f32], elements: &[[f32; 4]]) -> Vec<[f32; 6]> {
        encode_arcs(elements, |[x, y, z, w], [c0, c1]| [x, y, z, w, c0, c1])
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

    fn encode(_times_secs: &[f32], elements: &[[f32; 4]]) -> Vec<[f32; 8]> {
        encode_arcs(elements, |[x, y, z, w], [c0, c1, c2, c3]| [x, y, z, w, c0, c1, c2, c3])
    }
}

/// The powers of alpha that the weights along an arc are made of.
#[derive(Debug)]
pub(super) struct AlongArc {
    alpha: Vec4,
    squared: Vec4,
    /// Nothing at both ends, so that the weights there are exactly 0 and 1.
    bump: Vec4,
}

impl AlongArc {
    #[inline(always)]
    fn at(alpha: Vec4) -> Self {
        let squared = alpha * alpha;
        Self { alpha, squared, bump: alpha * (squared - Vec4::ONE) }
    }
}

/// SLERP weighs its ends by `sin(α·θ) / sin(θ)`, of 1 − α and of α. For one arc that is a function of alpha alone:
///
/// ```text
/// sin(α·θ) / sin(θ)  =  α + α·(α² − 1) · R(α²)
/// ```
///
/// where R is so smooth that a few coefficients, fitted once per arc, hold it to the last bit. No branch, no
/// sine, no division, and the ends come out exact; where the keys are equal it is the straight line.
fn encode_arcs<const C: usize, const K: usize>(
    rotations: &[[f32; 4]],
    key: impl Fn([f32; 4], [f32; C]) -> [f32; K],
) -> Vec<[f32; K]> {
    let rotations = short_way(rotations);
    let arcs = rotations.windows(2).map(|ends| fit_arc(arc_angle(ends[0], ends[1])));
    let flat = std::iter::once([0.0; C]);
    rotations.iter().zip(arcs.chain(flat)).map(|(&rotation, arc)| key(rotation, arc)).collect()
}

/// The same rotations, each in the hemisphere of the one before it: q and −q turn alike, but only one is near.
fn short_way(rotations: &[[f32; 4]]) -> Vec<[f32; 4]> {
    let mut near: Vec<[f32; 4]> = Vec::with_capacity(rotations.len());
    for &rotation in rotations {
        let far = near.last().is_some_and(|&before| {
            before.iter().zip(rotation).map(|(&a, b)| f64::from(a) * f64::from(b)).sum::<f64>() < 0.0
        });
        near.push(if far { rotation.map(|component| -component) } else { rotation });
    }
    near
}

/// The widest arc between neighbouring keys, the short way.
pub(super) fn widest_arc(rotations: &[[f32; 4]]) -> f64 {
    short_way(rotations).windows(2).map(|ends| arc_angle(ends[0], ends[1])).fold(0.0, f64::max)
}

/// Between two quaternions of one hemisphere, 0 to π/2.
fn arc_angle(a: [f32; 4], b: [f32; 4]) -> f64 {
    arc_cosine(a.iter().zip(b).map(|(&a, b)| f64::from(a) * f64::from(b)).sum())
}

/// R of an arc, as a polynomial through `C` Chebyshev nodes.
fn fit_arc<const C: usize>(angle: f64) -> [f32; C] {
    let r = |y: f64| {
        if angle < 1e-4 {
            return -angle * angle / 6.0;
        }
        let alpha = y.sqrt();
        (sine(alpha * angle) / (alpha * sine(angle)) - 1.0) / (y - 1.0)
    };
    let nodes: [f64; C] = std::array::from_fn(|k| {
        let quarter = sine((2 * k + 1) as f64 * std::f64::consts::FRAC_PI_2 / (2 * C) as f64);
        quarter * quarter
    });
    let mut differences = nodes.map(r);
    for order in 1..C {
        for k in (order..C).rev() {
            differences[k] = (differences[k] - differences[k - 1]) / (nodes[k] - nodes[k - order]);
        }
    }
    // From Newton's form to powers, innermost first.
    let mut powers = [0.0; C];
    for (difference, node) in differences.into_iter().zip(nodes).rev() {
        for k in (0..C).rev() {
            powers[k] = if k > 0 { powers[k - 1] } else { 0.0 } - node * powers[k];
        }
        powers[0] += difference;
    }
    powers.map(|power| power as f32)
}

/// A cubic Hermite spline. Keys store the arriving tangent, the value and the leaving tangent, per interval.
#[derive(Debug)]
pub(super) struct Spline;

/// The same for rotations, which are brought back to unit length.
#[derive(Debug)]
pub(super) struct RotationSpline;

/// Hermite's four: of the value before, its leaving tangent, the value after, its arriving tangent.
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

            fn encode(times_secs: &[f32], elements: &[[f32; $n]]) -> Vec<[f32; $k]> {
                encode_spline(times_secs, elements)
            }
        }
    };
}

spline!(Spline, 1: 0, 3, std::convert::identity);
spline!(Spline, 3: 0 1 2, 9, std::convert::identity);
spline!(RotationSpline, 4: 0 1 2 3, 12, normalized);

/// The specification multiplies tangents by the length of their interval; that is done here, once.
fn encode_spline<const N: usize, const K: usize>(times_secs: &[f32], elements: &[[f32; N]]) -> Vec<[f32; K]> {
    let span = |key: Option<usize>| {
        let ends = key.and_then(|key| Some((times_secs.get(key)?, times_secs.get(key + 1)?)));
        ends.map_or(0.0, |(start, end)| end - start)
    };
    let keys = elements.as_chunks::<3>().0.iter().enumerate();
    keys.map(|(key, [arriving, value, leaving])| {
        let arriving = arriving.map(|tangent| tangent * span(key.checked_sub(1)));
        let leaving = leaving.map(|tangent| tangent * span(Some(key)));
        let mut numbers = arriving.into_iter().chain(*value).chain(leaving);
        std::array::from_fn(|_| numbers.next().unwrap_or(0.0))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arc<I: Interpolate<4, K>, const K: usize>(angle: f64, alpha: f32) -> [f32; 4] {
        let ends = [[0.0, 0.0, 0.0, 1.0], [angle.sin() as f32, 0.0, 0.0, angle.cos() as f32]];
        let keys = I::encode(&[0.0, 1.0], &ends);
        let splat = |key: [f32; K]| key.map(Vec4::splat);
        I::between(&I::weights(Vec4::splat(alpha)), &splat(keys[0]), &splat(keys[1])).map(|lanes| lanes.x)
    }

    fn worst_error<I: Interpolate<4, K>, const K: usize>(widest: f64) -> f64 {
        let mut worst = 0.0_f64;
        for arc_step in 0..=200 {
            let angle = widest * f64::from(arc_step) / 200.0;
            for step in 0..=100 {
                let alpha = step as f32 / 100.0;
                let [x, _, _, w] = arc::<I, K>(angle, alpha).map(f64::from);
                let exact = (angle.sin() as f32).atan2(angle.cos() as f32) as f64 * f64::from(alpha);
                worst = worst.max((x - exact.sin()).hypot(w - exact.cos()));
            }
        }
        worst
    }

    #[test]
    fn slerp_is_exact_to_the_rounding_of_its_operations() {
        // Half a dozen roundings of numbers up to 1, 6e-8 each.
        let (short, long) =
            (worst_error::<ShortArc, 6>(SHORT_ARC), worst_error::<LongArc, 8>(std::f64::consts::FRAC_PI_2));
        assert!(short < 2e-7, "{short:e}");
        assert!(long < 3e-7, "{long:e}");
    }

    #[test]
    fn slerp_between_equal_keys_is_that_key() {
        for step in 0..=10 {
            assert_eq!(arc::<ShortArc, 6>(0.0, step as f32 / 10.0), [0.0, 0.0, 0.0, 1.0]);
        }
    }
}
