use super::material_table::FACTORS;
use super::{AlphaMode, CameraIndex, LightIndex, Material, MaterialIndex, NodeIndex};
use glam::{Vec2, Vec3};

/// A property that some clip animates, other than the transforms and morph weights of nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct AnimatedProperty {
    pub target: PropertyTarget,
    /// Value of the file, which the property has where it isn't keyed. At least one number.
    pub rest: Vec<f32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyTarget {
    /// 1 or 0. Values of blended clips are visible from 0.5 on.
    Visible(NodeIndex),
    Material(MaterialIndex, MaterialPart),
    Light(LightIndex, LightPart),
    Camera(CameraIndex, CameraPart),
}

/// A property of a material. Factors and textures are given by their rows in [`FACTORS`] and
/// [`TEXTURES`](super::material_table::TEXTURES).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaterialPart {
    Factor(usize),
    /// Factor of the emissive colour. It follows the property of that colour, which is then without this factor.
    EmissiveStrength,
    AlphaCutoff,
    UvOffset(usize),
    UvRotation(usize),
    UvScale(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LightPart {
    Color,
    Intensity,
    Range,
    InnerAngle,
    OuterAngle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CameraPart {
    VerticalFov,
    Aspect,
    Near,
    Far,
    HalfWidth,
    HalfHeight,
}

impl Material {
    /// Returns the numbers of a property. `None` if the material has none, like the texture's place without a texture.
    /// The emissive strength is part of the colour.
    pub fn part(&self, part: MaterialPart) -> Option<Vec<f32>> {
        let transform = |texture: usize| Some(self.textures()[texture]?.transform);
        match part {
            MaterialPart::Factor(row) => Some(self.factors()[row].to_vec()),
            MaterialPart::EmissiveStrength => Some(vec![1.0]),
            MaterialPart::AlphaCutoff => match self.alpha {
                AlphaMode::Mask { cutoff } => Some(vec![cutoff]),
                AlphaMode::Opaque | AlphaMode::Blend => None,
            },
            MaterialPart::UvOffset(texture) => Some(transform(texture)?.offset.to_array().to_vec()),
            MaterialPart::UvRotation(texture) => Some(vec![transform(texture)?.rotation]),
            MaterialPart::UvScale(texture) => Some(transform(texture)?.scale.to_array().to_vec()),
        }
    }

    /// Sets a property that [`part`](Self::part) returns. Factors are clamped to their range. The emissive strength
    /// multiplies the colour, which must have been set before.
    pub fn set_part(&mut self, part: MaterialPart, numbers: &[f32]) {
        let &[first, ..] = numbers else { return };
        let pair = Vec2::new(first, numbers.get(1).copied().unwrap_or(first));
        match part {
            MaterialPart::Factor(row) => {
                let factors = self.factors_mut();
                for (held, &number) in factors[row].iter_mut().zip(numbers) {
                    *held = FACTORS[row].range.clamp(number);
                }
            }
            MaterialPart::EmissiveStrength => {
                self.emissive = (self.emissive * first.max(0.0)).min(Vec3::splat(f32::MAX));
            }
            MaterialPart::AlphaCutoff => {
                if let AlphaMode::Mask { cutoff } = &mut self.alpha {
                    *cutoff = first;
                }
            }
            MaterialPart::UvOffset(texture)
            | MaterialPart::UvRotation(texture)
            | MaterialPart::UvScale(texture) => {
                let slots = self.textures_mut();
                let Some(slot) = slots[texture] else { return };
                match part {
                    MaterialPart::UvOffset(_) => slot.transform.offset = pair,
                    MaterialPart::UvScale(_) => slot.transform.scale = pair,
                    _ => slot.transform.rotation = first,
                }
            }
        }
    }
}
