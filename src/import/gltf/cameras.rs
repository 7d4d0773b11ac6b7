//! Cameras of the file. Invalid ones are replaced, since a model is usable without them.
use super::json::Json;
use crate::import::ImportReport;
use crate::import::report::WarningKind;
use crate::model::{Camera, Projection};
use crate::refusal::Place;
use std::f32::consts::{FRAC_PI_4, PI};

/// Returns whether the file has cameras.
pub(super) fn are_in(root: Json<'_>) -> bool {
    root.count("cameras") > 0
}

#[inline(never)]
pub(super) fn cameras(root: Json<'_>, report: &mut ImportReport) -> Vec<Camera> {
    let place = Place::ROOT.field("cameras");
    let mut cameras = Vec::with_capacity(root.count("cameras"));
    for (index, camera) in root.list("cameras").enumerate() {
        let projection = projection(camera).unwrap_or_else(|| {
            report.warn(WarningKind::CameraInvalid, &place.index(index));
            Projection::Perspective { vertical_fov: FRAC_PI_4, aspect: None, near: 0.01, far: None }
        });
        cameras.push(Camera { name: camera.name(), projection });
    }
    cameras
}

fn projection(camera: Json<'_>) -> Option<Projection> {
    let kind = camera.text("type")?;
    let lens = camera.get(kind)?;
    let near = lens.number("znear")?;
    if kind == "orthographic" {
        // Negative values would mirror the picture; the specification discourages them.
        let (half_width, half_height) = (lens.number("xmag")?.abs(), lens.number("ymag")?.abs());
        let far = lens.number("zfar")?;
        let usable = half_width > 0.0 && half_height > 0.0 && near >= 0.0 && far > near;
        return usable.then_some(Projection::Orthographic { half_width, half_height, near, far });
    }
    let vertical_fov = lens.number("yfov")?;
    let (aspect, far) = (lens.number("aspectRatio"), lens.number("zfar"));
    let usable = vertical_fov > 0.0
        && vertical_fov < PI
        && near > 0.0
        && far.is_none_or(|far| far > near)
        && aspect.is_none_or(|aspect| aspect > 0.0);
    usable.then_some(Projection::Perspective { vertical_fov, aspect, near, far })
}
