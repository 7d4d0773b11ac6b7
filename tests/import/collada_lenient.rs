//! Collada output of real exporters that a strict reader would refuse: decimal commas, and controllers that nothing
//! draws.

use crate::support::collada::*;
use gambol::import::{ImportError, Resources, import};
use glam::Vec3;

fn error_of(text: &str) -> ImportError {
    import(text.as_bytes(), &Resources::default()).unwrap_err()
}

/// Rewrites the numbers of a file as an exporter does in a locale with decimal commas.
fn with_decimal_commas(text: &str) -> String {
    let (head, body) = text.split_once("<asset>").unwrap();
    let mut changed = format!("{head}<asset>");
    let letters: Vec<char> = body.chars().collect();
    for (at, &letter) in letters.iter().enumerate() {
        let is_digit =
            |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
        let is_decimal = letter == '.' && is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
        changed.push(if is_decimal { ',' } else { letter });
    }
    changed
}

#[test]
fn a_file_with_decimal_commas_is_the_same_model() {
    let text = String::from_utf8(fixture("formats/flag.dae")).unwrap();
    let commas = with_decimal_commas(&text);
    assert!(
        commas.contains("meter=\"0,01\"") && commas.matches(',').count() > 300,
        "the file has commas now"
    );
    let (points, commas) = (imported(text.as_bytes()), imported(commas.as_bytes()));
    assert_eq!(commas.model, points.model);
    assert_eq!(codes(&commas), ["DECIMAL_COMMAS"], "once for the file");
    assert_eq!(commas.report.warnings[0].place, "line 12 column 29", "the first element that has them");
}

#[test]
fn colours_factors_bounds_and_lenses_may_have_commas() {
    let effect = "<library_effects><effect id='e'><profile_COMMON><technique sid='t'><lambert>\
        <diffuse><color>0,5 1 0,25 0,5</color></diffuse><transparency><float>0,5</float></transparency>\
        </lambert></technique></profile_COMMON></effect></library_effects>\
        <library_materials><material id='m'><instance_effect url='#e'/></material></library_materials>";
    let lens = "<library_cameras><camera id='c'><optics><technique_common><perspective><yfov>37,5</yfov>\
        <znear>0,1</znear><zfar>100</zfar></perspective></technique_common></optics></camera></library_cameras>";
    let nodes = "<node id='it' name='it'><translate sid='t'>0 0 0</translate><instance_camera url='#c'/></node>\
        <node><instance_geometry url='#t'><bind_material><technique_common>\
        <instance_material symbol='' target='#m'/></technique_common></bind_material></instance_geometry></node>";
    let keys = animations(&[animation("k", "it/t.X", "0 4", "0 8", "LINEAR", "")])
        + "<library_animation_clips><animation_clip name='half' start='0,5' end='2,5'>\
           <instance_animation url='#k'/></animation_clip></library_animation_clips>";
    let file = effect.to_owned() + lens + &triangle("t") + &keys + &scene(nodes);
    let commas = imported(collada(&file).as_bytes());
    let points =
        imported(collada(&file.replace("0,", "0.").replace("2,5", "2.5").replace("37,5", "37.5")).as_bytes());
    assert_eq!(commas.model, points.model);
    assert_eq!(commas.model.clips[0].duration_secs, 2.0);
    assert_eq!((codes(&commas), codes(&points)), (vec!["DECIMAL_COMMAS"], vec![]));
}

#[test]
fn commas_that_may_part_numbers_are_refused_with_advice() {
    let array = |numbers: &str, count: &str| {
        let array = format!("<float_array id='t-positions-array' {count}>{numbers}</float_array>");
        let whole = triangle("t");
        let (before, rest) = whole.split_once("<float_array").unwrap();
        let (_, after) = rest.split_once("</float_array>").unwrap();
        collada(&(before.to_owned() + &array + after))
    };
    let nine = "0,0 0,0 0,0 1,0 0,0 0,0 0,0 1,0 0,0";
    assert!(import(array(nine, "count='9'").as_bytes(), &Resources::default()).is_ok());
    for (numbers, count) in [
        // Ambiguous: nine numbers or eighteen.
        (nine, ""),
        (nine, "count='18'"),
        ("0, 0, 0, 1, 0, 0, 0, 1, 0", "count='9'"),
        ("0,0,0,1,0,0,0,1,0", "count='9'"),
        ("0,0 0 0 1.000,5 0 0 0 1 0", "count='9'"),
    ] {
        let error = error_of(&array(numbers, count));
        assert_eq!(error.code(), "COMMA_IN_NUMBERS", "{numbers} {count}");
        assert!(error.to_string().contains("decimal points"), "{error}");
    }
    // A matrix has sixteen numbers, whatever the separator.
    let node = |matrix: &str| collada(&scene(&format!("<node name='n'><matrix>{matrix}</matrix></node>")));
    let moved = Posed::of(node("1 0 0 2,5 0 1 0 0 0 0 1 0 0 0 0 1").as_bytes());
    assert_eq!(moved.model_from("n").translation, Vec3::new(2.5, 0.0, 0.0).into());
    assert_eq!(error_of(&node(&IDENTITY.trim().replace(' ', ","))).code(), "COMMA_IN_NUMBERS");
}

