//! Rows of `docs/CAPABILITIES.md` that are tested with .dae files, each as small as possible.

use crate::support::collada::*;
use gambol::import::{Format, ImportOptions, MatrixKeys, Resources, import, import_with, sniff};
use gambol::model::check::check;
use gambol::model::{ClipIndex, TrackValues};
use glam::{Affine3A, Mat4, Quat, Vec3, Vec3A};

const TURNED: &str = "0 -2 0 3  2 0 0 4  0 0 2 5  0 0 0 1";
const STACKED: &str = "<translate>3 4 5</translate><rotate>0 0 1 90</rotate><scale>2 2 2</scale>";

fn near(found: Affine3A, expected: Affine3A) {
    assert!(found.abs_diff_eq(expected, 1e-5), "{found} instead of {expected}");
}

fn place_of(posed: &Posed, name: &str) -> Vec3 {
    posed.model_from(name).translation.into()
}

fn text_of(name: &str) -> String {
    String::from_utf8(fixture(name)).unwrap()
}

#[test]
fn S02_matrices_are_written_row_after_row_at_rest_in_keys_and_in_addresses() {
    let nodes =
        format!("<node name='matrix'><matrix>{TURNED}</matrix></node><node name='stack'>{STACKED}</node>");
    let posed = Posed::of(collada(&scene(&nodes)).as_bytes());
    near(posed.model_from("matrix"), posed.model_from("stack"));

    let node = format!("<node id='it' name='it'><matrix sid='m'>{IDENTITY}</matrix></node>");
    let keys = animation("a", "it/m", "0 1", &format!("{IDENTITY}{TURNED}"), "LINEAR", "");
    let mut keyed = Posed::of(collada(&(animations(&[keys]) + &scene(&node))).as_bytes());
    near(keyed.at(0, 1.0).model_from("it"), posed.model_from("stack"));

    // The first bracket is the column index.
    let one = |at: &str, value: &str| {
        animation(at, &format!("it/m{at}"), "0 1", &format!("0 {value}"), "LINEAR", "")
    };
    let moved = animations(&[one("(3)(0)", "3"), one("(3)(1)", "4"), one("(3)(2)", "5")]);
    let mut moved = Posed::of(collada(&(moved + &scene(&node))).as_bytes());
    assert_eq!(place_of(moved.at(0, 1.0), "it"), Vec3::new(3.0, 4.0, 5.0));
    assert_eq!(place_of(moved.at(0, 0.5), "it"), Vec3::new(1.5, 2.0, 2.5));
}

/// Tests two skeletons with equal joint names, each below a node with its own matrix.
#[test]
fn S13_two_skeletons_stand_where_their_own_initial_matrices_put_them() {
    let skeleton = |side: &str, x: f32| {
        format!(
            "<node name='{side}'><matrix>0 -1 0 {x} 1 0 0 0 0 0 1 0 0 0 0 1</matrix>\
            <node id='{side}-hip' sid='hip' name='{side} hip' type='JOINT'><translate>0 1 0</translate></node></node>\
            <node name='{side} body'><instance_controller url='#skin'>\
            <skeleton>#{side}-hip</skeleton></instance_controller></node>"
        )
    };
    let slots = "<vcount>1 1 1</vcount><v>0 0 0 0 0 0</v>";
    let body = triangle("t") + &skin("skin", "t", "", "hip", IDENTITY, slots);
    let file = collada(&(body + &scene(&(skeleton("left", -5.0) + &skeleton("right", 5.0)))));
    let imported = imported(file.as_bytes());
    assert_eq!(codes(&imported), <[&str; 0]>::default());
    assert_eq!((imported.model.skins.len(), imported.model.meshes.len()), (2, 1), "they share the mesh");
    let posed = Posed::new(imported.model);
    // A quarter turn takes the hip's Y to −X and the triangle's X to Y.
    let vertices = posed.vertices();
    for (at, expected) in
        [[-6.0, 0.0], [-6.0, 1.0], [-7.0, 0.0], [4.0, 0.0], [4.0, 1.0], [3.0, 0.0]].iter().enumerate()
    {
        assert!(vertices[at].abs_diff_eq(Vec3::new(expected[0], expected[1], 0.0), 1e-6), "{vertices:?}");
    }
}

