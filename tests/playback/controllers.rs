//! Controllers and motions read from JSON: the result, the code and place of each error, and safety against hangs
//! and panics.
//!
//! `tests/fixtures/controllers/<CODE>.json` lists documents that are refused with that code, and the place of the
//! error.

use crate::support::made_model::Random;
use crate::support::stand_in;
use gambol::model::{ClipIndex, Model, NodeIndex};
use gambol::playback::{
    ClipNotes, ClipUse, Condition, Crossing, Easing, Ending, Interrupt, LayerMode, LayerOptions, Looping,
    Parameter, ParameterIndex, ParameterKind, Reference, RootMotion, Script, ScriptError, Source, Space,
    SyncGroup, Test, Weight,
};
use glam::Vec2;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

fn read(document: &Value) -> Result<Script, ScriptError> {
    Script::from_json(document.to_string().as_bytes(), &stand_in::rig())
}

fn code(document: &Value) -> &'static str {
    read(document).map_or_else(|error| error.code(), |_| "")
}

fn everything() -> Script {
    let text = stand_in::text("tests/fixtures/controllers/valid.everything.json");
    Script::from_json(text.as_bytes(), &stand_in::rig()).unwrap()
}

fn state<'a>(script: &'a Script, name: &str) -> &'a gambol::playback::MachineState {
    let states = script.layers.iter().flat_map(|layer| &layer.machine.states);
    states.into_iter().find(|state| state.name == name).unwrap()
}

#[track_caller]
fn blend(source: Option<&Source>) -> &gambol::playback::Blend {
    match source {
        Some(Source::Blend(blend)) => blend,
        other => panic!("no blend: {other:?}"),
    }
}

fn clip(name: &str) -> ClipIndex {
    stand_in::rig().find_clip(name).unwrap()
}

#[test]
fn every_refused_document_gives_its_code_and_place() {
    let rig = stand_in::rig();
    let mut seen = BTreeSet::new();
    for (code, case, place, document) in stand_in::refused() {
        let error = Script::from_json(document.as_bytes(), &rig).expect_err(&case);
        assert_eq!((error.code(), error.place()), (code.as_str(), place.as_str()), "{case}: {error}");
        let words = error.to_string();
        let named = if place.is_empty() { "the root" } else { &place };
        assert!(words.contains(&format!(", at {named}. ")) && words.ends_with('.'), "{words}");
        seen.insert(code);
    }
    let all: BTreeSet<String> = ScriptError::CODES.iter().map(|code| (*code).to_owned()).collect();
    assert_eq!(seen, all, "each code has a fixture, each fixture a code");
}

#[test]
fn messages_say_what_there_is_instead() {
    let message = |document: Value| read(&document).unwrap_err().to_string();
    let with_state = |state: Value| json!({ "layers": [{ "start": "A", "states": { "A": state } }] });
    assert_eq!(
        message(with_state(json!("Wlak"))),
        "the model has no such clip: Wlak; there are Dance, Idle, Jump, Run, Walk, Wave, at /layers/0/states/A. \
         Correct the name, or load the model that has it."
    );
    assert_eq!(
        message(with_state(json!({ "clip": "Walk", "lop": 3 }))),
        "there is no such property here: lop; there are clip, from, to, speed, loop, ending, sync, \
         at /layers/0/states/A/lop. Correct its name, or leave it out."
    );
    assert_eq!(
        message(json!({ "layers": [{ "start": "A", "states": { "A": null, "B": null }, "transitions": [
            { "from": "B", "to": "A", "exit": 1 }, { "from": "A", "to": "B" }, { "from": "B", "to": "A" },
        ] }] })),
        "these states can follow each other endlessly without time passing: A → B → A, \
         at /layers/0/transitions/1. Give one of the transitions a fade or an exit, or make their conditions \
         exclude each other."
    );
}

#[test]
fn parameters_are_numbers_booleans_and_triggers() {
    let parameter = |name: &str, kind, start| Parameter { name: name.to_owned(), kind, start };
    assert_eq!(
        everything().parameters,
        [
            parameter("armed", ParameterKind::Boolean, 0.0),
            parameter("jump", ParameterKind::Trigger, 0.0),
            parameter("speed", ParameterKind::Number, 0.5),
            parameter("wave", ParameterKind::Boolean, 1.0),
            parameter("x", ParameterKind::Number, 0.0),
            parameter("y", ParameterKind::Number, -1.0),
        ]
    );
}

