use super::context::{Context, Fixed};
use super::program::Program;
use super::shader::Module;
use super::vertices::Layout;
use crate::backend::{opaque, ours, unused};
use std::rc::Rc;
use web_sys::WebGl2RenderingContext as Gl;
use wgpu::custom::{DispatchBindGroupLayout, RenderPipelineInterface};
use wgpu::{CompareFunction, Face, FrontFace, PrimitiveTopology as Topology};

/// A program with the state that it is used with. Clones are cheap.
#[derive(Clone)]
pub(super) struct Pipeline {
    inner: Rc<Inner>,
}

struct Inner {
    program: Rc<Program>,
    layout: Option<Rc<Layout>>,
    fixed: Fixed,
    mode: u32,
}

opaque![Pipeline];

impl Pipeline {
    pub(super) fn new(context: &Context, desc: &wgpu::RenderPipelineDescriptor<'_>) -> Self {
        let stage = |module: &wgpu::ShaderModule, entry: Option<&str>| {
            let module: &Module = ours(module.as_custom());
            ours(module.stage(entry.unwrap_or_default())).clone()
        };
        let vertex = stage(desc.vertex.module, desc.vertex.entry_point);
        let fragment = desc.fragment.as_ref().map(|state| stage(state.module, state.entry_point));
        let layout = desc.vertex.buffers.iter().flatten().next().map(|buffer| context.layouts.get(buffer));
        let program = context.programs.get(context, &vertex, fragment.as_ref());
        let target = desc.fragment.as_ref().and_then(|state| state.targets.first()?.as_ref());
        let blend = target.and_then(|target| target.blend);
        debug_assert!(blend.is_none_or(|blend| blend == wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING));
        let depth = desc.depth_stencil.as_ref();
        let fixed = Fixed {
            cull: desc.primitive.cull_mode.map(|face| match face {
                Face::Front => Gl::FRONT,
                Face::Back => Gl::BACK,
            }),
            // Pictures are upside down, which reverses the order of corners.
            front: match desc.primitive.front_face {
                FrontFace::Ccw => Gl::CW,
                FrontFace::Cw => Gl::CCW,
            },
            depth: depth.map(|depth| {
                let compare = depth.depth_compare.unwrap_or(CompareFunction::Always);
                (comparison(compare), depth.depth_write_enabled == Some(true))
            }),
            bias: depth.map_or((0.0, 0.0), |depth| (depth.bias.slope_scale, depth.bias.constant as f32)),
            blended: blend.is_some(),
            covers_by_alpha: desc.multisample.alpha_to_coverage_enabled,
        };
        let mode = match desc.primitive.topology {
            Topology::PointList => Gl::POINTS,
            Topology::LineList => Gl::LINES,
            Topology::LineStrip => Gl::LINE_STRIP,
            Topology::TriangleList => Gl::TRIANGLES,
            Topology::TriangleStrip => Gl::TRIANGLE_STRIP,
        };
        Self { inner: Rc::new(Inner { program, layout, fixed, mode }) }
    }

    pub(super) fn program(&self) -> &Program {
        &self.inner.program
    }

    pub(super) fn layout(&self) -> Option<&Rc<Layout>> {
        self.inner.layout.as_ref()
    }

    pub(super) fn fixed(&self) -> Fixed {
        self.inner.fixed
    }

    /// Returns WebGL's number of the kind of primitive.
    pub(super) fn mode(&self) -> u32 {
        self.inner.mode
    }
}

pub(super) fn comparison(function: CompareFunction) -> u32 {
    match function {
        CompareFunction::Never => Gl::NEVER,
        CompareFunction::Less => Gl::LESS,
        CompareFunction::Equal => Gl::EQUAL,
        CompareFunction::LessEqual => Gl::LEQUAL,
        CompareFunction::Greater => Gl::GREATER,
        CompareFunction::NotEqual => Gl::NOTEQUAL,
        CompareFunction::GreaterEqual => Gl::GEQUAL,
        CompareFunction::Always => Gl::ALWAYS,
    }
}

impl RenderPipelineInterface for Pipeline {
    fn get_bind_group_layout(&self, _: u32) -> DispatchBindGroupLayout {
        unused()
    }
}
