//! The functions of `calls.js`, and those of WebGPU itself whose arguments are flat.
#![allow(clippy::too_many_arguments, reason = "flat arguments take the fewest bytes")]

use js_sys::{Promise, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::ImageBitmap;

#[wasm_bindgen]
extern "C" {
    /// An object of WebGPU.
    #[derive(Clone)]
    pub(super) type Handle;

    #[wasm_bindgen(method, getter)]
    pub(super) fn queue(this: &Handle) -> Handle;
    #[wasm_bindgen(method, getter)]
    pub(super) fn lost(this: &Handle) -> Promise;
    #[wasm_bindgen(method, getter, js_name = limits)]
    pub(super) fn limits(this: &Handle) -> Limits;
    #[wasm_bindgen(method)]
    pub(super) fn destroy(this: &Handle);
    #[wasm_bindgen(js_name = compressedFormats)]
    pub(super) fn compressed_formats(device: &Handle) -> u32;
    #[wasm_bindgen(js_name = watchDevice)]
    pub(super) fn watch_device(device: &Handle, tell: &JsValue);
    #[wasm_bindgen(js_name = whenDone)]
    pub(super) fn when_done(queue: &Handle, tell: &JsValue);

    pub(super) type Limits;

    #[wasm_bindgen(method, getter, js_name = maxTextureDimension2D)]
    pub(super) fn texture_side(this: &Limits) -> u32;
    #[wasm_bindgen(method, getter, js_name = maxBufferSize)]
    pub(super) fn buffer_size(this: &Limits) -> f64;
    #[wasm_bindgen(method, getter, js_name = maxStorageBufferBindingSize)]
    pub(super) fn storage_size(this: &Limits) -> f64;

    #[wasm_bindgen(js_name = createBuffer)]
    pub(super) fn create_buffer(device: &Handle, size: f64, usage: u32) -> Handle;
    #[wasm_bindgen(js_name = createTexture)]
    pub(super) fn create_texture(
        device: &Handle,
        width: u32,
        height: u32,
        levels: u32,
        samples: u32,
        format: u32,
        usage: u32,
    ) -> Handle;
    #[wasm_bindgen(js_name = createView)]
    pub(super) fn create_view(texture: &Handle, level: u32, levels: u32) -> Handle;
    #[wasm_bindgen(js_name = createSampler)]
    pub(super) fn create_sampler(
        device: &Handle,
        wrap_u: u32,
        wrap_v: u32,
        magnify: u32,
        minify: u32,
        mipmap: u32,
        greatest_lod: f32,
        compare: u32,
        anisotropy: u32,
    ) -> Handle;
    #[wasm_bindgen(js_name = createShaderModule)]
    pub(super) fn create_shader_module(device: &Handle, code: &str) -> Handle;
    #[wasm_bindgen(js_name = createBindGroupLayout)]
    pub(super) fn create_bind_group_layout(device: &Handle, bindings: &[u32]) -> Handle;
    #[wasm_bindgen(js_name = newList)]
    pub(super) fn new_list() -> Handle;
    #[wasm_bindgen(js_name = addLayout)]
    pub(super) fn add_layout(list: &Handle, layout: &Handle);
    #[wasm_bindgen(js_name = addResource)]
    pub(super) fn add_resource(list: &Handle, binding: u32, resource: &Handle);
    #[wasm_bindgen(js_name = addBuffer)]
    pub(super) fn add_buffer(list: &Handle, binding: u32, buffer: &Handle, offset: f64, size: f64);
    #[wasm_bindgen(js_name = createBindGroup)]
    pub(super) fn create_bind_group(device: &Handle, layout: &Handle, entries: &Handle) -> Handle;
    #[wasm_bindgen(js_name = createPipelineLayout)]
    pub(super) fn create_pipeline_layout(device: &Handle, layouts: &Handle) -> Handle;
    #[wasm_bindgen(js_name = createRenderPipeline)]
    pub(super) fn create_render_pipeline(
        device: &Handle,
        layout: &Handle,
        module: &Handle,
        vertex_entry: &str,
        fragment_entry: &str,
        state: &[f32],
    ) -> Handle;

    #[wasm_bindgen(method, js_name = createCommandEncoder)]
    pub(super) fn create_command_encoder(this: &Handle) -> Handle;
    #[wasm_bindgen(js_name = beginRenderPass)]
    pub(super) fn begin_render_pass(
        encoder: &Handle,
        color: Option<&Handle>,
        resolve: Option<&Handle>,
        depth: Option<&Handle>,
        red: f64,
        green: f64,
        blue: f64,
        alpha: f64,
        keeps_color: bool,
        keeps_depth: bool,
    ) -> Handle;
    #[wasm_bindgen(method, js_name = setPipeline)]
    pub(super) fn set_pipeline(this: &Handle, pipeline: &Handle);
    #[wasm_bindgen(method, js_name = setBindGroup)]
    pub(super) fn set_bind_group(this: &Handle, index: u32, group: Option<&Handle>);
    #[wasm_bindgen(js_name = setGroupAt)]
    pub(super) fn set_group_at(pass: &Handle, index: u32, group: Option<&Handle>, offset: u32);
    #[wasm_bindgen(js_name = setIndices)]
    pub(super) fn set_indices(pass: &Handle, buffer: &Handle, is_long: bool);
    #[wasm_bindgen(method, js_name = setVertexBuffer)]
    pub(super) fn set_vertex_buffer(this: &Handle, slot: u32, buffer: Option<&Handle>);
    #[wasm_bindgen(method)]
    pub(super) fn draw(this: &Handle, count: u32, instances: u32, first: u32, first_instance: u32);
    #[wasm_bindgen(method, js_name = drawIndexed)]
    pub(super) fn draw_indexed(
        this: &Handle,
        count: u32,
        instances: u32,
        first: u32,
        base: i32,
        first_instance: u32,
    );
    #[wasm_bindgen(method)]
    pub(super) fn end(this: &Handle);
    #[wasm_bindgen(js_name = copyToBuffer)]
    pub(super) fn copy_to_buffer(
        encoder: &Handle,
        texture: &Handle,
        y: u32,
        buffer: &Handle,
        offset: f64,
        bytes_per_row: u32,
        width: u32,
        height: u32,
    );
    #[wasm_bindgen(method)]
    pub(super) fn finish(this: &Handle) -> Handle;

    #[wasm_bindgen(js_name = submitTo)]
    pub(super) fn submit_to(queue: &Handle, commands: Option<&Handle>);
    #[wasm_bindgen(method, js_name = writeBuffer)]
    pub(super) fn write_buffer(this: &Handle, buffer: &Handle, offset: f64, data: &[u8]);
    #[wasm_bindgen(js_name = writeTexture)]
    pub(super) fn write_texture(
        queue: &Handle,
        texture: &Handle,
        level: u32,
        y: u32,
        data: &[u8],
        bytes_per_row: u32,
        width: u32,
        height: u32,
    );
    #[wasm_bindgen(js_name = copyImage)]
    pub(super) fn copy_image(queue: &Handle, image: &ImageBitmap, texture: &Handle, width: u32, height: u32);

    #[wasm_bindgen(js_name = mapBuffer)]
    pub(super) fn map_buffer(buffer: &Handle, tell: &JsValue);
    #[wasm_bindgen(js_name = mappedBytes)]
    pub(super) fn mapped_bytes(buffer: &Handle) -> Uint8Array;
    #[wasm_bindgen(js_name = pushScope)]
    pub(super) fn push_scope(device: &Handle, filter: u32);
    #[wasm_bindgen(js_name = popScope)]
    pub(super) fn pop_scope(device: &Handle) -> Promise;

    #[wasm_bindgen(js_name = prefersBgra)]
    pub(super) fn prefers_bgra() -> bool;
    #[wasm_bindgen(js_name = contextOf)]
    pub(super) fn context_of(canvas: &JsValue) -> Option<Handle>;
    #[wasm_bindgen(js_name = configureCanvas)]
    pub(super) fn configure_canvas(
        context: &Handle,
        device: &Handle,
        format: u32,
        usage: u32,
        width: u32,
        height: u32,
    );
    #[wasm_bindgen(js_name = currentTexture)]
    pub(super) fn current_texture(context: &Handle) -> Option<Handle>;
    #[wasm_bindgen(js_name = isBlank)]
    pub(super) fn is_blank(device: &Handle, context: &Handle) -> Option<Promise>;
}
