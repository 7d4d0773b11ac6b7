//! Variants of materials: `KHR_materials_variants`.
use super::json::Json;
use crate::model::{MaterialIndex, VariantIndex};

const EXTENSION: &str = "KHR_materials_variants";

/// Returns the names of the file's variants.
pub(super) fn names(root: Json<'_>) -> Vec<String> {
    let variants = root.extension(EXTENSION).into_iter().flat_map(|extension| extension.list("variants"));
    variants.map(Json::name).collect()
}

/// Returns the materials of a primitive's variants. Of several for one variant, the first counts.
pub(super) fn mappings(primitive: Json<'_>) -> Vec<(VariantIndex, MaterialIndex)> {
    let mut mapped = Vec::new();
    let extension = primitive.extension(EXTENSION);
    for mapping in extension.into_iter().flat_map(|extension| extension.list("mappings")) {
        let Some(material) = mapping.index("material") else { continue };
        for variant in mapping.indices("variants") {
            mapped.push((VariantIndex::new(variant), MaterialIndex::new(material)));
        }
    }
    mapped
}
