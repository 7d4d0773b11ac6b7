//! Sweater, shorts, legs, boots and hands.

use glam::{Vec2, Vec3};

use super::{
    field::{carve, common, ellipse, ellipsoid, limb, melt, mirrored, ring, smoothstep, sphere},
    materials::{Material, Palette},
    relief::{Piece, count_tiles, tube},
    simplify::Thrift,
    skeleton::{
        ANKLE, FINGERS, Finger, HIP, KNEE, SHOULDER, arm_direction, elbow, finger_line, hand_point, wrist,
    },
    surface::{Solid, Surface, Vertex},
    weights,
};

pub(super) fn parts(palette: &Palette) -> Vec<(Material, Surface)> {
    let mut parts = vec![(Material::Knit, sweater(palette)), (Material::Knit, shorts(palette))];
    for (material, surface, influences) in [
        (Material::Fur, leg(palette), &weights::leg as &dyn Fn(Vec3) -> weights::Influences),
        (Material::Leather, boot(palette), &weights::boot),
        (Material::Fur, hand(palette), &weights::hand),
    ] {
        parts.push((material, surface.mirrored(influences)));
        parts.push((material, surface));
    }
    parts
}

/// Returns the distance to everything of the body that takes light from its surroundings.
pub(super) fn solid(p: Vec3) -> f32 {
    let q = mirrored(p);
    sweater_field(p).min(shorts_field(p)).min(leg_field(q)).min(boot_upper(q)).min(hand_field(q))
}

const HEM_HEIGHT: f32 = 0.535;
pub(super) const CUFF_ALONG: f32 = 0.30;

pub(super) fn sleeve_point(along: f32) -> Vec3 {
    SHOULDER + arm_direction() * along
}

pub(super) fn belly(q: Vec3) -> f32 {
    // The trunk is slimmer from front to back. It is measured in a scaled space where it is round.
    let round = Vec3::new(q.x, q.y, q.z * 1.12);
    limb(round, Vec3::new(0.0, 0.605, 0.012), 0.160, Vec3::new(0.0, 0.765, 0.0), 0.112) * 0.95
}

pub(super) fn sleeve(q: Vec3) -> f32 {
    limb(q, sleeve_point(-0.015), 0.066, elbow(), 0.060).min(limb(
        q,
        elbow(),
        0.060,
        sleeve_point(CUFF_ALONG - 0.01),
        0.069,
    ))
}

/// Returns a depth that is negative in the trunk and grows over the armpit into the sleeve.
pub(super) fn sleeve_depth(p: Vec3) -> f32 {
    let q = mirrored(p);
    belly(q) - sleeve(q)
}

pub(super) fn sweater_field(p: Vec3) -> f32 {
    let q = mirrored(p);
    let cloth = melt(belly(q), sleeve(q), 0.075);
    let above_hem = HEM_HEIGHT - p.y;
    let before_cuff = (q - sleeve_point(CUFF_ALONG)).dot(arm_direction());
    let cloth = common(cloth, above_hem.max(before_cuff), 0.02);
    melt(cloth, hem(p).min(cuff(q)), 0.006)
}

fn hem(p: Vec3) -> f32 {
    ring(p, Vec3::new(0.0, HEM_HEIGHT + 0.006, 0.008), Vec2::new(0.146, 0.130), Vec2::new(0.021, 0.027))
}

fn cuff(q: Vec3) -> f32 {
    let local = q - sleeve_point(CUFF_ALONG);
    let along = local.dot(arm_direction());
    let flat = local - arm_direction() * along;
    let outward = flat.length() - 0.052;
    Vec2::new(outward / 0.017, along / 0.021).length() * 0.017 - 0.017
}

/// Numbers of stitches around the sweater and its sleeves.
const TRUNK_STITCHES: f32 = 38.0;
const SLEEVE_STITCHES: f32 = 17.0;