/// Returns the flag, posed, after a change to the text of its file.
fn flag(change: impl Fn(String) -> String) -> Posed {
    Posed::of(change(text_of("formats/flag.dae")).as_bytes())
}

fn worst_apart(a: &mut Posed, b: &mut Posed) -> f32 {
    let mut worst = 0.0_f32;
    for clip in 0..2 {
        for time in [0.0, 0.3, 0.7, 1.0] {
            let (a, b) = (a.at(clip, time).vertices(), b.at(clip, time).vertices());
            let apart = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            worst = worst.max(apart / size(&b));
        }
    }
    worst
}

const BIND_INPUT: &str = "<input semantic=\"INV_BIND_MATRIX\" source=\"#skin-binds\"/>";
const BIND_SHAPE: &str = "<bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>";

#[test]
fn S18_the_files_bind_matrix_counts_even_where_another_would_be_computed() {
    let slots = "<vcount>1 1 1</vcount><v>0 0 0 0 0 0</v>";
    let nodes = "<node id='j' sid='j' name='j'><translate>1 0 0</translate></node>\
        <node name='body'><instance_controller url='#skin'><skeleton>#j</skeleton></instance_controller></node>";
    let file =
        |binds: &str| collada(&(triangle("t") + &skin("skin", "t", "", "j", binds, slots) + &scene(nodes)));
    let given = Posed::of(file("1 0 0 7 0 1 0 0 0 0 1 0 0 0 0 1").as_bytes());
    assert_eq!(given.vertices()[0], Vec3::new(8.0, 0.0, 0.0));
    // A computed bind matrix leaves the mesh in place.
    let computed = imported(file("").as_bytes());
    assert_eq!(codes(&computed), ["BIND_MATRICES_COMPUTED"]);
    assert_eq!(Posed::new(computed.model).vertices()[0], Vec3::ZERO);
}

#[test]
fn S19_S22_S78_missing_bind_matrices_are_computed_at_load_and_reported() {
    let without = |text: String| text.replace(BIND_INPUT, "");
    let stripped = imported(without(text_of("formats/flag.dae")).as_bytes());
    assert_eq!(codes(&stripped), ["BIND_MATRICES_COMPUTED"]);
    assert_eq!(stripped.model.skins[0].joint_from_mesh.len(), 3);
    let apart = worst_apart(&mut Posed::new(stripped.model), &mut flag(|text| text));
    assert!(apart <= 1e-4, "{apart}");
}

#[test]
fn S20_S21_the_node_of_a_skinned_mesh_places_it_once() {
    let moved = "<node id=\"flag-node\" name=\"Flag\"><translate>7 8 9</translate>\
        <rotate>1 0 0 40</rotate><scale>2 3 4</scale>";
    let moved = |text: String| text.replace("<node id=\"flag-node\" name=\"Flag\">", moved);
    // A mesh with bind matrices doesn't follow its node.
    assert_eq!(worst_apart(&mut flag(moved), &mut flag(|text| text)), 0.0);
    // A mesh without bind matrices is bound where its node puts it, which is where it would be without a skin.
    let unbound = flag(|text| moved(text).replace(BIND_INPUT, "").replace(BIND_SHAPE, ""));
    let rigid = flag(|text| {
        moved(text).replace("instance_controller url=\"#flag-skin\"", "instance_controller url=\"#flag\"")
    });
    let apart =
        unbound.vertices().iter().zip(rigid.vertices()).map(|(a, b)| a.distance(b)).fold(0.0, f32::max);
    assert!(apart < 1e-5, "{apart}");
}

#[test]
fn S23_S29_one_joint_may_have_another_bind_matrix_in_each_mesh() {
    let slots = "<vcount>1 1 1</vcount><v>0 0 0 0 0 0</v>";
    let bind = |x: i32| format!("1 0 0 {x} 0 1 0 0 0 0 1 0 0 0 0 1");
    let body = |id: &str| {
        format!(
            "<node name='{id}'><instance_controller url='#{id}'><skeleton>#j</skeleton></instance_controller></node>"
        )
    };
    let nodes = format!("<node id='j' sid='j' name='j'/>{}{}", body("near"), body("far"));
    let skins = skin("near", "t", "", "j", &bind(1), slots) + &skin("far", "u", "", "j", &bind(50), slots);
    let posed = Posed::of(collada(&(triangle("t") + &triangle("u") + &skins + &scene(&nodes))).as_bytes());
    let vertices = posed.vertices();
    assert_eq!((vertices[0].x, vertices[3].x), (1.0, 50.0));
}

