//! The materials that an instance binds to the symbols of a geometry.
use super::Reader;
use super::effects::{self, Effect, Mapped};
use super::geometry::Part;
use super::xml::{Element, Id};
use crate::model::{Material, MaterialIndex, TextureSlot, UvTransform};
use std::collections::HashMap;
use std::rc::Rc;

/// Cache of effects and materials. A material is added once for each combination of coordinate sets of its textures.
#[derive(Default)]
pub(super) struct Materials {
    effects: HashMap<Id, Rc<Effect>>,
    made: HashMap<(Id, [usize; 2]), MaterialIndex>,
}

// More sets than any file has. They are searched for each part of a geometry.
const MOST_INPUTS: usize = 64;

/// Each `instance_material`, by its symbol.
pub(super) struct Bindings<'a>(HashMap<&'a str, Element<'a>>);

impl<'a> Bindings<'a> {
    pub(super) fn of(instance: Element<'a>) -> Self {
        let technique = instance.descend(&["bind_material", "technique_common"]);
        let materials =
            technique.into_iter().flat_map(|technique| technique.children_named("instance_material"));
        Self(materials.filter_map(|material| Some((material.attribute("symbol")?, material))).collect())
    }
}

impl Materials {
    /// Returns the material of a part; `None` if the file has none.
    pub(super) fn of_part<'a>(
        &mut self,
        reader: &mut Reader<'a>,
        bindings: &Bindings<'a>,
        part: &Part,
    ) -> Option<MaterialIndex> {
        let binding = bindings.0.get(part.symbol.as_str()).copied();
        let material = match binding {
            Some(binding) => binding.target("target").ok(),
            // An unbound symbol is often the id of the material.
            None => reader.file.by_id(&part.symbol),
        };
        let material = material.filter(|element| element.tag() == "material");
        if let (None, Some(binding)) = (material, binding) {
            reader.warn_of_reference(binding);
        }
        let material = material?;
        let effect = self.effect(reader, material);

        let uv_set = |mapped: &Option<Mapped>| {
            let coordinates = mapped.as_ref().map_or("", |mapped| mapped.coordinates.as_str());
            uv_set(binding, coordinates, part)
        };
        let uv_sets = [uv_set(&effect.base_color), uv_set(&effect.emissive)];
        let made = self.made.entry((material.id(), uv_sets)).or_insert_with(|| {
            let slot = |mapped: &Option<Mapped>, uv_set| {
                let texture = mapped.as_ref()?.texture;
                Some(TextureSlot { texture, uv_set, transform: UvTransform::IDENTITY })
            };
            let [base_color, emissive] = uv_sets;
            reader.imported.materials.push(Material {
                base_color_texture: slot(&effect.base_color, base_color),
                emissive_texture: slot(&effect.emissive, emissive),
                name: material.label().to_owned(),
                ..effect.material.clone()
            });
            MaterialIndex::new(reader.imported.materials.len() - 1)
        });
        Some(*made)
    }

    fn effect<'a>(&mut self, reader: &mut Reader<'a>, material: Element<'a>) -> Rc<Effect> {
        let Some(instance) = material.child("instance_effect") else { return Rc::default() };
        let Ok(element) = instance.target("url") else {
            reader.warn_of_reference(instance);
            return Rc::default();
        };
        self.effects.entry(element.id()).or_insert_with(|| Rc::new(effects::read(reader, element))).clone()
    }
}

/// Returns the index of the set that `bind_vertex_input` names, or 0 if the part has no such set.
fn uv_set(binding: Option<Element<'_>>, coordinates: &str, part: &Part) -> usize {
    let inputs =
        binding.into_iter().flat_map(|binding| binding.children_named("bind_vertex_input").take(MOST_INPUTS));
    let named = inputs.filter(|input| input.attribute("semantic") == Some(coordinates));
    let number =
        named.filter_map(|input| input.attribute("input_set")).find_map(|set| set.trim().parse().ok());
    let at = number.and_then(|number: usize| part.uv_set_numbers.iter().position(|other| *other == number));
    at.unwrap_or(0)
}
