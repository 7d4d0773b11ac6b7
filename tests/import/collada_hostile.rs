//! Inconsistent, truncated and malicious Collada files. None causes a panic, disproportionate memory use or
//! unbounded run time.

use crate::support::collada;
use crate::support::collada::*;
use crate::support::hostile::{Random, within_bounds};
use gambol::import::{Imported, Resources, import};
use gambol::model::check::check;
use std::time::{Duration, Instant};

/// Imports the file and checks the model. Returns the code of the error, or "".
fn code_of(bytes: &[u8]) -> &'static str {
    match import(bytes, &Resources::default()) {
        Ok(Imported { model, .. }) => {
            assert_eq!(check(&model), []);
            ""
        }
        Err(error) => {
            let place = error.place();
            assert!(
                place.starts_with("line ") || place.starts_with("byte ") || place == "the clips",
                "{error}"
            );
            error.code()
        }
    }
}

/// Returns the code of the error, and asserts bounds on memory and time.
fn code_within_bounds(text: &str) -> &'static str {
    let start = Instant::now();
    let code = within_bounds(text.as_bytes(), code_of);
    // A hundred times the slowest of these; quadratic time would take hours.
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?} for {} bytes ({code})",
        start.elapsed(),
        text.len()
    );
    code
}

/// Returns files that use most features of the format.
fn rich_files() -> Vec<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/import/collada");
    let mut files = vec![String::from_utf8(fixture("formats/flag.dae")).unwrap()];
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let is_model = |path: &&std::path::PathBuf| path.extension().is_some_and(|extension| extension == "dae");
    files.extend(paths.iter().filter(is_model).filter_map(|path| std::fs::read_to_string(path).ok()));
    files
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let whole = fixture("formats/flag.dae");
    let whole = whole.trim_ascii_end();
    assert_eq!(code_of(whole), "");
    for length in (0..whole.len()).step_by(7).chain(whole.len() - 200..whole.len()) {
        let code = code_of(&whole[..length]);
        assert!(["NOT_A_MODEL", "SYNTAX_INVALID"].contains(&code), "{code} at {length} bytes");
    }
    let small = collada(&(triangle("t") + &scene("<node><instance_geometry url='#t'/></node>")));
    for length in 0..small.len() {
        assert!(
            ["NOT_A_MODEL", "SYNTAX_INVALID"].contains(&code_of(&small.as_bytes()[..length])),
            "{length} bytes"
        );
    }
    let wide: Vec<u8> =
        [0xFF, 0xFE].into_iter().chain(small.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    for length in 0..wide.len() {
        assert!(["NOT_A_MODEL", "SYNTAX_INVALID"].contains(&code_of(&wide[..length])), "{length} bytes");
    }
}

#[test]
fn damaged_bytes_never_panic() {
    let mut random = Random(0x5EED);
    for file in rich_files() {
        for _ in 0..60 {
            let mut mutant = file.clone().into_bytes();
            for _ in 0..=random.below(4) {
                let at = random.below(mutant.len());
                mutant[at] = random.below(256) as u8;
            }
            code_of(&mutant);
        }
    }
}

#[test]
fn lying_numbers_and_swapped_words_never_panic() {
    const LIES: [&str; 14] = [
        "0",
        "1",
        "2",
        "-1",
        "7",
        "65536",
        "4294967295",
        "18446744073709551615",
        "1e9",
        "-0.5",
        "3e38",
        "1e-40",
        "NaN",
        "INF",
    ];
    let mut random = Random(0x11E5);
    for file in rich_files() {
        let bytes = file.as_bytes();
        let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || b".-_#".contains(&byte);
        let starts: Vec<usize> =
            (1..bytes.len()).filter(|&at| is_inside(bytes[at]) && !is_inside(bytes[at - 1])).collect();
        let word = |start: usize| {
            start..(start..bytes.len()).find(|&at| !is_inside(bytes[at])).unwrap_or(bytes.len())
        };
        for _ in 0..120 {
            let first = word(starts[random.below(starts.len())]);
            let is_number = bytes[first.start].is_ascii_digit() || bytes[first.start] == b'-';
            let lie = match is_number {
                true => LIES[random.below(LIES.len())],
                // A word from elsewhere in the file, so that references lead to the wrong element.
                false => &file[word(starts[random.below(starts.len())])],
            };
            code_of([&file[..first.start], lie, &file[first.end..]].concat().as_bytes());
        }
    }
}

