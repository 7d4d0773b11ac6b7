use super::CameraPart;

/// A camera of the file. It looks along −Z of the node that carries it.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    pub name: String,
    pub projection: Projection,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    Perspective {
        vertical_fov: f32,
        /// Width over height; `None` uses the canvas's aspect ratio.
        aspect: Option<f32>,
        near: f32,
        /// Distance of the far plane; `None` is infinite.
        far: Option<f32>,
    },
    Orthographic {
        half_width: f32,
        half_height: f32,
        near: f32,
        far: f32,
    },
}

impl Projection {
    /// Sets a property, unless it belongs to the other kind of projection.
    pub fn set_part(&mut self, part: CameraPart, number: f32) {
        let held = match (self, part) {
            (Self::Perspective { vertical_fov, .. }, CameraPart::VerticalFov) => vertical_fov,
            (Self::Perspective { aspect, .. }, CameraPart::Aspect) => return *aspect = Some(number),
            (Self::Perspective { far, .. }, CameraPart::Far) => return *far = Some(number),
            (Self::Orthographic { half_width, .. }, CameraPart::HalfWidth) => half_width,
            (Self::Orthographic { half_height, .. }, CameraPart::HalfHeight) => half_height,
            (Self::Orthographic { far, .. }, CameraPart::Far) => far,
            (Self::Perspective { near, .. } | Self::Orthographic { near, .. }, CameraPart::Near) => near,
            _ => return,
        };
        *held = number;
    }
}
