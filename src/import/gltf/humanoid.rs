//! Joints of the body that VRM files name: `VRMC_vrm`, the animations' `VRMC_vrm_animation`, and `VRM` of version 0.x.
use super::json::Json;
use super::nodes::Hierarchy;
use crate::model::NodeIndex;
use crate::model::humanoid::Role;

const EXTENSIONS: [&str; 2] = ["VRMC_vrm", "VRMC_vrm_animation"];
const VRM_0: &str = "VRM";
const BONES: &str = "humanBones";

pub(super) fn is_in(root: Json<'_>) -> bool {
    let [new, of_animations] = EXTENSIONS;
    [new, of_animations, VRM_0].iter().any(|extension| humanoid_of(root, extension).is_some())
}

/// Returns the description of the body in an extension.
fn humanoid_of<'a>(root: Json<'a>, extension: &str) -> Option<Json<'a>> {
    root.extension(extension)?.get("humanoid").filter(|humanoid| humanoid.get(BONES).is_some())
}

/// Returns the roles that a file gives to its nodes. Names and nodes that don't exist are left out, since the player
/// finds roles by itself too.
///
/// Not inlined: in a page, this is in the file that is fetched for models that name their joints.
#[inline(never)]
pub(super) fn roles(root: Json<'_>, hierarchy: &Hierarchy) -> Vec<(Role, NodeIndex)> {
    let mut roles = Vec::new();
    let mut put = |name: &str, bone: Json<'_>| {
        let node = bone.index("node").and_then(|node| hierarchy.node_from_source.get(node));
        if let (Some(role), Some(&node)) = (Role::named(name), node) {
            roles.push((role, node));
        }
    };
    for extension in EXTENSIONS {
        let Some(bones) = humanoid_of(root, extension).and_then(|humanoid| humanoid.get(BONES)) else {
            continue;
        };
        for name in bones.names() {
            if let Some(bone) = bones.get(name) {
                put(name, bone);
            }
        }
    }
    if let Some(humanoid) = humanoid_of(root, VRM_0) {
        for bone in humanoid.list(BONES) {
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