fn sweater(palette: &Palette) -> Surface {
    let hem_line = |p: Vec3| p.y - (HEM_HEIGHT + 0.028);
    let cuff_line = |p: Vec3| CUFF_ALONG - 0.026 - (mirrored(p) - sleeve_point(0.0)).dot(arm_direction());
    let stripe = |p: Vec3| ((p.y - 0.604).abs() - 0.016).max(p.x.abs() - 0.185);
    let mut sweater = Solid {
        field: &sweater_field,
        min: Vec3::new(-0.44, 0.46, -0.2),
        max: Vec3::new(0.44, 0.88, 0.22),
        cell: 0.015,
        thrift: Thrift::new(0.0040, 0.0070, 0.09),
        hidden: &|p| {
            let neck = ellipsoid(p, Vec3::new(0.0, 0.83, 0.0), Vec3::new(0.12, 0.06, 0.11));
            neck.min(shorts_field(p) + 0.012).min(hand_field(mirrored(p)) + 0.004) < 0.0
        },
        borders: &[&hem_line, &cuff_line, &stripe],
        paint: &|_, region| match region {
            0 => palette.sweater,
            4 => palette.stripe,
            _ => palette.sweater_trim,
        },
        influences: &weights::sweater,
    }
    .surface();
    let trunk = tube(Vec3::Y * 0.45, Vec3::Y, Vec3::Z, TRUNK_STITCHES);
    let sleeve = tube(sleeve_point(-0.3), arm_direction(), Vec3::Z, SLEEVE_STITCHES);
    let mirrored_sleeve = |p: Vec3| sleeve(mirrored(p));
    let trunk = Piece { tiles: &trunk, closes: Vec2::new(TRUNK_STITCHES, f32::INFINITY) };
    let sleeve = Piece { tiles: &mirrored_sleeve, closes: Vec2::new(SLEEVE_STITCHES, f32::INFINITY) };
    count_tiles(&mut sweater, &|p| if sleeve_depth(p) > 0.0 { &sleeve } else { &trunk });
    sweater
}

pub(super) fn shorts_field(p: Vec3) -> f32 {
    let q = mirrored(p);
    let seat = ellipsoid(q, Vec3::new(0.0, 0.515, 0.0), Vec3::new(0.148, 0.10, 0.135));
    let leg = limb(q, HIP + Vec3::new(0.0, -0.01, 0.0), 0.078, KNEE + Vec3::new(0.006, 0.02, -0.008), 0.080);
    common(melt(seat, leg, 0.03), 0.322 - p.y, 0.026)
}

fn leg_field(p: Vec3) -> f32 {
    let thigh = limb(p, KNEE + Vec3::Y * 0.07, 0.056, KNEE, 0.053);
    let shin = limb(p, KNEE, 0.049, ANKLE + Vec3::new(0.0, 0.02, 0.0), 0.043);
    let knee = ellipsoid(p, KNEE + Vec3::new(0.002, -0.016, 0.024), Vec3::new(0.032, 0.034, 0.032));
    let calf =
        ellipsoid(p, KNEE.lerp(ANKLE, 0.42) + Vec3::new(0.0, 0.0, -0.012), Vec3::new(0.048, 0.080, 0.046));
    melt(melt(thigh, shin, 0.02), knee.min(calf), 0.03)
}

fn shorts(palette: &Palette) -> Surface {
    let mut shorts = Solid {
        field: &shorts_field,
        min: Vec3::new(-0.2, 0.29, -0.17),
        max: Vec3::new(0.2, 0.64, 0.17),
        cell: 0.015,
        thrift: Thrift::new(0.0032, 0.0068, 0.09),
        hidden: &|p| p.y > 0.545 || leg_field(mirrored(p)) < -0.006,
        // The hem's shade ends here.
        borders: &[&|p| p.y - HEM_HEIGHT + 0.058],
        paint: &|_, _| palette.shorts,
        influences: &weights::shorts,
    }
    .surface();
    let around = tube(Vec3::Y * 0.3, Vec3::Y, Vec3::Z, TRUNK_STITCHES);
    let cloth = Piece { tiles: &around, closes: Vec2::new(TRUNK_STITCHES, f32::INFINITY) };
    count_tiles(&mut shorts, &|_| &cloth);
    shorts
}

fn leg(palette: &Palette) -> Surface {
    Solid {
        field: &leg_field,
        min: Vec3::new(0.0, 0.04, -0.1),
        max: Vec3::new(0.18, 0.46, 0.11),
        cell: 0.016,
        thrift: Thrift::new(0.0020, 0.0034, 0.075),
        hidden: &|p| p.y > 0.385 || p.y < 0.14,
        borders: &[],
        paint: &|_, _| palette.fur,
        influences: &weights::leg,
    }
    .surface()
}

fn boot_upper(p: Vec3) -> f32 {
    let shaft = limb(p, ANKLE + Vec3::Y * 0.065, 0.060, ANKLE + Vec3::Y * -0.01, 0.062);
    let heel = sphere(p, Vec3::new(0.088, 0.062, -0.035), 0.066);
    let toe = ellipsoid(p, Vec3::new(0.098, 0.052, 0.092), Vec3::new(0.078, 0.062, 0.088));
    let shaft = common(shaft, p.y - (ANKLE.y + 0.068), 0.008);
    let foot = melt(melt(heel, toe, 0.06), shaft, 0.04);
    // The boot is cloven like a goat's hoof.
    let cleft = ellipsoid(p, Vec3::new(0.104, 0.06, 0.195), Vec3::new(0.011, 0.09, 0.062));
    let foot = carve(foot, cleft, 0.014);
    let collar = ring(p, ANKLE + Vec3::Y * 0.066, Vec2::new(0.059, 0.059), Vec2::new(0.016, 0.020));
    melt(common(foot, -p.y.min(0.03) + 0.004, 0.004), collar, 0.008)
}

