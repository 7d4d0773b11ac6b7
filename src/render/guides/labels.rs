//! Places of labels in a picture. No GPU is needed.

use super::super::gpu_data::GuideData;
use super::{GuideContent, Label, LetterCell};
use crate::order::sort;
use glam::{Mat4, Vec2, Vec3, Vec4};

/// Size in CSS pixels below which a thing has no label.
const LEAST_SIZE: f32 = 16.0;
/// Factor on the size of a thing whose label was visible, so that labels don't flicker.
const KEPT: f32 = 1.5;
/// Free pixels around a label, in CSS pixels.
const MARGIN: f32 = 1.0;
/// How far from the middle a place may be for its label to move into the picture, in half sizes of the picture.
const NEAR: f32 = 1.5;
/// Opacity of the strokes around letters.
const AROUND: f32 = 0.7;

/// Appends the letters of the labels that fit: first the strokes around them, which letters beside them cover. `shown`
/// has the labels of the picture before, and gets those of this one.
pub(super) fn place(
    content: &GuideContent,
    projection_from_world: &Mat4,
    viewport: Vec2,
    shown: &mut Vec<u32>,
    out: &mut Vec<GuideData>,
) {
    let (scale, padding) = (content.letters.scale, content.letters.padding);
    let mut wanted: Vec<(f32, usize, Vec3)> = Vec::new();
    for (index, label) in content.labels.iter().enumerate() {
        let projected = *projection_from_world * label.position.extend(1.0);
        let [x, y, z, w] = projected.to_array();
        let far_out = if moves(label) { NEAR * w } else { w };
        let is_near = w > 0.0 && x.abs() <= far_out && y.abs() <= far_out;
        if !is_near {
            continue;
        }
        // Length of a vertical unit vector at this place, in pixels.
        let unit = projection_from_world.transpose().y_axis.truncate().length() / w * viewport.y * 0.5;
        let kept = if shown.contains(&label.id) { KEPT } else { 1.0 };
        let size = label.size * unit * kept;
        if size < LEAST_SIZE * scale {
            continue;
        }
        let pixel = (Vec2::new(x, -y) / w * 0.5 + 0.5) * viewport;
        let depth = if label.is_covered { z / w } else { 0.0 };
        wanted.push((size, index, pixel.extend(depth)));
    }
    sort(&mut wanted, |a: (f32, usize, Vec3), b| a.0 > b.0 || (a.0 == b.0 && a.1 < b.1));

    shown.clear();
    let mut taken: Vec<[Vec2; 2]> = Vec::new();
    let mut letters = Vec::new();
    for (_, index, pixel) in wanted {
        let label = &content.labels[index];
        let cells = &content.cells[label.cells.clone()];
        let width: f32 = cells.iter().map(|cell| cell.0[2] - 2.0 * padding).sum();
        let height = cells.iter().map(|cell| cell.0[3]).fold(0.0, f32::max);
        let before = if label.offset == 0.0 { -0.5 * width } else { label.offset * scale };
        // Letters are sharp on whole pixels.
        let corner = (pixel.truncate() + Vec2::new(before, -0.5 * height)).round();
        let inside = corner.min(viewport - Vec2::new(width, height)).max(Vec2::ZERO);
        let corner = if moves(label) { inside } else { corner };
        let margin = Vec2::new(MARGIN * scale, MARGIN * scale - padding);
        let area = [corner - margin, corner + Vec2::new(width, height) + margin];
        if taken.iter().any(|[min, max]| area[0].cmplt(*max).all() && min.cmplt(area[1]).all()) {
            continue;
        }
        taken.push(area);
        shown.push(label.id);
        let mut x = corner.x - padding;
        for &LetterCell([left, top, width, height]) in cells {
            let letter = |color: Vec4| GuideData {
                numbers: [
                    [x, corner.y, width, height],
                    [left, top, pixel.z, 0.0],
                    color.to_array(),
                    [0.0; 4],
                ],
            };
            out.push(letter(Vec4::new(0.0, 0.0, 0.0, 1.0 + AROUND)));
            letters.push(letter(label.color));
            x += width - 2.0 * padding;
        }
    }
    out.append(&mut letters);
}

