//! Roles of joints that VRM files name.

use gambol::import::{Resources, import};
use gambol::model::humanoid::Role;

/// Imports a file with this extension and five nodes, of which the first is the last one's child. Returns the names of
/// the roles, each with the index of its node in the file.
fn roles(extension: &str) -> Vec<(&'static str, usize)> {
    let text = format!(
        r#"{{ "asset": {{ "version": "2.0" }}, "extensions": {{ {extension} }},
            "nodes": [{{}}, {{}}, {{}}, {{}}, {{ "children": [0] }}] }}"#
    );
    let model = import(text.as_bytes(), &Resources::default()).unwrap().model;
    let source = |&(role, node): &(Role, _)| (role.name(), model.node(node).source_index);
    model.humanoid.iter().map(source).collect()
}

#[test]
fn versions_of_vrm_name_joints() {
    for name in ["VRMC_vrm", "VRMC_vrm_animation"] {
        let bones = r#""hips": { "node": 4 }, "leftThumbMetacarpal": { "node": 0 }, "jaw": { "node": 1 }"#;
        let extension = format!(r#""{name}": {{ "humanoid": {{ "humanBones": {{ {bones} }} }} }}"#);
        assert_eq!(roles(&extension), [("hips", 4), ("leftThumbMetacarpal", 0)], "{name}");
    }
    let old = r#""VRM": { "humanoid": { "humanBones": [
        { "bone": "hips", "node": 0 }, { "bone": "leftThumbProximal", "node": 1 },
        { "bone": "leftThumbIntermediate", "node": 2 }, { "bone": "leftThumbDistal", "node": 3 } ] } }"#;
    assert_eq!(
        roles(old),
        [("hips", 0), ("leftThumbMetacarpal", 1), ("leftThumbProximal", 2), ("leftThumbDistal", 3)]
    );
}

#[test]
fn names_without_nodes_are_left_out() {
    for bones in [
        r#"{ "hips": { "node": 5 }, "spine": { "node": -1 }, "chest": { "node": "1" }, "neck": {}, "head": 3 }"#,
        r#"[{ "node": 1 }]"#,
        "null",
        "7",
    ] {
        assert_eq!(roles(&format!(r#""VRMC_vrm": {{ "humanoid": {{ "humanBones": {bones} }} }}"#)), []);
        assert_eq!(roles(&format!(r#""VRM": {{ "humanoid": {{ "humanBones": {bones} }} }}"#)), []);
    }
}
