//! Hair from the forehead over the crown to the nape: a cap of clumps that run down from a whorl, and loose locks.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use super::{
    curves::keyed,
    field::{bent, common, curve, melt, smoothstep},
    head::skull,
    materials::{Material, Palette},
    relief::{Piece, count_tiles},
    simplify::Thrift,
    skeleton::Joint,
    surface::{Solid, Surface},
};

pub(super) fn parts(palette: &Palette) -> Vec<(Material, Surface)> {
    vec![(Material::Hair, hair(palette))]
}

/// Number of clumps around the whorl. It is even, so that the creases alternate in sign all around.
const CLUMPS: f32 = 14.0;
/// Number of tiles of the relief across a clump.
const TILES: f32 = 2.0;
/// Middle of the head, and the direction from it to the whorl.
const MIDDLE: Vec3 = Vec3::new(0.0, 1.165, -0.03);
const WHORL: Vec3 = Vec3::new(0.10, 0.90, -0.42);

/// Position across the clumps: whole numbers are the creases between them.
fn across(p: Vec3) -> f32 {
    let from_middle = (p - MIDDLE).normalize_or(Vec3::Y);
    let whorl = WHORL.normalize();
    let right = Vec3::Z.cross(whorl).normalize();
    let front = whorl.cross(right);
    let angle = from_middle.dot(right).atan2(-from_middle.dot(front));
    // Clumps curl a little around the whorl.
    let curl = 0.30 * from_middle.dot(whorl).clamp(-1.0, 1.0).acos();
    (angle + curl) * CLUMPS / TAU
}

/// Returns 1 at the middle of a clump and 0 at the creases.
fn crest(across: f32) -> f32 {
    let off = across - across.floor() - 0.5;
    1.0 - 4.0 * off * off
}

/// Returns 0 at the whorl, where the clumps meet, and 1 away from it.
fn parted(p: Vec3) -> f32 {
    let from_middle = (p - MIDDLE).normalize_or(Vec3::Y);
    smoothstep(0.97, 0.80, from_middle.dot(WHORL.normalize()))
}

/// Returns the height of the hair's edge at an angle from the front, in degrees: the forehead, a tuft before the ear,
/// over the ear, and down to the nape.
fn hairline(degrees: f32) -> f32 {
    keyed(
        degrees,
        &[
            (0.0, 1.335),
            (38.0, 1.320),
            (56.0, 1.275),
            (70.0, 1.180),
            (79.0, 1.225),
            (92.0, 1.255),
            (102.0, 1.17),
            (112.0, 1.07),
            (126.0, 1.02),
            (152.0, 0.985),
            (180.0, 0.965),
        ],
    )
}

/// Returns the distance above the hair's edge, along the head.
fn above_edge(p: Vec3, crest: f32) -> f32 {
    const STEP: f32 = 2.0;
    let degrees = p.x.abs().atan2(p.z).to_degrees();
    let radius = p.with_y(0.0).length().max(0.1);
    let rise = hairline(degrees + STEP) - hairline(degrees - STEP);
    let steepness = rise / (2.0 * STEP.to_radians() * radius);
    // Clumps end in tips, except beside the ears, where the edge runs along them.
    let tips = 0.042 * smoothstep(62.0, 40.0, degrees) + 0.066 * smoothstep(112.0, 132.0, degrees);
    (p.y - hairline(degrees) - tips * (1.0 - crest)) / (1.0 + steepness * steepness).sqrt()
}

fn cap(p: Vec3) -> f32 {
    let crest = crest(across(p));
    let above = above_edge(p, crest);
    // Clumps are thickest away from their ends.
    let thick = 0.007 + (0.008 + 0.017 * crest * parted(p)) * smoothstep(-0.01, 0.09, above);
    common(skull(p) - thick, -0.9 * above, 0.010)
}

/// A lock of hair: its root, bend and tip, with the radius at each.
type Lock = ([Vec3; 3], [f32; 3]);

