use super::gpu_data::SHADE_COARSENESS;
use super::pipeline_keys::PipelineKey;
use super::pipelines::{DEPTH_FORMAT, SHADE_FORMAT, blit, depth_pass};
use super::{Gpu, Tier};
use std::cell::Cell;
use std::rc::Rc;

/// The key light's shadow: a shadow map, which meshes sample, and a blurred texture made from it for the ground.
///
/// Pictures redraw it, so that all canvases of a device can share one.
#[derive(Debug)]
pub(super) struct Shadow {
    tier: Tier,
    side: u32,
    number: Cell<u32>,
    map: wgpu::TextureView,
    across: wgpu::TextureView,
    along: wgpu::TextureView,
    read_map: wgpu::BindGroup,
    read_across: wgpu::BindGroup,
    read_along: wgpu::BindGroup,
}

/// Side of the shadow map in texels, for one character. At usual viewing distances, a texel is smaller than a pixel.
const SIDE: u32 = 1024;
/// Side of the shadow map in texels, for a crowd. WebGL2 guarantees textures of this size.
const CROWD_SIDE: u32 = 2048;

impl Shadow {
    /// Returns a shadow of the size for so many characters. Reuses the held one, or one that another canvas
    /// uses.
    pub(super) fn prepare<'a>(
        held: &'a mut Option<Rc<Self>>,
        gpu: &Gpu,
        character_count: usize,
    ) -> &'a Rc<Self> {
        let side = if character_count > 1 { CROWD_SIDE } else { SIDE };
        if held.as_ref().is_some_and(|shadow| shadow.side != side) {
            *held = None;
        }
        held.get_or_insert_with(|| {
            let found = gpu.shadows().find(|shadow| shadow.side == side);
            found.unwrap_or_else(|| gpu.shadows().add(Self::new(gpu, side)))
        })
    }

    fn new(gpu: &Gpu, side: u32) -> Self {
        let make = |label, side, format| {
            let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let map = make("shadow map", side, DEPTH_FORMAT);
        let across = make("shade, blurred across", side / SHADE_COARSENESS, SHADE_FORMAT);
        let along = make("shade, blurred", side / SHADE_COARSENESS, SHADE_FORMAT);
        let (device, pipelines) = (gpu.device(), gpu.pipelines());
        Self {
            tier: gpu.tier(),
            side,
            number: Cell::new(1),
            read_map: pipelines.height_bind_group(device, &map),
            read_across: pipelines.blit_bind_group(device, &across),
            read_along: pipelines.blit_bind_group(device, &along),
            map,
            across,
            along,
        }
    }

    pub(super) fn map(&self) -> &wgpu::TextureView {
        &self.map
    }

    /// Returns a number that changes whenever the shadow is drawn, and is never 0.
    pub(super) fn number(&self) -> u32 {
        self.number.get()
    }

    pub(super) fn byte_count(&self) -> u64 {
        let coarse = u64::from(self.side / SHADE_COARSENESS);
        u64::from(self.side) * u64::from(self.side) * 4 + 2 * coarse * coarse
    }

    /// Begins the pass that draws the shadow map.
    pub(super) fn begin_pass<'encoder>(
        &self,
        encoder: &'encoder mut wgpu::CommandEncoder,
    ) -> wgpu::RenderPass<'encoder> {
        self.number.set(self.number.get().wrapping_add(1).max(1));
        depth_pass(encoder, "shadow map", &self.map)
    }

    /// Blurs the shadow map into the texture for the ground. `frame` contains the softness.
    pub(super) fn blur(&self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, frame: &wgpu::BindGroup) {
        let across = gpu.pipelines().get(gpu.device(), PipelineKey::BlurAcross);
        blit(encoder, "blur across", &across, &[frame, &self.read_map], &self.across);
        let along = gpu.pipelines().get(gpu.device(), PipelineKey::BlurAlong);
        blit(encoder, "blur along", &along, &[frame, &self.read_across], &self.along);
    }

    /// Draws the ground.
    pub(super) fn draw_ground(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::RenderPass<'_>,
        format: wgpu::TextureFormat,
    ) {
        pass.set_pipeline(&gpu.pipelines().get(gpu.device(), PipelineKey::Ground(format)));
        pass.set_bind_group(1, &self.read_along, &[]);
        pass.draw(0..4, 0..1);
    }
}

impl Drop for Shadow {
    fn drop(&mut self) {
        if self.tier.needs_destroy() {
            for view in [&self.map, &self.across, &self.along] {
                view.texture().destroy();
            }
        }
    }
}
