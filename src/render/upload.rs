use super::capture::texture_to_read;
use super::environment::{GpuEnvironment, LightGroup};
use super::pipeline_keys::{MeshKey, PipelineKey};
use super::pipelines::Detail;
use super::renderer::draw_part;
use super::shader_parts::ShaderParts;
use super::shadow::Shadow;
use super::targets::Targets;
use super::tiles::Tiling;
use super::{GpuModel, RenderError, Renderer, Tone};
use crate::animation::{Rig, Skinning};
use crate::light::Environment;
use std::rc::Rc;

/// A pipeline that draws a model, with the indices of a draw and of a material that need it.
type Needed = (usize, usize, wgpu::RenderPipeline);

impl Renderer {
    /// Copies a model to the GPU, and creates the pipelines that draw it. Shaders are compiled while geometry is copied
    /// and the light of the environment is computed. Images are set with [`GpuModel::set_image`].
    ///
    /// With WebGPU, draws one triangle with each pipeline, off screen and with all corners at one point: some GPUs
    /// compile a shader when it first draws, and the first picture would wait for that. With WebGL2 this would block
    /// the page where the browser reads the canvas back to show it.
    ///
    /// A mesh that its node mirrors, a material that the page makes transparent, and the shadow get their pipelines
    /// when they are first drawn.
    ///
    /// # Errors
    /// `TooLarge` if a buffer or texture of rows exceeds the device's limits, or an error of the device.
    pub fn upload(
        &mut self,
        rig: &Rig,
        skinnings: &[Skinning],
        tone: Tone,
        environment: Option<&Rc<Environment>>,
    ) -> Result<GpuModel, RenderError> {
        let mut model = GpuModel::new(&self.gpu, rig)?;
        let detail = self.gpu.pipelines().next_detail();
        let new = self.new_pipelines(&model, skinnings, tone, detail);
        let environment = Rc::clone(GpuEnvironment::prepare(&mut self.environment, &self.gpu, environment));
        if !new.is_empty() && !cfg!(feature = "webgl") {
            self.draw_nothing(&model, detail, &environment, new);
        }
        model.fill(&self.gpu, rig)?;
        environment.light(&self.gpu, detail);
        Ok(model)
    }

    /// Creates the pipelines that draw a model, and returns those that didn't exist.
    fn new_pipelines(
        &self,
        model: &GpuModel,
        skinnings: &[Skinning],
        tone: Tone,
        detail: Detail,
    ) -> Vec<Needed> {
        let pipelines = self.gpu.pipelines();
        let mut new = Vec::new();
        for (index, draw) in model.draws.iter().enumerate() {
            let primitive = model.primitive(draw);
            let at = primitive.look(None).material;
            let Some(material) = model.materials.get(at) else { continue };
            if primitive.index_count == 0 {
                continue;
            }
            let parts = draw.parts(skinnings).and(ShaderParts::of_tone(tone));
            let key =
                MeshKey::new(parts, primitive, material, self.format, detail, model.has_lights(), false);
            for key in key.passes() {
                if !pipelines.is_made(PipelineKey::Mesh(key)) {
                    new.push((index, at, pipelines.get(self.gpu.device(), PipelineKey::Mesh(key))));
                }
            }
        }
        new
    }

    /// Draws one triangle with each of some pipelines, off screen and with all corners at one point.
    fn draw_nothing(
        &mut self,
        model: &GpuModel,
        detail: Detail,
        environment: &Rc<GpuEnvironment>,
        new: Vec<Needed>,
    ) {
        let gpu = &self.gpu;
        let mut targets = None;
        let targets = Targets::prepare(&mut targets, gpu, self.format, Tiling::whole(1, 1), detail.samples());
        let resolved = texture_to_read(gpu, self.format, 1, 1);
        let view = resolved.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = self.encoder();
        let mut pass = targets.begin_pass(&mut encoder, &view, None);
        pass.set_bind_group(0, &self.actors[0].bind_group, &[]);
        let shadow = Shadow::prepare(&mut self.shadow, gpu, 1);
        let group = LightGroup::prepare(&mut self.light_group, gpu, shadow, environment, None);
        pass.set_bind_group(3, group, &[]);
        for (draw, material, pipeline) in new {
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(2, &*model.materials[material].bind_group.borrow(), &[]);
            draw_part(&mut pass, model, [draw, 0], 3, 0..1);
        }
        drop(pass);
        gpu.queue().submit([encoder.finish()]);
        if gpu.tier().needs_destroy() {
            resolved.destroy();
        }
    }
}
