//! Meshes: an accessor for each vertex array.
use super::binary::{Binary, Element, Numbers, Usage};
use super::json_text::{Json, Object};
use super::mesh_streams::{self, PackedPrimitive};
use super::notes::{Change, Notes};
use super::streams::Stream;
use super::{Compression, VARIANTS, influences};
use crate::model::{MeshIndex, Model, MorphTarget, Primitive, Topology};
use glam::{Vec3, Vec4};

pub(super) struct Meshes {
    pub(super) written: Vec<Json>,
    numbers: Vec<Option<usize>>,
}

impl Meshes {
    pub(super) fn of(
        model: &Model,
        compression: Compression,
        binary: &mut Binary,
        notes: &mut Notes,
    ) -> Self {
        let meshes = &model.meshes;
        let mut numbers = Vec::with_capacity(meshes.len());
        let mut written = Vec::with_capacity(meshes.len());
        for (index, mesh) in meshes.iter().enumerate() {
            if mesh.primitives.is_empty() {
                numbers.push(None);
                continue;
            }
            numbers.push(Some(written.len()));
            let mut clamped = 0;
            let step = (compression != Compression::None).then(|| mesh_streams::exponent(mesh));
            let mut primitive = |primitive| {
                let written = match step {
                    Some(step) => packed(primitive, model, step, binary, &mut clamped),
                    None => self::primitive(primitive, binary, &mut clamped),
                };
                written.into()
            };
            let primitives: Vec<Json> = mesh.primitives.iter().map(&mut primitive).collect();
            if clamped > 0 {
                notes.add(Change::ColorsClamped, "meshes", index, &mesh.name);
            }
            let object = Object::new().with_name(&mesh.name).with("primitives", primitives);
            written.push(object.with_any("extras", target_names(&mesh.morph_target_names)).into());
        }
        Self { written, numbers }
    }

    /// Returns the index of a mesh in the file; `None` for a mesh without primitives.
    pub(super) fn number(&self, mesh: MeshIndex) -> Option<usize> {
        *self.numbers.get(mesh.get())?
    }
}

/// Returns the `extras` in which exporters store target names by convention.
fn target_names(names: &[String]) -> Object {
    if names.iter().all(String::is_empty) {
        return Object::new();
    }
    Object::new().with("targetNames", names.iter().map(String::as_str).collect::<Vec<_>>())
}

fn primitive(primitive: &Primitive, binary: &mut Binary, clamped: &mut usize) -> Object {
    let attributes = attributes(primitive, binary, clamped);
    let targets: Vec<Json> =
        primitive.morph_targets.iter().map(|target| self::target(target, primitive, binary).into()).collect();
    written(primitive, attributes, indices(&primitive.indices, primitive, None, binary), targets)
}

/// Writes a primitive with rounded numbers, whose vertices are in an order for compression.
fn packed(
    primitive: &Primitive,
    model: &Model,
    step: i32,
    binary: &mut Binary,
    clamped: &mut usize,
) -> Object {
    let PackedPrimitive { attributes, targets, indices, vertex_count } =
        PackedPrimitive::of(primitive, model, step, clamped);
    let mut object = |streams: Vec<(String, Stream)>| {
        let mut object = Object::new();
        for (name, stream) in streams {
            object = object.with(&name, binary.packed(Usage::Vertices, &stream, name == "POSITION"));
        }
        object
    };
    let attributes = object(attributes);
    let targets: Vec<Object> = targets.into_iter().map(&mut object).collect();
    let zero = |target: Object| match target.is_empty() {
        true => Object::new().with("POSITION", binary.zeros(vertex_count)).into(),
        false => target.into(),
    };
    let targets = targets.into_iter().map(zero).collect();
    let indices = self::indices(&indices, primitive, Some(vertex_count), binary);
    written(primitive, attributes, indices, targets)
}

fn written(primitive: &Primitive, attributes: Object, indices: Option<usize>, targets: Vec<Json>) -> Object {
    let mode = match primitive.topology {
        Topology::Points => 0,
        Topology::Lines => 1,
        Topology::Triangles => 4,
    };
    Object::new()
        .with("attributes", attributes)
        .with_some("indices", indices)
        .with_some("material", primitive.material.map(|material| material.get()))
        .with_unless(4, "mode", mode)
        .with_list("targets", targets)
        .with_any("extensions", variants(primitive))
}

