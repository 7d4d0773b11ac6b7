use super::Frame;
use super::environment::PictureLight;
use super::gpu_data::FrameData;
use super::shadow_area::ShadowArea;
use super::tiles::{Tile, Tiling};
use bytemuck::Zeroable;
use glam::Vec4;

impl FrameData {
    /// Creates the uniform data of a frame, for actors without tints, without anything that casts a shadow and without
    /// a tile.
    pub(super) fn new(frame: &Frame<'_>, light: &PictureLight, tiling: Tiling) -> Self {
        Self {
            projection_from_world: frame.view.projection_from_view * frame.view.view_from_world,
            viewer_in_world: frame.view.position_in_world,
            exposure: if frame.exposure.is_finite() { frame.exposure.max(0.0) } else { 1.0 },
            viewport: [tiling.width as f32, tiling.height as f32],
            ground_radius: frame.ground.map_or(1.0, |ground| ground.radius),
            // Without casters the shadow map is empty, so that every point is lit whatever the area.
            shadow_half_side: 1.0,
            shadow_reach: 1.0,
            towards_key_light: light.towards_key,
            environment_light: light.factor,
            environment_turn: light.turn,
            key_light: light.key,
            ..Zeroable::zeroed()
        }
    }

    /// Sets the tile that is drawn.
    pub(super) fn show_tile(&mut self, tiling: Tiling, tile: Tile) {
        let [scale_x, scale_y, x, y] = tiling.tile_from_picture(tile);
        self.tile = [scale_x, scale_y, x, y];
        self.tile_from_world = self.projection_from_world;
        for column in 0..4 {
            let place = self.tile_from_world.col_mut(column);
            *place = *place * Vec4::new(scale_x, scale_y, 1.0, 1.0) + Vec4::new(x, y, 0.0, 0.0) * place.w;
        }
    }

    /// Sets what the shadow map covers.
    pub(super) fn cover(&mut self, area: ShadowArea) {
        self.ground_height = area.ground_height;
        self.shadow_center = area.center.to_array();
        self.shadow_half_side = area.half_side;
        self.shadow_reach = area.reach;
        self.shadow_softness = area.softness / (2.0 * area.half_side);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::View;
    use crate::render::environment::Light;
    use crate::render::{Ground, Lighting, Tone};
    use glam::{Mat4, Vec3};

    #[test]
    fn meshes_are_projected_to_the_tile_like_everything_else() {
        let mut data = FrameData::zeroed();
        // w is the distance.
        data.projection_from_world =
            Mat4::from_cols(Vec4::X * 1.2, Vec4::Y * 2.0, Vec4::new(0.0, 0.0, -1.0, -1.0), Vec4::Z * -0.1);
        let tiling = Tiling::new(100, 60, 32);
        for tile in tiling.tiles() {
            data.show_tile(tiling, tile);
            for point in [Vec3::new(0.3, -0.2, -1.0), Vec3::new(-2.0, 1.5, -7.0)] {
                // `on_tile` of `frame.wgsl`.
                let whole = data.projection_from_world * point.extend(1.0);
                let [scale_x, scale_y, x, y] = data.tile;
                let expected = Vec4::new(
                    whole.x * scale_x + whole.w * x,
                    whole.y * scale_y + whole.w * y,
                    whole.z,
                    whole.w,
                );
                let found = data.tile_from_world * point.extend(1.0);
                assert!((found - expected).abs().max_element() < 1e-4, "{tile:?}: {found}, not {expected}");
            }
        }
    }

    #[test]
    fn light_is_a_number_whatever_the_frame_says() {
        let view = View {
            view_from_world: Mat4::NAN,
            projection_from_view: Mat4::IDENTITY,
            position_in_world: Vec3::NAN,
        };
        for (asked, given) in [(f32::NAN, 1.0), (f32::INFINITY, 1.0), (-2.0, 0.0), (0.5, 0.5)] {
            let frame = Frame {
                actors: &[],
                view: &view,
                background: None,
                backdrop: None,
                ground: Some(Ground { height: f32::NAN, radius: f32::INFINITY }),
                lines: &[],
                lamps: &[],
                lighting: Lighting { intensity: 1.0, ..Lighting::default() },
                exposure: asked,
                tone: Tone::Neutral,
                occlusion: None,
                views: None,
                guides: None,
                throngs: None,
            };
            let light = Light::NONE.in_picture(&frame.lighting);
            let mut data = FrameData::new(&frame, &light, Tiling::whole(2, 2));
            if let Some(area) = ShadowArea::of(&frame, Vec3::Y) {
                data.cover(area);
            }
            assert_eq!(data.exposure, given);
            assert!(data.shadow_softness.is_finite() && data.shadow_half_side > 0.0);
        }
    }
}
