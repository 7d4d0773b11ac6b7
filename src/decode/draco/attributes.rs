//! Attributes of points: what they are, and how their values are stored.
//!
//! Attributes come in groups with one order of values. A value is stored once for all points that share it.
use super::corners::{Corners, get};
use super::edgebreaker::Connectivity;
use super::error::{Result, invalid, unsupported};
use super::memory::Memory;
use super::octahedron::Octahedron;
use super::prediction::{Known, Surface, predict};
use super::rans::symbols;
use super::reader::Reader;
use super::traversal::{by_prediction, depth_first};
use super::{Attribute, AttributeKind, ComponentType};

/// Decodes all attributes. Without connectivity, there is a value for each point, in the order of points.
pub(super) fn attributes(
    reader: &mut Reader,
    memory: &mut Memory,
    connectivity: Option<&Connectivity>,
    point_count: u32,
) -> Result<Vec<Attribute>> {
    let group_count = reader.u8()?;
    let mut groups = memory.empty(group_count.into())?;
    for _ in 0..group_count {
        groups.push(Group { shape: connectivity.map(|_| reader.array()).transpose()?, headers: Vec::new() });
    }
    for group in &mut groups {
        group.headers = headers(reader)?;
    }
    let mut attributes = Vec::new();
    let mut positions = None;
    for Group { shape, headers } in groups {
        let surface = match connectivity.zip(shape) {
            Some((connectivity, shape)) => Some(surface(connectivity, shape, memory)?),
            None => None,
        };
        let value_count =
            surface.as_ref().map_or(point_count as usize, |surface| surface.order.corners.len());
        let value_of_points = surface.as_ref().map(|surface| surface.value_of_points(point_count, memory));
        let points = Points { count: point_count, values: value_of_points.transpose()? };
        let mut stored = Vec::new();
        for header in &headers {
            let known = Known { surface: surface.as_ref(), positions: positions.as_deref() };
            let values = header.values(reader, memory, value_count, known)?;
            if let Values::Integers(values) = &values
                && header.is_position()
                && positions.is_none()
            {
                positions = Some(points.collect(values, memory)?);
            }
            stored.push(values);
        }
        for (header, values) in headers.iter().zip(stored) {
            attributes.push(header.attribute(reader, memory, &values, &points)?);
        }
    }
    Ok(attributes)
}

struct Group {
    /// The number of the corners with the group's seams, whether it has seams, and the order of its values. Meshes in
    /// sequential encoding have none of this.
    shape: Option<[u8; 3]>,
    headers: Vec<Header>,
}

/// Returns the triangles and the order of a group.
fn surface<'a>(
    connectivity: &'a Connectivity,
    [number, kind, order]: [u8; 3],
    memory: &mut Memory,
) -> Result<Surface<'a>> {
    let walk: fn(&Corners, &mut Memory) -> _ = match (kind, order) {
        (_, 0) => depth_first,
        (0, 1) => by_prediction,
        _ => return Err(unsupported!("an unknown order of values")),
    };
    let corners = match kind {
        0 => &connectivity.corners,
        _ => connectivity.seams.get(usize::from(number)).ok_or(invalid!("seams that don't exist"))?,
    };
    Ok(Surface { corners, order: walk(corners, memory)?, points: &connectivity.points })
}

/// Which value each point has.
struct Points {
    count: u32,
    /// The index of the value of each point. Without, it is the point's own.
    values: Option<Vec<u32>>,
}

impl Points {
    /// Returns the index of the value of each point.
    fn values(&self) -> impl Iterator<Item = usize> {
        (0..self.count).map(|point| self.values.as_ref().map_or(point, |values| get(values, point)) as usize)
    }

