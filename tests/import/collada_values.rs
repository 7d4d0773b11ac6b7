//! Numbers of a Collada file after import: curves, transform stacks, shapes, morph targets and materials.

use crate::support::collada::*;
use gambol::model::{AlphaMode, Filter, Material, Projection, Topology, Wrap};
use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};

const KEYABLE: &str =
    "<node id='it' name='it'><translate sid='t'>0 0 0</translate><rotate sid='r'>0 0 1 0</rotate></node>";

fn keyed(channels: &[String], nodes: &str) -> Posed {
    Posed::of(collada(&(animations(channels) + &scene(nodes))).as_bytes())
}

fn x_of(posed: &mut Posed, time: f32) -> f32 {
    posed.at(0, time).model_from("it").translation.x
}

fn cubic([a, b, c, d]: [f32; 4], at: f32) -> f32 {
    let left = 1.0 - at;
    a * left.powi(3) + 3.0 * b * left * left * at + 3.0 * c * left * at * at + d * at.powi(3)
}

#[test]
fn every_key_says_how_the_curve_goes_on() {
    // Step, straight line, and an overshooting curve.
    let handles = tangents("a", "0 0 0 0 2.2 35 0 0", "0 0 0 0 0 0 2.6 10", 2);
    let channel = animation("a", "it/t.X", "0 1 2 3", "0 10 20 40", "STEP LINEAR BEZIER LINEAR", &handles);
    let mut posed = keyed(&[channel], KEYABLE);
    for (time, x) in [
        (0.0, 0.0),
        (0.5, 0.0),
        (0.999, 0.0),
        (1.0, 10.0),
        (1.5, 15.0),
        (2.0, 20.0),
        (3.0, 40.0),
        (4.0, 40.0),
    ] {
        assert!((x_of(&mut posed, time) - x).abs() < 4e-3, "{x} at {time}");
    }
    // Time is a curve of its own parameter.
    for part in 1..20 {
        let s = part as f32 / 20.0;
        let (time, x) = (cubic([2.0, 2.2, 2.6, 3.0], s), cubic([20.0, 35.0, 10.0, 40.0], s));
        let found = x_of(&mut posed, time);
        assert!((found - x).abs() < 5e-3, "{found} instead of {x} at {time}");
    }
}

#[test]
fn tangents_are_written_in_many_ways() {
    let curve = |kind: &str, leaving: &str, arriving: &str, stride: usize| {
        let channel =
            animation("a", "it/t.X", "1 4", "10 20", kind, &tangents("a", leaving, arriving, stride));
        let mut posed = keyed(&[channel], KEYABLE);
        [1.0, 1.6, 2.5, 3.3, 4.0].map(|time| x_of(&mut posed, time))
    };
    // Control times at thirds, so that the curve's parameter is linear in time.
    let expected = [0.0, 0.2, 0.5, 2.3 / 3.0, 1.0].map(|s| cubic([10.0, 40.0, -5.0, 20.0], s));
    for found in [
        curve("BEZIER", "2 40 0 0", "0 0 3 -5", 2),
        curve("BEZIER", "40 0", "0 -5", 1),
        curve("HERMITE", "3 90 0 0", "0 0 3 75", 2),
        curve("HERMITE", "90 0", "0 75", 1),
    ] {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 5e-3, "{found} instead of {expected}");
        }
    }
    // One time for all three numbers of a key, or one for each.
    for (leaving, arriving, stride) in [
        ("2 40 0 0 0 0 0 0", "0 0 0 0 3 -5 0 0", 4),
        ("2 40 2 0 2 0 0 0 0 0 0 0", "0 0 0 0 0 0 3 -5 3 0 3 0", 6),
    ] {
        let handles = tangents("a", leaving, arriving, stride);
        let channel = animation("a", "it/t", "1 4", "10 0 0 20 0 0", "BEZIER", &handles);
        let found = x_of(&mut keyed(&[channel], KEYABLE), 2.5);
        assert!((found - expected[2]).abs() < 5e-3, "{found} with {stride} numbers");
    }
}

