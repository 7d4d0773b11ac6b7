use js_sys::Promise;
use std::pin::Pin;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::future_to_promise;

/// Returns a promise of what the future results in. The future is boxed, so that the wasm has the code that runs one
/// only once.
pub(super) fn promise(future: impl Future<Output = Result<JsValue, JsValue>> + 'static) -> Promise {
    let future: Pin<Box<dyn Future<Output = Result<JsValue, JsValue>>>> = Box::pin(future);
    future_to_promise(future)
}
