//! Eyes, lids, brows, nose and mouth on the skull, and their shapes in each expression.
//!
//! Features are thin sheets on the head's surface. Their vertices are projected onto the skull at rest and again
//! for each expression, so that no feature sinks in at an expression's full weight.

use std::f32::consts::TAU;

use glam::Vec3;

use super::{
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
enum Expression {
    Rest,
    Blink,
    Smile,
    Surprise,
}

const MORPHS: [Expression; MORPH_COUNT] = [Expression::Blink, Expression::Smile, Expression::Surprise];

/// A local frame on the skull for drawing features. `right` is to the right of a viewer who faces the character.
struct Patch {
    origin: Vec3,
    right: Vec3,
    up: Vec3,
    out: Vec3,
}

impl Patch {
    fn facing(origin: Vec3, out: Vec3) -> Patch {
        let out = out.normalize();
        let right = Vec3::Y.cross(out).normalize();
        Patch { origin, right, up: out.cross(right), out }
    }

    /// Returns the point of the skull at (u, v), raised by `height`.
    fn on_skull(&self, u: f32, v: f32, height: f32) -> Vec3 {
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
        Expression::Surprise => Vec3::new(0.0, -0.014, 0.0) * bump(Vec3::new(0.0, 0.93, 0.2), 0.07),
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
        parts.push((Material::Eye, eye(palette, side)));
        parts.push((Material::Glint, glints(palette, side)));
        parts.push((Material::Fur, lid(palette, side)));
        parts.push((Material::Fur, brow(palette, side)));
    }
    parts
}

/// Returns a vertex of a feature. `place` returns its position in each expression, from which the deltas are computed.
fn feature(paint: Paint, normal: Vec3, joint: Joint, place: &dyn Fn(Expression) -> Vec3) -> Vertex {
    let position = place(Expression::Rest);
    let morph_deltas = MORPHS.map(|expression| {
        let delta = place(expression) - position;
        if delta.length() < 1e-5 { Vec3::ZERO } else { delta }
    });
    Vertex { position, normal, paint, influences: vec![(joint, 1.0)], morph_deltas }
}

const EYE_WIDTH: f32 = 0.068;
const EYE_HEIGHT: f32 = 0.092;

fn eye_patch(side: Side) -> Patch {
    Patch::facing(side.place(Vec3::new(0.128, 1.130, 0.20)), side.place(Vec3::new(0.30, 0.04, 1.0)))
}

/// A closed outline in the eye: centre, half width, half height and the height above the skull.
struct Outline {
    middle: [f32; 2],
    half: [f32; 2],
    lift: f32,
    top: Paint,
    bottom: Paint,
}

fn eye(palette: &Palette, side: Side) -> Surface {
    const SEGMENTS: usize = 22;
    let patch = eye_patch(side);
    let inward = -side.sign();
    let ring = |middle: [f32; 2], half: [f32; 2], lift: f32, top: Paint, bottom: Paint| Outline {
        middle: [middle[0] * inward, middle[1]],
        half,
        lift,
        top,
        bottom,
    };
    let (white, line) = (palette.eye_white, palette.line);
    let iris = [0.0065, -0.004];
    let rings = [
        ring([0.0, 0.002], [EYE_WIDTH + 0.006, EYE_HEIGHT + 0.007], -0.003, line, line),
        ring([0.0, 0.001], [EYE_WIDTH + 0.001, EYE_HEIGHT + 0.001], 0.005, line, line),
        ring([0.0, 0.0], [EYE_WIDTH, EYE_HEIGHT], 0.005, white * 0.82, white),
        ring(iris, [0.0575, 0.080], 0.009, white * 0.85, white),
        ring(
            iris,
            [0.0575, 0.080],
            0.009,
            palette.iris_top,
            palette.iris_top.lerp(palette.iris_bottom, 0.35),
        ),
        ring([0.007, -0.005], [0.049, 0.069], 0.011, palette.iris_top, palette.iris_bottom),
        ring([0.007, -0.003], [0.032, 0.046], 0.013, palette.iris_top, palette.iris_bottom * 0.8),
        ring([0.007, -0.003], [0.032, 0.046], 0.013, palette.pupil, palette.pupil),
        ring([0.007, -0.003], [0.0005, 0.0005], 0.014, palette.pupil, palette.pupil),
    ];
    let mut eye = Surface::sheet(SEGMENTS, rings.len() - 1, &|u, v| {
        let outline = &rings[(v * (rings.len() - 1) as f32).round() as usize];
        let (sin, cos) = (u * TAU).sin_cos();
        let flat = [outline.middle[0] + outline.half[0] * cos, outline.middle[1] + outline.half[1] * sin];
        // The sheet is nearly flat. Its normals are those of a ball, so that it reflects light like one.
        let bulge = patch.right * (flat[0] / EYE_WIDTH) + patch.up * (flat[1] / EYE_HEIGHT);
        let skin = gradient(&skull, patch.on_skull(flat[0], flat[1], 0.0), 0.004).normalize();
        let paint = outline.bottom.lerp(outline.top, smoothstep(-0.75, 0.55, sin));
        feature(paint, (skin + bulge * 0.42).normalize(), Joint::Head, &|expression| {
            let [mut u, mut v] = flat;
            let lift = outline.lift;
            match expression {
                Expression::Smile if v < -0.01 => v = -0.01 + (v + 0.01) * 0.70,
                Expression::Surprise => (u, v) = (u * 1.06, v * 1.10),
                Expression::Blink if v < -0.01 => v = -0.01 + (v + 0.01) * 0.52,
                _ => {}
            }
            patch.on_skull(u, v, lift)
        })
    });
    eye.weld_columns(SEGMENTS);
    eye
}

/// Returns two flat highlights for an eye. They are on the same side of both eyes, as from one lamp.
fn glints(palette: &Palette, side: Side) -> Surface {
    let patch = eye_patch(side);
    let middle = -0.010 * side.sign();
    let mut glints = Surface::default();
    for (center, half, lift) in
        [([-0.019, 0.032], [0.0165, 0.020], 0.0165), ([0.020, -0.034], [0.008, 0.010], 0.0155)]
    {
        let mut glint = Surface::sheet(12, 1, &|u, v| {
            let (sin, cos) = (u * TAU).sin_cos();
            let radius = 1.0 - v * 0.999;
            let flat = [middle + center[0] + half[0] * cos * radius, center[1] + half[1] * sin * radius];
            let height = lift - 0.0015 * radius;
            feature(palette.white, patch.out, Joint::Head, &|expression| {
                if expression == Expression::Blink {
                    return patch.on_skull(flat[0], -0.02 + (flat[1] - center[1]) * 0.2, -0.012);
                }
                let swell = if expression == Expression::Surprise { 1.08 } else { 1.0 };
                let v = if expression == Expression::Smile && flat[1] < -0.01 {
                    -0.01 + (flat[1] + 0.01) * 0.70
                } else {
                    flat[1]
                };
                patch.on_skull(flat[0] * swell, v * swell, height)
            })
        });
        glint.weld_columns(12);
        glints.append(glint);
    }
    glints
}

/// Returns the upper lid: a fold above the eye at rest, and over all of it when shut. Its edge is the lash line.
fn lid(palette: &Palette, side: Side) -> Surface {
    const COLUMNS: usize = 14;
    const LID_ROWS: usize = 4;
    const LASH_ROWS: usize = 2;
    let patch = eye_patch(side);
    let half_width = EYE_WIDTH + 0.012;
    let arch = |t: f32| (1.0 - t * t).max(0.0).sqrt();
    // Returns the lid's edge at `t`, from the inner to the outer corner.
    let edge = |expression: Expression, t: f32| {
        let open = EYE_HEIGHT * arch(t);
        match expression {
            Expression::Blink => -0.056 * arch(t) + 0.006,
            Expression::Smile => open * 0.82,
            Expression::Surprise => open * 1.10 + 0.002,
            _ => open * 0.86,
        }
    };
    let place = |expression: Expression, u: f32, down: f32, lash: f32| {
        let t = u * 2.0 - 1.0;
        let top = (EYE_HEIGHT + 0.022) * arch(t) + 0.002;
        let edge = edge(expression, t);
        let shut = if expression == Expression::Blink { 1.0 } else { 0.0 };
        let cover = smoothstep(0.0, 0.3, down) * smoothstep(1.0, 0.86, t.abs());
        let height = -0.006 + cover * (0.020 + 0.006 * shut);
        // The lash wraps around the edge: forward and down, then back in.
        let lash_thick = 0.0135 * (0.35 + 0.65 * arch(t));
        let v = top + (edge - top) * down - lash * lash_thick;
        let lash_height = if lash > 0.9 {
            -0.010 * cover
        } else if lash > 0.0 {
            0.002
        } else {
            0.0
        };
        patch.on_skull(t * half_width, v, height + lash_height)
    };
    let normal = |u: f32, v: f32| {
        let flat = place(Expression::Rest, u, v, 0.0);
        let skin = gradient(&skull, flat, 0.004).normalize();
        (skin + patch.up * 0.25).normalize()
    };
    // Columns run from the viewer's right to left, so that the sheet's front faces outward.
    let mut lid = Surface::sheet(COLUMNS, LID_ROWS, &|u, v| {
        let u = 1.0 - u;
        feature(palette.fur, normal(u, v), Joint::Head, &|expression| place(expression, u, v, 0.0))
    });
    lid.append(Surface::sheet(COLUMNS, LASH_ROWS, &|u, v| {
        let u = 1.0 - u;
        feature(palette.line, normal(u, 1.0), Joint::Head, &|expression| place(expression, u, 1.0, v))
    }));
    lid
}

fn brow(palette: &Palette, side: Side) -> Surface {
    const AROUND: usize = 7;
    let patch = eye_patch(side);
    let mut brow = Surface::sheet(AROUND, 8, &|u, v| {
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
            let top = ellipsoid(q, Vec3::new(0.016, 1.046, 0.317), Vec3::new(0.026, 0.017, 0.020));
            let tip = ellipsoid(q, Vec3::new(0.0, 1.034, 0.324), Vec3::new(0.018, 0.021, 0.018));
            melt(top, tip, 0.02)
        },
        min: Vec3::new(-0.06, 0.99, 0.27),
        max: Vec3::new(0.06, 1.09, 0.36),
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
    const COLUMNS: usize = 16;
    const LINE: f32 = 0.0044;
    let patch = Patch::facing(Vec3::new(0.0, 0.990, 0.28), Vec3::new(0.0, -0.12, 1.0));
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
