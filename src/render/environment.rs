use super::frame::Lighting;
use super::shadow::Shadow;
use super::{Detail, Gpu, Tier, textures};
use crate::angle::sin_cos;
use crate::light::{Care, Environment, LEVEL_COUNT, MATT_SIDE, Room, SIDE};
use glam::{Vec2, Vec3};
use std::cell::Cell;
use std::rc::Rc;

/// An environment on the GPU, which all canvases of a device share.
#[derive(Debug)]
pub(super) struct GpuEnvironment {
    tier: Tier,
    /// `None` for the built-in studio.
    source: Option<Rc<Environment>>,
    /// The map of reflections.
    map: wgpu::Texture,
    /// The map of diffuse light.
    matt: wgpu::Texture,
    /// Set when the maps are filled, with how carefully the light was computed.
    light: Cell<Option<(Care, Light)>>,
}

/// What shaders read of an environment besides its maps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Light {
    /// Unit vector towards the key light.
    pub(super) towards_key: Vec3,
    pub(super) key: Vec3,
}

impl GpuEnvironment {
    /// Returns an environment. Reuses the held one, or one that another canvas uses.
    pub(super) fn prepare<'a>(
        held: &'a mut Option<Rc<Self>>,
        gpu: &Gpu,
        wanted: Option<&Rc<Environment>>,
    ) -> &'a Rc<Self> {
        if held.as_ref().is_some_and(|environment| !environment.is_of(wanted)) {
            *held = None;
        }
        held.get_or_insert_with(|| {
            let found = gpu.environments().find(|environment| environment.is_of(wanted));
            found.unwrap_or_else(|| gpu.environments().add(Self::new(gpu, wanted.cloned())))
        })
    }

    fn is_of(&self, wanted: Option<&Rc<Environment>>) -> bool {
        self.source.as_ref().map(Rc::as_ptr) == wanted.map(Rc::as_ptr)
    }

    /// Creates an environment whose maps are empty until [`light`](Self::light) is called, so that the GPU can compile
    /// shaders meanwhile.
    fn new(gpu: &Gpu, source: Option<Rc<Environment>>) -> Self {
        let create = |side, level_count| {
            let format = wgpu::TextureFormat::Rgb9e5Ufloat;
            textures::create(gpu.device(), format, square(side), level_count, wgpu::TextureUsages::empty())
        };
        let (map, matt) = (create(SIDE, LEVEL_COUNT as u32), create(MATT_SIDE, 1));
        Self { tier: gpu.tier(), source, map, matt, light: Cell::new(None) }
    }

    pub(super) fn byte_count(&self) -> u64 {
        textures::byte_count(&self.map) + textures::byte_count(&self.matt)
    }

    pub(super) fn map(&self) -> &wgpu::Texture {
        &self.map
    }

    /// Returns the environment, or `None` for the built-in studio.
    pub(super) fn source(&self) -> Option<&Environment> {
        self.source.as_deref()
    }

    /// Returns the light of the environment in a picture, and fills the maps. The studio's is a draft at first.
    pub(super) fn light(&self, gpu: &Gpu, detail: Detail) -> Light {
        let wanted = if detail < Detail::Light { Care::Draft } else { Care::Full };
        if let Some((care, light)) = self.light.get()
            && (care == Care::Full || care == wanted)
        {
            return light;
        }
        let (care, light) = match &self.source {
            Some(environment) => (Care::Full, self.fill(gpu, environment)),
            None => (wanted, self.fill(gpu, &Room::studio().environment(wanted))),
        };
        self.light.set(Some((care, light)));
        light
    }

    fn fill(&self, gpu: &Gpu, environment: &Environment) -> Light {
        let write = |map: &wgpu::Texture, texels: &[u32], side, mip_level| {
            let destination = wgpu::TexelCopyTextureInfo { mip_level, ..map.as_image_copy() };
            textures::write(gpu.queue(), destination, bytemuck::cast_slice(texels), square(side));
        };
        for (level, texels) in (0..).zip(&environment.levels) {
            write(&self.map, texels, SIDE >> level, level);
        }
        write(&self.matt, &environment.matt, MATT_SIDE, 0);
        Light { towards_key: environment.key.towards, key: environment.key.light }
    }
}

fn square(side: usize) -> wgpu::Extent3d {
    wgpu::Extent3d { width: side as u32, height: side as u32, depth_or_array_layers: 1 }
}

