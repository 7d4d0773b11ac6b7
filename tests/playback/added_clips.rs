//! Clips of other files: their binding to the model's nodes, the report, and how they play.

use crate::support::figure::*;
use crate::support::made_model::{self, Random, any_model, clip, node, track};
use crate::support::real_models;
use gambol::animation::{ClipCursor, LocalPose, Rig};
use gambol::import::{ImportReport, Resources, bind_clips, import};
use gambol::model::{
    AnimatedProperty, Clip, ClipIndex, Interpolation, Mesh, MeshIndex, Model, MorphTarget, Node, NodeIndex,
    Primitive, PropertyIndex, PropertyTarget, PropertyTrack, Srt, TrackValues,
};
use gambol::playback::PlayOptions;
use gambol::player::{Player, PlayerError};
use glam::Vec3;
use std::fs;
use std::sync::Arc;

fn without_clips(model: &Model) -> Model {
    Model { clips: Vec::new(), properties: Vec::new(), ..model.clone() }
}

/// Returns the poses of a clip at some times.
fn poses(rig: &Rig, clip: ClipIndex) -> Vec<LocalPose> {
    let mut cursor = ClipCursor::default();
    let duration_secs = rig.clip(clip).duration_secs;
    let times = [0.0, 0.31, 0.5, 0.77, 1.0].map(|part| part * duration_secs);
    times
        .iter()
        .map(|&time_secs| {
            let mut pose = LocalPose::rest(rig);
            rig.sample_into(clip, time_secs, &mut cursor, &mut pose);
            pose
        })
        .collect()
}

/// Asserts that the clips of a model, added to the model without clips, give the same poses. Returns how many.
#[track_caller]
fn assert_clips_return(model: &Model, what: &str) -> usize {
    let bare = without_clips(model);
    let bound = bind_clips(model, &bare, &[]);
    for (code, place) in codes(&bound.report) {
        let is_expected = match code {
            "CLIP_PROPERTIES_LEFT_OUT" => !model.properties.is_empty(),
            "CLIPS_BOUND_BY_SHAPE" => model.nodes.iter().any(|node| node.name.is_empty()),
            _ => false,
        };
        assert!(is_expected, "{what}: {code} at {place}");
    }
    let kept: Vec<_> = (0..model.clips.len()).filter(|&clip| !model.clips[clip].tracks.is_empty()).collect();
    assert_eq!(bound.clips.len(), kept.len(), "{what}");
    let original = Rig::new(Arc::new(Model { properties: Vec::new(), ..without_properties(model) }));
    let added = Rig::new(Arc::new(bare)).with_clips(bound.clips);
    for (index, &clip) in kept.iter().enumerate() {
        let same = poses(&added, ClipIndex::new(index)) == poses(&original, ClipIndex::new(clip));
        assert!(same, "{what}: {}", model.clips[clip].name);
    }
    kept.len()
}

fn without_properties(model: &Model) -> Model {
    let mut model = model.clone();
    for clip in &mut model.clips {
        clip.property_tracks.clear();
    }
    model
}

#[test]
fn clips_give_the_poses_that_they_gave_in_their_own_model() {
    for seed in 0..300 {
        assert_clips_return(&any_model(&mut Random::new(seed)), &format!("seed {seed}"));
    }
}

#[test]
fn clips_of_real_models_give_the_poses_that_they_gave_there() {
    let Some(folder) = real_models::model("gltf") else { return };
    let mut count = 0;
    for path in real_models::files_below(&folder, &["glb"]) {
        let Ok(imported) = import(&fs::read(&path).unwrap(), &Resources::default()) else { continue };
        // Nodes of equal names can't be told apart by name.
        let mut names: Vec<_> = imported.model.nodes.iter().map(|node| &node.name).collect();
        names.sort_unstable();
        if names.windows(2).all(|pair| pair[0] != pair[1]) {
            count += assert_clips_return(&imported.model, &path.display().to_string());
        }
    }
    real_models::saw(count);
}

/// Returns a model of a hip, a spine and two arms with these names, and a clip that moves each by its own distance.
fn body(names: [&str; 4]) -> Model {
    let parents = [None, Some(0), Some(1), Some(1)];
    let nodes = names.iter().zip(parents).enumerate().map(|(index, (name, parent))| {
        let rest = Srt { translation: Vec3::Y, ..Srt::IDENTITY };
        Node { name: (*name).into(), ..node(parent, rest, index) }
    });
    let slide = |node: usize| {
        let values = TrackValues::Translation(vec![Vec3::ZERO, Vec3::X * (1 + node) as f32]);
        track(node, Interpolation::Linear, &[0.0, 1.0], values)
    };
    made_model::model(nodes.collect(), vec![clip("slide", (0..4).map(slide).collect())])
}

