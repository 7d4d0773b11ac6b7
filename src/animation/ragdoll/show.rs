//! Writes the places of bodies to a pose.
use super::body::Place;
use super::{Ragdoll, RagdollState, STEP_SECS};
use crate::animation::{LocalPose, ModelPose, Rig, turn};
use crate::model::{NodeIndex, Srt};
use glam::{Affine3A, Mat3, Vec3};

impl Ragdoll {
    /// Blends the pose of the bodies over the played one. Nodes that no body moves keep their transforms of the start
    /// below a simulated body, and those of the played pose elsewhere.
    pub(super) fn show(
        &self,
        rig: &Rig,
        state: &mut RagdollState,
        world_from_model: &Affine3A,
        weight: f32,
        local: &mut LocalPose,
        model: &mut ModelPose,
    ) {
        let model_from_sim = world_from_model.inverse() * state.world_from_sim();
        if !model_from_sim.is_finite() {
            return;
        }
        let share = (state.left_secs / STEP_SECS) as f32;
        for (index, node) in rig.model().nodes.iter().enumerate() {
            let at = NodeIndex::new(index);
            let Some(body) = self.simulated(state, at) else { continue };
            let played = local.srt(at);
            let mut srt = state.locals[index];
            let above = node.parent.map(|parent| (parent, self.simulated(state, parent).is_some()));
            let model_from_parent = match above {
                Some((parent, true)) => state.posed[parent.get()],
                Some((parent, false)) => model.model_from_node(parent),
                None => Affine3A::IDENTITY,
            };
            let part = &self.bodies[body];
            if part.node == at {
                let held = &state.bodies[body];
                let place = Place::between(&held.step_before, &held.now, share);
                let sim_from_body = Affine3A::from_rotation_translation(place.rotation, place.center);
                let parent_from_node =
                    model_from_parent.inverse() * model_from_sim * sim_from_body * state.body_from_node[body];
                put(&parent_from_node, &mut srt);
                if part.is_attached && above.is_some_and(|(_, is_simulated)| !is_simulated) {
                    // It stays at the joint of the driven body, which is shown as it is now.
                    srt.translation = played.translation;
                }
            }
            let parent_from_node = local.matrix(rig, at).unwrap_or_else(|| srt.parent_from_node());
            state.posed[index] = model_from_parent * parent_from_node;
            local.set_srt(at, if weight >= 1.0 { srt } else { between(&played, &srt, weight) });
        }
        rig.resolve_into(local, model);
    }

    /// Returns the body that moves a node, if it is simulated.
    fn simulated(&self, state: &RagdollState, node: NodeIndex) -> Option<usize> {
        self.body_of[node.get()].filter(|&body| state.bodies[body].inverse_mass > 0.0)
    }
}

/// Takes the rotation and the translation of a transform. The scale is kept.
fn put(parent_from_node: &Affine3A, srt: &mut Srt) {
    let scale = Mat3::from_diagonal(srt.scale.recip());
    let unscaled = Affine3A::from_mat3_translation(
        Mat3::from(parent_from_node.matrix3) * scale,
        parent_from_node.translation.into(),
    );
    if unscaled.is_finite() {
        srt.rotation = turn::of(&unscaled);
        srt.translation = parent_from_node.translation.into();
    }
}

fn between(from: &Srt, to: &Srt, share: f32) -> Srt {
    let lerp = |from: Vec3, to: Vec3| from.lerp(to, share);
    Srt {
        scale: lerp(from.scale, to.scale),
        rotation: turn::between(from.rotation, to.rotation, share),
        translation: lerp(from.translation, to.translation),
    }
}
