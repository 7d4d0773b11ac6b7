use super::gpu_model::matrix_at;
use super::pipelines::{PipelineKey, SHADOW_FORMAT, blit, color_pass};
use super::{Frame, Gpu, Ground};
use crate::model::Aabb;
use glam::{Vec2, Vec3, Vec4};

/// From the ground towards the key light, unit length: steep enough that the shadow stays near the feet.
pub(super) const TOWARDS_KEY_LIGHT: Vec3 = Vec3::new(-0.358_057, 0.832_69, 0.422_341);

/// Texels along a side of the shadow: few, since it is blurred anyway.
const SIDE: u32 = 256;
/// A crowd's shadow covers more.
const CROWD_SIDE: u32 = 1024;
/// Room around the shadow for its blur, as a share of its side.
const BLUR_ROOM: f32 = 1.2;

/// Where the shadow lies. Its square also centres the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ShadowArea {
    pub(super) center: Vec2,
    pub(super) half_side: f32,
    pub(super) reach: f32,
}

impl ShadowArea {
    pub(super) fn of(frame: &Frame<'_>, ground: &Ground) -> Self {
        let bounds = world_bounds(frame).unwrap_or(Aabb { min: Vec3::NEG_ONE, max: Vec3::ONE });
        let tallest = (bounds.max.y - ground.height).max(1e-3);
        let slide = -Vec2::new(TOWARDS_KEY_LIGHT.x, TOWARDS_KEY_LIGHT.z) / TOWARDS_KEY_LIGHT.y * tallest;
        let (min, max) = (Vec2::new(bounds.min.x, bounds.min.z), Vec2::new(bounds.max.x, bounds.max.z));
        let (low, high) = (min.min(min + slide), max.max(max + slide));
        // The ground stays under the feet; the shadow's square is wide enough for its slant.
        let center = (min + max) * 0.5;
        let half_side = (high - center).max(center - low).max_element() * BLUR_ROOM;
        Self { center, half_side: half_side.max(1e-3), reach: tallest * 1.4 }
    }
}

/// Around all characters, as far as the frame tells.
fn world_bounds(frame: &Frame<'_>) -> Option<Aabb> {
    let model = frame.model?;
    let in_model = frame.clip_bounds?;
    let (center, half) = (in_model.center(), (in_model.max - in_model.min) * 0.5);
    let of = |character: usize| {
        let rows = matrix_at(frame.rows, character * model.rows_per_character)?;
        let center = Vec3::from_array(rows.map(|row: Vec4| row.dot(center.extend(1.0))));
        let half = Vec3::from_array(rows.map(|row| row.truncate().abs().dot(half)));
        let aabb = Aabb { min: center - half, max: center + half };
        (aabb.min.is_finite() && aabb.max.is_finite()).then_some(aabb)
    };
    (0..frame.character_count).filter_map(of).reduce(|held, aabb| held.union(&aabb))
}

/// The shadow's texture, and the one it is blurred through.
#[derive(Debug)]
pub(super) struct ShadowTarget {
    side: u32,
    sharp: wgpu::TextureView,
    blurred: wgpu::TextureView,
    read_sharp: wgpu::BindGroup,
    read_blurred: wgpu::BindGroup,
}

impl ShadowTarget {
    /// Keeps what is there if it serves.
    pub(super) fn prepare<'a>(held: &'a mut Option<Self>, gpu: &Gpu, character_count: usize) -> &'a Self {
        let side = if character_count > 1 { CROWD_SIDE } else { SIDE };
        if held.as_ref().is_some_and(|target| target.side < side) {
            *held = None;
        }
        held.get_or_insert_with(|| Self::new(gpu, side))
    }

    fn new(gpu: &Gpu, side: u32) -> Self {
        let make = |label| {
            let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: SHADOW_FORMAT,
                usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let (sharp, blurred) = (make("shadow"), make("blurred shadow"));
        let read_sharp = gpu.pipelines().blit_bind_group(gpu.device(), &sharp);
        let read_blurred = gpu.pipelines().blit_bind_group(gpu.device(), &blurred);
        Self { side, sharp, blurred, read_sharp, read_blurred }
    }

    pub(super) fn byte_count(&self) -> u64 {
        2 * u64::from(self.side) * u64::from(self.side)
    }

    /// The pass that shadows are drawn into; [`blur`](Self::blur) comes after.
    pub(super) fn begin_pass<'encoder>(
        &self,
        encoder: &'encoder mut wgpu::CommandEncoder,
    ) -> wgpu::RenderPass<'encoder> {
        color_pass(encoder, "shadow", &self.sharp, wgpu::Color::TRANSPARENT)
    }

    pub(super) fn blur(&self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder) {
        let across = gpu.pipelines().get(gpu.device(), PipelineKey::BlurAcross);
        blit(encoder, "blur across", &across, &self.read_sharp, &self.blurred);
        let along = gpu.pipelines().get(gpu.device(), PipelineKey::BlurAlong);
        blit(encoder, "blur along", &along, &self.read_blurred, &self.sharp);
    }

    /// Draws the floor.
    pub(super) fn draw(&self, gpu: &Gpu, pass: &mut wgpu::RenderPass<'_>, format: wgpu::TextureFormat) {
        pass.set_pipeline(&gpu.pipelines().get(gpu.device(), PipelineKey::Ground(format)));
        pass.set_bind_group(1, &self.read_sharp, &[]);
        pass.draw(0..4, 0..1);
    }
}