#[test]
fn elements_may_be_left_out_anywhere() {
    for file in
        rich_files().iter().filter(|file| file.contains("library_controllers") || file.contains("flag"))
    {
        // Removes each element with its content, up to a few hundred per file.
        let opens: Vec<usize> = file
            .match_indices('<')
            .map(|(at, _)| at)
            .filter(|at| !file[at + 1..].starts_with(['/', '?', '!']))
            .collect();
        for &open in opens.iter().take(400) {
            let name: String = file[open + 1..]
                .chars()
                .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
                .collect();
            let tag_end = open + file[open..].find('>').unwrap();
            let end = match file[..tag_end].ends_with('/') {
                true => tag_end + 1,
                false => match file[tag_end..].find(&format!("</{name}>")) {
                    Some(at) => tag_end + at + name.len() + 3,
                    None => continue,
                },
            };
            code_of([&file[..open], &file[end..]].concat().as_bytes());
        }
    }
}

#[test]
fn nothing_recurses_with_the_depth_of_the_file() {
    let deep = |tag: &str, count: usize| {
        format!("{}{}", format!("<{tag}>").repeat(count), format!("</{tag}>").repeat(count))
    };
    assert_eq!(code_within_bounds(&collada(&deep("extra", 200_000))), "");
    assert_eq!(code_within_bounds(&collada(&"<extra>".repeat(200_000))), "SYNTAX_INVALID");
    assert_eq!(code_within_bounds(&collada(&scene(&deep("node", 200_000)))), "");
    let animations = deep("animation", 100_000);
    assert_eq!(
        code_within_bounds(&collada(&format!("<library_animations>{animations}</library_animations>"))),
        ""
    );
}

#[test]
fn entities_are_refused() {
    let bomb = "<!DOCTYPE COLLADA [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">\
        <!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\">]><COLLADA version=\"1.4.1\"><extra>&c;</extra></COLLADA>";
    assert_eq!(code_within_bounds(bomb), "SYNTAX_INVALID");
    let outside = "<!DOCTYPE COLLADA SYSTEM \"file:///etc/passwd\"><COLLADA version=\"1.4.1\"/>";
    assert_eq!(code_within_bounds(outside), "SYNTAX_INVALID");
}

#[test]
fn nodes_that_instance_each_other_run_out_of_budget() {
    // Each level instances ten of the level below: 10¹² nodes in all.
    let levels: String = (0..12)
        .map(|level| {
            format!(
                "<node id='n{level}'>{}</node>",
                format!("<instance_node url='#n{}'/>", level + 1).repeat(10)
            )
        })
        .collect();
    let bomb = format!("<library_nodes>{levels}<node id='n12'/></library_nodes>");
    assert_eq!(
        code_within_bounds(&collada(&(bomb + &scene("<instance_node url='#n0'/>")))),
        "MODEL_TOO_LARGE"
    );
    // A cycle in which each node instances the next one twice.
    let ring = "<library_nodes><node id='a'><instance_node url='#b'/><instance_node url='#b'/></node>\
        <node id='b'><node><instance_node url='#a'/></node></node></library_nodes>";
    assert_eq!(
        code_within_bounds(&collada(&(ring.to_owned() + &scene("<instance_node url='#a'/>")))),
        "NODE_CYCLE"
    );
}

