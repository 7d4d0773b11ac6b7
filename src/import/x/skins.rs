//! Converts a mesh's `SkinWeights` to a skin, and to the joints that influence each vertex.
use super::document::{Document, Kind, Object, text};
use super::fields::Fields;
use super::frames::Frames;
use super::handedness::column_matrix;
use crate::import::budget::Budget;
use crate::import::influences::Slot;
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem, ImportReport};
use crate::model::{NodeIndex, Skin};
use glam::{Affine3A, Vec3A};

/// The joints that influence each vertex of a mesh, as the file lists them.
pub(super) struct Weights {
    pub(super) skin: Skin,
    /// Sorted by vertex.
    slots: Vec<(u32, Slot)>,
    /// Index in `skin` of the joint for vertices without weight, which is the node that draws the mesh.
    unweighted_joint: Option<u32>,
}

/// Shared inputs for reading a file's skins.
pub(super) struct Bind<'a> {
    pub(super) document: &'a Document<'a>,
    pub(super) frames: &'a Frames,
    /// World transforms at rest, in model space.
    pub(super) model_from_node: &'a [Affine3A],
    pub(super) budget: &'a Budget,
}

impl Bind<'_> {
    /// Reads the weights of a mesh; `None` if it has none.
    pub(super) fn weights(
        &self,
        mesh: Object<'_>,
        node: NodeIndex,
        vertex_count: usize,
        report: &mut ImportReport,
    ) -> Result<Option<Weights>, ImportError> {
        let mut lists = Vec::new();
        for object in mesh.children_of(Kind::SkinWeights) {
            lists.push(self.list(object, vertex_count)?);
        }
        if lists.is_empty() {
            return Ok(None);
        }
        let mut skin = Skin { name: mesh.name(), ..Skin::default() };
        let mut computed = 0;
        for (list, joint) in lists.iter().filter_map(|list| Some((list, list.joint?))) {
            computed += usize::from(list.joint_from_mesh.is_none());
            let joint_from_mesh = list.joint_from_mesh.unwrap_or_else(|| self.joint_from_mesh(joint, node));
            skin.joints.push(joint);
            skin.joint_from_mesh.push(joint_from_mesh);
        }
        if computed > 0 {
            let about = format!("{computed} of {}", skin.joints.len());
            report.warn_at(WarningKind::BindMatricesComputed, mesh.place(), &about);
        }
        if skin.joints.len() > usize::from(u16::MAX) {
            let found = format!("{} joints", skin.joints.len());
            return Err(ImportProblem::JointIndexOutOfRange.at(mesh.place(), found));
        }
        let bound_at: Vec<Vec3A> = skin.joint_from_mesh.iter().map(bound_at).collect();
        let mut slots = Vec::new();
        let mut known = 0_u32..;
        for list in lists {
            let joint = match list.joint {
                Some(_) => known.next(),
                None => {
                    report.warn_at(WarningKind::JointUnknown, list.object.place(), &list.name);
                    nearest(&bound_at, list.joint_from_mesh)
                }
            };
            let Some(joint) = joint else { continue };
            let slot = |[weight]: [f32; 1]| Slot { joint, joint_weight: weight.into() };
            let weighted = list.vertices.into_iter().zip(list.weights.into_iter().map(slot));
            slots.extend(weighted.filter(|(_, slot)| slot.joint_weight != 0.0));
        }
        Ok(Some(Weights::new(skin, slots, vertex_count, node)))
    }

    fn list<'d>(&self, object: Object<'d>, vertex_count: usize) -> Result<List<'d>, ImportError> {
        let name = object.strings().next().unwrap_or_default();
        let mut fields = object.fields();
        let count = fields.count()?;
        let vertices = fields.indices(count, vertex_count)?;
        // The lists are held once as read, once by vertex, and once more while they are sorted.
        self.budget.charge(count as u64, 2 * size_of::<(u32, Slot)>() + 8, || object.place())?;
        Ok(List {
            object,
            name: text(name),
            joint: self.document.find(Kind::Frame, name).and_then(|frame| self.frames.node(frame)),
            vertices,
            weights: fields.vectors(count)?,
            joint_from_mesh: offset(&mut fields)?,
        })
    }

    /// Computes a bind matrix that the file omits. The mesh is assumed to be bound at rest.
    fn joint_from_mesh(&self, joint: NodeIndex, mesh_node: NodeIndex) -> Affine3A {
        let of = |node: NodeIndex| self.model_from_node.get(node.get()).copied().unwrap_or_default();
        let joint_from_mesh = of(joint).inverse() * of(mesh_node);
        // The inverse isn't finite if a joint's scale is 0.
        if joint_from_mesh.is_finite() { joint_from_mesh } else { Affine3A::IDENTITY }
    }
}

