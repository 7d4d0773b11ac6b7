//! Meshes: an accessor for each vertex array.
use super::binary::{Binary, Element, Numbers, Usage};
use super::json_text::{Json, Object};
use super::notes::{Change, Notes};
use super::{VARIANTS, influences};
use crate::model::{Mesh, MeshIndex, MorphTarget, Primitive, Topology};
use glam::{Vec3, Vec4};

pub(super) struct Meshes {
    pub(super) written: Vec<Json>,
    numbers: Vec<Option<usize>>,
}

impl Meshes {
    pub(super) fn of(meshes: &[Mesh], binary: &mut Binary, notes: &mut Notes) -> Self {
        let mut numbers = Vec::with_capacity(meshes.len());
        let mut written = Vec::with_capacity(meshes.len());
        for (index, mesh) in meshes.iter().enumerate() {
            if mesh.primitives.is_empty() {
                numbers.push(None);
                continue;
            }
            numbers.push(Some(written.len()));
            let mut clamped = 0;
            let mut primitive = |primitive| self::primitive(primitive, binary, &mut clamped).into();
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
    let mode = match primitive.topology {
        Topology::Points => 0,
        Topology::Lines => 1,
        Topology::Triangles => 4,
    };
    Object::new()
        .with("attributes", attributes)
        .with_some("indices", indices(primitive, binary))
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
    let color = |color: &Vec4| {
        let within = color.clamp(Vec4::ZERO, Vec4::ONE);
        *clamped += usize::from(within != *color);
        within
    };
    let colors: Vec<Vec4> = primitive.colors.iter().map(color).collect();
    let accessor = if colors.iter().all(|color| color.w == 1.0) {
        let opaque: Vec<Vec3> = colors.iter().map(|color| color.truncate()).collect();
        attribute(Element::Vec3, bytemuck::cast_slice(&opaque), false)
    } else {
        attribute(Element::Vec4, bytemuck::cast_slice(&colors), false)
    };
    attributes = attributes.with_some("COLOR_0", accessor);
    influences::attributes(&primitive.influences, binary, attributes)
}

/// Writes the indices. Returns `None` if they list all vertices in order.
fn indices(primitive: &Primitive, binary: &mut Binary) -> Option<usize> {
    let indices = &primitive.indices;
    if indices.len() == primitive.positions.len() && indices.iter().copied().eq(0..) {
        return None;
    }
    // The largest value of an index type means primitive restart. 8-bit indices aren't written, since WebGPU has none.
    let short: Option<Vec<u16>> =
        indices.iter().map(|&index| u16::try_from(index).ok().filter(|&index| index < u16::MAX)).collect();
    let numbers = short.as_deref().map_or(Numbers::U32(indices), Numbers::U16);
    Some(binary.accessor(Usage::Indices, Element::Scalar, numbers, false))
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