#[test]
fn notes_and_root_are_found_in_the_model() {
    let script = everything();
    assert_eq!(script.root, Some(NodeIndex::new(0)));
    let notes = |name: &str| &script.notes.iter().find(|(index, _)| *index == clip(name)).unwrap().1;
    let walk = notes("Walk");
    let markers: Vec<_> = walk.markers.iter().map(|marker| (&*marker.name, marker.time_secs)).collect();
    assert_eq!(markers, [("left", 0.25), ("right", 0.75)], "in ascending order of time");
    assert_eq!(walk.beats_secs, [0.25, 0.75]);
    assert_eq!(walk.root, RootMotion::Extract);
    assert_eq!(notes("Run").root, RootMotion::Pin);
    assert_eq!(notes("Idle"), &Default::default());
}

#[test]
fn a_state_says_how_it_is_played() {
    let script = everything();
    let jump = state(&script, "Jump");
    assert_eq!(jump.source, Some(clip("Jump").into()), "a state's speed is the player's, not the clip's");
    assert_eq!((jump.options.speed, jump.options.looping), (1.5, Looping::ONCE));
    assert_eq!((jump.options.ending, jump.options.sync), (Ending::Release(0.3), None));
    let round = state(&script, "Round");
    assert_eq!(round.options.looping, Looping::PING_PONG);
    assert_eq!(round.options.sync, state(&script, "Move").options.sync);
    assert_eq!(round.options.sync, Some(SyncGroup::named("feet")));
    let passes = NonZeroU32::new(3).unwrap();
    assert_eq!(state(&script, "Mixed").options.looping, Looping::count(passes));
    assert_eq!(state(&script, "Nothing").source, None);
}

#[test]
fn blends_stand_in_order_and_nest() {
    let script = everything();
    let line = blend(state(&script, "Move").source.as_ref());
    assert_eq!((&line.space, line.in_phase), (&Space::Line(ParameterIndex(2)), true));
    let places: Vec<f32> = line.children.iter().map(|child| child.at.x).collect();
    assert_eq!(places, [0.0, 1.5, 3.5], "whatever order they were written in");
    assert_eq!(line.children[2].source, Source::from(clip("Run")));

    let plane = blend(Some(&line.children[1].source));
    assert_eq!(plane.space, Space::Plane([ParameterIndex(4), ParameterIndex(5)]));
    let part = ClipUse { clip: clip("Walk"), from_secs: 0.25, to_secs: Some(1.0), speed: 1.0 };
    assert_eq!(plane.children[0].source, Source::Clip(part));
    assert_eq!(plane.children[0].at, Vec2::Y);
    let back = ClipUse { speed: -1.0, ..ClipUse::whole(clip("Walk")) };
    assert_eq!(plane.children[1].source, Source::Clip(back), "a clip by its number");

    let mix = blend(Some(&plane.children[2].source));
    assert_eq!((&mix.space, mix.in_phase), (&Space::Weights, false));
    let weights: Vec<Weight> = mix.children.iter().map(|child| child.weight).collect();
    assert_eq!(weights, [Weight::Parameter(ParameterIndex(2)), Weight::Fixed(0.5)]);
    assert!(!blend(state(&script, "Round").source.as_ref()).in_phase);
}

