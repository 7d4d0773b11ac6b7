use super::context::{Context, Id};
use super::formats::{GlFormat, Transfer, gl_format};
use crate::backend::opaque;
use js_sys::{Uint8Array, Uint32Array};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{ImageBitmap, WebGl2RenderingContext as Gl, WebGlRenderbuffer, WebGlTexture};
use wgpu::custom::{DispatchTextureView, TextureInterface, TextureViewInterface};

/// A texture. Clones share it, so that views keep it.
#[derive(Clone)]
pub(super) struct Texture {
    inner: Rc<Inner>,
}

struct Inner {
    context: Rc<Context>,
    store: Store,
    id: Id,
    format: GlFormat,
    width: u32,
    height: u32,
    /// First level and number of levels that shaders read.
    levels: Cell<(u32, u32)>,
    level_count: u32,
}

enum Store {
    Texture(Option<WebGlTexture>),
    /// Multisampled textures, which no shader reads.
    Renderbuffer(Option<WebGlRenderbuffer>),
}

/// Levels of a texture.
#[derive(Clone)]
pub(super) struct View {
    texture: Texture,
    level: u32,
    level_count: u32,
}

opaque![Texture, View];

#[wasm_bindgen]
extern "C" {
    /// A context, with a call that `web_sys` lacks.
    type FloatContext;

    /// Uploads floats from where they are: rows of crowds are uploaded for each picture.
    #[wasm_bindgen(method, catch, js_name = texSubImage2D)]
    fn tex_sub_image_2d(
        this: &FloatContext,
        target: u32,
        level: i32,
        x: i32,
        y: i32,
        width: i32,
        height: i32,
        layout: u32,
        ty: u32,
        texels: &[f32],
    ) -> Result<(), JsValue>;
}

impl Texture {
    pub(super) fn new(context: &Rc<Context>, desc: &wgpu::TextureDescriptor<'_>) -> Self {
        let gl = &context.gl;
        let format = gl_format(desc.format);
        let id = context.new_id();
        let (width, height) = (desc.size.width as i32, desc.size.height as i32);
        let store = if desc.sample_count > 1 {
            let raw = gl.create_renderbuffer();
            gl.bind_renderbuffer(Gl::RENDERBUFFER, raw.as_ref());
            let samples = desc.sample_count as i32;
            gl.renderbuffer_storage_multisample(Gl::RENDERBUFFER, samples, format.internal, width, height);
            Store::Renderbuffer(raw)
        } else {
            let raw = gl.create_texture();
            context.bind_texture(0, id, raw.as_ref());
            context.select_unit(0);
            gl.tex_storage_2d(Gl::TEXTURE_2D, desc.mip_level_count as i32, format.internal, width, height);
            // Formats that can't be filtered are incomplete with other filters, where no sampler is bound.
            for filter in [Gl::TEXTURE_MIN_FILTER, Gl::TEXTURE_MAG_FILTER] {
                gl.tex_parameteri(Gl::TEXTURE_2D, filter, Gl::NEAREST as i32);
            }
            Store::Texture(raw)
        };
        let inner = Inner {
            context: Rc::clone(context),
            store,
            id,
            format,
            width: desc.size.width,
            height: desc.size.height,
            levels: Cell::new((0, desc.mip_level_count)),
            level_count: desc.mip_level_count,
        };
        Self { inner: Rc::new(inner) }
    }

    pub(super) fn id(&self) -> Id {
        self.inner.id
    }

    /// Returns format and type of the texture's pixels in memory.
    pub(super) fn transfer(&self) -> Transfer {
        self.inner.format.transfer
    }

    pub(super) fn whole(&self) -> View {
        View { texture: self.clone(), level: 0, level_count: self.inner.level_count }
    }

