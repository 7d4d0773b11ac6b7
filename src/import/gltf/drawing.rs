//! Mesh, skin and morph weights of nodes, made consistent.
use super::Budget;
use super::json::Json;
use crate::import::influences::bound_to_first_joint;
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem, ImportReport};
use crate::model::{Influences, Mesh, MeshIndex, Skin, SkinIndex};
use crate::refusal::Place;
use glam::Affine3A;

/// State for the nodes that draw a mesh.
pub(super) struct Drawing<'a> {
    meshes: &'a mut Vec<Mesh>,
    /// One binding for each mesh of the file.
    bindings: Vec<Binding>,
    rigid_twins: RigidTwins,
    skins: &'a [Skin],
    budget: &'a Budget,
    pub(super) report: &'a mut ImportReport,
}

impl<'a> Drawing<'a> {
    pub(super) fn new(
        root: Json<'_>,
        meshes: &'a mut Vec<Mesh>,
        skins: &'a [Skin],
        budget: &'a Budget,
        report: &'a mut ImportReport,
    ) -> Self {
        let bindings = meshes.iter().map(Binding::of).collect();
        let rigid_twins = RigidTwins::of(root, meshes.len());
        Self { meshes, bindings, rigid_twins, skins, budget, report }
    }

    /// Returns the mesh and skin that a node is drawn with.
    pub(super) fn drawn(
        &mut self,
        node: Json<'_>,
        place: &Place<'_>,
    ) -> Result<(Option<MeshIndex>, Option<SkinIndex>), ImportError> {
        let place = place.field("skin");
        let skin = node.index("skin").and_then(|skin| Some((SkinIndex::new(skin), self.skins.get(skin)?)));
        let Some(mesh) = node.index("mesh") else {
            if skin.is_some() {
                self.report.warn(WarningKind::SkinWithoutMesh, &place);
            }
            return Ok((None, None));
        };
        let Some(&binding) = self.bindings.get(mesh) else { return Ok((None, None)) };
        let rigid = binding.unbound_count == binding.primitive_count;
        let Some((skin_index, skin)) = skin.filter(|(_, skin)| !skin.joints.is_empty()) else {
            if rigid {
                return Ok((Some(MeshIndex::new(mesh)), None));
            }
            self.report.warn(WarningKind::SkinMissing, &place);
            return Ok((Some(self.rigid_twins.twin(mesh, self.meshes)), None));
        };
        if binding.unbound_count > 0 {
            self.report.warn(WarningKind::SkinOnUnskinnedMesh, &place);
        }
        if rigid {
            return Ok((Some(MeshIndex::new(mesh)), None));
        }
        if binding.unbound_count > 0 {
            self.bind_rest(mesh);
        }
        let joint_count = skin.joints.len();
        if binding.highest_joint >= joint_count {
            return Err(ImportProblem::JointIndexOutOfRange.at(
                place.pointer(),
                format!("joint {} of {joint_count} in mesh {mesh}", binding.highest_joint),
            ));
        }
        // Each node that is drawn with a skin has its own matrices, one for each joint.
        self.budget.charge(joint_count as u64, size_of::<Affine3A>(), || place.pointer())?;
        Ok((Some(MeshIndex::new(mesh)), Some(skin_index)))
    }

    pub(super) fn morph_weights(
        &mut self,
        root: Json<'_>,
        node: Json<'_>,
        place: &Place<'_>,
    ) -> Result<Vec<f32>, ImportError> {
        let mesh = node.index("mesh").unwrap_or(usize::MAX);
        let count = self.meshes.get(mesh).map_or(0, Mesh::morph_target_count);
        self.budget.charge(count as u64, size_of::<f32>(), || place.pointer())?;
        report_weights(node, count, place, self.report);
        let given = if node.get("weights").is_some() { Some(node) } else { root.element("meshes", mesh) };
        let given = given.into_iter().flat_map(|given| given.numbers("weights"));
        let mut weights: Vec<f32> = given.take(count).collect();
        weights.resize(count, 0.0);
        Ok(weights)
    }

    fn bind_rest(&mut self, mesh: usize) {
        let Some(of_file) = self.meshes.get_mut(mesh) else { return };
        for primitive in of_file.primitives.iter_mut().filter(|primitive| primitive.influences.is_empty()) {
            primitive.influences = bound_to_first_joint(primitive.positions.len());
        }
        if let Some(binding) = self.bindings.get_mut(mesh) {
            binding.unbound_count = 0;
        }
    }
}

/// Warns if a mesh or node gives more or fewer morph weights than there are targets.
pub(super) fn report_weights(
    of: Json<'_>,
    target_count: usize,
    place: &Place<'_>,
    report: &mut ImportReport,
) {
    let count = of.count("weights");
    if count != target_count {
        report.warn_counted(WarningKind::MorphWeightsCountWrong, place, count, target_count);
    }
}

/// Counts of a mesh, computed once for all nodes that draw it.
#[derive(Clone, Copy)]
struct Binding {
    primitive_count: usize,
    unbound_count: usize,
    highest_joint: usize,
}

impl Binding {
    fn of(mesh: &Mesh) -> Self {
        let influences = || mesh.primitives.iter().map(|primitive| &primitive.influences);
        let joints = influences().flat_map(|influences| &influences.joints);
        Self {
            primitive_count: mesh.primitives.len(),
            unbound_count: influences().filter(|influences| influences.is_empty()).count(),
            highest_joint: joints.max().copied().map_or(0, usize::from),
        }
    }
}

/// Rigid versions of skinned meshes, for nodes that draw them without a skin.
struct RigidTwins {
    twins: Vec<Twin>,
}

#[derive(Clone, Copy)]
enum Twin {
    /// No node draws the mesh with a skin, so it becomes rigid itself.
    Itself,
    /// A node draws the mesh with a skin, so the rigid version will be a copy.
    Wanted,
    Made(MeshIndex),
}

impl RigidTwins {
    fn of(root: Json<'_>, mesh_count: usize) -> Self {
        let mut twins = vec![Twin::Itself; mesh_count];
        for node in root.list("nodes").filter(|node| node.get("skin").is_some()) {
            if let Some(twin) = node.index("mesh").and_then(|mesh| twins.get_mut(mesh)) {
                *twin = Twin::Wanted;
            }
        }
        Self { twins }
    }

    fn twin(&mut self, of: usize, meshes: &mut Vec<Mesh>) -> MeshIndex {
        let twin = self.twins.get(of).copied().unwrap_or(Twin::Itself);
        if let Twin::Made(made) = twin {
            return made;
        }
        let mut index = of;
        if let (Twin::Wanted, Some(mesh)) = (twin, meshes.get(of).cloned()) {
            index = meshes.len();
            meshes.push(mesh);
        }
        for primitive in meshes.get_mut(index).into_iter().flat_map(|mesh| &mut mesh.primitives) {
            primitive.influences = Influences::default();
        }
        let made = MeshIndex::new(index);
        if let Some(slot) = self.twins.get_mut(of) {
            *slot = Twin::Made(made);
        }
        made
    }
}
