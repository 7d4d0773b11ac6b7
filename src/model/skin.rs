use super::NodeIndex;
use glam::Affine3A;

/// The joints that move a mesh. A mesh's `joints` attribute indexes into `joints`, never into nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    pub name: String,
    pub joints: Vec<NodeIndex>,
    /// One matrix per joint, from mesh space to joint space at bind (the "inverse bind matrix").
    pub joint_from_mesh: Vec<Affine3A>,
    /// The common ancestor of the joints, if the file gives one.
    pub skeleton_root: Option<NodeIndex>,
}
