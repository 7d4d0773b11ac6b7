//! Node and skin data of a model, and how the import repairs or refuses a file's hierarchy.

use crate::support::made_model;
use crate::support::made_model::{at, model, moved, nodes, palette, rig, sampled, turned};
use gambol::animation::{LocalPose, ModelPose, Rig, reference_skin};
use gambol::import::{ImportReport, Imported, Resources, import};
use gambol::model::check::check;
use gambol::model::{
    Influences, Mesh, MeshIndex, Model, NodeIndex, Primitive, Skin, SkinIndex, Srt, Topology,
};
use gambol::player::Player;
use glam::{Affine3A, Mat4, Quat, Vec3};
use std::sync::Arc;

fn gltf(body: &str) -> String {
    format!(r#"{{ "asset": {{ "version": "2.0" }}, {body} }}"#)
}

fn load(body: &str) -> Imported {
    let imported =
        import(gltf(body).as_bytes(), &Resources::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(check(&imported.model), []);
    imported
}

/// A hierarchy listed from the leaves up, with a mesh on the second joint.
const CHAIN: &str = r#"
    "nodes": [
        { "name": "Hand", "translation": [3, 0, 0], "extras": { "ik": { "chain": 2 }, "tag": "a \"b\" [" } },
        { "name": "Arm", "children": [0], "rotation": [0, 0, 1, 0], "mesh": 0 },
        { "name": "Root", "children": [1, 3], "scale": [2, 2, 2], "extras": 1.50 },
        { "name": "Tail", "extras": null }
    ],
    "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
    "accessors": [{ "type": "VEC3", "componentType": 5126, "count": 3 }]"#;

fn named(model: &Model, name: &str) -> NodeIndex {
    model.find_node(name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn S05_nodes_stand_parents_before_children_whatever_order_the_file_has() {
    let model = load(CHAIN).model;
    let order: Vec<&str> = model.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(order, ["Root", "Arm", "Hand", "Tail"]);
    for (index, node) in model.nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|parent| parent.get() < index), "{}", node.name);
    }
    let in_file: Vec<&str> = model.node_from_source.iter().map(|&node| &*model.node(node).name).collect();
    assert_eq!(in_file, ["Hand", "Arm", "Root", "Tail"], "pages go by the file's own order");
}

#[test]
fn S08_every_node_tells_its_name_parent_rest_matrix_and_mesh() {
    let model = load(CHAIN).model;
    let listed: Vec<_> = model
        .node_from_source
        .iter()
        .map(|&index| {
            let node = model.node(index);
            let parent = node.parent.map(|parent| model.node(parent).source_index);
            (&*node.name, parent, Mat4::from(node.rest.parent_from_node()), node.mesh.is_some())
        })
        .collect();
    let half_turn = Mat4::from_quat(Quat::from_xyzw(0.0, 0.0, 1.0, 0.0));
    assert_eq!(
        listed,
        [
            ("Hand", Some(1), Mat4::from_translation(Vec3::X * 3.0), false),
            ("Arm", Some(2), half_turn, true),
            ("Root", None, Mat4::from_scale(Vec3::splat(2.0)), false),
            ("Tail", Some(2), Mat4::IDENTITY, false),
        ]
    );
}

#[test]
fn S09_a_node_keeps_its_links_name_rest_and_what_the_file_says_beyond_its_format() {
    let model = load(CHAIN).model;
    let root = named(&model, "Root");
    let children: Vec<&str> =
        model.nodes.iter().filter(|node| node.parent == Some(root)).map(|node| &*node.name).collect();
    assert_eq!(children, ["Arm", "Tail"]);
    assert_eq!(model.node(root).rest, Srt { scale: Vec3::splat(2.0), ..Srt::IDENTITY });
    let extras = |name: &str| model.node(named(&model, name)).extras.as_deref();
    assert_eq!(extras("Hand"), Some(r#"{ "ik": { "chain": 2 }, "tag": "a \"b\" [" }"#), "as it is written");
    assert_eq!(extras("Root"), Some("1.50"));
    assert_eq!((extras("Arm"), extras("Tail")), (None, None), "an explicit null counts as absent");
}

#[test]
fn S12_a_skin_tells_its_joints_count_and_their_names_by_index() {
    let skins = r#", "skins": [{ "joints": [3, 0, 1] }, { "name": "One", "joints": [2] }]"#;
    let model = load(&[CHAIN, skins].concat()).model;
    let joints = |skin: usize| -> Vec<&str> {
        model.skins[skin].joints.iter().map(|&joint| &*model.node(joint).name).collect()
    };
    assert_eq!(joints(0), ["Tail", "Hand", "Arm"], "in the order that the mesh's joint indices mean");
    assert_eq!(joints(1), ["Root"]);
    assert_eq!((model.skins[0].joints.len(), model.skins[1].joints.len()), (3, 1));
}

/// Returns a body two units tall and half as wide. Its lowest point is `below` its own origin, and its root is at
/// `root_height`.
fn body(below: f32, root_height: f32) -> Model {
    let mut model = model(nodes(&[(None, moved(Vec3::Y * root_height))]), vec![]);
    let corners = |index: usize| {
        let pick = |bit: usize, low: f32, high: f32| if index >> bit & 1 == 0 { low } else { high };
        Vec3::new(pick(0, -0.5, 0.5), pick(1, -below, 2.0 - below), pick(2, -0.5, 0.5))
    };
    let cube = Primitive {
        topology: Topology::Points,
        positions: (0..8).map(corners).collect(),
        indices: (0..8).collect(),
        ..Primitive::default()
    };
    model.meshes.push(Mesh { primitives: vec![cube], ..Mesh::default() });
    model.nodes[0].mesh = Some(MeshIndex::new(0));
    model
}

#[test]
fn S17_the_view_follows_the_bounds_wherever_the_root_sits() {
    let framed = |model: Model| {
        let mut player = Player::new();
        player.show(Arc::new(Rig::new(Arc::new(model))), ImportReport::default());
        player.frame(1.5);
        (player.bounds().unwrap(), player.camera.goal())
    };
    let rooted_at_the_feet = framed(body(0.0, 0.0));
    let rooted_in_the_centre = framed(body(1.0, 1.0));
    assert_eq!(rooted_at_the_feet, rooted_in_the_centre, "what is seen is the same");

    // With the origin at the centre or far away, the whole view moves along.
    for height in [-1.0, 100.0] {
        let (bounds, view) = framed(body(0.0, height));
        let (feet_bounds, feet_view) = rooted_at_the_feet;
        assert_eq!(bounds.min.y, feet_bounds.min.y + height);
        // At a height of 100 an f32 has five decimals.
        assert!(view.target.abs_diff_eq(feet_view.target + Vec3::Y * height, 1e-4), "{view:?}");
        assert!((view.distance / feet_view.distance - 1.0).abs() < 1e-4, "{view:?}");
    }
}

/// Returns three points on two joints one unit apart along X, with weights 1, ½ + ½ and 1.
fn two_joints() -> Model {
    let mut model =
        model(nodes(&[(None, Srt::IDENTITY), (Some(0), moved(Vec3::X)), (None, Srt::IDENTITY)]), vec![]);
    let primitive = Primitive {
        topology: Topology::Points,
        positions: vec![Vec3::new(0.5, 0.5, 0.0), Vec3::new(1.0, 0.5, 0.0), Vec3::new(1.5, 0.5, 0.0)],
        normals: vec![Vec3::Y; 3],
        influences: Influences {
            per_vertex: 4,
            joints: vec![0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0],
            joint_weights: vec![1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
        },
        indices: vec![0, 1, 2],
        ..Primitive::default()
    };
    model.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    model.skins.push(Skin {
        joints: vec![at(0), at(1)],
        joint_from_mesh: vec![Affine3A::IDENTITY, Affine3A::from_translation(-Vec3::X)],
        ..Skin::default()
    });
    model.nodes[2].mesh = Some(MeshIndex::new(0));
    model.nodes[2].skin = Some(SkinIndex::new(0));
    model
}

#[test]
fn S18_the_files_own_bind_matrices_are_used_even_where_they_differ_from_its_rest() {
    let bound_at = |joint_from_mesh: Affine3A| {
        let mut model = two_joints();
        model.skins[0].joint_from_mesh[0] = joint_from_mesh;
        let rig = rig(model);
        let rows = palette(&rig, &LocalPose::rest(&rig));
        reference_skin(&rig, &rig.palette_layout().drawables[0], 0, &rows).positions[0]
    };
    let at_rest = ModelPose::new(&rig(two_joints())).model_from_node(at(0)).inverse();
    assert_eq!(bound_at(at_rest), Vec3::new(0.5, 0.5, 0.0));
    let elsewhere = Affine3A::from_translation(Vec3::Z * 7.0);
    assert_eq!(bound_at(elsewhere), Vec3::new(0.5, 0.5, 7.0));
}

#[test]
fn S22_bind_matrices_are_those_of_the_load_however_often_a_pose_is_taken() {
    let mut player = Player::new();
    player.show(Arc::new(rig(two_joints())), ImportReport::default());
    let model = player.model().unwrap().clone();
    let before = (model.skins[0].joint_from_mesh.as_ptr(), model.skins[0].clone());
    let first = player.skin_matrices(0, 0).unwrap();
    for turn in 0..1_000 {
        let mut local = LocalPose::rest(player.rig().unwrap());
        local.set_srt(at(0), turned(Quat::from_rotation_z(turn as f32)));
        palette(player.rig().unwrap(), &local);
    }
    assert_eq!(player.skin_matrices(0, 0).unwrap(), first);
    assert_eq!((model.skins[0].joint_from_mesh.as_ptr(), model.skins[0].clone()), before);
}

#[test]
fn S24_a_skin_that_names_a_joint_that_is_not_there_is_refused_by_place() {
    let skins = r#", "skins": [{ "joints": [0, 1] }, { "joints": [2, 4] }]"#;
    let error = import(gltf(&[CHAIN, skins].concat()).as_bytes(), &Resources::default()).unwrap_err();
    assert_eq!((error.code(), error.place()), ("REFERENCE_OUT_OF_RANGE", "/skins/1/joints/1"));
    assert!(error.to_string().contains("4, but there are 4 nodes"), "{error}");

    let mut player = Player::new();
    player.show(Arc::new(rig(two_joints())), ImportReport::default());
    assert!(player.load(gltf(&[CHAIN, skins].concat()).as_bytes(), &Resources::default()).is_err());
    assert_eq!(player.model().unwrap().skins.len(), 1, "what was shown is shown still");
}

#[test]
fn S34_skinning_without_a_gpu_starts_from_the_mesh_each_time() {
    let rig = rig(two_joints());
    let drawable = &rig.palette_layout().drawables[0];
    let mut local = LocalPose::rest(&rig);
    local.set_srt(at(1), Srt { translation: Vec3::X, ..turned(Quat::from_rotation_z(1.0)) });
    let posed = reference_skin(&rig, drawable, 0, &palette(&rig, &local));
    for _ in 0..3 {
        let again = reference_skin(&rig, drawable, 0, &palette(&rig, &local));
        assert_eq!((again.positions, again.normals), (posed.positions.clone(), posed.normals.clone()));
    }
    let back = reference_skin(&rig, drawable, 0, &palette(&rig, &LocalPose::rest(&rig)));
    assert_eq!(back.positions, rig.model().meshes[0].primitives[0].positions, "nothing had added up");
}

#[test]
fn S35_a_vertex_of_two_joints_lies_on_the_line_between_where_each_would_take_it() {
    let rig = rig(two_joints());
    let mut local = LocalPose::rest(&rig);
    local.set_srt(at(1), Srt { translation: Vec3::X, ..turned(Quat::from_rotation_z(2.0)) });
    let skinned = reference_skin(&rig, &rig.palette_layout().drawables[0], 0, &palette(&rig, &local));
    let in_mesh = rig.model().meshes[0].primitives[0].positions[1];
    let by_second = Vec3::X + Quat::from_rotation_z(2.0) * (in_mesh - Vec3::X);
    let middle = in_mesh.midpoint(by_second);
    // Sums of a few products near 1.
    assert!(skinned.positions[1].abs_diff_eq(middle, 1e-6), "{} ≠ {middle}", skinned.positions[1]);
}

#[test]
fn S71_names_are_resolved_once_and_repeated_ones_are_reported() {
    let twins = r#""nodes": [{ "name": "Hand", "children": [1, 2] }, { "name": "Hand" }, { "name": "Hand" }, {}, {}]"#;
    let Imported { model, report } = load(twins);
    let [warning] = &report.warnings[..] else { panic!("{:?}", report.warnings) };
    assert_eq!((warning.code, warning.place.as_str()), ("NODE_NAME_REPEATED", "/nodes"));
    assert!(warning.message.starts_with("2 of 5: "), "nodes without a name don't count: {}", warning.message);
    assert_eq!(model.find_node("Hand"), Some(at(0)), "the first of them");

    // Playback looks up no names: a model without names plays the same.
    let named = made_model::foxlike();
    let mut nameless = named.clone();
    nameless.nodes.iter_mut().for_each(|node| node.name.clear());
    let [named, nameless] = [named, nameless].map(rig);
    for time_secs in [0.0, 0.3, 0.7] {
        let [found, expected] = [&nameless, &named].map(|rig| palette(rig, &sampled(rig, time_secs)));
        assert_eq!(found, expected);
    }
}
