//! Skull with ears, horns and beard.

use std::f32::consts::TAU;

use glam::{Mat3, Quat, Vec3};

use super::{
    field::{bent, carve, curve, ellipsoid, limb, melt, mirrored, smoothstep, sphere, turned_ellipsoid},
    hair::Hair,
    materials::{Material, Palette},
    simplify::Thrift,
    skeleton::{EAR_ROOT, EAR_TIP, Joint},
    surface::{Paint, Solid, Surface, Vertex},
    weights,
};

/// Middle of the left eye, and the direction in which its opening faces.
pub(super) const EYE: Vec3 = Vec3::new(0.128, 1.130, 0.20);
pub(super) const EYE_OUT: Vec3 = Vec3::new(0.30, 0.04, 1.0);

/// Returns the distance to the head without ears, the surface under the face.
pub(super) fn skull(p: Vec3) -> f32 {
    let q = mirrored(p);
    let cranium = ellipsoid(q, Vec3::new(0.0, 1.172, -0.015), Vec3::new(0.302, 0.270, 0.275));
    let occiput = ellipsoid(q, Vec3::new(0.0, 1.165, -0.105), Vec3::new(0.245, 0.222, 0.212));
    let cheek = ellipsoid(q, Vec3::new(0.158, 1.043, 0.080), Vec3::new(0.165, 0.132, 0.160));
    let muzzle = ellipsoid(q, Vec3::new(0.0, 1.003, 0.250), Vec3::new(0.116, 0.087, 0.130));
    let bridge = limb(q, Vec3::new(0.0, 1.085, 0.19), 0.056, Vec3::new(0.0, 1.032, 0.325), 0.052);
    let chin = sphere(q, Vec3::new(0.0, 0.958, 0.205), 0.078);
    let snout = melt(melt(muzzle, chin, 0.06), bridge, 0.06);
    let face = melt(melt(melt(cranium, occiput, 0.10), cheek, 0.11), snout, 0.07);
    let neck = limb(q, Vec3::new(0.0, 0.80, -0.005), 0.100, Vec3::new(0.0, 0.93, 0.0), 0.095);
    // The eyes lie in shallow dishes.
    let dish = sphere(q, EYE + EYE_OUT.normalize() * 0.251, 0.22);
    carve(melt(face, neck, 0.05), dish, 0.03)
}

/// Returns the distance to what takes light from its surroundings. The ears don't: they are thin, and they move.
pub(super) fn solid(p: Vec3) -> f32 {
    let root = limb(mirrored(p), HORN[0], 0.050, HORN[1], 0.040);
    skull(p).min(root)
}

fn ear_turn() -> Quat {
    let along = (EAR_TIP - EAR_ROOT).normalize();
    let front = Vec3::new(0.0, -0.28, 1.0);
    let front = (front - along * front.dot(along)).normalize();
    Quat::from_mat3(&Mat3::from_cols(along, front.cross(along), front))
}

/// Returns a point in the ear's own axes: along it, across it and out of its open side. The origin is its centre.
fn in_ear(p: Vec3) -> Vec3 {
    ear_turn().inverse() * (mirrored(p) - EAR_ROOT.lerp(EAR_TIP, 0.5))
}

fn ear(p: Vec3) -> f32 {
    let q = mirrored(p);
    let middle = EAR_ROOT.lerp(EAR_TIP, 0.5);
    let along = EAR_TIP - EAR_ROOT;
    let turn = ear_turn();
    let leaf = turned_ellipsoid(q, middle, turn, Vec3::new(0.165, 0.080, 0.034));
    let cup = turned_ellipsoid(
        q,
        middle + turn * Vec3::new(-0.012, 0.0, 0.036),
        turn,
        Vec3::new(0.135, 0.056, 0.036),
    );
    // The ear is rolled into a stalk where it grows out of the head, and its opening begins there.
    let stalk = limb(q, EAR_ROOT - along * 0.20, 0.066, EAR_ROOT + along * 0.24, 0.040);
    let opening = limb(
        q,
        EAR_ROOT + along * 0.06 + turn * Vec3::new(0.0, 0.0, 0.050),
        0.020,
        EAR_ROOT + along * 0.40 + turn * Vec3::new(0.0, 0.0, 0.040),
        0.034,
    );
    carve(melt(carve(leaf, cup, 0.014), stalk, 0.045), opening, 0.018)
}

/// Distance from the ear at which its blend into the head ends.
const EAR_BLEND: f32 = 0.045;

/// Returns the ears, blended into the head around their roots. The blend ends under the skin, so that no rim shows.
fn rooted_ear(p: Vec3) -> f32 {
    const UNDER: f32 = 0.003;
    melt(ear(p), skull(p) + UNDER, EAR_BLEND)
}

/// Returns the skin of the head, which expressions move. The ears are separate surfaces.
pub(super) fn skin(palette: &Palette) -> Surface {
    let hair = Hair::new();
    Solid {
        field: &skull,
        min: Vec3::new(-0.38, 0.78, -0.34),
        max: Vec3::new(0.38, 1.50, 0.38),
        cell: 0.0155,
        thrift: Thrift::new(0.0026, 0.0030, 0.085),
        hidden: &|p| p.y < 0.845 && p.z < 0.10 || hair.covers(p) || ear(p) < -0.012,
        borders: &[],
        paint: &|p, _| face_paint(palette, p),
        influences: &weights::skull,
    }
    .surface()
}

