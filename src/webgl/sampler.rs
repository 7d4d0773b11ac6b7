use super::context::{Context, Id};
use crate::backend::{opaque, unused};
use std::rc::Rc;
use web_sys::{ExtTextureFilterAnisotropic, WebGl2RenderingContext as Gl, WebGlSampler};
use wgpu::custom::SamplerInterface;
use wgpu::{AddressMode, FilterMode, MipmapFilterMode};

/// A sampler. Clones share it, so that bind groups keep it.
#[derive(Clone)]
pub(super) struct Sampler {
    inner: Rc<Inner>,
}

struct Inner {
    context: Rc<Context>,
    raw: Option<WebGlSampler>,
    id: Id,
}

opaque![Sampler];

impl Sampler {
    pub(super) fn new(context: &Rc<Context>, desc: &wgpu::SamplerDescriptor<'_>) -> Self {
        let gl = &context.gl;
        let raw = gl.create_sampler();
        if let Some(sampler) = &raw {
            let set = |parameter, value: u32| gl.sampler_parameteri(sampler, parameter, value as i32);
            set(Gl::TEXTURE_WRAP_S, address_mode(desc.address_mode_u));
            set(Gl::TEXTURE_WRAP_T, address_mode(desc.address_mode_v));
            set(
                Gl::TEXTURE_MAG_FILTER,
                if desc.mag_filter == FilterMode::Linear { Gl::LINEAR } else { Gl::NEAREST },
            );
            set(
                Gl::TEXTURE_MIN_FILTER,
                match (desc.min_filter, desc.mipmap_filter) {
                    (FilterMode::Nearest, MipmapFilterMode::Nearest) => Gl::NEAREST_MIPMAP_NEAREST,
                    (FilterMode::Linear, MipmapFilterMode::Nearest) => Gl::LINEAR_MIPMAP_NEAREST,
                    (FilterMode::Nearest, MipmapFilterMode::Linear) => Gl::NEAREST_MIPMAP_LINEAR,
                    (FilterMode::Linear, MipmapFilterMode::Linear) => Gl::LINEAR_MIPMAP_LINEAR,
                },
            );
            gl.sampler_parameterf(sampler, Gl::TEXTURE_MIN_LOD, desc.lod_min_clamp);
            gl.sampler_parameterf(sampler, Gl::TEXTURE_MAX_LOD, desc.lod_max_clamp);
            // Without the extension, the parameter is unknown. A GPU that can't do as much does what it can.
            if desc.anisotropy_clamp > 1 && context.filters_anisotropically {
                let most = ExtTextureFilterAnisotropic::TEXTURE_MAX_ANISOTROPY_EXT;
                gl.sampler_parameterf(sampler, most, f32::from(desc.anisotropy_clamp));
            }
            if let Some(compare) = desc.compare {
                set(Gl::TEXTURE_COMPARE_MODE, Gl::COMPARE_REF_TO_TEXTURE);
                set(Gl::TEXTURE_COMPARE_FUNC, super::pipeline::comparison(compare));
            }
        }
        Self { inner: Rc::new(Inner { context: Rc::clone(context), raw, id: context.new_id() }) }
    }

    pub(super) fn bind(&self, unit: usize) {
        self.inner.context.bind_sampler(unit, self.inner.id, self.inner.raw.as_ref());
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.context.gl.delete_sampler(self.raw.as_ref());
    }
}

impl SamplerInterface for Sampler {}

fn address_mode(mode: AddressMode) -> u32 {
    match mode {
        AddressMode::ClampToEdge => Gl::CLAMP_TO_EDGE,
        AddressMode::Repeat => Gl::REPEAT,
        AddressMode::MirrorRepeat => Gl::MIRRORED_REPEAT,
        AddressMode::ClampToBorder => unused(),
    }
}
