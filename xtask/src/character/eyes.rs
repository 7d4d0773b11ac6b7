//! Eyes between an upper and a lower lid, with lashes and a catchlight.
//!
//! An eye is a low dome in a dish of the skull. Its paint and its normals are those of a cornea over a deep iris. Its
//! joint moves the iris. The dome's edge stays, and what lies between is stretched or squeezed, as the iris of a ball
//! is when it turns away. The iris therefore stays below the lids.

use std::f32::consts::{PI, TAU};

use super::{
    face::{Expression, Patch, feature},
    field::{gradient, smoothstep},
    head::{EYE, EYE_OUT, skull},
    materials::{Material, Palette},
    skeleton::{Joint, SIDES, Side},
    surface::{Paint, Surface, Vertex},
    weights::Influences,
};

const EYE_WIDTH: f32 = 0.068;
const EYE_HEIGHT: f32 = 0.092;
/// Offset of the iris from the middle of the eye: inward, so that both eyes look at one point, and down.
const IRIS: [f32; 2] = [0.0105, -0.004];

pub(super) fn parts(palette: &Palette) -> Vec<(Material, Surface)> {
    let mut parts = Vec::new();
    for side in SIDES {
        parts.push((Material::Eye, ball(palette, side)));
        parts.push((Material::Glint, catchlight(palette, side)));
        parts.push((Material::Fur, upper_lid(palette, side)));
        parts.push((Material::Fur, lower_lid(palette, side)));
    }
    parts
}

pub(super) fn patch(side: Side) -> Patch {
    Patch::facing(side.place(EYE), side.place(EYE_OUT))
}

/// Returns the height of the eye above the skull.
fn dome(u: f32, v: f32) -> f32 {
    let (u, v) = (u / EYE_WIDTH, v / EYE_HEIGHT);
    0.003 + 0.010 * (1.0 - u * u - v * v).max(0.0)
}

/// Distance from the eye's edge at which a point follows the eye's joint entirely. The edge has 0, the middle 1.
const FOLLOWS: f32 = 0.50;

/// Returns the joints that move a point of the eye.
fn turning(side: Side, [u, v]: [f32; 2]) -> Influences {
    let from_edge = 1.0 - (u / EYE_WIDTH).hypot(v / EYE_HEIGHT);
    let turns = (from_edge / FOLLOWS).clamp(0.0, 1.0);
    vec![(Joint::Head, 1.0 - turns), (Joint::Eye(side), turns)]
}

/// Moves a point of the eye or the lower lid as an expression does.
fn squeezed(expression: Expression, u: f32, v: f32) -> (f32, f32) {
    match expression {
        Expression::Smile if v < -0.01 => (u, -0.01 + (v + 0.01) * 0.70),
        Expression::Blink if v < -0.01 => (u, -0.01 + (v + 0.01) * 0.52),
        Expression::Surprise => (u * 1.06, v * 1.10),
        _ => (u, v),
    }
}

/// A closed outline in the eye: centre, half width, half height, the lift above the dome, and the paint.
struct Outline {
    middle: [f32; 2],
    half: [f32; 2],
    lift: f32,
    top: Paint,
    bottom: Paint,
}

