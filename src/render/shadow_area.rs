use super::gpu_model::matrix_at;
use super::{Actor, Frame};
use crate::model::Aabb;
use glam::{Vec2, Vec3, Vec4};

/// Standard deviation of the blur on the ground, as a fraction of a character's height.
const SOFTNESS: f32 = 0.03;

/// Margin for the blur, in standard deviations. The outermost samples in `blur.wgsl` are 2.26 away.
const BLUR_REACH: f32 = 2.5;

/// The part of the world that the shadow map covers. Its centre is also the centre of the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ShadowArea {
    /// Height in the world of the plane onto which shadows are cast, even if there is no ground.
    pub(super) ground_height: f32,
    pub(super) center: Vec2,
    pub(super) half_side: f32,
    /// Height above the ground from which on nothing casts a shadow.
    pub(super) reach: f32,
    /// Standard deviation of the blur on the ground, in the world. It depends on the rest pose, not on what plays.
    pub(super) softness: f32,
}

impl ShadowArea {
    /// Returns the area for a frame and the unit vector towards its key light, or `None` if the bounds of its
    /// characters aren't known or aren't finite.
    pub(super) fn of(frame: &Frame<'_>, towards_key_light: Vec3) -> Option<Self> {
        let bounds = frame.actors.iter().filter_map(world_bounds).reduce(|held, aabb| held.union(&aabb))?;
        let ground_height = frame.ground.map_or(bounds.min.y, |ground| ground.height);
        // The size of the first character of the first actor determines the blur for all.
        let lead = frame.actors.first()?;
        let world_from_lead = matrix_at(lead.rows, 0)?;
        // Flat models cast soft shadows, too.
        let rest = &lead.model.rest;
        let height =
            (rest.max.y - rest.min.y).max(rest.radius() * 0.25) * world_from_lead[1].truncate().length();
        Self::around(bounds, towards_key_light, ground_height, height * SOFTNESS)
    }

    /// Returns the area for the given bounds, or `None` if they are too large for single precision.
    fn around(bounds: Aabb, towards_light: Vec3, ground_height: f32, softness: f32) -> Option<Self> {
        let tallest = (bounds.max.y - ground_height).max(1e-3);
        let slide = -Vec2::new(towards_light.x, towards_light.z) / towards_light.y * tallest;
        let (min, max) = (Vec2::new(bounds.min.x, bounds.min.z), Vec2::new(bounds.max.x, bounds.max.z));
        let (low, high) = (min.min(min + slide), max.max(max + slide));
        // Centred under the feet, not under the slanted shadow, because the ground has the same centre.
        let center = (min + max) * 0.5;
        let half_side = (high - center).max(center - low).max_element() + softness * BLUR_REACH;
        let area =
            Self { ground_height, center, half_side: half_side.max(1e-3), reach: tallest * 1.05, softness };
        let numbers = [ground_height, center.x, center.y, area.half_side, area.reach, softness];
        numbers.into_iter().all(f32::is_finite).then_some(area)
    }
}

/// Returns the bounds in the world of all characters whose transforms are finite.
fn world_bounds(actor: &Actor<'_>) -> Option<Aabb> {
    let in_model = actor.clip_bounds?;
    let (center, half) = (in_model.center(), (in_model.max - in_model.min) * 0.5);
    let of = |character: usize| {
        let rows = matrix_at(actor.rows, character * actor.model.rows_per_character)?;
        let center = Vec3::from_array(rows.map(|row: Vec4| row.dot(center.extend(1.0))));
        let half = Vec3::from_array(rows.map(|row| row.truncate().abs().dot(half)));
        let aabb = Aabb { min: center - half, max: center + half };
        (aabb.min.is_finite() && aabb.max.is_finite()).then_some(aabb)
    };
    (0..actor.character_count).filter_map(of).reduce(|held, aabb| held.union(&aabb))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOWARDS_LIGHT: Vec3 = Vec3::new(-0.48, 0.64, 0.6);

    #[test]
    fn everything_and_its_shadow_is_on_the_map() {
        let bounds = Aabb { min: Vec3::new(-1.0, 0.1, -3.0), max: Vec3::new(0.5, 4.0, 2.0) };
        let area = ShadowArea::around(bounds, TOWARDS_LIGHT, 0.0, 0.1).expect("its numbers are finite");
        for corner in 0..8 {
            let pick =
                |axis: usize| if corner >> axis & 1 == 0 { bounds.min[axis] } else { bounds.max[axis] };
            let (place, height) = (Vec2::new(pick(0), pick(2)), pick(1) - area.ground_height);
            // This repeats `shadow_place` of `frame.wgsl`.
            let pressed = place - Vec2::new(TOWARDS_LIGHT.x, TOWARDS_LIGHT.z) * (height / TOWARDS_LIGHT.y);
            let on_map = (pressed - area.center) / area.half_side;
            assert!(on_map.abs().max_element() < 1.0, "{on_map}");
            assert!((0.0..1.0).contains(&(1.0 - height / area.reach)));
        }
    }

    #[test]
    fn something_flat_on_the_ground_still_makes_a_map() {
        let area = ShadowArea::around(Aabb { min: Vec3::ZERO, max: Vec3::ZERO }, TOWARDS_LIGHT, 0.0, 0.0);
        assert!(area.is_some_and(|area| area.half_side > 0.0 && area.reach > 0.0));
    }

    #[test]
    fn what_is_too_large_for_a_map_casts_nothing() {
        for bounds in [
            Aabb { min: Vec3::splat(-3e38), max: Vec3::splat(3e38) },
            Aabb { min: Vec3::splat(1e38), max: Vec3::splat(3e38) },
            Aabb { min: Vec3::NAN, max: Vec3::NAN },
        ] {
            let area = ShadowArea::around(bounds, TOWARDS_LIGHT, bounds.min.y, 0.1);
            assert!(
                area.is_none_or(|area| area.center.is_finite() && area.half_side.is_finite()),
                "{area:?}"
            );
        }
        let bounds = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
        assert_eq!(ShadowArea::around(bounds, TOWARDS_LIGHT, f32::NAN, 0.1), None);
        assert_eq!(ShadowArea::around(bounds, TOWARDS_LIGHT, 0.0, f32::INFINITY), None);
    }
}
