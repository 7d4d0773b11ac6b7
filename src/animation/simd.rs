//! Arithmetic on four lanes. The lanes are glam's `Vec4`: SSE2 natively, simd128 in wasm, plain arrays elsewhere.
//!
//! Only `+ − × ÷ √`, shuffles and bit selection are used: IEEE 754 defines every bit of them, so all three agree.
//! No fused multiply-add, no reciprocal estimate, no horizontal sum.
use glam::{Mat4, Vec4, Vec4Swizzles};

/// Number of nodes in a group of a pose.
pub(super) const LANES: usize = 4;

/// Returns how many groups hold `count` lanes.
pub(super) fn group_count(count: usize) -> usize {
    count.div_ceil(LANES)
}

/// Transposes four vectors: component `c` of vector `v` becomes component `v` of vector `c`.
#[inline(always)]
pub(super) fn transpose([a, b, c, d]: [Vec4; 4]) -> [Vec4; 4] {
    let turned = Mat4::from_cols(a, b, c, d).transpose();
    [turned.x_axis, turned.y_axis, turned.z_axis, turned.w_axis]
}

/// Four quaternions that rotate nothing, as lanes of x, y, z and w.
pub(super) const IDENTITY: [Vec4; LANES] = [Vec4::ZERO, Vec4::ZERO, Vec4::ZERO, Vec4::ONE];

/// Returns the dot products of four pairs of quaternions, each given as its x, y, z and w lanes.
#[inline(always)]
pub(super) fn dot(a: &[Vec4; 4], b: &[Vec4; 4]) -> Vec4 {
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])
}

/// Returns four quaternions scaled to unit length. One without a length becomes the identity.
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

/// Returns the products `a · b` of four pairs of quaternions: the rotation by b, followed by that by a.
pub(super) fn product(a: &[Vec4; 4], b: &[Vec4; 4]) -> [Vec4; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (*a, *b);
    [
        (aw * bx + ax * bw) + (ay * bz - az * by),
        (aw * by + ay * bw) + (az * bx - ax * bz),
        (aw * bz + az * bw) + (ax * by - ay * bx),
        (aw * bw - ax * bx) - (ay * by + az * bz),
    ]
}

/// Returns the conjugates of four quaternions, which are the inverses of those with unit length.
#[inline(always)]
pub(super) fn conjugate(q: &[Vec4; 4]) -> [Vec4; 4] {
    [-q[0], -q[1], -q[2], q[3]]
}

/// Returns the number, or 0 if it is noise.
///
/// Exporters write many zeros as 1e-20 or 1e-40. Products of such numbers are subnormal, and a subnormal costs a
/// processor as much as a hundred other numbers: they made blended poses of real files four times slower.
pub(super) fn denoised(number: f32) -> f32 {
    // Its square is still a normal number, and a sum with a number of visible size rounds it away.
    const NOISE: f32 = 1e-15;
    if number.abs() < NOISE { 0.0 } else { number }
}

/// Mask of lanes: a number above 0 marks a lane. glam's own mask type has a different name on each platform.
pub(super) type LaneMarks = Vec4;

pub(super) fn marks(lanes: [bool; LANES]) -> LaneMarks {
    Vec4::from_array(lanes.map(|marked| if marked { 1.0 } else { 0.0 }))
}

/// Components of a value, four lanes each.
///
/// Here and in all code that runs per joint, arrays are written out rather than mapped: in a wasm built for size,
/// `array::map` and closures that occur twice stay calls and cost five times as much as what they compute.
pub(super) trait Components: Copy + Send + Sync + 'static {
    /// Returns a copy, made vector by vector. A copy of the whole array would be wasm's `memory.copy`, a call that
    /// costs ten times as much.
    fn copied(&self) -> Self;

    fn lerp(from: &Self, to: &Self, alpha: Vec4) -> Self;

    /// Returns `base + (value − reference)`.
    fn plus_beyond(base: &Self, value: &Self, reference: &Self) -> Self;

    /// Returns `fresh` in the marked lanes and `held` in the others.
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

/// Returns `a_from_b · b_from_c`. The bottom rows (0, 0, 0, 1) are implicit.
#[inline(always)]
pub(super) fn multiply(a_from_b: &Rows, b_from_c: &Rows) -> Rows {
    [row(a_from_b[0], b_from_c), row(a_from_b[1], b_from_c), row(a_from_b[2], b_from_c)]
}

#[inline(always)]
fn row(a: Vec4, [x, y, z]: &Rows) -> Vec4 {
    (a.xxxx() * *x + a.yyyy() * *y) + (a.zzzz() * *z + a * Vec4::W)
}
