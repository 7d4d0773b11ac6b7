//! The grid on the ground, in powers of ten of a metre that suit the size of what is framed.

use super::measures::{multiple_text, power_of_ten, whole_log10};
use super::{AXIS_COLORS, FIRST_OF_GRID, label_at, write};
use crate::model::Aabb;
use crate::render::{GridPlane, GuideContent, Label};
use glam::{Vec2, Vec3};

/// Radius of the disc in radii of what is framed. The view ends farther away (`GROUND_IN_RADII`).
const DISC: f32 = 4.0;
/// Lines in half the disc, at least; ten times as many at most.
const LEAST_LINES: f32 = 12.0;
/// Part of the disc's radius with labels. Beyond it the lines are faint.
const LABELLED: f32 = 0.5;
/// Most labels on each side of an axis.
const MOST_LABELS: i64 = 4;

/// Adds the grid, and labels on the axes x and z. Far from the origin, the labels are on the lines next to the middle.
pub(super) fn place(content: &mut GuideContent, height: f32, framed: &Aabb) {
    let radius = framed.radius() * DISC;
    let middle = Vec2::new(framed.center().x, framed.center().z);
    let is_drawn = radius > 0.0 && (middle.length() + radius + height.abs()).is_finite();
    if !is_drawn {
        return;
    }
    let power = whole_log10(radius / LEAST_LINES);
    let spacing = power_of_ten(power) as f32;
    content.grid = Some(GridPlane { middle, height, radius, spacing });

    // Each tenth line, or each fifth if that is too far out.
    let step: i64 = if 10.0 * spacing > radius * LABELLED { 5 } else { 10 };
    let apart = step as f32 * spacing;
    let count = ((radius * LABELLED / apart) as i64).min(MOST_LABELS);
    let (middle_of, near) = (middle.to_array(), (middle / apart).round().to_array());
    for axis in 0..2 {
        // The axis is where the other coordinate is 0.
        let across = if middle_of[1 - axis].abs() > radius * LABELLED { near[1 - axis] * apart } else { 0.0 };
        for offset in -count..=count {
            let nth = i64::from(near[axis] as i32) + offset;
            let along = nth as f32 * apart;
            let place = if axis == 0 { Vec2::new(along, across) } else { Vec2::new(across, along) };
            if nth == 0 || place.distance(middle) > radius * LABELLED {
                continue;
            }
            let id = (FIRST_OF_GRID + (axis as u32 + 1) * 100).wrapping_add_signed(offset as i32);
            let mut color = AXIS_COLORS[2 * axis].lerp(glam::Vec4::ONE, 0.6);
            color.w = 1.0;
            let position = Vec3::new(place.x, height, place.y);
            let label = Label { color, is_covered: true, offset: 4.0, ..label_at(id, position) };
            write(content, &multiple_text(nth * step, power), label);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid_of(size: f32, center: Vec3) -> GuideContent {
        let mut content = GuideContent::default();
        let half = Vec3::splat(size * 0.5);
        place(&mut content, 0.0, &Aabb { min: center - half, max: center + half });
        content
    }

    #[test]
    fn lines_suit_the_size() {
        for (size, spacing) in [(1.8, 0.1), (0.5, 0.1), (0.1, 0.01), (20.0, 1.0), (3e6, 1e5), (1e-4, 1e-5)] {
            let plane = grid_of(size, Vec3::ZERO).grid.expect("it has a size");
            assert!((plane.spacing / spacing - 1.0).abs() < 1e-5, "{size}: {}", plane.spacing);
            let lines = plane.radius / plane.spacing;
            assert!((LEAST_LINES * 0.999..LEAST_LINES * 10.01).contains(&lines), "{size}: {lines} lines");
        }
        for size in [0.0, f32::NAN, f32::INFINITY] {
            assert_eq!(grid_of(size, Vec3::ZERO).grid, None);
        }
    }

    #[test]
    fn labels_are_at_the_places_that_they_name() {
        for center in [Vec3::ZERO, Vec3::new(1.5, 0.0, -0.5), Vec3::new(1000.0, 0.0, 2000.0)] {
            let content = grid_of(1.8, center);
            assert!(content.labels.len() > 4, "{center}: {} labels", content.labels.len());
            for label in &content.labels {
                let place = Vec2::new(label.position.x, label.position.z);
                assert!(place.distance(Vec2::new(center.x, center.z)) < 4.0, "{center}: {place}");
                assert_eq!(place.round(), place, "on lines a metre apart");
            }
        }
    }

    #[test]
    fn numbers_of_labels_differ() {
        let mut ids: Vec<u32> = grid_of(1.8, Vec3::ZERO).labels.iter().map(|label| label.id).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
        assert!(ids.iter().all(|&id| id < super::super::FIRST_OF_BOUNDS));
    }
}
