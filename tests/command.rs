//! The `gambol` command: its output, its error messages and its exit codes.

use gambol::import::{Resources, import};
use gambol::model::ImageSource;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn gambol<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gambol")).args(arguments).output().unwrap()
}

/// Returns the standard output, and asserts success without messages on standard error.
fn printed<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> String {
    let output = gambol(arguments);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && complaint.is_empty(), "{complaint}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the exit code and the standard error output.
fn complaint<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> (Option<i32>, String) {
    let output = gambol(arguments);
    assert!(output.stdout.is_empty());
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(path)
}

/// Creates an empty folder for the test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("command").join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn written(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    path
}

/// A TGA image of one pixel.
const TGA: [u8; 21] = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, 10, 20, 30];

/// Writes a .gltf with a triangle in a separate buffer and these images, and returns its path.
fn textured(folder: &Path, images: &[&str]) -> PathBuf {
    let positions: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    written(folder, "Parts/My Triangle.BIN", bytemuck::cast_slice::<f32, u8>(&positions));
    let textures: Vec<String> = (0..images.len()).map(|image| format!(r#"{{"source":{image}}}"#)).collect();
    let images: Vec<String> = images.iter().map(|uri| format!(r#"{{"uri":"{uri}"}}"#)).collect();
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"name":"triangle","mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}}],
        "buffers":[{{"byteLength":36,"uri":"parts/my%20triangle.bin"}}],
        "images":[{}],"textures":[{}]}}"#,
        images.join(","),
        textures.join(",")
    );
    written(folder, "model.gltf", text)
}

#[test]
fn inspecting_prints_what_a_file_holds() {
    let text = printed(["inspect".as_ref(), fixture("poses/two_skins/model.gltf").as_os_str()]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].ends_with("bytes") && lines[0].contains("model.gltf: glTF 2.0, "), "{text}");
    for heading in ["nodes", "clips", "skins", "meshes"] {
        assert!(lines.contains(&heading), "{heading} in {text}");
    }
    for part in ["└─ ", "joint", "skin 1", "2 skins", " s, ", " track", " key", "influence", "vertices"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("warnings\n"), "{text}");
}

#[test]
fn inspecting_names_the_textures_and_extensions_of_materials() {
    let folder = folder("coats");
    let texture = r#"{"index":0}"#;
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"images":[{{"uri":"a.png"}}],"textures":[{{"source":0}}],
        "materials":[{{"name":"car","normalTexture":{texture},"extensions":{{"KHR_materials_clearcoat":
            {{"clearcoatFactor":1,"clearcoatRoughnessTexture":{texture}}}}}}},{{"name":"bare"}}]}}"#
    );
    let text = printed(["inspect".as_ref(), written(&folder, "coats.gltf", text).as_os_str()]);
    let coated = "car  normals from image 0, clear coat roughness from image 0, KHR_materials_clearcoat\n";
    assert!(text.contains(coated) && text.contains("bare  plain\n"), "{text}");
}

#[test]
fn the_report_of_the_import_is_printed_too() {
    let text = printed(["inspect".as_ref(), fixture("import/scene/SCENE_ROOT_HAS_PARENT.gltf").as_os_str()]);
    assert!(text.contains("warnings\n  SCENE_ROOT_HAS_PARENT at /scenes/0/nodes/"), "{text}");
}

#[test]
fn long_lists_are_cut_unless_all_of_them_is_asked_for() {
    let nodes: Vec<String> = (0..1000)
        .map(|index| match index {
            999 => r#"{"name":"the\u001b[2Jlast"}"#.to_owned(),
            _ => format!(r#"{{"children":[{}]}}"#, index + 1),
        })
        .collect();
    let text = format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{}]}}"#, nodes.join(","));
    let file = written(&folder("long"), "chain.gltf", text);
    let cut = printed(["inspect".as_ref(), file.as_os_str()]);
    assert!(cut.contains("900 more: --all shows them") && cut.lines().count() < 120, "{cut}");
    let all = printed(["inspect".as_ref(), "--all".as_ref(), file.as_os_str()]);
    assert_eq!(all.matches("(unnamed)").count(), 999);
    assert!(all.contains("(depth 999) the\\u{1b}[2Jlast"), "a terminal obeys what it is sent");
    assert!(all.lines().all(|line| line.chars().count() < 120));
}