#[test]
fn an_angle_goes_all_the_way_round_and_more() {
    let mut posed = keyed(&[animation("a", "it/r.ANGLE", "0 1", "0 -1080", "LINEAR", "")], KEYABLE);
    for part in 0..=48 {
        let time = part as f32 / 48.0;
        let found = posed.at(0, time).model_from("it");
        let expected = Affine3A::from_rotation_z((-1080.0 * time).to_radians());
        assert!(found.abs_diff_eq(expected, 5e-4), "{found} at {time}");
    }
}

#[test]
fn a_stack_may_have_any_order_and_turn_about_a_pivot() {
    let node = "<node id='it' name='it'><translate>5 0 0</translate><rotate sid='r'>0 0 1 0</rotate>\
        <translate>-1 0 0</translate><scale>2 2 2</scale></node>";
    let handles = tangents("a", "0.3 10 0 0", "0 0 1.8 200", 2);
    let curved = animation("a", "it/r.ANGLE", "0 2", "0 270", "BEZIER", &handles);
    let mut posed = keyed(&[curved], node);
    for part in 1..40 {
        let s = part as f32 / 40.0;
        let time = cubic([0.0, 0.3, 1.8, 2.0], s);
        let turn = Quat::from_rotation_z(cubic([0.0, 10.0, 200.0, 270.0], s).to_radians());
        let expected = Affine3A::from_scale_rotation_translation(
            Vec3::splat(2.0),
            turn,
            Vec3::X * 5.0 + turn * Vec3::NEG_X,
        );
        let found = posed.at(0, time).model_from("it");
        assert!(found.abs_diff_eq(expected, 1e-3), "{found} instead of {expected} at {time}");
    }
}

#[test]
fn a_matrix_may_step_and_go_straight_in_turns() {
    let node = format!("<node id='it' name='it'><matrix sid='m'>{IDENTITY}</matrix></node>");
    let at = |x: i32| format!("1 0 0 {x} 0 1 0 0 0 0 1 0 0 0 0 1 ");
    let channel =
        animation("a", "it/m", "0 1 2", &[at(0), at(10), at(20)].concat(), "STEP LINEAR LINEAR", "");
    let mut posed = keyed(&[channel], &node);
    for (time, x) in [(0.9, 0.0), (1.0, 10.0), (1.5, 15.0), (2.0, 20.0)] {
        assert!((x_of(&mut posed, time) - x).abs() < 1e-4, "{x} at {time}");
    }
}

#[test]
fn what_is_instanced_twice_moves_twice() {
    let nodes =
        "<library_nodes><node id='it' name='it'><translate sid='t'>0 0 0</translate></node></library_nodes>";
    let places =
        "<node><translate>0 5 0</translate><instance_node url='#it'/></node><instance_node url='#it'/>";
    let keys = animations(&[animation("a", "it/t.X", "0 1", "0 9", "LINEAR", "")]);
    let imported = imported(collada(&(keys + nodes + &scene(places))).as_bytes());
    assert_eq!(codes(&imported), ["NODE_NAME_REPEATED"]);
    let mut posed = Posed::new(imported.model);
    posed.at(0, 1.0);
    let found: Vec<Vec3> = (0..3)
        .map(|at| posed.posed.model_from_node(gambol::model::NodeIndex::new(at)).translation.into())
        .collect();
    assert_eq!(found, [Vec3::new(0.0, 5.0, 0.0), Vec3::new(9.0, 5.0, 0.0), Vec3::new(9.0, 0.0, 0.0)]);
}

