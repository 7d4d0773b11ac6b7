//! The bind pose in place of what plays.

use crate::player::Player;
use crate::player::company::FirstPose;

impl Player {
    /// Shows every character in the pose in which its meshes were skinned, or ends that. Playback continues meanwhile.
    pub(super) fn hold_bind_pose(&mut self, is_held: bool) {
        let Some(loaded) = &mut self.loaded else { return };
        if !is_held && loaded.held.is_none() {
            return;
        }
        loaded.held = is_held.then(|| {
            let (local, model) = loaded.rig().bind_pose();
            Box::new(FirstPose { local, model })
        });
        (loaded.stale, loaded.has_extras) = (true, true);
        // They would catch up with the time that has passed.
        self.characters.iter_mut().for_each(|character| character.springs.reset());
    }
}

#[cfg(test)]
mod tests {
    use super::super::made;
    use crate::player::{GuideSet, GuideSettings, Player};
    use glam::Vec3;

    #[test]
    fn playback_goes_on_while_the_bind_pose_is_shown() {
        let mut player = made::player_at(0.25);
        let place = |player: &mut Player| {
            player.pose();
            player.world_matrix(0, 0).expect("a node").w_axis.truncate()
        };
        let held = || GuideSettings { shown: GuideSet::BIND_POSE, ..GuideSettings::default() };
        assert_eq!(place(&mut player), Vec3::X);
        player.set_guides(held());
        assert_eq!(place(&mut player), Vec3::ZERO);
        player.advance(0.25).expect("a time");
        assert_eq!(place(&mut player), Vec3::ZERO);
        player.set_guides(GuideSettings::default());
        assert_eq!(place(&mut player), Vec3::X * 2.0);
        player.set_guides(held());
        made::load(&mut player, 0.5);
        assert_eq!(place(&mut player), Vec3::X * 2.0, "another model");
    }
}
