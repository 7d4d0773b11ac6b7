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