#[test]
fn transitions_say_from_where_when_and_how() {
    let script = everything();
    let machine = &script.layers[0].machine;
    let index = |name: &str| machine.states.iter().position(|state| state.name == name).unwrap();
    assert_eq!(machine.start, index("Idle"));
    let [to_move, to_idle, to_jump, landed] = &machine.transitions[..] else { panic!("four of them") };

    assert_eq!((&to_move.from[..], to_move.to), (&[index("Idle")][..], index("Move")));
    let condition = |parameter, test| Condition { parameter: ParameterIndex(parameter), test };
    assert_eq!(
        to_move.conditions,
        [condition(0, Test::Is(true)), condition(2, Test::Above(0.1)), condition(2, Test::AtMost(4.0))]
    );
    assert_eq!(
        (to_move.fade_secs, to_move.easing, to_move.crossing),
        (0.25, Easing::Smooth, Crossing::Inertia)
    );
    assert_eq!((to_move.interrupt, to_move.keep_phase, to_move.exit_passes), (Interrupt::Either, true, None));

    assert_eq!(to_idle.from, [index("Move"), index("Round")]);
    assert_eq!(to_idle.conditions, [condition(2, Test::AtLeast(-4.0)), condition(2, Test::Below(0.1))]);
    assert_eq!((to_idle.easing, to_idle.interrupt), (Easing::In, Interrupt::Target));
    assert_eq!((&to_jump.from[..], &to_jump.conditions[..]), (&[][..], &[condition(1, Test::Fired)][..]));
    assert_eq!((to_jump.easing, to_jump.interrupt, to_jump.fade_secs), (Easing::Out, Interrupt::Source, 0.0));
    assert_eq!((to_idle.crossing, to_jump.crossing), (Crossing::Fade, Crossing::DeadBlending));
    assert_eq!((landed.exit_passes, landed.easing, landed.keep_phase), (Some(0.9), Easing::Linear, false));
}

#[test]
fn layers_say_how_they_lie_over_those_below() {
    let script = everything();
    let names: Vec<&str> = script.layers.iter().map(|layer| layer.name.as_str()).collect();
    assert_eq!(names, ["base", "upper", "breath", "lean", "nod"]);
    let modes: Vec<LayerMode> = script.layers.iter().map(|layer| layer.options.mode).collect();
    let pose = Reference::Pose { clip: clip("Wave"), time_secs: 0.5 };
    assert_eq!(
        modes,
        [
            LayerMode::Override,
            LayerMode::Override,
            LayerMode::Add(Reference::FirstFrame),
            LayerMode::Add(Reference::Rest),
            LayerMode::Add(pose),
        ]
    );
    assert_eq!(script.layers[2].options.weight, 0.5);
    let mask: Vec<_> = script.layers[1]
        .options
        .mask
        .iter()
        .map(|line| (line.node.get(), line.weight, line.subtree))
        .collect();
    assert_eq!(mask, [(4, 0.5, false), (1, 1.0, true)]);
}

