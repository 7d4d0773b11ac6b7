use crate::import::ImportError;
use crate::player::PlayerError;
use crate::render::RenderError;
use js_sys::Function;
use std::cell::RefCell;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static MAKE: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Errors are made by the page's side, which has a class for them: `make(code, message, place)`.
#[wasm_bindgen(js_name = onError)]
pub fn on_error(make: Function) {
    MAKE.set(Some(make));
}

/// What a failing call throws.
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
        let [code, message, place] = [thrown.code, &thrown.message, &thrown.place].map(JsValue::from);
        let make = MAKE.with_borrow(|make| make.clone());
        // Should making the error fail, that is thrown.
        make.map_or(message.clone(), |make| {
            make.call3(&JsValue::UNDEFINED, &code, &message, &place).unwrap_or_else(|failure| failure)
        })
    }
}
