//! Triangulation of polygons.
use glam::Vec3;

// Larger ones are discs and caps, which are convex. Ear clipping takes cubic time in the worst case.
const MAX_CORNERS_CUT: usize = 128;

/// Triangulates a polygon, by ear clipping if it is concave and not too large, or else as a fan. Returns the indices
/// of corners; there are two triangles fewer than corners.
pub(super) fn triangulate(corners: &[Vec3]) -> Vec<[usize; 3]> {
    let fan = || (1..corners.len().saturating_sub(1)).map(|at| [0, at, at + 1]).collect();
    if corners.len() <= 3 || corners.len() > MAX_CORNERS_CUT {
        return fan();
    }
    let Some(normal) = normal(corners) else { return fan() };
    let count = corners.len();
    let turns_left = |at: usize| is_left(corners, normal, [at, (at + 1) % count, (at + 2) % count]);
    match (0..count).all(turns_left) {
        true => fan(),
        false => cut_ears(corners, normal),
    }
}

/// Returns the normal by Newell's method, which allows polygons that aren't quite flat; `None` if the area is 0.
fn normal(corners: &[Vec3]) -> Option<Vec3> {
    let first = *corners.first()?;
    let largest = corners.iter().map(|corner| (*corner - first).abs().max_element()).fold(0.0, f32::max);
    let from_first = |corner: &Vec3| (*corner - first) / largest;
    let pairs = corners.iter().zip(corners.iter().cycle().skip(1));
    let area: Vec3 = pairs.map(|(a, b)| from_first(a).cross(from_first(b))).sum();
    area.try_normalize()
}

fn is_left(corners: &[Vec3], normal: Vec3, triangle: [usize; 3]) -> bool {
    let [a, b, c] = triangle.map(|at| corners.get(at).copied().unwrap_or_default());
    (b - a).cross(c - b).dot(normal) >= 0.0
}

fn cut_ears(corners: &[Vec3], normal: Vec3) -> Vec<[usize; 3]> {
    let mut left: Vec<usize> = (0..corners.len()).collect();
    let mut triangles = Vec::with_capacity(corners.len());
    while left.len() > 3 {
        let count = left.len();
        let around = |at: usize| {
            [at + count - 1, at, at + 1].map(|at| left.get(at % count).copied().unwrap_or_default())
        };
        let is_ear = |&at: &usize| {
            let ear = around(at);
            let others = left.iter().filter(|corner| !ear.contains(corner));
            is_left(corners, normal, ear)
                && !others.into_iter().any(|&corner| is_inside(corners, normal, ear, corner))
        };
        // A polygon that crosses itself may have no ear. Then a triangle is cut off as in a fan.
        let at = (0..count).find(is_ear).unwrap_or(1);
        triangles.push(around(at));
        left.remove(at);
    }
    if let &[a, b, c] = left.as_slice() {
        triangles.push([a, b, c]);
    }
    triangles
}

fn is_inside(corners: &[Vec3], normal: Vec3, [a, b, c]: [usize; 3], corner: usize) -> bool {
    [[a, b, corner], [b, c, corner], [c, a, corner]].iter().all(|side| is_left(corners, normal, *side))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(corners: &[Vec3], triangles: &[[usize; 3]]) -> f32 {
        let area =
            |[a, b, c]: &[usize; 3]| (corners[*b] - corners[*a]).cross(corners[*c] - corners[*a]).z / 2.0;
        assert!(triangles.iter().all(|triangle| area(triangle) >= 0.0), "{triangles:?}");
        triangles.iter().map(area).sum()
    }

    #[test]
    fn a_convex_polygon_is_a_fan() {
        let square = [Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y];
        assert_eq!(triangulate(&square), [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(triangulate(&square[..3]), [[0, 1, 2]]);
        assert_eq!(triangulate(&square[..2]), <[[usize; 3]; 0]>::default());
        assert_eq!(triangulate(&[Vec3::ZERO; 4]), [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn a_concave_polygon_keeps_its_shape() {
        // An arrowhead from every corner, then the letter L.
        let arrow = [[0.0, 0.0], [2.0, -1.0], [0.0, 3.0], [-2.0, -1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
        for start in 0..4 {
            let turned: Vec<Vec3> = (0..4).map(|at| arrow[(start + at) % 4]).collect();
            let triangles = triangulate(&turned);
            assert_eq!((triangles.len(), area(&turned, &triangles)), (2, 6.0), "from corner {start}");
        }
        let letter = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]];
        let letter = letter.map(|[x, y]| Vec3::new(x, y, 0.0));
        assert_eq!(area(&letter, &triangulate(&letter)), 6.0);
    }

    #[test]
    fn what_crosses_itself_still_has_two_triangles_less_than_corners() {
        let bow = [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
        assert_eq!(triangulate(&bow).len(), 2);
    }
}
