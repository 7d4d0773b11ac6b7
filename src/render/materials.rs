use super::Gpu;
use super::gpu_data::{MaterialData, TEXTURE_SLOT_COUNT};
use super::textures::TextureUsage;
use crate::angle::sin_cos;
use crate::model::{AlphaMode, Filter, ImageIndex, Material, Model, TextureSlot, Wrap};

/// Returns a material's textures in the order of [`MaterialData::uv_rows`], each with its usage.
pub(super) fn texture_slots(
    material: &Material,
) -> [(Option<TextureSlot>, TextureUsage); TEXTURE_SLOT_COUNT] {
    [
        (material.base_color_texture, TextureUsage::Color),
        (material.metallic_roughness_texture, TextureUsage::Data),
        (material.normal_texture, TextureUsage::Normal),
        (material.occlusion_texture, TextureUsage::Data),
        (material.emissive_texture, TextureUsage::Color),
    ]
}

/// Returns the two UV sets that are uploaded with vertices of a material: the first two that its textures use.
pub(super) fn uv_sets(material: &Material) -> [usize; 2] {
    let mut named = texture_slots(material).into_iter().filter_map(|(slot, _)| slot).map(|slot| slot.uv_set);
    let first = named.next().unwrap_or(0);
    [first, named.find(|&set| set != first).unwrap_or(first + 1)]
}

pub(super) fn material_data(material: &Material) -> MaterialData {
    let sets = uv_sets(material);
    let mut uv_rows = [[0.0; 4]; 2 * TEXTURE_SLOT_COUNT];
    for (rows, (slot, _)) in uv_rows.chunks_exact_mut(2).zip(texture_slots(material)) {
        let uv = slot.map(|slot| slot.transform).unwrap_or_default();
        let (sin, cos) = sin_cos(uv.rotation);
        let second_set = slot.is_some_and(|slot| slot.uv_set == sets[1]);
        // KHR_texture_transform rotates counter-clockwise, and v points down.
        rows[0] = [cos * uv.scale.x, sin * uv.scale.y, uv.offset.x, f32::from(u8::from(second_set))];
        rows[1] = [-sin * uv.scale.x, cos * uv.scale.y, uv.offset.y, 0.0];
    }
    MaterialData {
        base_color: material.base_color.to_array(),
        emissive: material.emissive.to_array(),
        // The neutral pixel (128, 128, 255) isn't exactly flat, so without a map the scale is 0.
        normal_scale: material.normal_texture.map_or(0.0, |_| material.normal_scale),
        metallic: material.metallic,
        roughness: material.roughness,
        occlusion_strength: material.occlusion_strength,
        alpha_cutoff: match material.alpha {
            AlphaMode::Mask { cutoff } => cutoff,
            AlphaMode::Opaque | AlphaMode::Blend => -1.0,
        },
        unlit: f32::from(u8::from(material.unlit)),
        opaque: f32::from(u8::from(material.alpha != AlphaMode::Blend)),
        padding: [0.0; 2],
        uv_rows,
    }
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
    let mut bound = texture_slots(material).map(|(slot, usage)| {
        let texture = slot.and_then(|slot| model.textures.get(slot.texture.get()));
        let view = texture.and_then(|texture| image_view(texture.image, usage));
        let sampling = texture.copied().unwrap_or_else(default_sampler);
        (view.unwrap_or_else(|| gpu.neutral_pixel(usage).clone()), gpu.sampler(&sampling))
    });
    if let Some(view) = base_color {
        let [(base_color, sampler), ..] = &mut bound;
        *base_color = view;
        if material.base_color_texture.is_none() {
            *sampler = gpu.sampler(&smooth_sampler());
        }
    }
    let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: data }];
    for (slot, (view, sampler)) in (1..).zip(&bound) {
        entries
            .push(wgpu::BindGroupEntry { binding: slot, resource: wgpu::BindingResource::TextureView(view) });
        entries.push(wgpu::BindGroupEntry {
            binding: slot + TEXTURE_SLOT_COUNT as u32,
            resource: wgpu::BindingResource::Sampler(sampler),
        });
    }
    gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("material"),
        layout: &gpu.pipelines().material_layout,
        entries: &entries,
    })
}

/// Returns sampling settings for a texture of one pixel.
fn default_sampler() -> crate::model::Texture {
    crate::model::Texture {
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
fn smooth_sampler() -> crate::model::Texture {
    let linear = Filter::Linear;
    crate::model::Texture { magnify: linear, minify: linear, mipmap: Some(linear), ..default_sampler() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{TextureIndex, UvTransform};
    use glam::{Vec2, Vec3};

    fn slot(uv_set: usize, transform: UvTransform) -> Option<TextureSlot> {
        Some(TextureSlot { texture: TextureIndex::new(0), uv_set, transform })
    }

    fn moved(rows: &[[f32; 4]], uv: Vec2) -> Vec2 {
        let dot = |row: [f32; 4]| Vec3::new(row[0], row[1], row[2]).dot(uv.extend(1.0));
        Vec2::new(dot(rows[0]), dot(rows[1]))
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
        let second_set: Vec<f32> = data.uv_rows.iter().step_by(2).map(|row| row[3]).collect();
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
        let rows = material_data(&material).uv_rows;
        assert!((moved(&rows, Vec2::X) - Vec2::new(0.5, 0.25 - 2.0)).length() < 1e-6);
        assert!((moved(&rows, Vec2::Y) - Vec2::new(0.5 + 3.0, 0.25)).length() < 1e-6);
    }

    #[test]
    fn only_blended_materials_keep_their_alpha() {
        let of = |alpha| material_data(&Material { alpha, ..Material::default() });
        assert_eq!((of(AlphaMode::Opaque).opaque, of(AlphaMode::Opaque).alpha_cutoff), (1.0, -1.0));
        assert_eq!((of(AlphaMode::Blend).opaque, of(AlphaMode::Blend).alpha_cutoff), (0.0, -1.0));
        let mask = of(AlphaMode::Mask { cutoff: 0.4 });
        assert_eq!((mask.opaque, mask.alpha_cutoff), (1.0, 0.4));
    }
}
