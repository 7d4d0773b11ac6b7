//! Roles of joints: by the names of many programs, by the shape of the hierarchy, from files and from the caller.

use crate::support::made_model::{model, node};
use crate::support::real_models;
use crate::support::skeletons::NAMES;
use gambol::import::{Resources, import};
use gambol::model::humanoid::{Finger, Humanoid, Part, Role, RoleReason, Side, bind_pose};
use gambol::model::{Model, Node, NodeIndex, Srt};
use glam::Vec3;
use std::fs;

/// Returns a model of nodes with these names, and the roles that they must have.
fn skeleton(text: &str) -> (Model, Vec<&str>) {
    let (mut nodes, mut roles): (Vec<Node>, _) = (Vec::new(), Vec::new());
    let mut above: Vec<usize> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let depth = line.len() - line.trim_start().len();
        let (name, role) = line.trim_start().split_once(" = ").unwrap_or((line.trim_start(), ""));
        above.truncate(depth);
        let made = node(above.last().copied(), Srt { translation: Vec3::Y, ..Srt::IDENTITY }, index);
        nodes.push(Node { name: name.into(), ..made });
        above.push(index);
        roles.push(role);
    }
    (model(nodes, Vec::new()), roles)
}

#[test]
fn joints_are_found_by_the_names_of_many_programs() {
    for (program, text) in NAMES {
        let (model, expected) = skeleton(text);
        let found = Humanoid::find(&model, &[]);
        assert_eq!(found.missing(), [], "{program}");
        for (index, expected) in expected.iter().enumerate() {
            let role = found.role_of(NodeIndex::new(index)).map_or("", Role::name);
            assert_eq!(role, *expected, "{program}: {}", model.nodes[index].name);
        }
    }
}

#[test]
fn names_are_more_certain_than_places() {
    let (model, _) = skeleton(NAMES[0].1);
    let found = Humanoid::find(&model, &[]);
    let arm = found.get(Role::of(Side::Left, Part::LowerArm)).unwrap();
    assert_eq!((arm.reason, arm.confidence), (RoleReason::Name, 1.0));
    let (model, _) = skeleton(NAMES[4].1);
    let hips = *Humanoid::find(&model, &[]).get(Role::HIPS).unwrap();
    assert_eq!(hips.reason, RoleReason::Place);
    assert!(hips.confidence < 1.0);
}

/// A body without names: hips, a spine of two joints, a head, arms of three joints and legs of four.
fn nameless() -> Model {
    let mut nodes = Vec::new();
    let mut add = |parent: Option<usize>, x: f32, y: f32, z: f32| {
        let index = nodes.len();
        let rest = Srt { translation: Vec3::new(x, y, z), ..Srt::IDENTITY };
        nodes.push(Node { name: String::new(), ..node(parent, rest, index) });
        index
    };
    let hips = add(None, 0.0, 1.0, 0.0);
    let spine = add(Some(hips), 0.0, 0.2, 0.0);
    let chest = add(Some(spine), 0.0, 0.2, 0.0);
    let head = add(Some(chest), 0.0, 0.3, 0.0);
    for side in [1.0, -1.0] {
        let upper = add(Some(chest), side * 0.2, 0.1, 0.0);
        let lower = add(Some(upper), side * 0.3, 0.0, 0.0);
        add(Some(lower), side * 0.25, 0.0, 0.0);
        let upper = add(Some(hips), side * 0.1, -0.05, 0.0);
        let lower = add(Some(upper), 0.0, -0.45, 0.02);
        let foot = add(Some(lower), 0.0, -0.4, 0.0);
        add(Some(foot), 0.0, -0.08, 0.12);
    }
    // Ears are pairs too.
    for side in [1.0, -1.0] {
        let ear = add(Some(head), side * 0.05, 0.1, 0.0);
        add(Some(ear), side * 0.02, 0.1, 0.0);
    }
    model(nodes, Vec::new())
}

#[test]
fn nameless_joints_are_found_by_their_shape() {
    let found = Humanoid::find(&nameless(), &[]);
    let node = |role| found.node(role).map(NodeIndex::get);
    assert_eq!(found.missing(), []);
    assert_eq!([Role::HIPS, Role::SPINE, Role::CHEST].map(node), [Some(0), Some(1), Some(2)]);
    let parts = [Part::UpperArm, Part::LowerArm, Part::Hand];
    assert_eq!(parts.map(|part| node(Role::of(Side::Left, part))), [Some(4), Some(5), Some(6)]);
    assert_eq!(parts.map(|part| node(Role::of(Side::Right, part))), [Some(11), Some(12), Some(13)]);
    let parts = [Part::UpperLeg, Part::LowerLeg, Part::Foot, Part::Toes];
    assert_eq!(parts.map(|part| node(Role::of(Side::Left, part))), [Some(7), Some(8), Some(9), Some(10)]);
    let leg = found.get(Role::of(Side::Right, Part::UpperLeg)).unwrap();
    assert_eq!((leg.reason, leg.confidence), (RoleReason::Shape, 0.5));
}

