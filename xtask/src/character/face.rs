//! Brows, nose and mouth on the skull, and how features change with the expression.
//!
//! Features are thin sheets on the head's surface. Their vertices are projected onto the skull at rest and again
//! for each expression, so that no feature sinks in at an expression's full weight.

use std::f32::consts::TAU;

use glam::Vec3;

use super::{
    eyes,
    field::{ellipsoid, gradient, melt, smoothstep},
    head::skull,
    materials::{Material, Palette},
    simplify::Thrift,
    skeleton::{Joint, SIDES, Side},
    surface::{MORPH_COUNT, Paint, Solid, Surface, Vertex, shown},
    weights,
};

pub(super) const MORPH_NAMES: [&str; MORPH_COUNT] = ["blink", "smile", "surprise"];

/// An expression of the face: `Rest`, then the morph targets in the order of [`MORPH_NAMES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    Rest,
    Blink,
    Smile,
    Surprise,
}

const MORPHS: [Expression; MORPH_COUNT] = [Expression::Blink, Expression::Smile, Expression::Surprise];

/// A local frame on the skull for drawing features. `right` is to the right of a viewer who faces the character.
pub(super) struct Patch {
    origin: Vec3,
    pub(super) right: Vec3,
    pub(super) up: Vec3,
    pub(super) out: Vec3,
}

impl Patch {
    pub(super) fn facing(origin: Vec3, out: Vec3) -> Patch {
        let out = out.normalize();
        let right = Vec3::Y.cross(out).normalize();
        Patch { origin, right, up: out.cross(right), out }
    }

    /// Returns the point of the skull at (u, v), raised by `height`.
    pub(super) fn on_skull(&self, u: f32, v: f32, height: f32) -> Vec3 {
        const START: f32 = 0.16;
        let mut p = self.origin + self.right * u + self.up * v + self.out * START;
        for _ in 0..60 {
            p -= self.out * skull(p).clamp(-0.05, 0.05) * 0.8;
        }
        p + gradient(&skull, p, 0.004).normalize() * height
    }
}

/// Returns the displacement of a point of the face's skin in an expression.
fn skin_shift(expression: Expression, p: Vec3) -> Vec3 {
    let side = p.x.signum();
    let bump = |center: Vec3, radius: f32| (-(p - center).length_squared() / (2.0 * radius * radius)).exp();
    match expression {
        Expression::Smile => {
            let cheek = bump(Vec3::new(0.185 * side, 1.02, 0.20), 0.055) * smoothstep(0.02, 0.1, p.x.abs());
            Vec3::new(0.010 * side, 0.016, 0.012) * cheek
        }
        Expression::Surprise => Vec3::new(0.0, -0.014, 0.0) * bump(Vec3::new(0.0, 0.93, 0.23), 0.07),
        _ => Vec3::ZERO,
    }
}

/// Sets the morph deltas of a surface in the skin to the skin's displacements.
pub(super) fn follow_skin(surface: &mut Surface) {
    for vertex in &mut surface.vertices {
        vertex.morph_deltas = MORPHS.map(|expression| {
            let shift = skin_shift(expression, vertex.position);
            if shift.length() < 1e-3 { Vec3::ZERO } else { shift }
        });
    }
}

pub(super) fn parts(palette: &Palette) -> Vec<(Material, Surface)> {
    let mut parts = vec![(Material::Eye, nose(palette)), (Material::Fur, mouth(palette))];
    for side in SIDES {
        parts.push((Material::Fur, brow(palette, side)));
    }
    parts
}

/// Returns a vertex of a feature. `place` returns its position in each expression, from which the deltas are computed.
pub(super) fn feature(
    paint: Paint,
    normal: Vec3,
    joint: Joint,
    place: &dyn Fn(Expression) -> Vec3,
) -> Vertex {
    let position = place(Expression::Rest);
    let morph_deltas = MORPHS.map(|expression| {
        let delta = place(expression) - position;
        if delta.length() < 1e-5 { Vec3::ZERO } else { delta }
    });
    Vertex { position, normal, paint, influences: vec![(joint, 1.0)], morph_deltas, ..Vertex::default() }
}

fn brow(palette: &Palette, side: Side) -> Surface {
    const AROUND: usize = 6;
    let patch = eyes::patch(side);
    let mut brow = Surface::sheet(AROUND, 7, &|u, v| {
        let (sin, cos) = (u * TAU).sin_cos();
        // From the inner end to the outer one.
        let t = v * 2.0 - 1.0;
        let thick = 0.0155 * (1.0 - t.abs().powi(3)).max(0.0).powf(0.6) * (1.0 - 0.25 * t) + 0.0005;
        let place = |expression: Expression| {
            let (lift, tilt) = match expression {
                Expression::Smile => (0.010, 0.0),
                Expression::Surprise => (0.036, 0.0),
                Expression::Blink => (-0.010, 0.05),
                _ => (0.0, 0.0),
            };
            let along = 0.042 * t;
            let v = 0.128 + lift - 0.012 * t * t + along * tilt;
            let u = (0.004 + along) * side.sign();
            patch.on_skull(u, v + thick * sin, 0.002 + thick * 0.75 * cos)
        };
        let normal = (patch.out * cos + patch.up * sin).normalize();
        feature(palette.hair, normal, Joint::Head, &place)
    });
    if side == Side::Left {
        brow.triangles.iter_mut().for_each(|corners| corners.reverse());
    }
    brow.weld_columns(AROUND);
    brow
}