#[test]
fn S25_S26_S27_lists_of_slots_become_influences_that_sum_to_one() {
    let joints: String = (0..6).map(|at| format!("<node id='j{at}' sid='j{at}' name='j{at}'/>")).collect();
    // Six slots on the first vertex, 0.25 each; 0.5 and 0.75 on the second; none on the third.
    let slots = "<vcount>6 2 0</vcount><v>0 2 1 2 2 2 3 2 4 2 5 2  0 1 1 3</v>";
    let body = triangle("t") + &skin("skin", "t", "", "j0 j1 j2 j3 j4 j5", &IDENTITY.repeat(6), slots);
    let nodes = joints
        + "<node name='body'><instance_controller url='#skin'><skeleton>#j0</skeleton></instance_controller></node>";
    let imported = imported(collada(&(body + &scene(&nodes))).as_bytes());
    assert_eq!(codes(&imported), ["JOINT_WEIGHTS_NOT_NORMALISED", "VERTICES_UNWEIGHTED"]);
    assert!(imported.report.warnings[0].message.starts_with("2 of 3"));
    let model = imported.model;
    let influences = &model.meshes[0].primitives[0].influences;
    assert_eq!(influences.per_vertex, 8);
    let of = |vertex| influences.of_vertex(vertex).filter(|slot| slot.1 > 0.0).collect::<Vec<_>>();
    assert_eq!(of(0).len(), 6);
    assert!(of(0).iter().all(|slot| (slot.1 - 1.0 / 6.0).abs() < 1e-6));
    assert_eq!(of(1), [(1, 0.6), (0, 0.4)]);
    // Vertices without weights follow the mesh's own node, which comes after the joints.
    assert_eq!(of(2), [(6, 1.0)]);
    assert_eq!(model.skins[0].joints[6], model.find_node("body").unwrap());
}

#[test]
fn S28_corners_made_from_one_position_move_together() {
    // A cube: 8 positions and 24 corners with different normals.
    let positions: String = (0..8).map(|at| format!("{} {} {} ", at & 1, at >> 1 & 1, at >> 2)).collect();
    let faces = ["0 4 6 2", "1 3 7 5", "0 1 5 4", "2 6 7 3", "0 2 3 1", "4 5 7 6"];
    let corners: String = faces
        .iter()
        .enumerate()
        .flat_map(|(face, corners)| corners.split(' ').map(move |corner| format!("{corner} {face} ")))
        .collect();
    let geometry = format!(
        "<library_geometries><geometry id='cube'><mesh>{}{}\
        <vertices id='v'><input semantic='POSITION' source='#p'/></vertices>\
        <polylist><input semantic='VERTEX' source='#v' offset='0'/><input semantic='NORMAL' source='#n' offset='1'/>\
        <vcount>4 4 4 4 4 4</vcount><p>{corners}</p></polylist></mesh></geometry></library_geometries>",
        source("p", &positions, 3),
        source("n", "-1 0 0 1 0 0 0 -1 0 0 1 0 0 0 -1 0 0 1", 3)
    );
    let slots: String = (0..8).map(|at| if at < 4 { "0 0 " } else { "1 0 " }).collect();
    let slots = format!("<vcount>1 1 1 1 1 1 1 1</vcount><v>{slots}</v>");
    let nodes = "<node id='a' sid='a'/>\
        <node id='b' sid='b'><rotate>1 0 0 30</rotate><translate>0 0 1</translate></node>\
        <node><instance_controller url='#skin'/></node>";
    let body = geometry + &skin("skin", "cube", "", "a b", &IDENTITY.repeat(2), &slots);
    let posed = Posed::of(collada(&(body + &scene(nodes))).as_bytes());
    let primitive = &posed.rig.model().meshes[0].primitives[0];
    assert_eq!(primitive.positions.len(), 24);
    let vertices = posed.vertices();
    for (at, bound) in primitive.positions.iter().enumerate() {
        for (other, other_bound) in primitive.positions.iter().enumerate() {
            assert!(bound != other_bound || vertices[at] == vertices[other], "a crack at {bound}");
        }
    }
}

