use super::NodeIndex;
use glam::Affine3A;

/// The joints that move a mesh. A mesh's `joints` attribute indexes into `joints`, never into nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    pub name: String,
    pub joints: Vec<NodeIndex>,
    /// One per joint, from the mesh's space to the joint's at bind (the "inverse bind matrix").
    pub joint_from_mesh: Vec<Affine3A>,
    /// The file's common ancestor of the joints, where it names one.
    pub skeleton_root: Option<NodeIndex>,
}
