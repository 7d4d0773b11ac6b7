//! Variants of materials: `KHR_materials_variants`.
use super::json::Json;
use crate::model::{MaterialIndex, VariantIndex};

const EXTENSION: &str = "KHR_materials_variants";

/// Returns the names of the file's variants.
pub(super) fn names(root: Json<'_>) -> Vec<String> {
    let mut names = Vec::new();
    if let Some(extension) = root.extension(EXTENSION) {
        for variant in extension.list("variants") {
            names.push(variant.name());
        }
    }
    names
}

/// Returns the materials of a primitive's variants. Of several for one variant, the first counts.
#[inline(never)]
pub(super) fn mappings(primitive: Json<'_>) -> Vec<(VariantIndex, MaterialIndex)> {
    let mut mapped = Vec::new();
    let Some(extension) = primitive.extension(EXTENSION) else { return mapped };
    for mapping in extension.list("mappings") {
        let material = mapping.index("material").unwrap_or_default();
        for variant in mapping.indices("variants") {
            mapped.push((VariantIndex::new(variant), MaterialIndex::new(material)));
        }
    }
    mapped
}
