//! Lights, as `KHR_lights_punctual`.
use super::json_text::{Json, Object};
use crate::model::{Light, LightKind};
use glam::Vec3;
use std::f32::consts::FRAC_PI_4;

pub(super) fn lights(lights: &[Light]) -> Vec<Json> {
    lights.iter().map(|light| written(light).into()).collect()
}

fn written(light: &Light) -> Object {
    let (kind, spot) = match light.kind {
        LightKind::Directional => ("directional", None),
        LightKind::Point => ("point", None),
        LightKind::Spot { inner_angle, outer_angle } => {
            let spot = Object::new().with_unless(0.0, "innerConeAngle", inner_angle);
            ("spot", Some(spot.with_unless(FRAC_PI_4, "outerConeAngle", outer_angle)))
        }
    };
    let color = light.color.clamp(Vec3::ZERO, Vec3::ONE);
    Object::new()
        .with_name(&light.name)
        .with("type", kind)
        .with_some("spot", spot)
        .with_unless([1.0; 3], "color", color.to_array())
        .with_unless(1.0, "intensity", light.intensity)
        .with_some("range", light.range)
}