#[test]
fn keys_before_zero_move_the_clip_and_jumps_are_kept() {
    let channel = animation("a", "it/t.X", "-1 0 0 1", "0 10 50 60", "LINEAR", "");
    let imported = imported(collada(&(animations(&[channel]) + &scene(KEYABLE))).as_bytes());
    assert_eq!(codes(&imported), ["KEYS_BEFORE_ZERO"]);
    let mut posed = Posed::new(imported.model);
    for (time, x) in [(0.0, 0.0), (0.5, 5.0), (0.99, 9.9), (1.0, 50.0), (2.0, 60.0)] {
        assert!((x_of(&mut posed, time) - x).abs() < 1e-4, "{x} at {time}");
    }
}

#[test]
fn axes_and_units_become_metres_with_y_upwards() {
    for (axis, expected) in
        [("X_UP", [-2.0, 1.0, 3.0]), ("Y_UP", [1.0, 2.0, 3.0]), ("Z_UP", [1.0, 3.0, -2.0])]
    {
        let asset = format!("<asset><unit name='inch' meter='0.0254'/><up_axis>{axis}</up_axis></asset>");
        let nodes = scene("<node name='it'><translate>1 2 3</translate></node>");
        let posed = Posed::of(collada(&(asset + &nodes)).as_bytes());
        let found = posed.model_from("it").translation / 0.0254;
        assert!(found.abs_diff_eq(Vec3::from_array(expected).into(), 1e-5), "{axis}: {found}");
    }
}

#[test]
fn every_shape_becomes_the_same_triangles() {
    // A square and a triangle above it.
    let positions = "0 0 0 2 0 0 2 2 0 0 2 0 1 3 0";
    let area = |primitives: String| {
        let file = collada(
            &(geometry("g", positions, &primitives) + &scene("<node><instance_geometry url='#g'/></node>")),
        );
        let imported = imported(file.as_bytes());
        assert_eq!(codes(&imported), <[&str; 0]>::default());
        let primitive = &imported.model.meshes[0].primitives[0];
        assert!(primitive.normals.iter().all(|normal| *normal == Vec3::Z), "wound as the file has it");
        let at = |index: u32| primitive.positions[index as usize];
        let areas =
            primitive.indices.chunks(3).map(|t| (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0])).z / 2.0);
        (primitive.indices.len() / 3, areas.sum::<f32>())
    };
    for (tag, indices) in [
        ("triangles", "<p>0 1 2 0 2 3 3 2 4</p>"),
        ("trifans", "<p>0 1 2 3</p><p>3 2 4</p>"),
        ("tristrips", "<p>0 1 3 2 4</p>"),
        ("polylist", "<vcount>4 3</vcount><p>0 1 2 3 3 2 4</p>"),
        ("polylist", "<vcount>5</vcount><p>0 1 2 4 3</p>"),
        ("polygons", "<p>0 1 2 3</p><p>3 2 4</p>"),
    ] {
        assert_eq!(area(primitive(tag, "g", indices)), (3, 5.0), "{tag}");
    }
}

#[test]
fn lines_are_lines() {
    for (tag, indices) in [("lines", "<p>0 1 1 2</p>"), ("linestrips", "<p>0 1 2</p>")] {
        let geometry = geometry("g", "0 0 0 2 0 0 2 2 0", &primitive(tag, "g", indices));
        let model = imported(collada(&geometry).as_bytes()).model;
        let primitive = &model.meshes[0].primitives[0];
        assert_eq!((primitive.topology, &*primitive.indices), (Topology::Lines, &[0, 1, 1, 2][..]), "{tag}");
    }
}

#[test]
fn accessors_skip_what_has_no_name_and_where_they_are_told() {
    // One header number, then an unnamed weight before each position.
    let array = "<source id='p'><float_array id='pa' count='13'>99  7 0 0 0  7 1 0 0  7 0 1 0</float_array>\
        <technique_common><accessor source='#pa' count='3' offset='1' stride='4'><param type='float'/>\
        <param name='X' type='float'/><param name='Y' type='float'/><param name='Z' type='float'/></accessor>\
        </technique_common></source>";
    let mesh = format!(
        "<library_geometries><geometry id='g'><mesh>{array}\
        <vertices id='g-vertices'><input semantic='POSITION' source='#p'/></vertices>{}</mesh>\
        </geometry></library_geometries>",
        primitive("triangles", "g", "<p>0 1 2</p>")
    );
    let model = imported(collada(&mesh).as_bytes()).model;
    assert_eq!(model.meshes[0].primitives[0].positions, [Vec3::ZERO, Vec3::X, Vec3::Y]);
}

