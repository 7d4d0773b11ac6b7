//! The JSON schema of controllers, `www/controller.schema.json`, accepts and refuses the same documents as the Rust
//! reader, and lists the same properties.

use crate::support::stand_in;
use gambol::animation::Rig;
use gambol::playback::{Script, ScriptError};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Messages of errors that a schema can't detect, since they depend on the model or on the rest of the document.
const BEYOND_A_SCHEMA: [&str; 11] = [
    "a part of the clip that ends",
    "a time within the clip",
    "a time after the previous one",
    "a place that no other motion has",
    "a parameter that is a number or true or false",
    "\"mode\": \"add\" beside it",
    "a name that no earlier layer has",
    "\"base\" for the first layer",
    "a name other than \"*\"",
    "expected an object with above, atLeast, below or atMost",
    "expected true",
];

struct Schema(Value);

impl Schema {
    fn load() -> Self {
        Self(stand_in::json("www/controller.schema.json"))
    }

    fn takes(&self, document: &Value) -> bool {
        self.judges(&self.0, document)
    }

    /// Validates a value. Implements only the JSON Schema keywords that the file uses; any other keyword fails the
    /// test.
    fn judges(&self, schema: &Value, value: &Value) -> bool {
        let number = |limit: &Value| limit.as_f64().unwrap();
        let length = |limit: &Value| usize::try_from(limit.as_u64().unwrap()).unwrap();
        let properties = schema.get("properties");
        schema.as_object().unwrap().iter().all(|(keyword, rule)| match (keyword.as_str(), value) {
            ("$schema" | "title" | "description" | "default" | "$defs", _) => true,
            ("$ref", _) => self.judges(self.definition(rule), value),
            ("anyOf", _) => rule.as_array().unwrap().iter().any(|schema| self.judges(schema, value)),
            ("type", _) => has_type(rule.as_str().unwrap(), value),
            ("enum", _) => rule.as_array().unwrap().contains(value),
            ("minimum", Value::Number(found)) => found.as_f64().unwrap() >= number(rule),
            ("maximum", Value::Number(found)) => found.as_f64().unwrap() <= number(rule),
            ("minLength", Value::String(text)) => text.chars().count() >= length(rule),
            ("minItems", Value::Array(items)) => items.len() >= length(rule),
            ("maxItems", Value::Array(items)) => items.len() <= length(rule),
            ("items", Value::Array(items)) => items.iter().all(|item| self.judges(rule, item)),
            ("minProperties", Value::Object(found)) => found.len() >= length(rule),
            ("maxProperties", Value::Object(found)) => found.len() <= length(rule),
            ("propertyNames", Value::Object(found)) => {
                found.keys().all(|name| self.judges(rule, &json!(name)))
            }
            ("required", Value::Object(found)) => {
                rule.as_array().unwrap().iter().all(|name| found.contains_key(name.as_str().unwrap()))
            }
            ("properties", Value::Object(found)) => {
                let known = rule.as_object().unwrap().iter();
                known
                    .into_iter()
                    .all(|(name, rule)| found.get(name).is_none_or(|value| self.judges(rule, value)))
            }
            ("additionalProperties", Value::Object(found)) => found
                .iter()
                .filter(|(name, _)| properties.is_none_or(|known| known.get(name).is_none()))
                .all(|(_, value)| *rule != json!(false) && self.judges(rule, value)),
            (
                "minimum"
                | "maximum"
                | "minLength"
                | "minItems"
                | "maxItems"
                | "items"
                | "minProperties"
                | "maxProperties"
                | "propertyNames"
                | "required"
                | "properties"
                | "additionalProperties",
                _,
            ) => true,
            (other, _) => panic!("{other} is a keyword that this test doesn't know"),
        })
    }

    fn definition(&self, reference: &Value) -> &Value {
        let pointer = reference.as_str().unwrap().strip_prefix('#').unwrap();
        self.0.pointer(pointer).unwrap_or_else(|| panic!("{pointer} points at nothing"))
    }
}

fn has_type(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other} is no type"),
    }
}

fn read(document: &Value, rig: &Rig) -> Result<Script, ScriptError> {
    Script::from_json(document.to_string().as_bytes(), rig)
}

