//! Lights of `KHR_lights_punctual`. Values out of range are replaced, since a model is usable without them.
use super::json::Json;
use crate::import::ImportReport;
use crate::import::report::WarningKind;
use crate::model::{Light, LightIndex, LightKind, Node};
use crate::refusal::Place;
use glam::Vec3;
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

const EXTENSION: &str = "KHR_lights_punctual";

/// Returns whether the file has lights.
pub(super) fn are_in(root: Json<'_>) -> bool {
    root.extension(EXTENSION).is_some()
}

/// Returns the lights, and sets those of the nodes.
#[inline(never)]
pub(super) fn lights(root: Json<'_>, nodes: &mut [Node], report: &mut ImportReport) -> Vec<Light> {
    let Some(extension) = root.extension(EXTENSION) else { return Vec::new() };
    let place = Place::ROOT.field("extensions");
    let place = place.field(EXTENSION);
    let place = place.field("lights");
    let mut lights = Vec::with_capacity(extension.count("lights"));
    for (index, light) in extension.list("lights").enumerate() {
        let (read, is_valid) = read(light);
        if !is_valid {
            report.warn(WarningKind::LightInvalid, &place.index(index));
        }
        lights.push(read);
    }
    for node in nodes {
        let source = root.element("nodes", node.source_index);
        let light = source.and_then(|source| source.extension(EXTENSION)?.index("light"));
        node.light = light.map(LightIndex::new);
    }
    lights
}

/// Returns a light, and whether its values are those that the extension allows.
fn read(light: Json<'_>) -> (Light, bool) {
    let mut is_valid = true;
    let mut checked = |number: f32, is_allowed: bool, default: f32| {
        is_valid &= is_allowed;
        if is_allowed { number } else { default }
    };
    let spot = light.get("spot");
    let angle = |name: &str| spot.and_then(|spot| spot.number(name));
    let kind = match light.text("type") {
        Some("spot") => {
            let outer = angle("outerConeAngle").unwrap_or(FRAC_PI_4);
            // Exporters round a quarter turn up.
            let outer_angle = checked(outer, outer > 0.0 && outer <= FRAC_PI_2 + 1e-4, FRAC_PI_4);
            let inner = angle("innerConeAngle").unwrap_or(0.0);
            LightKind::Spot {
                inner_angle: checked(inner, inner >= 0.0 && inner < outer_angle, 0.0),
                outer_angle,
            }
        }
        Some("directional") => LightKind::Directional,
        _ => LightKind::Point,
    };
    let intensity = light.number("intensity").unwrap_or(1.0);
    let range = light.number("range");
    let read = Light {
        name: light.name(),
        color: light.array("color").map_or(Vec3::ONE, Vec3::from_array),
        intensity: checked(intensity, intensity >= 0.0, 1.0),
        range: range.filter(|&range| checked(range, range > 0.0, 0.0) > 0.0),
        kind,
    };
    (read, is_valid)
}
