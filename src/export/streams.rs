//! Numbers in the small formats of compressed files: integers, or codes of a filter.
//!
//! | numbers | format | error |
//! |---|---|---|
//! | positions, displacements | multiples of a power of two, at least 2¹⁵ of them along the mesh | half of it |
//! | directions | octahedral, 8 bits | 1° |
//! | displacements of directions | 8 bits, or multiples of 1/128 | 1/254 |
//! | texture coordinates | 16 bits from 0 to 1, otherwise multiples of 2⁻¹⁵ of the largest | half a unit |
//! | colours | 8 bits if that is exact, otherwise 16 | half a unit |
//! | joint weights | 8 bits, which sum to 1 | one unit |
use super::binary::{Element, Numbers, bounds};
use super::meshopt::{
    decode_exponential, encode_exponential, encode_octahedral, encode_quaternion, exponent_of_step,
};
use glam::{Quat, Vec3, Vec4};

/// A filter that readers apply to decoded elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    None,
    Octahedral,
    Quaternion,
    Exponential,
}

impl Filter {
    /// Returns the extension's name; `None` for the default.
    pub(super) fn name(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Octahedral => Some("OCTAHEDRAL"),
            Self::Quaternion => Some("QUATERNION"),
            Self::Exponential => Some("EXPONENTIAL"),
        }
    }
}

/// Elements of an accessor as they are stored, each of a multiple of 4 bytes.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    pub(super) element: Element,
    /// OpenGL's constant for the component type behind the filter.
    pub(super) component: usize,
    pub(super) normalized: bool,
    pub(super) filter: Filter,
    pub(super) stride: usize,
    pub(super) bytes: Vec<u8>,
}

const I8: usize = 5120;
const U8: usize = 5121;
const I16: usize = 5122;
const U16: usize = 5123;
const F32: usize = 5126;

impl Stream {
    /// Stores floats as they are.
    pub(super) fn exact(element: Element, numbers: &[f32]) -> Self {
        Self::floats(element, Filter::None, Numbers::F32(numbers).bytes())
    }

    /// Rounds floats to multiples of 2 to the power of `exponent`.
    pub(super) fn exponential(element: Element, numbers: &[f32], exponent: i32) -> Self {
        let codes = numbers.iter().flat_map(|&number| encode_exponential(number, exponent));
        Self::floats(element, Filter::Exponential, codes.collect())
    }

    /// Rounds directions, whose fourth component is a sign.
    pub(super) fn directions(element: Element, directions: impl Iterator<Item = Vec4>) -> Self {
        let code = |direction: Vec4| {
            let sign = if direction.w > 0.0 { 127 } else { -127 };
            let last = if element == Element::Vec4 { sign } else { 0 };
            encode_octahedral(direction.truncate(), last).map(i8::cast_unsigned)
        };
        Self {
            element,
            component: I8,
            normalized: true,
            filter: Filter::Octahedral,
            stride: 4,
            bytes: directions.flat_map(code).collect(),
        }
    }

    /// Rounds displacements of directions.
    pub(super) fn direction_deltas(deltas: &[Vec3]) -> Self {
        if !deltas.iter().all(|delta| delta.abs().max_element() <= 1.0) {
            return Self::exponential(Element::Vec3, bytemuck::cast_slice(deltas), -7);
        }
        #[allow(clippy::cast_possible_truncation, reason = "at most 127")]
        let byte = |number: f32| ((number * 127.0).round() as i8).cast_unsigned();
        let bytes = deltas.iter().flat_map(|delta| {
            let [x, y, z] = delta.to_array().map(byte);
            [x, y, z, 0]
        });
        Self {
            element: Element::Vec3,
            component: I8,
            normalized: true,
            filter: Filter::None,
            stride: 4,
            bytes: bytes.collect(),
        }
    }

    /// Rounds texture coordinates.
    pub(super) fn uvs(numbers: &[f32]) -> Self {
        let largest = numbers.iter().fold(0.0, |largest: f32, number| largest.max(number.abs()));
        if numbers.iter().all(|number| (0.0..=1.0).contains(number)) {
            return Self::units(Element::Vec2, 2, numbers, U16);
        }
        Self::exponential(Element::Vec2, numbers, exponent_of_step(f64::from(largest) / 32768.0))
    }