/// Returns the distance by which the first clip moves each node, after binding it; 0 for one that it doesn't move.
fn slides(bound: &[Clip]) -> [f32; 4] {
    let mut slides = [0.0; 4];
    for track in &bound[0].tracks {
        let TrackValues::Translation(values) = &track.values else { panic!("{track:?}") };
        slides[track.node.get()] = values[1].x;
    }
    slides
}

fn codes(report: &ImportReport) -> Vec<(&str, &str)> {
    report.warnings.iter().map(|warning| (warning.code, &*warning.place)).collect()
}

#[test]
fn joints_are_found_by_name_regardless_of_namespace_case_and_order() {
    let from = body(["mixamorig:Hips", "mixamorig:Spine", "mixamorig:LeftArm", "mixamorig:RightArm"]);
    let to = body(["hips", "spine", "right_arm", "left_arm"]);
    let bound = bind_clips(&from, &to, &[]);
    assert_eq!(slides(&bound.clips), [1.0, 2.0, 4.0, 3.0]);
    assert_eq!(codes(&bound.report), []);
}

#[test]
fn joints_of_other_names_are_found_by_the_shape_of_the_hierarchy() {
    let bound = bind_clips(&body(["a", "b", "c", "d"]), &body(["", "", "", ""]), &[]);
    assert_eq!(slides(&bound.clips), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(codes(&bound.report), [("CLIPS_BOUND_BY_SHAPE", "/nodes")]);
}

#[test]
fn missing_joints_are_reported_by_name_and_place() {
    let bound = bind_clips(
        &body(["Hips", "Spine", "Tail", "Ear"]),
        &body(["Hips", "Spine", "Left", "Right"]),
        &["away".to_owned()],
    );
    assert_eq!(slides(&bound.clips), [1.0, 2.0, 0.0, 0.0]);
    assert_eq!(bound.clips[0].name, "away");
    assert_eq!(codes(&bound.report), [("CLIP_NODE_MISSING", "/nodes/2"), ("CLIP_NODE_MISSING", "/nodes/3")]);
    assert!(bound.report.warnings[0].message.starts_with("Tail: "));
}

#[test]
fn a_skeleton_of_another_size_is_reported() {
    let mut from = body(["Hips", "Spine", "Left", "Right"]);
    for node in &mut from.nodes {
        node.rest.translation *= 100.0;
    }
    let bound = bind_clips(&from, &body(["Hips", "Spine", "Left", "Right"]), &[]);
    let [warning] = &bound.report.warnings[..] else { panic!("{:?}", bound.report) };
    assert_eq!(warning.code, "CLIPS_OTHER_SIZE");
    assert!(warning.message.starts_with("10000 %: "), "{}", warning.message);
}

/// Returns a model of one node with morph targets of these names and, for each, a weight of 10 and more in the first
/// key and of 20 and more in the second.
fn face(names: &[&str]) -> Model {
    let targets = vec![MorphTarget::default(); names.len()];
    let primitive = Primitive { morph_targets: targets, ..Primitive::default() };
    let weights = |from: f32| (0..names.len()).map(move |target| from + target as f32);
    let values = TrackValues::MorphWeights(weights(10.0).chain(weights(20.0)).collect());
    let mut model = made_model::model(
        vec![node(None, Srt::IDENTITY, 0)],
        vec![clip("talk", vec![track(0, Interpolation::Linear, &[0.0, 1.0], values)])],
    );
    model.meshes.push(Mesh {
        name: String::new(),
        primitives: vec![primitive],
        morph_target_names: names.iter().map(|&name| name.to_owned()).collect(),
    });
    model.nodes[0].mesh = Some(MeshIndex::new(0));
    model.nodes[0].rest_morph_weights = vec![0.5; names.len()];
    model
}

#[test]
fn morph_weights_are_found_by_the_names_of_their_targets() {
    let weights = |from: &[&str], to: &[&str]| {
        let bound = bind_clips(&face(from), &face(to), &[]);
        match &bound.clips[0].tracks[0].values {
            TrackValues::MorphWeights(weights) => weights.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(weights(&["a", "e", "o"], &["o", "a"]), [12.0, 10.0, 22.0, 20.0]);
    assert_eq!(weights(&["a"], &["u", "a"]), [0.5, 10.0, 0.5, 20.0], "the rest weight where there is none");
    assert_eq!(
        weights(&["", ""], &["", "", ""]),
        [10.0, 11.0, 0.5, 20.0, 21.0, 0.5],
        "by index without names"
    );
}

#[test]
fn tracks_that_the_nodes_cannot_take_are_left_out() {
    let from = face(&["a"]);
    let mut to = made_model::model(vec![node(None, Srt::IDENTITY, 0)], Vec::new());
    let bound = bind_clips(&from, &to, &[]);
    assert!(bound.clips.is_empty());
    assert_eq!(codes(&bound.report), [("TRACK_WITHOUT_MORPHS", "/animations/0")]);

    let from = body(["node 0", "b", "c", "d"]);
    to.nodes[0].sheared_rest = Some(Default::default());
    let bound = bind_clips(&from, &to, &[]);
    assert!(bound.clips.is_empty());
    assert!(codes(&bound.report).contains(&("TRACK_ON_SHEARED_NODE", "/animations/0")));
}

#[test]
fn tracks_of_other_properties_are_left_out() {
    let mut from = body(["Hips", "Spine", "Left", "Right"]);
    let target = PropertyTarget::Visible(NodeIndex::new(0));
    from.properties = vec![AnimatedProperty { target, rest: vec![1.0] }];
    from.clips[0].property_tracks = vec![PropertyTrack {
        property: PropertyIndex::new(0),
        interpolation: Interpolation::Step,
        key_times_secs: [0.0, 1.0].into(),
        values: vec![1.0, 0.0],
    }];
    let bound = bind_clips(&from, &from, &[]);
    assert_eq!(bound.clips[0].property_tracks, []);
    let [warning] = &bound.report.warnings[..] else { panic!("{:?}", bound.report) };
    assert_eq!((warning.code, &*warning.place), ("CLIP_PROPERTIES_LEFT_OUT", "/animations/0"));
    assert!(warning.message.starts_with("1 of 5: "), "{}", warning.message);
}

#[test]
fn what_plays_goes_on_while_clips_are_added() {
    let (mut player, mut twin) = (playing("walk"), playing("walk"));
    for player in [&mut player, &mut twin] {
        player.advance(0.25).unwrap();
        let run = clip_named(player, "run");
        player.play(run, &PlayOptions { fade_secs: 0.5, ..PlayOptions::default() }).unwrap();
        player.advance(0.125).unwrap();
    }
    let model = player.model().unwrap().clone();
    player.add_clips(&model, &["stroll".into(), "dash".into()]).unwrap();
    for _ in 0..10 {
        assert_eq!(player.world_matrices(0).unwrap(), twin.world_matrices(0).unwrap());
        assert_eq!(player.time_secs(), twin.time_secs());
        assert!(player.drain_events().eq(twin.drain_events()));
        player.advance(0.1).unwrap();
        twin.advance(0.1).unwrap();
    }
}

#[test]
fn added_clips_play_like_the_models_own() {
    let (mut player, mut twin) = (playing("walk"), playing("walk"));
    let model = player.model().unwrap().clone();
    let own_count = model.clips.len();
    let names: Vec<_> = model.clips.iter().map(|clip| format!("added {}", clip.name)).collect();
    player.add_clips(&model, &names).unwrap();
    let added = player.find_clip("added run").unwrap();
    let run = clip_named(&twin, "run");
    assert!(added.get() >= own_count);
    player.play(added, &PlayOptions::default()).unwrap();
    twin.play(run, &PlayOptions::default()).unwrap();
    assert_eq!(player.duration_secs(), twin.duration_secs());
    player.advance(0.3).unwrap();
    twin.advance(0.3).unwrap();
    assert_eq!(player.world_matrices(0).unwrap(), twin.world_matrices(0).unwrap());
    assert_eq!(player.bounds(), twin.bounds());

    // By name in a controller, with notes, and after another file's clips.
    player.add_clips(&model, &[]).unwrap();
    assert_eq!(player.find_clip("added run").unwrap(), added);
    player.read_notes(added, r#"{ "markers": [{ "name": "step", "time": 0.25 }] }"#).unwrap();
    let controller = r#"{ "layers": [{ "start": "A", "states": { "A": "added run" } }] }"#;
    player.set_controller(Some(controller)).unwrap();
    assert_eq!(player.clip(), Some(added));
    assert_eq!(player.notes(added).unwrap().markers.len(), 1);

    // They belong to this player and to this model.
    assert!(twin.find_clip("added run").is_err());
    player.show(twin.rig().unwrap().clone(), ImportReport::default());
    assert!(player.find_clip("added run").is_err());
}

#[test]
fn the_root_is_found_in_added_clips() {
    let moving = body(["Hips", "Spine", "Left", "Right"]);
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(without_clips(&moving)))), ImportReport::default());
    let before = player.root();
    player.add_clips(&moving, &[]).unwrap();
    assert_eq!((before, player.root().map(|node| node.get())), (None, Some(0)));
}

#[test]
fn files_without_fitting_clips_are_refused() {
    let mut player = Player::new();
    let model = body(["Hips", "Spine", "Left", "Right"]);
    assert!(matches!(player.add_clips(&model, &[]), Err(PlayerError::NoModel)));
    player.show(Arc::new(Rig::new(Arc::new(model.clone()))), ImportReport::default());
    for (from, has_clips) in [(without_clips(&model), false), (face(&["a"]), true)] {
        let error = player.add_clips(&from, &[]).unwrap_err();
        assert_eq!(error.code(), "NO_FITTING_CLIPS");
        assert!(matches!(error, PlayerError::NoFittingClips { has_clips: found } if found == has_clips));
    }
    assert_eq!(player.rig().unwrap().clip_count(), 1);
}
