use super::context::{Context, Id};
use super::vertices::{Layout, VertexArray};
use crate::backend::{Mapped, opaque};
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use web_sys::{WebGl2RenderingContext as Gl, WebGlBuffer};
use wgpu::custom::{BufferInterface, BufferMapCallback, DispatchBufferMappedRange};

/// A buffer. Clones share it, so that bind groups keep it.
#[derive(Clone)]
pub(super) struct Buffer {
    inner: Rc<Inner>,
}

struct Inner {
    context: Rc<Context>,
    raw: Option<WebGlBuffer>,
    id: Id,
    target: u32,
    size: u32,
    /// The bytes between mapping and reading.
    mapped: RefCell<Vec<u8>>,
    /// The vertex array that reads the buffer.
    array: RefCell<Option<VertexArray>>,
}

opaque![Buffer];

impl Buffer {
    pub(super) fn new(context: &Rc<Context>, desc: &wgpu::BufferDescriptor<'_>) -> Self {
        let gl = &context.gl;
        let is_read = desc.usage.contains(wgpu::BufferUsages::MAP_READ);
        let target = if is_read {
            Gl::PIXEL_PACK_BUFFER
        } else if desc.usage.contains(wgpu::BufferUsages::INDEX) {
            Gl::ELEMENT_ARRAY_BUFFER
        } else {
            // WebGL2 allows every other use of a buffer that was first bound here.
            Gl::ARRAY_BUFFER
        };
        let raw = gl.create_buffer();
        let inner = Inner {
            context: Rc::clone(context),
            raw,
            id: context.new_id(),
            target,
            size: desc.size as u32,
            mapped: RefCell::default(),
            array: RefCell::default(),
        };
        let buffer = Self { inner: Rc::new(inner) };
        buffer.bind();
        // ANGLE ignores the divisor of instances for buffers with `DYNAMIC_DRAW`.
        gl.buffer_data_with_f64(
            target,
            desc.size as f64,
            if is_read { Gl::STREAM_READ } else { Gl::STATIC_DRAW },
        );
        buffer.unbind();
        buffer
    }

    pub(super) fn id(&self) -> Id {
        self.inner.id
    }

    pub(super) fn raw(&self) -> Option<&WebGlBuffer> {
        self.inner.raw.as_ref()
    }

    pub(super) fn size(&self) -> u32 {
        self.inner.size
    }

    pub(super) fn write(&self, offset: u64, data: &[u8]) {
        self.bind();
        self.inner.context.gl.buffer_sub_data_with_f64_and_u8_array(self.inner.target, offset as f64, data);
        self.unbind();
    }

    /// Binds a vertex array that reads this buffer's vertices, with an index buffer.
    pub(super) fn bind_vertices(&self, layout: &Rc<Layout>, indices: Option<&Self>) {
        let mut held = self.inner.array.borrow_mut();
        if let Some(array) = held.as_ref().filter(|array| !array.has_layout(layout)) {
            array.delete(&self.inner.context.gl);
            *held = None;
        }
        let array = held.get_or_insert_with(|| VertexArray::new(&self.inner.context, self, layout));
        array.bind(&self.inner.context, indices);
    }

    pub(super) fn bind(&self) {
        let Inner { context, target, .. } = &*self.inner;
        if *target == Gl::ELEMENT_ARRAY_BUFFER {
            // This binding belongs to the vertex array.
            context.bind_vertex_array(0, None);
        }
        context.gl.bind_buffer(*target, self.raw());
    }

    /// Ends the binding of a buffer for reading: reads of pixels would go to it.
    pub(super) fn unbind(&self) {
        if self.inner.target == Gl::PIXEL_PACK_BUFFER {
            self.inner.context.gl.bind_buffer(Gl::PIXEL_PACK_BUFFER, None);
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(array) = self.array.get_mut() {
            array.delete(&self.context.gl);
        }
        self.context.gl.delete_buffer(self.raw.as_ref());
    }
}

impl BufferInterface for Buffer {
    /// Waits for the buffer's bytes and copies them. A page can't wait for a fence, and a picture that was read back
    /// is wanted at once.
    fn map_async(&self, _: wgpu::MapMode, range: Range<u64>, callback: BufferMapCallback) {
        let Inner { context, target, mapped, .. } = &*self.inner;
        let mut bytes = vec![0; (range.end - range.start) as usize];
        self.bind();
        context.gl.get_buffer_sub_data_with_f64_and_u8_array(*target, range.start as f64, &mut bytes);
        self.unbind();
        mapped.replace(bytes);
        // The bytes of a lost context are zeros.
        callback(if context.gl.is_context_lost() { Err(wgpu::BufferAsyncError) } else { Ok(()) });
    }

    /// Returns the bytes of the range that was mapped, which must be asked for once and in full.
    fn get_mapped_range(&self, _: Range<u64>) -> Result<DispatchBufferMappedRange, wgpu::MapRangeError> {
        Ok(DispatchBufferMappedRange::custom(Mapped { bytes: self.inner.mapped.take() }))
    }

    fn unmap(&self) {}

    /// Does nothing: a buffer is freed when it is dropped.
    fn destroy(&self) {}
}