#[test]
fn pieces_and_pictures_are_found_whatever_machine_named_them() {
    let folder = folder("beside");
    let file = textured(
        &folder,
        &["art/Skin.tga", "C:\\\\Users\\\\me\\\\HAT.TGA", "..\\\\shoe.tga", "/home/me/coat.bmp", "lost.png"],
    );
    written(&folder, "Art/SKIN.TGA", TGA);
    written(&folder, "hat.tga", TGA);
    written(&folder, "shoe.tga", TGA);
    written(&folder, "coat.tga", TGA);
    let text = printed(["inspect".as_ref(), file.as_os_str()]);
    assert!(text.contains("3 vertices, 1 triangle"), "{text}");
    assert_eq!(text.matches("  found: ").count(), 4, "{text}");
    assert!(text.contains("lost.png  missing"), "{text}");

    let to = folder.join("model.glb");
    let text = printed(["convert".as_ref(), file.as_os_str(), to.as_os_str()]);
    assert_eq!(text.matches("IMAGE_CONVERTED at /images/").count(), 4, "{text}");
    assert_eq!(text.matches("IMAGE_MISSING at /images/4: lost.png").count(), 1, "{text}");
    let model = import(&fs::read(to).unwrap(), &Resources::default()).unwrap().model;
    assert_eq!(model.images.len(), 4);
    for image in &model.images {
        let ImageSource::Encoded(bytes) = &image.source else { panic!("{image:?}") };
        assert!(bytes.starts_with(b"\x89PNG"));
    }
}

#[test]
fn converting_says_what_became_of_the_file() {
    let to = folder("converting").join("new.GLB");
    let from = fixture("poses/matrix_nodes/model.gltf");
    let text = printed(["convert".as_ref(), from.as_os_str(), to.as_os_str()]);
    let first = text.lines().next().unwrap();
    assert!(first.contains(" bytes, before ") && first.contains(" bytes, factor "), "{text}");
    assert!(text.contains("changed in the .glb\n  NODE_SPLIT at /nodes/"), "{text}");
    let again = to.with_file_name("again.glb");
    let text = printed(["convert".as_ref(), to.as_os_str(), again.as_os_str()]);
    assert_eq!(text.lines().count(), 1, "{text}");
    let nodes = |path| import(&fs::read(path).unwrap(), &Resources::default()).unwrap().model.nodes.len();
    assert_eq!(nodes(to), nodes(again));
}

#[test]
fn a_compressed_file_is_smaller_and_its_factor_is_printed() {
    let folder = folder("smaller");
    let keys = 2000;
    let times: Vec<f32> = (0..keys).map(|key| key as f32 / 30.0).collect();
    let values: Vec<f32> = times.iter().flat_map(|time| [time.min(20.0), 0.0, 0.0]).collect();
    let buffer: Vec<u8> = times.iter().chain(&values).flat_map(|number| number.to_le_bytes()).collect();
    written(&folder, "keys.bin", &buffer);
    let (split, len, end) = (keys * 4, keys * 12, times[keys - 1]);
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"name":"slider"}}],"buffers":[{{"byteLength":{},"uri":"keys.bin"}}],
        "bufferViews":[{{"buffer":0,"byteLength":{split}}},{{"buffer":0,"byteOffset":{split},"byteLength":{len}}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{keys},"type":"SCALAR","min":[0],"max":[{end}]}},
        {{"bufferView":1,"componentType":5126,"count":{keys},"type":"VEC3"}}],
        "animations":[{{"samplers":[{{"input":0,"output":1}}],
        "channels":[{{"sampler":0,"target":{{"node":0,"path":"translation"}}}}]}}]}}"#,
        buffer.len()
    );
    let from = written(&folder, "keys.gltf", text);
    let to = folder.join("keys.glb");
    let convert = |options: &[&str]| {
        let mut arguments = vec!["convert".as_ref(), from.as_os_str(), to.as_os_str()];
        arguments.extend(options.iter().map(std::ffi::OsStr::new));
        let text = printed(arguments);
        let factor: f64 = text.lines().next().unwrap().rsplit(' ').next().unwrap().parse().unwrap();
        let bytes = fs::read(&to).unwrap();
        let is_compressed = String::from_utf8_lossy(&bytes).contains("EXT_meshopt_compression");
        (factor, bytes.len(), is_compressed)
    };
    let (factor, plain_len, is_compressed) = convert(&["--compress=none"]);
    assert!(factor < 1.2 && !is_compressed, "{factor}");
    let (factor, compressed_len, is_compressed) = convert(&["--compress", "meshopt"]);
    assert!(factor > 2.0 && is_compressed && compressed_len * 2 < plain_len, "{factor}");
    let (factor, reduced_len, is_compressed) = convert(&["--reduce-keys", "0.001"]);
    assert!(factor > 20.0 && !is_compressed && reduced_len < 1000, "{factor}");
}

