use super::gpu_data::{DrawData, MATERIAL_SIZE, VertexData};
use super::pipelines::{DRAW_STRIDE, Detail};
use super::rows::Rows;
use super::shader_parts::ShaderParts;
use super::textures::{self, Picture};
use super::{Gpu, RenderError, Tier, materials, primitives};
use crate::animation::{Rig, Skinning};
use crate::model::{
    Aabb, AlphaMode, ImageIndex, Material, MaterialFeatures, Model, Primitive, SkinIndex, TextureSlot,
    TextureUsage, Topology, VariantIndex,
};
use glam::{Vec3, Vec4};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// The buffers, textures and bind groups of one model on one device, shared by all its characters.
#[derive(Debug)]
pub struct GpuModel {
    tier: Tier,
    model: Arc<Model>,
    pub(super) rows_per_character: usize,
    primitives: Vec<GpuPrimitive>,
    /// Draws, ordered by drawable, then by primitive. The uniform buffer `draw_data` has the same order.
    pub(super) draws: Vec<GpuDraw>,
    /// Index of the first draw of each drawable.
    first_draw_of_drawable: Vec<usize>,
    /// Bind group of `draw_data` and the mesh rows.
    pub(super) bind_group: wgpu::BindGroup,
    /// Materials of the model, followed by the default material, for primitives without one.
    pub(super) materials: Vec<GpuMaterial>,
    /// Parts that the shaders of all its materials have.
    pub(super) shared_parts: ShaderParts,
    material_data: wgpu::Buffer,
    draw_data: wgpu::Buffer,
    rows: Rows,
    /// Textures of each image, one for each format in which materials read it; none before the image is set.
    images: RefCell<Vec<Vec<GpuImage>>>,
    /// Number of changes of `images`.
    image_changes: Cell<usize>,
    geometry_bytes: u64,
    /// Bounds of the rest pose in model space. They don't depend on what plays.
    pub(super) rest: Aabb,
}

#[derive(Debug)]
pub(super) struct GpuPrimitive {
    /// Vertices, once for each pair of UV sets that some of the materials read.
    pub(super) vertices: Vec<wgpu::Buffer>,
    uv_sets: Vec<[usize; 2]>,
    pub(super) indices: wgpu::Buffer,
    pub(super) index_format: wgpu::IndexFormat,
    pub(super) index_count: u32,
    pub(super) vertex_count: u32,
    pub(super) topology: wgpu::PrimitiveTopology,
    /// Materials of variants, and at the end the one without variants.
    looks: Vec<(Option<VariantIndex>, PrimitiveLook)>,
    center_in_mesh: Vec3,
    anchor_slot: usize,
}

/// A material of a primitive, and the index of the vertices with the UV sets that it reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrimitiveLook {
    pub(super) material: usize,
    pub(super) vertices: usize,
}

/// A draw call: one primitive of one drawable.
#[derive(Debug)]
pub(super) struct GpuDraw {
    pub(super) drawable: usize,
    pub(super) primitive: usize,
    /// Index in a character's rows of the matrix that transforms the primitive's centre and determines whether the
    /// primitive is mirrored.
    pub(super) anchor_row: usize,
    pub(super) center_in_mesh: Vec3,
    pub(super) parts: ShaderParts,
    /// Skin that moves the vertices.
    pub(super) skin: Option<SkinIndex>,
}

#[derive(Clone, Debug)]
pub(super) struct GpuMaterial {
    /// Replaced when an image of the material is set.
    pub(super) bind_group: RefCell<wgpu::BindGroup>,
    pub(super) features: MaterialFeatures,
    pub(super) parts: ShaderParts,
    pub(super) blended: bool,
    /// Fragments of the blended material may be as good as opaque.
    pub(super) has_solid_parts: bool,
    /// The shadow pass reads the material's alpha.
    pub(super) cut_out: bool,
    pub(super) double_sided: bool,
    pub(super) unlit: bool,
}

