//! Targets of `KHR_animation_pointer`: JSON pointers to properties that clips may animate.
use super::json::Json;
use super::nodes::Hierarchy;
use crate::model::material_table::{FACTORS, TEXTURES};
use crate::model::{
    AnimatedProperty, Material, MaterialIndex, MaterialPart, NodeIndex, PropertyIndex, PropertyTarget,
};

/// The file and what has been read of it.
pub(super) struct Pointers<'a> {
    pub(super) root: Json<'a>,
    pub(super) hierarchy: &'a Hierarchy,
    pub(super) materials: &'a [Material],
    /// Properties to which some pointer leads.
    pub(super) properties: Vec<AnimatedProperty>,
    /// Indices of the properties of each node, then of each material, and so on.
    by_owner: Vec<Vec<usize>>,
}

/// What a pointer leads to.
pub(super) enum Target<'a> {
    /// Nodes of the file, and the path that an animation without pointer has.
    Nodes(Vec<usize>, &'a str),
    Property(PropertyIndex),
}

impl<'a> Pointers<'a> {
    pub(super) fn new(root: Json<'a>, hierarchy: &'a Hierarchy, materials: &'a [Material]) -> Self {
        Self { root, hierarchy, materials, properties: Vec::new(), by_owner: Vec::new() }
    }

    /// Returns the target of a pointer; `None` if it leads to nothing that is read.
    pub(super) fn resolve<'p>(&mut self, pointer: &'p str) -> Option<Target<'p>> {
        let (array, path) = pointer.strip_prefix('/')?.split_once('/')?;
        if array == "extensions" {
            return self.undrawn(array, path);
        }
        let (index, path) = path.split_once('/')?;
        let index: usize = index.parse().ok()?;
        let object = self.root.element(array, index)?;
        let target = match (array, path) {
            ("nodes", "translation" | "rotation" | "scale" | "weights") => {
                return Some(Target::Nodes(vec![index], path));
            }
            ("meshes", "weights") => {
                // Weights of nodes take precedence over those of their mesh.
                let draws =
                    |node: &Json<'_>| node.index("mesh") == Some(index) && node.get("weights").is_none();
                let nodes = self.root.list("nodes").enumerate().filter(|(_, node)| draws(node));
                return Some(Target::Nodes(nodes.map(|(node, _)| node).collect(), path));
            }
            ("nodes", "extensions/KHR_node_visibility/visible") => {
                let is_visible = object.extension("KHR_node_visibility")?.flag_or("visible", true);
                let node: NodeIndex = self.hierarchy.node(index)?;
                self.add(index, PropertyTarget::Visible(node), || Some(vec![f32::from(u8::from(is_visible))]))
            }
            ("materials", _) => self.material(object, index, path),
            _ => return self.undrawn(array, pointer.strip_prefix('/')?.split_once('/')?.1),
        };
        target.map(Target::Property)
    }

    fn material(&mut self, object: Json<'_>, index: usize, path: &str) -> Option<PropertyIndex> {
        let materials = self.materials;
        let material = materials.get(index)?;
        let owner = self.root.count("nodes") + index;
        let part = material_part(path)?;
        let emissive = FACTORS.iter().position(|row| row.path == "emissiveFactor")?;
        let mut add = |part| {
            let target = PropertyTarget::Material(MaterialIndex::new(index), part);
            self.add(owner, target, || material.part(part))
        };
        if part != MaterialPart::EmissiveStrength && part != MaterialPart::Factor(emissive) {
            return add(part);
        }
        // The material has the product of both. The strength follows the colour.
        let (color, strength) = (add(MaterialPart::Factor(emissive))?, add(MaterialPart::EmissiveStrength)?);
        let extension = object.extension("KHR_materials_emissive_strength");
        let numbers = object.at("emissiveFactor").into_iter().flat_map(Json::into_numbers);
        let number = extension.and_then(|extension| extension.number("emissiveStrength"));
        let mut rest = vec![0.0; 3];
        rest.iter_mut().zip(numbers).for_each(|(held, number)| *held = number.clamp(0.0, 1.0));
        for (property, rest) in [(color, rest), (strength, vec![number.unwrap_or(1.0)])] {
            if let Some(property) = self.properties.get_mut(property.get()) {
                property.rest = rest;
            }
        }
        Some(if part == MaterialPart::EmissiveStrength { strength } else { color })
    }

    /// Returns the property of a target. Adds it if it is new and has a value.
    fn add(
        &mut self,
        owner: usize,
        target: PropertyTarget,
        rest: impl FnOnce() -> Option<Vec<f32>>,
    ) -> Option<PropertyIndex> {
        if self.by_owner.len() <= owner {
            self.by_owner.resize_with(owner + 1, Vec::new);
        }
        let known = self.by_owner.get_mut(owner)?;
        let is_it = |&&index: &&usize| self.properties.get(index).is_some_and(|held| held.target == target);
        if let Some(&index) = known.iter().find(is_it) {
            return Some(PropertyIndex::new(index));
        }
        let index = self.properties.len();
        self.properties.push(AnimatedProperty { target, rest: rest()? });
        known.push(index);
        Some(PropertyIndex::new(index))
    }

    /// Nothing: the player's download has no code for what it doesn't draw.
    #[cfg(not(any(feature = "formats", not(target_arch = "wasm32"))))]
    fn undrawn<'p>(&mut self, _: &str, _: &'p str) -> Option<Target<'p>> {
        None
    }
}

