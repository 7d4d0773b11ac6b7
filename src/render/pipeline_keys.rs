//! The keys by which pipelines are found.

use super::gpu_model::{GpuMaterial, GpuPrimitive};
use super::pipelines::{Detail, HIGH_RANGE_FORMAT};
use super::shader_parts::ShaderParts;
use super::shaders::Module;
use crate::model::{MaterialFeature, MaterialFeatures};

/// Identifies a render pipeline. Pipelines are created on first use and kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PipelineKey {
    Mesh(MeshKey),
    Shadow(ShadowKey),
    ReadBack(ShaderParts),
    Ground(wgpu::TextureFormat),
    /// Lines, for a format and a number of samples.
    Lines(wgpu::TextureFormat, u32),
    Halve(wgpu::TextureFormat),
    BlurAcross,
    BlurAlong,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MeshKey {
    pub(super) features: MaterialFeatures,
    /// Draws the core of the material alone.
    pub(super) is_plain: bool,
    pub(super) parts: ShaderParts,
    pub(super) topology: wgpu::PrimitiveTopology,
    pub(super) cull: Option<wgpu::Face>,
    /// The transform mirrors the mesh, so that front faces are clockwise.
    pub(super) mirrored: bool,
    pub(super) blended: bool,
    pub(super) format: wgpu::TextureFormat,
    pub(super) samples: u32,
}

/// Identifies a pipeline of the shadow pass. Faces are culled and cut out as in the picture, so that a face that is
/// invisible from the light casts no shadow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShadowKey {
    pub(super) parts: ShaderParts,
    pub(super) cull: Option<wgpu::Face>,
    pub(super) mirrored: bool,
    /// Discards fragments by the alpha of a material with these features. Other materials are drawn without a
    /// fragment shader.
    pub(super) cut_out: Option<MaterialFeatures>,
}

impl MeshKey {
    pub(super) fn new(
        parts: ShaderParts,
        primitive: &GpuPrimitive,
        material: &GpuMaterial,
        format: wgpu::TextureFormat,
        detail: Detail,
        has_lamps: bool,
        has_occlusion: bool,
    ) -> Self {
        let is_flat = primitive.topology != wgpu::PrimitiveTopology::TriangleList;
        let is_solid = !material.blended && material.features.has_room();
        let is_occluded = has_occlusion && is_solid && detail >= Detail::Whole;
        let is_lit = !material.unlit;
        let needs = [has_lamps && is_lit, is_occluded && is_lit, format == HIGH_RANGE_FORMAT && is_lit];
        Self {
            features: material.features.in_picture(needs),
            is_plain: detail < Detail::Shadow && !has_lamps && only_refines(material.features),
            parts: parts.and(material.parts).and(match detail {
                Detail::Model | Detail::MipLevels | Detail::Light => ShaderParts::default(),
                // A first tint doesn't wait for another shader.
                Detail::Shadow | Detail::Whole => ShaderParts::SHADOWED.and(ShaderParts::TINTED),
            }),
            topology: primitive.topology,
            cull: if is_flat || material.double_sided { None } else { Some(wgpu::Face::Back) },
            mirrored: false,
            blended: material.blended,
            format,
            samples: detail.samples(),
        }
    }

    pub(super) fn is_flat(&self) -> bool {
        self.topology != wgpu::PrimitiveTopology::TriangleList
    }

    /// Returns whether the alpha chooses the samples that are drawn, for the smooth edge of a cut-out. The alpha of a
    /// transmissive one also depends on what is behind. Views have hard edges.
    pub(super) fn covers_by_alpha(&self) -> bool {
        self.samples > 1
            && self.parts.cuts_out()
            && !self.parts.is_of_view()
            && !self.features.contains(MaterialFeature::Transmission)
    }

    /// Returns the pipeline that draws the solid parts of a blended primitive.
    pub(super) fn solid_parts(self) -> Self {
        Self { blended: false, parts: self.parts.and(ShaderParts::CUT_OUT), ..self }
    }

    /// Returns the pipelines that draw the primitive, in this order. Back faces that are visible through front faces
    /// are drawn before these.
    pub(super) fn passes(self) -> impl Iterator<Item = Self> {
        let is_seen_through = self.blended || self.features.contains(MaterialFeature::Transmission);
        let twice = is_seen_through && self.cull.is_none() && !self.is_flat();
        let culls = if twice { [Some(wgpu::Face::Front), Some(wgpu::Face::Back)] } else { [self.cull; 2] };
        culls.into_iter().take(1 + usize::from(twice)).map(move |cull| Self { cull, ..self })
    }

    /// Returns whether this pipeline draws the back faces of a primitive that another one draws the front faces of.
    pub(super) fn draws_back_faces(&self) -> bool {
        self.cull == Some(wgpu::Face::Front)
    }

    /// Returns the pipeline that draws the primitive into the shadow map, or `None` for points and lines, which cast
    /// no shadow. `more` has further parts of the shader.
    pub(super) fn shadow(&self, material: &GpuMaterial, more: ShaderParts) -> Option<ShadowKey> {
        let Self { cull, mirrored, .. } = *self;
        let cut_out = material.cut_out.then_some(material.features);
        let read = if cut_out.is_some() { Module::Shadow } else { Module::ReadBack };
        let parts = self.parts.within(read).and(more);
        // The winding order doesn't matter when both sides of a face cast a shadow.
        (!self.is_flat()).then_some(ShadowKey { parts, cull, mirrored: mirrored && cull.is_some(), cut_out })
    }
}

/// Returns whether a material looks much the same without its extensions.
fn only_refines(features: MaterialFeatures) -> bool {
    use MaterialFeature::{Anisotropy, Clearcoat, Core, Ior, Iridescence, Sheen, Specular};
    features.iter().all(|feature| {
        matches!(feature, Core | Clearcoat | Specular | Ior | Sheen | Iridescence | Anisotropy)
    })
}