#[test]
fn what_is_drawn_many_times_runs_out_of_budget() {
    let numbers: String = (0..30_000).map(|number| format!("{} ", number % 10)).collect();
    let corners: String = (0..10_000).map(|corner| format!("{corner} ")).collect();
    let large = geometry(
        "g",
        &numbers,
        &primitive("triangles", "g", &format!("<p>{corners}</p>"))
            .replace("<triangles>", "<triangles material='m'>"),
    );
    let material = |at: usize| format!("<material id='m{at}'/>");
    let materials: String = (0..20_000).map(material).collect();
    let instance = |at: usize| {
        format!(
            "<node><instance_geometry url='#g'><bind_material><technique_common>\
            <instance_material symbol='m' target='#m{at}'/></technique_common>\
            </bind_material></instance_geometry></node>"
        )
    };
    let nodes: String = (0..20_000).map(instance).collect();
    let file =
        collada(&format!("<library_materials>{materials}</library_materials>{large}{}", scene(&nodes)));
    assert_eq!(code_within_bounds(&file), "MODEL_TOO_LARGE", "a mesh for each material");
    let same: String = (0..20_000).map(|_| instance(0)).collect();
    let file =
        collada(&format!("<library_materials>{}</library_materials>{large}{}", material(0), scene(&same)));
    assert_eq!(code_within_bounds(&file), "", "one mesh for all");

    let names = "j ".repeat(5_000);
    let skins = triangle("t")
        + &skin("skin", "t", "", &names, &IDENTITY.repeat(5_000), "<vcount>1 1 1</vcount><v>0 0 0 0 0 0</v>");
    let bodies = "<node><instance_controller url='#skin'/></node>".repeat(20_000);
    let file = collada(&(skins + &scene(&format!("<node id='j' sid='j'/>{bodies}"))));
    assert_eq!(code_within_bounds(&file), "MODEL_TOO_LARGE", "a skin for each node");

    let targets = "u ".repeat(50_000);
    let morph = format!(
        "<library_controllers><controller id='m'><morph source='#g'>{}\
        <targets><input semantic='MORPH_TARGET' source='#ts'/></targets></morph></controller></library_controllers>",
        collada::names("ts", &targets).replace("Name_array", "IDREF_array")
    );
    let file = collada(
        &(large.clone()
            + &large.replace("'g", "'u").replace("#g", "#u")
            + &morph
            + &scene("<node><instance_controller url='#m'/></node>")),
    );
    assert_eq!(code_within_bounds(&file), "MODEL_TOO_LARGE", "targets of 10,000 vertices each");
}

#[test]
fn lying_counts_allocate_nothing() {
    for count in ["1000000000", "18446744073709551615", "99999999999999999999999"] {
        let lie = |what: &str| {
            let file = collada(&(triangle("t") + &scene("<node><instance_geometry url='#t'/></node>")));
            file.replacen(&format!("{what}='"), &format!("{what}='{count}' was='"), 1)
        };
        let code = code_within_bounds(&lie("stride"));
        assert!(["COUNT_WRONG", "SYNTAX_INVALID"].contains(&code), "{code}");
        // No corner has so many indices, so there are no corners.
        let code = code_within_bounds(&lie("offset"));
        assert!(["", "SYNTAX_INVALID"].contains(&code), "{code}");
        // The array's own count is redundant with its text.
        let accessor = lie("count")
            .replace(&format!("count='{count}' was='9'"), "count='9'")
            .replace("count='3'", &format!("count='{count}'"));
        let code = code_within_bounds(&accessor);
        assert!(["COUNT_WRONG", "SYNTAX_INVALID"].contains(&code), "{code}");
        let polygons = geometry(
            "t",
            "0 0 0 1 0 0 0 1 0",
            &primitive("polylist", "t", "<vcount>4294967294</vcount><p>0 1 2</p>"),
        );
        assert_eq!(
            code_within_bounds(&collada(&(polygons + &scene("<node><instance_geometry url='#t'/></node>")))),
            "COUNT_WRONG"
        );
        let weights =
            triangle("t") + &skin("s", "t", "", "j", IDENTITY, "<vcount>4294967294</vcount><v>0 0</v>");
        let weights = weights + &scene("<node id='j' sid='j'/><node><instance_controller url='#s'/></node>");
        assert_eq!(code_within_bounds(&collada(&weights)), "COUNT_WRONG");
    }
}

