//! Reach: a limb of two joints brings its end to a point, by the triangle of its parts.
use super::arc;
use crate::animation::{LocalPose, ModelPose, Rig};
use crate::model::NodeIndex;
use glam::{Quat, Vec3};

/// Goal of a limb of two joints, whose end is to be at a point. The node's parent and grandparent are rotated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// End of the limb: a hand or a foot.
    pub node: NodeIndex,
    pub target_in_model: Vec3,
    /// Point towards which the middle joint bends; `None` keeps the animated bend direction.
    pub pole_in_model: Option<Vec3>,
    /// Weight from 0 to 1.
    pub weight: f32,
}

impl Rig {
    /// Rotates the two joints above the end of a limb. Changes nothing if the end has fewer than two ancestors.
    /// `model` must be the resolved `local`, and is updated with it.
    pub fn reach(&self, goal: &Reach, local: &mut LocalPose, model: &mut ModelPose) {
        let parent = |node: NodeIndex| self.model().node(node).parent;
        let Some(middle) = parent(goal.node) else { return };
        let Some(first) = parent(middle) else { return };
        if goal.weight <= 0.0 {
            return;
        }
        let place = |node: NodeIndex| Vec3::from(model.model_from_node(node).translation);
        let places = [place(first), place(middle), place(goal.node)];
        let Some([first_turn, second_turn]) = limb_turns(places, goal.target_in_model, goal.pole_in_model)
        else {
            return;
        };
        // The middle joint first: the rotation of the joint above doesn't change its local rotation.
        self.turn(middle, first_turn.inverse() * second_turn * first_turn, goal.weight, local, model);
        self.turn(first, first_turn, goal.weight, local, model);
        self.resolve_into(local, model);
    }
}

/// Returns the rotations of the two parts of a limb that bring its end to a point or as near as possible: that of the
/// first part, which carries the second, and then that of the second. `places` are the two joints and the end, all in
/// one space.
///
/// Returns `None` for a part without length, and for a target at the first joint.
pub(in crate::animation) fn limb_turns(
    places: [Vec3; 3],
    target: Vec3,
    pole: Option<Vec3>,
) -> Option<[Quat; 2]> {
    let [start, bend, end] = places;
    let (upper, lower) = (start.distance(bend), bend.distance(end));
    let ahead = (target - start).normalize_or_zero();
    if upper == 0.0 || lower == 0.0 || ahead == Vec3::ZERO {
        return None;
    }
    // Triangle of both parts of the limb and the line from start to end; flat if the target is out of reach.
    let away = start.distance(target).max((upper - lower).abs()).min(upper + lower);
    let along = (upper * upper - lower * lower + away * away) / (2.0 * away);
    let aside = (upper * upper - along * along).max(0.0).sqrt();
    let side = pole.map_or(bend, |pole| pole) - start;
    let side = side.reject_from_normalized(ahead).try_normalize();
    let side = side.unwrap_or_else(|| ahead.any_orthonormal_vector());
    let new_bend = start + ahead * along + side * aside;
    let new_end = start + ahead * away;

    let first_turn = arc(bend - start, new_bend - start);
    let second_turn = arc(first_turn * (end - bend), new_end - new_bend);
    Some([first_turn, second_turn])
}