    /// Rounds colours from 0 to 1, of so many components.
    pub(super) fn colors(element: Element, width: usize, numbers: &[f32]) -> Self {
        let is_byte = |number: &f32| {
            let byte = number * 255.0;
            (byte - byte.round()).abs() < 1e-3
        };
        Self::units(element, width, numbers, if numbers.iter().all(is_byte) { U8 } else { U16 })
    }

    /// Rounds rotations to 16 bits, with so many of them stored.
    pub(super) fn rotations(numbers: &[f32], bits: u32) -> Self {
        let code = |rotation: &[f32]| {
            let rotation = rotation.first_chunk().copied().unwrap_or_default();
            encode_quaternion(Quat::from_array(rotation), bits).map(i16::to_le_bytes).concat()
        };
        Self {
            element: Element::Vec4,
            component: I16,
            normalized: true,
            filter: Filter::Quaternion,
            stride: 8,
            bytes: numbers.chunks_exact(4).flat_map(code).collect(),
        }
    }

    /// Stores joints and joint weights, four to a vertex.
    pub(super) fn joints(joints: &[u16]) -> Self {
        let bytes: Option<Vec<u8>> = joints.iter().map(|&joint| u8::try_from(joint).ok()).collect();
        let (component, stride, bytes) = match bytes {
            Some(bytes) => (U8, 4, bytes),
            None => (U16, 8, Numbers::U16(joints).bytes()),
        };
        let (element, filter) = (Element::Vec4, Filter::None);
        Self { element, component, normalized: false, filter, stride, bytes }
    }

    pub(super) fn joint_weights(bytes: Vec<u8>) -> Self {
        let (element, filter) = (Element::Vec4, Filter::None);
        Self { element, component: U8, normalized: true, filter, stride: 4, bytes }
    }

    /// Returns the least and the largest components as a reader finds them; for floats alone.
    pub(super) fn bounds(&self) -> Option<(Vec<f32>, Vec<f32>)> {
        let read = match (self.component, self.filter) {
            (F32, Filter::None) => f32::from_le_bytes,
            (F32, Filter::Exponential) => decode_exponential,
            _ => return None,
        };
        let numbers: Vec<f32> =
            self.bytes.chunks_exact(4).filter_map(|code| Some(read(*code.first_chunk()?))).collect();
        Some(bounds(&numbers, self.stride / 4))
    }

    pub(super) fn count(&self) -> usize {
        self.bytes.len() / self.stride
    }

    /// Returns the elements in another order, in which some may be left out or repeated.
    pub(super) fn picked(&self, order: &[u32]) -> Self {
        let element = |&at: &u32| {
            let start = usize::try_from(at).unwrap_or(usize::MAX).saturating_mul(self.stride);
            self.bytes.get(start..).and_then(|rest| rest.get(..self.stride)).unwrap_or_default()
        };
        Self { bytes: order.iter().flat_map(element).copied().collect(), ..*self }
    }

    fn floats(element: Element, filter: Filter, bytes: Vec<u8>) -> Self {
        let stride = element.width() * 4;
        Self { element, component: F32, normalized: false, filter, stride, bytes }
    }

    /// Rounds numbers from 0 to 1 to bytes or 16-bit integers.
    fn units(element: Element, width: usize, numbers: &[f32], component: usize) -> Self {
        let size = if component == U8 { 1 } else { 2 };
        let largest = if component == U8 { 255.0 } else { 65535.0 };
        let stride = (width * size).next_multiple_of(4);
        let mut bytes = Vec::with_capacity(numbers.len() / width.max(1) * stride);
        for element in numbers.chunks_exact(width) {
            for number in element {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
                let code = (number.clamp(0.0, 1.0) * largest).round() as u16;
                bytes.extend(code.to_le_bytes().into_iter().take(size));
            }
            bytes.resize(bytes.len().next_multiple_of(stride), 0);
        }
        Self { element, component, normalized: true, filter: Filter::None, stride, bytes }
    }
}
