//! Targets of `KHR_animation_pointer`: JSON pointers to properties that clips may animate.
use super::json::Json;
use super::nodes::Hierarchy;
use crate::model::material_table::{FACTORS, TEXTURES, path_in};
use crate::model::{
    AnimatedProperty, CameraIndex, CameraPart, LightIndex, LightPart, Material, MaterialIndex, MaterialPart,
    PropertyIndex, PropertyTarget,
};
use std::f32::consts::FRAC_PI_4;

/// Most properties that are read. Each is compared with every pointer.
const MOST_PROPERTIES: usize = 10_000;

/// The file and what has been read of it.
pub(super) struct Pointers<'a> {
    pub(super) root: Json<'a>,
    pub(super) hierarchy: &'a Hierarchy,
    pub(super) materials: &'a [Material],
    /// Properties to which some pointer leads.
    pub(super) properties: Vec<AnimatedProperty>,
    /// The pointer to each property. That to an emissive strength is empty.
    known: Vec<&'a str>,
}

/// What a pointer leads to.
pub(super) enum Target<'a> {
    /// Nodes of the file, and the path that an animation without pointer has.
    Nodes(Vec<usize>, &'a str),
    Property(PropertyIndex),
}

impl<'a> Pointers<'a> {
    pub(super) fn new(root: Json<'a>, hierarchy: &'a Hierarchy, materials: &'a [Material]) -> Self {
        Self { root, hierarchy, materials, properties: Vec::new(), known: Vec::new() }
    }

    /// Returns the target of a pointer; `None` if it leads to nothing that is read.
    #[inline(never)]
    pub(super) fn resolve(&mut self, pointer: &'a str) -> Option<Target<'a>> {
        let path = pointer.strip_prefix('/')?;
        if let Some(known) = self.known.iter().position(|known| *known == pointer) {
            return Some(Target::Property(PropertyIndex::new(known)));
        }
        let mut parts = path.splitn(3, '/');
        let (array, index, path) = (parts.next()?, parts.next()?, parts.next()?);
        if self.properties.len() > MOST_PROPERTIES {
            return None;
        }
        let Ok(index) = index.parse::<usize>() else { return self.light(pointer) };
        let object = self.root.element(array, index)?;
        match (array, path) {
            ("nodes", "extensions/KHR_node_visibility/visible") => {
                let is_visible = object.extension("KHR_node_visibility")?.flag_or("visible", true);
                let target = PropertyTarget::Visible(self.hierarchy.node(index)?);
                self.add(pointer, target, vec![f32::from(u8::from(is_visible))])
            }
            ("nodes", _) => Some(Target::Nodes(vec![index], path)),
            ("meshes", "weights") => {
                let mut nodes = Vec::new();
                for (at, node) in self.root.list("nodes").enumerate() {
                    // Weights of nodes take precedence over those of their mesh.
                    if node.index("mesh") == Some(index) && node.get("weights").is_none() {
                        nodes.push(at);
                    }
                }
                Some(Target::Nodes(nodes, path))
            }
            ("materials", _) => self.material(pointer, object, index, path),
            ("cameras", _) => self.camera(pointer, object, index, path),
            _ => None,
        }
    }

    fn material(
        &mut self,
        pointer: &'a str,
        object: Json<'_>,
        index: usize,
        path: &str,
    ) -> Option<Target<'a>> {
        let material = self.materials.get(index)?;
        let part = material_part(path, material.specular_glossiness)?;
        let index = MaterialIndex::new(index);
        let is_strength = part == MaterialPart::EmissiveStrength;
        if !is_strength && path != EMISSIVE {
            return self.add(pointer, PropertyTarget::Material(index, part), material.part(part)?);
        }
        // The material has the product of both. The strength follows the colour.
        let pair = PropertyTarget::Material(index, MaterialPart::EmissiveStrength);
        let mut known = self.properties.iter().position(|property| property.target == pair);
        if known.is_none() {
            let mut rest = vec![0.0; 3];
            let numbers = object.at(EMISSIVE).into_iter().flat_map(Json::into_numbers);
            rest.iter_mut().zip(numbers).for_each(|(held, number)| *held = number.clamp(0.0, 1.0));
            self.add("", PropertyTarget::Material(index, material_part(EMISSIVE, false)?), rest);
            known = Some(self.properties.len());
            let extension = object.extension("KHR_materials_emissive_strength");
            let strength = extension.and_then(|extension| extension.number("emissiveStrength"));
            self.add("", pair, vec![strength.unwrap_or(1.0)]);
        }
        let strength = known?;
        Some(Target::Property(PropertyIndex::new(if is_strength { strength } else { strength - 1 })))
    }

    fn camera(&mut self, pointer: &'a str, object: Json<'_>, index: usize, path: &str) -> Option<Target<'a>> {
        let &(_, part) = CAMERA_PARTS.iter().find(|(of_part, _)| *of_part == path)?;
        let rest = object.at(path)?.into_numbers().collect();
        self.add(pointer, PropertyTarget::Camera(CameraIndex::new(index), part), rest)
    }

    /// Returns the property of a light, whose pointer is longer.
    fn light(&mut self, pointer: &'a str) -> Option<Target<'a>> {
        let (index, path) = pointer.strip_prefix(LIGHTS)?.split_once('/')?;
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
        let rest: Vec<f32> = light.at(path).map_or(default.to_vec(), |value| value.into_numbers().collect());
        if rest.is_empty() {
            return None;
        }
        self.add(pointer, PropertyTarget::Light(LightIndex::new(index), part), rest)
    }

    #[inline(never)]
    fn add(&mut self, pointer: &'a str, target: PropertyTarget, rest: Vec<f32>) -> Option<Target<'a>> {
        self.properties.push(AnimatedProperty { target, rest });
        self.known.push(pointer);
        Some(Target::Property(PropertyIndex::new(self.known.len() - 1)))
    }
}

const EMISSIVE: &str = "emissiveFactor";

const LIGHTS: &str = "/extensions/KHR_lights_punctual/lights/";

const CAMERA_PARTS: [(&str, CameraPart); 8] = [
    ("perspective/yfov", CameraPart::VerticalFov),
    ("perspective/aspectRatio", CameraPart::Aspect),
    ("perspective/znear", CameraPart::Near),
    ("perspective/zfar", CameraPart::Far),
    ("orthographic/znear", CameraPart::Near),
    ("orthographic/zfar", CameraPart::Far),
    ("orthographic/xmag", CameraPart::HalfWidth),
    ("orthographic/ymag", CameraPart::HalfHeight),
];

/// Returns the property at a path of a material.
fn material_part(path: &str, specular_glossiness: bool) -> Option<MaterialPart> {
    if let Some(row) = FACTORS.iter().position(|row| path_in(row.path, specular_glossiness) == path) {
        return Some(MaterialPart::Factor(row));
    }
    match path {
        "alphaCutoff" => return Some(MaterialPart::AlphaCutoff),
        "extensions/KHR_materials_emissive_strength/emissiveStrength" => {
            return Some(MaterialPart::EmissiveStrength);
        }
        _ => {}
    }
    for (texture, row) in TEXTURES.iter().enumerate() {
        let rest = path.strip_prefix(path_in(row.path, specular_glossiness));
        match rest.and_then(|rest| rest.strip_prefix("/extensions/KHR_texture_transform/")) {
            Some("offset") => return Some(MaterialPart::UvOffset(texture)),
            Some("rotation") => return Some(MaterialPart::UvRotation(texture)),
            Some("scale") => return Some(MaterialPart::UvScale(texture)),
            _ => {}
        }
    }
    None
}