/// Returns whether a label moves into the picture when its place is a little outside. Lines of the grid, which surfaces
/// cover, have others in the picture.
fn moves(label: &Label) -> bool {
    label.size == f32::INFINITY && !label.is_covered
}

#[cfg(test)]
mod tests {
    use super::super::Letters;
    use super::*;
    use std::rc::Rc;

    const VIEWPORT: Vec2 = Vec2::new(200.0, 100.0);

    /// Labels of 20 by 10 pixels at places on the screen, seen along −z by a view in which one unit is 50 pixels.
    fn labels(places: &[(f32, f32, f32)]) -> GuideContent {
        let letters = Letters { scale: 1.0, ..Letters::default() };
        let label = |(index, &(x, y, size)): (usize, &(f32, f32, f32))| Label {
            id: index as u32,
            position: Vec3::new(x, y, 0.0),
            offset: 0.0,
            size,
            cells: 0..1,
            color: Vec4::ONE,
            is_covered: false,
        };
        GuideContent {
            labels: places.iter().enumerate().map(label).collect(),
            cells: vec![LetterCell([0.0, 0.0, 20.0, 10.0])],
            letters: Rc::new(letters),
            ..GuideContent::default()
        }
    }

    fn placed(content: &GuideContent, shown: &mut Vec<u32>) -> Vec<GuideData> {
        let mut out = Vec::new();
        let view = Mat4::from_scale(Vec3::new(0.5, 1.0, 1.0));
        place(content, &view, VIEWPORT, shown, &mut out);
        out
    }

    #[test]
    fn the_label_of_the_larger_thing_stays_where_two_would_overlap() {
        let mut shown = Vec::new();
        let out = placed(&labels(&[(0.0, 0.0, 1.0), (0.1, 0.0, 2.0), (1.0, 0.0, 1.0)]), &mut shown);
        assert_eq!(shown, [1, 2]);
        assert_eq!(out.len(), 4, "letters and the strokes around them");
        let middle = 100.0 + 0.1 * 0.5 * 100.0;
        assert_eq!(out[0].numbers[0], [middle - 10.0, 45.0, 20.0, 10.0]);
        assert!(out[0].numbers[2][3] > 1.0 && out[2].numbers[2][3] == 1.0, "strokes come first");
    }

    #[test]
    fn a_label_that_was_visible_stays_until_another_thing_is_much_larger() {
        let overlapping = |first: f32, second: f32| labels(&[(0.0, 0.0, first), (0.1, 0.0, second)]);
        let mut shown = Vec::new();
        placed(&overlapping(1.0, 0.9), &mut shown);
        assert_eq!(shown, [0]);
        placed(&overlapping(1.0, 1.2), &mut shown);
        assert_eq!(shown, [0]);
        placed(&overlapping(1.0, 1.6), &mut shown);
        assert_eq!(shown, [1]);
    }

    #[test]
    fn small_things_and_those_out_of_the_picture_have_no_label() {
        let mut shown = Vec::new();
        let nowhere = [(0.0, 0.0, 0.1), (9.0, 0.0, 1.0), (0.0, -1.6, f32::INFINITY), (f32::NAN, 0.0, 1.0)];
        assert_eq!(placed(&labels(&nowhere), &mut shown), []);
        assert_eq!(placed(&labels(&[(0.0, 0.0, f32::INFINITY)]), &mut shown).len(), 2);
    }

    #[test]
    fn what_is_always_wanted_moves_into_the_picture() {
        let out = placed(&labels(&[(2.5, -1.4, f32::INFINITY)]), &mut Vec::new());
        assert_eq!(out[0].numbers[0], [180.0, 90.0, 20.0, 10.0]);
        assert_eq!(placed(&labels(&[(2.5, -1.4, 9.0)]), &mut Vec::new()), []);
    }
}
