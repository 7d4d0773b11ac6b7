//! Meshes: their primitives and the morph targets that these share.
use super::Accessors;
use super::drawing;
use super::json::Json;
use super::primitives::{self, Source};
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportReport};
use crate::model::{Material, Mesh, MorphTarget};
use crate::refusal::Place;

#[inline(never)]
pub(super) fn meshes(
    root: Json<'_>,
    accessors: &Accessors<'_>,
    materials: &[Material],
    report: &mut ImportReport,
) -> Result<Vec<Mesh>, ImportError> {
    let place = Place::ROOT.field("meshes");
    let mut meshes = Vec::with_capacity(root.count("meshes"));
    for (index, mesh) in root.list("meshes").enumerate() {
        let place = place.index(index);
        let in_mesh = place.field("primitives");
        let mut primitives = Vec::with_capacity(mesh.count("primitives"));
        for (index, primitive) in mesh.list("primitives").enumerate() {
            let place = in_mesh.index(index);
            let source = Source { primitive, accessors, place, report: &mut *report };
            primitives.extend(primitives::read(source, materials)?);
        }

        let target_counts = || primitives.iter().map(|primitive| primitive.morph_targets.len());
        let target_count = target_counts().max().unwrap_or(0);
        if target_counts().any(|count| count != target_count) {
            report.warn(WarningKind::MorphTargetCountsDiffer, &place);
        }
        drawing::report_weights(mesh, target_count, &place, report);
        // All primitives get as many targets as the primitive with the most.
        let added: usize = target_counts().map(|count| target_count - count).sum();
        accessors.budget.charge(added as u64, size_of::<MorphTarget>(), || place.pointer())?;
        for primitive in &mut primitives {
            primitive.morph_targets.resize_with(target_count, MorphTarget::default);
        }
        // By a convention of exporters, names are here. `extras` may contain anything.
        let names = mesh.get("extras").into_iter().flat_map(|extras| extras.texts("targetNames"));
        let mut morph_target_names: Vec<String> = names.take(target_count).map(str::to_owned).collect();
        morph_target_names.resize_with(target_count, String::new);
        meshes.push(Mesh { name: mesh.name(), primitives, morph_target_names });
    }
    Ok(meshes)
}