fn variants(primitive: &Primitive) -> Object {
    let mappings = primitive.variants.iter().map(|(variant, material)| {
        Object::new().with("material", material.get()).with("variants", [variant.get()]).into()
    });
    let mappings: Vec<Json> = mappings.collect();
    Object::new().with_any(VARIANTS, Object::new().with_list("mappings", mappings))
}

fn attributes(primitive: &Primitive, binary: &mut Binary, clamped: &mut usize) -> Object {
    let mut attribute = |element, numbers: &[f32], bounded| {
        let some = !numbers.is_empty();
        some.then(|| binary.accessor(Usage::Vertices, element, Numbers::F32(numbers), bounded))
    };
    let mut attributes = Object::new()
        .with_some("POSITION", attribute(Element::Vec3, bytemuck::cast_slice(&primitive.positions), true))
        .with_some("NORMAL", attribute(Element::Vec3, bytemuck::cast_slice(&primitive.normals), false))
        .with_some("TANGENT", attribute(Element::Vec4, bytemuck::cast_slice(&primitive.tangents), false));
    for (set, uvs) in primitive.uv_sets.iter().enumerate() {
        let accessor = attribute(Element::Vec2, bytemuck::cast_slice(uvs), false);
        attributes = attributes.with_some(&format!("TEXCOORD_{set}"), accessor);
    }
    let colors = clamped_colors(primitive, clamped);
    let accessor = if colors.iter().all(|color| color.w == 1.0) {
        let opaque: Vec<Vec3> = colors.iter().map(|color| color.truncate()).collect();
        attribute(Element::Vec3, bytemuck::cast_slice(&opaque), false)
    } else {
        attribute(Element::Vec4, bytemuck::cast_slice(&colors), false)
    };
    attributes = attributes.with_some("COLOR_0", accessor);
    influences::attributes(&primitive.influences, binary, attributes)
}

/// Returns the colours within 0 to 1, and counts those that weren't.
pub(super) fn clamped_colors(primitive: &Primitive, clamped: &mut usize) -> Vec<Vec4> {
    let color = |color: &Vec4| {
        let within = color.clamp(Vec4::ZERO, Vec4::ONE);
        *clamped += usize::from(within != *color);
        within
    };
    primitive.colors.iter().map(color).collect()
}

/// Writes the indices, compressed if `packed_count` gives the number of compressed vertices. Returns `None` if they
/// list all vertices in order.
fn indices(
    indices: &[u32],
    primitive: &Primitive,
    packed_count: Option<usize>,
    binary: &mut Binary,
) -> Option<usize> {
    let vertex_count = packed_count.unwrap_or(primitive.positions.len());
    if indices.len() == vertex_count && indices.iter().copied().eq(0..) {
        return None;
    }
    // The largest value of an index type means primitive restart. 8-bit indices aren't written, since WebGPU has none.
    let short: Option<Vec<u16>> =
        indices.iter().map(|&index| u16::try_from(index).ok().filter(|&index| index < u16::MAX)).collect();
    let numbers = short.as_deref().map_or(Numbers::U32(indices), Numbers::U16);
    Some(match packed_count {
        Some(_) => binary.packed_indices(numbers, primitive.topology == Topology::Triangles),
        None => binary.accessor(Usage::Indices, Element::Scalar, numbers, false),
    })
}

fn target(target: &MorphTarget, primitive: &Primitive, binary: &mut Binary) -> Object {
    let mut deltas = |deltas: &[Vec3], has_base: bool, bounded| {
        let some = has_base && !deltas.is_empty();
        some.then(|| binary.deltas(deltas, bounded))
    };
    let written = Object::new()
        .with_some("POSITION", deltas(&target.positions, true, true))
        .with_some("NORMAL", deltas(&target.normals, !primitive.normals.is_empty(), false))
        .with_some("TANGENT", deltas(&target.tangents, !primitive.tangents.is_empty(), false));
    if !written.is_empty() {
        return written;
    }
    // In glTF every primitive of a mesh has all targets, and no target may be empty.
    Object::new().with("POSITION", binary.zeros(primitive.positions.len()))
}
