//! Names of the joints that many programs make, as their files have them.

/// Skeletons by their programs. Each line is a node, indented by its depth, and the role that it must have.
pub const NAMES: &[(&str, &str)] = &[
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