fn nose(palette: &Palette) -> Surface {
    let mut nose = Solid {
        field: &|p| {
            let q = super::field::mirrored(p);
            let top = ellipsoid(q, Vec3::new(0.018, 1.046, 0.366), Vec3::new(0.029, 0.019, 0.022));
            let tip = ellipsoid(q, Vec3::new(0.0, 1.033, 0.374), Vec3::new(0.020, 0.023, 0.019));
            melt(top, tip, 0.02)
        },
        min: Vec3::new(-0.06, 0.99, 0.31),
        max: Vec3::new(0.06, 1.09, 0.41),
        cell: 0.007,
        thrift: Thrift::new(0.0010, 0.0022, 0.03),
        hidden: &shown,
        borders: &[],
        paint: &|_, _| palette.nose,
        influences: &weights::only(Joint::Head),
    }
    .surface();
    nose.vertices.iter_mut().for_each(|vertex| {
        vertex.morph_deltas[1] = Vec3::new(0.0, 0.006, 0.002);
    });
    nose
}

/// Returns the heights of the upper and the lower lip at `t` from −1 to 1, and half the mouth's width.
fn lips(expression: Expression, t: f32) -> (f32, f32, f32) {
    let arch = (1.0 - t * t).max(0.0);
    match expression {
        Expression::Smile => (0.088, 0.004 + 0.030 * t * t, -0.047 * arch.powf(0.7) + 0.034 * t * t),
        Expression::Surprise => (0.030, 0.004 + 0.010 * arch.sqrt(), -0.012 - 0.040 * arch.sqrt()),
        _ => (0.062, -0.006 + 0.020 * t * t, -0.006 + 0.020 * t * t),
    }
}

fn mouth(palette: &Palette) -> Surface {
    const COLUMNS: usize = 12;
    const LINE: f32 = 0.0044;
    let patch = Patch::facing(Vec3::new(0.0, 0.990, 0.32), Vec3::new(0.0, -0.12, 1.0));
    // Rows from the upper lip's line down to the lower lip's, with the tongue in the lower half.
    let rows: [(f32, f32, f32, Paint); 12] = [
        (0.0, 1.0, -0.001, palette.line),
        (0.0, 0.5, 0.005, palette.line),
        (0.0, 0.0, 0.005, palette.line),
        (0.0, 0.0, 0.004, palette.mouth),
        (0.5, 0.0, 0.004, palette.mouth),
        (1.0, 0.0, 0.004, palette.mouth),
        (1.0, 0.0, 0.004, palette.tongue),
        (1.5, 0.0, 0.006, palette.tongue),
        (2.0, 0.0, 0.004, palette.tongue),
        (2.0, 0.0, 0.005, palette.line),
        (2.0, -0.7, 0.005, palette.line),
        (2.0, -1.4, -0.001, palette.line),
    ];
    let mut mouth = Surface::sheet(COLUMNS, rows.len() - 1, &|u, v| {
        let (depth, outward, height, paint) = rows[(v * (rows.len() - 1) as f32).round() as usize];
        let t = 1.0 - u * 2.0;
        let place = |expression: Expression| {
            let (half_width, upper, lower) = lips(expression, t);
            let tongue = lower + (upper - lower) * 0.5 * (1.0 - t * t).max(0.0).powf(0.6);
            let v = if depth <= 1.0 {
                upper + (tongue - upper) * depth
            } else {
                tongue + (lower - tongue) * (depth - 1.0)
            };
            let thick = LINE * (1.0 - t.powi(6)).max(0.0).sqrt();
            let p = patch.on_skull(t * half_width, v + outward * thick, height);
            p + skin_shift(expression, p)
        };
        feature(paint, patch.out, Joint::Head, &place)
    });
    mouth.append(Surface::sheet(2, 4, &|u, v| {
        let across = 1.0 - u * 2.0;
        let place = |expression: Expression| {
            let (_, lip, _) = lips(expression, 0.0);
            let v = 0.040 + (lip - 0.040) * v;
            patch.on_skull(across * 0.0032, v, 0.0035 - 0.004 * across.abs())
        };
        feature(palette.line, patch.out, Joint::Head, &place)
    }));
    for vertex in &mut mouth.vertices {
        vertex.normal = gradient(&skull, vertex.position, 0.004).normalize();
    }
    mouth
}
