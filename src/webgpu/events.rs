use super::calls::{self, Handle};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wgpu::custom::{BoxDeviceLostCallback, BoxSubmittedWorkDoneCallback};

/// Callbacks of a device and its queue. One function of JavaScript calls them all, so that steady play makes none.
#[derive(Default)]
pub(super) struct Events {
    pub(super) lost: RefCell<Option<BoxDeviceLostCallback>>,
    pub(super) error: RefCell<Option<Arc<dyn wgpu::UncapturedErrorHandler>>>,
    /// Callbacks for work that was submitted, in its order.
    done: RefCell<VecDeque<BoxSubmittedWorkDoneCallback>>,
    tell: RefCell<JsValue>,
}

impl Events {
    /// Creates the callbacks of a device, which keeps them.
    pub(super) fn of(device: &Handle) -> Rc<Self> {
        let events = Rc::new(Self::default());
        let told = Rc::clone(&events);
        let tell = function(move |event| told.handle(&event));
        calls::watch_device(device, &tell);
        events.tell.replace(tell);
        events
    }

    /// Adds a callback for when the submitted work is done.
    pub(super) fn when_done(&self, queue: &Handle, callback: BoxSubmittedWorkDoneCallback) {
        self.done.borrow_mut().push_back(callback);
        calls::when_done(queue, &self.tell.borrow());
    }

    /// Handles nothing for work that is done, the text of an error, or an object for the loss of the device.
    fn handle(&self, event: &JsValue) {
        if event.is_undefined() {
            let done = self.done.borrow_mut().pop_front();
            if let Some(callback) = done {
                callback();
            }
        } else if let Some(text) = event.as_string() {
            if let Some(handler) = &*self.error.borrow() {
                handler(error(text));
            }
        } else if let Some(callback) = self.lost.take() {
            callback(wgpu::DeviceLostReason::Unknown, String::new());
        }
    }
}

/// Returns a function that the garbage collector frees.
pub(super) fn function(handle: impl FnMut(JsValue) + 'static) -> JsValue {
    let handle: Box<dyn FnMut(JsValue)> = Box::new(handle);
    Closure::wrap(handle).into_js_value().unchecked_into()
}

/// Returns an error with the browser's text.
pub(super) fn error(description: String) -> wgpu::Error {
    // Only the description is printed.
    wgpu::Error::Validation { source: Box::new(std::fmt::Error), description }
}
