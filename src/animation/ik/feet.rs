//! Feet on the ground: each foot is lifted and turned as the ground below it, and the hips follow the lowest one.
use super::arc;
use super::reach::Reach;
use super::rotation_of;
use crate::animation::{LocalPose, ModelPose, Rig};
use crate::model::NodeIndex;
use glam::{Quat, Vec3};

/// A foot and the ground below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foot {
    /// End of a limb of two joints, below the hips.
    pub node: NodeIndex,
    /// Way from the ground that the animation was made for to the ground below the foot.
    pub lift_in_model: Vec3,
    /// Normal of the ground.
    pub normal_in_model: Vec3,
}

/// What feet and hips are to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance<'a> {
    /// Node above all feet.
    pub hips: NodeIndex,
    pub feet: &'a [Foot],
    /// Unit vector: the normal of the ground that the animation was made for.
    pub up_in_model: Vec3,
    /// Blend factor between the animated pose (0) and the ground (1).
    pub weight: f32,
}

impl Rig {
    /// Moves the hips by the lift of the lowest foot, so that its leg keeps its animated shape. Then brings every foot
    /// to its animated place plus its lift, and turns it by the turn from `up_in_model` to its normal.
    ///
    /// On ground without lift and slope, no bit changes. `model` must be the resolved `local`, and is updated with it.
    pub fn stand(&self, stance: &Stance, local: &mut LocalPose, model: &mut ModelPose) {
        let Stance { hips, feet, up_in_model, weight } = *stance;
        let height = |foot: &&Foot| foot.lift_in_model.dot(up_in_model);
        let Some(lowest) = feet.iter().min_by(|a, b| height(a).total_cmp(&height(b))) else { return };
        if weight <= 0.0 {
            return;
        }
        let hips_lift = lowest.lift_in_model * weight;
        if hips_lift != Vec3::ZERO {
            let parent = self.model().node(hips).parent;
            let parent_from_model = parent.map(|parent| model.model_from_node(parent).inverse());
            let mut srt = local.srt(hips);
            srt.translation += parent_from_model.map_or(hips_lift, |to| to.transform_vector3(hips_lift));
            if srt.translation.is_finite() {
                local.set_srt(hips, srt);
                self.resolve_into(local, model);
            }
        }
        for foot in feet {
            let lift = foot.lift_in_model * weight - hips_lift;
            let slope = arc(up_in_model, foot.normal_in_model);
            if lift == Vec3::ZERO && slope == Quat::IDENTITY {
                continue;
            }
            let animated = rotation_of(&model.model_from_node(foot.node));
            let target_in_model = Vec3::from(model.model_from_node(foot.node).translation) + lift;
            let reach = Reach { node: foot.node, target_in_model, pole_in_model: None, weight: 1.0 };
            self.reach(&reach, local, model);
            let slope = (Quat::IDENTITY * (1.0 - weight) + slope * weight).normalize();
            let tilted = rotation_of(&model.model_from_node(foot.node));
            self.turn(foot.node, slope * animated * tilted.inverse(), 1.0, local, model);
            self.resolve_into(local, model);
        }
    }
}
