//! Inter-Quake models, version 2 and its elder.
//!
//! The format's axes are Blender's: x to the right, y away, z up. Vertices and root joints are turned about x on the way
//! in, so that y is up and what faces −y faces the viewer, as glTF has it; no node is added for that. A character that
//! faces another way is turned by a node above all others: see `facing`.

mod arrays;
mod clips;
mod extensions;
mod facing;
mod file;
mod joints;
mod meshes;
mod motion;

use super::loose::Loose;
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
    let mut loose = Loose::default();
    let joints = joints::read(&file, &motion, &mut loose, report)?;
    meshes::read(&file, &joints, &mut loose, report)?;
    loose.clips = clips::read(&file, &motion, &joints, &loose.nodes, report)?;
    Ok(loose.into_model(options, report))
}

/// A quarter turn about x.
const UPRIGHT: Quat = Quat::from_xyzw(-FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2);

fn upright(vector: Vec3) -> Vec3 {
    Vec3::new(vector.x, vector.z, -vector.y)
}

/// Of a joint without parent; the others stand in their parent's axes.
fn upright_root(local: Srt) -> Srt {
    Srt {
        scale: local.scale,
        rotation: (UPRIGHT * local.rotation).normalize(),
        translation: upright(local.translation),
    }
}
