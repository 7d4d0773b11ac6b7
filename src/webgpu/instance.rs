use super::calls::Handle;
use super::surface::Surface;
use crate::backend::{opaque, unused, unused_in_instance};
use wgpu::custom::{DispatchSurface, InstanceInterface};

/// An instance for one surface.
pub(super) struct Instance {
    context: Handle,
}

opaque![Instance];

impl Instance {
    pub(super) fn new(context: Handle) -> Self {
        Self { context }
    }
}

impl InstanceInterface for Instance {
    fn new(_: wgpu::InstanceDescriptor) -> Self {
        unused()
    }

    /// Creates the surface of the instance's canvas, whatever the target.
    unsafe fn create_surface(
        &self,
        _: wgpu::SurfaceTargetUnsafe,
    ) -> Result<DispatchSurface, wgpu::CreateSurfaceError> {
        Ok(DispatchSurface::custom(Surface::new(self.context.clone())))
    }

    unused_in_instance!();
}
