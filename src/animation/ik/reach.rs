//! Reach: a limb of two joints brings its end to a point, by the triangle of its parts.
use super::arc;
use crate::animation::{LocalPose, ModelPose, Rig};
use crate::model::NodeIndex;
use glam::Vec3;

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
        let (start, bend, end) = (place(first), place(middle), place(goal.node));
        let (upper, lower) = (start.distance(bend), bend.distance(end));
        let ahead = (goal.target_in_model - start).normalize_or_zero();
        if upper == 0.0 || lower == 0.0 || ahead == Vec3::ZERO {
            return;
        }
        // Triangle of both parts of the limb and the line from start to end; flat if the target is out of reach.
        let away = start.distance(goal.target_in_model).max((upper - lower).abs()).min(upper + lower);
        let along = (upper * upper - lower * lower + away * away) / (2.0 * away);
        let aside = (upper * upper - along * along).max(0.0).sqrt();
        let side = goal.pole_in_model.map_or(bend, |pole| pole) - start;
        let side = side.reject_from_normalized(ahead).try_normalize();
        let side = side.unwrap_or_else(|| ahead.any_orthonormal_vector());
        let new_bend = start + ahead * along + side * aside;
        let new_end = start + ahead * away;

        let first_turn = arc(bend - start, new_bend - start);
        let second_turn = arc(first_turn * (end - bend), new_end - new_bend);
        // The middle joint first: the rotation of the joint above doesn't change its local rotation.
        self.turn(middle, first_turn.inverse() * second_turn * first_turn, goal.weight, local, model);
        self.turn(first, first_turn, goal.weight, local, model);
        self.resolve_into(local, model);
    }
}