#[test]
fn what_is_broken_is_told_with_code_place_and_advice() {
    let folder = folder("broken");
    let cut = written(&folder, "cut.glb", b"glTF\x02\0\0\0\xFF\0\0\0");
    let (code, text) = complaint(["inspect".as_ref(), cut.as_os_str()]);
    assert_eq!(code, Some(1));
    assert!(text.starts_with("gambol: ") && text.contains("cut.glb: GLB_TRUNCATED: "), "{text}");
    assert!(text.contains("byte 12") && text.trim_end().ends_with('.'), "{text}");

    let broken = fixture("import/node/NODE_CYCLE.gltf");
    let to = folder.join("out.glb");
    let (code, text) = complaint(["convert".as_ref(), broken.as_os_str(), to.as_os_str()]);
    assert_eq!(code, Some(1));
    assert!(text.contains("NODE_CYCLE: ") && text.contains("/nodes/"), "{text}");
    assert!(!to.exists());

    let (code, text) = complaint(["inspect".as_ref(), folder.join("none.glb").as_os_str()]);
    assert_eq!(code, Some(1));
    assert!(text.contains("none.glb: cannot be read: "), "{text}");

    let lost = textured(&folder.join("lost"), &[]);
    fs::remove_dir_all(folder.join("lost/Parts")).unwrap();
    let (code, text) = complaint(["inspect".as_ref(), lost.as_os_str()]);
    assert_eq!(code, Some(1));
    assert!(text.contains("BUFFER_MISSING") && text.contains("parts/my%20triangle.bin"), "{text}");
}

#[test]
fn nothing_is_overwritten_that_was_not_meant() {
    let folder = folder("overwriting");
    let from = written(&folder, "a.glb", fs::read(fixture("import/node/valid.gltf")).unwrap());
    let (code, text) = complaint(["convert".as_ref(), from.as_os_str(), folder.join("./a.glb").as_os_str()]);
    assert_eq!(code, Some(1));
    assert!(text.contains("would overwrite the original"), "{text}");
    let (code, text) = complaint(["convert".as_ref(), from.as_os_str(), folder.join("b.gltf").as_os_str()]);
    assert_eq!(code, Some(1));
    assert!(text.contains("b.gltf: the name of the new file must end with .glb"), "{text}");
    let (code, text) = complaint(["convert".as_ref(), from.as_os_str(), folder.join("no/b.glb").as_os_str()]);
    assert_eq!(code, Some(1));
    assert!(text.contains("cannot be written: "), "{text}");
}

#[test]
fn what_it_can_not_follow_it_answers_with_its_usage() {
    for (arguments, problem) in [
        (&[][..], "the command is missing"),
        (&["look", "a.glb"], "unknown command look"),
        (&["inspect"], "the FILE to inspect is missing"),
        (&["convert", "a.x"], "OUT.glb is missing"),
        (&["convert", "a.x", "a.glb", "--compress", "zip"], "--compress needs meshopt or none, not zip"),
        (&["convert", "a.x", "a.glb", "--reduce-keys=0"], "--reduce-keys needs a number above 0, not 0"),
        (&["convert", "a.x", "a.glb", "--reduce-keys=inf"], "--reduce-keys needs a number above 0, not inf"),
        (&["inspect", "a.x", "b.x"], "unexpected argument b.x"),
        (&["inspect", "--al", "a.x"], "unknown option --al"),
        (&["inspect", "a.x", "--ticks-per-second"], "--ticks-per-second needs a value"),
        (&["inspect", "a.x", "--ticks-per-second", "0"], "a number above 0, not 0"),
        (&["inspect", "a.x", "--ticks-per-second=fast"], "a number above 0, not fast"),
        (&["inspect", "a.x", "--matrix-keys", "smooth"], "decompose, elements or step, not smooth"),
        (&["inspect", "--", "--all"], ""),
    ] {
        let (code, text) = complaint(arguments);
        assert_eq!(code, Some(if problem.is_empty() { 1 } else { 2 }), "{arguments:?}: {text}");
        assert!(text.contains(problem), "{arguments:?}: {text}");
        assert_eq!(text.contains("usage: gambol"), !problem.is_empty(), "{arguments:?}: {text}");
    }
    for help in ["help", "-h", "--help"] {
        assert!(printed([help]).starts_with("usage: gambol"));
    }
}

#[test]
fn options_of_the_import_reach_it() {
    let folder = folder("options");
    let x = "xof 0303txt 0032\n\
        Frame Root { FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1;; } }\n\
        AnimationSet Move { Animation { {Root} AnimationKey { 2; 2; 0;3;0,0,0;;, 100;3;1,0,0;;; } } }\n";
    let file = written(&folder, "move.x", x);
    for (ticks, secs) in [("100", "1 s"), ("50", "2 s")] {
        let text =
            printed(["inspect".as_ref(), file.as_os_str(), "--ticks-per-second".as_ref(), ticks.as_ref()]);
        assert!(text.contains(&format!("Move  {secs}, ")), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn it_ends_quietly_where_nobody_listens() {
    use std::io::Read;
    let nodes = vec!["{}"; 20_000].join(",");
    let text = format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}]}}"#);
    let file = written(&folder("quiet"), "many.gltf", text);
    let mut child = Command::new(env!("CARGO_BIN_EXE_gambol"))
        .args(["inspect".as_ref(), "--all".as_ref(), file.as_os_str()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 8];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}