    /// Returns the position of each point. Positions with other than three components can't be used in predictions.
    fn collect(&self, values: &[i32], memory: &mut Memory) -> Result<Vec<[i32; 3]>> {
        let mut positions = memory.empty(self.count as usize)?;
        let (values, _) = values.as_chunks();
        positions.extend(self.values().map(|value| values.get(value).copied().unwrap_or_default()));
        Ok(positions)
    }
}

/// How values are stored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Storage {
    /// As they are.
    Raw,
    Integers,
    /// As numbers of steps from a smallest value.
    Quantised,
    /// As points of an octahedron.
    Normals,
}

struct Header {
    kind: AttributeKind,
    component_type: ComponentType,
    components: u8,
    normalized: bool,
    unique_id: u32,
    storage: Storage,
}

/// Reads what the attributes of a group are.
fn headers(reader: &mut Reader) -> Result<Vec<Header>> {
    let count = reader.varint()?;
    let mut headers = Vec::new();
    for _ in 0..count {
        let [kind, component_type, components, normalized] = reader.array()?;
        let kind = match kind {
            0 => AttributeKind::Position,
            1 => AttributeKind::Normal,
            2 => AttributeKind::Color,
            3 => AttributeKind::TexCoord,
            4 => AttributeKind::Generic,
            _ => return Err(invalid!("an unknown kind of attribute")),
        };
        let component_type = match component_type {
            1 => ComponentType::I8,
            2 => ComponentType::U8,
            3 => ComponentType::I16,
            4 => ComponentType::U16,
            5 => ComponentType::I32,
            6 => ComponentType::U32,
            9 => ComponentType::F32,
            _ => return Err(unsupported!("an attribute of 64-bit numbers or of truth values")),
        };
        if components == 0 {
            return Err(invalid!("an attribute without components"));
        }
        let (normalized, unique_id) = (normalized > 0, reader.varint()?);
        let storage = Storage::Raw;
        headers.push(Header { kind, component_type, components, normalized, unique_id, storage });
    }
    for header in &mut headers {
        let is_float = header.component_type == ComponentType::F32;
        header.storage = match reader.u8()? {
            0 => Storage::Raw,
            1 if !is_float => Storage::Integers,
            2 if is_float => Storage::Quantised,
            3 if is_float && header.components == 3 => Storage::Normals,
            _ => return Err(invalid!("an attribute whose type doesn't fit its storage")),
        };
    }
    Ok(headers)
}

/// Values as they are stored.
enum Values<'a> {
    Raw(&'a [u8]),
    Integers(Vec<i32>),
}

impl Header {
    fn is_position(&self) -> bool {
        self.kind == AttributeKind::Position && self.components == 3
    }

    /// Returns the number of bytes of a point.
    fn stride(&self) -> usize {
        self.component_type.size() * usize::from(self.components)
    }

    /// Returns the number of integers that are stored for a value.
    fn integers(&self) -> usize {
        if self.storage == Storage::Normals { 2 } else { self.components.into() }
    }