#[derive(Debug)]
struct GpuImage {
    usage: TextureUsage,
    texture: wgpu::Texture,
    byte_count: u64,
    view: wgpu::TextureView,
    /// The view has only the first mip level, and the others aren't filled yet.
    lacks_mip_levels: bool,
}

impl GpuDraw {
    /// Returns the parts that the draw needs, besides those of its material. `skinnings` is how each skin is blended;
    /// skins beyond the end are linear.
    pub(super) fn parts(&self, skinnings: &[Skinning]) -> ShaderParts {
        let skinning = self.skin.and_then(|skin| skinnings.get(skin.get()));
        match skinning {
            Some(Skinning::DualQuaternion) => self.parts.and(ShaderParts::BLENDS_ROTATIONS),
            _ => self.parts,
        }
    }
}

impl GpuModel {
    /// Copies a model to the GPU, except for its vertices and indices, which [`fill`](Self::fill) copies: shaders can
    /// be compiled meanwhile. Images are set with [`set_image`](Self::set_image) as they are decoded.
    ///
    /// # Errors
    /// `TooLarge` if a buffer or texture of rows exceeds the device's limits, or an error of the device.
    pub(super) fn new(gpu: &Gpu, rig: &Rig) -> Result<Self, RenderError> {
        let model = Arc::clone(rig.model());
        let layout = rig.palette_layout();
        let standard = Material::default();
        let materials: Vec<&Material> = model.materials.iter().chain([&standard]).collect();

        let mut mesh_rows = Vec::new();
        let mut primitives = Vec::new();
        let mut geometry_bytes = 0;
        // Index in `primitives` of each mesh's first primitive, and the part of each primitive's `DrawData` that all
        // drawables share.
        let mut first_primitive_of_mesh = Vec::new();
        let mut primitive_data = Vec::new();
        for mesh in &model.meshes {
            first_primitive_of_mesh.push(primitives.len());
            for primitive in &mesh.primitives {
                let material = primitive.material.map_or(model.materials.len(), |material| material.get());
                let uploaded = GpuPrimitive::new(gpu, primitive, &materials, material)?;
                let vertices = uploaded.vertices.iter().map(wgpu::Buffer::size);
                geometry_bytes += vertices.sum::<u64>() + uploaded.indices.size();
                primitives.push(uploaded);
                primitive_data.push(primitives::push_mesh_rows(mesh, primitive, &mut mesh_rows));
            }
        }

        let mut draws = Vec::new();
        let mut draw_bytes = Vec::new();
        let mut first_draw_of_drawable = Vec::new();
        for drawable in &layout.drawables {
            first_draw_of_drawable.push(draws.len());
            let first_primitive = first_primitive_of_mesh[drawable.mesh.get()];
            for primitive in first_primitive..first_primitive + model.mesh(drawable.mesh).primitives.len() {
                let data = DrawData {
                    rows_per_character: layout.rows_per_character as u32,
                    first_row: drawable.first_row as u32,
                    first_weight_row: drawable.first_weight_row as u32,
                    // Influences are ignored if the node has no skin.
                    skinned: primitive_data[primitive].skinned * u32::from(drawable.skin.is_some()),
                    ..primitive_data[primitive]
                };
                draw_bytes.extend_from_slice(bytemuck::bytes_of(&data));
                draw_bytes.resize((draws.len() + 1) * DRAW_STRIDE, 0);
                let uploaded = &primitives[primitive];
                let slot = if data.skinned == 0 { 0 } else { uploaded.anchor_slot };
                draws.push(GpuDraw {
                    drawable: first_draw_of_drawable.len() - 1,
                    primitive,
                    anchor_row: drawable.first_row + slot.min(drawable.slot_count.saturating_sub(1)) * 3,
                    center_in_mesh: uploaded.center_in_mesh,
                    parts: ShaderParts::of_mesh(&data),
                    skin: drawable.skin.filter(|_| data.skinned != 0),
                });
            }
        }
        draw_bytes.resize(draw_bytes.len().max(DRAW_STRIDE), 0);
        // All meshes share one shader: compiling another delays the first picture for longer than the loops take that a
        // mesh doesn't need, which end at once.
        let parts = draws.iter().fold(ShaderParts::default(), |all, draw| all.and(draw.parts));
        draws.iter_mut().for_each(|draw| draw.parts = parts);

        let rows = Rows::new(gpu, "mesh rows", mesh_rows.len())?;
        rows.write(gpu, &mesh_rows);
        let draw_data = filled_buffer(gpu, "draws", wgpu::BufferUsages::UNIFORM, &draw_bytes)?;
        geometry_bytes += rows.byte_count() + draw_data.size();
        let bind_group = gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("model"),
            layout: &gpu.pipelines().model_layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: part(&draw_data, 0, size_of::<DrawData>()) },
                wgpu::BindGroupEntry { binding: 1, resource: rows.binding() },
            ],
        });

        let mut material_bytes = Vec::new();
        for material in &materials {
            material_bytes.extend_from_slice(bytemuck::cast_slice(&materials::material_data(material)));
        }
        let material_data = filled_buffer(gpu, "materials", wgpu::BufferUsages::UNIFORM, &material_bytes)?;
        geometry_bytes += material_data.size();

        let images: Vec<Vec<GpuImage>> = model.images.iter().map(|_| Vec::new()).collect();
        // One shader for metals and for other materials: compiling a second one takes longer than it saves.
        let has_metals = model.materials.iter().any(|material| material.metallic > 0.0);
        let shared_parts = if has_metals { ShaderParts::METALLIC } else { ShaderParts::default() };
        let uploaded_materials = materials
            .iter()
            .enumerate()
            .map(|(index, material)| {
                let data = part(&material_data, index * MATERIAL_SIZE, MATERIAL_SIZE);
                let bind_group = bind_material(gpu, &model, material, data, None, &images);
                GpuMaterial::new(material, shared_parts, bind_group)
            })
            .collect();
        Ok(Self {
            tier: gpu.tier(),
            rows_per_character: layout.rows_per_character,
            primitives,
            draws,
            first_draw_of_drawable,
            bind_group,
            materials: uploaded_materials,
            shared_parts,
            material_data,
            draw_data,
            rows,
            images: RefCell::new(images),
            image_changes: Cell::new(0),
            geometry_bytes,
            rest: Aabb { min: Vec3::ZERO, max: Vec3::Y },
            model,
        })
    }

    /// Copies vertices and indices.
    ///
    /// # Errors
    /// An error of the device.
    pub(super) fn fill(&mut self, gpu: &Gpu, rig: &Rig) -> Result<(), RenderError> {
        let sources = self.model.meshes.iter().flat_map(|mesh| &mesh.primitives);
        for (primitive, source) in self.primitives.iter().zip(sources) {
            for (buffer, &sets) in primitive.vertices.iter().zip(&primitive.uv_sets) {
                let vertices = primitives::packed_vertices(source, sets);
                gpu.queue().write_buffer(buffer, 0, bytemuck::cast_slice(&vertices));
            }
            let mut narrow = Vec::new();
            let mut indices = bytemuck::cast_slice(&source.indices);
            if primitive.index_format == wgpu::IndexFormat::Uint16 {
                narrow.extend(source.indices.iter().map(|&index| index as u16));
                // A multiple of four bytes is written.
                narrow.resize(narrow.len().next_multiple_of(2), 0_u16);
                indices = bytemuck::cast_slice(&narrow);
            }
            gpu.queue().write_buffer(&primitive.indices, 0, indices);
        }
        if let Some(rest) = rig.sweep(None) {
            self.rest = rest.bounds;
        }
        gpu.check_health()
    }

    /// Returns whether the model has lights, which change the shaders of its materials.
    pub(super) fn has_lights(&self) -> bool {
        !self.model.lights.is_empty()
    }

    /// Uploads an image and binds it to the materials that read it. An image that is set already is kept.
    ///
    /// # Errors
    /// `NoSuch` if there is no such image, `EmptyImage`, `TooLarge` if it exceeds
    /// [`Gpu::max_texture_size`], `WrongPixelCount`, or an error of the device.
    pub fn set_image(&self, gpu: &Gpu, image: ImageIndex, picture: &Picture) -> Result<(), RenderError> {
        match self.images.borrow().get(image.get()) {
            None => return Err(RenderError::NoSuch { what: "image", index: image.get() }),
            Some(textures) if textures.is_empty() => {}
            Some(_) => return Ok(()),
        }
        let may_lack_levels = gpu.pipelines().next_detail() < Detail::MipLevels;
        let mut uploaded = Vec::new();
        for usage in self.usages(image) {
            let texture = picture.upload(gpu, usage)?;
            let lacks_mip_levels = may_lack_levels && textures::needs_mip_levels(&texture);
            let view = if lacks_mip_levels {
                textures::level(&texture, 0)
            } else {
                textures::with_mip_levels(gpu, &texture)
            };
            let byte_count = picture.byte_count(&texture);
            uploaded.push(GpuImage { usage, byte_count, texture, view, lacks_mip_levels });
        }
        self.images.borrow_mut()[image.get()] = uploaded;
        self.bind_images(gpu, |slot| self.reads(slot, image));
        gpu.check_health()
    }

    /// Fills the mip levels of images that were set without them.
    pub(super) fn fill_mip_levels(&self, gpu: &Gpu) {
        let mut has_filled = false;
        for image in self.images.borrow_mut().iter_mut().flatten() {
            if std::mem::take(&mut image.lacks_mip_levels) {
                image.view = textures::with_mip_levels(gpu, &image.texture);
                has_filled = true;
            }
        }
        if has_filled {
            self.bind_images(gpu, |slot| slot.is_some());
        }
    }

    /// Binds the images again for the materials of which a texture is concerned.
    fn bind_images(&self, gpu: &Gpu, is_concerned: impl Fn(Option<&TextureSlot>) -> bool) {
        for (index, material) in self.model.materials.iter().enumerate() {
            if materials::drawn_slots(material).iter().any(|drawn| is_concerned(drawn.2)) {
                let data = part(&self.material_data, index * MATERIAL_SIZE, MATERIAL_SIZE);
                self.materials[index].bind_group.replace(self.bind_material(gpu, material, data, None));
            }
        }
        self.image_changes.set(self.image_changes.get() + 1);
    }

    /// Creates a material's bind group with the images that are uploaded. `base_color` replaces the base colour
    /// texture.
    pub(super) fn bind_material(
        &self,
        gpu: &Gpu,
        material: &Material,
        data: wgpu::BindingResource<'_>,
        base_color: Option<wgpu::TextureView>,
    ) -> wgpu::BindGroup {
        bind_material(gpu, &self.model, material, data, base_color, &self.images.borrow())
    }

    /// Iterates over the images that some material reads. The others needn't be decoded.
    pub fn images_in_use(&self) -> impl Iterator<Item = ImageIndex> + '_ {
        let used = move |&image: &ImageIndex| !self.usages(image).is_empty();
        (0..self.model.images.len()).map(ImageIndex::new).filter(used)
    }

    pub fn gpu_bytes(&self) -> u64 {
        let images = self.images.borrow();
        let images = images.iter().flatten().map(|image| image.byte_count);
        self.geometry_bytes + images.sum::<u64>()
    }

    /// Returns the number of changes of the images, after each of which bind groups have to be created again.
    pub fn image_changes(&self) -> usize {
        self.image_changes.get()
    }

    /// Returns whether this is a copy of the model. Models are compared by pointer.
    pub(super) fn is_of(&self, model: &Arc<Model>) -> bool {
        Arc::ptr_eq(&self.model, model)
    }

    pub(super) fn primitive(&self, draw: &GpuDraw) -> &GpuPrimitive {
        &self.primitives[draw.primitive]
    }

    pub(super) fn source(&self) -> &Model {
        &self.model
    }

    /// Returns a primitive of the model by its index in the GPU's list, with the index of its mesh and the number of
    /// vertices of the mesh before its own.
    pub(super) fn find_source(&self, primitive: usize) -> Option<([usize; 2], &Primitive)> {
        let mut left = primitive;
        for (index, mesh) in self.model.meshes.iter().enumerate() {
            if let Some(found) = mesh.primitives.get(left) {
                let before = mesh.primitives[..left].iter().map(|primitive| primitive.positions.len());
                return Some(([index, before.sum()], found));
            }
            left -= mesh.primitives.len();
        }
        None
    }

    /// Returns the index in `draws` of a primitive of a drawable.
    pub(super) fn find_draw(&self, drawable: usize, primitive: usize) -> Result<usize, RenderError> {
        let mut ends = self.first_draw_of_drawable.iter().copied().chain([self.draws.len()]).skip(drawable);
        let (Some(first), Some(end)) = (ends.next(), ends.next()) else {
            return Err(RenderError::NoSuch { what: "drawable", index: drawable });
        };
        let draw = first + primitive;
        if draw < end { Ok(draw) } else { Err(RenderError::NoSuch { what: "primitive", index: primitive }) }
    }

    pub(super) fn drawable_count(&self) -> usize {
        self.first_draw_of_drawable.len()
    }

    fn reads(&self, slot: Option<&TextureSlot>, image: ImageIndex) -> bool {
        let texture = slot.and_then(|slot| self.model.textures.get(slot.texture.get()));
        texture.is_some_and(|texture| texture.image == image)
    }

    /// Returns the usages of an image by materials, one for each texture format: colours and data need separate
    /// textures.
    fn usages(&self, image: ImageIndex) -> Vec<TextureUsage> {
        let mut usages: Vec<TextureUsage> = Vec::new();
        for (_, row, slot) in self.model.materials.iter().flat_map(materials::drawn_slots) {
            let format = textures::format(row.usage);
            if self.reads(slot, image) && !usages.iter().any(|&known| textures::format(known) == format) {
                usages.push(row.usage);
            }
        }
        usages
    }
}

