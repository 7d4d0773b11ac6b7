use super::{Care, Environment};
use glam::{Vec2, Vec3A};

/// A room that is lit by soft boxes: rectangles of light, seen from the middle of the room.
#[derive(Clone, Debug, PartialEq)]
pub struct Room {
    pub floor: Vec3A,
    /// Light of the walls at their foot and at their head.
    pub walls: [Vec3A; 2],
    pub ceiling: Vec3A,
    /// Fraction of their light that surfaces have where they meet.
    pub corners: f32,
    pub boxes: Vec<SoftBox>,
}

/// A rectangle of light at a distance of 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftBox {
    /// Unit vectors towards its centre, and along its sides.
    towards: Vec3A,
    right: Vec3A,
    up: Vec3A,
    half_size: Vec2,
    feather: f32,
    light: Vec3A,
}

/// Half the width of the room, and the heights of its floor and ceiling, seen from the middle.
const HALF_WIDTH: f32 = 1.0;
const FLOOR: f32 = -0.55;
const CEILING: f32 = 0.9;

/// Width of the darker part of a surface next to the others.
const CORNER_WIDTH: f32 = 0.45;

impl Room {
    /// Returns the built-in studio: a large warm key light from the front left, a cool one from the right, and strips
    /// behind that draw the outline.
    pub fn studio() -> Self {
        let soft_box = |towards: [f32; 3], half_size: [f32; 2], light: [f32; 3]| {
            SoftBox::new(towards.into(), half_size.into(), 0.04, light.into())
        };
        Self {
            floor: Vec3A::new(0.62, 0.60, 0.56),
            walls: [Vec3A::new(0.42, 0.42, 0.43), Vec3A::new(0.66, 0.68, 0.72)],
            ceiling: Vec3A::new(0.72, 0.73, 0.75),
            corners: 0.6,
            boxes: vec![
                soft_box([-0.45, 0.68, 0.58], [0.42, 0.46], [7.2, 6.8, 6.3]),
                soft_box([0.85, 0.25, 0.46], [0.34, 0.62], [2.1, 2.25, 2.5]),
                soft_box([-0.8, 0.3, -0.52], [0.14, 0.6], [4.4, 4.5, 4.8]),
                soft_box([0.6, 0.45, -0.66], [0.16, 0.6], [5.6, 5.8, 6.2]),
                soft_box([0.05, 1.0, -0.1], [0.4, 0.4], [1.2, 1.2, 1.2]),
            ],
        }
    }

    /// Returns the room that numbers describe: red, green and blue of the floor, of the walls' foot and head, and of
    /// the ceiling, and the light of corners; then for each box the direction, half width, half height, feather, red,
    /// green and blue. `None` if there are too few or too many numbers.
    pub fn from_numbers(numbers: &[f32]) -> Option<Self> {
        let (surfaces, boxes) = numbers.split_first_chunk::<13>()?;
        let (boxes, []) = boxes.as_chunks::<9>() else { return None };
        let light_at = |at: usize| Vec3A::from_slice(&surfaces[at..]);
        let soft_box = |&[x, y, z, width, height, feather, r, g, b]: &[f32; 9]| {
            SoftBox::new(Vec3A::new(x, y, z), Vec2::new(width, height), feather, Vec3A::new(r, g, b))
        };
        Some(Self {
            floor: light_at(0),
            walls: [light_at(3), light_at(6)],
            ceiling: light_at(9),
            corners: surfaces[12],
            boxes: boxes.iter().map(soft_box).collect(),
        })
    }

    /// Returns the room as an environment, whose key light is the first soft box.
    pub fn environment(&self, care: Care) -> Environment {
        let towards_key = self.boxes.first().map(|soft_box| soft_box.towards);
        Environment::of(&|direction| self.light_from(direction), towards_key, care)
    }

    /// Returns the light from a unit direction.
    pub fn light_from(&self, direction: Vec3A) -> Vec3A {
        let boxes = self.boxes.iter().map(|soft_box| soft_box.light_from(direction));
        self.surface_in(direction) + boxes.sum::<Vec3A>()
    }

    /// Returns the light of the wall, floor or ceiling in a direction.
    fn surface_in(&self, direction: Vec3A) -> Vec3A {
        let end = if direction.y < 0.0 { FLOOR } else { CEILING };
        let beyond = Vec3A::new(HALF_WIDTH, end.abs(), HALF_WIDTH) / direction.abs().max(Vec3A::splat(1e-6));
        let nearest = beyond.min_element();
        let place = direction * nearest;
        let height = (place.y - FLOOR) / (CEILING - FLOOR);
        // Distances to the two edges of a surface, by axis. That to the surface itself isn't one.
        let to_edges = [
            HALF_WIDTH - place.x.abs(),
            (place.y - FLOOR).min(CEILING - place.y),
            HALF_WIDTH - place.z.abs(),
        ];
        let mut open = 1.0;
        for (axis, distance) in to_edges.into_iter().enumerate() {
            if beyond[axis] > nearest {
                open *= self.corners + (1.0 - self.corners) * smooth_step(distance / CORNER_WIDTH);
            }
        }
        let light = if beyond.y > nearest {
            self.walls[0].lerp(self.walls[1], smooth_step(height))
        } else if direction.y < 0.0 {
            self.floor
        } else {
            self.ceiling
        };
        light * open
    }
}

impl SoftBox {
    /// Creates a box. `feather` is the width of the border on which the light fades out. A box without a direction is
    /// above.
    pub fn new(towards: Vec3A, half_size: Vec2, feather: f32, light: Vec3A) -> Self {
        let towards = towards.normalize_or(Vec3A::Y);
        let right = Vec3A::new(towards.z, 0.0, -towards.x).normalize_or(Vec3A::X);
        Self { towards, right, up: towards.cross(right), half_size, feather, light }
    }

    /// Returns the light from a unit direction.
    fn light_from(&self, direction: Vec3A) -> Vec3A {
        let ahead = direction.dot(self.towards);
        if ahead <= 0.0 {
            return Vec3A::ZERO;
        }
        let place = Vec2::new(direction.dot(self.right), direction.dot(self.up)).abs() / ahead;
        let inside = (self.half_size - place) / self.feather;
        // A lamp's diffuser is brightest in the middle.
        let middle = 1.0 - 0.35 * (place / self.half_size).length_squared().min(1.0);
        self.light * (smooth_step(inside.x) * smooth_step(inside.y) * middle)
    }
}

fn smooth_step(share: f32) -> f32 {
    let share = share.clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}