#[test]
fn S30_a_rigid_mesh_hangs_on_a_joint() {
    let nodes = "<node id='hand' name='hand' type='JOINT'><translate sid='t'>0 0 0</translate>\
        <node name='sword'><instance_geometry url='#t'/></node></node>";
    let swing = animations(&[animation("a", "hand/t", "0 1", "0 0 0 4 5 6", "LINEAR", "")]);
    let mut posed = Posed::of(collada(&(triangle("t") + &swing + &scene(nodes))).as_bytes());
    assert_eq!(posed.at(0, 1.0).vertices()[1], Vec3::new(5.0, 5.0, 6.0));
}

/// A node with translation, rotation and scale. The tests key each in every way that the format allows.
const KEYABLE: &str = "<node id='it' name='it'><translate sid='t'>1 2 3</translate><rotate sid='r'>0 0 1 0</rotate>\
    <scale sid='s'>1 1 1</scale></node>";

#[test]
fn S38_S50_one_motion_as_transforms_and_as_matrices() {
    let parts = animations(&[
        animation("a", "it/t", "0 2", "1 2 3 3 4 5", "LINEAR", ""),
        animation("b", "it/r.ANGLE", "0 2", "0 90", "LINEAR", ""),
        animation("c", "it/s", "0 2", "1 1 1 2 2 2", "LINEAR", ""),
    ]);
    let mut parts = Posed::of(collada(&(parts + &scene(KEYABLE))).as_bytes());
    let matrices = format!("1 0 0 1 0 1 0 2 0 0 1 3 0 0 0 1 {TURNED}");
    let node = format!("<node id='it' name='it'><matrix sid='m'>{IDENTITY}</matrix></node>");
    let whole = animations(&[animation("a", "it/m", "0 2", &matrices, "LINEAR", "")]);
    let whole = collada(&(whole + &scene(&node)));
    let mut matrices = Posed::of(whole.as_bytes());
    for time in [0.0, 0.5, 1.0, 1.7, 2.0, 9.0] {
        near(matrices.at(0, time).model_from("it"), parts.at(0, time).model_from("it"));
    }
    let halfway = parts.at(0, 1.0).model_from("it");
    near(
        halfway,
        Affine3A::from_scale_rotation_translation(
            Vec3::splat(1.5),
            Quat::from_rotation_z(45f32.to_radians()),
            Vec3::new(2.0, 3.0, 4.0),
        ),
    );
}

#[test]
fn S41_S42_S44_S45_each_transform_has_its_own_keys_and_holds_and_the_rest_stays() {
    let keys = animations(&[
        animation("a", "it/t.X", "1 2", "10 20", "LINEAR", ""),
        animation("b", "it/t.Z", "0 4", "0 40", "LINEAR", ""),
    ]);
    let nodes = format!("{KEYABLE}<node name='still'><matrix>{TURNED}</matrix></node>");
    let mut posed = Posed::of(collada(&(keys + &scene(&nodes))).as_bytes());
    for (time, expected) in [
        (0.0, [10.0, 2.0, 0.0]),
        (1.5, [15.0, 2.0, 15.0]),
        (3.0, [20.0, 2.0, 30.0]),
        (9.0, [20.0, 2.0, 40.0]),
    ] {
        let found = posed.at(0, time).model_from("it");
        near(found, Affine3A::from_translation(Vec3::from_array(expected)));
        near(
            posed.model_from("still"),
            Affine3A::from_mat4(Mat4::from_cols_array(&[
                0.0, 2.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 3.0, 4.0, 5.0, 1.0,
            ])),
        );
    }
    // Y has no key; scale and rotation aren't keyed at all, so they have no track and stay at rest.
    assert!(
        posed.rig.model().clips[0]
            .tracks
            .iter()
            .all(|track| matches!(track.values, TrackValues::Translation(_)))
    );
}