impl Drop for GpuModel {
    fn drop(&mut self) {
        if !self.tier.needs_destroy() {
            return;
        }
        for primitive in &self.primitives {
            primitive.vertices.iter().for_each(wgpu::Buffer::destroy);
            primitive.indices.destroy();
        }
        self.material_data.destroy();
        self.draw_data.destroy();
        self.rows.destroy();
        for image in self.images.get_mut().iter().flatten() {
            image.texture.destroy();
        }
    }
}

impl GpuMaterial {
    /// `shared_parts` are those of all materials of the model.
    pub(super) fn new(material: &Material, shared_parts: ShaderParts, bind_group: wgpu::BindGroup) -> Self {
        Self {
            bind_group: RefCell::new(bind_group),
            features: material.features(),
            parts: ShaderParts::of_material(material).and(shared_parts),
            blended: material.alpha == AlphaMode::Blend,
            has_solid_parts: material.alpha == AlphaMode::Blend
                && material.base_color.w >= materials::SOLID_ALPHA,
            cut_out: material.alpha != AlphaMode::Opaque,
            double_sided: material.double_sided,
            unlit: material.unlit,
        }
    }
}

impl GpuPrimitive {
    fn new(
        gpu: &Gpu,
        primitive: &Primitive,
        materials: &[&Material],
        material: usize,
    ) -> Result<Self, RenderError> {
        let vertex_count = primitive.positions.len();
        let (mut vertices, mut uv_sets, mut looks) = (Vec::new(), Vec::new(), Vec::new());
        for nth in 0..=primitive.variants.len() {
            let variant = primitive.variants.get(nth);
            let material = variant.map_or(material, |variant| variant.1.get());
            let sets = materials::uv_sets(materials[material]);
            let mut at = uv_sets.len();
            for (known, packed) in uv_sets.iter().enumerate() {
                if *packed == sets {
                    at = known;
                }
            }
            if at == uv_sets.len() {
                let size = vertex_count * size_of::<VertexData>();
                vertices.push(buffer(gpu, "vertices", wgpu::BufferUsages::VERTEX, size)?);
                uv_sets.push(sets);
            }
            looks.push((variant.map(|variant| variant.0), PrimitiveLook { material, vertices: at }));
        }

        // Some drivers restart the primitive at the index 65535, so 16-bit indices stay below it.
        let short = vertex_count < usize::from(u16::MAX);
        let index_size = if short { size_of::<u16>() } else { size_of::<u32>() };
        let size = primitive.indices.len() * index_size;
        let indices = buffer(gpu, "indices", wgpu::BufferUsages::INDEX, size)?;
        let (center_in_mesh, anchor_slot) = primitives::anchor(primitive);
        Ok(Self {
            vertices,
            uv_sets,
            indices,
            index_format: if short { wgpu::IndexFormat::Uint16 } else { wgpu::IndexFormat::Uint32 },
            index_count: primitive.indices.len() as u32,
            vertex_count: vertex_count as u32,
            topology: match primitive.topology {
                Topology::Points => wgpu::PrimitiveTopology::PointList,
                Topology::Lines => wgpu::PrimitiveTopology::LineList,
                Topology::Triangles => wgpu::PrimitiveTopology::TriangleList,
            },
            looks,
            center_in_mesh,
            anchor_slot,
        })
    }

