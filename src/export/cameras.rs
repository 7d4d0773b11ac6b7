//! Cameras, which have the same properties in glTF.
use super::json_text::{Json, Object};
use crate::model::{Camera, Projection};

pub(super) fn cameras(cameras: &[Camera]) -> Vec<Json> {
    cameras.iter().map(|camera| written(camera).into()).collect()
}

fn written(camera: &Camera) -> Object {
    let (kind, lens) = match camera.projection {
        Projection::Perspective { vertical_fov, aspect, near, far } => {
            let lens = Object::new().with_some("aspectRatio", aspect).with("yfov", vertical_fov);
            ("perspective", lens.with_some("zfar", far).with("znear", near))
        }
        Projection::Orthographic { half_width, half_height, near, far } => {
            let lens = Object::new().with("xmag", half_width).with("ymag", half_height);
            ("orthographic", lens.with("zfar", far).with("znear", near))
        }
    };
    Object::new().with_name(&camera.name).with("type", kind).with(kind, lens)
}
