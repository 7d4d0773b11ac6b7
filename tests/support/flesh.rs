//! A mesh of tapered boxes, each moved by one joint, to see a skeleton by.

use gambol::model::{Influences, Mesh, Primitive};
use glam::{Quat, Vec3, Vec4};

/// A box from `start` to `end`. It is as wide as `halves` along x and z of `axes`, whose y axis is turned to its end.
pub struct Limb {
    pub joint: usize,
    pub start: Vec3,
    pub end: Vec3,
    pub axes: Quat,
    pub halves: [f32; 2],
    pub color: Vec3,
}

/// Width of the end of a box, as a share of that of its start.
const TAPER: f32 = 0.75;

/// Corners of the faces: the lowest bit is the side along x, the next along z, the highest is the end.
const FACES: [[usize; 4]; 6] =
    [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];

pub fn mesh(limbs: &[Limb]) -> Mesh {
    let mut made = Primitive {
        influences: Influences { per_vertex: 4, ..Influences::default() },
        ..Primitive::default()
    };
    for limb in limbs {
        let along = limb.end - limb.start;
        let axes = Quat::from_rotation_arc(limb.axes * Vec3::Y, along.normalize()) * limb.axes;
        let sign = |corner: usize, bit: usize| if corner & bit == 0 { -1.0 } else { 1.0 };
        let corner = |corner: usize| {
            let (middle, width) = if corner & 4 == 0 { (limb.start, 1.0) } else { (limb.end, TAPER) };
            let across = Vec3::new(sign(corner, 1) * limb.halves[0], 0.0, sign(corner, 2) * limb.halves[1]);
            middle + axes * across * width
        };
        for face in FACES {
            let places = face.map(corner);
            let first = made.positions.len() as u32;
            let normal = (places[1] - places[0]).cross(places[2] - places[0]).normalize();
            let is_outward = normal.dot(places[0] - (limb.start + limb.end) / 2.0) > 0.0;
            let (normal, order) =
                if is_outward { (normal, [0, 1, 2, 0, 2, 3]) } else { (-normal, [0, 2, 1, 0, 3, 2]) };
            made.indices.extend(order.map(|vertex| first + vertex));
            made.positions.extend(places);
            made.normals.extend([normal; 4]);
            made.colors.extend([limb.color.extend(1.0); 4] as [Vec4; 4]);
            for _ in places {
                made.influences.joints.extend([limb.joint as u16, 0, 0, 0]);
                made.influences.joint_weights.extend([1.0, 0.0, 0.0, 0.0]);
            }
        }
    }
    Mesh { primitives: vec![made], ..Mesh::default() }
}