/// Returns a file with two shapes of the triangle and a morph with this `method` attribute, with or without a skin.
fn morph(method: &str, second: &str, instance: &str, more: &str) -> String {
    let shape =
        |id: &str, positions: &str| geometry(id, positions, &primitive("triangles", id, "<p>0 1 2</p>"));
    let targets = format!(
        "<library_controllers><controller id='morph'><morph source='#t' method='{method}'>{}{}\
        <targets><input semantic='MORPH_TARGET' source='#targets'/>\
        <input semantic='MORPH_WEIGHT' source='#weights'/></targets></morph></controller></library_controllers>",
        names("targets", "a b").replace("Name_array", "IDREF_array"),
        source("weights", "0.5 0", 1)
    );
    let keys = animations(&[animation("k", "weights(1)", "0 1", "0 1", "LINEAR", "")]);
    let nodes =
        scene(&format!("<node id='j' sid='j'/><node><instance_controller url='#{instance}'/></node>"));
    let first = if method == "RELATIVE" { "0 0 2 0 0 0 0 0 0" } else { "0 0 2 1 0 0 0 1 0" };
    collada(&(triangle("t") + &shape("a", first) + &shape("b", second) + &targets + more + &keys + &nodes))
}

#[test]
fn morph_targets_are_shapes_or_displacements_below_a_skin_or_not() {
    let slots = "<vcount>1 1 1</vcount><v>0 0 0 0 0 0</v>";
    let over_morph = skin("skin", "morph", "", "j", "1 0 0 7 0 1 0 0 0 0 1 0 0 0 0 1", slots);
    for (file, x) in [
        (morph("NORMALIZED", "4 0 0 1 0 0 0 1 0", "morph", ""), 0.0),
        (morph("RELATIVE", "4 0 0 0 0 0 0 0 0", "morph", ""), 0.0),
        (morph("NORMALIZED", "4 0 0 1 0 0 0 1 0", "skin", &over_morph), 7.0),
    ] {
        let imported = imported(file.as_bytes());
        assert_eq!(codes(&imported), <[&str; 0]>::default());
        assert_eq!(imported.model.meshes[0].morph_target_names, ["a", "b"]);
        let mut posed = Posed::new(imported.model);
        assert_eq!(
            posed.vertices(),
            [Vec3::new(x, 0.0, 1.0), Vec3::new(x + 1.0, 0.0, 0.0), Vec3::new(x, 1.0, 0.0)]
        );
        assert_eq!(posed.at(0, 0.75).vertices()[0], Vec3::new(x + 3.0, 0.0, 1.0));
    }
}

/// Returns a triangle with a material of this effect, two UV sets and a colour per corner.
fn painted(technique: &str, params: &str, bindings: &str) -> gambol::model::Model {
    let mesh = format!(
        "<library_geometries><geometry id='g'><mesh>{}{}{}{}\
        <vertices id='v'><input semantic='POSITION' source='#p'/></vertices>\
        <triangles material='paint'><input semantic='VERTEX' source='#v' offset='0'/>\
        <input semantic='TEXCOORD' source='#uv-a' offset='0' set='3'/>\
        <input semantic='TEXCOORD' source='#uv-b' offset='0' set='5'/>\
        <input semantic='COLOR' source='#c' offset='0'/><p>0 1 2</p></triangles>\
        </mesh></geometry></library_geometries>",
        source("p", "0 0 0 1 0 0 0 1 0", 3),
        source("uv-a", "0 0 1 0 0 1", 2),
        source("uv-b", "0.5 0.25 1 0 0 1", 2),
        source("c", "1 0.5 0 1 1 1 1 1 1", 3)
    );
    let effect = format!(
        "<library_images><image id='i'><init_from>file:///C:/art/Skin%201.png</init_from></image>\
        <image id='k'><init_from><ref>maps\\glow.png</ref></init_from></image></library_images>\
        <library_effects><effect id='e'><profile_COMMON>{params}\
        <technique sid='x'>{technique}</technique></profile_COMMON></effect></library_effects>\
        <library_materials><material id='m' name='Paint'><instance_effect url='#e'/></material></library_materials>"
    );
    let node = format!(
        "<node><instance_geometry url='#g'><bind_material><technique_common>\
        <instance_material symbol='paint' target='#m'>{bindings}</instance_material>\
        </technique_common></bind_material></instance_geometry></node>"
    );
    let imported = imported(collada(&(mesh + &effect + &scene(&node))).as_bytes());
    assert_eq!(codes(&imported), <[&str; 0]>::default());
    imported.model
}

