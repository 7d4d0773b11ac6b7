//! Skull with ears, hair, horns and beard.

use std::f32::consts::TAU;

use glam::{Mat3, Quat, Vec3};

use super::{
    field::{bent, carve, curve, ellipsoid, limb, melt, mirrored, smoothstep, sphere, turned_ellipsoid},
    materials::{Material, Palette},
    simplify::Thrift,
    skeleton::{EAR_ROOT, EAR_TIP, Joint},
    surface::{Paint, Solid, Surface, Vertex},
    weights,
};

/// Returns the distance to the head without ears, the surface under the face.
pub(super) fn skull(p: Vec3) -> f32 {
    let q = mirrored(p);
    let cranium = ellipsoid(q, Vec3::new(0.0, 1.165, -0.005), Vec3::new(0.305, 0.275, 0.280));
    let cheek = ellipsoid(q, Vec3::new(0.15, 1.045, 0.075), Vec3::new(0.165, 0.135, 0.165));
    let muzzle = ellipsoid(q, Vec3::new(0.0, 1.005, 0.215), Vec3::new(0.125, 0.088, 0.112));
    let chin = sphere(q, Vec3::new(0.0, 0.962, 0.17), 0.085);
    let face = melt(melt(cranium, cheek, 0.12), melt(muzzle, chin, 0.06), 0.075);
    let neck = limb(q, Vec3::new(0.0, 0.80, -0.01), 0.075, Vec3::new(0.0, 0.93, 0.0), 0.085);
    melt(face, neck, 0.05)
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
    let turn = ear_turn();
    let leaf = turned_ellipsoid(q, middle, turn, Vec3::new(0.165, 0.080, 0.034));
    let cup = turned_ellipsoid(
        q,
        middle + turn * Vec3::new(-0.012, 0.0, 0.036),
        turn,
        Vec3::new(0.135, 0.056, 0.036),
    );
    let root =
        limb(q, EAR_ROOT - (EAR_TIP - EAR_ROOT) * 0.15, 0.05, EAR_ROOT + (EAR_TIP - EAR_ROOT) * 0.15, 0.036);
    melt(carve(leaf, cup, 0.014), root, 0.04)
}

/// Returns the skin of the head, which expressions move. The ears are separate surfaces.
pub(super) fn skin(palette: &Palette) -> Surface {
    Solid {
        field: &skull,
        min: Vec3::new(-0.38, 0.78, -0.34),
        max: Vec3::new(0.38, 1.50, 0.38),
        cell: 0.0155,
        thrift: Thrift::new(0.0024, 0.0027, 0.085),
        hidden: &|p| p.y < 0.862 && p.z < 0.10,
        borders: &[],
        paint: &|p, _| face_paint(palette, p),
        influences: &weights::skull,
    }
    .surface()
}

