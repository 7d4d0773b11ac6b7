//! What a view keeps on the GPU for a model.

use super::super::gpu_model::filled_buffer;
use super::super::shadow::Shadow;
use super::super::{Gpu, GpuModel, materials, textures};
use super::joint_colors::{WIDTH, joint_colors};
use super::outlines::{edges, vertices_with};
use crate::model::Material;
use glam::Vec3;
use std::rc::{Rc, Weak};

pub(super) struct Kept {
    source: Weak<GpuModel>,
    gpu: Gpu,
    /// Name of the joint that the colours mark.
    joint: String,
    joint_colors: wgpu::Texture,
    group: Option<(Rc<Shadow>, wgpu::BindGroup)>,
    /// Edges of each primitive, with the number of indices.
    edges: Vec<(usize, wgpu::Buffer, u32)>,
    /// Vertices of outlines, for each primitive and each of its vertex buffers.
    outlines: Vec<([usize; 2], wgpu::Buffer)>,
    /// Normals of outlines, for each mesh.
    normals: Vec<(usize, Vec<Vec3>)>,
}

impl Kept {
    pub(super) fn new(gpu: &Gpu, model: &Rc<GpuModel>, joint: &str) -> Self {
        let colors = joint_colors(model.source(), joint);
        let (format, usage) = (wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureUsages::empty());
        let kept = Self {
            source: Rc::downgrade(model),
            gpu: gpu.clone(),
            joint: joint.to_owned(),
            joint_colors: textures::create(gpu.device(), format, extent_of(&colors), 1, usage),
            group: None,
            edges: Vec::new(),
            outlines: Vec::new(),
            normals: Vec::new(),
        };
        kept.write(&colors);
        kept
    }

    pub(super) fn is_of(&self, model: &Rc<GpuModel>) -> bool {
        self.source.as_ptr() == Rc::as_ptr(model)
    }

    pub(super) fn is_in_use(&self) -> bool {
        self.source.strong_count() > 0
    }

    pub(super) fn byte_count(&self) -> u64 {
        let edges = self.edges.iter().map(|edges| edges.1.size());
        let outlines = self.outlines.iter().map(|outline| outline.1.size());
        textures::byte_count(&self.joint_colors) + edges.chain(outlines).sum::<u64>()
    }

    /// Marks another joint.
    pub(super) fn choose(&mut self, model: &GpuModel, joint: &str) {
        if self.joint != joint {
            joint.clone_into(&mut self.joint);
            self.write(&joint_colors(model.source(), joint));
        }
    }

    fn write(&self, colors: &[[u8; 4]]) {
        let destination = self.joint_colors.as_image_copy();
        textures::write(self.gpu.queue(), destination, colors.as_flattened(), extent_of(colors));
    }

    /// Returns the bind group that takes the place of the light's: colours of joints instead of the environment's maps.
    pub(super) fn group(&mut self, shadow: &Rc<Shadow>) -> &wgpu::BindGroup {
        if !self.group.as_ref().is_some_and(|held| Rc::ptr_eq(&held.0, shadow)) {
            self.group = None;
        }
        let (gpu, colors) = (&self.gpu, &self.joint_colors);
        let make = || {
            let colors = colors.create_view(&wgpu::TextureViewDescriptor::default());
            let views = [shadow.map(), &colors, &colors, &colors];
            let group = gpu.pipelines().light_bind_group(gpu.device(), views);
            (Rc::clone(shadow), group)
        };
        &self.group.get_or_insert_with(make).1
    }

    /// Returns the edges of a primitive, or `None` if the GPU can't hold them.
    pub(super) fn edges(&mut self, model: &GpuModel, primitive: usize) -> Option<(&wgpu::Buffer, u32)> {
        let known = self.edges.iter().position(|edges| edges.0 == primitive);
        let at = known.or_else(|| {
            let (_, source) = model.find_source(primitive)?;
            let edges = edges(&source.indices);
            let bytes = bytemuck::cast_slice(&edges);
            let buffer = filled_buffer(&self.gpu, "edges", wgpu::BufferUsages::INDEX, bytes).ok()?;
            self.edges.push((primitive, buffer, edges.len() as u32));
            Some(self.edges.len() - 1)
        })?;
        let (_, buffer, count) = &self.edges[at];
        Some((buffer, *count))
    }

    /// Returns the vertices of a primitive's outline, or `None` if the GPU can't hold them. `vertices` is the index of
    /// those that the material reads.
    pub(super) fn outline(
        &mut self,
        model: &GpuModel,
        [primitive, vertices, material]: [usize; 3],
    ) -> Option<&wgpu::Buffer> {
        let known = self.outlines.iter().position(|outline| outline.0 == [primitive, vertices]);
        let at = known.or_else(|| {
            let ([mesh, first_vertex], source) = model.find_source(primitive)?;
            if !self.normals.iter().any(|(known, _)| *known == mesh) {
                self.normals.push((mesh, model.source().meshes[mesh].joined_normals()));
            }
            let (_, normals) = self.normals.iter().find(|(known, _)| *known == mesh)?;
            let standard = Material::default();
            let material = model.source().materials.get(material).unwrap_or(&standard);
            let packed = vertices_with(&normals[first_vertex..], source, materials::uv_sets(material));
            let bytes = bytemuck::cast_slice(&packed);
            let buffer = filled_buffer(&self.gpu, "outline", wgpu::BufferUsages::VERTEX, bytes).ok()?;
            self.outlines.push(([primitive, vertices], buffer));
            Some(self.outlines.len() - 1)
        })?;
        Some(&self.outlines[at].1)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if !self.gpu.tier().needs_destroy() {
            return;
        }
        self.joint_colors.destroy();
        self.edges.iter().for_each(|edges| edges.1.destroy());
        self.outlines.iter().for_each(|outline| outline.1.destroy());
    }
}

fn extent_of(colors: &[[u8; 4]]) -> wgpu::Extent3d {
    let (width, height) = (WIDTH as u32, (colors.len() / WIDTH) as u32);
    wgpu::Extent3d { width, height, depth_or_array_layers: 1 }
}
