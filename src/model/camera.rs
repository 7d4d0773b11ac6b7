/// A camera of the file; it looks along −Z of the node that carries it.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    pub name: String,
    pub projection: Projection,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    Perspective {
        vertical_fov: f32,
        /// `None` takes the canvas's.
        aspect: Option<f32>,
        near: f32,
        /// `None` is infinite.
        far: Option<f32>,
    },
    Orthographic {
        half_width: f32,
        half_height: f32,
        near: f32,
        far: f32,
    },
}
