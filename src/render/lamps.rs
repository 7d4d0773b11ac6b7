//! Lights of models, by `KHR_lights_punctual`. They are called lamps, since light is that of the environment.
//!
//! Few models have lights, so pages fetch [`FrameData::add_lamps`] apart (`xtask/src/build/late.rs`), before they
//! import such a model.

use super::Frame;
use super::gpu_data::{FrameData, MOST_LAMPS};
use super::gpu_model::matrix_at;
use crate::model::LightKind;
use glam::{Mat4, Vec3, Vec4};
use std::f32::consts::{FRAC_1_PI, PI};

/// A light of a model, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lamp {
    pub position: Vec3,
    /// Unit vector along which it shines.
    pub direction: Vec3,
    /// Linear colour, times the intensity: candela, or lux of a directional light.
    pub color: Vec3,
    /// Distance at which its light ends. `None` is unlimited.
    pub range: Option<f32>,
    pub kind: LightKind,
}

/// The most that lamps together light the centre of the first character, in lux, before they are dimmed. A white
/// surface there is then a hundred times as bright as white on a screen. Some exporters write lights that are thousands
/// of times brighter, for cameras with a shorter exposure.
const MOST_LIGHT: f32 = 100.0 * PI;

/// What the brightest lamps are dimmed to, in lux.
const DIMMED_LIGHT: f32 = 3.0 * PI;

/// Least height of the unit vector towards a lamp that casts a shadow. Shadows of lower ones would be too long.
const LEAST_HEIGHT: f32 = 0.34;

impl FrameData {
    /// Adds the lamps that light the first character most. The brightest of those that stand high enough casts the
    /// shadow instead of the environment.
    #[inline(never)]
    pub(super) fn add_lamps(&mut self, frame: &Frame<'_>) {
        let center = center_of(frame);
        let mut brightest = [(0.0, None::<&Lamp>); MOST_LAMPS];
        let mut sum = 0.0;
        for lamp in frame.lamps {
            let light = lamp.light_at(center);
            // Numbers that aren't finite shine on nothing.
            if !(light > 0.0 && light < f32::INFINITY && lamp.position.is_finite()) {
                continue;
            }
            sum += light;
            let mut next = (light, Some(lamp));
            for held in &mut brightest {
                if next.0 > held.0 {
                    std::mem::swap(held, &mut next);
                }
            }
        }
        let factor = frame.lighting.lamps;
        let scale = factor / (1.0 + (sum - MOST_LIGHT).max(0.0) / DIMMED_LIGHT);
        let mut casts = false;
        for (_, lamp) in brightest {
            let (Some(lamp), index) = (lamp, self.lamp_count as usize) else { break };
            let towards = lamp.towards(center);
            let is_first = !casts && towards.y >= LEAST_HEIGHT;
            if is_first {
                casts = true;
                self.towards_key_light = towards;
                self.key_light = Vec3::ZERO;
            }
            self.lamps[index] = lamp.numbers(scale * FRAC_1_PI, is_first);
            self.lamp_count += 1;
        }
    }
}

impl Lamp {
    /// Returns the unit vector from a point towards the lamp.
    fn towards(&self, place: Vec3) -> Vec3 {
        match self.kind {
            LightKind::Directional => -self.direction,
            _ => (self.position - place).normalize_or(Vec3::Y),
        }
    }

    /// Returns the light on a surface that faces the lamp, in lux. Cones don't matter.
    fn light_at(&self, place: Vec3) -> f32 {
        let brightness = self.color.dot(Vec3::new(0.2126, 0.7152, 0.0722));
        match self.kind {
            LightKind::Directional => brightness,
            _ => {
                let distance = (self.position - place).length();
                let share = self.range.map_or(0.0, |range| distance / range).min(1.0);
                brightness * (1.0 - share.powi(4)) / (distance * distance).max(1e-20)
            }
        }
    }

    /// Returns the numbers that shaders read.
    fn numbers(&self, scale: f32, casts: bool) -> Mat4 {
        let (cone_factor, cone_offset) = match self.kind {
            LightKind::Spot { inner_angle, outer_angle } => {
                let (inner, outer) = (cos(inner_angle), cos(outer_angle));
                let factor = 1.0 / (inner - outer).max(1e-3);
                (factor, -outer * factor)
            }
            _ => (0.0, 1.0),
        };
        let inverse_range = self.range.map_or(0.0, |range| 1.0 / range.max(1e-10));
        let place = match self.kind {
            LightKind::Directional => (-self.direction).extend(0.0),
            _ => self.position.extend(1.0),
        };
        Mat4::from_cols(
            place,
            (-self.direction).extend(inverse_range * inverse_range),
            (self.color * scale).extend(cone_factor),
            Vec4::new(cone_offset, f32::from(u8::from(casts)), 0.0, 0.0),
        )
    }
}

fn cos(angle: f32) -> f32 {
    crate::angle::sin_cos(angle).1
}

