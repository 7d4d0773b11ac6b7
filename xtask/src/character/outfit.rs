//! A second outfit: a raincoat for the same skeleton, to be worn over the sweater as a model of its own.

use glam::{Vec2, Vec3};

use super::{
    Mesh,
    accessories::wrap_field,
    body::{CUFF_ALONG, belly, hand_field, shorts_field, sleeve, sleeve_point, sweater_field},
    field::{common, limb, melt, mirrored, rounded_box, smoothstep, sphere},
    materials::{Material, Palette},
    simplify::Thrift,
    skeleton::{Joint, arm_direction},
    surface::{Solid, Surface, shown},
    weights::{self, blend},
};

pub(super) fn meshes(palette: &Palette) -> Vec<Mesh> {
    let mut parts = vec![(Material::Leather, coat(palette))];
    parts.extend(TOGGLES.map(|(height, joint)| (Material::Horn, toggle(palette, height, joint))));
    vec![Mesh { name: "Raincoat", morphs: false, parts }]
}

/// Thickness of the coat over the sweater.
const THICK: f32 = 0.017;
const HEM_HEIGHT: f32 = 0.468;

/// Heights of the toggles on the chest, and the joints that they follow.
const TOGGLES: [(f32, Joint); 3] = [(0.700, Joint::Chest), (0.625, Joint::Spine), (0.550, Joint::Hips)];

fn coat_field(p: Vec3) -> f32 {
    let q = mirrored(p);
    let round = Vec3::new(q.x, q.y, q.z * 1.06);
    let skirt = limb(round, Vec3::new(0.0, 0.70, 0.004), 0.140, Vec3::new(0.0, 0.46, 0.006), 0.196) * 0.95;
    let trunk = melt(belly(q) - THICK, skirt, 0.04);
    let cloth = melt(trunk, sleeve(q) - THICK, 0.085);
    let before_cuff = (q - sleeve_point(CUFF_ALONG + 0.012)).dot(arm_direction());
    let cloth = common(cloth, (HEM_HEIGHT - p.y).max(before_cuff), 0.012);
    // Pockets lie on the skirt.
    let pocket = rounded_box(q, Vec3::new(0.102, 0.545, 0.120), Vec3::new(0.036, 0.032, 0.040), 0.014);
    melt(cloth, pocket.max(cloth - 0.009), 0.006)
}

fn coat(palette: &Palette) -> Surface {
    let hem = |p: Vec3| p.y - (HEM_HEIGHT + 0.026);
    let cuff = |p: Vec3| CUFF_ALONG - 0.022 - (mirrored(p) - sleeve_point(0.0)).dot(arm_direction());
    let placket = |p: Vec3| (p.x.abs() - 0.021).max(-p.z);
    Solid {
        field: &coat_field,
        min: Vec3::new(-0.46, 0.42, -0.24),
        max: Vec3::new(0.46, 0.90, 0.26),
        cell: 0.015,
        thrift: Thrift::new(0.0036, 0.0062, 0.085),
        hidden: &|p| {
            let inside = sweater_field(p).min(shorts_field(p)).min(hand_field(mirrored(p)));
            inside < -0.004 || wrap_field(p) < -0.004 || p.y > 0.84
        },
        borders: &[&hem, &cuff, &placket],
        paint: &|_, region| if region == 0 { palette.raincoat } else { palette.raincoat_trim },
        influences: &|p| {
            let skirt = smoothstep(0.56, 0.47, p.y) * smoothstep(0.26, 0.20, p.x.abs()) * 0.8;
            blend(weights::sweater(p), weights::shorts(p), skirt)
        },
    }
    .surface()
}

fn toggle(palette: &Palette, height: f32, joint: Joint) -> Surface {
    let mut center = Vec3::new(0.0, height, 0.30);
    for _ in 0..60 {
        center.z -= coat_field(center) * 0.8;
    }
    let field = |p: Vec3| {
        let local = p - center;
        let peg = limb(local, Vec3::X * -0.018, 0.0095, Vec3::X * 0.018, 0.0095);
        let groove = Vec2::new(local.x, local.y.hypot(local.z) - 0.0115).length() - 0.0035;
        melt(peg, sphere(local, Vec3::ZERO, 0.011), 0.006).max(-groove)
    };
    Solid {
        field: &field,
        min: center - Vec3::new(0.034, 0.018, 0.018),
        max: center + Vec3::new(0.034, 0.018, 0.018),
        cell: 0.0045,
        thrift: Thrift::new(0.0012, 0.0026, 0.03),
        hidden: &shown,
        borders: &[],
        paint: &|_, _| palette.horn_tip,
        influences: &weights::only(joint),
    }
    .surface()
}
