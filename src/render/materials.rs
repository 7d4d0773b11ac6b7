use super::Gpu;
use super::gpu_data::{MATERIAL_SIZE, slot_bindings};
use crate::angle::sin_cos;
use crate::model::material_table::{FACTORS, TEXTURES, TextureRow};
use crate::model::{
    AlphaMode, Filter, ImageIndex, Material, MaterialFeature, MaterialFeatures, Model, Texture, TextureSlot,
    TextureUsage, Wrap,
};

/// A texture slot that a material's shader reads: index in [`TEXTURES`], row, and the texture.
type DrawnSlot<'a> = (usize, &'static TextureRow, Option<&'a TextureSlot>);

/// Returns the texture slots that a material's shader reads.
pub(super) fn drawn_slots(material: &Material) -> Vec<DrawnSlot<'_>> {
    let features = material.features();
    let mut drawn = Vec::new();
    for (index, (row, slot)) in TEXTURES.iter().zip(material.textures()).enumerate() {
        if features.reads(index) {
            drawn.push((index, row, slot));
        }
    }
    drawn
}

/// Returns the two UV sets that are uploaded with vertices of a material: the first two that its textures use.
pub(super) fn uv_sets(material: &Material) -> [usize; 2] {
    let drawn = drawn_slots(material);
    let mut named = drawn.iter().filter_map(|(_, _, slot)| Some(slot.as_ref()?.uv_set));
    let first = named.next().unwrap_or(0);
    [first, named.find(|&set| set != first).unwrap_or(first + 1)]
}

/// Alpha from which on a blended surface is as good as opaque.
pub(super) const SOLID_ALPHA: f32 = 0.95;

/// Returns WGSL `Material`, followed by zeros: for each feature its factors and then its UV transforms, two rows for
/// each texture slot: (a, b, offset u, index of the UV set), (c, d, offset v, unused). Materials without extensions
/// have the core alone.
pub fn material_data(material: &Material) -> [f32; MATERIAL_SIZE / 4] {
    let sets = uv_sets(material);
    let slots = material.textures();
    let is_extended = material.features() != MaterialFeatures::CORE;
    let mut data = Vec::with_capacity(MATERIAL_SIZE / 4);
    for &feature in MaterialFeature::ALL.iter().take(if is_extended { usize::MAX } else { 1 }) {
        for (row, numbers) in FACTORS.iter().zip(material.factors()).filter(|(row, _)| row.feature == feature)
        {
            // The neutral pixel (128, 128, 255) isn't exactly flat, so without a map its scale is 0.
            let is_neutral = row.texture().is_some_and(|texture| slots[texture].is_none());
            data.extend(numbers.iter().map(|number| if is_neutral { 0.0 } else { *number }));
        }
        if feature == MaterialFeature::Core {
            // Where the alpha is below the cutoff, nothing is drawn, or the solid parts of what blends end.
            data.push(match material.alpha {
                AlphaMode::Mask { cutoff } => cutoff,
                AlphaMode::Blend => SOLID_ALPHA,
                AlphaMode::Opaque => -1.0,
            });
            // 1 to ignore alpha.
            data.push(f32::from(u8::from(material.alpha != AlphaMode::Blend)));
        }
        data.resize(data.len().next_multiple_of(4), 0.0);
        for (_, slot) in TEXTURES.iter().zip(slots).filter(|(row, _)| row.feature == feature) {
            let uv = slot.map(|slot| slot.transform).unwrap_or_default();
            let (sin, cos) = sin_cos(uv.rotation);
            let second_set = slot.is_some_and(|slot| slot.uv_set == sets[1]);
            // KHR_texture_transform rotates counter-clockwise, and v points down.
            data.extend([cos * uv.scale.x, sin * uv.scale.y, uv.offset.x, f32::from(u8::from(second_set))]);
            data.extend([-sin * uv.scale.x, cos * uv.scale.y, uv.offset.y, 0.0]);
        }
    }
    let mut whole = [0.0; MATERIAL_SIZE / 4];
    whole[..data.len()].copy_from_slice(&data);
    whole
}

