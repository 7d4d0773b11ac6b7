//! Nodes that the file hides, and variants of materials.

use crate::support::gltf_file::File;
use gambol::animation::Rig;
use gambol::model::{Aabb, NodeIndex, VariantIndex};
use gambol::player::Player;
use glam::Vec3;
use std::sync::Arc;

#[test]
fn what_the_file_hides_is_not_framed_and_can_be_shown() {
    let mut file = File::default();
    file.positions();
    let mut imported = file.load(
        r#""extensionsUsed":["KHR_node_visibility"],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "nodes":[{"mesh":0},{"extensions":{"KHR_node_visibility":{"visible":false}},"children":[2]},
            {"mesh":0,"translation":[0,9,0]}]"#,
    );
    let mut player = Player::new();
    let show = |player: &mut Player, model: &gambol::model::Model| {
        player.show(Arc::new(Rig::new(Arc::new(model.clone()))), Default::default());
    };
    show(&mut player, &imported.model);
    let triangle = Aabb { min: Vec3::ZERO, max: Vec3::new(1.0, 1.0, 0.0) };
    assert_eq!(player.bounds(), Some(triangle));
    assert_eq!(player.hidden_nodes(), [NodeIndex::new(1)]);
    player.set_visible(NodeIndex::new(1), true).unwrap();
    assert_eq!((player.hidden_nodes(), player.bounds()), (&[][..], Some(triangle)));

    imported.model.nodes[1].visible = true;
    show(&mut player, &imported.model);
    assert_eq!(player.hidden_nodes(), []);
    assert_eq!(player.bounds().unwrap().max.y, 10.0);
}

#[test]
fn a_variant_is_chosen_until_another_model_is_shown() {
    let mut file = File::default();
    file.positions();
    let imported = file.load(
        r#""extensionsUsed":["KHR_materials_variants"],
        "extensions":{"KHR_materials_variants":{"variants":[{"name":"a"},{"name":"b"}]}}"#,
    );
    let mut player = Player::new();
    assert_eq!(player.set_variant(None).unwrap_err().code(), "NO_MODEL");
    let rig = Arc::new(Rig::new(Arc::new(imported.model)));
    player.show(rig.clone(), imported.report.clone());
    let second = Some(VariantIndex::new(1));
    player.set_variant(second).unwrap();
    assert_eq!(player.set_variant(Some(VariantIndex::new(2))).unwrap_err().code(), "OUT_OF_RANGE");
    assert_eq!(player.variant(), second, "a refused call changes nothing");
    player.show(rig, imported.report);
    assert_eq!(player.variant(), None);
}
