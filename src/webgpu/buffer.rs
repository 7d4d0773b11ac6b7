use super::calls::{self, Handle};
use super::events::function;
use crate::backend::{Mapped, opaque, unused};
use std::ops::Range;
use wgpu::custom::{BufferInterface, BufferMapCallback, DispatchBufferMappedRange};

pub(super) struct Buffer {
    pub(super) handle: Handle,
}

opaque![Buffer];

impl BufferInterface for Buffer {
    /// Maps the whole buffer for reading, which is all that `render` does.
    fn map_async(&self, _: wgpu::MapMode, _: Range<u64>, callback: BufferMapCallback) {
        let mut callback = Some(callback);
        let tell = function(move |is_mapped| {
            if let Some(callback) = callback.take() {
                callback(if is_mapped.is_truthy() { Ok(()) } else { Err(wgpu::BufferAsyncError) });
            }
        });
        calls::map_buffer(&self.handle, &tell);
    }

    fn get_mapped_range(&self, _: Range<u64>) -> Result<DispatchBufferMappedRange, wgpu::MapRangeError> {
        let bytes = calls::mapped_bytes(&self.handle).to_vec();
        Ok(DispatchBufferMappedRange::custom(Mapped { bytes }))
    }

    fn unmap(&self) {
        unused()
    }

    fn destroy(&self) {
        self.handle.destroy();
    }
}
