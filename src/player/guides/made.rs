//! A model for tests.

use crate::import::Resources;
use crate::model::ClipIndex;
use crate::playback::PlayOptions;
use crate::player::Player;

/// Returns a file with a line of 1 along y on the node `Tip`, which a clip moves by 4 along x in one second.
fn file() -> String {
    let [zero, one, four] = ["%00%00%00%00", "%00%00%80%3F", "%00%00%80%40"];
    let (times, line) = ([zero, one], [zero, zero, zero, zero, one, zero]);
    let places = [zero, zero, zero, four, zero, zero];
    let numbers = [times.concat(), places.concat(), line.concat()].concat();
    format!(
        r#"{{ "asset": {{ "version": "2.0" }}, "nodes": [{{ "name": "Tip", "mesh": 0 }}],
        "buffers": [{{ "byteLength": 56, "uri": "data:,{numbers}" }}],
        "bufferViews": [{{ "buffer": 0, "byteLength": 8 }}, {{ "buffer": 0, "byteOffset": 8, "byteLength": 24 }},
            {{ "buffer": 0, "byteOffset": 32, "byteLength": 24 }}],
        "accessors": [
            {{ "bufferView": 0, "type": "SCALAR", "componentType": 5126, "count": 2, "min": [0], "max": [1] }},
            {{ "bufferView": 1, "type": "VEC3", "componentType": 5126, "count": 2 }},
            {{ "bufferView": 2, "type": "VEC3", "componentType": 5126, "count": 2 }}],
        "meshes": [{{ "primitives": [{{ "attributes": {{ "POSITION": 2 }}, "mode": 1 }}] }}],
        "animations": [{{ "samplers": [{{ "input": 0, "output": 1 }}],
            "channels": [{{ "sampler": 0, "target": {{ "node": 0, "path": "translation" }} }}] }}] }}"#
    )
}

/// Returns a player that plays the clip and has come to a time.
pub(super) fn player_at(time_secs: f64) -> Player {
    let mut player = Player::new();
    load(&mut player, time_secs);
    player
}

/// Loads the model again, and plays its clip up to a time.
pub(super) fn load(player: &mut Player, time_secs: f64) {
    player.load(file().as_bytes(), &Resources::default()).expect("it is sound");
    player.play(ClipIndex::new(0), &PlayOptions::default()).expect("a clip");
    player.advance(time_secs).expect("a time");
}