    /// Reads the values.
    fn values<'a>(
        &self,
        reader: &mut Reader<'a>,
        memory: &mut Memory,
        count: usize,
        known: Known,
    ) -> Result<Values<'a>> {
        if self.storage == Storage::Raw {
            return Ok(Values::Raw(reader.bytes(count.saturating_mul(self.stride()))?));
        }
        const UNPREDICTED: u8 = 254;
        let are_normals = self.storage == Storage::Normals;
        let method = reader.u8()?;
        if method != UNPREDICTED && reader.u8()? != if are_normals { 3 } else { 1 } {
            return Err(unsupported!("an outdated or unknown transform of predictions"));
        }
        let components = self.integers();
        let count = count.saturating_mul(components);
        let mut values = if reader.u8()? > 0 {
            symbols(reader, memory, count, components)?
        } else {
            let mut values = memory.empty(count)?;
            let size = usize::from(reader.u8()?);
            if size > 4 {
                return Err(invalid!("an integer of more than four bytes"));
            }
            for _ in 0..count {
                let mut value = [0; 4];
                for (target, byte) in value.iter_mut().zip(reader.bytes(size)?) {
                    *target = *byte;
                }
                values.push(i32::from_le_bytes(value));
            }
            values
        };
        if !are_normals || method == UNPREDICTED {
            // The lowest bit is the sign.
            for value in &mut values {
                *value = (value.cast_unsigned() >> 1).cast_signed() ^ -(*value & 1);
            }
        }
        if method != UNPREDICTED {
            predict(&mut values, components, method, are_normals, known, reader, memory)?;
        }
        Ok(Values::Integers(values))
    }

    /// Reads the parameters of the storage and returns the attribute of all points.
    fn attribute(
        &self,
        reader: &mut Reader,
        memory: &mut Memory,
        values: &Values,
        points: &Points,
    ) -> Result<Attribute> {
        let stride = self.stride();
        let mut bytes = memory.filled(0, (points.count as usize).saturating_mul(stride))?;
        let targets = bytes.chunks_exact_mut(stride.max(1)).zip(points.values());
        match values {
            Values::Raw(values) => {
                for (target, value) in targets {
                    let value = value.saturating_mul(stride);
                    for (target, byte) in target.iter_mut().zip(values.get(value..).unwrap_or_default()) {
                        *target = *byte;
                    }
                }
            }
            Values::Integers(values) => {
                let components = self.integers();
                let decoding = self.decoding(reader)?;
                for (target, value) in targets {
                    let value = value.saturating_mul(components);
                    if let Some(value) = values.get(value..).and_then(|rest| rest.get(..components)) {
                        decoding.write(value, target);
                    }
                }
            }
        }
        Ok(Attribute {
            unique_id: self.unique_id,
            kind: self.kind,
            component_type: self.component_type,
            components: self.components,
            normalized: self.normalized,
            bytes,
        })
    }

    #[expect(clippy::cast_precision_loss, reason = "the format rounds in this place")]
    fn decoding(&self, reader: &mut Reader) -> Result<Decoding> {
        Ok(match self.storage {
            Storage::Raw | Storage::Integers => Decoding::Integers(self.component_type.size()),
            Storage::Quantised => {
                let mut smallest = Vec::new();
                for _ in 0..self.components {
                    smallest.push(reader.f32()?);
                }
                let range = reader.f32()?;
                let bits = reader.u8()?;
                if !(1..=30).contains(&bits) {
                    return Err(invalid!("values of too many bits"));
                }
                Decoding::Quantised { smallest, step: range / ((1 << bits) - 1) as f32 }
            }
            Storage::Normals => Decoding::Normals(Octahedron::with_bits(reader.u8()?.into())?),
        })
    }
}

/// How integers become the components of a point.
enum Decoding {
    /// Their lowest bytes, which are as many as this.
    Integers(usize),
    Quantised {
        smallest: Vec<f32>,
        step: f32,
    },
    Normals(Octahedron),
}

impl Decoding {
    #[expect(clippy::cast_precision_loss, reason = "the format rounds in this place")]
    fn write(&self, value: &[i32], target: &mut [u8]) {
        let (words, _) = target.as_chunks_mut();
        match self {
            Decoding::Integers(size) => {
                for (target, component) in target.chunks_exact_mut((*size).max(1)).zip(value) {
                    for (target, byte) in target.iter_mut().zip(component.to_le_bytes()) {
                        *target = byte;
                    }
                }
            }
            Decoding::Quantised { smallest, step } => {
                for ((target, component), smallest) in words.iter_mut().zip(value).zip(smallest) {
                    *target = (*component as f32 * step + smallest).to_le_bytes();
                }
            }
            Decoding::Normals(octahedron) => {
                if let [s, t] = value {
                    for (target, component) in words.iter_mut().zip(octahedron.direction([*s, *t])) {
                        *target = component.to_le_bytes();
                    }
                }
            }
        }
    }
}
