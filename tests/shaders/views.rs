//! The shaders that show data of surfaces.

use super::{NAMED, TIERS, constants_are_constant, extended, marked, source, translate, validated};
use gambol::render::Tier;
use gambol::render::shader_parts::ShaderParts;
use gambol::render::shaders::{Module, Texts};
use gambol::render::views::SurfaceView;
use gambol::render::views::shaders as view_texts;

/// Returns every form of the shaders of views, on both tiers.
fn every_form() -> Vec<(String, naga::Module)> {
    let forms = [(&Texts::NAMED, &view_texts::NAMED), (&Texts::SHORT, &view_texts::SHORT)];
    let mut parsed = Vec::new();
    for tier in TIERS {
        for (core, views) in forms {
            let bare = ShaderParts::default();
            for parts in ShaderParts::ALL.iter().chain([bare, ShaderParts::ALL]) {
                let mut source = Module::Mesh.source_from(core, tier, false, parts);
                view_texts::extend_from(&mut source, views);
                let module = naga::front::wgsl::parse_str(&source);
                let module = module.unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)));
                parsed.push((format!("views for {tier:?}, {parts:?}"), module));
            }
        }
    }
    parsed
}

#[test]
fn views_are_valid_on_both_tiers() {
    for (what, module) in every_form() {
        validated(&module, &what);
        let entries: Vec<&str> = module.entry_points.iter().map(|entry| entry.name.as_str()).collect();
        let wanted = ["mesh_vertex", "mesh_fragment", "view_vertex", "view_fragment"];
        assert_eq!(entries, wanted, "{what}");
    }
}

#[test]
fn views_of_materials_with_extensions_are_valid() {
    for features in extended() {
        let mut source = source((Module::Mesh, features), NAMED, Tier::WebGpu);
        view_texts::extend_from(&mut source, &view_texts::NAMED);
        let parsed = naga::front::wgsl::parse_str(&source);
        let parsed = parsed.unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)));
        validated(&parsed, &format!("views of {features:?}"));
    }
}

#[test]
fn what_is_translated_of_views_is_what_is_composed() {
    let source = translate::views(marked);
    let mut composed = Module::Mesh.source_from(&Texts::NAMED, Tier::WebGl2, false, ShaderParts::ALL);
    view_texts::extend_from(&mut composed, &view_texts::NAMED);
    assert_eq!(source, composed);
    let translated = translate::translated_views(&source);
    assert!(translated.starts_with("@view_vertex ") && translated.matches('@').count() == 2, "{translated}");
    constants_are_constant(&translated);
}

/// Views are numbered alike in Rust, in WGSL and in TypeScript.
#[test]
fn views_have_the_same_numbers_everywhere() {
    let root = env!("CARGO_MANIFEST_DIR");
    let shader = std::fs::read_to_string(format!("{root}/shaders/views/view.wgsl")).unwrap();
    let script = std::fs::read_to_string(format!("{root}/www/element/player/view.ts")).unwrap();
    let (_, list) = script.split_once("VIEWS = [").unwrap();
    let words: Vec<&str> = list.split(']').next().unwrap().split('"').skip(1).step_by(2).collect();
    assert_eq!(words[0], "shaded");
    assert_eq!(words.len(), 1 + SurfaceView::ALL.len());
    for (view, number) in SurfaceView::ALL.into_iter().zip(1..) {
        assert_eq!(view as usize, number);
        let name = words[number].replace('-', "_").to_uppercase();
        assert!(shader.contains(&format!("const {name} = {number}u;")), "{name}");
        let camel: String = words[number].split('-').collect();
        assert_eq!(format!("{view:?}").to_lowercase(), camel);
    }
}
