use super::bindings::BindGroup;
use super::buffer::Buffer;
use super::context::Context;
use super::formats::Transfer;
use super::pipeline::Pipeline;
use super::program::Linked;
use super::shader::Place;
use super::texture::View;
use crate::backend::{opaque, ours, unused_in_pass};
use std::ops::Range;
use std::rc::Rc;
use web_sys::WebGl2RenderingContext as Gl;
use wgpu::custom::{DispatchBindGroup, DispatchBuffer, DispatchRenderPipeline, RenderPassInterface};
use wgpu::{LoadOp, StoreOp};

/// Most groups of a pipeline.
const GROUPS: usize = 4;

/// A render pass. Its commands run as they are recorded; dropping it resolves the samples.
pub(super) struct RenderPass {
    context: Rc<Context>,
    color: Option<View>,
    depth: Option<View>,
    resolve: Option<View>,
    /// Neither colours nor depths are needed after the pass.
    is_discarded: bool,
    pipeline: Option<Pipeline>,
    groups: [Option<(BindGroup, u32)>; GROUPS],
    vertices: Option<Buffer>,
    /// Buffer, offset in bytes, and whether indices have 32 bits.
    indices: Option<(Buffer, u32, bool)>,
}

opaque![RenderPass];

impl RenderPass {
    pub(super) fn begin(context: &Rc<Context>, desc: &wgpu::RenderPassDescriptor<'_>) -> Self {
        let view = |view: &wgpu::TextureView| ours(view.as_custom::<View>()).clone();
        let color = desc.color_attachments.first().and_then(Option::as_ref);
        let depth = desc.depth_stencil_attachment.as_ref();
        let mut pass = Self {
            context: Rc::clone(context),
            color: color.map(|color| view(color.view)),
            depth: depth.map(|depth| view(depth.view)),
            resolve: color.and_then(|color| color.resolve_target).map(view),
            is_discarded: false,
            pipeline: None,
            groups: [const { None }; GROUPS],
            vertices: None,
            indices: None,
        };
        context.framebuffers.bind_draw(context, pass.color.as_ref(), pass.depth.as_ref());
        if let Some(view) = pass.color.as_ref().or(pass.depth.as_ref()) {
            let (width, height) = view.size();
            context.set_viewport(width, height);
        }
        // Both are cleared by one call.
        let mut cleared = 0;
        if let Some(color) = color
            && let LoadOp::Clear(value) = color.ops.load
        {
            cleared |= pass.choose_clear_color(value);
        }
        if let Some(ops) = depth.and_then(|depth| depth.depth_ops) {
            if let LoadOp::Clear(value) = ops.load {
                context.write_depths();
                context.set_clear_depth(value);
                cleared |= Gl::DEPTH_BUFFER_BIT;
            }
            pass.is_discarded = ops.store == StoreOp::Discard
                && color.is_some_and(|color| color.ops.store == StoreOp::Discard);
        }
        if cleared != 0 {
            context.gl.clear(cleared);
        }
        pass
    }

    /// Sets the colour that the target is cleared to. Returns the bit of the buffer, or 0 if it is cleared already.
    fn choose_clear_color(&self, value: wgpu::Color) -> u32 {
        let numbers = [value.r, value.g, value.b, value.a];
        let context = &*self.context;
        if let Some(Transfer::Pixels(Gl::RGBA_INTEGER, _)) =
            self.color.as_ref().map(|view| view.texture().transfer())
        {
            let numbers = numbers.map(|number| number as u32);
            context.gl.clear_bufferuiv_with_u32_array(Gl::COLOR, 0, &numbers);
            return 0;
        }
        // Mesa's i915 doesn't encode a clear of an sRGB texture. `render` clears those, which are levels of images,
        // with 0, which has no other code. Its pictures aren't sRGB: shaders encode them.
        context.set_clear_color(numbers.map(|number| number as f32));
        Gl::COLOR_BUFFER_BIT
    }

    /// Sets the state for a draw call. Returns WebGL's number of the kind of primitive, or `None` without a pipeline.
    fn prepare(&self, first_instance: u32, with_indices: bool) -> Option<u32> {
        let pipeline = self.pipeline.as_ref()?;
        let context = &*self.context;
        context.set_fixed(pipeline.fixed());
        let linked = pipeline.program().use_by(context);
        linked.set_first_instance(&context.gl, first_instance);
        match (pipeline.layout(), &self.vertices) {
            (Some(layout), Some(vertices)) => {
                let indices = self.indices.as_ref().filter(|_| with_indices);
                vertices.bind_vertices(layout, indices.map(|(buffer, ..)| buffer));
            }
            _ => context.bind_vertex_array(0, None),
        }
        self.bind_resources(linked);
        Some(pipeline.mode())
    }

