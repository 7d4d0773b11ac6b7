//! What is behind transmissive surfaces: the picture without them. Front faces also show the back faces of double-sided
//! ones, so where there are some, a second picture has these too.
//!
//! Few models need it, so pages fetch [`Behind::prepare`] and [`Renderer::record_behind`] apart
//! (`xtask/src/build/late.rs`), before they import such a model.

use super::environment::{GpuEnvironment, LightGroup};
use super::pipeline_keys::PipelineKey;
use super::pipelines::blit;
use super::renderer::{Cast, Prepared};
use super::shadow::Shadow;
use super::targets::Targets;
use super::tiles::Tiling;
use super::{DrawStats, Gpu, Renderer, Tier, textures};
use std::mem;
use std::rc::Rc;

/// A texture of a picture without front faces of transmissive surfaces, and its mip levels, which rough surfaces show.
#[derive(Debug)]
pub(super) struct Behind {
    tier: Tier,
    texture: wgpu::Texture,
    levels: Vec<wgpu::TextureView>,
    /// Bind groups to read each level but the last.
    sources: Vec<wgpu::BindGroup>,
    whole: wgpu::TextureView,
    light_group: Option<LightGroup>,
}

impl Behind {
    /// Creates a number of textures for the size of tiles, unless the held ones fit.
    fn prepare(held: &mut Vec<Self>, count: usize, gpu: &Gpu, format: wgpu::TextureFormat, tiling: Tiling) {
        let limit = gpu.max_texture_size();
        let size = wgpu::Extent3d {
            width: tiling.tile_width.clamp(1, limit),
            height: tiling.tile_height.clamp(1, limit),
            depth_or_array_layers: 1,
        };
        held.retain(|behind| behind.texture.size() == size);
        held.resize_with(count, || Self::new(gpu, format, size));
    }

    fn new(gpu: &Gpu, format: wgpu::TextureFormat, size: wgpu::Extent3d) -> Self {
        let level_count = size.width.max(size.height).ilog2() + 1;
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let texture = textures::create(gpu.device(), format, size, level_count, usage);
        let levels: Vec<_> = (0..level_count).map(|level| textures::level(&texture, level)).collect();
        let larger = &levels[..levels.len() - 1];
        Self {
            tier: gpu.tier(),
            sources: larger
                .iter()
                .map(|level| gpu.pipelines().blit_bind_group(gpu.device(), level))
                .collect(),
            whole: texture.create_view(&wgpu::TextureViewDescriptor::default()),
            levels,
            texture,
            light_group: None,
        }
    }

    /// Returns the bind group of what lights meshes, with all levels of the texture.
    pub(super) fn light_group(
        &mut self,
        gpu: &Gpu,
        shadow: &Rc<Shadow>,
        environment: &Rc<GpuEnvironment>,
    ) -> &wgpu::BindGroup {
        LightGroup::prepare(&mut self.light_group, gpu, shadow, environment, Some(&self.whole))
    }

    pub(super) fn byte_count(&self) -> u64 {
        textures::byte_count(&self.texture)
    }
}

impl Drop for Behind {
    fn drop(&mut self) {
        if self.tier.needs_destroy() {
            self.texture.destroy();
        }
    }
}

impl Renderer {
    /// Records the passes that draw what is behind transmissive surfaces.
    #[inline(never)]
    pub(super) fn record_behind(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        cast: &Cast<'_>,
        picture: &Prepared,
        stats: &mut DrawStats,
    ) {
        let mut behind = mem::take(&mut self.behind);
        let count = 1 + usize::from(!self.list.transmissive_backs.is_empty());
        Behind::prepare(&mut behind, count, &self.gpu, self.format, picture.tiling);
        let samples = picture.detail.samples();
        let halve = self.gpu.pipelines().get(self.gpu.device(), PipelineKey::Halve(self.format));
        // The triangles are counted in the picture itself.
        let mut own = DrawStats::default();
        for nth in 0..count {
            let targets =
                Targets::prepare(&mut self.targets, &self.gpu, self.format, picture.tiling, samples);
            let mut pass = targets.begin_pass(encoder, &behind[nth].levels[0], picture.background);
            self.bind_shared(&mut pass);
            self.draw_solid(&mut pass, cast, picture, &mut own);
            if nth > 0 {
                self.bind_behind(&mut pass, behind.first_mut());
                self.draw_items(&mut pass, cast, &self.list.transmissive_backs, &mut own);
            }
            drop(pass);
            let Behind { sources, levels, .. } = &behind[nth];
            for (source, level) in sources.iter().zip(&levels[1..]) {
                blit(encoder, "behind", &halve, &[source], level);
            }
            own.draws += sources.len();
        }
        stats.draws += own.draws;
        self.behind = behind;
    }
}
