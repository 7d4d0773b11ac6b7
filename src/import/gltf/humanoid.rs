//! Joints of the body that VRM files name: `VRMC_vrm`, the animations' `VRMC_vrm_animation`, and `VRM` of version 0.x.
use super::json::Json;
use super::nodes::Hierarchy;
use crate::model::NodeIndex;
use crate::model::humanoid::Role;

/// Returns the roles that a file gives to its nodes. Names and nodes that don't exist are left out, since the player
/// finds roles by itself too.
pub(super) fn roles(root: Json<'_>, hierarchy: &Hierarchy) -> Vec<(Role, NodeIndex)> {
    let mut roles = Vec::new();
    let mut put = |name: &str, bone: Json<'_>| {
        let node = bone.index("node").and_then(|node| hierarchy.node_from_source.get(node));
        if let (Some(role), Some(&node)) = (Role::named(name), node) {
            roles.push((role, node));
        }
    };
    for extension in ["VRMC_vrm", "VRMC_vrm_animation"] {
        let humanoid = root.extension(extension).and_then(|extension| extension.get("humanoid"));
        let Some(bones) = humanoid.and_then(|humanoid| humanoid.get("humanBones")) else { continue };
        for name in bones.names() {
            if let Some(bone) = bones.get(name) {
                put(name, bone);
            }
        }
    }
    if let Some(humanoid) = root.extension("VRM").and_then(|vrm| vrm.get("humanoid")) {
        for bone in humanoid.list("humanBones") {
            // Version 0.x counts the joints of the thumb from the next one.
            let name = match bone.text("bone").unwrap_or_default() {
                "leftThumbProximal" => "leftThumbMetacarpal",
                "leftThumbIntermediate" => "leftThumbProximal",
                "rightThumbProximal" => "rightThumbMetacarpal",
                "rightThumbIntermediate" => "rightThumbProximal",
                name => name,
            };
            put(name, bone);
        }
    }
    roles
}