/// Returns the signed distance to the outline of one sole, seen from above.
fn sole_outline(flat: Vec2) -> f32 {
    let heel = ellipse(flat - Vec2::new(0.088, -0.036), Vec2::new(0.071, 0.068));
    let toe = ellipse(flat - Vec2::new(0.098, 0.092), Vec2::new(0.085, 0.096));
    let cleft = ellipse(flat - Vec2::new(0.104, 0.205), Vec2::new(0.009, 0.045));
    carve(melt(heel, toe, 0.07), cleft, 0.010)
}

/// Returns the sole and the welt above it as rings of the outline, shrunk and raised. A grid would blur a solid this
/// thin.
fn boot_sole(palette: &Palette) -> Surface {
    const COLUMNS: usize = 20;
    let (sole, welt) = (palette.sole, palette.boot_trim);
    let rings = [
        (0.0, 0.0, sole),
        (0.93, 0.0, sole),
        (1.0, 0.008, sole),
        (1.0, 0.023, sole),
        (0.985, 0.0245, welt),
        (1.015, 0.031, welt),
        (0.88, 0.042, welt),
    ];
    let middle = Vec2::new(0.094, 0.03);
    let mut sole = Surface::sheet(COLUMNS, rings.len() - 1, &|u, v| {
        let (shrink, height, paint) = rings[(v * (rings.len() - 1) as f32).round() as usize];
        let angle = sole_angle(u);
        let direction = Vec2::new(angle.sin(), angle.cos());
        let mut reach = 0.05;
        for _ in 0..40 {
            reach -= 0.7 * sole_outline(middle + direction * reach);
        }
        let flat = middle + direction * reach * shrink;
        let position = Vec3::new(flat.x, height, flat.y);
        Vertex { position, paint, influences: weights::boot(position), ..Vertex::default() }
    });
    sole.weld_columns(COLUMNS);
    sole.recompute_normals();
    sole
}

/// Returns the angle around the sole for `u`. Angles are denser at the cleft between the toes (angle 0).
fn sole_angle(u: f32) -> f32 {
    let t = u * 2.0 - 1.0;
    std::f32::consts::PI * (0.55 * t + 0.45 * t * t * t)
}

fn boot(palette: &Palette) -> Surface {
    let collar_line = |p: Vec3| ANKLE.y + 0.047 - p.y;
    let mut boot = Solid {
        field: &boot_upper,
        min: Vec3::new(-0.01, -0.02, -0.14),
        max: Vec3::new(0.21, 0.21, 0.22),
        cell: 0.011,
        thrift: Thrift::new(0.0042, 0.0082, 0.09),
        hidden: &|p| p.y < 0.028 || sphere(p, ANKLE + Vec3::Y * 0.09, 0.045) < 0.0,
        borders: &[&collar_line],
        paint: &|_, region| if region == 1 { palette.boot_trim } else { palette.boot },
        influences: &weights::boot,
    }
    .surface();
    boot.append(boot_sole(palette));
    boot
}

pub(super) fn hand_field(p: Vec3) -> f32 {
    let palm = limb(p, hand_point(0.026, 0.0, 0.0), 0.036, hand_point(0.064, 0.0, 0.002), 0.046);
    let local = p - hand_point(0.04, 0.0, 0.0);
    let thickness = local.dot(super::skeleton::palm_normal()).abs() - 0.036;
    let mut hand = common(palm, thickness, 0.02);
    for finger in FINGERS {
        let [root, tip] = finger_line(finger);
        let (thick, thin) = match finger {
            Finger::Thumb => (0.024, 0.021),
            Finger::Little => (0.023, 0.020),
            _ => (0.025, 0.022),
        };
        let root = if finger == Finger::Thumb { root } else { root - (tip - root) * 0.3 };
        hand = melt(hand, limb(p, root, thick, tip - (tip - root).normalize() * thin, thin), 0.014);
    }
    melt(
        hand,
        limb(p, wrist() - arm_direction() * 0.03, 0.033, wrist() + arm_direction() * 0.02, 0.029),
        0.02,
    )
}

fn hand(palette: &Palette) -> Surface {
    Solid {
        field: &hand_field,
        min: wrist() + Vec3::new(-0.09, -0.2, -0.09),
        max: wrist() + Vec3::new(0.18, 0.07, 0.13),
        cell: 0.0085,
        thrift: Thrift::new(0.0018, 0.0032, 0.05),
        hidden: &|p| (p - wrist()).dot(arm_direction()) < -0.012,
        borders: &[],
        paint: &|p, _| {
            let along = (p - wrist()).dot(arm_direction());
            palette.fur.lerp(palette.fur_shade, smoothstep(0.05, 0.16, along) * 0.5)
        },
        influences: &weights::hand,
    }
    .surface()
}