#[test]
fn given_roles_come_first() {
    let (mut model, _) = skeleton(NAMES[0].1);
    let at = |name: &str| model.find_node(name).unwrap();
    let hand = Role::of(Side::Left, Part::Hand);
    let (forearm, thumb) = (at("mixamorig:LeftForeArm"), at("mixamorig:LeftHandThumb1"));
    let found = Humanoid::find(&model, &[(hand, thumb)]);
    assert_eq!(found.get(hand).unwrap().reason, RoleReason::Given);
    assert_eq!(found.node(hand), Some(thumb));
    assert_eq!(found.node(Role::of(Side::Left, Part::LowerArm)), Some(forearm));
    assert_ne!(found.node(Role::finger(Side::Left, Finger::Thumb, 0).unwrap()), Some(thumb), "it is taken");

    model.humanoid = vec![(hand, thumb)];
    assert_eq!(Humanoid::find(&model, &[]).get(hand).unwrap().reason, RoleReason::File);
    let only = Humanoid::given(&[(hand, thumb)]);
    assert_eq!(only.roles().count(), 1);
    assert_eq!(only.missing().len(), 9);
    // A node that the model lacks.
    assert_eq!(Humanoid::find(&model, &[(Role::HEAD, NodeIndex::new(999))]).missing(), []);
}

#[test]
fn what_is_no_body_lacks_roles() {
    let missing = |text: &str| -> Vec<&str> {
        Humanoid::find(&skeleton(text).0, &[]).missing().iter().map(|role| role.name()).collect()
    };
    assert_eq!(missing("Cube").len(), 9);
    let arms = "Hips\n LeftArm\n  LeftForeArm\n RightArm\n  RightForeArm\n LeftUpLeg\n  LeftLeg\n RightUpLeg";
    assert_eq!(missing(arms), ["rightLowerLeg"]);
}

#[test]
fn any_number_and_depth_of_nodes_takes_no_time() {
    let chain: String = (0..5000).map(|depth| format!("{}LeftArm\n", " ".repeat(depth % 2500))).collect();
    let found = Humanoid::find(&skeleton(&chain).0, &[]);
    assert!(!found.missing().is_empty());
}

type File = (&'static str, usize, &'static [(&'static str, &'static str)]);

/// Files of others, with the number of roles that are found in each, and the names of some.
const FILES: &[File] = &[
    ("gltf/kaykit/Knight.glb", 18, &[("hips", "hips"), ("leftHand", "wrist.l"), ("rightToes", "toes.r")]),
    (
        "gltf/robot-expressive/RobotExpressive.glb",
        36,
        &[
            ("hips", "Body"),
            ("leftFoot", "Foot.L"),
            ("leftHand", "Palm2.L"),
            ("rightIndexProximal", "Index.R"),
        ],
    ),
    ("gltf/quaternius/platformer_game_pack_Character.glb", 20, &[("leftHand", "Fist.L"), ("head", "Head")]),
    (
        "gltf/khronos/CesiumMan/glTF-Binary/CesiumMan.glb",
        19,
        &[
            ("leftUpperArm", "Skeleton_arm_joint_L__4_"),
            ("rightUpperArm", "Skeleton_arm_joint_R"),
            ("rightFoot", "leg_joint_R_3"),
            ("head", "Skeleton_neck_joint_2"),
        ],
    ),
    (
        "vrm/Godette_vrm_v4.vrm",
        45,
        &[("spine", "tummy_Armature"), ("leftThumbMetacarpal", "thumb.1.l_Armature")],
    ),
    ("vrm/VRMC_vrm_expressions_isBinary_Overridden.vrm", 22, &[("upperChest", "UpperChest")]),
    ("vrm/test.vrma", 51, &[("leftUpperArm", "leftUpperArm")]),
    ("iqm/mrfixit.iqm", 19, &[("chest", "Spine2"), ("leftUpperLeg", "Thigh.L"), ("leftFoot", "UpperFoot.L")]),
    (
        "x/tiny/tiny.x",
        34,
        &[("hips", "Bip01_Pelvis"), ("spine", "Bip01_Spine"), ("leftIndexProximal", "Bip01_L_Finger1")],
    ),
    (
        "dae/thinmatrix/model.dae",
        16,
        &[("hips", "Torso"), ("chest", "Chest"), ("leftUpperArm", "Upper_Arm.L")],
    ),
    (
        "gltf/gdx/pbrTest.gltf",
        11,
        &[("leftUpperArm", "Armature_Bone.003"), ("rightUpperLeg", "Armature_Bone.007")],
    ),
];

#[test]
fn joints_of_real_models_are_found() {
    let Some(folder) = real_models::models() else { return };
    let mut seen = 0;
    for (name, count, roles) in FILES {
        let bytes = fs::read(folder.join(name)).unwrap();
        let mut resources = Resources::default();
        for uri in gambol::import::external_buffers(&bytes).unwrap() {
            let path = folder.join(name).parent().unwrap().join(&uri);
            resources.insert(&uri, fs::read(path).unwrap());
        }
        let model = import(&bytes, &resources).unwrap().model;
        let found = Humanoid::find(&model, &[]);
        assert_eq!(found.missing(), [], "{name}");
        for (role, expected) in *roles {
            let node = found.node(Role::named(role).unwrap()).unwrap_or_else(|| panic!("{name}: {role}"));
            assert_eq!(model.node(node).name, *expected, "{name}: {role}");
        }
        assert_eq!(found.roles().count(), *count, "{name}");
        // Sides are those of the body: arms and legs of one side are on the same side.
        let bind = bind_pose(&model);
        let x = |side, part| bind[found.node(Role::of(side, part)).unwrap().get()].translation.x;
        let width = |part| x(Side::Left, part) - x(Side::Right, part);
        assert!(width(Part::UpperArm) * width(Part::UpperLeg) > 0.0, "{name}");
        seen += 1;
    }
    real_models::saw(seen);
}
