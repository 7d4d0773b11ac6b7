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

/// Errors are made by the page's side, which has a class for them: `make(code, message, place)`.
#[wasm_bindgen(js_name = onError)]
pub fn on_error(make: Function) {
    MAKE.set(Some(make));
}

// Never in line: the door has a hundred calls that may fail.

#[cfg(feature = "web")]
impl From<PlayerError> for JsValue {
    #[inline(never)]
    fn from(error: PlayerError) -> Self {
        thrown(error.code(), error.place(), &error)
    }
}

impl From<ImportError> for JsValue {
    #[inline(never)]
    fn from(error: ImportError) -> Self {
        thrown(error.code(), error.place(), &error)
    }
}

#[cfg(feature = "formats")]
impl From<PictureError> for JsValue {
    #[inline(never)]
    fn from(error: PictureError) -> Self {
        thrown(error.code(), error.place(), &error)
    }
}

#[cfg(feature = "web")]
impl From<RenderError> for JsValue {
    #[inline(never)]
    fn from(error: RenderError) -> Self {
        thrown(error.code(), "", &error)
    }
}

/// What a failing call throws.
fn thrown(code: &str, place: &str, error: &dyn Display) -> JsValue {
    let message = JsValue::from(error.to_string());
    let make = MAKE.with_borrow(|make| make.clone());
    // Should making the error fail, that is thrown.
    make.map_or(message.clone(), |make| {
        make.call3(&JsValue::UNDEFINED, &code.into(), &message, &place.into())
            .unwrap_or_else(|failure| failure)
    })
}
