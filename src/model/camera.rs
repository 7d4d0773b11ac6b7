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
