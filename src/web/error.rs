use crate::import::ImportError;
use crate::player::PlayerError;
use crate::render::RenderError;
use js_sys::{Object, Reflect};
use wasm_bindgen::JsValue;

/// What crosses to JavaScript, where `errors.ts` makes a `GambolError` of it.
#[derive(Debug)]
pub(super) struct Thrown {
    code: &'static str,
    place: String,
    message: String,
}

impl From<PlayerError> for Thrown {
    fn from(error: PlayerError) -> Self {
        Self { code: error.code(), place: error.place().to_owned(), message: error.to_string() }
    }
}

impl From<ImportError> for Thrown {
    fn from(error: ImportError) -> Self {
        Self { code: error.code(), place: error.place().to_owned(), message: error.to_string() }
    }
}

impl From<RenderError> for Thrown {
    fn from(error: RenderError) -> Self {
        Self { code: error.code(), place: String::new(), message: error.to_string() }
    }
}

impl From<Thrown> for JsValue {
    fn from(thrown: Thrown) -> Self {
        let object = Object::new();
        for (key, value) in [("code", thrown.code), ("place", &thrown.place), ("message", &thrown.message)] {
            // Setting a property of a fresh plain object can't fail.
            Reflect::set(&object, &key.into(), &value.into()).unwrap_or_default();
        }
        object.into()
    }
}
