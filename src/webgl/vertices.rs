//! Layouts of vertices, and the vertex arrays that read buffers with them.

use super::buffer::Buffer;
use super::context::{Context, Id};
use crate::backend::unused;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use web_sys::{WebGl2RenderingContext as Gl, WebGlVertexArrayObject};
use wgpu::VertexFormat as Format;

/// The layout of the vertices in a buffer.
#[derive(PartialEq)]
pub(super) struct Layout {
    stride: u32,
    per_instance: bool,
    attributes: Vec<wgpu::VertexAttribute>,
}

/// The layouts that pipelines use, each once.
#[derive(Default)]
pub(super) struct Layouts {
    made: RefCell<Vec<Rc<Layout>>>,
}

impl Layouts {
    pub(super) fn get(&self, wanted: &wgpu::VertexBufferLayout<'_>) -> Rc<Layout> {
        let layout = Layout {
            stride: wanted.array_stride as u32,
            per_instance: wanted.step_mode == wgpu::VertexStepMode::Instance,
            attributes: wanted.attributes.to_vec(),
        };
        let mut made = self.made.borrow_mut();
        if let Some(found) = made.iter().find(|known| ***known == layout) {
            return Rc::clone(found);
        }
        let layout = Rc::new(layout);
        made.push(Rc::clone(&layout));
        layout
    }
}

/// A vertex array: a buffer's vertices, and the indices that were bound last.
pub(super) struct VertexArray {
    raw: Option<WebGlVertexArrayObject>,
    id: Id,
    layout: Rc<Layout>,
    indices: Cell<Id>,
}

impl VertexArray {
    pub(super) fn new(context: &Context, buffer: &Buffer, layout: &Rc<Layout>) -> Self {
        let gl = &context.gl;
        let (raw, id) = (gl.create_vertex_array(), context.new_id());
        context.bind_vertex_array(id, raw.as_ref());
        gl.bind_buffer(Gl::ARRAY_BUFFER, buffer.raw());
        for attribute in &layout.attributes {
            let (at, stride, offset) =
                (attribute.shader_location, layout.stride as i32, attribute.offset as i32);
            let (count, ty, normalized) = components(attribute.format);
            gl.enable_vertex_attrib_array(at);
            // WebGL refuses to draw when a shader's integers come through `vertexAttribPointer`.
            if attribute.format == Format::Uint16x4 {
                gl.vertex_attrib_i_pointer_with_i32(at, count, ty, stride, offset);
            } else {
                gl.vertex_attrib_pointer_with_i32(at, count, ty, normalized, stride, offset);
            }
            if layout.per_instance {
                gl.vertex_attrib_divisor(at, 1);
            }
        }
        Self { raw, id, layout: Rc::clone(layout), indices: Cell::new(0) }
    }

    pub(super) fn has_layout(&self, layout: &Rc<Layout>) -> bool {
        Rc::ptr_eq(&self.layout, layout)
    }

    pub(super) fn bind(&self, context: &Context, indices: Option<&Buffer>) {
        context.bind_vertex_array(self.id, self.raw.as_ref());
        if let Some(indices) = indices
            && self.indices.replace(indices.id()) != indices.id()
        {
            context.gl.bind_buffer(Gl::ELEMENT_ARRAY_BUFFER, indices.raw());
        }
    }

    pub(super) fn delete(&self, gl: &Gl) {
        gl.delete_vertex_array(self.raw.as_ref());
    }
}

/// Returns the number of components of a format, their type, and whether they are normalised.
fn components(format: Format) -> (i32, u32, bool) {
    match format {
        Format::Float32x2 => (2, Gl::FLOAT, false),
        Format::Float32x3 => (3, Gl::FLOAT, false),
        Format::Float32x4 => (4, Gl::FLOAT, false),
        Format::Snorm16x4 => (4, Gl::SHORT, true),
        Format::Unorm16x4 => (4, Gl::UNSIGNED_SHORT, true),
        Format::Uint16x4 => (4, Gl::UNSIGNED_SHORT, false),
        _ => unused(),
    }
}