/// Returns the centre of the first character at rest, in the world.
fn center_of(frame: &Frame<'_>) -> Vec3 {
    let lead = frame.actors.first();
    let found = lead.and_then(|lead| Some((matrix_at(lead.rows, 0)?, lead.model.rest.center().extend(1.0))));
    found.map_or(Vec3::ZERO, |(rows, center)| Vec3::from_array(rows.map(|row| row.dot(center))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::View;
    use crate::render::environment::Light;
    use crate::render::tiles::Tiling;
    use crate::render::{Lighting, Tone};

    const LAMP: Lamp = Lamp {
        position: Vec3::new(0.0, 2.0, 0.0),
        direction: Vec3::NEG_Y,
        color: Vec3::splat(8.0),
        range: None,
        kind: LightKind::Point,
    };

    fn lit_by(lamps: &[Lamp]) -> FrameData {
        let view = View {
            view_from_world: Mat4::IDENTITY,
            projection_from_view: Mat4::IDENTITY,
            position_in_world: Vec3::ZERO,
        };
        let frame = Frame {
            actors: &[],
            view: &view,
            background: None,
            backdrop: None,
            ground: None,
            lines: &[],
            lamps,
            lighting: Lighting { intensity: 1.0, lamps: 1.0, ..Lighting::default() },
            exposure: 1.0,
            tone: Tone::Neutral,
            occlusion: None,
            views: None,
            guides: None,
            throngs: None,
        };
        let light = Light { key: Vec3::ONE, ..Light::NONE }.in_picture(&frame.lighting);
        let mut data = FrameData::new(&frame, &light, Tiling::whole(2, 2));
        data.add_lamps(&frame);
        data
    }

    #[test]
    fn the_brightest_lamps_shine_and_the_brightest_high_one_casts_the_shadow() {
        let directional = |direction: Vec3, lux: f32| Lamp {
            direction: direction.normalize(),
            color: Vec3::splat(lux),
            kind: LightKind::Directional,
            ..LAMP
        };
        let mut lamps = vec![directional(Vec3::X, 4.0), directional(Vec3::new(1.0, -1.0, 0.0), 1.0)];
        lamps.extend((1..=10).map(|nth| directional(Vec3::NEG_Z, 0.01 * nth as f32)));
        let light = lit_by(&lamps);
        assert_eq!(light.lamp_count as usize, MOST_LAMPS);
        assert!((light.lamps[0].z_axis.x - 4.0 * FRAC_1_PI).abs() < 1e-6);
        assert!((light.lamps[7].z_axis.x - 0.05 * FRAC_1_PI).abs() < 1e-6, "the darkest are left out");
        let casts: Vec<f32> = light.lamps.iter().map(|lamp| lamp.w_axis.y).collect();
        assert_eq!(casts, [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert!(light.towards_key_light.distance(Vec3::new(-1.0, 1.0, 0.0).normalize()) < 1e-6);
        assert_eq!(light.key_light, Vec3::ZERO, "the environment casts no second shadow");
    }

    #[test]
    fn blinding_lamps_are_dimmed() {
        let one = lit_by(&[LAMP]);
        assert!((one.lamps[0].z_axis.x - 8.0 * FRAC_1_PI).abs() < 1e-5, "8 candela at 2 metres are 2 lux");
        let blinding = lit_by(&[Lamp { color: Vec3::splat(4e6), ..LAMP }]);
        assert!((blinding.lamps[0].z_axis.x - 4.0 * DIMMED_LIGHT * FRAC_1_PI).abs() < 0.1);
        let bright = lit_by(&[Lamp { color: Vec3::splat(1200.0), ..LAMP }]);
        assert!((bright.lamps[0].z_axis.x - 1200.0 * FRAC_1_PI).abs() < 1e-3, "300 lux are left as they are");
    }

    #[test]
    fn cones_end_where_the_extension_says() {
        let spot = LightKind::Spot { inner_angle: 0.3, outer_angle: 0.6 };
        let numbers = lit_by(&[Lamp { kind: spot, ..LAMP }]).lamps[0];
        let inside = |angle: f32| angle.cos() * numbers.z_axis.w + numbers.w_axis.x;
        assert!((inside(0.3) - 1.0).abs() < 1e-5 && inside(0.6).abs() < 1e-5 && inside(0.5) > 0.0);
    }

    #[test]
    fn lamps_without_numbers_shine_on_nothing() {
        for lamp in [
            Lamp { color: Vec3::NAN, ..LAMP },
            Lamp { color: Vec3::INFINITY, ..LAMP },
            Lamp { position: Vec3::NAN, ..LAMP },
            Lamp { range: Some(1.0), ..LAMP },
            Lamp { range: Some(0.0), ..LAMP },
            Lamp { position: Vec3::splat(f32::MAX), ..LAMP },
        ] {
            let light = lit_by(&[lamp]);
            assert_eq!(light.lamp_count, 0, "{lamp:?}");
            assert_eq!(light.key_light, Vec3::ONE);
        }
        let at_center = lit_by(&[Lamp { position: Vec3::ZERO, ..LAMP }]);
        assert!(at_center.lamps[0].is_finite() && at_center.towards_key_light.is_normalized());
    }
}