fn left_ear(palette: &Palette) -> Surface {
    let inner_ear = |p: Vec3| {
        let local = in_ear(p);
        ellipsoid(local, Vec3::new(-0.022, 0.0, 0.01), Vec3::new(0.138, 0.054, 0.5)).max(-0.014 - local.z)
    };
    Solid {
        field: &ear,
        min: Vec3::new(0.19, 1.04, -0.16),
        max: Vec3::new(0.64, 1.36, 0.10),
        cell: 0.0105,
        thrift: Thrift::new(0.0024, 0.0048, 0.08),
        hidden: &|p| skull(p) < -0.006,
        borders: &[&inner_ear],
        paint: &|p, region| match region {
            0 => palette.hair_tip.lerp(palette.hair, smoothstep(0.35, 0.6, p.x)),
            _ => palette.inner_ear,
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
        (Material::Fur, hair(palette)),
        (Material::Fur, beard(palette)),
        (Material::Horn, horn.mirrored(&weights::only(Joint::Head))),
        (Material::Horn, horn),
    ]
}

fn hair_field(p: Vec3) -> f32 {
    // Root, crest and tip of each lock of hair, with its radius there.
    let locks: [([Vec3; 3], [f32; 3]); 5] = [
        (
            [Vec3::new(0.0, 1.37, 0.06), Vec3::new(0.03, 1.56, 0.16), Vec3::new(0.10, 1.36, 0.275)],
            [0.085, 0.085, 0.010],
        ),
        (
            [Vec3::new(-0.03, 1.38, 0.06), Vec3::new(-0.06, 1.53, 0.15), Vec3::new(-0.045, 1.345, 0.285)],
            [0.08, 0.075, 0.010],
        ),
        (
            [Vec3::new(-0.06, 1.38, 0.04), Vec3::new(-0.15, 1.49, 0.12), Vec3::new(-0.165, 1.325, 0.235)],
            [0.075, 0.07, 0.010],
        ),
        (
            [Vec3::new(0.03, 1.38, 0.0), Vec3::new(0.04, 1.58, 0.02), Vec3::new(-0.04, 1.58, 0.10)],
            [0.08, 0.06, 0.008],
        ),
        (
            [Vec3::new(0.0, 1.37, -0.04), Vec3::new(0.0, 1.50, -0.14), Vec3::new(0.02, 1.40, -0.27)],
            [0.085, 0.075, 0.010],
        ),
    ];
    locks
        .iter()
        .map(|&(ends, radii)| bent(p, &curve(ends, radii, 8)))
        .fold(f32::INFINITY, |a, b| if a.is_finite() { melt(a, b, 0.018) } else { b })
}

fn hair(palette: &Palette) -> Surface {
    Solid {
        field: &hair_field,
        min: Vec3::new(-0.27, 1.22, -0.36),
        max: Vec3::new(0.24, 1.64, 0.36),
        cell: 0.0115,
        thrift: Thrift::new(0.0038, 0.0067, 0.12),
        hidden: &|p| skull(p) < -0.012,
        borders: &[],
        paint: &|p, _| palette.hair.lerp(palette.hair_tip, smoothstep(0.10, 0.27, p.z)),
        influences: &|p| {
            let loose = smoothstep(0.10, 0.28, p.z) * 0.8;
            vec![(Joint::Head, 1.0 - loose), (Joint::Forelock, loose)]
        },
    }
    .surface()
}

fn beard(palette: &Palette) -> Surface {
    let line = curve(
        [Vec3::new(0.0, 0.915, 0.205), Vec3::new(0.0, 0.855, 0.262), Vec3::new(0.0, 0.812, 0.228)],
        [0.036, 0.026, 0.005],
        6,
    );
    Solid {
        field: &|p| bent(Vec3::new(p.x * 0.9, p.y, p.z), &line),
        min: Vec3::new(-0.07, 0.78, 0.13),
        max: Vec3::new(0.07, 0.99, 0.33),
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

/// Returns a horn with growth rings. A young goat has few.
fn horn(palette: &Palette) -> Surface {
    const RING_COUNT: f32 = 5.0;
    let line = curve(
        [Vec3::new(0.125, 1.375, 0.015), Vec3::new(0.195, 1.56, 0.03), Vec3::new(0.215, 1.605, -0.135)],
        [0.056, 0.046, 0.006],
        24,
    );
    let vertex = |u: f32, v: f32| {
        let place = v * (line.len() - 1) as f32;
        let step = (place as usize).min(line.len() - 2);
        let t = place - step as f32;
        let axis = (line[step + 1].0 - line[step].0).normalize();
        let center = line[step].0.lerp(line[step + 1].0, t);
        let across = Vec3::Z.cross(axis).normalize();
        let swelling = 1.0 + 0.085 * (v * RING_COUNT * TAU).sin() * smoothstep(0.95, 0.6, v);
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
    let mut horn = Surface::sheet(9, 14, &vertex);
    horn.weld_columns(9);
    horn.recompute_normals();
    horn
}
