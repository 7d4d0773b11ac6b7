use js_sys::Function;
use std::cell::RefCell;
use std::panic::PanicHookInfo;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static LISTENER: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Sets the function to call on a panic. The page doesn't call the instance afterwards, since its memory may be
/// inconsistent.
#[wasm_bindgen(js_name = onPanic)]
pub fn on_panic(listener: Function) {
    LISTENER.set(Some(listener));
    std::panic::set_hook(Box::new(report));
}

/// Logs the panic and calls the listener, before the instance traps.
fn report(info: &PanicHookInfo<'_>) {
    console_error_panic_hook::hook(info);
    let listener = LISTENER.take();
    if let Some(listener) = listener {
        // An exception of the listener is ignored: the instance can't be used any more.
        listener.call1(&JsValue::UNDEFINED, &info.to_string().into()).unwrap_or_default();
    }
}
