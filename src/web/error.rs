use crate::import::ImportError;
#[cfg(feature = "formats")]
use crate::picture::PictureError;
#[cfg(feature = "web")]
use crate::player::PlayerError;
#[cfg(feature = "web")]
use crate::render::RenderError;
use js_sys::Function;
use std::cell::RefCell;
use std::fmt::Display;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static MAKE: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Sets the function that constructs thrown error objects, whose class is in TypeScript. It is called with the code,
/// the message and the place.
#[wasm_bindgen(js_name = onError)]
pub fn on_error(make: Function) {
    MAKE.set(Some(make));
}

// Not inlined, to save size: some hundred exported functions can fail.

#[cfg(feature = "web")]
impl From<PlayerError> for JsValue {
    #[inline(never)]
    fn from(error: PlayerError) -> Self {
        js_error(error.code(), error.place(), &error)
    }
}

impl From<ImportError> for JsValue {
    #[inline(never)]
    fn from(error: ImportError) -> Self {
        js_error(error.code(), error.place(), &error)
    }
}

#[cfg(feature = "formats")]
impl From<PictureError> for JsValue {
    #[inline(never)]
    fn from(error: PictureError) -> Self {
        js_error(error.code(), error.place(), &error)
    }
}

#[cfg(feature = "web")]
impl From<RenderError> for JsValue {
    #[inline(never)]
    fn from(error: RenderError) -> Self {
        js_error(error.code(), "", &error)
    }
}

/// Returns the value that a failing call throws: the error object, or the message if [`on_error`] wasn't called.
fn js_error(code: &str, place: &str, error: &dyn Display) -> JsValue {
    let message = JsValue::from(error.to_string());
    let make = MAKE.with_borrow(|make| make.clone());
    // If the constructor throws, its exception is thrown instead.
    make.map_or(message.clone(), |make| {
        make.call3(&JsValue::UNDEFINED, &code.into(), &message, &place.into())
            .unwrap_or_else(|failure| failure)
    })
}
