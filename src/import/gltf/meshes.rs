//! Meshes: their primitives, and the morph targets that all of these share.
use super::primitives::{self, Source};
use super::{Accessors, Document};
use crate::import::place::Place;
use crate::import::report::Oddity;
use crate::import::{ImportError, ImportReport};
use crate::model::{Material, Mesh, MorphTarget};

pub(super) fn meshes(
    document: &Document,
    accessors: &Accessors<'_>,
    materials: &[Material],
    report: &mut ImportReport,
) -> Result<Vec<Mesh>, ImportError> {
    let place = Place::ROOT.field("meshes");
    let mut meshes = Vec::with_capacity(document.root.meshes.len());
    for (index, mesh) in document.root.meshes.iter().enumerate() {
        let place = place.index(index);
        let in_mesh = place.field("primitives");
        let mut primitives = Vec::with_capacity(mesh.primitives.len());
        for (index, primitive) in mesh.primitives.iter().enumerate() {
            let material = primitive.material.and_then(|material| materials.get(material.value()));
            let place = in_mesh.index(index);
            let source = Source { primitive, accessors, place, report: &mut *report };
            primitives.extend(primitives::read(source, material)?);
        }

        let target_counts = || primitives.iter().map(|primitive| primitive.morph_targets.len());
        let target_count = target_counts().max().unwrap_or(0);
        if target_counts().any(|count| count != target_count) {
            report.warn(Oddity::MorphTargetCountsDiffer, &place);
        }
        // One primitive's targets become every primitive's.
        let added: usize = target_counts().map(|count| target_count - count).sum();
        accessors.budget.charge(added as u64, size_of::<MorphTarget>(), || place.pointer())?;
        for primitive in &mut primitives {
            primitive.morph_targets.resize(target_count, MorphTarget::default());
        }
        let mut morph_target_names = document.morph_target_names.get(index).cloned().unwrap_or_default();
        morph_target_names.resize(target_count, String::new());
        meshes.push(Mesh { name: mesh.name.clone().unwrap_or_default(), primitives, morph_target_names });
    }
    Ok(meshes)
}
