//! A prop to hold: a pinwheel, whose wheel turns. Its origin is the joint of the right hand, in the axes of that joint.

use std::f32::consts::TAU;

use glam::{Quat, Vec3};
use serde_json::{Value, json};

use super::{
    Mesh,
    field::{limb, sphere},
    glb::Store,
    materials::{Material, Palette},
    simplify::Thrift,
    skeleton::{Joint, Side, hand_point, wrist},
    surface::{Paint, Solid, Surface, Vertex, shown},
};

/// Direction of the stick. It points up and forward from a hand that hangs down.
const UP: Vec3 = Vec3::new(0.42, 0.66, 0.62);
/// Distances from the grip to the ends of the stick.
const BELOW: f32 = 0.07;
const ABOVE: f32 = 0.34;
const TURN_SECS: f32 = 1.6;

fn grip() -> Vec3 {
    Side::Right.place(hand_point(0.075, 0.004, 0.030) - wrist())
}

/// Returns the middle of the wheel.
fn hub() -> Vec3 {
    grip() + UP.normalize() * (ABOVE - 0.012) + axis() * 0.018
}

/// Returns the axis of the wheel: forward, across the stick.
fn axis() -> Vec3 {
    let up = UP.normalize();
    let forward = Vec3::new(-0.1, -0.3, 1.0);
    (forward - up * forward.dot(up)).normalize()
}

/// Returns the meshes with the position of their nodes.
pub(super) fn meshes(palette: &Palette) -> Vec<(Mesh, Vec3)> {
    let stick = Mesh { name: "Stick", morphs: false, parts: vec![(Material::Horn, stick(palette))] };
    let wheel = Mesh {
        name: "Wheel",
        morphs: false,
        parts: vec![(Material::Leather, wheel(palette)), (Material::Brass, pin(palette))],
    };
    vec![(stick, Vec3::ZERO), (wheel, hub())]
}

/// Returns the clip in which node `wheel` turns once.
pub(super) fn spin(store: &mut Store, wheel: usize) -> Value {
    const KEYS: usize = 5;
    let shares = || (0..KEYS).map(|key| key as f32 / (KEYS - 1) as f32);
    let times: Vec<f32> = shares().map(|share| share * TURN_SECS).collect();
    let turns: Vec<Quat> = shares().map(|share| Quat::from_axis_angle(axis(), -share * TAU)).collect();
    json!({
        "name": "Spin",
        "samplers": [{ "input": store.times(&times), "output": store.turns(&turns) }],
        "channels": [{ "sampler": 0, "target": { "node": wheel, "path": "rotation" } }],
    })
}

fn solid(field: &dyn Fn(Vec3) -> f32, middle: Vec3, half: f32, cell: f32, paint: Paint) -> Surface {
    Solid {
        field,
        min: middle - Vec3::splat(half),
        max: middle + Vec3::splat(half),
        cell,
        thrift: Thrift::new(0.0010, 0.0018, 0.2),
        hidden: &shown,
        borders: &[],
        paint: &|_, _| paint,
        influences: &super::weights::only(Joint::Hips),
    }
    .surface()
}

fn stick(palette: &Palette) -> Surface {
    let up = UP.normalize();
    let (from, to) = (grip() - up * BELOW, grip() + up * ABOVE);
    let field = |p: Vec3| limb(p, from, 0.0085, to, 0.0070);
    solid(&field, (from + to) * 0.5, 0.20, 0.008, palette.horn)
}

fn pin(palette: &Palette) -> Surface {
    let field = |p: Vec3| sphere(p, axis() * 0.012, 0.013);
    solid(&field, axis() * 0.012, 0.022, 0.006, palette.brass)
}

/// Returns four sails of paper around the origin.
fn wheel(palette: &Palette) -> Surface {
    const SAILS: usize = 4;
    const COLUMNS: usize = 6;
    const ROWS: usize = 3;
    const RADIUS: f32 = 0.105;
    let out = axis();
    let right = UP.cross(out).normalize();
    let up = out.cross(right);
    let mut wheel = Surface::default();
    for sail in 0..SAILS {
        let turn = Quat::from_axis_angle(out, sail as f32 / SAILS as f32 * TAU);
        let paint = [palette.scarf, palette.sweater][sail % 2];
        // A sail is flat along an edge from the middle outward, and curls forward and back to the middle.
        let place = |u: f32, v: f32| {
            let reach = v * RADIUS;
            let flat = up * reach;
            let belly = (up * 0.80 + right * 1.05) * reach + out * 0.012;
            let folded = up * (reach * 0.22) + out * 0.026;
            let left = 1.0 - u;
            turn * (flat * (left * left) + belly * (2.0 * u * left) + folded * (u * u))
        };
        for front in [true, false] {
            let mut sheet = Surface::sheet(COLUMNS, ROWS, &|u, v| Vertex {
                position: place(u, v),
                paint: if front { paint } else { palette.scarf_stripe },
                ..Vertex::default()
            });
            if !front {
                sheet.triangles.iter_mut().for_each(|corners| corners.reverse());
            }
            sheet.recompute_normals();
            wheel.append(sheet);
        }
    }
    wheel
}
