//! `<morph>`: other shapes of a geometry, which become displacements.
use super::Reader;
use super::geometry::{Geometry, Part};
use super::xml::Element;
use crate::import::{ImportError, ImportProblem};
use crate::model::MorphTarget;
use glam::Vec3;

/// The targets of one morph controller.
pub(super) struct Morph<'a> {
    pub(super) element: Element<'a>,
    /// Whether the targets store displacements instead of shapes.
    is_relative: bool,
    pub(super) targets: Vec<Element<'a>>,
    pub(super) rest_weights: Vec<f32>,
}

pub(super) fn read<'a>(reader: &mut Reader<'a>, element: Element<'a>) -> Result<Morph<'a>, ImportError> {
    let in_targets = element.expect("targets")?;
    let source = |semantic: &str| {
        let input =
            in_targets.children_named("input").find(|input| input.attribute("semantic") == Some(semantic));
        input.map(|input| input.target("source")).transpose()
    };
    let target_source =
        source("MORPH_TARGET")?.ok_or_else(|| in_targets.missing("input semantic=\"MORPH_TARGET\""))?;
    let names = reader.sources.names(target_source)?.names;
    reader.budget.charge(names.len() as u64, 64, || element.place())?;
    let given = match source("MORPH_WEIGHT")? {
        Some(source) => reader.sources.floats(source)?.finite(&reader.budget)?,
        None => Vec::new(),
    };
    let mut morph = Morph {
        element,
        is_relative: element.attribute("method") == Some("RELATIVE"),
        targets: Vec::with_capacity(names.len()),
        rest_weights: Vec::with_capacity(names.len()),
    };
    for (at, name) in names.iter().enumerate() {
        morph.targets.push(reader.file.by_id(name).ok_or_else(|| element.unknown(name))?);
        morph.rest_weights.push(given.get(at).map_or(0.0, |weight| super::sources::single_of(*weight)));
    }
    Ok(morph)
}

impl Morph<'_> {
    /// Returns one part of one target. It has normals only if both shapes have the same corners.
    pub(super) fn target(
        &self,
        reader: &mut Reader<'_>,
        (base, target): (&Geometry, &Geometry),
        (part, part_index): (&Part, usize),
    ) -> Result<MorphTarget, ImportError> {
        let (count, expected) = (target.positions.count(), base.positions.count());
        if count != expected {
            let found = format!("{count} for {expected} positions");
            return Err(ImportProblem::VertexCountsDiffer.at(target.positions.place().to_owned(), found));
        }
        let vertex_count = part.position_of_vertex.len();
        reader.budget.charge(vertex_count as u64, 2 * size_of::<Vec3>(), || self.element.place())?;
        let vertices = part.position_of_vertex.iter().zip(&part.primitive.positions);
        let displaced = |(&position, &from): (&u32, &Vec3)| {
            let to = Vec3::from_array(target.positions.singles(position as usize));
            if self.is_relative { to } else { to - from }
        };
        let positions: Vec<Vec3> = vertices.map(displaced).collect();
        if positions.iter().any(|position| !position.is_finite()) {
            let found = "a position".into();
            return Err(ImportProblem::ValueNotFinite.at(target.positions.place().to_owned(), found));
        }
        let twin = target.parts.get(part_index).filter(|_| !self.is_relative);
        Ok(MorphTarget {
            positions,
            normals: twin.map_or(Vec::new(), |twin| turned(part, twin)),
            tangents: Vec::new(),
        })
    }

    /// Returns the geometry of a target, through any controllers that it has.
    pub(super) fn geometry<'a>(
        &self,
        reader: &mut Reader<'a>,
        target: Element<'a>,
    ) -> Result<Option<Element<'a>>, ImportError> {
        let mut element = target;
        for _ in 0..super::meshes::MOST_CONTROLLERS {
            let Some(inner) = element.child("skin").or_else(|| element.child("morph")) else { break };
            element = inner.target("source")?;
        }
        if element.tag() != "geometry" {
            reader.warn_of_reference(target);
            return Ok(None);
        }
        Ok(Some(element))
    }
}

/// Returns the difference of each normal; empty if the corners don't match.
fn turned(part: &Part, twin: &Part) -> Vec<Vec3> {
    let (base, other) = (&part.primitive, &twin.primitive);
    if base.normals.is_empty() || other.normals.is_empty() || base.indices.len() != other.indices.len() {
        return Vec::new();
    }
    let mut turned = vec![Vec3::ZERO; base.normals.len()];
    for (&vertex, &twin) in base.indices.iter().zip(&other.indices) {
        let from = base.normals.get(vertex as usize);
        let to = other.normals.get(twin as usize);
        if let (Some(turned), Some(from), Some(to)) = (turned.get_mut(vertex as usize), from, to) {
            *turned = to - from;
        }
    }
    turned
}
