use js_sys::Function;
use std::cell::RefCell;
use std::panic::PanicHookInfo;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static LISTENER: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Tells the page when this instance's memory can no longer be trusted. The page asks nothing of it afterwards.
#[wasm_bindgen(js_name = onPanic)]
pub fn on_panic(listener: Function) {
    LISTENER.set(Some(listener));
    std::panic::set_hook(Box::new(report));
}

/// Logs, and tells the listener; then the instance traps.
fn report(info: &PanicHookInfo<'_>) {
    console_error_panic_hook::hook(info);
    let listener = LISTENER.take();
    if let Some(listener) = listener {
        // Whatever the listener throws, this instance is at its end already.
        listener.call1(&JsValue::UNDEFINED, &info.to_string().into()).unwrap_or_default();
    }
}
