use super::context::Context;
use super::texture::Texture;
use crate::backend::opaque;
use std::cell::RefCell;
use std::rc::Rc;
use wgpu::custom::{
    DispatchAdapter, DispatchDevice, DispatchSurfaceOutputDetail, DispatchTexture, SurfaceInterface,
    SurfaceOutputDetailInterface,
};

/// The context's canvas. Pictures are drawn to a texture, whose top row is row 0, and presented by copying it upside
/// down.
///
/// Surfaces of one context share the canvas: presenting fills its lower left corner.
pub(super) struct Surface {
    context: Rc<Context>,
    texture: RefCell<Option<Texture>>,
}

/// A picture to present.
pub(super) struct Picture {
    context: Rc<Context>,
    texture: Option<Texture>,
}

opaque![Surface, Picture];

/// The format of pictures. Shaders encode colours.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

impl Surface {
    pub(super) fn new(context: &Rc<Context>) -> Self {
        Self { context: Rc::clone(context), texture: RefCell::default() }
    }
}

impl SurfaceInterface for Surface {
    fn get_capabilities(&self, _: &DispatchAdapter) -> wgpu::SurfaceCapabilities {
        wgpu::SurfaceCapabilities { formats: vec![FORMAT], ..wgpu::SurfaceCapabilities::default() }
    }

    fn configure(&self, _: &DispatchDevice, config: &wgpu::SurfaceConfiguration) {
        let &wgpu::SurfaceConfiguration { width, height, .. } = config;
        self.context.resize_canvas(width, height);
        self.context.copy.prepare(&self.context);
        let texture = Texture::new(
            &self.context,
            &wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: FORMAT,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            },
        );
        self.texture.replace(Some(texture));
    }

    fn get_current_texture(
        &self,
    ) -> (Option<DispatchTexture>, wgpu::SurfaceStatus, DispatchSurfaceOutputDetail) {
        let texture = self.texture.borrow().clone();
        let picture = Picture { context: Rc::clone(&self.context), texture: texture.clone() };
        (
            texture.map(DispatchTexture::custom),
            wgpu::SurfaceStatus::Good,
            DispatchSurfaceOutputDetail::custom(picture),
        )
    }
}

impl Picture {
    pub(super) fn present(&self) {
        let Some(texture) = &self.texture else { return };
        self.context.copy.run(&self.context, &texture.whole());
    }
}

impl SurfaceOutputDetailInterface for Picture {
    fn texture_discard(&self) {}
    fn texture_release(&self) {}
}
