//! The pose in which a mesh was skinned, which is a better reference than the pose that a file happens to rest in.
use crate::model::{Model, Skin};
use crate::order::sort;
use glam::{Affine3A, Mat3, Quat, Vec3};

/// Returns `model_from_node` of all nodes: joints as they were when their skins were bound, all others as they rest on
/// their parents.
///
/// - Most files rest in that pose. Others rest in the first frame of some clip. Then the bind pose is upright as the
///   mesh is, and the first joint of a skin stands where it rests.
/// - Where skins contradict each other, a joint stands as in the largest of them. A skin that shares joints with a
///   larger one stands with it.
pub fn bind_pose(model: &Model) -> Vec<Affine3A> {
    let rest = rest_pose(model);
    let mut largest_first: Vec<usize> = (0..model.skins.len()).collect();
    let size = |skin: usize| model.skins[skin].joints.len();
    sort(&mut largest_first, |a, b| size(a) > size(b) || (size(a) == size(b) && a < b));
    let mut bound = vec![None; model.nodes.len()];
    for skin in largest_first {
        add_skin(&model.skins[skin], &rest, &mut bound);
    }
    let mut pose: Vec<Affine3A> = Vec::with_capacity(model.nodes.len());
    for (index, node) in model.nodes.iter().enumerate() {
        let local = node.sheared_rest.unwrap_or_else(|| node.rest.parent_from_node());
        let rested = node.parent.map_or(local, |parent| pose[parent.get()] * local);
        pose.push(bound[index].unwrap_or(rested));
    }
    pose
}

/// Adds the joints of a skin to those of the skins before.
fn add_skin(skin: &Skin, rest: &[Affine3A], bound: &mut [Option<Affine3A>]) {
    let is_sound = |joint_from_mesh: &Affine3A| {
        joint_from_mesh.inverse().is_finite() && joint_from_mesh.matrix3.determinant() != 0.0
    };
    let mut joints: Vec<(usize, Affine3A)> = Vec::new();
    for (joint, joint_from_mesh) in skin.joints.iter().zip(&skin.joint_from_mesh) {
        if is_sound(joint_from_mesh) {
            joints.push((joint.get(), joint_from_mesh.inverse()));
        }
    }
    let known =
        joints.iter().find_map(|(joint, mesh_from_joint)| Some(bound[*joint]? * mesh_from_joint.inverse()));
    let model_from_mesh = known.or_else(|| place(&joints, rest));
    for (joint, mesh_from_joint) in joints {
        let in_model =
            model_from_mesh.map_or(rest[joint], |model_from_mesh| model_from_mesh * mesh_from_joint);
        bound[joint].get_or_insert(in_model);
    }
}

/// Returns `model_from_mesh` of a skin that stands by itself, or `None` if its joints stay at rest.
fn place(joints: &[(usize, Affine3A)], rest: &[Affine3A]) -> Option<Affine3A> {
    // Parents stand before their children.
    let (first, mesh_from_first) = *joints.iter().min_by_key(|(joint, _)| *joint)?;
    let model_from_mesh = rest[first] * mesh_from_first.inverse();
    let is_rest = joints.iter().all(|(joint, mesh_from_joint)| {
        rotation(&(model_from_mesh * *mesh_from_joint)).dot(rotation(&rest[*joint])).abs() > 0.9999
    });
    if is_rest || !model_from_mesh.is_finite() {
        return None;
    }
    let (scale, turn, _) = model_from_mesh.to_scale_rotation_translation();
    let mut model_from_mesh = Affine3A::from_scale_rotation_translation(scale, snapped(turn), Vec3::ZERO);
    model_from_mesh.translation = rest[first].translation - (model_from_mesh * mesh_from_first).translation;
    Some(model_from_mesh)
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
