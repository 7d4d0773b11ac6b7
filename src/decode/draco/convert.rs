//! Conversion of attributes to the component types that glTF's accessors ask for.
use super::{Attribute, ComponentType};

impl Attribute {
    /// Returns the bytes of the attribute with components of another type, or nothing if a component doesn't fit in it.
    ///
    /// Encoders store some attributes with a larger type than the accessor has, such as joints. Integers that are
    /// normalised become numbers up to 1 and back; other numbers are rounded towards zero.
    pub fn converted(&self, to: ComponentType) -> Option<Vec<u8>> {
        if to == self.component_type {
            return Some(self.bytes.clone());
        }
        let size = self.component_type.size();
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(self.bytes.len() / size * to.size()).ok()?;
        for component in self.bytes.chunks_exact(size) {
            let mut number = read(component, self.component_type)?;
            if self.normalized && to == ComponentType::F32 {
                // Draco divides numbers of single precision.
                number = f64::from(single(number) / single(largest(self.component_type)));
            } else if self.normalized && self.component_type == ComponentType::F32 {
                if !(0.0..=1.0).contains(&number) {
                    return None;
                }
                number = (number * largest(to) + 0.5).floor();
            }
            write(number, to, &mut bytes)?;
        }
        Some(bytes)
    }
}

fn read(bytes: &[u8], component_type: ComponentType) -> Option<f64> {
    Some(match component_type {
        ComponentType::I8 => i8::from_le_bytes(bytes.try_into().ok()?).into(),
        ComponentType::U8 => u8::from_le_bytes(bytes.try_into().ok()?).into(),
        ComponentType::I16 => i16::from_le_bytes(bytes.try_into().ok()?).into(),
        ComponentType::U16 => u16::from_le_bytes(bytes.try_into().ok()?).into(),
        ComponentType::I32 => i32::from_le_bytes(bytes.try_into().ok()?).into(),
        ComponentType::U32 => u32::from_le_bytes(bytes.try_into().ok()?).into(),
        ComponentType::F32 => f32::from_le_bytes(bytes.try_into().ok()?).into(),
    })
}

fn write(number: f64, component_type: ComponentType, bytes: &mut Vec<u8>) -> Option<()> {
    if component_type == ComponentType::F32 {
        bytes.extend_from_slice(&single(number).to_le_bytes());
        return Some(());
    }
    if !(smallest(component_type)..=largest(component_type)).contains(&number) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "rounds a number in the range of the type")]
    let number = (number as i64).to_le_bytes();
    bytes.extend_from_slice(number.get(..component_type.size())?);
    Some(())
}

fn smallest(component_type: ComponentType) -> f64 {
    match component_type {
        ComponentType::I8 => i8::MIN.into(),
        ComponentType::I16 => i16::MIN.into(),
        ComponentType::I32 => i32::MIN.into(),
        _ => 0.0,
    }
}

fn largest(component_type: ComponentType) -> f64 {
    match component_type {
        ComponentType::I8 => i8::MAX.into(),
        ComponentType::U8 => u8::MAX.into(),
        ComponentType::I16 => i16::MAX.into(),
        ComponentType::U16 => u16::MAX.into(),
        ComponentType::I32 => i32::MAX.into(),
        ComponentType::U32 => u32::MAX.into(),
        ComponentType::F32 => 1.0,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the conversion is meant to round")]
fn single(number: f64) -> f32 {
    number as f32
}
