//! Formats that glTF allows for each kind of data: types, number formats, and whether elements may have a stride.
use gltf::json::accessor::{ComponentType, Type};

/// The purpose of an accessor. A type that isn't allowed is an error; for another format or a stride there is only a
/// warning.
#[derive(Clone, Copy)]
pub(super) struct Use {
    pub(super) types: &'static [Type],
    numbers: Numbers,
    /// Only vertex attributes may have a stride.
    pub(super) is_vertex: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Numbers {
    /// Floats only.
    Floats,
    /// Floats, or integers of 8 or 16 bits with `KHR_mesh_quantization`.
    Quantized,
    /// Floats, or normalised integers of 8 or 16 bits.
    Normalized,
    /// Unsigned integers of 8 or 16 bits.
    Joints,
    /// Unsigned integers.
    Indices,
    Any,
}

impl Use {
    /// Positions, normals, and the displacements that morph targets add to them and to tangents.
    pub(super) const VECTORS: Self = vertex(&[Type::Vec3], Numbers::Quantized);
    pub(super) const TANGENTS: Self = vertex(&[Type::Vec4], Numbers::Quantized);
    pub(super) const UVS: Self = vertex(&[Type::Vec2], Numbers::Normalized);
    pub(super) const RGB: Self = vertex(&[Type::Vec3], Numbers::Normalized);
    pub(super) const RGBA: Self = vertex(&[Type::Vec4], Numbers::Normalized);
    pub(super) const JOINTS: Self = vertex(&[Type::Vec4], Numbers::Joints);
    pub(super) const JOINT_WEIGHTS: Self = vertex(&[Type::Vec4], Numbers::Normalized);
    pub(super) const INSTANCE_ROTATIONS: Self = vertex(&[Type::Vec4], Numbers::Normalized);
    pub(super) const INDICES: Self = apart(&[Type::Scalar], Numbers::Indices);
    pub(super) const BIND_MATRICES: Self = apart(&[Type::Mat4], Numbers::Floats);
    pub(super) const KEY_TIMES: Self = apart(&[Type::Scalar], Numbers::Floats);
    /// Keys of translations and scales.
    pub(super) const KEY_VECTORS: Self = apart(&[Type::Vec3], Numbers::Floats);
    pub(super) const KEY_ROTATIONS: Self = apart(&[Type::Vec4], Numbers::Normalized);
    pub(super) const KEY_MORPH_WEIGHTS: Self = apart(&[Type::Scalar], Numbers::Normalized);
    pub(super) const KEY_MATRICES: Self = apart(&[Type::Mat4], Numbers::Floats);

    /// Returns the use as keys of a property with so many numbers.
    pub(super) fn property(width: usize) -> Self {
        let types: &[Type] = match width {
            1 => &[Type::Scalar],
            2 => &[Type::Vec2],
            3 => &[Type::Vec3],
            _ => &[Type::Vec4],
        };
        apart(types, Numbers::Any)
    }

    /// Returns whether glTF allows this number format for it, with or without `KHR_mesh_quantization`.
    pub(super) fn allows(self, component: ComponentType, normalized: bool, quantized: bool) -> bool {
        let is_float = component == ComponentType::F32;
        let is_short = !is_float && component != ComponentType::U32;
        let is_unsigned = !matches!(component, ComponentType::I8 | ComponentType::I16 | ComponentType::F32);
        match self.numbers {
            Numbers::Floats => is_float,
            Numbers::Quantized => is_float || quantized && is_short,
            Numbers::Normalized => is_float || is_short && (normalized || quantized && self.is_vertex),
            Numbers::Joints => is_unsigned && is_short && !normalized,
            Numbers::Any => true,
            Numbers::Indices => is_unsigned && !normalized,
        }
    }
}

const fn vertex(types: &'static [Type], numbers: Numbers) -> Use {
    Use { types, numbers, is_vertex: true }
}

const fn apart(types: &'static [Type], numbers: Numbers) -> Use {
    Use { types, numbers, is_vertex: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ComponentType::{F32, I8, I16, U8, U16, U32};

    // From the tables of glTF 2.0, sections 3.7.2.1 and 3.11, and of KHR_mesh_quantization.
    #[test]
    fn formats_are_those_of_the_specification() {
        let all = [I8, U8, I16, U16, U32, F32];
        let allowed = |of: Use, normalized: bool, quantized: bool| -> Vec<ComponentType> {
            all.into_iter().filter(|&component| of.allows(component, normalized, quantized)).collect()
        };
        for (of, plain, normalized) in [
            (Use::VECTORS, &[F32][..], &[F32][..]),
            (Use::TANGENTS, &[F32], &[F32]),
            (Use::UVS, &[F32], &[I8, U8, I16, U16, F32]),
            (Use::RGBA, &[F32], &[I8, U8, I16, U16, F32]),
            (Use::JOINTS, &[U8, U16], &[]),
            (Use::INDICES, &[U8, U16, U32], &[]),
            (Use::BIND_MATRICES, &[F32], &[F32]),
            (Use::KEY_TIMES, &[F32], &[F32]),
            (Use::KEY_VECTORS, &[F32], &[F32]),
            (Use::KEY_ROTATIONS, &[F32], &[I8, U8, I16, U16, F32]),
            (Use::KEY_MORPH_WEIGHTS, &[F32], &[I8, U8, I16, U16, F32]),
        ] {
            assert_eq!(allowed(of, false, false), plain);
            assert_eq!(allowed(of, true, false), normalized);
        }
        assert_eq!(allowed(Use::VECTORS, false, true), [I8, U8, I16, U16, F32]);
        assert_eq!(allowed(Use::UVS, false, true), [I8, U8, I16, U16, F32]);
        // The extension doesn't apply to keys.
        assert_eq!(allowed(Use::KEY_VECTORS, false, true), [F32]);
        assert_eq!(allowed(Use::KEY_ROTATIONS, false, true), [F32]);
    }
}