    /// Returns the material of a variant, or the one without variants.
    pub(super) fn look(&self, variant: Option<VariantIndex>) -> PrimitiveLook {
        let last = self.looks.len() - 1;
        self.looks[self.looks.iter().position(|look| look.0 == variant).unwrap_or(last)].1
    }
}

fn bind_material(
    gpu: &Gpu,
    model: &Model,
    material: &Material,
    data: wgpu::BindingResource<'_>,
    base_color: Option<wgpu::TextureView>,
    images: &[Vec<GpuImage>],
) -> wgpu::BindGroup {
    materials::bind_group(gpu, model, material, data, base_color, |image, usage| {
        let is_wanted = |known: &&GpuImage| textures::format(known.usage) == textures::format(usage);
        let uploaded = images.get(image.get())?.iter().find(is_wanted)?;
        Some(uploaded.view.clone())
    })
}

pub(super) fn part(buffer: &wgpu::Buffer, offset: usize, size: usize) -> wgpu::BindingResource<'_> {
    wgpu::BindingResource::Buffer(wgpu::BufferBinding {
        buffer,
        offset: offset as u64,
        size: wgpu::BufferSize::new(size as u64),
    })
}

/// Creates a buffer that is written once, with a multiple of four bytes.
pub(super) fn filled_buffer(
    gpu: &Gpu,
    label: &'static str,
    usage: wgpu::BufferUsages,
    bytes: &[u8],
) -> Result<wgpu::Buffer, RenderError> {
    let buffer = buffer(gpu, label, usage, bytes.len())?;
    gpu.queue().write_buffer(&buffer, 0, bytes);
    Ok(buffer)
}

/// Creates a buffer for a number of bytes. It has at least 16, since bindings must not be empty.
fn buffer(
    gpu: &Gpu,
    label: &'static str,
    usage: wgpu::BufferUsages,
    size: usize,
) -> Result<wgpu::Buffer, RenderError> {
    let needed = size.next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT as usize).max(16) as u64;
    let limit = gpu.limits().max_buffer_size;
    if needed > limit {
        return Err(RenderError::TooLarge { what: label, needed, limit });
    }
    Ok(gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: needed,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    }))
}

/// Returns the rows of the 3×4 matrix that starts at `row`, or `None` if it is out of range.
pub(super) fn matrix_at(rows: &[Vec4], row: usize) -> Option<[Vec4; 3]> {
    rows.get(row..row + 3).and_then(|rows| rows.try_into().ok())
}