    /// Uploads pixels or blocks to a part of a level.
    pub(super) fn write(&self, level: u32, origin: (u32, u32), size: (u32, u32), data: &[u8]) {
        let Inner { context, format, .. } = &*self.inner;
        let gl = &context.gl;
        self.bind(0);
        context.select_unit(0);
        let target = Gl::TEXTURE_2D;
        let (x, y) = (origin.0 as i32, origin.1 as i32);
        // WebGPU counts whole blocks, also where a level ends within one. WebGL ends at the level.
        let fitting = |wanted: u32, whole: u32| wanted.min((whole >> level).max(1)) as i32;
        let (width, height) = (fitting(size.0, self.inner.width), fitting(size.1, self.inner.height));
        let level = level as i32;
        let refused = match format.transfer {
            Transfer::Blocks => {
                let data = Uint8Array::from(data);
                gl.compressed_tex_sub_image_2d_with_js_u8_array(
                    target,
                    level,
                    x,
                    y,
                    width,
                    height,
                    format.internal,
                    &data,
                );
                Ok(())
            }
            Transfer::Pixels(layout, ty) => {
                macro_rules! upload {
                    ($gl:expr, $call:ident, $texels:expr) => {
                        $gl.$call(target, level, x, y, width, height, layout, ty, $texels)
                    };
                }
                // WebGL wants an array of the type's own elements.
                match ty {
                    Gl::FLOAT => {
                        let gl: &FloatContext = gl.unchecked_ref();
                        upload!(gl, tex_sub_image_2d, bytemuck::cast_slice(data))
                    }
                    Gl::UNSIGNED_INT_5_9_9_9_REV => {
                        let texels = Uint32Array::new(&Uint8Array::from(data).buffer());
                        upload!(
                            gl,
                            tex_sub_image_2d_with_i32_and_i32_and_u32_and_type_and_opt_array_buffer_view,
                            Some(&texels)
                        )
                    }
                    _ => upload!(
                        gl,
                        tex_sub_image_2d_with_i32_and_i32_and_u32_and_type_and_opt_u8_array,
                        Some(data)
                    ),
                }
            }
        };
        if refused.is_err() {
            context.errors.report_invalid("the pixels were refused".into());
        }
    }

    /// Uploads an image to the first level.
    pub(super) fn write_image(&self, image: &ImageBitmap) {
        let Inner { context, format, .. } = &*self.inner;
        self.bind(0);
        context.select_unit(0);
        let Transfer::Pixels(layout, ty) = format.transfer else { return };
        let refused = context.gl.tex_sub_image_2d_with_u32_and_u32_and_image_bitmap(
            Gl::TEXTURE_2D,
            0,
            0,
            0,
            layout,
            ty,
            image,
        );
        if refused.is_err() {
            context.errors.report_invalid("the image was refused".into());
        }
    }

    fn bind(&self, unit: usize) {
        if let Store::Texture(raw) = &self.inner.store {
            self.inner.context.bind_texture(unit, self.inner.id, raw.as_ref());
        }
    }
}

impl View {
    pub(super) fn texture(&self) -> &Texture {
        &self.texture
    }

    pub(super) fn level(&self) -> u32 {
        self.level
    }

    /// Returns width and height in pixels.
    pub(super) fn size(&self) -> (u32, u32) {
        let side = |whole: u32| (whole >> self.level).max(1);
        (side(self.texture.inner.width), side(self.texture.inner.height))
    }

    /// Binds the view for reading by shaders.
    pub(super) fn bind(&self, unit: usize) {
        self.texture.bind(unit);
        let Inner { context, levels, .. } = &*self.texture.inner;
        let wanted = (self.level, self.level_count);
        if levels.replace(wanted) != wanted {
            context.select_unit(unit);
            let last = self.level + self.level_count - 1;
            context.gl.tex_parameteri(Gl::TEXTURE_2D, Gl::TEXTURE_BASE_LEVEL, self.level as i32);
            context.gl.tex_parameteri(Gl::TEXTURE_2D, Gl::TEXTURE_MAX_LEVEL, last as i32);
        }
    }

    /// Attaches the view to the framebuffer that is bound for drawing.
    pub(super) fn attach(&self, attachment: u32) {
        let Inner { context, store, .. } = &*self.texture.inner;
        let (gl, target) = (&context.gl, Gl::DRAW_FRAMEBUFFER);
        match store {
            Store::Texture(raw) => {
                let level = self.level as i32;
                gl.framebuffer_texture_2d(target, attachment, Gl::TEXTURE_2D, raw.as_ref(), level);
            }
            Store::Renderbuffer(raw) => {
                gl.framebuffer_renderbuffer(target, attachment, Gl::RENDERBUFFER, raw.as_ref());
            }
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.context.framebuffers.forget(&self.context.gl, self.id);
        match &self.store {
            Store::Texture(raw) => self.context.gl.delete_texture(raw.as_ref()),
            Store::Renderbuffer(raw) => self.context.gl.delete_renderbuffer(raw.as_ref()),
        }
    }
}

impl TextureInterface for Texture {
    fn create_view(&self, desc: &wgpu::TextureViewDescriptor<'_>) -> DispatchTextureView {
        let whole = self.whole();
        let level = desc.base_mip_level;
        DispatchTextureView::custom(View {
            level,
            level_count: desc.mip_level_count.unwrap_or(whole.level_count.saturating_sub(level)),
            ..whole
        })
    }

    /// Does nothing: a texture is freed when it is dropped.
    fn destroy(&self) {}
}

impl TextureViewInterface for View {}
