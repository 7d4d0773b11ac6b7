//! Roles of joints: by the names of many programs, by the shape of the hierarchy, from files and from the caller.

use crate::support::made_model::{model, node};
use crate::support::real_models;
use gambol::import::{Resources, import};
use gambol::model::humanoid::{Finger, Humanoid, Part, Role, RoleReason, Side, bind_pose};
use gambol::model::{Model, Node, NodeIndex, Srt};
use glam::Vec3;
use std::fs;

/// Skeletons by their programs. Each line is a node, indented by its depth, and the role that it must have.
const NAMES: &[(&str, &str)] = &[
    (
        "Mixamo",
        "mixamorig:Hips = hips
 mixamorig:Spine = spine
  mixamorig:Spine1 = chest
   mixamorig:Spine2 = upperChest
    mixamorig:Neck = neck
     mixamorig:Head = head
      mixamorig:HeadTop_End
    mixamorig:LeftShoulder = leftShoulder
     mixamorig:LeftArm = leftUpperArm
      mixamorig:LeftForeArm = leftLowerArm
       mixamorig:LeftHand = leftHand
        mixamorig:LeftHandThumb1 = leftThumbMetacarpal
         mixamorig:LeftHandThumb2 = leftThumbProximal
          mixamorig:LeftHandThumb3 = leftThumbDistal
           mixamorig:LeftHandThumb4
        mixamorig:LeftHandIndex1 = leftIndexProximal
         mixamorig:LeftHandIndex2 = leftIndexIntermediate
          mixamorig:LeftHandIndex3 = leftIndexDistal
        mixamorig:LeftHandRing1 = leftRingProximal
    mixamorig:RightShoulder = rightShoulder
     mixamorig:RightArm = rightUpperArm
      mixamorig:RightForeArm = rightLowerArm
       mixamorig:RightHand = rightHand
        mixamorig:RightHandPinky1 = rightLittleProximal
 mixamorig:LeftUpLeg = leftUpperLeg
  mixamorig:LeftLeg = leftLowerLeg
   mixamorig:LeftFoot = leftFoot
    mixamorig:LeftToeBase = leftToes
     mixamorig:LeftToe_End
 mixamorig:RightUpLeg = rightUpperLeg
  mixamorig:RightLeg = rightLowerLeg
   mixamorig:RightFoot = rightFoot
    mixamorig:RightToeBase = rightToes",
    ),
    (
        "VRoid",
        "Root
 J_Bip_C_Hips = hips
  J_Bip_C_Spine = spine
   J_Bip_C_Chest = chest
    J_Bip_C_UpperChest = upperChest
     J_Sec_L_Bust1
     J_Bip_C_Neck = neck
      J_Bip_C_Head = head
       J_Adj_L_FaceEye
       J_Sec_Hair1_01
     J_Bip_L_Shoulder = leftShoulder
      J_Bip_L_UpperArm = leftUpperArm
       J_Bip_L_LowerArm = leftLowerArm
        J_Bip_L_Hand = leftHand
         J_Bip_L_Little1 = leftLittleProximal
         J_Bip_L_Middle1 = leftMiddleProximal
          J_Bip_L_Middle2 = leftMiddleIntermediate
         J_Bip_L_Thumb1 = leftThumbMetacarpal
     J_Bip_R_Shoulder = rightShoulder
      J_Bip_R_UpperArm = rightUpperArm
       J_Bip_R_LowerArm = rightLowerArm
        J_Bip_R_Hand = rightHand
  J_Bip_L_UpperLeg = leftUpperLeg
   J_Bip_L_LowerLeg = leftLowerLeg
    J_Bip_L_Foot = leftFoot
     J_Bip_L_ToeBase = leftToes
  J_Bip_R_UpperLeg = rightUpperLeg
   J_Bip_R_LowerLeg = rightLowerLeg
    J_Bip_R_Foot = rightFoot
     J_Bip_R_ToeBase = rightToes",
    ),
    (
        "Unreal",
        "root
 pelvis = hips
  spine_01 = spine
   spine_02
    spine_03 = chest
     spine_04
      spine_05 = upperChest
       clavicle_l = leftShoulder
        upperarm_l = leftUpperArm
         lowerarm_l = leftLowerArm
          lowerarm_twist_01_l
          wrist_inner_l
          hand_l = leftHand
           thumb_01_l = leftThumbMetacarpal
            thumb_02_l = leftThumbProximal
             thumb_03_l = leftThumbDistal
           index_metacarpal_l
            index_01_l = leftIndexProximal
             index_02_l = leftIndexIntermediate
           pinky_metacarpal_l
            pinky_01_l = leftLittleProximal
         upperarm_twist_01_l
       clavicle_r = rightShoulder
        upperarm_r = rightUpperArm
         lowerarm_r = rightLowerArm
          hand_r = rightHand
       neck_01 = neck
        neck_02
         head = head
  thigh_l = leftUpperLeg
   calf_l = leftLowerLeg
    calf_twist_01_l
    foot_l = leftFoot
     ball_l = leftToes
   thigh_twist_01_l
  thigh_r = rightUpperLeg
   calf_r = rightLowerLeg
    foot_r = rightFoot
     ball_r = rightToes
 ik_foot_root
  ik_foot_l
  ik_foot_r
 ik_hand_root
  ik_hand_gun
   ik_hand_l
   ik_hand_r",
    ),
    (
        "3ds Max Biped",
        "Bip01
 Bip01 Footsteps
 Bip01 Pelvis = hips
  Bip01 Spine = spine
   Bip01 L Thigh = leftUpperLeg
    Bip01 L Calf = leftLowerLeg
     Bip01 L Foot = leftFoot
      Bip01 L Toe0 = leftToes
       Bip01 L Toe0Nub
   Bip01 R Thigh = rightUpperLeg
    Bip01 R Calf = rightLowerLeg
     Bip01 R Foot = rightFoot
      Bip01 R Toe0 = rightToes
   Bip01 Spine1 = chest
    Bip01 Spine2 = upperChest
     Bip01 Neck = neck
      Bip01 Head = head
       Bip01 HeadNub
      Bip01 L Clavicle = leftShoulder
       Bip01 L UpperArm = leftUpperArm
        Bip01 L Forearm = leftLowerArm
         Bip01 L ForeTwist
         Bip01 L Hand = leftHand
          Bip01 L Finger0 = leftThumbMetacarpal
           Bip01 L Finger01 = leftThumbProximal
            Bip01 L Finger02 = leftThumbDistal
             Bip01 L Finger0Nub
          Bip01 L Finger1 = leftIndexProximal
           Bip01 L Finger11 = leftIndexIntermediate
      Bip01 R Clavicle = rightShoulder
       Bip01 R UpperArm = rightUpperArm
        Bip01 R Forearm = rightLowerArm
         Bip01 R Hand = rightHand",
    ),
    (
        "Rigify",
        "rig
 root
  DEF-spine = hips
   DEF-spine.001 = spine
    DEF-spine.002 = chest
     DEF-spine.003 = upperChest
      DEF-spine.004 = neck
       DEF-spine.005
        DEF-spine.006 = head
      DEF-shoulder.L = leftShoulder
       DEF-upper_arm.L = leftUpperArm
        DEF-upper_arm.L.001
         DEF-forearm.L = leftLowerArm
          DEF-forearm.L.001
           DEF-hand.L = leftHand
            DEF-palm.01.L
             DEF-f_index.01.L = leftIndexProximal
              DEF-f_index.02.L = leftIndexIntermediate
             DEF-thumb.01.L = leftThumbMetacarpal
      DEF-shoulder.R = rightShoulder
       DEF-upper_arm.R = rightUpperArm
        DEF-upper_arm.R.001
         DEF-forearm.R = rightLowerArm
          DEF-forearm.R.001
           DEF-hand.R = rightHand
   DEF-pelvis.L
   DEF-thigh.L = leftUpperLeg
    DEF-thigh.L.001
     DEF-shin.L = leftLowerLeg
      DEF-shin.L.001
       DEF-foot.L = leftFoot
        DEF-toe.L = leftToes
   DEF-pelvis.R
   DEF-thigh.R = rightUpperLeg
    DEF-thigh.R.001
     DEF-shin.R = rightLowerLeg
      DEF-shin.R.001
       DEF-foot.R = rightFoot
        DEF-toe.R = rightToes
 MCH-foot_ik.L
 ORG-thigh.L",
    ),
    (
        "Doom 3",
        "origin
 Hips = hips
  Waist = spine
   Chest = chest
    Neck = neck
     Head = head
    lshoulder = leftShoulder
     luparm = leftUpperArm
      lloarm = leftLowerArm
       lhand = leftHand
    rshoulder = rightShoulder
     ruparm = rightUpperArm
      rloarm = rightLowerArm
       rhand = rightHand
        rfingers1 = rightMiddleProximal
  lupleg = leftUpperLeg
   lloleg = leftLowerLeg
    lankle = leftFoot
     lballfoot = leftToes
  rupleg = rightUpperLeg
   rloleg = rightLowerLeg
    rankle = rightFoot
     rballfoot = rightToes",
    ),
    (
        "MakeHuman",
        "root = hips
 pelvis.L
  upperleg01.L = leftUpperLeg
   upperleg02.L
    lowerleg01.L = leftLowerLeg
     lowerleg02.L
      foot.L = leftFoot
       toe1-1.L = leftToes
 pelvis.R
  upperleg01.R = rightUpperLeg
   upperleg02.R
    lowerleg01.R = rightLowerLeg
     lowerleg02.R
      foot.R = rightFoot
       toe1-1.R = rightToes
 spine05 = spine
  spine04
   spine03 = chest
    spine02
     spine01 = upperChest
      clavicle.L = leftShoulder
       shoulder01.L
        upperarm01.L = leftUpperArm
         upperarm02.L
          lowerarm01.L = leftLowerArm
           lowerarm02.L
            wrist.L = leftHand
             finger1-1.L = leftThumbMetacarpal
              finger1-2.L = leftThumbProximal
             metacarpal1.L
              finger2-1.L = leftIndexProximal
      clavicle.R = rightShoulder
       shoulder01.R
        upperarm01.R = rightUpperArm
         upperarm02.R
          lowerarm01.R = rightLowerArm
           lowerarm02.R
            wrist.R = rightHand
      neck01 = neck
       neck02
        neck03
         head = head",
    ),
    (
        "KayKit",
        "root
 hips = hips
  spine = spine
   chest = chest
    upperarm.l = leftUpperArm
     lowerarm.l = leftLowerArm
      wrist.l = leftHand
       hand.l
        handslot.l
    upperarm.r = rightUpperArm
     lowerarm.r = rightLowerArm
      wrist.r = rightHand
       hand.r
    head = head
  upperleg.l = leftUpperLeg
   lowerleg.l = leftLowerLeg
    foot.l = leftFoot
     toes.l = leftToes
  upperleg.r = rightUpperLeg
   lowerleg.r = rightLowerLeg
    foot.r = rightFoot
     toes.r = rightToes
 kneeIK.l
 control-toe-roll.l
  control-foot-roll.l
   IK-foot.l
 elbowIK.l
 handIK.l",
    ),
    (
        "Quaternius",
        "CharacterArmature
 Root
  Foot.L = leftFoot
   Foot.L_end
  Body = hips
   Hips = spine
    Abdomen = chest
     Torso = upperChest
      Neck = neck
       Head = head
        Ear1.L
        Ear1.R
      Shoulder.L = leftShoulder
       UpperArm.L = leftUpperArm
        LowerArm.L = leftLowerArm
         Fist.L = leftHand
      Shoulder.R = rightShoulder
       UpperArm.R = rightUpperArm
        LowerArm.R = rightLowerArm
         Fist.R = rightHand
   UpperLeg.L = leftUpperLeg
    LowerLeg.L = leftLowerLeg
     LowerLeg.L_end
   UpperLeg.R = rightUpperLeg
    LowerLeg.R = rightLowerLeg
  PoleTarget.L
  Foot.R = rightFoot",
    ),
    (
        "the sample character",
        "Hips = hips
 Spine = spine
  Chest = chest
   Neck = neck
    Head = head
     Forelock
     LeftEar1
      LeftEar2
   Bell
   ScarfFront1
   LeftShoulder = leftShoulder
    LeftUpperArm = leftUpperArm
     LeftLowerArm = leftLowerArm
      LeftHand = leftHand
       LeftThumb1 = leftThumbMetacarpal
        LeftThumb2 = leftThumbProximal
       LeftLittle1 = leftLittleProximal
        LeftLittle2 = leftLittleIntermediate
   RightShoulder = rightShoulder
    RightUpperArm = rightUpperArm
     RightLowerArm = rightLowerArm
      RightHand = rightHand
 LeftUpperLeg = leftUpperLeg
  LeftLowerLeg = leftLowerLeg
   LeftFoot = leftFoot
    LeftToes = leftToes
 RightUpperLeg = rightUpperLeg
  RightLowerLeg = rightLowerLeg
   RightFoot = rightFoot
    RightToes = rightToes
 Tail1
  Tail2",
    ),
    (
        "motion capture of Carnegie Mellon University",
        "Hips = hips
 LHipJoint
  LeftUpLeg = leftUpperLeg
   LeftLeg = leftLowerLeg
    LeftFoot = leftFoot
     LeftToeBase = leftToes
 RHipJoint
  RightUpLeg = rightUpperLeg
   RightLeg = rightLowerLeg
    RightFoot = rightFoot
     RightToeBase = rightToes
 LowerBack = spine
  Spine = chest
   Spine1 = upperChest
    Neck = neck
     Neck1
      Head = head
    LeftShoulder = leftShoulder
     LeftArm = leftUpperArm
      LeftForeArm = leftLowerArm
       LeftHand = leftHand
        LeftFingerBase
         LeftHandIndex1 = leftIndexProximal
        LThumb = leftThumbMetacarpal
    RightShoulder = rightShoulder
     RightArm = rightUpperArm
      RightForeArm = rightLowerArm
       RightHand = rightHand",
    ),
    (
        "Poser",
        "hip = hips
 abdomen = spine
  chest = chest
   neck = neck
    head = head
     leftEye
   lCollar = leftShoulder
    lShldr = leftUpperArm
     lForeArm = leftLowerArm
      lHand = leftHand
   rCollar = rightShoulder
    rShldr = rightUpperArm
     rForeArm = rightLowerArm
      rHand = rightHand
 lThigh = leftUpperLeg
  lShin = leftLowerLeg
   lFoot = leftFoot
    lToe = leftToes
 rThigh = rightUpperLeg
  rShin = rightLowerLeg
   rFoot = rightFoot
    rToe = rightToes",
    ),
    (
        "Half-Life 2",
        "ValveBiped.Bip01_Pelvis = hips
 ValveBiped.Bip01_L_Thigh = leftUpperLeg
  ValveBiped.Bip01_L_Calf = leftLowerLeg
   ValveBiped.Bip01_L_Foot = leftFoot
    ValveBiped.Bip01_L_Toe0 = leftToes
 ValveBiped.Bip01_R_Thigh = rightUpperLeg
  ValveBiped.Bip01_R_Calf = rightLowerLeg
   ValveBiped.Bip01_R_Foot = rightFoot
 ValveBiped.Bip01_Spine = spine
  ValveBiped.Bip01_Spine1
   ValveBiped.Bip01_Spine2 = chest
    ValveBiped.Bip01_Spine4 = upperChest
     ValveBiped.Bip01_Neck1 = neck
      ValveBiped.Bip01_Head1 = head
     ValveBiped.Bip01_L_Clavicle = leftShoulder
      ValveBiped.Bip01_L_UpperArm = leftUpperArm
       ValveBiped.Bip01_L_Forearm = leftLowerArm
        ValveBiped.Bip01_L_Hand = leftHand
     ValveBiped.Bip01_R_Clavicle = rightShoulder
      ValveBiped.Bip01_R_UpperArm = rightUpperArm
       ValveBiped.Bip01_R_Forearm = rightLowerArm
        ValveBiped.Bip01_R_Hand = rightHand",
    ),
];

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

/// Files of others, with the number of roles that are found in each, and the names of some.
const FILES: &[(&str, usize, &[(&str, &str)])] = &[
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