#[test]
fn a_layers_options_alone_are_read_as_in_a_controller() {
    let rig = stand_in::rig();
    let document = stand_in::json("tests/fixtures/controllers/valid.everything.json");
    for (layer, expected) in document["layers"].as_array().unwrap().iter().zip(everything().layers) {
        let mut asked = layer.clone();
        for name in ["name", "start", "states", "transitions"] {
            asked.as_object_mut().unwrap().remove(name);
        }
        assert_eq!(LayerOptions::from_json(asked.to_string().as_bytes(), &rig), Ok(expected.options));
    }
    let refused = |text: &str| LayerOptions::from_json(text.as_bytes(), &rig).unwrap_err();
    assert_eq!(refused(r#"{ "mask": { "Spin": 1 } }"#).code(), "UNKNOWN_NODE");
    assert_eq!(refused(r#"{ "start": "Idle" }"#).code(), "CONTROLLER_PROPERTY_UNKNOWN");
}

#[test]
fn notes_alone_change_what_they_name() {
    let rig = stand_in::rig();
    let before = everything().notes.into_iter().find(|(index, _)| *index == clip("Walk")).unwrap().1;
    let read = |text: &str| ClipNotes::from_json(text.as_bytes(), &rig, clip("Walk"), &before);
    assert_eq!(read("{}"), Ok(before.clone()));
    let pinned = read(r#"{ "root": "pin" }"#).unwrap();
    assert_eq!(pinned, ClipNotes { root: RootMotion::Pin, ..before.clone() });
    let without = read(r#"{ "markers": [], "beats": [0.5] }"#).unwrap();
    assert_eq!((without.markers.len(), &without.beats_secs[..], without.root), (0, &[0.5][..], before.root));
    assert_eq!(read(r#"{ "beats": [1.25] }"#).unwrap_err().place(), "/beats/0");
}

#[test]
fn a_motion_alone_makes_the_parameters_it_names() {
    let rig = stand_in::rig();
    let mut parameters = everything().parameters;
    let known = parameters.len();
    let motion = br#"{ "across": ["strafe", "speed"], "motions": [
        { "at": [0, 0], "clip": "Idle" }, { "at": [1, 0], "mix": [{ "weight": "limp", "clip": "Walk" }] }
    ] }"#;
    let source = Source::from_json(motion, &rig, &mut parameters).unwrap();
    let names: Vec<&str> = parameters[known..].iter().map(|parameter| parameter.name.as_str()).collect();
    assert_eq!(names, ["strafe", "limp"]);
    assert!(parameters[known..].iter().all(|p| p.kind == ParameterKind::Number && p.start == 0.0));
    assert_eq!(blend(Some(&source)).space, Space::Plane([ParameterIndex(known), ParameterIndex(2)]));
    assert_eq!(Source::from_json(br#""Walk""#, &rig, &mut parameters), Ok(clip("Walk").into()));

    let before = parameters.clone();
    let late = br#"{ "mix": [{ "weight": "new", "clip": "Walk" }, { "weight": 1, "clip": "Fly" }] }"#;
    let error = Source::from_json(late, &rig, &mut parameters).unwrap_err();
    assert_eq!((error.code(), error.place()), ("UNKNOWN_CLIP", "/mix/1/clip"));
    assert_eq!(parameters, before, "a refused motion leaves the parameters alone");
    let trigger = br#"{ "along": "jump", "motions": [{ "at": 0, "clip": "Walk" }] }"#;
    assert_eq!(
        Source::from_json(trigger, &rig, &mut parameters).unwrap_err().code(),
        "CONTROLLER_VALUE_WRONG"
    );
}

/// Tests a duration written as the decimal form of its f32, which can be slightly past the end as an f64.
#[test]
fn the_end_of_a_clip_may_be_written_as_it_is_shown() {
    let rig = stand_in::named(&[("Walk", 1.033_333_3)], &[]);
    for written in ["1.0333333", "1.0333333015441895", "1.03333333333"] {
        let motion = format!(r#"{{ "clip": "Walk", "to": {written} }}"#);
        let source = Source::from_json(motion.as_bytes(), &rig, &mut Vec::new()).unwrap();
        let Source::Clip(used) = source else { panic!("{source:?}") };
        assert!(used.to_secs.unwrap() <= f64::from(rig.clip(ClipIndex::new(0)).duration_secs));
    }
}

fn ring(parameters: Value, transitions: Value) -> &'static str {
    code(&json!({ "parameters": parameters, "layers": [{
        "start": "A", "states": { "A": "Idle", "B": "Walk", "C": "Run" }, "transitions": transitions,
    }] }))
}

#[test]
fn rings_that_take_time_or_exclude_themselves_are_taken() {
    let back = json!({ "from": "B", "to": "A" });
    assert_eq!(ring(json!({}), json!([{ "from": "A", "to": "B" }, back])), "CONTROLLER_INSTANT_CYCLE");
    assert_eq!(ring(json!({}), json!([{ "from": "A", "to": "B", "fade": 0.1 }, back])), "");
    assert_eq!(ring(json!({}), json!([{ "from": "A", "to": "B", "exit": 0.5 }, back])), "");
    let parameters = json!({ "on": false, "go": "trigger", "speed": 0, "other": 0 });
    let when = |first: Value, second: Value| {
        ring(
            parameters.clone(),
            json!([{ "from": "A", "to": "B", "when": first }, { "from": "B", "to": "A", "when": second }]),
        )
    };
    let cycle = "CONTROLLER_INSTANT_CYCLE";
    assert_eq!(when(json!({ "on": true }), json!({ "on": false })), "");
    assert_eq!(when(json!({ "on": true }), json!({ "on": true })), cycle);
    assert_eq!(when(json!({ "go": true }), json!({})), "", "a trigger is used up");
    assert_eq!(when(json!({ "speed": { "above": 1 } }), json!({ "speed": { "atMost": 1 } })), "");
    assert_eq!(when(json!({ "speed": { "above": 1 } }), json!({ "speed": { "below": 1 } })), "");
    assert_eq!(when(json!({ "speed": { "atLeast": 1 } }), json!({ "speed": { "atMost": 1 } })), cycle);
    assert_eq!(when(json!({ "speed": { "above": 1 } }), json!({ "speed": { "below": 2 } })), cycle);
    assert_eq!(when(json!({ "speed": { "above": 1 } }), json!({ "other": { "below": 1 } })), cycle);
}

#[test]
fn rings_are_found_through_other_states_and_any() {
    let by_way_of_c = json!([
        { "from": "A", "to": "B", "fade": 1 },
        { "from": "B", "to": "C" }, { "from": "C", "to": "B" },
    ]);
    assert_eq!(ring(json!({}), by_way_of_c), "CONTROLLER_INSTANT_CYCLE");
    assert_eq!(ring(json!({}), json!([{ "from": "*", "to": "A" }])), "", "none leaves A");
    let both = json!([{ "from": "*", "to": "A" }, { "from": ["A", "C"], "to": "B" }]);
    assert_eq!(ring(json!({}), both), "CONTROLLER_INSTANT_CYCLE");
}

#[test]
fn rings_are_found_through_interruptions_of_either_side() {
    let step = |from: &str, to: &str, by: &str| json!({ "from": from, "to": to, "fade": 1, "interrupt": by });
    let pair =
        |first: &str, second: &str| ring(json!({}), json!([step("A", "B", first), step("B", "A", second)]));
    assert_eq!(pair("target", "target"), "CONTROLLER_INSTANT_CYCLE");
    assert_eq!(pair("either", "target"), "CONTROLLER_INSTANT_CYCLE");
    assert_eq!(pair("target", "none"), "", "one of the fades takes its time");
    assert_eq!(pair("target", "source"), "", "the same transition doesn't cut itself short");
    let fork = [step("A", "B", "source"), step("A", "C", "source")];
    assert_eq!(ring(json!({}), json!(fork)), "");
    let [first, second] = fork;
    let back = json!([first, second, step("B", "A", "target")]);
    assert_eq!(ring(json!({}), back), "CONTROLLER_INSTANT_CYCLE", "A, B, C by A's other way, A by B's");
}

#[track_caller]
fn assert_quick(what: &str, limit_secs: u64, work: impl FnOnce()) {
    let since = Instant::now();
    work();
    assert!(since.elapsed() < Duration::from_secs(limit_secs), "{what} took {:?}", since.elapsed());
}

#[test]
fn the_largest_controllers_are_read_in_no_time() {
    // Limit for an unoptimized build on a busy machine; an optimized build takes a hundredth of that.
    const MOST_SECS: u64 = 10;
    let names: Vec<String> = (0..1_000).map(|nth| format!("{nth}")).collect();
    let states: Value = names.iter().map(|name| (name.clone(), Value::Null)).collect();
    let layer = |transitions: Vec<Value>| {
        json!({ "layers": [{
        "start": "0", "states": states.clone(), "transitions": transitions,
    }] })
    };

    let to_each_from_any = (0..10_000).map(|nth| json!({ "from": "*", "to": names[nth % 1_000] })).collect();
    assert_quick("any to each", MOST_SECS, || {
        assert_eq!(code(&layer(to_each_from_any)), "CONTROLLER_INSTANT_CYCLE");
    });
    // Each state leads to all later ones: no cycle, and too many paths to follow one by one.
    let upwards = (0..100).flat_map(|from| (from + 1..100).map(move |to| (from, to)));
    let upwards = upwards.map(|(from, to)| json!({ "from": names[from], "to": names[to] })).collect();
    assert_quick("upwards", MOST_SECS, || assert_eq!(code(&layer(upwards)), ""));
    let chain = (0..999).map(|nth| json!({ "from": names[nth], "to": names[nth + 1] })).collect();
    assert_quick("one long chain", MOST_SECS, || assert_eq!(code(&layer(chain)), ""));
    let everywhere = (0..150).map(|_| json!({ "from": names, "to": "0", "exit": 1 })).collect();
    assert_quick("all to one", MOST_SECS, || assert_eq!(code(&layer(everywhere)), ""));
    let long = format!(r#"{{ "layers": [{}] }}"#, " ".repeat(1 << 20));
    let error = Script::from_json(long.as_bytes(), &stand_in::rig()).unwrap_err();
    assert_eq!(error.code(), "CONTROLLER_TOO_LARGE");
}

#[test]
fn deep_nesting_does_not_exhaust_the_stack() {
    for (open, close) in [("[", "]"), (r#"{"layers":["#, "]}"), (r#"{"mix":[{"weight":1,"mix":["#, "]}]}")] {
        let text = [open.repeat(50_000), close.repeat(50_000)].concat();
        assert!(Script::from_json(text.as_bytes(), &stand_in::rig()).is_err());
        assert!(Source::from_json(text.as_bytes(), &stand_in::rig(), &mut Vec::new()).is_err());
    }
}

#[test]
fn the_valid_file_cut_anywhere_is_refused() {
    let rig = stand_in::rig();
    let text = stand_in::text("tests/fixtures/controllers/valid.everything.json");
    let text = text.trim_end().as_bytes();
    for end in 0..text.len() {
        let error = Script::from_json(&text[..end], &rig).expect_err("cut short");
        assert_eq!(error.code(), "CONTROLLER_JSON_INVALID", "cut at byte {end}");
    }
}

#[test]
fn random_damage_gives_an_error_or_a_script_that_keeps_its_promises() {
    let rig = stand_in::rig();
    let whole = stand_in::text("tests/fixtures/controllers/valid.everything.json").into_bytes();
    let mut random = Random::new(7);
    let mut taken = 0;
    for _ in 0..3_000 {
        let mut text = whole.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(text.len());
            match random.below(3) {
                0 => text[at] = b" \"{}[],:019.-eEtn*"[random.below(18)],
                1 => drop(text.remove(at)),
                _ => {
                    let other = random.below(text.len());
                    let (from, to) = (at.min(other), at.max(other).min(at.min(other) + 40));
                    let piece = text[from..to].to_vec();
                    text.splice(at..at, piece);
                }
            }
        }
        match Script::from_json(&text, &rig) {
            Ok(script) => {
                taken += 1;
                assert_promises(&script, rig.model());
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    assert!(taken > 100, "only {taken} were whole enough to be taken");
}

/// Asserts the invariants documented on [`Script`].
fn assert_promises(script: &Script, model: &Model) {
    assert!(!script.layers.is_empty());
    assert_eq!(script.layers[0].name, "base");
    for (clip, notes) in &script.notes {
        let duration_secs = f64::from(model.clip(*clip).duration_secs);
        assert!(notes.markers.is_sorted_by_key(|marker| marker.time_secs));
        assert!(notes.beats_secs.is_sorted());
        let times =
            notes.markers.iter().map(|marker| marker.time_secs).chain(notes.beats_secs.iter().copied());
        assert!(times.into_iter().all(|secs| (0.0..=duration_secs).contains(&secs)));
    }
    for layer in &script.layers {
        let count = layer.machine.states.len();
        assert!(layer.machine.start < count);
        assert!((0.0..=1.0).contains(&layer.options.weight));
        assert!(layer.options.mask.iter().all(|entry| (0.0..=1.0).contains(&entry.weight)));
        for state in &layer.machine.states {
            state.source.iter().for_each(|source| assert_source(source, script, model));
        }
        for transition in &layer.machine.transitions {
            assert!(transition.to < count && transition.from.iter().all(|&from| from < count));
            assert!(transition.fade_secs >= 0.0 && transition.exit_passes.unwrap_or(0.0) >= 0.0);
            assert!(
                transition.conditions.iter().all(|condition| condition.parameter.0 < script.parameters.len())
            );
        }
    }
}

fn assert_source(source: &Source, script: &Script, model: &Model) {
    match source {
        Source::Clip(used) => {
            let duration_secs = f64::from(model.clip(used.clip).duration_secs);
            let to_secs = used.to_secs.unwrap_or(duration_secs);
            assert!(0.0 <= used.from_secs && used.from_secs < to_secs && to_secs <= duration_secs);
        }
        Source::Blend(blend) => {
            assert!(!blend.children.is_empty());
            if let Space::Line(parameter) = blend.space {
                assert!(parameter.0 < script.parameters.len());
                assert!(blend.children.windows(2).all(|pair| pair[0].at.x < pair[1].at.x));
            }
            blend.children.iter().for_each(|child| assert_source(&child.source, script, model));
        }
    }
}
