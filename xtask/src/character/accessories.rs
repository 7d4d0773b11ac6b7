//! Scarf, bell and tail, the parts with secondary motion.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use super::{
    body::sweater_field,
    field::{bent, carve, curve, ellipsoid, limb, melt, ring, rounded_box, smoothstep, sphere},
    head::skull,
    materials::{Material, Palette},
    relief::{Piece, STITCH, count_tiles},
    simplify::Thrift,
    skeleton::{BELL_HANGER, Joint, SCARF_BACK, SCARF_FRONT, TAIL_ROOT, TAIL_TIP},
    surface::{Solid, Surface, Vertex, shown},
    weights::{self, Influences},
};

pub(super) fn parts(palette: &Palette) -> Vec<(Material, Surface)> {
    vec![
        (Material::Knit, wrap(palette)),
        (Material::Knit, scarf_end(palette, &SCARF_FRONT, Vec3::new(1.0, 0.0, -0.30), &Joint::ScarfFront)),
        (Material::Knit, scarf_end(palette, &SCARF_BACK, Vec3::new(-1.0, 0.0, -0.45), &Joint::ScarfBack)),
        (Material::Brass, bell(palette)),
        (Material::Fur, tail(palette)),
    ]
}

/// Returns the distance to everything here that takes light from its surroundings. Scarf and tail move, so they count
/// with less than their size.
pub(super) fn solid(p: Vec3) -> f32 {
    let end = |line: &[Vec3; 4]| bent(p, &line.map(|point| (point, 0.016)));
    wrap_field(p).min(end(&SCARF_FRONT)).min(end(&SCARF_BACK))
}

/// Returns the distances to the lower and the upper turn of the cloth.
fn turns(p: Vec3) -> [f32; 2] {
    let angle = p.x.atan2(p.z);
    // Two turns of cloth that cross at the sides, each a little wavy.
    let sag = 0.016 * angle.cos();
    let wave = 0.004 * (angle * 5.0 + 0.8).sin();
    let low = ring(
        p,
        Vec3::new(0.0, 0.812 - sag + 0.008 * angle.sin(), 0.008),
        Vec2::new(0.128, 0.118),
        Vec2::new(0.043, 0.034),
    ) - wave;
    let high = ring(
        p,
        Vec3::new(0.0, 0.862 - sag * 0.5 - 0.010 * angle.sin(), 0.004),
        Vec2::new(0.116, 0.108),
        Vec2::new(0.040, 0.031),
    ) + wave;
    [low, high]
}

pub(super) fn wrap_field(p: Vec3) -> f32 {
    let [low, high] = turns(p);
    let knot = ellipsoid(p, Vec3::new(0.086, 0.808, 0.132), Vec3::new(0.040, 0.036, 0.034));
    let knot_back = ellipsoid(p, Vec3::new(0.080, 0.822, -0.122), Vec3::new(0.036, 0.034, 0.030));
    melt(melt(low, high, 0.008), knot.min(knot_back), 0.006)
}

fn wrap(palette: &Palette) -> Surface {
    let crease = |p: Vec3| {
        let [low, high] = turns(p);
        low - high
    };
    let mut wrap = Solid {
        field: &wrap_field,
        min: Vec3::new(-0.2, 0.73, -0.2),
        max: Vec3::new(0.2, 0.92, 0.2),
        cell: 0.013,
        thrift: Thrift::new(0.0035, 0.0059, 0.08),
        hidden: &|p| Vec2::new(p.x, p.z).length() < 0.100 || skull(p) < -0.004 || sweater_field(p) < -0.012,
        borders: &[&crease],
        paint: &|p, _| {
            let depth = smoothstep(0.085, 0.14, Vec2::new(p.x, p.z).length());
            palette.scarf * (0.72 + 0.28 * depth)
        },
        influences: &|p| {
            let up = smoothstep(0.80, 0.90, p.y) * 0.6;
            vec![(Joint::Chest, 1.0 - up), (Joint::Neck, up)]
        },
    }
    .surface();
    // The cloth is knitted along its length, which goes around the neck.
    const CLOSES: Vec2 = Vec2::new(20.0, 34.0);
    let stitches = |p: Vec3| {
        let outward = Vec2::new(p.x, p.z).length() - 0.122;
        let turns = Vec2::new((p.y - 0.837).atan2(outward), p.x.atan2(p.z)) / TAU;
        (turns + 0.5) * CLOSES
    };
    let cloth = Piece { tiles: &stitches, closes: CLOSES };
    count_tiles(&mut wrap, &|_| &cloth);
    wrap
}