/// Returns the property at a path of a material.
fn material_part(path: &str) -> Option<MaterialPart> {
    if let Some(row) = FACTORS.iter().position(|row| row.path == path) {
        return Some(MaterialPart::Factor(row));
    }
    match path {
        "alphaCutoff" => return Some(MaterialPart::AlphaCutoff),
        "extensions/KHR_materials_emissive_strength/emissiveStrength" => {
            return Some(MaterialPart::EmissiveStrength);
        }
        _ => {}
    }
    let (texture, name) = path.split_once("/extensions/KHR_texture_transform/")?;
    let texture = TEXTURES.iter().position(|row| row.path == texture)?;
    Some(match name {
        "offset" => MaterialPart::UvOffset(texture),
        "rotation" => MaterialPart::UvRotation(texture),
        "scale" => MaterialPart::UvScale(texture),
        _ => return None,
    })
}

#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
mod undrawn {
    use super::{Json, Pointers, Target};
    use crate::model::{CameraIndex, CameraPart, LightIndex, LightPart, PropertyTarget};
    use std::f32::consts::FRAC_PI_4;

    impl Pointers<'_> {
        /// Returns the property of a light or camera.
        pub(super) fn undrawn<'p>(&mut self, array: &str, path: &'p str) -> Option<Target<'p>> {
            let first = self.root.count("nodes") + self.root.count("materials");
            let (owner, target, rest) = match array {
                "cameras" => {
                    let (index, path) = path.split_once('/')?;
                    let index: usize = index.parse().ok()?;
                    let part = match path {
                        "perspective/yfov" => CameraPart::VerticalFov,
                        "perspective/aspectRatio" => CameraPart::Aspect,
                        "perspective/znear" | "orthographic/znear" => CameraPart::Near,
                        "perspective/zfar" | "orthographic/zfar" => CameraPart::Far,
                        "orthographic/xmag" => CameraPart::HalfWidth,
                        "orthographic/ymag" => CameraPart::HalfHeight,
                        _ => return None,
                    };
                    let rest = self.root.element("cameras", index)?.at(path)?.into_numbers().collect();
                    (first + index, PropertyTarget::Camera(CameraIndex::new(index), part), rest)
                }
                _ => {
                    let (index, path) = path.strip_prefix("KHR_lights_punctual/lights/")?.split_once('/')?;
                    let index: usize = index.parse().ok()?;
                    let (part, default) = match path {
                        "color" => (LightPart::Color, &[1.0; 3][..]),
                        "intensity" => (LightPart::Intensity, &[1.0][..]),
                        "range" => (LightPart::Range, &[][..]),
                        "spot/innerConeAngle" => (LightPart::InnerAngle, &[0.0][..]),
                        "spot/outerConeAngle" => (LightPart::OuterAngle, &[FRAC_PI_4][..]),
                        _ => return None,
                    };
                    let light = self.root.extension("KHR_lights_punctual")?.element("lights", index)?;
                    let rest: Vec<f32> =
                        light.at(path).map_or(default.to_vec(), |value| Json::into_numbers(value).collect());
                    let owner = first + self.root.count("cameras") + index;
                    (owner, PropertyTarget::Light(LightIndex::new(index), part), rest)
                }
            };
            let known = self.add(owner, target, || Some(rest).filter(|rest| !rest.is_empty()));
            known.map(Target::Property)
        }
    }
}
