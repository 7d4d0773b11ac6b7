use super::gpu_model::GpuMaterial;
use super::{GpuModel, OwnMaterial};
use crate::camera::View;
use crate::model::Aabb;
use glam::{Vec3, Vec4};
use std::rc::Rc;

/// All that one picture shows.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    pub model: Option<&'a Rc<GpuModel>>,
    /// Of all characters, one after another, in the model's palette layout.
    pub rows: &'a [Vec4],
    pub character_count: usize,
    /// One per drawable of the model: not drawn, and casts no shadow. Those that are missing at the end are drawn.
    pub hidden: &'a [bool],
    /// The same of characters.
    pub absent: &'a [bool],
    /// In `rows`: one a character that its base colours are multiplied by; `None` leaves them.
    pub first_tint_row: Option<usize>,
    pub view: &'a View,
    /// What takes the place of the model's materials, by their numbers.
    pub own_materials: &'a [Option<OwnMaterial>],
    /// As CSS writes colours: sRGB-encoded, alpha not premultiplied. `None` is transparent.
    pub background: Option<Vec4>,
    pub ground: Option<Ground>,
    /// Two vertices a line.
    pub lines: &'a [LineVertex],
    /// 1 is neutral; light is multiplied by it before the tone mapper.
    pub exposure: f32,
    /// Of the model, in model space: what its shadow on the ground must have room for.
    pub clip_bounds: Option<Aabb>,
}

impl<'a> Frame<'a> {
    /// A material of the model as it is to be drawn; `None` when it isn't.
    pub(super) fn material(&self, model: &'a GpuModel, index: usize) -> Option<&'a GpuMaterial> {
        match self.own_materials.get(index) {
            Some(Some(own)) => own.visible.then_some(&own.drawn),
            _ => model.materials.get(index),
        }
    }
}

/// A soft floor that fades out; it lies level in the world, under the middle of the characters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    pub height: f32,
    pub radius: f32,
}

/// An end of an overlay line, drawn over everything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineVertex {
    pub position_in_world: Vec3,
    /// sRGB-encoded, alpha not premultiplied.
    pub color: Vec4,
}

/// What a picture cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawStats {
    pub draws: usize,
    /// Of the mesh pass, every character counted.
    pub triangles: usize,
    /// Held by the model and this canvas, in buffers and textures. What canvases of a device share is divided among them.
    pub gpu_bytes: u64,
}