/// Returns a strip of cloth along four points, `wide` across, with two stripes before its end.
fn scarf_end(palette: &Palette, line: &[Vec3; 4], wide: Vec3, joint: &dyn Fn(u8) -> Joint) -> Surface {
    const AROUND: usize = 8;
    // Rows down the cloth. A row is doubled where the paint changes.
    let rows: Vec<(f32, bool)> = [0.0, 0.15, 0.3, 0.42, 0.54, 0.64]
        .map(|at| (at, false))
        .into_iter()
        .chain([(0.71, false), (0.71, true), (0.76, true), (0.76, false), (0.82, false), (0.82, true)])
        .chain([(0.87, true), (0.87, false), (0.98, false), (1.0, false), (1.0, false)])
        .collect();
    let point_at = |at: f32| {
        let place = (at * 3.0).min(2.9999);
        let step = place as usize;
        let t = place - step as f32;
        let point = |n: isize| {
            let last = line.len() as isize - 1;
            if n < 0 {
                line[0] * 2.0 - line[1]
            } else if n > last {
                line[3] * 2.0 - line[2]
            } else {
                line[n as usize]
            }
        };
        let n = step as isize;
        let [a, b, c, d] = [point(n - 1), point(n), point(n + 1), point(n + 2)];
        let position = (b * 2.0
            + (c - a) * t
            + (a * 2.0 - b * 5.0 + c * 4.0 - d) * t * t
            + (b * 3.0 - a - c * 3.0 + d) * t * t * t)
            * 0.5;
        (position, (c - b).normalize())
    };
    let length: f32 = line.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let mut end = Surface::sheet(AROUND, rows.len() - 1, &|u, v| {
        let row = (v * (rows.len() - 1) as f32).round() as usize;
        let (at, striped) = rows[row];
        let (center, down) = point_at(at);
        let across = (wide - down * wide.dot(down)).normalize();
        let out = down.cross(across);
        let closing = if row + 1 == rows.len() {
            0.02
        } else if at > 0.97 {
            0.93
        } else {
            1.0
        };
        let half = Vec2::new(0.026 + 0.019 * smoothstep(0.0, 0.5, at), 0.0125) * closing;
        let (sin, cos) = (u * TAU).sin_cos();
        let round = |x: f32| x.signum() * x.abs().powf(0.6);
        let position = center + across * half.x * round(cos) + out * half.y * round(sin);
        Vertex {
            position,
            paint: if striped { palette.scarf_stripe } else { palette.scarf },
            tiles: Vec2::new(u * 8.0, at * length / STITCH),
            influences: cloth(at, joint),
            ..Vertex::default()
        }
    });
    end.recompute_normals();
    end.share_normals();
    end
}

fn cloth(at: f32, joint: &dyn Fn(u8) -> Joint) -> Influences {
    let second = smoothstep(0.20, 0.46, at);
    let third = smoothstep(0.53, 0.79, at);
    vec![(joint(0), 1.0 - second), (joint(1), second * (1.0 - third)), (joint(2), second * third)]
}

fn bell(palette: &Palette) -> Surface {
    let center = BELL_HANGER - Vec3::Y * 0.046 + Vec3::Z * 0.006;
    let field = |p: Vec3| {
        let ball = sphere(p, center, 0.036);
        let band = ring(p, center, Vec2::splat(0.036), Vec2::new(0.0055, 0.006));
        let loop_at = p - center - Vec3::Y * 0.040;
        let hanger = Vec2::new(Vec2::new(loop_at.x, loop_at.y).length() - 0.010, loop_at.z).length() - 0.005;
        let slot = rounded_box(p, center - Vec3::Y * 0.03, Vec3::new(0.025, 0.022, 0.0045), 0.004);
        let hole = limb(
            p,
            center + Vec3::new(-0.014, -0.012, 0.03),
            0.006,
            center + Vec3::new(0.014, -0.012, 0.03),
            0.006,
        );
        let shell = carve(melt(ball, band, 0.006), slot.min(hole), 0.004);
        melt(shell, hanger, 0.004)
    };
    Solid {
        field: &field,
        min: center - Vec3::splat(0.055),
        max: center + Vec3::new(0.055, 0.075, 0.055),
        cell: 0.006,
        thrift: Thrift::new(0.0016, 0.0039, 0.03),
        hidden: &shown,
        borders: &[],
        paint: &|p, _| {
            let inside = smoothstep(0.0345, 0.031, (p - center).length());
            palette.brass * (1.0 - 0.85 * inside)
        },
        influences: &weights::only(Joint::Bell),
    }
    .surface()
}

fn tail(palette: &Palette) -> Surface {
    let middle = TAIL_ROOT.lerp(TAIL_TIP, 0.5) + Vec3::new(0.0, -0.01, -0.02);
    let line = curve([TAIL_ROOT + Vec3::Z * 0.03, middle, TAIL_TIP], [0.032, 0.075, 0.008], 8);
    let mut tail = Solid {
        field: &|p| bent(p, &line),
        min: Vec3::new(-0.1, 0.47, -0.33),
        max: Vec3::new(0.1, 0.72, -0.06),
        cell: 0.014,
        thrift: Thrift::new(0.0022, 0.0040, 0.08),
        hidden: &shown,
        borders: &[],
        paint: &|p, _| palette.hair_tip.lerp(palette.fur, smoothstep(0.60, 0.66, p.y)),
        influences: &|p| {
            let axis = TAIL_TIP - TAIL_ROOT;
            let at = (p - TAIL_ROOT).dot(axis) / axis.length_squared();
            let tip = smoothstep(0.25, 0.75, at);
            vec![(Joint::Tail(0), 1.0 - tip), (Joint::Tail(1), tip)]
        },
    }
    .surface();
    tail.sharpen(TAIL_TIP, (TAIL_TIP - middle).normalize());
    tail
}

#[cfg(test)]
mod tests {
    use super::super::materials::palette;
    use super::*;

    #[test]
    fn ends_of_the_scarf_face_outwards() {
        let line = SCARF_FRONT;
        let end = scarf_end(&palette(), &line, Vec3::X, &Joint::ScarfFront);
        let corners = |triangle: &[u32; 3]| triangle.map(|at| end.vertices[at as usize].position - line[1]);
        let volume = |[a, b, c]: [Vec3; 3]| a.dot(b.cross(c));
        assert!(end.triangles.iter().map(corners).map(volume).sum::<f32>() > 0.0);
    }
}
