use glam::Vec3;

/// An axis-aligned bounding box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    pub min: Vec3,
    pub max: Vec3,
}

impl Aabb {
    /// Returns the smallest box around the points; `None` without points.
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Option<Self> {
        points.into_iter().fold(None, |held: Option<Self>, point| {
            let one = Self { min: point, max: point };
            Some(held.map_or(one, |held| held.union(&one)))
        })
    }

    /// Extends a box to contain `other`, or sets it to `other` if there is none.
    pub fn join(held: &mut Option<Self>, other: Self) {
        *held = Some(held.map_or(other, |held| held.union(&other)));
    }

    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub fn center(&self) -> Vec3 {
        (self.min + self.max) * 0.5
    }

    /// Returns half the diagonal, which is the radius of the sphere around the box.
    pub fn radius(&self) -> f32 {
        (self.max - self.min).length() * 0.5
    }

    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|corner| {
            let pick = |axis: usize| if corner >> axis & 1 == 0 { self.min[axis] } else { self.max[axis] };
            Vec3::new(pick(0), pick(1), pick(2))
        })
    }
}