    fn bind_resources(&self, linked: &Linked) {
        let context = &*self.context;
        let group = |place: Place| self.groups[place.0].as_ref();
        for (slot, place) in linked.blocks.iter().enumerate() {
            if let Some((bound, dynamic)) = group(*place)
                && let Some((buffer, offset, size)) = bound.buffer()
            {
                context.bind_block(slot, buffer.id(), buffer.raw(), offset + dynamic, *size);
            }
        }
        for (unit, (texture, sampler)) in linked.textures.iter().enumerate() {
            if let Some(view) = group(*texture).and_then(|(bound, _)| bound.view(texture.1)) {
                view.bind(unit);
            }
            let sampler = sampler.and_then(|place| group(place)?.0.sampler(place.1));
            match sampler {
                Some(sampler) => sampler.bind(unit),
                None => context.bind_sampler(unit, 0, None),
            }
        }
    }
}

impl Drop for RenderPass {
    fn drop(&mut self) {
        let context = &*self.context;
        let gl = &context.gl;
        let (color, depth) = (self.color.as_ref(), self.depth.as_ref());
        let mut bound = Gl::DRAW_FRAMEBUFFER;
        if let Some(resolve) = &self.resolve {
            bound = Gl::READ_FRAMEBUFFER;
            context.framebuffers.bind_read(context, color, depth);
            context.framebuffers.bind_draw(context, Some(resolve), None);
            let (width, height) = resolve.size();
            let (width, height) = (width as i32, height as i32);
            gl.blit_framebuffer(0, 0, width, height, 0, 0, width, height, Gl::COLOR_BUFFER_BIT, Gl::NEAREST);
        }
        if self.is_discarded {
            context.framebuffers.invalidate(gl, bound);
        }
        // Levels are drawn once.
        if let Some(level) = color.filter(|view| view.level() > 0) {
            context.framebuffers.forget(gl, level.texture().id());
        }
    }
}

impl RenderPassInterface for RenderPass {
    fn set_pipeline(&mut self, pipeline: &DispatchRenderPipeline) {
        self.pipeline = pipeline.as_custom::<Pipeline>().cloned();
    }

    fn set_bind_group(&mut self, index: u32, bind_group: Option<&DispatchBindGroup>, offsets: &[u32]) {
        let group = bind_group.and_then(|group| group.as_custom::<BindGroup>());
        self.groups[index as usize] =
            group.map(|group| (group.clone(), offsets.first().copied().unwrap_or(0)));
    }

    fn set_index_buffer(
        &mut self,
        buffer: &DispatchBuffer,
        index_format: wgpu::IndexFormat,
        offset: wgpu::BufferAddress,
        _: Option<wgpu::BufferSize>,
    ) {
        let buffer: &Buffer = ours(buffer.as_custom());
        let is_long = index_format == wgpu::IndexFormat::Uint32;
        self.indices = Some((buffer.clone(), offset as u32, is_long));
    }

    /// Sets the vertices. There is one buffer, which is read from its beginning.
    fn set_vertex_buffer(
        &mut self,
        _: u32,
        buffer: Option<&DispatchBuffer>,
        _: wgpu::BufferAddress,
        _: Option<wgpu::BufferSize>,
    ) {
        self.vertices = buffer.and_then(|buffer| buffer.as_custom::<Buffer>()).cloned();
    }

    fn draw(&mut self, vertices: Range<u32>, instances: Range<u32>) {
        // WebGL2 has no base instance: shaders add it.
        let Some(mode) = self.prepare(instances.start, false) else { return };
        let (first, count) = (vertices.start as i32, vertices.len() as i32);
        self.context.gl.draw_arrays_instanced(mode, first, count, instances.len() as i32);
    }

    fn draw_indexed(&mut self, indices: Range<u32>, _: i32, instances: Range<u32>) {
        let Some(mode) = self.prepare(instances.start, true) else { return };
        let Some((_, offset, is_long)) = self.indices else { return };
        let (ty, size) = if is_long { (Gl::UNSIGNED_INT, 4) } else { (Gl::UNSIGNED_SHORT, 2) };
        let offset = offset + indices.start * size;
        self.context.gl.draw_elements_instanced_with_i32(
            mode,
            indices.len() as i32,
            ty,
            offset as i32,
            instances.len() as i32,
        );
    }

    unused_in_pass!();
}
