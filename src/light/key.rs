use super::octahedron::{direction_at, solid_angle_at};
use super::texels::Texels;
use glam::{Vec2, Vec3, Vec3A};

/// The brightest part of an environment. It is the light whose shadow is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Unit vector towards the light. It isn't low, since shadows would reach too far.
    pub towards: Vec3,
    /// What a white, matt surface that faces the light reflects of it.
    pub light: Vec3,
}

/// Least and greatest height of a unit vector towards the key light: 50° and 70°.
const LOWEST: f32 = 0.766;
const HIGHEST: f32 = 0.94;

/// Cosine of the angle around the key light within which light counts to it: 37°.
const WITHIN: f32 = 0.8;

impl Key {
    /// Returns the key light of an environment, from a direction or from where most light comes from.
    #[inline(never)] // `docs/START.md` says why.
    pub(super) fn of(texels: &Texels, towards: Option<Vec3A>) -> Self {
        let mut whole = 0.0;
        let mut sum = Vec3A::ZERO;
        let mut lit = Vec::with_capacity(texels.light.len());
        for (index, light) in texels.light.iter().enumerate() {
            let place = texels.place(index);
            let solid_angle = solid_angle_at(place);
            whole += solid_angle;
            sum += *light * solid_angle;
            lit.push((direction_at(place).normalize(), *light, solid_angle));
        }
        let mean = sum / whole;
        let brightest = || lit.iter().max_by(|a, b| a.1.element_sum().total_cmp(&b.1.element_sum()));
        let towards = towards.or_else(|| Some(brightest()?.0)).unwrap_or(Vec3A::Y);
        let mut key = Vec3A::ZERO;
        for (direction, light, solid_angle) in &lit {
            let facing = direction.dot(towards);
            if facing > WITHIN {
                key += (*light - mean).max(Vec3A::ZERO) * (facing * solid_angle);
            }
        }
        // Solid angles add up to 4π, and a matt surface reflects a πth of what it receives.
        Self { towards: raised(towards.into()), light: (key * (4.0 / whole)).into() }
    }
}

/// Returns the unit vector in the same direction of the compass, neither too low nor too high.
fn raised(towards: Vec3) -> Vec3 {
    let height = towards.y.clamp(LOWEST, HIGHEST);
    let aside = Vec2::new(towards.x, towards.z).try_normalize().unwrap_or(Vec2::Y);
    let aside = aside * (1.0 - height * height).sqrt();
    Vec3::new(aside.x, height, aside.y)
}