#[test]
fn S51_S52_matrix_keys_may_go_element_by_element_or_stay_until_the_next() {
    let node = format!("<node id='it' name='it'><matrix sid='m'>{IDENTITY}</matrix></node>");
    let quarter = "0 -1 0 8 1 0 0 0 0 0 1 0 0 0 0 1";
    let keys = animations(&[animation("a", "it/m", "0 1", &format!("{IDENTITY}{quarter}"), "LINEAR", "")]);
    let file = collada(&(keys + &scene(&node)));
    let halfway = |matrix_keys| {
        let options = ImportOptions { matrix_keys, ..ImportOptions::default() };
        let imported = import_with(file.as_bytes(), &Resources::default(), &options).unwrap();
        assert_eq!(check(&imported.model), []);
        Posed::new(imported.model).at(0, 0.5).model_from("it")
    };
    let x = |matrix: Affine3A| Vec3::from(matrix.matrix3.x_axis);
    let arc = 45f32.to_radians();
    assert!(x(halfway(MatrixKeys::Decompose)).abs_diff_eq(Vec3::new(arc.cos(), arc.sin(), 0.0), 1e-6));
    assert!(x(halfway(MatrixKeys::Elements)).abs_diff_eq(Vec3::new(0.5, 0.5, 0.0), 1e-6));
    assert_eq!(halfway(MatrixKeys::Step), Affine3A::IDENTITY);
}

#[test]
fn S53_matrices_that_shear_are_joined_element_by_element_and_reported() {
    let node = format!("<node id='it' name='it'><matrix sid='m'>{IDENTITY}</matrix></node>");
    let leaning = "1 1 0 0 0 1 0 0 0 0 1 0 0 0 0 1";
    let keys = animations(&[animation("a", "it/m", "0 1", &format!("{IDENTITY}{leaning}"), "LINEAR", "")]);
    let leans = imported(collada(&(keys + &scene(&node))).as_bytes());
    assert_eq!(codes(&leans), ["MATRIX_KEYS_SHEAR"]);
    let found = Posed::new(leans.model).at(0, 0.5).model_from("it");
    assert!(found.matrix3.y_axis.abs_diff_eq(Vec3A::new(0.5, 1.0, 0.0), 1e-6), "{found}");

    // An animated skew is a shear too, and so is a scale between two rotations.
    let skewed = "<node id='it' name='it'><skew sid='k'>0 0 1 0 1 0 0</skew></node>";
    let keys = animations(&[animation("a", "it/k(0)", "0 1", "0 45", "LINEAR", "")]);
    let skewed = imported(collada(&(keys + &scene(skewed))).as_bytes());
    assert_eq!(codes(&skewed), ["MATRIX_KEYS_SHEAR"]);
    let mut skewed = Posed::new(skewed.model);
    for degrees in [10.0_f32, 30.0, 45.0] {
        let y = skewed.at(0, degrees / 45.0).model_from("it").matrix3.y_axis;
        assert!(y.abs_diff_eq(Vec3A::new(degrees.to_radians().tan(), 1.0, 0.0), 2e-4), "{degrees}: {y}");
    }
}

#[test]
fn S55_S59_S61_a_clip_lasts_until_its_last_key_in_seconds_and_may_begin_late() {
    let keys = animations(&[
        animation("a", "it/t.X", "0.5 2.25", "10 20", "LINEAR", ""),
        animation("b", "it/r.ANGLE", "1 3", "0 90", "LINEAR", ""),
    ]);
    let mut posed = Posed::of(collada(&(keys + &scene(KEYABLE))).as_bytes());
    assert_eq!(posed.rig.model().clips[0].duration_secs, 3.0);
    assert_eq!(place_of(posed.at(0, 0.0), "it").x, 10.0);
}

#[test]
fn S62_S63_clips_have_names_and_numbers() {
    let keys = animations(&[animation("a", "it/t.X", "0 1 2 3", "0 10 20 30", "LINEAR", "")]);
    let clip = |attributes: &str| {
        format!("<animation_clip {attributes}><instance_animation url='#a'/></animation_clip>")
    };
    let clips = clip("id='c1' name='Walk' start='0' end='1'")
        + &clip("start='1.5' end='3'")
        + &clip("id='c3' start='2'");
    let file = collada(&format!(
        "{keys}<library_animation_clips>{clips}</library_animation_clips>{}",
        scene(KEYABLE)
    ));
    let mut posed = Posed::of(file.as_bytes());
    let model = posed.rig.model().clone();
    let found: Vec<(&str, f32)> = model.clips.iter().map(|clip| (&*clip.name, clip.duration_secs)).collect();
    assert_eq!(found, [("Walk", 1.0), ("clip 1", 1.5), ("c3", 1.0)]);
    assert_eq!(model.find_clip("c3"), Some(ClipIndex::new(2)));
    // Times start at 0 in each clip, and curves are split at the clip's bounds.
    for (clip, time, x) in [(0, 0.5, 5.0), (0, 9.0, 10.0), (1, 0.0, 15.0), (1, 0.25, 17.5), (2, 0.5, 25.0)] {
        assert!((place_of(posed.at(clip, time), "it").x - x).abs() < 1e-5, "{clip} at {time}");
    }
}