/// Creates a material's bind group with the images that are uploaded, and with neutral pixels for the others.
/// `base_color` replaces the base colour texture.
pub(super) fn bind_group(
    gpu: &Gpu,
    model: &Model,
    material: &Material,
    data: wgpu::BindingResource<'_>,
    base_color: Option<wgpu::TextureView>,
    image_view: impl Fn(ImageIndex, TextureUsage) -> Option<wgpu::TextureView>,
) -> wgpu::BindGroup {
    let mut bound = Vec::new();
    for (index, row, slot) in drawn_slots(material) {
        let texture = slot.and_then(|slot| model.textures.get(slot.texture.get()));
        let mut view = texture.and_then(|texture| image_view(texture.image, row.usage));
        let mut plain: fn() -> Texture = default_sampler;
        // The base colour is the first slot.
        if let (0, Some(own)) = (index, &base_color) {
            (view, plain) = (Some(own.clone()), smooth_sampler);
        }
        let view = view.unwrap_or_else(|| gpu.neutral_pixel(row.usage).clone());
        bound.push((slot_bindings(index), view, gpu.sampler(&texture.copied().unwrap_or_else(plain))));
    }
    let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: data }];
    for ([texture, sampler], view, own_sampler) in &bound {
        let resource = wgpu::BindingResource::TextureView(view);
        entries.push(wgpu::BindGroupEntry { binding: *texture, resource });
        let resource = wgpu::BindingResource::Sampler(own_sampler);
        entries.push(wgpu::BindGroupEntry { binding: *sampler, resource });
    }
    gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("material"),
        layout: &gpu.pipelines().material_layout(gpu.device(), material.features()),
        entries: &entries,
    })
}

/// Returns sampling settings for a texture of one pixel.
fn default_sampler() -> Texture {
    Texture {
        image: ImageIndex::default(),
        magnify: Filter::Nearest,
        minify: Filter::Nearest,
        mipmap: None,
        wrap_u: Wrap::Repeat,
        wrap_v: Wrap::Repeat,
    }
}

/// Returns sampling settings for a picture on a material without a base colour texture. By default, glTF prescribes
/// repeat wrapping and leaves the filters to the implementation.
fn smooth_sampler() -> Texture {
    let linear = Filter::Linear;
    Texture { magnify: linear, minify: linear, mipmap: Some(linear), ..default_sampler() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{TextureIndex, UvTransform};
    use glam::{Vec2, Vec3};

    fn slot(uv_set: usize, transform: UvTransform) -> Option<TextureSlot> {
        Some(TextureSlot { texture: TextureIndex::new(0), uv_set, transform })
    }

    /// Offsets of numbers in WGSL `Material`, in floats.
    const ALPHA_CUTOFF: usize = 11;
    const OPAQUE: usize = 12;
    const UV_ROWS: usize = 16;

    fn moved(rows: &[f32], uv: Vec2) -> Vec2 {
        let dot = |row: &[f32]| Vec3::new(row[0], row[1], row[2]).dot(uv.extend(1.0));
        Vec2::new(dot(&rows[..4]), dot(&rows[4..]))
    }

    #[test]
    fn vertices_carry_the_two_sets_that_textures_name() {
        let material = Material {
            base_color_texture: slot(3, UvTransform::IDENTITY),
            normal_texture: slot(3, UvTransform::IDENTITY),
            emissive_texture: slot(1, UvTransform::IDENTITY),
            ..Material::default()
        };
        assert_eq!(uv_sets(&material), [3, 1]);
        let data = material_data(&material);
        let second_set: Vec<f32> = data[UV_ROWS..].chunks(8).take(5).map(|rows| rows[3]).collect();
        assert_eq!(second_set, [0.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn uv_transforms_scale_then_turn_then_move() {
        // The matrices of KHR_texture_transform, multiplied out by hand: translation · rotation · scale.
        let transform = UvTransform {
            offset: Vec2::new(0.5, 0.25),
            rotation: std::f32::consts::FRAC_PI_2,
            scale: Vec2::new(2.0, 3.0),
        };
        let material = Material { base_color_texture: slot(0, transform), ..Material::default() };
        let data = material_data(&material);
        let rows = &data[UV_ROWS..UV_ROWS + 8];
        assert!((moved(rows, Vec2::X) - Vec2::new(0.5, 0.25 - 2.0)).length() < 1e-6);
        assert!((moved(rows, Vec2::Y) - Vec2::new(0.5 + 3.0, 0.25)).length() < 1e-6);
    }

    #[test]
    fn only_blended_materials_keep_their_alpha() {
        let of = |alpha| {
            let data = material_data(&Material { alpha, ..Material::default() });
            [data[OPAQUE], data[ALPHA_CUTOFF]]
        };
        assert_eq!(of(AlphaMode::Opaque), [1.0, -1.0]);
        assert_eq!(of(AlphaMode::Blend), [0.0, SOLID_ALPHA]);
        assert_eq!(of(AlphaMode::Mask { cutoff: 0.4 }), [1.0, 0.4]);
    }
}