fn ball(palette: &Palette, side: Side) -> Surface {
    const SEGMENTS: usize = 20;
    let patch = patch(side);
    let inward = -side.sign();
    let ring = |middle: [f32; 2], half: [f32; 2], lift: f32, top: Paint, bottom: Paint| Outline {
        middle: [middle[0] * inward, middle[1]],
        half,
        lift,
        top,
        bottom,
    };
    let white = palette.eye_white;
    let iris = [0.0535, 0.076];
    let pupil = [0.030, 0.044];
    let rings = [
        // The lids shade the edge.
        ring([0.0, 0.0], [EYE_WIDTH + 0.005, EYE_HEIGHT + 0.005], -0.006, white * 0.35, white * 0.45),
        ring([0.0, 0.0], [EYE_WIDTH - 0.002, EYE_HEIGHT - 0.002], 0.0, white * 0.50, white * 0.72),
        ring([0.001, 0.0], [EYE_WIDTH - 0.008, EYE_HEIGHT - 0.008], 0.0, white * 0.78, white),
        ring(IRIS, iris, 0.001, white * 0.80, white),
        ring(IRIS, iris, 0.001, palette.iris_top, palette.iris_top.lerp(palette.iris_bottom, 0.25)),
        ring(IRIS, [0.046, 0.066], 0.002, palette.iris_top, palette.iris_bottom * 1.15),
        ring(IRIS, pupil, 0.002, palette.iris_top, palette.iris_bottom * 0.75),
        ring(IRIS, pupil, 0.002, palette.pupil, palette.pupil),
        ring(IRIS, [0.0, 0.0], 0.002, palette.pupil, palette.pupil),
    ];
    let mut ball = Surface::sheet(SEGMENTS, rings.len() - 1, &|u, v| {
        let outline = &rings[(v * (rings.len() - 1) as f32).round() as usize];
        let (sin, cos) = (u * TAU).sin_cos();
        let flat = [outline.middle[0] + outline.half[0] * cos, outline.middle[1] + outline.half[1] * sin];
        // The dome is nearly flat. Its normals are those of a ball, so that it reflects light like one.
        let bulge = patch.right * (flat[0] / EYE_WIDTH) + patch.up * (flat[1] / EYE_HEIGHT);
        let skin = gradient(&skull, patch.on_skull(flat[0], flat[1], 0.0), 0.004).normalize();
        let paint = outline.bottom.lerp(outline.top, smoothstep(-0.75, 0.55, sin));
        let vertex = feature(paint, (skin + bulge * 0.48).normalize(), Joint::Head, &|expression| {
            let (u, v) = squeezed(expression, flat[0], flat[1]);
            patch.on_skull(u, v, dome(flat[0], flat[1]) + outline.lift)
        });
        Vertex { influences: turning(side, flat), ..vertex }
    });
    ball.weld_columns(SEGMENTS);
    ball
}

/// Returns the flat highlight of an eye. It is on the same side of both eyes, as from one lamp.
fn catchlight(palette: &Palette, side: Side) -> Surface {
    const SEGMENTS: usize = 14;
    /// A reflection moves less than the ball does.
    const TURNS: f32 = 0.6;
    const HALF: [f32; 2] = [0.0175, 0.022];
    let patch = patch(side);
    let middle = [-0.017 - IRIS[0] * 0.6 * side.sign(), 0.034];
    let mut light = Surface::sheet(SEGMENTS, 1, &|u, v| {
        let (sin, cos) = (u * TAU).sin_cos();
        let radius = 1.0 - v;
        let flat = [middle[0] + HALF[0] * cos * radius, middle[1] + HALF[1] * sin * radius];
        feature(palette.white, patch.out, Joint::Head, &|expression| {
            if expression == Expression::Blink {
                // Behind the closed lid.
                return patch.on_skull(flat[0], -0.02 + (flat[1] - middle[1]) * 0.2, -0.012);
            }
            let (u, v) = squeezed(expression, flat[0], flat[1]);
            patch.on_skull(u, v, dome(flat[0], flat[1]) + 0.0068 - 0.0020 * radius)
        })
    });
    light.weld_columns(SEGMENTS);
    for vertex in &mut light.vertices {
        vertex.influences = vec![(Joint::Head, 1.0 - TURNS), (Joint::Eye(side), TURNS)];
    }
    light
}

/// Returns half the outline of an almond: 1 in the middle and 0 at the corners −1 and 1.
fn arch(t: f32) -> f32 {
    (1.0 - t * t).max(0.0).sqrt()
}

