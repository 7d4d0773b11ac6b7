//! The pose in which a mesh was skinned, which is a better reference than the pose that a file happens to rest in.
use crate::model::Model;
use glam::{Affine3A, Mat3, Quat, Vec3};

/// Returns `model_from_node` of all nodes: joints as they were when the largest skin was bound, all others as they rest
/// on their parents.
///
/// Most files rest in that pose. Others rest in the first frame of some clip. Then the bind pose is upright as the mesh
/// is, and its first joint stands where it rests.
pub fn bind_pose(model: &Model) -> Vec<Affine3A> {
    let rest = rest_pose(model);
    let Some(skin) = model.skins.iter().rev().max_by_key(|skin| skin.joints.len()) else { return rest };
    // Place of each joint in the skin. Parents stand before their children.
    let mut bound = vec![None; model.nodes.len()];
    for (joint, joint_from_mesh) in skin.joints.iter().zip(&skin.joint_from_mesh) {
        let mesh_from_joint = joint_from_mesh.inverse();
        if mesh_from_joint.is_finite() && joint_from_mesh.matrix3.determinant() != 0.0 {
            bound[joint.get()] = Some(mesh_from_joint);
        }
    }
    let Some(first) = bound.iter().position(Option::is_some) else { return rest };
    let Some(mesh_from_first) = bound[first] else { return rest };
    let mut model_from_mesh = rest[first] * mesh_from_first.inverse();
    let is_rest = bound.iter().zip(&rest).all(|(mesh_from_joint, rest)| {
        let angle = |from_joint: &Affine3A| {
            rotation(&(model_from_mesh * *from_joint)).dot(rotation(rest)).abs() > 0.9999
        };
        mesh_from_joint.as_ref().is_none_or(angle)
    });
    if is_rest || !model_from_mesh.is_finite() {
        return rest;
    }
    let (scale, turn, _) = model_from_mesh.to_scale_rotation_translation();
    model_from_mesh = Affine3A::from_scale_rotation_translation(scale, snapped(turn), Vec3::ZERO);
    let away = rest[first].translation - (model_from_mesh * mesh_from_first).translation;
    model_from_mesh.translation = away;
    let mut pose: Vec<Affine3A> = Vec::with_capacity(model.nodes.len());
    for (index, node) in model.nodes.iter().enumerate() {
        let local = node.sheared_rest.unwrap_or_else(|| node.rest.parent_from_node());
        let rested = node.parent.map_or(local, |parent| pose[parent.get()] * local);
        pose.push(bound[index].map_or(rested, |mesh_from_joint| model_from_mesh * mesh_from_joint));
    }
    pose
}

fn rest_pose(model: &Model) -> Vec<Affine3A> {
    let mut pose: Vec<Affine3A> = Vec::with_capacity(model.nodes.len());
    for node in &model.nodes {
        let local = node.sheared_rest.unwrap_or_else(|| node.rest.parent_from_node());
        pose.push(node.parent.map_or(local, |parent| pose[parent.get()] * local));
    }
    pose
}

/// Returns the rotation of a transform without its scale.
fn rotation(transform: &Affine3A) -> Quat {
    transform.to_scale_rotation_translation().1
}

/// Returns the rotation that takes axes to axes, if one is at most some 25° away; otherwise the rotation itself.
pub(crate) fn snapped(rotation: Quat) -> Quat {
    let near = |axis: Vec3| {
        let along = axis.abs().max_element();
        let snapped = axis.map(|part| if part.abs() == along { part.signum() } else { 0.0 });
        (along > 0.9).then_some(snapped)
    };
    let axes = Mat3::from_quat(rotation);
    match (near(axes.x_axis), near(axes.y_axis), near(axes.z_axis)) {
        (Some(x), Some(y), Some(z)) => Quat::from_mat3(&Mat3::from_cols(x, y, z)).normalize(),
        _ => rotation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_near_those_of_the_axes_snap_to_them() {
        let quarter = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
        let near = Quat::from_rotation_z(0.2) * quarter;
        assert!(snapped(near).dot(quarter).abs() > 1.0 - 1e-6);
        let far = Quat::from_rotation_z(0.7) * quarter;
        assert_eq!(snapped(far), far);
    }
}