const JOINTS: &str = "<node id='hip' sid='hip' name='hip' type='JOINT'><translate sid='t'>0 1 0</translate>\
    <node sid='knee' name='knee' type='JOINT'><translate>2 0 0</translate></node></node>";

fn moving() -> String {
    animations(&[animation("k", "hip/t.X", "0 1", "0 3", "LINEAR", "")])
}

#[test]
fn a_skeleton_keeps_its_motion_beside_a_controller_that_nothing_draws() {
    let slots = "<vcount>1</vcount><v>0 0</v>";
    let alone = imported(collada(&(moving() + &scene(JOINTS))).as_bytes());
    // Controllers that lack their mesh, each broken in a different way.
    for controller in [
        skin("skin", "gone", "", "hip knee", "", slots),
        skin("skin", "gone", "", "hip knee", "1 0 0", slots),
        "<library_controllers><controller id='skin'><skin source='#gone'/></controller></library_controllers>".into(),
        "<library_controllers><controller id='skin'><morph source='#gone'><targets/></morph></controller>\
            </library_controllers>".into(),
        "<library_controllers><controller id='skin'/></library_controllers>\
            <library_geometries><geometry/></library_geometries>".into(),
    ] {
        let text = controller.clone() + &moving() + &scene(JOINTS);
        let unused = imported(collada(&text).as_bytes());
        assert_eq!(codes(&unused), <[&str; 0]>::default(), "{controller}");
        assert_eq!(unused.model, alone.model, "{controller}");

        let placed = JOINTS.to_owned() + "<node name='body'><instance_controller url='#skin'/></node>";
        let drawn = imported(collada(&(controller.clone() + &moving() + &scene(&placed))).as_bytes());
        assert_eq!(codes(&drawn), ["REFERENCE_IGNORED"], "{controller}");
        assert_eq!((drawn.model.meshes.len(), &drawn.model.clips), (0, &alone.model.clips));
        let mut posed = Posed::new(drawn.model);
        assert_eq!(posed.at(0, 1.0).model_from("knee").translation, Vec3::new(5.0, 1.0, 0.0).into());
    }
}

#[test]
fn channels_of_what_the_scene_lacks_are_left_out_whatever_their_curves_hold() {
    let weights = "<library_controllers><controller id='face'><morph source='#gone'><source id='weights'>\
        <float_array id='weights-array' count='1'>0</float_array></source></morph></controller></library_controllers>";
    let spare = "<library_nodes><node id='spare'><translate sid='t'>0 0 0</translate></node></library_nodes>";
    let broken = |target: &str| {
        format!(
            "<library_animations><animation><channel source='#gone' target='{target}'/></animation>\
            </library_animations>"
        )
    };
    let alone = imported(collada(&(moving() + &scene(JOINTS))).as_bytes());
    for target in ["weights(0)", "spare/t.X"] {
        let text = weights.to_owned() + spare + &moving() + &broken(target) + &scene(JOINTS);
        let found = imported(collada(&text).as_bytes());
        assert_eq!(codes(&found), ["REFERENCE_IGNORED"], "{target}");
        assert!(found.report.warnings[0].message.starts_with(target), "{}", found.report.warnings[0].message);
        assert_eq!(found.model, alone.model, "{target}");
    }
    let text = moving() + &broken("hip/t.Y") + &scene(JOINTS);
    assert_eq!(
        error_of(&collada(&text)).code(),
        "NAME_UNKNOWN",
        "what the scene has must move as the file says"
    );
}
