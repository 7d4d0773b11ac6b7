//! A matrix that shears as two nodes: an outer one that rotates and scales, and an inner one that rotates.
//!
//! ```text
//! parent_from_node = T · U · stretch · V⁻¹        the singular value decomposition
//!                    └── outer ────┘ └ inner ┘
//! ```
//! A matrix has many such pairs. Each pair is chosen to be near a given one, so that consecutive keys get pairs that
//! can be interpolated.
use crate::model::Srt;
use glam::{Affine3A, DMat3, DQuat, DVec3, Quat};

#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    pub(super) translation: DVec3,
    /// U of the decomposition.
    outer: DQuat,
    stretch: DVec3,
    /// V of the decomposition.
    inner: DQuat,
}

impl Split {
    pub(super) const NONE: Self = Self {
        translation: DVec3::ZERO,
        outer: DQuat::IDENTITY,
        stretch: DVec3::ONE,
        inner: DQuat::IDENTITY,
    };

    /// Returns the pair nearest to `near` that gives this matrix.
    pub(super) fn of(linear: &DMat3, translation: DVec3, near: &Self) -> Self {
        let axes = axes(linear, &DMat3::from_quat(near.inner));
        let near = DMat3::from_quat(near.outer);
        let near = [near.x_axis, near.y_axis, near.z_axis];
        let [x, y, z] = completed(axes.map(|axis| axis.after), near);
        let signs = signs([x, y, z], near);
        let [inner_x, inner_y, inner_z] = axes.map(|axis| axis.before);
        let rotation = |x, y, z| DQuat::from_mat3(&DMat3::from_cols(x, y, z)).normalize();
        Self {
            translation,
            outer: rotation(x * signs.x, y * signs.y, z * signs.z),
            stretch: DVec3::from_array(axes.map(|axis| axis.after.length())) * signs,
            inner: rotation(inner_x, inner_y, inner_z),
        }
    }

    pub(super) fn of_affine(parent_from_node: &Affine3A, near: &Self) -> Self {
        let (linear, translation) = to_f64(parent_from_node);
        Self::of(&linear, translation, near)
    }

    pub(super) fn outer(&self) -> Srt {
        Srt {
            scale: self.stretch.as_vec3(),
            rotation: single(self.outer),
            translation: self.translation.as_vec3(),
        }
    }

    pub(super) fn inner(&self) -> Quat {
        single(self.inner.conjugate())
    }

    /// Returns the interpolation between two keys as players compute it, without the translation.
    pub(super) fn linear_between(&self, next: &Self, alpha: f64) -> DMat3 {
        let outer = DMat3::from_quat(self.outer.slerp(next.outer, alpha));
        let stretch = DMat3::from_diagonal(self.stretch.lerp(next.stretch, alpha));
        let inner = DMat3::from_quat(self.inner.slerp(next.inner, alpha).conjugate());
        outer * stretch * inner
    }
}

/// Returns the linear part and the translation in double precision.
pub(super) fn to_f64(affine: &Affine3A) -> (DMat3, DVec3) {
    let [x, y, z, translation] =
        affine.to_cols_array_2d().map(|column| DVec3::from_array(column.map(f64::from)));
    (DMat3::from_cols(x, y, z), translation)
}

fn single(rotation: DQuat) -> Quat {
    rotation.as_quat().normalize()
}

/// An axis of the stretch.
#[derive(Clone, Copy)]
struct Axis {
    /// Column of V: the direction before the stretch, of unit length.
    before: DVec3,
    /// Column of U · stretch: the direction after the stretch, with its length.
    after: DVec3,
}

/// Returns axes that the matrix keeps at right angles, by Jacobi rotations that start from `near`.
fn axes(linear: &DMat3, near: &DMat3) -> [Axis; 3] {
    // Five or six sweeps are enough; the bound guarantees termination.
    const MOST_SWEEPS: usize = 30;
    let axis = |before: DVec3| Axis { before, after: *linear * before };
    let [mut x, mut y, mut z] = [axis(near.x_axis), axis(near.y_axis), axis(near.z_axis)];
    for _ in 0..MOST_SWEEPS {
        let turned = [straighten(&mut x, &mut y), straighten(&mut y, &mut z), straighten(&mut z, &mut x)];
        if !turned.contains(&true) {
            break;
        }
    }
    [x, y, z]
}

/// Rotates two axes in their plane, by 45° at most, so that they are at right angles after the stretch. Returns
/// whether it did. Axes already at right angles aren't rotated, so that the rounding of singles can't turn axes of
/// equal length.
fn straighten(p: &mut Axis, q: &mut Axis) -> bool {
    // The file's numbers are singles.
    const RIGHT: f64 = 1e-7;
    let leaning = p.after.dot(q.after);
    if leaning.abs() <= RIGHT * p.after.length() * q.after.length() {
        return false;
    }
    let zeta = (q.after.length_squared() - p.after.length_squared()) / (2.0 * leaning);
    let tan = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
    let cos = tan.hypot(1.0).recip();
    let sin = tan * cos;
    let turned = |p: DVec3, q: DVec3| [p * cos - q * sin, p * sin + q * cos];
    [p.before, q.before] = turned(p.before, q.before);
    [p.after, q.after] = turned(p.after, q.after);
    true
}