impl Drop for GpuEnvironment {
    fn drop(&mut self) {
        if self.tier.needs_destroy() {
            self.map.destroy();
            self.matt.destroy();
        }
    }
}

impl Light {
    /// For pictures without meshes.
    pub(super) const NONE: Self = Self { towards_key: Vec3::Y, key: Vec3::ZERO };

    /// Returns the light in a picture: turned about y, and scaled.
    pub(super) fn in_picture(&self, lighting: &Lighting<'_>) -> PictureLight {
        let finite = |number: f32, other: f32| if number.is_finite() { number } else { other };
        let factor = finite(lighting.intensity, 1.0).max(0.0);
        let (sin, cos) = sin_cos(finite(lighting.turn, 0.0));
        let Vec3 { x, y, z } = self.towards_key;
        let across = Vec2::new(cos, -sin).rotate(Vec2::new(x, z));
        PictureLight {
            towards_key: Vec3::new(across.x, y, across.y),
            key: self.key * factor,
            factor,
            turn: [cos, -sin],
        }
    }
}

/// The light of an environment in a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct PictureLight {
    pub(super) towards_key: Vec3,
    pub(super) key: Vec3,
    /// Factor of the map's light.
    pub(super) factor: f32,
    /// Cosine and negative sine of the angle by which the environment is turned.
    pub(super) turn: [f32; 2],
}

/// What lights meshes, bound as group 3: the shadow map, the environment's maps, and what is behind transmissive
/// surfaces or occludes the others.
#[derive(Debug)]
pub(super) struct LightGroup {
    shadow: Rc<Shadow>,
    environment: Rc<GpuEnvironment>,
    beyond: Option<wgpu::TextureView>,
    bind_group: wgpu::BindGroup,
}

impl LightGroup {
    /// Returns the bind group.
    pub(super) fn prepare<'a>(
        held: &'a mut Option<Self>,
        gpu: &Gpu,
        shadow: &Rc<Shadow>,
        environment: &Rc<GpuEnvironment>,
        beyond: Option<&wgpu::TextureView>,
    ) -> &'a wgpu::BindGroup {
        let fits = |group: &Self| {
            Rc::ptr_eq(&group.shadow, shadow)
                && Rc::ptr_eq(&group.environment, environment)
                && group.beyond.as_ref() == beyond
        };
        if !held.as_ref().is_some_and(fits) {
            *held = None;
        }
        let make = || {
            let [map, matt] = [&environment.map, &environment.matt]
                .map(|map| map.create_view(&wgpu::TextureViewDescriptor::default()));
            // Without transmissive surfaces and occlusion, no shader reads the last texture.
            let views = [shadow.map(), &map, &matt, beyond.unwrap_or(&map)];
            Self {
                shadow: Rc::clone(shadow),
                environment: Rc::clone(environment),
                beyond: beyond.cloned(),
                bind_group: gpu.pipelines().light_bind_group(gpu.device(), views),
            }
        };
        &held.get_or_insert_with(make).bind_group
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::light::Room;

    #[test]
    fn shaders_see_the_key_light_where_the_environment_has_it() {
        let light = Light { towards_key: Vec3::new(0.6, 0.64, 0.48), key: Vec3::ONE };
        for turn in [0.0, 0.5, 2.0, -1.2] {
            let lighting = Lighting { turn, intensity: 2.0, ..Lighting::default() };
            let PictureLight { towards_key, key, factor, turn: [cos, negative_sin], .. } =
                light.in_picture(&lighting);
            assert_eq!((key, factor), (Vec3::splat(2.0), 2.0));
            // This repeats `in_environment` of `environment.wgsl`.
            let Vec3 { x, y, z } = towards_key;
            let seen = Vec3::new(cos * x + negative_sin * z, y, cos * z - negative_sin * x);
            assert!(seen.distance(light.towards_key) < 1e-6, "{turn}: {seen}");
        }
    }

    #[test]
    fn light_is_a_number_whatever_the_settings_say() {
        let environment = Room::studio().environment(Care::Full);
        let light = Light { towards_key: environment.key.towards, key: environment.key.light };
        for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, f32::MAX] {
            let lighting = Lighting { turn: number, intensity: number.min(1e30), ..Lighting::default() };
            let PictureLight { towards_key, factor, turn, .. } = light.in_picture(&lighting);
            assert!(factor.is_finite() && turn.iter().all(|number| number.is_finite()), "{number}");
            assert!(towards_key.is_normalized(), "{number}");
        }
    }
}
