//! Every struct that Rust writes and a shader reads. `tests/shaders.rs` compares each with naga's layout of its twin in
//! `shaders/`.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3};

/// WGSL `Frame`: what a whole picture shares.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct FrameData {
    pub projection_from_world: Mat4,
    pub viewer_in_world: Vec3,
    pub exposure: f32,
    /// Pixels.
    pub viewport: [f32; 2],
    pub ground_height: f32,
    pub ground_radius: f32,
    /// x and z of the middle of the ground's shadow, in the world.
    pub shadow_center: [f32; 2],
    /// Half the side of the square that the shadow covers.
    pub shadow_half_side: f32,
    /// Above the ground by this much, nothing casts a shadow.
    pub shadow_reach: f32,
    /// Unit length.
    pub towards_key_light: Vec3,
    /// In the characters' rows; 0 is none.
    pub first_tint_row: u32,
    /// Standard deviation of the blur on the ground, as a share of that square's side.
    pub shadow_softness: f32,
    pub padding: [f32; 3],
    /// Factors and offsets from a place in the picture (-1 to 1) to its place on the tile that is drawn.
    pub tile: [f32; 4],
}

/// WGSL `Draw`: where one primitive of one drawable finds its rows.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct DrawData {
    pub rows_per_character: u32,
    /// In a character's rows: the drawable's first matrix.
    pub first_row: u32,
    pub first_weight_row: u32,
    pub morph_target_count: u32,
    /// In the mesh's rows: the first displacement, target after target, vertex after vertex.
    pub first_morph_row: u32,
    pub morph_rows_per_vertex: u32,
    /// Which of those rows displaces the normal; 0 is none, since the position always comes first.
    pub morph_normal_row: u32,
    pub morph_tangent_row: u32,
    /// In the mesh's rows: influences beyond the fourth, two a row (joint, weight, joint, weight).
    pub first_influence_row: u32,
    pub influence_rows_per_vertex: u32,
    pub vertex_count: u32,
    /// 1 blends matrices by joint weights, 0 takes the drawable's only matrix.
    pub skinned: u32,
}

/// WGSL `Material`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct MaterialData {
    pub base_color: [f32; 4],
    pub emissive: [f32; 3],
    pub normal_scale: f32,
    pub metallic: f32,
    pub roughness: f32,
    pub occlusion_strength: f32,
    /// Below this alpha nothing is drawn; negative draws everything.
    pub alpha_cutoff: f32,
    /// 1 shows the base colour alone.
    pub unlit: f32,
    /// 1 ignores alpha.
    pub opaque: f32,
    pub padding: [f32; 2],
    /// Two rows a texture slot: (a, b, offset, which uv set), (c, d, offset, unused).
    pub uv_rows: [[f32; 4]; 2 * TEXTURE_SLOT_COUNT],
}

/// Base colour, metallic-roughness, normal, occlusion, emissive: the order of bindings and of `uv_rows`.
pub const TEXTURE_SLOT_COUNT: usize = 5;

/// Texels side by side in a texture of rows, by which `rows_texture.wgsl` divides.
pub const ROW_TEXTURE_WIDTH: usize = 2048;

/// Vertices side by side in the read-back target, by which `read_back.wgsl` divides.
pub const READ_BACK_WIDTH: u32 = 1024;

/// Texels of the shadow map for one of the shade on the ground, by which `blur.wgsl` divides.
pub const SHADE_COARSENESS: u32 = 4;

/// One vertex, at the locations of WGSL `Vertex`.
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

/// One line of the overlay: an instance of a quad, at the locations of WGSL `Line`.
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
