//! Four of a kind at a time. The lanes are glam's `Vec4`: SSE2 natively, simd128 in wasm, plain arrays elsewhere.
//!
//! Only `+ − × ÷ √`, shuffles and bit selection are used: IEEE 754 fixes their every bit, so all three agree.
//! No fused multiply-add, no reciprocal estimate, no horizontal sum.
use glam::{Mat4, Vec4, Vec4Swizzles};

/// How many nodes stand side by side in a pose group.
pub(super) const LANES: usize = 4;

/// How many groups hold `count` lanes.
pub(super) fn group_count(count: usize) -> usize {
    count.div_ceil(LANES)
}

/// Component `c` of vector `v` becomes component `v` of vector `c`.
#[inline(always)]
pub(super) fn transpose([a, b, c, d]: [Vec4; 4]) -> [Vec4; 4] {
    let turned = Mat4::from_cols(a, b, c, d).transpose();
    [turned.x_axis, turned.y_axis, turned.z_axis, turned.w_axis]
}

/// The dot products of four pairs of quaternions, each given as its x, y, z and w lanes.
#[inline(always)]
pub(super) fn dot(a: &[Vec4; 4], b: &[Vec4; 4]) -> Vec4 {
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])
}

/// Four quaternions made unit length; one without a length becomes the identity.
#[inline(always)]
pub(super) fn normalized(q: [Vec4; 4]) -> [Vec4; 4] {
    let length_squared = dot(&q, &q);
    let has_length = length_squared.cmpge(Vec4::splat(f32::MIN_POSITIVE));
    // One division, since four would take as long as all the rest of a blend.
    let per_length = Vec4::ONE / length_squared.sqrt();
    [
        Vec4::select(has_length, q[0] * per_length, Vec4::ZERO),
        Vec4::select(has_length, q[1] * per_length, Vec4::ZERO),
        Vec4::select(has_length, q[2] * per_length, Vec4::ZERO),
        Vec4::select(has_length, q[3] * per_length, Vec4::ONE),
    ]
}

/// The products `a · b` of four pairs of quaternions: first the turn of b, then that of a.
pub(super) fn product(a: &[Vec4; 4], b: &[Vec4; 4]) -> [Vec4; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (*a, *b);
    [
        (aw * bx + ax * bw) + (ay * bz - az * by),
        (aw * by + ay * bw) + (az * bx - ax * bz),
        (aw * bz + az * bw) + (ax * by - ay * bx),
        (aw * bw - ax * bx) - (ay * by + az * bz),
    ]
}

/// The turns back, of quaternions of unit length.
#[inline(always)]
pub(super) fn conjugate(q: &[Vec4; 4]) -> [Vec4; 4] {
    [-q[0], -q[1], -q[2], q[3]]
}

/// The number, or zero where it is only noise.
///
/// Exporters write much of what should be 0 as 1e-20 or 1e-40. Products of such numbers are subnormal, and one
/// subnormal costs a processor as much as a hundred others: they made blended poses of real files four times slower.
pub(super) fn denoised(number: f32) -> f32 {
    // Its square is still a normal number, and no float of a visible size feels it.
    const NOISE: f32 = 1e-15;
    if number.abs() < NOISE { 0.0 } else { number }
}

/// Marks lanes by a number above 0, the others by 0: what glam calls a mask has another name on each machine.
pub(super) type LaneMarks = Vec4;

pub(super) fn marks(lanes: [bool; LANES]) -> LaneMarks {
    Vec4::from_array(lanes.map(|marked| if marked { 1.0 } else { 0.0 }))
}

/// The components of a value, four lanes each.
///
/// Here and in all that runs per joint, arrays are written out rather than mapped: the wasm is built for size, where
/// `array::map` and closures that occur twice stay calls and cost five times what they compute.
pub(super) trait Components: Copy + Send + Sync + 'static {
    /// The same, vector by vector: copied whole it would be wasm's `memory.copy`, a call that costs ten times as much.
    fn copied(&self) -> Self;

    fn lerp(from: &Self, to: &Self, alpha: Vec4) -> Self;

    /// `base`, and how far `value` is beyond `reference`.
    fn plus_beyond(base: &Self, value: &Self, reference: &Self) -> Self;

    /// `fresh` in the marked lanes, `held` in the others.
    fn merge(marks: LaneMarks, fresh: Self, held: &Self) -> Self;
}

macro_rules! components {
    ($n:literal: $($c:literal)*) => {
        impl Components for [Vec4; $n] {
            #[inline(always)]
            fn copied(&self) -> Self {
                [$(self[$c]),*]
            }

            #[inline(always)]
            fn lerp(from: &Self, to: &Self, alpha: Vec4) -> Self {
                [$(from[$c] + (to[$c] - from[$c]) * alpha),*]
            }

            #[inline(always)]
            fn plus_beyond(base: &Self, value: &Self, reference: &Self) -> Self {
                [$(base[$c] + (value[$c] - reference[$c])),*]
            }

            #[inline(always)]
            fn merge(marks: LaneMarks, fresh: Self, held: &Self) -> Self {
                let is_marked = marks.cmpgt(Vec4::ZERO);
                [$(Vec4::select(is_marked, fresh[$c], held[$c])),*]
            }
        }
    };
}

components!(1: 0);
components!(3: 0 1 2);
components!(4: 0 1 2 3);

/// A 3×4 matrix as three rows, the translation in each row's w.
pub(super) type Rows = [Vec4; 3];

pub(super) fn rows_from_affine(affine: &glam::Affine3A) -> Rows {
    let [x, y, z] = [affine.matrix3.x_axis, affine.matrix3.y_axis, affine.matrix3.z_axis];
    let t = affine.translation;
    [Vec4::new(x.x, y.x, z.x, t.x), Vec4::new(x.y, y.y, z.y, t.y), Vec4::new(x.z, y.z, z.z, t.z)]
}

pub(super) fn denoised_rows(affine: &glam::Affine3A) -> Rows {
    rows_from_affine(affine).map(|row| Vec4::from_array(row.to_array().map(denoised)))
}

pub(super) fn affine_from_rows([x, y, z]: &Rows) -> glam::Affine3A {
    glam::Affine3A::from_cols(
        glam::Vec3A::new(x.x, y.x, z.x),
        glam::Vec3A::new(x.y, y.y, z.y),
        glam::Vec3A::new(x.z, y.z, z.z),
        glam::Vec3A::new(x.w, y.w, z.w),
    )
}

/// `a_from_b · b_from_c`. The bottom rows (0, 0, 0, 1) are understood.
#[inline(always)]
pub(super) fn multiply(a_from_b: &Rows, b_from_c: &Rows) -> Rows {
    [row(a_from_b[0], b_from_c), row(a_from_b[1], b_from_c), row(a_from_b[2], b_from_c)]
}

#[inline(always)]
fn row(a: Vec4, [x, y, z]: &Rows) -> Vec4 {
    (a.xxxx() * *x + a.yyyy() * *y) + (a.zzzz() * *z + a * Vec4::W)
}
