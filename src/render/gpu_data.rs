//! Structs that Rust writes and shaders read. `tests/shaders.rs` compares each with naga's layout of its counterpart
//! in `shaders/`.

use crate::model::MaterialFeature;
use crate::model::material_table::{FACTORS, TEXTURES};
use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3};

/// WGSL `Frame`: uniform data of a whole picture.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct FrameData {
    pub projection_from_world: Mat4,
    /// Projection to the clip space of the current tile.
    pub tile_from_world: Mat4,
    pub viewer_in_world: Vec3,
    pub exposure: f32,
    /// Size of the whole picture in pixels.
    pub viewport: [f32; 2],
    pub ground_height: f32,
    pub ground_radius: f32,
    /// x and z of the centre of the shadow map and of the ground, in the world.
    pub shadow_center: [f32; 2],
    /// Half the side of the square on the ground that the shadow map covers, in the world.
    pub shadow_half_side: f32,
    /// Height above the ground from which on nothing casts a shadow, in the world.
    pub shadow_reach: f32,
    /// Unit vector from the ground to the key light, in the world.
    pub towards_key_light: Vec3,
    /// Index in the characters' rows of the first tint; 0 stands for no tints.
    pub first_tint_row: u32,
    /// Standard deviation of the shadow's blur on the ground, as a fraction of the side of the shadow map's square.
    pub shadow_softness: f32,
    /// Factor of the light of the environment's map. `key_light` contains it.
    pub environment_light: f32,
    /// Cosine and negative sine of the angle by which the environment is turned about y.
    pub environment_turn: [f32; 2],
    /// What a white, matt surface that faces the key light reflects of it.
    pub key_light: Vec3,
    /// Number of `lamps` that shine.
    pub lamp_count: u32,
    /// What is shown of surfaces: the number of a `SurfaceView`, plus 256 if a joint is chosen. `views` writes it.
    pub view: u32,
    pub padding: [u32; 3],
    /// Scale (x, y) and offset (z, w) from clip space of the whole picture to clip space of the current tile.
    pub tile: [f32; 4],
    /// `shaders/extensions/lamps.wgsl` describes their numbers.
    pub lamps: [Mat4; MOST_LAMPS],
}

/// WGSL `Backdrop`: how the environment behind the model is drawn.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct BackdropData {
    pub world_from_projection: Mat4,
    pub roughness: f32,
    pub padding: [f32; 3],
}

/// WGSL `Surroundings`: how the occlusion between limbs is found.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct OcclusionData {
    pub world_from_projection: Mat4,
    pub projection_from_world: Mat4,
    pub viewer_in_world: Vec3,
    /// The distance from which on surfaces occlude nothing, in the world.
    pub reach: f32,
    /// From 0 to 1.
    pub strength: f32,
    pub padding: [f32; 3],
}

/// Number of lights of models in a picture.
pub const MOST_LAMPS: usize = 8;

/// WGSL `Draw`: the rows of one primitive of one drawable.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct DrawData {
    pub rows_per_character: u32,
    /// Index of the drawable's first matrix in a character's rows.
    pub first_row: u32,
    pub first_weight_row: u32,
    pub morph_target_count: u32,
    /// Index of the first displacement in the mesh rows. Displacements are ordered by target, then by vertex.
    pub first_morph_row: u32,
    pub morph_rows_per_vertex: u32,
    /// Offset of the normal's displacement in a vertex's morph rows; 0 stands for none, since the position is first.
    pub morph_normal_row: u32,
    pub morph_tangent_row: u32,
    /// Index in the mesh rows of the influences beyond the fourth, two in a row (joint, weight, joint, weight).
    pub first_influence_row: u32,
    pub influence_rows_per_vertex: u32,
    pub vertex_count: u32,
    /// 1 to blend matrices by joint weights, 0 to use the drawable's only matrix.
    pub skinned: u32,
}