fn material(technique: &str) -> Material {
    painted(technique, "", "").materials[0].clone()
}

#[test]
fn the_old_shading_models_become_metallic_roughness() {
    let phong = material(
        "<phong><emission><color>0 0 1 1</color></emission><diffuse><color>1 0.5 0 1</color></diffuse>\
        <specular><color>1 1 1 1</color></specular><shininess><float>30</float></shininess></phong>",
    );
    // sRGB 0.5 is 0.214 in linear light.
    assert!(phong.base_color.abs_diff_eq(Vec4::new(1.0, 0.214_041, 0.0, 1.0), 1e-5), "{}", phong.base_color);
    assert_eq!(
        (phong.emissive, phong.metallic, phong.roughness, phong.alpha),
        (Vec3::Z, 0.0, 0.5, AlphaMode::Opaque)
    );
    let lambert = material("<lambert><diffuse><color>1 1 1 1</color></diffuse></lambert>");
    assert_eq!((lambert.roughness, lambert.unlit, lambert.double_sided), (1.0, false, false));
    let constant = material("<constant><emission><color>1 0 0 1</color></emission></constant>");
    assert_eq!(
        (constant.base_color, constant.unlit, constant.emissive),
        (Vec4::new(1.0, 0.0, 0.0, 1.0), true, Vec3::ZERO)
    );
    let shared = painted(
        "<phong><diffuse><param ref='tone'/></diffuse></phong>",
        "<newparam sid='tone'><float4>0 1 0 1</float4></newparam>",
        "",
    );
    assert_eq!(shared.materials[0].base_color, Vec4::new(0.0, 1.0, 0.0, 1.0));
}

#[test]
fn transparency_has_four_modes_and_none() {
    let alpha = |attribute: &str, color: &str, factor: &str| {
        let found = material(&format!(
            "<lambert><diffuse><color>1 1 1 1</color></diffuse>\
            <transparent{attribute}><color>{color}</color></transparent>\
            <transparency><float>{factor}</float></transparency></lambert>"
        ));
        assert_eq!(found.alpha == AlphaMode::Blend, found.base_color.w < 1.0);
        (found.base_color.w * 1000.0).round() / 1000.0
    };
    assert_eq!(alpha("", "1 1 1 1", "0.25"), 0.25);
    assert_eq!(alpha(" opaque='A_ONE'", "0 0 0 0.5", "0.5"), 0.25);
    assert_eq!(alpha(" opaque='A_ZERO'", "0 0 0 0.5", "0.5"), 0.75);
    assert_eq!(alpha(" opaque='RGB_ZERO'", "0.5 0.5 0.5 1", "1"), 0.5);
    assert_eq!(alpha(" opaque='RGB_ONE'", "1 1 1 0", "0.25"), 0.25);
    assert_eq!(alpha("", "1 1 1 1", "0"), 1.0, "nobody means a model that can't be seen");
    assert_eq!(alpha(" opaque='A_ONE'", "1 1 1 1", "0"), 0.0, "unless they say so");
}