#[test]
fn curves_cannot_ask_for_endless_keys() {
    // Two keys with a hundred million turns between them, for each of many nodes.
    let nodes: String =
        (0..2000).map(|at| format!("<node id='n{at}'><rotate sid='r'>0 0 1 0</rotate></node>")).collect();
    let spin =
        |at: usize| animation(&format!("a{at}"), &format!("n{at}/r.ANGLE"), "0 1", "0 3e10", "LINEAR", "");
    let keys: Vec<String> = (0..2000).map(spin).collect();
    assert_eq!(code_within_bounds(&collada(&(animations(&keys) + &scene(&nodes)))), "MODEL_TOO_LARGE");

    // One node with many transforms, each keyed at its own times.
    let count = 3000;
    let stack: String = (0..count)
        .map(|at| format!("<rotate sid='r{at}'>0 1 {at} 0</rotate><translate>0 0 1</translate>"))
        .collect();
    let turn = |at: usize| {
        animation(
            &format!("a{at}"),
            &format!("n/r{at}.ANGLE"),
            &format!("0.{at} 1.{at} 2.{at}"),
            "0 50 3",
            "LINEAR",
            "",
        )
    };
    let keys: Vec<String> = (0..count).map(turn).collect();
    let file = collada(&(animations(&keys) + &scene(&format!("<node id='n'>{stack}</node>"))));
    assert_eq!(code_within_bounds(&file), "MODEL_TOO_LARGE");

    // Many clips of one long animation.
    let times: String = (0..20_000).map(|at| format!("{at} ")).collect();
    let keys = animations(&[animation("a", "n/t.X", &times, &times, "LINEAR", "")]);
    let clips = "<animation_clip start='0' end='20000'><instance_animation url='#a'/></animation_clip>"
        .repeat(20_000);
    let node = scene("<node id='n'><translate sid='t'>0 0 0</translate></node>");
    let file = collada(&format!("{keys}<library_animation_clips>{clips}</library_animation_clips>{node}"));
    assert_eq!(code_within_bounds(&file), "MODEL_TOO_LARGE");
}