/// Asserts that the reader and the schema agree on a document.
#[track_caller]
fn assert_same(schema: &Schema, document: &Value, rig: &Rig, what: &str) {
    let taken = schema.takes(document);
    let Err(error) = read(document, rig) else {
        assert!(taken, "{what}: read, but refused by the schema");
        return;
    };
    let of_shape = match error.code() {
        // The first layer needs no name, which the schema can't express.
        "CONTROLLER_PROPERTY_MISSING" => {
            !(error.place().starts_with("/layers/") && error.place().ends_with("/name"))
        }
        "CONTROLLER_PROPERTY_UNKNOWN" => true,
        "CONTROLLER_VALUE_WRONG" => {
            let words = error.to_string();
            !BEYOND_A_SCHEMA.iter().any(|beyond| words.contains(beyond))
        }
        "CONTROLLER_TOO_LARGE" => !error.place().contains("/mix/"),
        _ => false,
    };
    // The message is the same for a trigger, which takes `true` alone, and for a boolean.
    let unclear = error.to_string().contains("expected true or false");
    assert!(
        unclear || taken != of_shape,
        "{what}: the schema {}, but {error}",
        if taken { "takes it" } else { "doesn't" }
    );
}

#[test]
fn schema_and_reader_judge_every_fixture_alike() {
    let (schema, rig) = (Schema::load(), stand_in::rig());
    for name in ["everything", "smallest"] {
        let document = stand_in::json(&format!("tests/fixtures/controllers/valid.{name}.json"));
        assert!(schema.takes(&document) && read(&document, &rig).is_ok(), "{name}");
    }
    for (code, case, _, text) in stand_in::refused() {
        if let Ok(document) = serde_json::from_str(&text) {
            assert_same(&schema, &document, &rig, &format!("{code}: {case}"));
        }
    }
}

#[test]
fn schema_and_reader_judge_every_change_of_the_valid_file_alike() {
    let (schema, rig) = (Schema::load(), stand_in::rig());
    let whole = stand_in::json("tests/fixtures/controllers/valid.everything.json");
    let others =
        json!([null, true, 0, 1, -1, 0.5, 1e12, 1e31, "", "zzz", [], [0], ["x", "y", "z"], {}, { "zzz": 1 }]);
    let places: Vec<String> = places(&whole).into_iter().filter(|place| !place.is_empty()).collect();
    assert!(places.len() > 200);
    for place in &places {
        for other in others.as_array().unwrap() {
            let mut changed = whole.clone();
            *changed.pointer_mut(place).unwrap() = other.clone();
            assert_same(&schema, &changed, &rig, &format!("{place} = {other}"));
        }
        let (parent, name) = place.rsplit_once('/').unwrap();
        let mut changed = whole.clone();
        match changed.pointer_mut(parent).unwrap() {
            Value::Object(object) => drop(object.remove(&name.replace("~1", "/"))),
            Value::Array(array) => drop(array.remove(name.parse().unwrap())),
            _ => unreachable!("only these hold something"),
        }
        assert_same(&schema, &changed, &rig, &format!("{place} removed"));
    }
}

#[test]
fn schema_and_reader_know_the_same_properties() {
    let rig = stand_in::rig();
    let whole = stand_in::json("tests/fixtures/controllers/valid.everything.json");
    let mut known_by_reader = BTreeSet::new();
    for place in places(&whole) {
        let mut changed = whole.clone();
        let Some(object) = changed.pointer_mut(&place).unwrap().as_object_mut() else { continue };
        object.insert("zzz".into(), json!(1));
        let error = read(&changed, &rig).err().map(|error| error.to_string()).unwrap_or_default();
        if let Some((_, list)) = error.split_once("zzz; there are ")
            && error.starts_with("there is no such property")
        {
            let list = list.split(", at ").next().unwrap();
            known_by_reader.extend(list.split(", ").map(str::to_owned));
        }
    }
    let mut known_by_schema = BTreeSet::new();
    collect_properties(&Schema::load().0, &mut known_by_schema);
    assert_eq!(known_by_reader, known_by_schema);
}

fn collect_properties(schema: &Value, found: &mut BTreeSet<String>) {
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        found.extend(properties.keys().cloned());
    }
    let objects = schema.as_object().into_iter().flat_map(Map::values);
    objects.chain(schema.as_array().into_iter().flatten()).for_each(|part| collect_properties(part, found));
}

/// Returns JSON pointers to every value of a document; the root's, which is empty, comes last.
fn places(value: &Value) -> Vec<String> {
    let fields =
        value.as_object().into_iter().flatten().map(|(name, value)| (name.replace('/', "~1"), value));
    let elements = value.as_array().into_iter().flatten().enumerate();
    let parts = fields.chain(elements.map(|(index, value)| (index.to_string(), value)));
    let found = parts.flat_map(|(name, value)| {
        let below = places(value).into_iter().map(move |place| format!("/{name}{place}"));
        below.collect::<Vec<_>>()
    });
    let mut found: Vec<String> = found.collect();
    found.push(String::new());
    found
}
