//! `<skin>`: the joints that influence each vertex, and their transforms in the bind pose.
use super::Reader;
use super::nodes::{Hierarchy, single_affine};
use super::sources::Names;
use super::stack::affine;
use super::xml::{Element, fits_single};
use crate::import::influences::{Merged, Slot};
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem};
use crate::model::{Influences, NodeIndex, Skin, SkinIndex};
use glam::{Affine3A, DAffine3};

/// A skin as in the file.
pub(super) struct Binding<'a> {
    joints: Names<'a>,
    /// `None` if the file has no bind shape.
    bind_shape: Option<DAffine3>,
    /// Transforms from the space of the bind shape to each joint's; `None` if they are to be computed.
    inverse_binds: Option<Vec<DAffine3>>,
    /// End in `slots` of the slots of each position.
    slot_ends: Vec<usize>,
    /// Joint, or `u32::MAX` for the bind shape itself, and weight.
    slots: Vec<(u32, f64)>,
    element: Element<'a>,
}

pub(super) fn read<'a>(reader: &mut Reader<'a>, skin: Element<'a>) -> Result<Binding<'a>, ImportError> {
    let bind_shape = skin.child("bind_shape_matrix").map(Element::array::<16>).transpose()?;
    let in_joints = skin.expect("joints")?;
    let joint_source =
        source(in_joints, "JOINT").ok_or_else(|| in_joints.missing("input semantic=\"JOINT\""))??;
    let joints = reader.sources.names(joint_source)?;
    let joint_count = joints.names.len();
    reader.budget.charge(joint_count as u64, size_of::<DAffine3>(), || skin.place())?;
    let inverse_binds = match source(in_joints, "INV_BIND_MATRIX") {
        Some(source) => {
            let matrices = reader.sources.floats(source?)?;
            let numbers = matrices.finite(&reader.budget)?;
            let (given, _) = numbers.as_chunks::<16>();
            if given.len() < joint_count {
                let found = format!("{} for {joint_count} joints", given.len());
                return Err(ImportProblem::BindMatricesTooFew.at(matrices.place().to_owned(), found));
            }
            Some(given.iter().take(joint_count).map(affine).collect())
        }
        None => {
            reader.warn(WarningKind::BindMatricesComputed, in_joints, "");
            None
        }
    };
    let mut binding = Binding {
        joints,
        bind_shape: bind_shape.as_ref().map(affine),
        inverse_binds,
        slot_ends: Vec::new(),
        slots: Vec::new(),
        element: skin,
    };
    binding.read_weights(reader, skin.expect("vertex_weights")?)?;
    Ok(binding)
}

fn source<'a>(holder: Element<'a>, semantic: &str) -> Option<Result<Element<'a>, ImportError>> {
    let input = holder.children_named("input").find(|input| input.attribute("semantic") == Some(semantic))?;
    Some(input.target("source"))
}

impl<'a> Binding<'a> {
    fn read_weights(&mut self, reader: &Reader<'_>, element: Element<'a>) -> Result<(), ImportError> {
        let mut stride = 0;
        let (mut joint_at, mut weight_at, mut weights) = (None, None, None);
        for input in element.children_named("input") {
            let offset = input.count("offset")?.unwrap_or(0);
            stride = stride.max(offset.saturating_add(1));
            match input.attribute("semantic") {
                Some("JOINT") => joint_at = Some(offset),
                Some("WEIGHT") => {
                    weight_at = Some(offset);
                    weights = Some(reader.sources.floats(input.target("source")?)?);
                }
                _ => {}
            }
        }
        let (Some(joint_at), Some(weight_at), Some(weights)) = (joint_at, weight_at, weights) else {
            return Err(element.missing("input semantic=\"JOINT\" or \"WEIGHT\""));
        };
        let counts = element.child("vcount").map_or(Ok(Vec::new()), Element::indices)?;
        let indices = element.child("v").map_or(Ok(Vec::new()), Element::indices)?;
        let mut tuples = indices.chunks_exact(stride);
        for count in counts {
            for _ in 0..count {
                let Some(tuple) = tuples.next() else {
                    let found = format!("{} slots, fewer than <vcount> has", indices.len() / stride);
                    return Err(ImportProblem::CountWrong.at(element.place(), found));
                };
                let index = |at: usize| tuple.get(at).copied().unwrap_or(u32::MAX);
                let (joint, weight) = (index(joint_at), index(weight_at));
                if joint != u32::MAX && joint as usize >= self.joints.names.len() {
                    let found = format!("joint {joint} of {}", self.joints.names.len());
                    return Err(ImportProblem::JointIndexOutOfRange.at(element.place(), found));
                }
                let Some(weight) = weights.of(weight as usize).next() else {
                    let found = format!("weight {weight} of {}", weights.count());
                    return Err(ImportProblem::IndexOutOfRange.at(element.place(), found));
                };
                if !fits_single(weight) {
                    return Err(ImportProblem::ValueNotFinite.at(element.place(), "a weight".into()));
                }
                self.slots.push((joint, weight));
            }
            self.slot_ends.push(self.slots.len());
        }
        Ok(())
    }

    fn slots_of(&self, position: u32) -> &[(u32, f64)] {
        let at = position as usize;
        let start = at.checked_sub(1).map_or(Some(0), |before| self.slot_ends.get(before).copied());
        let range = start.zip(self.slot_ends.get(at).copied()).map(|(start, end)| start..end);
        range.and_then(|range| self.slots.get(range)).unwrap_or_default()
    }

