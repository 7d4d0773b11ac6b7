use super::buffer::Buffer;
use super::sampler::Sampler;
use super::texture::View;
use crate::backend::{opaque, ours, unused};
use std::rc::Rc;
use wgpu::BindingResource;
use wgpu::custom::{BindGroupInterface, BindGroupLayoutInterface, PipelineLayoutInterface};

/// Layouts have no counterpart in WebGL: the programs list what they read.
pub(super) struct NoLayout;

/// Resources with the numbers of their bindings. Clones are cheap.
#[derive(Clone)]
pub(super) struct BindGroup {
    inner: Rc<Inner>,
}

#[derive(Default)]
struct Inner {
    /// Buffer, offset and size. A group has one buffer at most, which a dynamic offset refers to.
    buffer: Option<(Buffer, u32, u32)>,
    views: Vec<(u32, View)>,
    samplers: Vec<(u32, Sampler)>,
}

opaque![BindGroup, NoLayout];

impl BindGroup {
    pub(super) fn new(desc: &wgpu::BindGroupDescriptor<'_>) -> Self {
        let mut inner = Inner::default();
        for entry in desc.entries {
            match &entry.resource {
                BindingResource::Buffer(part) => {
                    let buffer: &Buffer = ours(part.buffer.as_custom());
                    let offset = part.offset as u32;
                    let size = part.size.map_or(buffer.size() - offset, |size| size.get() as u32);
                    let other = inner.buffer.replace((buffer.clone(), offset, size));
                    debug_assert!(other.is_none(), "a group has one buffer");
                }
                BindingResource::TextureView(view) => {
                    inner.views.push((entry.binding, ours(view.as_custom::<View>()).clone()));
                }
                BindingResource::Sampler(sampler) => {
                    inner.samplers.push((entry.binding, ours(sampler.as_custom::<Sampler>()).clone()));
                }
                _ => unused(),
            }
        }
        Self { inner: Rc::new(inner) }
    }

    pub(super) fn buffer(&self) -> Option<&(Buffer, u32, u32)> {
        self.inner.buffer.as_ref()
    }

    pub(super) fn view(&self, binding: u32) -> Option<&View> {
        self.inner.views.iter().find(|(known, _)| *known == binding).map(|(_, view)| view)
    }

    pub(super) fn sampler(&self, binding: u32) -> Option<&Sampler> {
        self.inner.samplers.iter().find(|(known, _)| *known == binding).map(|(_, sampler)| sampler)
    }
}

impl BindGroupInterface for BindGroup {}
impl BindGroupLayoutInterface for NoLayout {}
impl PipelineLayoutInterface for NoLayout {}