/// Bytes between materials in their uniform buffer, and the size of each: the largest WGSL `Material`, rounded up to
/// the offset alignment that every device supports. `materials::material_data` writes them.
pub const MATERIAL_SIZE: usize = (material_floats() * size_of::<f32>()).next_multiple_of(256);

/// Returns a number of floats that suffices for every material: the factors, three numbers of the core, two rows for
/// each texture, and the padding after the factors of each feature.
const fn material_floats() -> usize {
    let (mut floats, mut factor) = (3 + 8 * TEXTURES.len() + 3 * MaterialFeature::ALL.len(), 0);
    while factor < FACTORS.len() {
        floats += FACTORS[factor].count;
        factor += 1;
    }
    floats
}

/// Returns the bindings of a texture slot's texture and sampler, as the shaders declare them: first the textures and
/// the samplers of the core, then a pair for each slot of an extension.
pub fn slot_bindings(slot: usize) -> [u32; 2] {
    const CORE_SLOTS: usize = 5;
    let pair =
        if slot < CORE_SLOTS { [1 + slot, 1 + slot + CORE_SLOTS] } else { [1 + 2 * slot, 2 + 2 * slot] };
    pair.map(|binding| binding as u32)
}

/// Width in texels of a texture of rows. `rows_texture.wgsl` divides by the same number.
pub const ROW_TEXTURE_WIDTH: usize = 2048;

/// Width in pixels of the read-back target, one vertex for each pixel. `read_back.wgsl` divides by the same number.
pub const READ_BACK_WIDTH: u32 = 1024;

/// Side of the shadow map divided by the side of the blurred shadow's texture. `blur.wgsl` divides by the same
/// number.
pub const SHADE_COARSENESS: u32 = 4;

/// A vertex. The attributes have the locations of WGSL `Vertex`.
///
/// ```text
/// byte  0        12      20       28   36   44     52      60             76
///       position normal  tangent  uv0  uv1  color  joints  joint_weights
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct VertexData {
    pub position: [f32; 3],
    pub normal: [i16; 4],
    pub tangent: [i16; 4],
    pub uv_sets: [[f32; 2]; 2],
    pub color: [u16; 4],
    pub joints: [u16; 4],
    pub joint_weights: [f32; 4],
}

impl VertexData {
    pub const ATTRIBUTES: [wgpu::VertexAttribute; 8] = wgpu::vertex_attr_array![
        0 => Float32x3,
        1 => Snorm16x4,
        2 => Snorm16x4,
        3 => Float32x2,
        4 => Float32x2,
        5 => Unorm16x4,
        6 => Uint16x4,
        7 => Float32x4,
    ];

    pub const LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
        array_stride: size_of::<Self>() as wgpu::BufferAddress,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &Self::ATTRIBUTES,
    };
}

/// A line of the overlay: an instance of a quad. The attributes have the locations of WGSL `Line`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct LineData {
    pub start_in_world: [f32; 3],
    pub start_color: [f32; 4],
    pub end_in_world: [f32; 3],
    pub end_color: [f32; 4],
}

impl LineData {
    pub const ATTRIBUTES: [wgpu::VertexAttribute; 4] = wgpu::vertex_attr_array![
        0 => Float32x3,
        1 => Float32x4,
        2 => Float32x3,
        3 => Float32x4,
    ];

    pub const LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
        array_stride: size_of::<Self>() as wgpu::BufferAddress,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &Self::ATTRIBUTES,
    };
}

/// An instance of a guide. The attributes have the locations of WGSL `Guide`; their meaning depends on the kind.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct GuideData {
    pub numbers: [[f32; 4]; 4],
}

impl GuideData {
    pub const ATTRIBUTES: [wgpu::VertexAttribute; 4] = wgpu::vertex_attr_array![
        0 => Float32x4,
        1 => Float32x4,
        2 => Float32x4,
        3 => Float32x4,
    ];

    pub const LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
        array_stride: size_of::<Self>() as wgpu::BufferAddress,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &Self::ATTRIBUTES,
    };
}
