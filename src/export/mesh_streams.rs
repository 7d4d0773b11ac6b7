//! Primitives with rounded numbers, whose vertices and triangles are in an order for compression.
use super::binary::Element;
use super::influences;
use super::locality::{Vertices, by_first_use, merged, ordered_triangles};
use super::meshes::clamped_colors;
use super::meshopt::exponent_of_step;
use super::streams::Stream;
use crate::model::{Aabb, AlphaMode, Mesh, Model, MorphTarget, Primitive, Topology};
use glam::{Vec3, Vec4};

/// Vertex arrays by their names in glTF. Vertices that are equal after rounding are one, and unused ones are left out.
pub(super) struct PackedPrimitive {
    pub(super) attributes: Vec<(String, Stream)>,
    /// The arrays of each morph target; empty for one that changes nothing.
    pub(super) targets: Vec<Vec<(String, Stream)>>,
    pub(super) indices: Vec<u32>,
    pub(super) vertex_count: usize,
}

/// Returns the power of two to whose multiples the positions of a mesh are rounded. There are 2¹⁵ to 2¹⁶ of them along
/// the longest side of the mesh.
///
/// All primitives of a mesh have the same, so that edges where they meet stay closed.
pub(super) fn exponent(mesh: &Mesh) -> i32 {
    let positions = mesh.primitives.iter().flat_map(|primitive| primitive.positions.iter().copied());
    let size = Aabb::around(positions).map_or(0.0, |bounds| (bounds.max - bounds.min).max_element());
    exponent_of_step(f64::from(size) / 32768.0)
}

impl PackedPrimitive {
    /// Rounds and orders a primitive. `clamped` counts colours outside of 0 to 1.
    pub(super) fn of(primitive: &Primitive, model: &Model, exponent: i32, clamped: &mut usize) -> Self {
        let mut attributes = attributes(primitive, exponent, clamped);
        let mut targets: Vec<Vec<(String, Stream)>> =
            primitive.morph_targets.iter().map(|target| self::target(target, primitive, exponent)).collect();
        let old_count = primitive.positions.len();

        let mut rows: Vec<u32> = Vec::new();
        let streams = || attributes.iter().chain(targets.iter().flatten()).map(|(_, stream)| stream);
        let width = streams().map(|stream| stream.stride / 4).sum();
        rows.resize(width * old_count, 0);
        let mut column = 0;
        for stream in streams() {
            for (row, element) in rows.chunks_exact_mut(width).zip(stream.bytes.chunks_exact(stream.stride)) {
                for (slot, word) in row.iter_mut().skip(column).zip(element.chunks_exact(4)) {
                    *slot = word.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
                }
            }
            column += stream.stride / 4;
        }
        let mut indices = merged(&rows, width, &primitive.indices);
        let is_blended = primitive
            .material
            .and_then(|material| model.materials.get(material.get()))
            .is_some_and(|material| material.alpha == AlphaMode::Blend);
        // Where triangles are blended, their order is seen.
        if primitive.topology == Topology::Triangles && !is_blended {
            indices = ordered_triangles(&indices, old_count);
        }
        let Vertices { old, indices } = by_first_use(&indices, old_count);
        if old.is_empty() {
            return Self { attributes, targets, indices, vertex_count: old_count };
        }
        for (_, stream) in attributes.iter_mut().chain(targets.iter_mut().flatten()) {
            *stream = stream.picked(&old);
        }
        Self { attributes, targets, indices, vertex_count: old.len() }
    }
}

fn attributes(primitive: &Primitive, exponent: i32, clamped: &mut usize) -> Vec<(String, Stream)> {
    let mut streams = Vec::new();
    let mut add = |name: &str, stream: Stream| {
        if !stream.bytes.is_empty() {
            streams.push((name.to_owned(), stream));
        }
    };
    let positions = bytemuck::cast_slice(&primitive.positions);
    add("POSITION", Stream::exponential(Element::Vec3, positions, exponent));
    let normals = primitive.normals.iter().map(|normal| normal.extend(0.0));
    add("NORMAL", Stream::directions(Element::Vec3, normals));
    add("TANGENT", Stream::directions(Element::Vec4, primitive.tangents.iter().copied()));
    for (set, uvs) in primitive.uv_sets.iter().enumerate() {
        add(&format!("TEXCOORD_{set}"), Stream::uvs(bytemuck::cast_slice(uvs)));
    }
    let colors = clamped_colors(primitive, clamped);
    if colors.iter().all(|color: &Vec4| color.w == 1.0) {
        let opaque: Vec<Vec3> = colors.iter().map(|color| color.truncate()).collect();
        add("COLOR_0", Stream::colors(Element::Vec3, 3, bytemuck::cast_slice(&opaque)));
    } else {
        add("COLOR_0", Stream::colors(Element::Vec4, 4, bytemuck::cast_slice(&colors)));
    }
    for (set, (joints, joint_weights)) in influences::streams(&primitive.influences).into_iter().enumerate() {
        add(&format!("JOINTS_{set}"), joints);
        add(&format!("WEIGHTS_{set}"), joint_weights);
    }
    streams
}

fn target(target: &MorphTarget, primitive: &Primitive, exponent: i32) -> Vec<(String, Stream)> {
    let mut streams = Vec::new();
    let changes = |deltas: &[Vec3]| deltas.iter().any(|delta| *delta != Vec3::ZERO);
    if changes(&target.positions) {
        let deltas = bytemuck::cast_slice(&target.positions);
        streams.push(("POSITION".to_owned(), Stream::exponential(Element::Vec3, deltas, exponent)));
    }
    if changes(&target.normals) && !primitive.normals.is_empty() {
        streams.push(("NORMAL".to_owned(), Stream::direction_deltas(&target.normals)));
    }
    if changes(&target.tangents) && !primitive.tangents.is_empty() {
        streams.push(("TANGENT".to_owned(), Stream::direction_deltas(&target.tangents)));
    }
    streams
}