#[test]
fn textures_find_their_image_their_sampler_and_their_coordinates() {
    let params = "<newparam sid='surface'><surface type='2D'><init_from>i</init_from></surface></newparam>\
        <newparam sid='sampler'><sampler2D><source>surface</source><wrap_s>MIRROR</wrap_s><wrap_t>CLAMP</wrap_t>\
        <minfilter>NEAREST_MIPMAP_LINEAR</minfilter><magfilter>NEAREST</magfilter></sampler2D></newparam>\
        <newparam sid='glow'><sampler2D><instance_image url='#k'/></sampler2D></newparam>";
    let technique = "<phong><emission><texture texture='glow' texcoord='B'/></emission>\
        <diffuse><texture texture='sampler' texcoord='A'/></diffuse></phong>";
    let bindings = "<bind_vertex_input semantic='A' input_semantic='TEXCOORD' input_set='5'/>\
        <bind_vertex_input semantic='B' input_semantic='TEXCOORD' input_set='3'/>";
    let model = painted(technique, params, bindings);
    let uris: Vec<_> = model.images.iter().map(|image| format!("{:?}", image.source)).collect();
    assert_eq!(uris, ["Uri(\"Skin%201.png\")", "Uri(\"maps/glow.png\")"]);
    let material = &model.materials[0];
    let (color, glow) = (material.base_color_texture.unwrap(), material.emissive_texture.unwrap());
    assert_eq!((color.uv_set, glow.uv_set, material.emissive), (1, 0, Vec3::ONE));
    let texture = model.textures[color.texture.get()];
    assert_eq!((texture.wrap_u, texture.wrap_v), (Wrap::MirroredRepeat, Wrap::ClampToEdge));
    assert_eq!(
        (texture.minify, texture.mipmap, texture.magnify),
        (Filter::Nearest, Some(Filter::Linear), Filter::Nearest)
    );
    let primitive = &model.meshes[0].primitives[0];
    assert_eq!(primitive.uv_sets[1][0], Vec2::new(0.5, 0.75), "V goes the other way");
    assert!(primitive.colors[0].abs_diff_eq(Vec4::new(1.0, 0.214_041, 0.0, 1.0), 1e-5));
}

#[test]
fn an_image_that_says_how_opaque_it_is_blends() {
    let both = "<lambert><diffuse><texture texture='i' texcoord='A'/></diffuse>\
        <transparent><texture texture='i' texcoord='A'/></transparent></lambert>";
    assert_eq!(material(both).alpha, AlphaMode::Blend);
}

#[test]
fn cameras_hang_on_their_nodes() {
    let lens = |lens: &str| {
        format!(
            "<camera id='c' name='Eye'><optics><technique_common>{lens}</technique_common></optics></camera>"
        )
    };
    let file = |inner: &str| {
        let library = format!("<library_cameras>{}</library_cameras>", lens(inner));
        imported(
            collada(&(library + &scene("<node name='it'><instance_camera url='#c'/></node>"))).as_bytes(),
        )
        .model
    };
    let model = file(
        "<perspective><yfov>90</yfov><aspect_ratio>1.5</aspect_ratio><znear>0.1</znear><zfar>100</zfar></perspective>",
    );
    assert_eq!(model.nodes[0].camera.map(|camera| camera.get()), Some(0));
    let expected = Projection::Perspective {
        vertical_fov: std::f32::consts::FRAC_PI_2,
        aspect: Some(1.5),
        near: 0.1,
        far: Some(100.0),
    };
    assert_eq!((&*model.cameras[0].name, model.cameras[0].projection), ("Eye", expected));
    let model = file(
        "<orthographic><xmag>4</xmag><aspect_ratio>2</aspect_ratio><znear>1</znear><zfar>9</zfar></orthographic>",
    );
    let expected = Projection::Orthographic { half_width: 4.0, half_height: 2.0, near: 1.0, far: 9.0 };
    assert_eq!(model.cameras[0].projection, expected);
}
