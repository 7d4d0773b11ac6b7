//! The file's cameras. None of them is worth losing a character over: broken ones are replaced.
use crate::import::ImportReport;
use crate::import::place::Place;
use crate::import::report::Oddity;
use crate::model::{Camera, Projection};
use gltf::json::camera::Type;
use gltf::json::validation::Checked;
use gltf::json::{self, Root};
use std::f32::consts::{FRAC_PI_4, PI};

pub(super) fn cameras(root: &Root, report: &mut ImportReport) -> Vec<Camera> {
    let place = Place::ROOT.field("cameras");
    let mut cameras = Vec::with_capacity(root.cameras.len());
    for (index, camera) in root.cameras.iter().enumerate() {
        let projection = projection(camera).unwrap_or_else(|| {
            report.warn(Oddity::CameraInvalid, &place.index(index));
            Projection::Perspective { vertical_fov: FRAC_PI_4, aspect: None, near: 0.01, far: None }
        });
        cameras.push(Camera { name: camera.name.clone().unwrap_or_default(), projection });
    }
    cameras
}

fn projection(camera: &json::Camera) -> Option<Projection> {
    match camera.type_ {
        Checked::Valid(Type::Perspective) => {
            let lens = camera.perspective.as_ref()?;
            let usable = lens.yfov > 0.0
                && lens.yfov < PI
                && lens.znear > 0.0
                && lens.zfar.is_none_or(|far| far > lens.znear)
                && lens.aspect_ratio.is_none_or(|aspect| aspect > 0.0);
            usable.then_some(Projection::Perspective {
                vertical_fov: lens.yfov,
                aspect: lens.aspect_ratio,
                near: lens.znear,
                far: lens.zfar,
            })
        }
        Checked::Valid(Type::Orthographic) => {
            let lens = camera.orthographic.as_ref()?;
            // Negative halves would mirror the picture; the specification discourages them.
            let (half_width, half_height) = (lens.xmag.abs(), lens.ymag.abs());
            let usable = half_width > 0.0 && half_height > 0.0 && lens.znear >= 0.0 && lens.zfar > lens.znear;
            usable.then_some(Projection::Orthographic {
                half_width,
                half_height,
                near: lens.znear,
                far: lens.zfar,
            })
        }
        Checked::Invalid => None,
    }
}
