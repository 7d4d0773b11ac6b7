//! Skins: their joints and inverse bind matrices.
use super::Accessors;
use super::formats::Use;
use super::json::Json;
use super::nodes::Hierarchy;
use crate::import::matrices::affine;
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem, ImportReport};
use crate::model::Skin;
use crate::refusal::{Place, element};
use glam::{Affine3A, Mat4};

#[inline(never)]
pub(super) fn skins(
    root: Json<'_>,
    accessors: &Accessors<'_>,
    hierarchy: &Hierarchy,
    report: &mut ImportReport,
) -> Result<Vec<Skin>, ImportError> {
    let place = Place::ROOT.field("skins");
    let mut skins = Vec::with_capacity(root.count("skins"));
    for (index, skin) in root.list("skins").enumerate() {
        let place = place.index(index);
        if skin.count("joints") == 0 {
            report.warn(WarningKind::SkinWithoutJoints, &place);
        }
        skins.push(Skin {
            name: skin.name(),
            joints: skin.indices("joints").filter_map(|joint| hierarchy.node(joint)).collect(),
            joint_from_mesh: joint_from_mesh(skin, accessors, &place, report)?,
            skeleton_root: skin.index("skeleton").and_then(|node| hierarchy.node(node)),
        });
    }
    Ok(skins)
}

fn joint_from_mesh(
    skin: Json<'_>,
    accessors: &Accessors<'_>,
    place: &Place<'_>,
    report: &mut ImportReport,
) -> Result<Vec<Affine3A>, ImportError> {
    let joint_count = skin.count("joints");
    let Some(accessor) = skin.index("inverseBindMatrices") else {
        // The specification defines missing matrices as identities: the mesh is stored in its joints' spaces.
        return Ok(vec![Affine3A::IDENTITY; joint_count]);
    };
    let place = place.field("inverseBindMatrices");
    let matrices: Vec<Mat4> = accessors.vectors(accessor, Use::BIND_MATRICES, &place, report)?;
    if matrices.len() < joint_count {
        let found = format!("{} for {joint_count} joints", matrices.len());
        return Err(ImportProblem::BindMatricesTooFew.at(place.pointer(), found));
    }
    let mut affines = Vec::with_capacity(joint_count);
    for (index, matrix) in matrices.iter().take(joint_count).enumerate() {
        let Some(affine) = affine(matrix) else {
            let place = element("accessors", accessor);
            let found = format!("matrix {index}, a projection");
            return Err(ImportProblem::MatrixNotAffine.at(place, found));
        };
        affines.push(affine);
    }
    Ok(affines)
}
