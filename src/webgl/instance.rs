use super::context::Context;
use super::surface::Surface;
use crate::backend::{opaque, unused, unused_in_instance};
use std::rc::Rc;
use wgpu::custom::{DispatchSurface, InstanceInterface};

pub(super) struct Instance {
    context: Rc<Context>,
}

opaque![Instance];

impl Instance {
    pub(super) fn new(context: Rc<Context>) -> Self {
        Self { context }
    }
}

impl InstanceInterface for Instance {
    fn new(_: wgpu::InstanceDescriptor) -> Self {
        unused()
    }

    /// Creates a surface on the instance's canvas, whatever the target.
    unsafe fn create_surface(
        &self,
        _: wgpu::SurfaceTargetUnsafe,
    ) -> Result<DispatchSurface, wgpu::CreateSurfaceError> {
        Ok(DispatchSurface::custom(Surface::new(&self.context)))
    }

    unused_in_instance!();
}