/// Returns unit axes at right angles: the given ones where they have a length, otherwise ones similar to `near`.
fn completed(axes: [DVec3; 3], near: [DVec3; 3]) -> [DVec3; 3] {
    // Length, relative to the longest axis, up to which an axis counts as flattened.
    const FLAT: f64 = 1e-7;
    let longest = axes.into_iter().map(DVec3::length).fold(0.0, f64::max);
    let unit = |axis: DVec3| (axis.length() > FLAT * longest).then(|| axis.normalize());
    let right_angled = |near: DVec3, to: DVec3| {
        (near - to * near.dot(to)).try_normalize().unwrap_or_else(|| to.any_orthonormal_vector())
    };
    let [near_x, near_y, _] = near;
    match axes.map(unit) {
        [Some(x), Some(y), Some(z)] => [x, y, z],
        [Some(x), Some(y), None] => [x, y, x.cross(y)],
        [Some(x), None, Some(z)] => [x, z.cross(x), z],
        [None, Some(y), Some(z)] => [y.cross(z), y, z],
        [Some(x), None, None] => {
            let y = right_angled(near_y, x);
            [x, y, x.cross(y)]
        }
        [None, Some(y), None] => {
            let x = right_angled(near_x, y);
            [x, y, x.cross(y)]
        }
        [None, None, Some(z)] => {
            let x = right_angled(near_x, z);
            [x, z.cross(x), z]
        }
        [None, None, None] => near,
    }
}

/// Returns the sign of each axis that makes the axes right-handed and most similar to `near`.
fn signs(axes: [DVec3; 3], near: [DVec3; 3]) -> DVec3 {
    const EVEN: [DVec3; 4] =
        [DVec3::ONE, DVec3::new(1.0, -1.0, -1.0), DVec3::new(-1.0, 1.0, -1.0), DVec3::new(-1.0, -1.0, 1.0)];
    let [x, y, z] = axes;
    let handed = x.cross(y).dot(z).signum();
    let [near_x, near_y, near_z] = near;
    let alike = DVec3::new(x.dot(near_x), y.dot(near_y), z.dot(near_z)) * handed;
    let best = EVEN.into_iter().max_by(|a, b| a.dot(alike).total_cmp(&b.dot(alike)));
    best.unwrap_or(DVec3::ONE) * handed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_gives_back(linear: &DMat3, near: &Split) -> Split {
        let split = Split::of(linear, DVec3::ZERO, near);
        let largest = linear.to_cols_array().into_iter().map(f64::abs).fold(1e-300, f64::max);
        let off = (split.linear_between(&split, 0.0) - *linear).to_cols_array();
        assert!(off.into_iter().all(|off| off.abs() <= 2e-7 * largest), "{linear} by {off:?}, {split:?}");
        assert!(split.outer.is_normalized() && split.inner.is_normalized());
        split
    }

    /// Returns a generator of numbers between -1 and 1 with a fixed seed.
    fn numbers() -> impl FnMut() -> f64 {
        let mut state = 7_u32;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1 << 23) - 1.0
        }
    }

    #[test]
    fn any_matrix_is_given_back_from_any_start() {
        let mut next = numbers();
        for size in [1.0, 1e-12, 1e12] {
            for flat in 0..8 {
                for _ in 0..200 {
                    let mut any = || DVec3::new(next(), next(), next());
                    let keep = |bit: u32| if flat >> bit & 1 == 1 { 0.0 } else { size };
                    let linear = DMat3::from_cols(any() * keep(0), any() * keep(1), any() * keep(2));
                    let first = assert_gives_back(&linear, &Split::NONE);
                    let other = DMat3::from_cols(any(), any(), any());
                    assert_gives_back(&linear, &assert_gives_back(&other, &first));
                }
            }
        }
    }

    #[test]
    fn matrices_that_follow_each_other_give_pairs_that_do() {
        let mut next = numbers();
        let mut any = || DMat3::from_cols_array(&std::array::from_fn(|_| next()));
        for _ in 0..200 {
            let (from, to) = (DMat3::IDENTITY + any() * 0.4, DMat3::IDENTITY + any() * 0.4);
            let mut split = Split::of(&from, DVec3::ZERO, &Split::NONE);
            for step in 1..=1000 {
                let alpha = f64::from(step) / 1000.0;
                let now = Split::of(&(from * (1.0 - alpha) + to * alpha), DVec3::ZERO, &split);
                // The axes rotate fast where two stretches are close to each other, but never jump.
                assert!(now.stretch.abs_diff_eq(split.stretch, 0.01), "{split:?} {now:?}");
                split = now;
            }
        }
    }

    #[test]
    fn what_does_not_shear_keeps_its_inner_node_still() {
        let rotation = DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize();
        for scale in [DVec3::new(1.0, 2.0, 3.0), DVec3::new(-1.0, 2.0, 2.0), DVec3::new(1.0, 0.0, 3.0)] {
            let split =
                assert_gives_back(&(DMat3::from_quat(rotation) * DMat3::from_diagonal(scale)), &Split::NONE);
            assert!(split.inner.abs_diff_eq(DQuat::IDENTITY, 1e-12), "{split:?}");
        }
    }
}