    /// Returns the influences of vertices made from these positions, and whether some are weighted to the node that
    /// has the mesh, which follows the joints. These are vertices without weight, or with weight of the bind shape.
    pub(super) fn influences(
        &self,
        reader: &mut Reader<'_>,
        position_of_vertex: &[u32],
    ) -> Result<(Influences, bool), ImportError> {
        let count = position_of_vertex.len();
        let most =
            position_of_vertex.iter().map(|&position| self.slots_of(position).len()).max().unwrap_or(0);
        let bytes_each = (most.max(1) + 4) * (size_of::<u16>() + size_of::<f32>());
        reader.budget.charge(count as u64, bytes_each, || self.element.place())?;
        let carrier = u32::try_from(self.joints.names.len()).unwrap_or(u32::MAX);
        let mut merged = Merged::new(most, count);
        let mut slots = Vec::with_capacity(most.max(1));
        let (mut carried, mut unweighted) = (false, 0);
        for &position in position_of_vertex {
            slots.clear();
            let slot = |&(joint, joint_weight): &(u32, f64)| Slot { joint: joint.min(carrier), joint_weight };
            slots.extend(self.slots_of(position).iter().map(slot));
            if !slots.iter().any(|slot| slot.joint_weight > 0.0) {
                unweighted += 1;
                slots.clear();
                slots.push(Slot { joint: carrier, joint_weight: 1.0 });
            }
            carried |= slots.iter().any(|slot| slot.joint == carrier);
            merged.push(&mut slots).map_err(|joint| {
                ImportProblem::JointIndexOutOfRange
                    .at(self.element.place(), format!("joint {joint}: more than can be counted in 16 bits"))
            })?;
        }
        for (kind, odd) in [
            (WarningKind::JointWeightsNotNormalised, merged.odd),
            (WarningKind::VerticesUnweighted, unweighted),
        ] {
            if odd > 0 {
                reader.warn(kind, self.element, &format!("{odd} of {count}"));
            }
        }
        Ok((merged.trimmed(), carried))
    }

    /// Adds the skin of one instance, whose joints are below its own roots.
    pub(super) fn place(
        &self,
        reader: &mut Reader<'a>,
        hierarchy: &Hierarchy<'a>,
        node: NodeIndex,
        instance: Element<'a>,
        carried: bool,
    ) -> Result<SkinIndex, ImportError> {
        let mut roots = Vec::new();
        for skeleton in instance.children_named("skeleton") {
            let root = reader
                .file
                .by_url(skeleton.text())
                .and_then(|element| hierarchy.in_same_instance(node, element));
            match root {
                Some(root) => roots.push(root),
                None => reader.warn_of_reference(skeleton),
            }
        }
        // Each joint may be looked for below each root.
        let searches = self.joints.names.len().saturating_mul(1 + roots.len());
        let name = self.element.parent().map_or("", Element::label);
        reader.budget.charge(searches as u64 + 1, 128, || instance.place())?;
        reader.budget.charge(1, name.len(), || instance.place())?;
        let mut skin = Skin {
            name: name.to_owned(),
            skeleton_root: roots.first().copied().filter(|_| roots.len() == 1),
            ..Skin::default()
        };
        for name in self.joints.names.iter() {
            let joint = hierarchy.joint(reader.file, name, self.joints.are_ids, &roots);
            skin.joints.push(joint.ok_or_else(|| self.element.unknown(name))?);
        }
        skin.joint_from_mesh = match &self.inverse_binds {
            Some(inverse_binds) => {
                let bind_shape = self.bind_shape.unwrap_or(DAffine3::IDENTITY);
                inverse_binds.iter().map(|inverse| single_affine(&(*inverse * bind_shape))).collect()
            }
            None => self.computed(hierarchy, node, &skin.joints),
        };
        if skin.joint_from_mesh.iter().any(|matrix| !matrix.is_finite()) {
            return Err(self.element.not_finite());
        }
        if carried {
            skin.joints.push(node);
            skin.joint_from_mesh.push(Affine3A::IDENTITY);
        }
        reader.imported.skins.push(skin);
        Ok(SkinIndex::new(reader.imported.skins.len() - 1))
    }

    /// Computes the transforms from the mesh to each joint at rest. A bind shape replaces the mesh's own transform.
    fn computed(&self, hierarchy: &Hierarchy<'_>, node: NodeIndex, joints: &[NodeIndex]) -> Vec<Affine3A> {
        let at_rest = |node: NodeIndex| {
            hierarchy.model_from_nodes.get(node.get()).copied().unwrap_or(Affine3A::IDENTITY)
        };
        let model_from_mesh = match &self.bind_shape {
            Some(bind_shape) => hierarchy.model_from_scene * single_affine(bind_shape),
            None => at_rest(node),
        };
        let from_mesh = |joint: &NodeIndex| at_rest(*joint).inverse() * model_from_mesh;
        // The inverse isn't finite if a joint's scale is 0.
        let finite = |matrix: Affine3A| if matrix.is_finite() { matrix } else { Affine3A::IDENTITY };
        joints.iter().map(from_mesh).map(finite).collect()
    }
}
