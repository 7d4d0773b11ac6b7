//! Still pictures, refined: the mean of several pictures whose samples are at other places of each pixel.
//!
//! ```text
//! picture ─┐
//! sum ─────┴─▶ the other sum ─▶ the mean, on the canvas
//! ```
//!
//! Pages fetch this code when a picture has been still for a while. Only [`Renderer::refine`], which an export calls,
//! refers to what it keeps.

use super::cover::Cover;
use super::layouts::{bind, entry, texture};
use super::pipelines::{Detail, HIGH_RANGE_FORMAT, color_pass};
use super::shaders::module_of_one_file;
use super::{Frame, RenderError, Renderer, Tier, textures};
use crate::angle::GOLDEN_ANGLE;
use crate::camera::View;
use glam::{Mat4, Vec2};

/// Number of pictures in a mean: one in place and pairs around it. `still.wgsl` holds their sums exactly.
const PICTURES: u32 = 15;
/// Greatest distance of samples from their places, in pixels. The four samples of a picture are half a pixel apart.
const SPREAD: f32 = 0.35;
/// Largest number of pixels that is refined: those of a screen of 3840 × 2160. Each takes 20 bytes meanwhile.
const MOST_PIXELS: u64 = 3840 * 2160;

const SUM_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

impl Renderer {
    /// Draws a picture that hasn't changed since the last call of [`draw`](Self::draw) with its samples at other
    /// places, and presents the mean of all such pictures. Returns whether another call refines it further.
    ///
    /// # Errors
    /// The errors of [`draw`](Self::draw).
    pub fn refine(&mut self, frame: &Frame<'_>) -> Result<bool, RenderError> {
        let (width, height) = self.size();
        // Sums of light brighter than white wouldn't be exact.
        if !self.gpu.draws_floats()
            || self.format == HIGH_RANGE_FORMAT
            || u64::from(width) * u64::from(height) > MOST_PIXELS
        {
            return Ok(false);
        }
        let Some(canvas) = self.canvas_texture()? else { return Ok(false) };
        let view = canvas.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let kept = self.still.take().and_then(|kept| kept.downcast::<Still>().ok());
        let mut still = kept.unwrap_or_else(|| Box::new(Still::new(self)));
        let shifted = shifted(frame.view, place(still.count) / Vec2::new(width as f32, height as f32));
        let mut encoder = self.encoder();
        self.record_frame(&mut encoder, &still.picture, &Frame { view: &shifted, ..*frame }, Detail::Whole)?;
        still.add(&mut encoder);
        still.show(&mut encoder, &view);
        self.present(encoder, canvas);
        let goes_on = still.count < PICTURES;
        if goes_on {
            self.still = Some(still);
        }
        Ok(goes_on)
    }
}

/// Returns by how many pixels the samples of a picture are shifted. The first has none, and pictures come in pairs with
/// opposite shifts, so that the mean doesn't move. Shifts fill a disk as evenly as the seeds of a sunflower do.
fn place(picture: u32) -> Vec2 {
    let pair = picture.div_ceil(2) as f32;
    let share = pair / (PICTURES / 2) as f32;
    let direction = Vec2::from_angle(pair * GOLDEN_ANGLE);
    direction * (SPREAD * share.sqrt()) * if picture.is_multiple_of(2) { 1.0 } else { -1.0 }
}

/// Returns a view whose picture is shifted by a share of its size.
fn shifted(view: &View, by: Vec2) -> View {
    // From −1 to 1 are two.
    let shift = Mat4::from_translation((by * 2.0).extend(0.0));
    View { projection_from_view: shift * view.projection_from_view, ..*view }
}

/// What is kept from one picture to the next.
struct Still {
    tier: Tier,
    /// Number of pictures in the sum.
    count: u32,
    picture: wgpu::TextureView,
    /// Even numbers of pictures are in the first sum, odd ones in the second.
    sums: [wgpu::TextureView; 2],
    /// Groups of the picture with each of the sums.
    groups: [wgpu::BindGroup; 2],
    adds: wgpu::RenderPipeline,
    shows: wgpu::RenderPipeline,
}