#[test]
fn a_million_oddities_make_a_short_report() {
    let nodes = "<node><instance_geometry url='#gone'/></node>".repeat(50_000);
    let file = collada(&scene(&nodes));
    let start = Instant::now();
    let imported = imported(file.as_bytes());
    assert!(imported.report.warnings.len() < 100);
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn looking_up_names_takes_no_squares() {
    let joints: String = (0..20_000)
        .map(|at| {
            format!("<node id='i{at}' sid='s{at}' name='n{at}'><translate sid='t'>0 0 0</translate></node>")
        })
        .collect();
    let channels: Vec<String> = (0..3_000)
        .map(|at| animation(&format!("a{at}"), &format!("root/s{}/t.X", at * 6), "0 1", "0 1", "LINEAR", ""))
        .collect();
    let file = collada(&(animations(&channels) + &scene(&format!("<node id='root'>{joints}</node>"))));
    assert_eq!(code_within_bounds(&file), "");
}

#[test]
fn what_is_referred_to_many_times_is_read_once_or_runs_out_of_budget() {
    let numbers: String = (0..50_000).map(|at| format!("{at} ")).collect();
    let shared = source("times", &numbers, 1);
    // Each sampler would store its own keys.
    let channel = |at: usize| {
        format!(
            "<sampler id='s{at}'><input semantic='INPUT' source='#times'/>\
            <input semantic='OUTPUT' source='#times'/></sampler>\
            <channel source='#s{at}' target='n/t.X'/>"
        )
    };
    let channels: String = (0..5_000).map(channel).collect();
    let node = scene("<node id='n'><translate sid='t'>0 0 0</translate></node>");
    let library =
        format!("<library_animations><animation id='a'>{shared}{channels}</animation></library_animations>");
    assert_eq!(code_within_bounds(&collada(&(library + &node))), "MODEL_TOO_LARGE", "samplers of one source");

    let channels: Vec<String> =
        (0..2_000).map(|at| animation(&format!("a{at}"), "n/t.X", "0 1", "0 1", "LINEAR", "")).collect();
    let library = animations(&[format!("<animation id='all'>{}</animation>", channels.concat())]);
    let instances = "<instance_animation url='#all'/>".repeat(50_000);
    let clips = format!(
        "<library_animation_clips><animation_clip>{instances}</animation_clip></library_animation_clips>"
    );
    assert_eq!(
        code_within_bounds(&collada(&(library + &clips + &node))),
        "MODEL_TOO_LARGE",
        "one clip, again and again"
    );

    let inputs = "<input semantic='POSITION' source='#p'/>".repeat(20_000);
    let triangles =
        "<triangles><input semantic='VERTEX' source='#v' offset='0'/><p>0 1 2</p></triangles>".repeat(20_000);
    let mesh = format!(
        "<library_geometries><geometry id='g'><mesh>{}<vertices id='v'>{inputs}</vertices>\
        {triangles}</mesh></geometry></library_geometries>",
        source("p", "0 0 0 1 0 0 0 1 0", 3)
    );
    assert_eq!(
        code_within_bounds(&collada(&mesh)),
        "MODEL_TOO_LARGE",
        "elements over vertices of many inputs"
    );

    let effect =
        format!("<library_effects><effect id='e'>{}</effect></library_effects>", "<extra/>".repeat(50_000));
    let materials: String = (0..20_000)
        .map(|at| format!("<material id='m{at}'><instance_effect url='#e'/></material>"))
        .collect();
    let part = |at: usize| {
        format!(
            "<triangles material='m{at}'><input semantic='VERTEX' source='#t-vertices' offset='0'/>\
            <p>0 1 2</p></triangles>"
        )
    };
    let parts: String = (0..20_000).map(part).collect();
    let mesh = geometry("t", "0 0 0 1 0 0 0 1 0", &parts);
    let file = collada(&format!("{effect}<library_materials>{materials}</library_materials>{mesh}"));
    assert_eq!(code_within_bounds(&file), "", "materials of one effect");
}

#[test]
fn long_names_are_not_copied_without_end() {
    let name = "x".repeat(1 << 20);
    let places = |instance: &str| {
        scene(&format!("<node id='j' sid='j'/>{}", format!("<node>{instance}</node>").repeat(2_000)))
    };
    let skins = skin("skin", "t", "", "j", IDENTITY, "<vcount>1 1 1</vcount><v>0 0 0 0 0 0</v>");
    let skins = triangle("t")
        + &skins.replace("controller id='skin'", &format!("controller id='skin' name='{name}'"));
    let camera = format!("<library_cameras><camera id='c' name='{name}'/></library_cameras>");
    let named = triangle("t").replace("name='t'", &format!("name='{name}'"));
    for (library, instance) in [
        (skins, "<instance_controller url='#skin'/>"),
        (camera, "<instance_camera url='#c'/>"),
        (named, "<instance_geometry url='#t'/><instance_geometry url='#t'/>"),
    ] {
        assert_eq!(
            code_within_bounds(&collada(&(library + &places(instance)))),
            "MODEL_TOO_LARGE",
            "{instance}"
        );
    }
    let clips = format!(
        "<library_animation_clips>{}</library_animation_clips>",
        format!("<animation_clip name='{name}'/>").repeat(3)
    );
    assert_eq!(code_within_bounds(&collada(&clips)), "");
}
