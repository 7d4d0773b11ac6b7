//! Light from all around: what a surface receives and reflects, computed once for each environment.
//!
//! An environment is a function from directions to light. [`Environment::of`] prepares it for shaders:
//!
//! - a map for reflections, whose levels are blurred for rougher and rougher surfaces (`filter`),
//! - a map for diffuse light (`irradiance`),
//! - the key light, whose shadow is drawn ([`Key`]).
//!
//! Maps are squares onto which the sphere of directions is unfolded (`octahedron`). [`Room`] is a room with soft
//! boxes, [`Panorama`] a picture of surroundings.

mod filter;
mod irradiance;
mod key;
mod octahedron;
mod packing;
mod panorama;
mod room;
mod texels;

pub use filter::{LEVEL_COUNT, SIDE, roughness_of};
pub use irradiance::MATT_SIDE;
pub use key::Key;
pub use octahedron::{direction_at, place_of};
pub use packing::{packed, unpacked};
pub use panorama::Panorama;
pub use room::{Room, SoftBox};

use glam::Vec3A;

/// Light from all around, prepared for shaders.
#[derive(Clone, Debug)]
pub struct Environment {
    /// Packed texels of each level of the map, row after row. The first is sharp and has sides of [`SIDE`] texels.
    /// Each level has half the side of the previous one.
    pub levels: Vec<Vec<u32>>,
    /// Packed texels of the light that a white, matt surface reflects, row after row, with sides of [`MATT_SIDE`]. They
    /// lie half a texel further to the right and down than those of the levels.
    pub matt: Vec<u32>,
    pub key: Key,
    /// The picture that the environment is made of.
    pub panorama: Option<Panorama>,
}

/// How carefully an environment is prepared. A draft takes a seventh of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    Draft,
    Full,
}

impl Environment {
    /// Prepares the environment whose light from each direction a function returns. The key light comes from
    /// `towards_key`, or from where most light comes from, as in pictures. Pictures may have a small and bright sun, so
    /// more of them is averaged.
    pub fn of(light_from: &dyn Fn(Vec3A) -> Vec3A, towards_key: Option<Vec3A>, care: Care) -> Self {
        let contrast = if towards_key.is_some() { 1 } else { 4 };
        let (sharp, sources) = texels::drawn(light_from, care);
        let mut levels = vec![sharp];
        levels.extend((1..LEVEL_COUNT).map(|level| {
            let texels = filter::blurred(&sources, level, contrast, care);
            texels.iter().map(|light| packed(*light)).collect()
        }));
        let even = &sources[1];
        let matt = irradiance::map(&irradiance::of(even));
        Self { levels, matt, key: Key::of(even, towards_key), panorama: None }
    }
}