impl Still {
    fn new(renderer: &Renderer) -> Self {
        let gpu = &renderer.gpu;
        let device = gpu.device();
        let (width, height) = renderer.size();
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let make = |format| {
            let texture = textures::create(device, format, size, 1, wgpu::TextureUsages::RENDER_ATTACHMENT);
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let picture = make(renderer.format);
        let sums = [make(SUM_FORMAT), make(SUM_FORMAT)];
        let unfiltered = texture(wgpu::TextureSampleType::Float { filterable: false });
        let stage = wgpu::ShaderStages::FRAGMENT;
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("still"),
            entries: &[entry(0, stage, unfiltered), entry(1, stage, unfiltered)],
        });
        let groups = [&sums[0], &sums[1]].map(|sum| {
            let resources = [&picture, sum].map(wgpu::BindingResource::TextureView);
            bind(device, "still", &layout, resources)
        });
        let [adds, shows] = [("sum_fragment", SUM_FORMAT), ("mean_fragment", renderer.format)]
            .map(|(entry, format)| pipeline(device, &layout, entry, format));
        Self { tier: gpu.tier(), count: 0, picture, sums, groups, adds, shows }
    }

    /// Adds the picture to the sum.
    fn add(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let before = self.count as usize % 2;
        self.count += 1;
        self.cover(encoder, &self.sums[1 - before], &self.adds, before);
    }

    /// Draws the mean.
    fn show(&self, encoder: &mut wgpu::CommandEncoder, target: &wgpu::TextureView) {
        self.cover(encoder, target, &self.shows, self.count as usize % 2);
    }

    fn cover(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        pipeline: &wgpu::RenderPipeline,
        group: usize,
    ) {
        let mut pass = color_pass(encoder, "still", target, wgpu::Color::TRANSPARENT);
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &self.groups[group], &[]);
        pass.draw(0..3, self.count..self.count + 1);
    }
}

impl Drop for Still {
    fn drop(&mut self) {
        if self.tier.needs_destroy() {
            for view in self.sums.iter().chain([&self.picture]) {
                view.texture().destroy();
            }
        }
    }
}

fn pipeline(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    fragment_entry: &'static str,
    format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    let still = Cover {
        label: "still",
        source: source().into(),
        groups: &[Some(layout)],
        vertex_entry: "still_vertex",
        fragment_entry,
        format,
        sample_count: 1,
        has_depth: false,
    };
    still.pipeline(device)
}

module_of_one_file!(still);

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Vec3, Vec4};

    #[test]
    fn pairs_of_pictures_are_shifted_to_opposite_sides_and_never_far() {
        assert_eq!(place(0), Vec2::ZERO);
        for picture in (1..PICTURES).step_by(2) {
            assert!((place(picture) + place(picture + 1)).length() < 1e-6);
            assert!(place(picture).length() <= SPREAD + 1e-6 && place(picture).length() > SPREAD / 3.0);
        }
        assert!(!PICTURES.is_multiple_of(2) && (0..PICTURES).map(place).sum::<Vec2>().length() < 1e-6);
    }

    #[test]
    fn a_view_is_shifted_by_pixels_whatever_the_distance() {
        // w is the distance.
        let depths = [Vec4::new(0.0, 0.0, -1.0, -1.0), Vec4::Z * -0.1];
        let projection_from_view = Mat4::from_cols(Vec4::X * 1.2, Vec4::Y * 2.0, depths[0], depths[1]);
        let (view_from_world, position_in_world) = (Mat4::IDENTITY, Vec3::ZERO);
        let view = View { view_from_world, projection_from_view, position_in_world };
        let shifted = shifted(&view, Vec2::new(1.0 / 300.0, -2.0 / 200.0));
        for point in [Vec3::new(0.1, 0.2, -1.0), Vec3::new(-3.0, 1.0, -20.0)] {
            let pixels = |view: &View| {
                let place = view.projection_from_view.project_point3(point).truncate();
                place * Vec2::new(150.0, 100.0)
            };
            assert!((pixels(&shifted) - pixels(&view) - Vec2::new(1.0, -2.0)).length() < 1e-3);
        }
    }
}
