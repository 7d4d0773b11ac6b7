use super::pipelines::{DEPTH_FORMAT, HIGH_RANGE_FORMAT};
use super::tiles::Tiling;
use super::{Gpu, Tier};
use glam::Vec4;
use std::rc::Rc;

/// Multisampled colour and depth targets, resolved to one sample per pixel. Canvases of the same size share them. With
/// one sample, there are only depths.
#[derive(Debug)]
pub(super) struct Targets {
    tier: Tier,
    format: wgpu::TextureFormat,
    width: u32,
    height: u32,
    samples: u32,
    color: Option<wgpu::TextureView>,
    depth: wgpu::TextureView,
}

impl Targets {
    /// Returns targets of the tiles' size. Reuses the held ones, or those that another canvas uses.
    pub(super) fn prepare<'a>(
        held: &'a mut Option<Rc<Self>>,
        gpu: &Gpu,
        format: wgpu::TextureFormat,
        tiling: Tiling,
        samples: u32,
    ) -> &'a Rc<Self> {
        // Callers stay within the limit. Clamping guards against empty textures, which are invalid.
        let limit = gpu.max_texture_size();
        let (width, height) = (tiling.tile_width.clamp(1, limit), tiling.tile_height.clamp(1, limit));
        if held.as_ref().is_some_and(|targets| !targets.fit(format, width, height, samples)) {
            *held = None;
        }
        held.get_or_insert_with(|| {
            let found = gpu.targets().find(|targets| targets.fit(format, width, height, samples));
            found.unwrap_or_else(|| gpu.targets().add(Self::new(gpu, format, width, height, samples)))
        })
    }

    fn fit(&self, format: wgpu::TextureFormat, width: u32, height: u32, samples: u32) -> bool {
        (self.format, self.width, self.height, self.samples) == (format, width, height, samples)
    }

    fn new(gpu: &Gpu, format: wgpu::TextureFormat, width: u32, height: u32, samples: u32) -> Self {
        let make = |label, format| {
            let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        Self {
            tier: gpu.tier(),
            format,
            width,
            height,
            samples,
            color: (samples > 1).then(|| make("samples", format)),
            depth: make("depth", DEPTH_FORMAT),
        }
    }

    pub(super) fn byte_count(&self) -> u64 {
        let bytes_per_color = if self.format == HIGH_RANGE_FORMAT { 8 } else { 4 };
        let bytes_per_sample = 4 + if self.color.is_some() { bytes_per_color } else { 0 };
        u64::from(self.width) * u64::from(self.height) * u64::from(self.samples) * bytes_per_sample
    }

    pub(super) fn begin_pass<'encoder>(
        &self,
        encoder: &'encoder mut wgpu::CommandEncoder,
        resolved: &wgpu::TextureView,
        background: Option<Vec4>,
    ) -> wgpu::RenderPass<'encoder> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("picture"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: self.color.as_ref().unwrap_or(resolved),
                depth_slice: None,
                resolve_target: self.color.as_ref().map(|_| resolved),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(clear_color(background)),
                    // Samples aren't needed after they are resolved.
                    store: if self.color.is_some() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store },
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        })
    }
}

impl Drop for Targets {
    fn drop(&mut self) {
        if self.tier.needs_destroy() {
            for view in self.color.iter().chain([&self.depth]) {
                view.texture().destroy();
            }
        }
    }
}

/// Returns the premultiplied clear colour, always finite. Browsers throw a `TypeError` for other values, which would
/// abort the wasm instance.
fn clear_color(background: Option<Vec4>) -> wgpu::Color {
    // `clamp` would return NaN for NaN.
    let share = |number: f32| if number > 0.0 { f64::from(number.min(1.0)) } else { 0.0 };
    let [r, g, b, a] = background.unwrap_or(Vec4::ZERO).to_array().map(share);
    wgpu::Color { r: r * a, g: g * a, b: b * a, a }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clear_colors_are_finite_whatever_the_background() {
        let hostile = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -1.0, 0.5];
        for number in hostile {
            for lane in 0..4 {
                let mut background = Vec4::splat(0.5);
                background[lane] = number;
                let wgpu::Color { r, g, b, a } = clear_color(Some(background));
                for part in [r, g, b, a] {
                    assert!((0.0..=1.0).contains(&part), "{background} clears to {r}, {g}, {b}, {a}");
                }
            }
        }
        assert_eq!(clear_color(None), wgpu::Color::TRANSPARENT);
        let half = clear_color(Some(Vec4::new(1.0, 0.5, 0.0, 0.5)));
        assert_eq!(half, wgpu::Color { r: 0.5, g: 0.25, b: 0.0, a: 0.5 });
    }
}
