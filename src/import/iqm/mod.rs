//! Importer for Inter-Quake models (IQM), versions 1 and 2.
//!
//! The format's axes are Blender's: x to the right, y away from the viewer, z up. Vertices and root joints are
//! rotated about x while they are read, so that y is up and −y in the file faces the viewer, as in glTF. No node is
//! added for that. A character that faces another way is turned by a root node: see `facing`.

mod arrays;
mod clips;
mod extensions;
mod facing;
mod file;
mod joints;
mod meshes;
mod motion;

use super::imported_model::ImportedModel;
use super::{ImportError, ImportOptions, ImportReport};
use crate::model::{Model, Srt};
use file::File;
use glam::{Quat, Vec3};
use motion::Motion;
use std::f32::consts::FRAC_1_SQRT_2;

pub(super) fn import(
    bytes: &[u8],
    options: &ImportOptions,
    report: &mut ImportReport,
) -> Result<Model, ImportError> {
    let file = File::open(bytes)?;
    extensions::report_all(&file, report)?;
    let motion = Motion::read(&file)?;
    let mut imported = ImportedModel::default();
    let joints = joints::read(&file, &motion, &mut imported, report)?;
    meshes::read(&file, &joints, &mut imported, report)?;
    imported.clips = clips::read(&file, &motion, &joints, &imported.nodes, report)?;
    Ok(imported.into_model(options, report))
}

/// Rotation by −90° about x, from z up to y up.
const UPRIGHT: Quat = Quat::from_xyzw(-FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2);

fn upright(vector: Vec3) -> Vec3 {
    Vec3::new(vector.x, vector.z, -vector.y)
}

/// Rotates a root joint's transform. Other joints' transforms are relative to their parents and stay as they are.
fn upright_root(local: Srt) -> Srt {
    Srt {
        scale: local.scale,
        rotation: (UPRIGHT * local.rotation).normalize(),
        translation: upright(local.translation),
    }
}