/// A `SkinWeights` object: the vertices that one joint influences.
struct List<'d> {
    object: Object<'d>,
    name: String,
    /// `None` if no frame has that name.
    joint: Option<NodeIndex>,
    vertices: Vec<u32>,
    weights: Vec<[f32; 1]>,
    joint_from_mesh: Option<Affine3A>,
}

/// Returns a joint's position in the mesh's space in the bind pose.
fn bound_at(joint_from_mesh: &Affine3A) -> Vec3A {
    joint_from_mesh.inverse().translation
}

/// Returns the joint whose bind position is nearest to that of a missing joint.
fn nearest(joints_bound_at: &[Vec3A], joint_from_mesh: Option<Affine3A>) -> Option<u32> {
    let missing_at = joint_from_mesh.as_ref().map_or(Vec3A::ZERO, bound_at);
    let distances = joints_bound_at.iter().map(|joint| joint.distance_squared(missing_at));
    let nearest = distances.zip(0..).min_by(|(a, _), (b, _)| a.total_cmp(b));
    nearest.map(|(_, joint)| joint)
}

/// Reads the bind matrix; `None` if it is missing or all zeros.
fn offset(fields: &mut Fields<'_>) -> Result<Option<Affine3A>, ImportError> {
    if fields.left() == 0 {
        return Ok(None);
    }
    let rows: [f32; 16] = fields.vector()?;
    if rows == [0.0; 16] {
        return Ok(None);
    }
    match column_matrix(&rows) {
        Some(joint_from_mesh) => Ok(Some(joint_from_mesh)),
        None => {
            let (place, found) = (fields.place(16), "a projection".to_owned());
            Err(ImportProblem::MatrixNotAffine.at(place, found))
        }
    }
}

impl Weights {
    fn new(mut skin: Skin, mut slots: Vec<(u32, Slot)>, vertex_count: usize, mesh_node: NodeIndex) -> Self {
        slots.sort_by_key(|(vertex, _)| *vertex);
        let weighted = of_vertices(&slots).filter(|slots| is_weighted(slots)).count();
        let unweighted_joint = (weighted < vertex_count).then(|| {
            skin.joints.push(mesh_node);
            skin.joint_from_mesh.push(Affine3A::IDENTITY);
            u32::try_from(skin.joints.len() - 1).unwrap_or(u32::MAX)
        });
        Self { skin, slots, unweighted_joint }
    }

    /// Fills `slots` for a vertex. Returns whether the file lists a weight; if not, the mesh's node has weight 1.
    pub(super) fn of_vertex(&self, vertex: u32, slots: &mut Vec<Slot>) -> bool {
        let start = self.slots.partition_point(|(other, _)| *other < vertex);
        let listed = self.slots.get(start..).unwrap_or_default();
        let listed =
            of_vertices(listed).next().filter(|slots| slots.iter().all(|(other, _)| *other == vertex));
        let listed = listed.filter(|slots| is_weighted(slots));
        slots.clear();
        slots.extend(listed.unwrap_or_default().iter().map(|(_, slot)| *slot));
        if let (None, Some(joint)) = (listed, self.unweighted_joint) {
            slots.push(Slot { joint, joint_weight: 1.0 });
        }
        listed.is_some()
    }

    /// Returns the largest number of slots of any vertex, at least 1.
    pub(super) fn most(&self) -> usize {
        of_vertices(&self.slots).map(<[_]>::len).max().unwrap_or(1)
    }
}

fn of_vertices(slots: &[(u32, Slot)]) -> impl Iterator<Item = &[(u32, Slot)]> {
    slots.chunk_by(|(vertex, _), (next, _)| vertex == next)
}

fn is_weighted(slots: &[(u32, Slot)]) -> bool {
    slots.iter().any(|(_, slot)| slot.joint_weight > 0.0)
}
