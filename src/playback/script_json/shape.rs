//! Shape of the JSON of a controller, as a table. `www/controller.schema.json` describes the same shape, and
//! `tests/playback/controllers.rs` compares the two.
use super::ScriptProblem;
use super::refusals::Refusals;
use crate::json::Value;
use crate::refusal::shortened;

pub(super) enum Kind {
    Null,
    Flag,
    /// Text of at least one character.
    Text,
    /// Number: minimum, maximum, and its description in messages.
    Number(f64, f64, &'static str),
    Integer(f64, f64, &'static str),
    Word(&'static [&'static str], &'static str),
    /// Array: kind of its elements, minimum and maximum length.
    List(&'static Kind, usize, usize),
    /// Array: kind of its elements, their exact number, and its description in messages.
    Tuple(&'static Kind, usize, &'static str),
    /// Object with any names of at least one character: kind of its values, and their maximum number.
    Map(&'static Kind, usize),
    Object(&'static [Property]),
    /// Object with at least one of its properties.
    Some(&'static [Property]),
    /// Object that is one of [`MOTIONS`], with further properties.
    Motion(&'static [Property]),
    /// One of several kinds, selected by the JSON type, which no two of them share.
    Either(&'static [Kind], &'static str),
}

pub(super) struct Property {
    name: &'static str,
    kind: &'static Kind,
    required: bool,
}

const fn optional(name: &'static str, kind: &'static Kind) -> Property {
    Property { name, kind, required: false }
}

const fn required(name: &'static str, kind: &'static Kind) -> Property {
    Property { name, kind, required: true }
}

use Kind::{Either, Flag, Integer, List, Map, Motion, Null, Number, Object, Text, Tuple, Word};

/// Largest magnitude of a number, well within the range of `f32`.
const MOST: f64 = 1e30;

static NUMBER: Kind = Number(-MOST, MOST, "a number");
static SHARE: Kind = Number(0.0, 1.0, "a number from 0 to 1");
/// Times up to about 30 years, so that sums of them stay exact to the microsecond.
static SECS: Kind = Number(0.0, 1e9, "a number of seconds, from 0");
static SPEED: Kind = Number(-1e6, 1e6, "a number between -1000000 and 1000000");
static CLIP: Kind =
    Either(&[Text, Integer(0.0, u32::MAX as f64, "an integer from 0")], "the name or number of a clip");

/// Properties of each kind of motion that a layer can play. The first property identifies the kind.
static MOTIONS: [&[Property]; 4] = [
    &[required("clip", &CLIP), optional("from", &SECS), optional("to", &SECS), optional("speed", &SPEED)],
    &[required("along", &Text), required("motions", &ALONG), optional("inPhase", &Flag)],
    &[
        required("across", &Tuple(&Text, 2, PAIR_WORDS)),
        required("motions", &ACROSS),
        optional("inPhase", &Flag),
    ],
    &[required("mix", &MIX), optional("inPhase", &Flag)],
];
static ALONG: Kind = List(&Motion(&[required("at", &NUMBER)]), 1, 256);
static ACROSS: Kind = List(&Motion(&[required("at", &Tuple(&NUMBER, 2, PAIR_WORDS))]), 1, 256);
static MIX: Kind = List(
    &Motion(&[required(
        "weight",
        &Either(&[Text, Number(0.0, 1e9, "a number from 0")], "a number from 0, or the name of a parameter"),
    )]),
    1,
    256,
);
const PAIR_WORDS: &str = "an array of two";
const MOTION_WORDS: &str = "an object, or the name of a clip";
pub(super) static MOTION: Kind = Either(&[Text, Motion(&[])], MOTION_WORDS);

pub(super) static CONTROLLER: Kind = Object(&[
    optional("$schema", &Text),
    optional("parameters", &Map(&PARAMETER, 1_000)),
    optional("clips", &Map(&NOTES, 10_000)),
    optional("root", &Text),
    required("layers", &List(&LAYER, 1, 64)),
]);

static PARAMETER: Kind = Either(
    &[Flag, Number(-MOST, MOST, "a number"), Word(&["trigger"], "\"trigger\"")],
    "a number, true or false, or \"trigger\"",
);

pub(super) static NOTES: Kind = Object(&[
    optional("markers", &List(&Object(&[required("name", &Text), required("time", &SECS)]), 0, 1_000)),
    optional("beats", &List(&SECS, 0, 1_000)),
    optional("root", &Word(&ROOTS, "\"keep\", \"pin\", \"extract\" or \"move\"")),
]);

static LAYER: Kind = Object(&[
    optional("name", &Text),
    optional("mode", &LAYER_MODE),
    optional("reference", &REFERENCE),
    optional("weight", &SHARE),
    optional("mask", &Map(&MASK, 10_000)),
    required("start", &Text),
    required("states", &Map(&STATE, 1_000)),
    optional("transitions", &List(&TRANSITION, 0, 10_000)),
]);

/// Options of a layer that the page controls instead of a state machine.
pub(super) static LAYER_OPTIONS: Kind = Object(&[
    optional("mode", &LAYER_MODE),
    optional("reference", &REFERENCE),
    optional("weight", &SHARE),
    optional("mask", &Map(&MASK, 10_000)),
]);

static LAYER_MODE: Kind = Word(&MODES, "\"override\" or \"add\"");

static REFERENCE: Kind = Either(
    &[
        Word(&REFERENCES, "\"first\" or \"rest\""),
        Object(&[required("clip", &CLIP), optional("time", &SECS)]),
    ],
    "\"first\", \"rest\", or an object with clip and time",
);

static MASK: Kind = Either(
    &[
        Number(0.0, 1.0, "a number from 0 to 1"),
        Object(&[required("weight", &SHARE), optional("subtree", &Flag)]),
    ],
    "a number from 0 to 1, or an object with weight and subtree",
);

static STATE: Kind = Either(
    &[
        Null,
        Text,
        Motion(&[
            optional("loop", &LOOP),
            optional("speed", &SPEED),
            optional("ending", &ENDING),
            optional("sync", &Text),
        ]),
    ],
    "null, the name of a clip, or an object",
);

const LOOP_WORDS: &str = "\"repeat\", \"once\", \"pingpong\", or how many times";
static LOOP: Kind =
    Either(&[Word(&LOOPS, LOOP_WORDS), Integer(1.0, u32::MAX as f64, LOOP_WORDS)], LOOP_WORDS);

const ENDING_WORDS: &str = "\"hold\", or an object with release";
static ENDING: Kind =
    Either(&[Word(&["hold"], ENDING_WORDS), Object(&[required("release", &SECS)])], ENDING_WORDS);

static TRANSITION: Kind = Object(&[
    required(
        "from",
        &Either(&[Text, List(&Text, 1, 1_000)], "\"*\", the name of a state, or an array of names"),
    ),
    required("to", &Text),
    optional("when", &Map(&CONDITION, 1_000)),
    optional("exit", &Number(0.0, 1e9, "a number of passes, from 0")),
    optional("fade", &SECS),
    optional("easing", &Word(&EASINGS, "\"linear\", \"smooth\", \"in\" or \"out\"")),
    optional("crossing", &Word(&CROSSINGS, "\"fade\", \"inertia\" or \"dead-blending\"")),
    optional("interrupt", &Word(&INTERRUPTS, "\"none\", \"target\", \"source\" or \"either\"")),
    optional("keepPhase", &Flag),
]);

/// Springs, in a document of their own.
pub(super) static SPRINGS: Kind = Object(&[
    required(
        "springs",
        &List(
            &Object(&[
                optional("nodes", &List(&Text, 1, 1_000)),
                optional("root", &Text),
                optional("stiffness", &SIZE),
                optional("drag", &SHARE),
                optional("gravity", &VECTOR),
                optional("radius", &SIZE),
                optional("colliders", &List(&Text, 0, 1_000)),
                optional("center", &Text),
            ]),
            0,
            1_000,
        ),
    ),
    optional(
        "colliders",
        &Map(
            &Object(&[
                required("node", &Text),
                optional("offset", &VECTOR),
                optional("radius", &SIZE),
                optional("tail", &VECTOR),
                optional("inside", &Flag),
                optional("normal", &VECTOR),
            ]),
            1_000,
        ),
    ),
]);
static SIZE: Kind = Number(0.0, 1e9, "a number from 0 to 1e9");
static VECTOR: Kind = Tuple(&Number(-1e9, 1e9, "a number from -1e9 to 1e9"), 3, "an array of three numbers");

// The reader identifies words by their index in these lists.
pub(super) static ROOTS: [&str; 4] = ["keep", "pin", "extract", "move"];
pub(super) static MODES: [&str; 2] = ["override", "add"];
pub(super) static REFERENCES: [&str; 2] = ["first", "rest"];
pub(super) static LOOPS: [&str; 3] = ["repeat", "once", "pingpong"];
pub(super) static EASINGS: [&str; 4] = ["linear", "smooth", "in", "out"];
pub(super) static CROSSINGS: [&str; 3] = ["fade", "inertia", "dead-blending"];
pub(super) static INTERRUPTS: [&str; 4] = ["none", "target", "source", "either"];
pub(super) static LIMITS: [&str; 4] = ["above", "atLeast", "below", "atMost"];

static CONDITION: Kind = Either(
    &[
        Flag,
        Kind::Some(&[
            optional("above", &NUMBER),
            optional("atLeast", &NUMBER),
            optional("below", &NUMBER),
            optional("atMost", &NUMBER),
        ]),
    ],
    "true or false, or an object with above, atLeast, below or atMost",
);

/// Checks a value against the table, and records the first difference as an error.
pub(super) fn check(value: &Value, kind: &Kind, refusals: &mut Refusals<'_>) {
    let within = |from: f64, to: f64| value.as_f64().is_some_and(|number| (from..=to).contains(&number));
    let (held, expected) = match kind {
        Null => (value.is_null(), "null"),
        Flag => (value.as_bool().is_some(), "true or false"),
        Text => (value.as_str().is_some_and(|text| !text.is_empty()), "text"),
        Number(from, to, words) => (within(*from, *to), *words),
        Integer(from, to, words) => {
            (within(*from, *to) && value.as_f64().is_some_and(|n| n.fract() == 0.0), *words)
        }
        Word(allowed, words) => (value.as_str().is_some_and(|word| allowed.contains(&word)), *words),
        List(kind, least, most) => {
            let values = value.as_array();
            if let Some(values) = values
                && refusals.allows(value, values.len(), *most)
            {
                values.iter().for_each(|value| check(value, kind, refusals));
            }
            let expected = if *least == 0 { "an array" } else { "an array of at least one" };
            (values.is_some_and(|values| values.len() >= *least), expected)
        }
        Tuple(kind, count, words) => {
            let values = value.as_array().filter(|values| values.len() == *count);
            values.into_iter().flatten().for_each(|value| check(value, kind, refusals));
            (values.is_some(), *words)
        }
        Map(kind, most) => {
            let values = value.entries();
            if refusals.allows(value, values.len(), *most) {
                values.iter().for_each(|(_, value)| check(value, kind, refusals));
            }
            (value.as_object().is_some() && value.get("").is_none(), "an object, no name in it empty")
        }
        Object(properties) => (check_object(value, [properties, &[]], refusals).is_some(), "an object"),
        Kind::Some(properties) => {
            let count = check_object(value, [properties, &[]], refusals);
            (count > Some(0), "one of its properties")
        }
        Motion(further) => {
            let is_it =
                |motion: &&&[Property]| motion.first().is_some_and(|first| value.get(first.name).is_some());
            match MOTIONS.iter().find(is_it) {
                Some(motion) => (check_object(value, [motion, further], refusals).is_some(), MOTION_WORDS),
                None => {
                    let found = "none of clip, along, across and mix".into();
                    if value.as_object().is_some() {
                        refusals.refuse(value, "", found, ScriptProblem::PropertyMissing);
                    }
                    (value.as_object().is_some(), MOTION_WORDS)
                }
            }
        }
        Either(kinds, words) => {
            let kind = kinds.iter().find(|kind| kind.has_type_of(value));
            if let Some(kind) = kind {
                check(value, kind, refusals);
            }
            (kind.is_some(), *words)
        }
    };
    if !held {
        refusals.wrong(value, expected);
    }
}

impl Kind {
    fn has_type_of(&self, value: &Value) -> bool {
        match self {
            Null => value.is_null(),
            Flag => value.as_bool().is_some(),
            Text | Word(..) => value.as_str().is_some(),
            Number(..) | Integer(..) => value.as_f64().is_some(),
            List(..) | Tuple(..) => value.as_array().is_some(),
            Map(..) | Object(_) | Kind::Some(_) | Motion(_) => value.as_object().is_some(),
            Either(..) => false,
        }
    }
}

/// Checks the properties of an object and returns their number; `None` if the value isn't an object.
fn check_object(value: &Value, properties: [&[Property]; 2], refusals: &mut Refusals<'_>) -> Option<usize> {
    value.as_object()?;
    let object = value.entries();
    let find = |name: &str| properties.iter().find_map(|group| group.iter().find(|known| known.name == name));
    // Unknown properties first: a misspelt one usually explains a required one that is missing.
    for (name, value) in object {
        if find(name).is_none() {
            let mut found = shortened(name).to_owned();
            let mut between = "; there are ";
            for [own, further] in [[properties[0], &[]], [properties[1], properties[0]]] {
                for property in own {
                    if further.iter().all(|other| other.name != property.name) {
                        found.push_str(between);
                        found.push_str(property.name);
                        between = ", ";
                    }
                }
            }
            refusals.refuse(value, "", found, ScriptProblem::PropertyUnknown);
        }
    }
    for property in properties.iter().copied().flatten() {
        match value.get(property.name) {
            Some(value) => check(value, property.kind, refusals),
            None if property.required => refusals.missing(value, property.name),
            None => {}
        }
    }
    Some(object.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts that every message names the words that are allowed. Motions nest, so the walk has a depth.
    fn check_words(kind: &Kind, depth: usize) -> usize {
        let of = |properties: &[Property]| -> usize {
            properties.iter().map(|property| check_words(property.kind, depth - 1)).sum()
        };
        if depth == 0 {
            return 0;
        }
        match kind {
            Null | Flag | Text | Number(..) | Integer(..) => 0,
            Word(allowed, message) => {
                let names = |word: &&str| message.contains(&format!("\"{word}\""));
                assert!(allowed.iter().all(names), "{message} doesn't name all of {allowed:?}");
                1
            }
            List(inner, ..) | Tuple(inner, ..) | Map(inner, _) => check_words(inner, depth - 1),
            Object(properties) | Kind::Some(properties) | Motion(properties) => of(properties),
            Either(kinds, _) => kinds.iter().map(|kind| check_words(kind, depth - 1)).sum(),
        }
    }

    #[test]
    fn messages_name_every_word_that_is_allowed() {
        assert!(check_words(&CONTROLLER, 12) >= 9);
        check_words(&SPRINGS, 12);
    }
}
