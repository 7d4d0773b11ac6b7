//! `<camera>`: perspective and orthographic.
use super::Reader;
use super::sources::single_of;
use super::xml::{Element, decimal};
use crate::import::ImportError;
use crate::import::report::WarningKind;
use crate::model::{Camera, CameraIndex, NodeIndex, Projection};

/// Adds a camera to a node that has none yet.
pub(super) fn place(
    reader: &mut Reader<'_>,
    node: NodeIndex,
    instance: Element<'_>,
) -> Result<(), ImportError> {
    let Ok(element) = instance.target("url") else {
        reader.warn_of_reference(instance);
        return Ok(());
    };
    reader.budget.charge(1, size_of::<Camera>() + element.label().len(), || instance.place())?;
    let projection = projection(element).unwrap_or_else(|| {
        reader.warn(WarningKind::CameraInvalid, element, "");
        // 45°, the default for an invalid camera.
        let vertical_fov = std::f32::consts::FRAC_PI_4;
        Projection::Perspective { vertical_fov, aspect: None, near: 0.1, far: None }
    });
    let index = CameraIndex::new(reader.imported.cameras.len());
    if let Some(node) = reader.imported.nodes.get_mut(node.get()).filter(|node| node.camera.is_none()) {
        node.camera = Some(index);
        reader.imported.cameras.push(Camera { name: element.label().to_owned(), projection });
    }
    Ok(())
}

fn projection(camera: Element<'_>) -> Option<Projection> {
    let lens = camera.descend(&["optics", "technique_common"])?.children().next()?;
    let number = |name: &str| {
        let number = single_of(decimal(lens.child(name)?.text())?);
        (number > 0.0 && number.is_finite()).then_some(number)
    };
    let (near, far) = (number("znear")?, number("zfar")?);
    let aspect = number("aspect_ratio");
    if far <= near {
        return None;
    }
    match lens.tag() {
        "perspective" => {
            let degrees = |name: &str| number(name).filter(|degrees| *degrees < 180.0).map(f32::to_radians);
            let from_width = |radians: f32| 2.0 * ((radians / 2.0).tan() / aspect.unwrap_or(1.0)).atan();
            let vertical_fov = degrees("yfov").or_else(|| degrees("xfov").map(from_width))?;
            let both = degrees("xfov").zip(degrees("yfov"));
            let given = both.map(|(wide, high)| (wide / 2.0).tan() / (high / 2.0).tan()).or(aspect);
            Some(Projection::Perspective { vertical_fov, aspect: given, near, far: Some(far) })
        }
        "orthographic" => {
            let (wide, high) = (number("xmag"), number("ymag"));
            let half_width = wide.or_else(|| Some(high? * aspect.unwrap_or(1.0)))?;
            let half_height = high.or_else(|| Some(wide? / aspect.unwrap_or(1.0)))?;
            Some(Projection::Orthographic { half_width, half_height, near, far })
        }
        _ => None,
    }
}
