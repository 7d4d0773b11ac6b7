//! Springs of `VRMC_springBone` and of VRM 0.x: values, defaults, and hostile files.

use crate::support::hostile::within_bounds;
use gambol::import::{Imported, Resources, import};
use gambol::model::check::check;
use gambol::model::{Collider, ColliderShape, Model, NodeIndex, Spring, SpringEnd, SpringJoint};
use glam::Vec3;

/// Nodes `0 ── 1 ── 2 ── 3` and `1 ── 4`, each one unit above its parent.
const NODES: &str = r#""nodes": [
    { "children": [1] }, { "children": [2, 4], "translation": [0, 1, 0] },
    { "children": [3], "translation": [0, 1, 0] }, { "translation": [0, 1, 0] }, { "translation": [0, 1, 0] }]"#;

fn load(extensions: &str, nodes: &str) -> Imported {
    let text = format!(r#"{{ "asset": {{ "version": "2.0" }}, "extensions": {{ {extensions} }}, {nodes} }}"#);
    let imported = import(text.as_bytes(), &Resources::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(check(&imported.model), [], "{extensions}");
    imported
}

fn model(extensions: &str) -> Model {
    let Imported { model, report } = load(extensions, NODES);
    assert_eq!(report.warnings, [], "{extensions}");
    model
}

/// Returns the node whose index in the file is `source`.
fn node(model: &Model, source: usize) -> NodeIndex {
    model.node_from_source[source]
}

#[test]
fn springs_have_the_values_of_the_file() {
    let model = model(
        r#""VRMC_springBone": { "specVersion": "1.0",
        "colliders": [
            { "node": 0, "shape": { "sphere": { "offset": [1, 2, 3], "radius": 0.5 } } },
            { "node": 3, "shape": { "capsule": { "offset": [0, 1, 0], "radius": 0.25, "tail": [0, 2, 0] } } },
            { "node": 0, "shape": { "sphere": {} } } ],
        "colliderGroups": [{ "colliders": [0] }, { "colliders": [1, 0] }, { "colliders": [2] }],
        "springs": [
            { "joints": [
                { "node": 1, "hitRadius": 0.1, "stiffness": 2, "gravityPower": 0.5, "gravityDir": [0, 0, 2],
                  "dragForce": 0.25 },
                { "node": 3 } ], "colliderGroups": [0, 1], "center": 0 },
            { "joints": [{ "node": 2 }, { "node": 3, "stiffness": 9 }] },
            { "joints": [{ "node": 4 }] } ] }"#,
    );
    let at = |source| node(&model, source);
    let sphere = |point, radius| ColliderShape::Capsule { ends: [point; 2], radius, inside: false };
    let capsule = ColliderShape::Capsule { ends: [Vec3::Y, Vec3::Y * 2.0], radius: 0.25, inside: false };
    let shapes = [(0, sphere(Vec3::new(1.0, 2.0, 3.0), 0.5)), (3, capsule), (0, sphere(Vec3::ZERO, 0.0))];
    let colliders: Vec<_> = shapes.map(|(source, shape)| Collider { node: at(source), shape }).to_vec();
    assert_eq!(model.springs.colliders, colliders);
    let first = SpringJoint {
        node: at(1),
        end: SpringEnd::Node(at(3)),
        stiffness: 2.0,
        drag: 0.25,
        gravity: Vec3::Z,
        radius: 0.1,
    };
    let defaults = SpringJoint {
        node: at(2),
        end: SpringEnd::Node(at(3)),
        stiffness: 1.0,
        drag: 0.5,
        gravity: Vec3::ZERO,
        radius: 0.0,
    };
    assert_eq!(
        model.springs.springs,
        [
            Spring { joints: vec![first], colliders: vec![0, 1], center: Some(at(0)) },
            Spring { joints: vec![defaults], ..Spring::default() },
            Spring::default(),
        ]
    );
    assert_eq!(first.end_at_rest(&model.nodes), Some(Vec3::Y * 2.0));
}

#[test]
fn extended_colliders_replace_the_plain_ones() {
    let extended = |shape: &str| {
        let model = model(&format!(
            r#""VRMC_springBone": {{ "colliders": [{{ "node": 0, "shape": {{ "sphere": {{ "radius": 9 }} }},
            "extensions": {{ "VRMC_springBone_extended_collider": {{ "specVersion": "1.0", "shape": {{ {shape} }} }} }}
            }}] }}"#
        ));
        model.springs.colliders[0].shape
    };
    let inside = |ends, radius| ColliderShape::Capsule { ends, radius, inside: true };
    assert_eq!(
        extended(r#""sphere": { "offset": [1, 0, 0], "radius": 2, "inside": true }"#),
        inside([Vec3::X; 2], 2.0)
    );
    assert_eq!(
        extended(r#""capsule": { "tail": [1, 0, 0], "radius": 2, "inside": true }"#),
        inside([Vec3::ZERO, Vec3::X], 2.0)
    );
    let plane = |point, normal| ColliderShape::Plane { point, normal };
    assert_eq!(extended(r#""plane": { "offset": [0, 1, 0], "normal": [0, 3, 0] }"#), plane(Vec3::Y, Vec3::Y));
    assert_eq!(extended(r#""plane": {}"#), plane(Vec3::ZERO, Vec3::Z));
}

#[test]
fn a_group_of_vrm_0_has_all_descendants_and_an_end_of_7_centimetres() {
    let model = model(
        r#""VRM": { "secondaryAnimation": {
        "boneGroups": [{ "stiffiness": 3, "gravityPower": 2, "gravityDir": { "x": 0, "y": -1, "z": 0.5 },
            "dragForce": 0.25, "center": 0, "hitRadius": 0.5, "bones": [1], "colliderGroups": [0] }],
        "colliderGroups": [
            { "node": 0, "colliders": [{ "offset": { "x": 1, "y": 2, "z": 3 }, "radius": 0.5 }] }] } }"#,
    );
    let at = |source| node(&model, source);
    let joint = |source, end| SpringJoint {
        node: at(source),
        end,
        stiffness: 3.0,
        drag: 0.25,
        gravity: Vec3::new(0.0, -2.0, -1.0),
        radius: 0.5,
    };
    let [spring] = &model.springs.springs[..] else { panic!("{:?}", model.springs) };
    let mut joints = spring.joints.clone();
    joints.sort_by_key(|joint| joint.node);
    let last = SpringEnd::Point(Vec3::Y * 0.07);
    let mut expected = vec![
        joint(1, SpringEnd::Node(at(2))),
        joint(2, SpringEnd::Node(at(3))),
        joint(3, last),
        joint(4, last),
    ];
    expected.sort_by_key(|joint| joint.node);
    assert_eq!(joints, expected);
    assert_eq!((spring.center, &*spring.colliders), (Some(at(0)), &[0][..]));
    // The z axis of the format points the other way.
    let shape = ColliderShape::Capsule { ends: [Vec3::new(1.0, 2.0, -3.0); 2], radius: 0.5, inside: false };
    assert_eq!(model.springs.colliders, [Collider { node: at(0), shape }]);
}

#[test]
fn nothing_is_refused_for_its_springs() {
    for value in
        ["null", "1", "[]", "{}", "\"text\"", "[null, 1, [], {}]", "{ \"node\": {} }", "[-1, 1e300, 0.5]"]
    {
        for extension in ["VRMC_springBone", "VRM"] {
            load(&format!(r#""{extension}": {value}"#), NODES);
        }
        for name in ["springs", "colliders", "colliderGroups"] {
            load(&format!(r#""VRMC_springBone": {{ "{name}": {value} }}"#), NODES);
            load(&format!(r#""VRMC_springBone": {{ "{name}": [{value}] }}"#), NODES);
        }
        for name in ["joints", "colliderGroups", "center"] {
            load(&format!(r#""VRMC_springBone": {{ "springs": [{{ "{name}": {value} }}] }}"#), NODES);
        }
        for name in ["boneGroups", "colliderGroups"] {
            load(&format!(r#""VRM": {{ "secondaryAnimation": {{ "{name}": {value} }} }}"#), NODES);
            load(&format!(r#""VRM": {{ "secondaryAnimation": {{ "{name}": [{value}] }} }}"#), NODES);
        }
        for name in ["bones", "gravityDir", "stiffiness", "center"] {
            let group = format!(r#"{{ "bones": [1], "{name}": {value} }}"#);
            load(&format!(r#""VRM": {{ "secondaryAnimation": {{ "boneGroups": [{group}] }} }}"#), NODES);
        }
    }
}

#[test]
fn time_and_memory_are_bounded() {
    let count = 20_000;
    let chain = |count: usize| {
        let nodes: Vec<String> = (1..count).map(|child| format!(r#"{{"children":[{child}]}}"#)).collect();
        format!(r#""nodes":[{},{{}}]"#, nodes.join(","))
    };
    let repeated = |text: &str| vec![text; count].join(",");
    // Many groups of one long chain, whose nodes are taken only once.
    let groups = repeated(r#"{"bones":[0]}"#);
    let old = format!(r#""VRM":{{"secondaryAnimation":{{"boneGroups":[{groups}]}}}}"#);
    // Many joints that end far below.
    let far: Vec<String> = (0..count - 1)
        .map(|node| format!(r#"{{"joints":[{{"node":{node}}},{{"node":{}}}]}}"#, count - 1))
        .collect();
    let new = format!(r#""VRMC_springBone":{{"springs":[{}]}}"#, far.join(","));
    // Many springs with many colliders each.
    let springs = repeated(r#"{"colliderGroups":[0,0,0,0,0,0,0,0,0,0]}"#);
    let colliders = repeated(r#"{"node":0,"shape":{"sphere":{}}}"#);
    let all: Vec<String> = (0..count).map(|index| index.to_string()).collect();
    let product = format!(
        r#""VRMC_springBone":{{"springs":[{springs}],"colliders":[{colliders}],
        "colliderGroups":[{{"colliders":[{}]}}]}}"#,
        all.join(",")
    );
    for (extension, code) in [(old, ""), (new, ""), (product, "MODEL_TOO_LARGE")] {
        let text =
            format!(r#"{{"asset":{{"version":"2.0"}},"extensions":{{{extension}}},{}}}"#, chain(count));
        let outcome = within_bounds(text.as_bytes(), |bytes| import(bytes, &Resources::default()));
        assert_eq!(outcome.map_or_else(|error| error.code(), |_| ""), code);
    }
}