#[test]
fn S62_animations_of_the_same_joints_are_clips_of_their_own() {
    let action = |name: &str, x: i32| {
        let inner = animation(&format!("{name}-x"), "it/t.X", "0 1", &format!("0 {x}"), "LINEAR", "")
            + &animation(&format!("{name}-y"), "it/t.Y", "0 1", &format!("0 {x}"), "LINEAR", "");
        format!("<animation id='{name}' name='{name}'>{inner}</animation>")
    };
    let file = |actions: &[String]| collada(&(animations(actions) + &scene(KEYABLE)));
    let mut both = Posed::of(file(&[action("Walk", 5), action("Run", 9)]).as_bytes());
    let names: Vec<String> = both.rig.model().clips.iter().map(|clip| clip.name.clone()).collect();
    assert_eq!(names, ["Walk", "Run"]);
    assert_eq!(place_of(both.at(1, 1.0), "it"), Vec3::new(9.0, 9.0, 3.0));
    let alone = imported(file(&[action("Walk", 5)]).as_bytes());
    assert_eq!(alone.model.clips[0].name, "Walk");
}

#[test]
fn S72_collada_becomes_the_structure_that_every_format_becomes_in_every_encoding() {
    let text = text_of("formats/flag.dae").replace("encoding=\"utf-8\"", "");
    let expected = imported(text.as_bytes()).model;
    let units = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    for bytes in [
        [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
        [b"\xFF\xFE", &*units(u16::to_le_bytes)].concat(),
        [b"\xFE\xFF", &*units(u16::to_be_bytes)].concat(),
        units(u16::to_le_bytes),
        units(u16::to_be_bytes),
    ] {
        assert_eq!(sniff(&bytes), Some(Format::Collada));
        assert_eq!(imported(&bytes).model, expected);
    }
}

#[test]
fn S76_S77_a_file_may_be_a_mesh_alone_or_a_skeleton_alone() {
    let mesh = imported(collada(&triangle("t")).as_bytes());
    assert_eq!(codes(&mesh), <[&str; 0]>::default());
    assert_eq!(Posed::new(mesh.model).vertices(), [Vec3::ZERO, Vec3::X, Vec3::Y]);

    let joints = "<node id='a' sid='a' name='hip' type='JOINT'><translate>0 1 0</translate>\
        <node sid='b' name='knee' type='JOINT'><rotate>0 0 1 90</rotate><translate>2 0 0</translate></node></node>";
    let skeleton = imported(collada(&scene(joints)).as_bytes());
    assert!(skeleton.model.clips.is_empty() && skeleton.model.meshes.is_empty());
    let posed = Posed::new(skeleton.model);
    assert!(place_of(&posed, "knee").abs_diff_eq(Vec3::new(0.0, 3.0, 0.0), 1e-6));
}

#[test]
fn S78_what_a_file_leaves_out_is_filled_in_and_reported() {
    let slots = "<vcount>1 1</vcount><v>0 1 0 0</v>";
    let nodes = "<node id='j' sid='j'/>\
        <node name='body'><instance_controller url='#skin'><skeleton>#gone</skeleton></instance_controller></node>";
    let body = "<asset><unit meter='-1'/></asset>".to_owned()
        + &triangle("t")
        + &skin("skin", "t", "", "j", "", slots);
    let file = collada(&(body + &scene(nodes)));
    let imported = import(file.as_bytes(), &Resources::default()).unwrap();
    let mut found = codes(&imported);
    found.sort_unstable();
    assert_eq!(
        found,
        [
            "BIND_MATRICES_COMPUTED",
            "JOINT_WEIGHTS_NOT_NORMALISED",
            "REFERENCE_IGNORED",
            "UNIT_INVALID",
            "VERTICES_UNWEIGHTED"
        ]
    );
}
