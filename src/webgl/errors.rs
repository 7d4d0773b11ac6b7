//! Errors of the device: those that its callback gets, and those that an error scope keeps.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;
use web_sys::WebGl2RenderingContext as Gl;

type Handler = Arc<dyn wgpu::UncapturedErrorHandler>;

#[derive(Default)]
pub(super) struct Errors {
    handler: RefCell<Option<Handler>>,
    /// The open error scopes: what each keeps, and the first error that it kept.
    scopes: RefCell<Vec<(wgpu::ErrorFilter, Option<wgpu::Error>)>>,
}

impl Errors {
    pub(super) fn set_handler(&self, handler: Handler) {
        self.handler.replace(Some(handler));
    }

    pub(super) fn push_scope(&self, gl: &Gl, filter: wgpu::ErrorFilter) -> u32 {
        // What happened before belongs to no scope, or to an outer one.
        self.collect(gl);
        let mut scopes = self.scopes.borrow_mut();
        scopes.push((filter, None));
        scopes.len() as u32 - 1
    }

    pub(super) fn pop_scope(&self, gl: &Gl, index: u32) -> Option<wgpu::Error> {
        self.collect(gl);
        let mut scopes = self.scopes.borrow_mut();
        scopes.truncate(index as usize + 1);
        scopes.pop().and_then(|(_, error)| error)
    }

    /// Reports the errors that the context has recorded. Waits for the GPU process.
    pub(super) fn collect(&self, gl: &Gl) {
        // A browser keeps one flag for each kind of error. A lost context reports its loss once.
        for _ in 0..8 {
            match gl.get_error() {
                Gl::NO_ERROR | Gl::CONTEXT_LOST_WEBGL => return,
                Gl::OUT_OF_MEMORY => {
                    self.report(wgpu::Error::OutOfMemory {
                        source: Box::new(Refusal("out of memory".into())),
                    });
                }
                code => self.report_invalid(format!("WebGL error {code}")),
            }
        }
    }

    pub(super) fn report_invalid(&self, description: String) {
        let source = Box::new(Refusal(description.clone()));
        self.report(wgpu::Error::Validation { source, description });
    }

    fn report(&self, error: wgpu::Error) {
        let wanted = match error {
            wgpu::Error::OutOfMemory { .. } => wgpu::ErrorFilter::OutOfMemory,
            wgpu::Error::Validation { .. } => wgpu::ErrorFilter::Validation,
            wgpu::Error::Internal { .. } => wgpu::ErrorFilter::Internal,
        };
        let mut scopes = self.scopes.borrow_mut();
        if let Some((_, kept)) = scopes.iter_mut().rev().find(|(filter, _)| *filter == wanted) {
            kept.get_or_insert(error);
            return;
        }
        drop(scopes);
        if let Some(handler) = &*self.handler.borrow() {
            handler(error);
        }
    }
}

/// What the browser or the driver said.
#[derive(Debug)]
struct Refusal(String);

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}