const LOCKS: [Lock; 11] = [
    // The forelock, swept to the character's left.
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
    // Tufts on the crown.
    (
        [Vec3::new(0.03, 1.38, 0.0), Vec3::new(0.04, 1.58, 0.02), Vec3::new(-0.04, 1.58, 0.10)],
        [0.08, 0.06, 0.008],
    ),
    (
        [Vec3::new(0.03, 1.36, -0.10), Vec3::new(0.07, 1.53, -0.16), Vec3::new(0.13, 1.475, -0.285)],
        [0.080, 0.062, 0.008],
    ),
    (
        [Vec3::new(-0.03, 1.35, -0.14), Vec3::new(-0.07, 1.47, -0.25), Vec3::new(-0.15, 1.365, -0.340)],
        [0.075, 0.058, 0.008],
    ),
    // Nape.
    (
        [Vec3::new(0.0, 1.06, -0.265), Vec3::new(0.0, 0.96, -0.285), Vec3::new(0.01, 0.930, -0.325)],
        [0.060, 0.044, 0.006],
    ),
    (
        [Vec3::new(0.115, 1.06, -0.235), Vec3::new(0.125, 0.96, -0.255), Vec3::new(0.140, 0.940, -0.285)],
        [0.055, 0.040, 0.006],
    ),
    (
        [Vec3::new(-0.115, 1.06, -0.235), Vec3::new(-0.125, 0.96, -0.255), Vec3::new(-0.140, 0.940, -0.285)],
        [0.055, 0.040, 0.006],
    ),
    // Behind the ears.
    (
        [Vec3::new(0.235, 1.12, -0.145), Vec3::new(0.250, 1.00, -0.165), Vec3::new(0.275, 0.975, -0.175)],
        [0.048, 0.036, 0.006],
    ),
    (
        [Vec3::new(-0.235, 1.12, -0.145), Vec3::new(-0.250, 1.00, -0.165), Vec3::new(-0.275, 0.975, -0.175)],
        [0.048, 0.036, 0.006],
    ),
];

/// Softness of the blends between locks.
const MELT: f32 = 0.018;

/// The solid of the hair, with its locks as polylines.
pub(super) struct Hair {
    locks: Vec<Strand>,
}

struct Strand {
    line: Vec<(Vec3, f32)>,
    /// Centre and radius of a ball around the lock.
    middle: Vec3,
    reach: f32,
}

impl Hair {
    pub(super) fn new() -> Hair {
        let locks = LOCKS.iter().map(|&(ends, radii)| {
            let line = curve(ends, radii, 8);
            let middle = line.iter().map(|point| point.0).sum::<Vec3>() / line.len() as f32;
            let reach = line.iter().map(|point| point.0.distance(middle) + point.1).fold(0.0, f32::max);
            Strand { line, middle, reach }
        });
        Hair { locks: locks.collect() }
    }

    /// Returns the distance to the hair.
    pub(super) fn field(&self, p: Vec3) -> f32 {
        let mut distance = cap(p);
        for lock in &self.locks {
            // A lock that is farther than this changes nothing.
            if p.distance(lock.middle) - lock.reach < distance + MELT {
                distance = melt(distance, bent(p, &lock.line), MELT);
            }
        }
        distance
    }

    /// Returns whether a point of the head's skin is under hair that never moves away from it.
    pub(super) fn covers(&self, p: Vec3) -> bool {
        p.z < 0.10 && self.field(p) < -0.009
    }
}

fn hair(palette: &Palette) -> Surface {
    let hair = Hair::new();
    let creases = |p: Vec3| {
        let parted = parted(p);
        (across(p) * std::f32::consts::PI).sin() * parted + (1.0 - parted)
    };
    let mut surface = Solid {
        field: &|p| hair.field(p),
        min: Vec3::new(-0.36, 0.90, -0.40),
        max: Vec3::new(0.36, 1.64, 0.36),
        cell: 0.0135,
        thrift: Thrift::new(0.0074, 0.0122, 0.14),
        hidden: &|p| skull(p) < -0.002,
        borders: &[&creases],
        paint: &|p, _| {
            let crest = 0.5 + 0.5 * crest(across(p)) * parted(p);
            let front = smoothstep(0.10, 0.27, p.z);
            let tip = smoothstep(1.08, 0.94, p.y) * 0.6;
            (palette.hair * (0.80 + 0.20 * crest)).lerp(palette.hair_tip, front.max(tip))
        },
        influences: &|p| {
            // Only what stands off the head is loose.
            let loose = smoothstep(0.10, 0.28, p.z) * smoothstep(0.015, 0.06, skull(p)) * 0.8;
            vec![(Joint::Head, 1.0 - loose), (Joint::Forelock, loose)]
        },
    }
    .surface();
    for lock in &hair.locks {
        let [(before, _), (tip, _)] = [lock.line[lock.line.len() - 2], lock.line[lock.line.len() - 1]];
        surface.sharpen(tip, (tip - before).normalize());
    }
    let strands = |p: Vec3| {
        let from_whorl = (p - MIDDLE).normalize_or(Vec3::Y).angle_between(WHORL);
        Vec2::new((across(p) + CLUMPS * 0.5) * TILES, from_whorl)
    };
    let piece = Piece { tiles: &strands, closes: Vec2::new(CLUMPS * TILES, f32::INFINITY) };
    count_tiles(&mut surface, &|_| &piece);
    surface
}