fn left_ear(palette: &Palette) -> Surface {
    let inner_ear = |p: Vec3| {
        let local = in_ear(p);
        ellipsoid(local, Vec3::new(-0.008, 0.0, 0.01), Vec3::new(0.128, 0.053, 0.5)).max(-0.014 - local.z)
    };
    Solid {
        field: &rooted_ear,
        min: Vec3::new(0.19, 1.04, -0.18),
        max: Vec3::new(0.64, 1.38, 0.14),
        cell: 0.0105,
        thrift: Thrift::new(0.0026, 0.0045, 0.08),
        hidden: &|p| ear(p) > EAR_BLEND * 0.75,
        borders: &[&inner_ear],
        paint: &|p, region| {
            let brown = palette.hair_tip.lerp(palette.hair, smoothstep(0.35, 0.6, p.x));
            let out = (p - EAR_ROOT).dot((EAR_TIP - EAR_ROOT).normalize());
            match region {
                // Hair grows onto the top of the root.
                0 => face_paint(palette, p)
                    .lerp(brown, smoothstep(0.01, 0.13, out))
                    .lerp(palette.hair * 0.9, smoothstep(1.24, 1.27, p.y) * smoothstep(0.09, 0.03, out)),
                _ => palette.inner_ear,
            }
        },
        influences: &weights::ear,
    }
    .surface()
}

fn face_paint(palette: &Palette, p: Vec3) -> Paint {
    let q = mirrored(p);
    let blush = (-(q - Vec3::new(0.205, 1.035, 0.215)).length_squared() / (2.0 * 0.045 * 0.045)).exp();
    let crown = smoothstep(1.3, 1.44, p.y) * 0.5;
    palette.fur.lerp(palette.fur_shade, crown).lerp(palette.blush, blush * 0.75)
}

pub(super) fn parts(palette: &Palette) -> Vec<(Material, Surface)> {
    let horn = horn(palette);
    let ear = left_ear(palette);
    vec![
        (Material::Fur, ear.mirrored(&weights::ear)),
        (Material::Fur, ear),
        (Material::Fur, beard(palette)),
        (Material::Horn, horn.mirrored(&weights::only(Joint::Head))),
        (Material::Horn, horn),
    ]
}

fn beard(palette: &Palette) -> Surface {
    let line = curve(
        [Vec3::new(0.0, 0.915, 0.235), Vec3::new(0.0, 0.850, 0.294), Vec3::new(0.0, 0.808, 0.254)],
        [0.036, 0.026, 0.005],
        6,
    );
    Solid {
        field: &|p| bent(Vec3::new(p.x * 0.9, p.y, p.z), &line),
        min: Vec3::new(-0.07, 0.77, 0.16),
        max: Vec3::new(0.07, 0.99, 0.37),
        cell: 0.010,
        thrift: Thrift::new(0.0026, 0.0048, 0.06),
        hidden: &|p| skull(p) < -0.008,
        borders: &[],
        paint: &|p, _| palette.hair_tip.lerp(palette.hair, smoothstep(0.90, 0.83, p.y)),
        influences: &|p| {
            let loose = smoothstep(0.915, 0.84, p.y);
            vec![(Joint::Head, 1.0 - loose), (Joint::Beard, loose)]
        },
    }
    .surface()
}

/// Root, bend and tip of a horn.
const HORN: [Vec3; 3] =
    [Vec3::new(0.125, 1.375, 0.015), Vec3::new(0.195, 1.56, 0.03), Vec3::new(0.215, 1.605, -0.135)];

/// Returns a horn with growth rings. A young goat has few.
fn horn(palette: &Palette) -> Surface {
    const RING_COUNT: f32 = 4.0;
    let line = curve(HORN, [0.056, 0.046, 0.006], 24);
    let vertex = |u: f32, v: f32| {
        let place = v * (line.len() - 1) as f32;
        let step = (place as usize).min(line.len() - 2);
        let t = place - step as f32;
        let axis = (line[step + 1].0 - line[step].0).normalize();
        let center = line[step].0.lerp(line[step + 1].0, t);
        let across = Vec3::Z.cross(axis).normalize();
        let swelling = 1.0 + 0.055 * (v * RING_COUNT * TAU).sin() * smoothstep(0.95, 0.6, v);
        let closing = if v == 1.0 { 0.0 } else { 1.0 };
        let radius = (line[step].1 + (line[step + 1].1 - line[step].1) * t) * swelling * closing;
        let (sin, cos) = (u * TAU).sin_cos();
        let outward = across * cos + axis.cross(across) * sin;
        Vertex {
            position: center + outward * radius,
            normal: outward,
            paint: palette.horn.lerp(palette.horn_tip, smoothstep(0.25, 1.0, v)),
            influences: vec![(Joint::Head, 1.0)],
            ..Vertex::default()
        }
    };
    let mut horn = Surface::sheet(8, 12, &vertex);
    horn.weld_columns(8);
    horn.recompute_normals();
    horn
}