/// Returns the height of the upper lid's edge at `t`, from −1 at the viewer's left corner to 1.
fn lid_edge(expression: Expression, t: f32) -> f32 {
    let open = EYE_HEIGHT * arch(t);
    match expression {
        Expression::Blink => -0.056 * arch(t) + 0.006,
        Expression::Smile => open * 0.82,
        Expression::Surprise => open * 1.10 + 0.002,
        _ => open * 0.86,
    }
}

/// Returns the upper lid: a fold above the eye at rest, and over all of it when shut. Its edge carries the lashes.
fn upper_lid(palette: &Palette, side: Side) -> Surface {
    const COLUMNS: usize = 14;
    const LID_ROWS: usize = 4;
    const LASH_ROWS: usize = 2;
    let patch = patch(side);
    let half_width = EYE_WIDTH + 0.012;
    let place = |expression: Expression, u: f32, down: f32, lash: f32| {
        let t = u * 2.0 - 1.0;
        let top = (EYE_HEIGHT + 0.022) * arch(t) + 0.002;
        let edge = lid_edge(expression, t);
        let shut = if expression == Expression::Blink { 1.0 } else { 0.0 };
        let cover = smoothstep(0.0, 0.3, down) * smoothstep(1.0, 0.86, t.abs());
        let height = -0.006 + cover * (0.022 + 0.006 * shut);
        // The lash wraps around the edge: forward and down, then back in. It is thicker towards the outer corner.
        let outer = smoothstep(0.0, 0.9, t * side.sign());
        let lash_thick = 0.0125 * (0.35 + 0.65 * arch(t)) * (1.0 + 0.45 * outer);
        let v = top + (edge - top) * down - lash * lash_thick;
        let lash_height = if lash > 0.9 {
            -0.011 * cover
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
        // The fold faces up where it leaves the brow, and forward at its edge.
        (skin + patch.up * (0.12 - 0.12 * v)).normalize()
    };
    let lid_paint = palette.fur.lerp(palette.fur_shade, 0.15);
    // Columns run from the viewer's right to left, so that the sheet's front faces outward.
    let mut lid = Surface::sheet(COLUMNS, LID_ROWS, &|u, v| {
        let u = 1.0 - u;
        feature(lid_paint, normal(u, v), Joint::Head, &|expression| place(expression, u, v, 0.0))
    });
    lid.append(Surface::sheet(COLUMNS, LASH_ROWS, &|u, v| {
        let u = 1.0 - u;
        feature(palette.line, normal(u, 1.0), Joint::Head, &|expression| place(expression, u, 1.0, v))
    }));
    for (at, length) in [(0.56, 0.022), (0.76, 0.028), (0.92, 0.028)] {
        lid.append(lash(palette, &patch, side, half_width, at, length));
    }
    lid
}

/// Returns one lash at `at` of the way from the middle of the lid's edge to the outer corner.
fn lash(palette: &Palette, patch: &Patch, side: Side, half_width: f32, at: f32, length: f32) -> Surface {
    const THICK: f32 = 0.0075;
    let mut lash = Surface::sheet(3, 1, &|u, v| {
        let (sin, cos) = (u * TAU).sin_cos();
        let place = |expression: Expression| {
            let shut = if expression == Expression::Blink { 1.0 } else { 0.0 };
            let rise = (0.75 - 0.5 * at) * (1.0 - shut) - 0.45 * shut;
            let root = [at * side.sign() * half_width, lid_edge(expression, at) - 0.006];
            let tip = [root[0] + side.sign() * length * (0.35 + 0.6 * at), root[1] + length * rise];
            let thick = THICK * (1.0 - v);
            patch.on_skull(
                root[0] + (tip[0] - root[0]) * v + thick * 0.6 * cos,
                root[1] + (tip[1] - root[1]) * v + thick * sin,
                0.017 + 0.008 * v + thick * 0.4 * cos,
            )
        };
        feature(palette.line, (patch.out + patch.up * 0.4).normalize(), Joint::Head, &place)
    });
    if side == Side::Right {
        lash.triangles.iter_mut().for_each(|corners| corners.reverse());
    }
    lash.weld_columns(3);
    lash
}

/// Returns the lower lid: a low ridge along the lower half of the eye.
fn lower_lid(palette: &Palette, side: Side) -> Surface {
    const COLUMNS: usize = 12;
    /// Distance from the eye's outline, height, and paint of each row, from the cheek to the eye.
    const ROWS: usize = 4;
    let waterline = palette.fur_shade * 0.55;
    let rows: [(f32, f32, Paint); ROWS] = [
        (0.017, -0.004, palette.fur),
        (0.009, 0.007, palette.fur),
        (0.001, 0.009, palette.fur.lerp(palette.fur_shade, 0.7)),
        (-0.006, 0.004, waterline),
    ];
    let patch = patch(side);
    let mut lid = Surface::sheet(COLUMNS, ROWS - 1, &|u, v| {
        let (wide, height, paint) = rows[(v * (ROWS - 1) as f32).round() as usize];
        let angle = -PI * (1.0 - u);
        let (sin, cos) = angle.sin_cos();
        let full = smoothstep(0.0, 0.35, -sin);
        let flat = [(EYE_WIDTH + wide) * cos, (EYE_HEIGHT + wide) * sin + 0.004];
        let place = |expression: Expression| {
            let (u, v) = squeezed(expression, flat[0], flat[1]);
            patch.on_skull(u, v, -0.004 + (height + 0.004) * (0.35 + 0.65 * full))
        };
        let skin = gradient(&skull, place(Expression::Rest), 0.004).normalize();
        let outward = (patch.right * cos + patch.up * sin) * if wide > 0.005 { 0.5 } else { -0.3 };
        feature(paint, (skin + outward).normalize(), Joint::Head, &place)
    });
    lid.triangles.iter_mut().for_each(|corners| corners.reverse());
    lid
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Mat4, Quat, Vec3};

    #[test]
    fn the_iris_stays_below_the_lids_however_the_eye_turns() {
        // The viewer's gaze turns an eye by 0.08 at most, and clips by 0.035.
        const MOST_RADIANS: f32 = 0.115;
        /// Twice the area of a triangle of 25 square millimetres.
        const SLIVER: f32 = 5e-5;
        let palette = super::super::materials::palette();
        for side in SIDES {
            let patch = patch(side);
            let ball = ball(&palette, side);
            let area = |places: &[Vec3], corners: &[u32; 3]| {
                let [a, b, c] = corners.map(|corner| places[corner as usize]);
                (b - a).cross(c - a).dot(patch.out)
            };
            let rest: Vec<Vec3> = ball.vertices.iter().map(|vertex| vertex.position).collect();
            for direction in 0..16 {
                let (sin, cos) = (direction as f32 / 16.0 * TAU).sin_cos();
                let turn = Quat::from_axis_angle(Vec3::new(cos, sin, 0.0), MOST_RADIANS);
                let eye = Joint::Eye(side).rest();
                let turned =
                    Mat4::from_translation(eye) * Mat4::from_quat(turn) * Mat4::from_translation(-eye);
                let places: Vec<Vec3> = ball
                    .vertices
                    .iter()
                    .map(|vertex| {
                        let weight = vertex.influences[1].1;
                        vertex.position.lerp(turned.transform_point3(vertex.position), weight)
                    })
                    .collect();
                let moved = rest.iter().zip(&places).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
                assert!(moved > 0.02, "{moved}");
                for (vertex, place) in ball.vertices.iter().zip(&places) {
                    let still = vertex.influences[1].1 == 0.0;
                    assert!(!still || *place == vertex.position);
                }
                // A triangle that turned over would lie above its neighbour, or beyond the edge, which stays. Slivers
                // of the white can't be seen.
                for corners in &ball.triangles {
                    let before = area(&rest, corners);
                    assert!(
                        before < SLIVER || area(&places, corners) > 0.0,
                        "{side:?} {direction} {corners:?}"
                    );
                }
            }
        }
    }
}
