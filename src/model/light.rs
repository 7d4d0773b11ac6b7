use super::LightPart;
use glam::Vec3;

/// A light of the file. It shines along −Z of the node that carries it, unless it is a point light.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    pub name: String,
    /// Linear colour.
    pub color: Vec3,
    /// Candela for point and spot lights, lux for directional lights.
    pub intensity: f32,
    /// Distance at which a point or spot light ends. `None` is unlimited.
    pub range: Option<f32>,
    pub kind: LightKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightKind {
    Directional,
    Point,
    /// Angles from the axis to where the cone begins to fade and to where it ends, in radians.
    Spot {
        inner_angle: f32,
        outer_angle: f32,
    },
}

impl Light {
    /// Returns a copy without the name, which allocates nothing.
    pub fn unnamed(&self) -> Self {
        Self { name: String::new(), ..*self }
    }

    /// Sets a property, unless it belongs to another kind of light.
    pub fn set_part(&mut self, part: LightPart, numbers: &[f32]) {
        let &[first, ..] = numbers else { return };
        match (part, &mut self.kind) {
            (LightPart::Color, _) => {
                if let &[r, g, b] = numbers {
                    self.color = Vec3::new(r, g, b);
                }
            }
            (LightPart::Intensity, _) => self.intensity = first,
            (LightPart::Range, _) => self.range = Some(first),
            (LightPart::InnerAngle, LightKind::Spot { inner_angle, .. }) => *inner_angle = first,
            (LightPart::OuterAngle, LightKind::Spot { outer_angle, .. }) => *outer_angle = first,
            _ => {}
        }
    }
}
