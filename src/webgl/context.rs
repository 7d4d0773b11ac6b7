use super::copy::Copy;
use super::errors::Errors;
use super::framebuffers::Framebuffers;
use super::program::Programs;
use super::vertices::Layouts;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{
    HtmlCanvasElement, OffscreenCanvas, WebGl2RenderingContext as Gl, WebGlBuffer, WebGlFramebuffer,
    WebGlProgram, WebGlSampler, WebGlTexture, WebGlVertexArrayObject,
};

/// Identifies an object of the context. Numbers aren't reused. 0 stands for none.
pub(super) type Id = u32;

/// A context, with a copy of its state and the objects that its users share.
pub(super) struct Context {
    pub(super) gl: Gl,
    pub(super) errors: Errors,
    pub(super) framebuffers: Framebuffers,
    pub(super) programs: Programs,
    pub(super) layouts: Layouts,
    pub(super) copy: Copy,
    pub(super) filters_anisotropically: bool,
    last_id: Cell<Id>,
    state: RefCell<State>,
}

/// Texture units that shaders of this project use, at most. WebGL2 guarantees 16.
const UNITS: usize = 16;
/// Uniform buffers that shaders of this project use, at most. WebGL2 guarantees 24.
const BLOCKS: usize = 4;
/// Marks state that was never set. The context may have been used by an earlier device.
const UNKNOWN: Id = Id::MAX;

struct State {
    program: Id,
    vertex_array: Id,
    draw_framebuffer: Id,
    active_unit: usize,
    textures: [Id; UNITS],
    samplers: [Id; UNITS],
    blocks: [(Id, u32); BLOCKS],
    fixed: Option<Fixed>,
    viewport: (u32, u32),
    clear_color: [f32; 4],
    clear_depth: f32,
}

/// State of the stages without shaders.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Fixed {
    /// Face to cull, and the direction of front faces, as WebGL's numbers.
    pub(super) cull: Option<u32>,
    pub(super) front: u32,
    /// Comparison of depths as WebGL's number, and whether depths are written.
    pub(super) depth: Option<(u32, bool)>,
    /// Slope factor and constant that are added to depths.
    pub(super) bias: (f32, f32),
    /// Source-over blending of premultiplied colours.
    pub(super) blended: bool,
    /// The alpha chooses samples.
    pub(super) covers_by_alpha: bool,
}

impl Context {
    pub(super) fn new(gl: Gl) -> Rc<Self> {
        Rc::new(Self {
            filters_anisotropically: enable_extension(&gl, "EXT_texture_filter_anisotropic"),
            errors: Errors::default(),
            framebuffers: Framebuffers::default(),
            programs: Programs::default(),
            layouts: Layouts::default(),
            copy: Copy::default(),
            last_id: Cell::new(0),
            state: RefCell::new(State {
                program: UNKNOWN,
                vertex_array: UNKNOWN,
                draw_framebuffer: UNKNOWN,
                active_unit: UNITS,
                textures: [UNKNOWN; UNITS],
                samplers: [UNKNOWN; UNITS],
                blocks: [(UNKNOWN, 0); BLOCKS],
                fixed: None,
                viewport: (0, 0),
                // Equal to no number.
                clear_color: [f32::NAN; 4],
                clear_depth: f32::NAN,
            }),
            gl,
        })
    }

    pub(super) fn new_id(&self) -> Id {
        self.last_id.set(self.last_id.get() + 1);
        self.last_id.get()
    }

    /// Returns an integer parameter of the context, or 0 for a lost one.
    pub(super) fn number(&self, parameter: u32) -> u32 {
        let value = self.gl.get_parameter(parameter).ok();
        value.and_then(|value| value.as_f64()).unwrap_or(0.0) as u32
    }

    /// Sets the size of the canvas's drawing buffer, which clears it.
    pub(super) fn resize_canvas(&self, width: u32, height: u32) {
        let Some(canvas) = self.gl.canvas() else { return };
        match canvas.dyn_into::<HtmlCanvasElement>() {
            Ok(canvas) => {
                canvas.set_width(width);
                canvas.set_height(height);
            }
            Err(other) => {
                let canvas = other.unchecked_into::<OffscreenCanvas>();
                canvas.set_width(width);
                canvas.set_height(height);
            }
        }
    }

    pub(super) fn use_program(&self, id: Id, program: Option<&WebGlProgram>) {
        if std::mem::replace(&mut self.state.borrow_mut().program, id) != id {
            self.gl.use_program(program);
        }
    }

    pub(super) fn bind_vertex_array(&self, id: Id, array: Option<&WebGlVertexArrayObject>) {
        if std::mem::replace(&mut self.state.borrow_mut().vertex_array, id) != id {
            self.gl.bind_vertex_array(array);
        }
    }

    pub(super) fn bind_draw_framebuffer(&self, id: Id, framebuffer: Option<&WebGlFramebuffer>) {
        if std::mem::replace(&mut self.state.borrow_mut().draw_framebuffer, id) != id {
            self.gl.bind_framebuffer(Gl::DRAW_FRAMEBUFFER, framebuffer);
        }
    }

    pub(super) fn bind_texture(&self, unit: usize, id: Id, texture: Option<&WebGlTexture>) {
        let mut state = self.state.borrow_mut();
        if std::mem::replace(&mut state.textures[unit], id) != id {
            self.activate(&mut state, unit);
            self.gl.bind_texture(Gl::TEXTURE_2D, texture);
        }
    }

    /// Makes a unit the one whose texture other calls of WebGL refer to.
    pub(super) fn select_unit(&self, unit: usize) {
        self.activate(&mut self.state.borrow_mut(), unit);
    }

    fn activate(&self, state: &mut State, unit: usize) {
        if std::mem::replace(&mut state.active_unit, unit) != unit {
            self.gl.active_texture(Gl::TEXTURE0 + unit as u32);
        }
    }

    pub(super) fn bind_sampler(&self, unit: usize, id: Id, sampler: Option<&WebGlSampler>) {
        if std::mem::replace(&mut self.state.borrow_mut().samplers[unit], id) != id {
            self.gl.bind_sampler(unit as u32, sampler);
        }
    }

    pub(super) fn bind_block(
        &self,
        block: usize,
        id: Id,
        buffer: Option<&WebGlBuffer>,
        offset: u32,
        size: u32,
    ) {
        let wanted = (id, offset);
        if std::mem::replace(&mut self.state.borrow_mut().blocks[block], wanted) != wanted {
            self.gl.bind_buffer_range_with_i32_and_i32(
                Gl::UNIFORM_BUFFER,
                block as u32,
                buffer,
                offset as i32,
                size as i32,
            );
        }
    }

    pub(super) fn set_viewport(&self, width: u32, height: u32) {
        let wanted = (width, height);
        if std::mem::replace(&mut self.state.borrow_mut().viewport, wanted) != wanted {
            self.gl.viewport(0, 0, width as i32, height as i32);
        }
    }

    pub(super) fn set_clear_color(&self, wanted: [f32; 4]) {
        if std::mem::replace(&mut self.state.borrow_mut().clear_color, wanted) != wanted {
            let [red, green, blue, alpha] = wanted;
            self.gl.clear_color(red, green, blue, alpha);
        }
    }

    pub(super) fn set_clear_depth(&self, wanted: f32) {
        if std::mem::replace(&mut self.state.borrow_mut().clear_depth, wanted) != wanted {
            self.gl.clear_depth(wanted);
        }
    }

    /// Sets the state of the stages without shaders.
    pub(super) fn set_fixed(&self, wanted: Fixed) {
        let Some(known) = self.state.borrow_mut().fixed.replace(wanted) else {
            return self.reset_fixed(wanted);
        };
        if known.cull != wanted.cull {
            self.set_cull(wanted.cull);
        }
        if known.front != wanted.front {
            self.gl.front_face(wanted.front);
        }
        if known.depth != wanted.depth {
            self.set_depth(wanted.depth);
        }
        if known.bias != wanted.bias {
            self.set_bias(wanted.bias);
        }
        if known.blended != wanted.blended {
            self.enable(Gl::BLEND, wanted.blended);
        }
        if known.covers_by_alpha != wanted.covers_by_alpha {
            self.enable(Gl::SAMPLE_ALPHA_TO_COVERAGE, wanted.covers_by_alpha);
        }
    }

    /// Allows depths to be cleared.
    pub(super) fn write_depths(&self) {
        let writes = match &mut self.state.borrow_mut().fixed {
            Some(Fixed { depth: Some((_, writes)), .. }) => std::mem::replace(writes, true),
            Some(_) => true,
            None => false,
        };
        if !writes {
            self.gl.depth_mask(true);
        }
    }

    fn reset_fixed(&self, wanted: Fixed) {
        for disabled in [Gl::SCISSOR_TEST, Gl::STENCIL_TEST, Gl::DITHER] {
            self.gl.disable(disabled);
        }
        self.gl.blend_func(Gl::ONE, Gl::ONE_MINUS_SRC_ALPHA);
        self.set_cull(wanted.cull);
        self.gl.front_face(wanted.front);
        self.gl.depth_mask(true);
        self.set_depth(wanted.depth);
        self.set_bias(wanted.bias);
        self.enable(Gl::BLEND, wanted.blended);
        self.enable(Gl::SAMPLE_ALPHA_TO_COVERAGE, wanted.covers_by_alpha);
    }

    fn set_cull(&self, cull: Option<u32>) {
        self.enable(Gl::CULL_FACE, cull.is_some());
        if let Some(face) = cull {
            self.gl.cull_face(face);
        }
    }

    fn set_depth(&self, depth: Option<(u32, bool)>) {
        self.enable(Gl::DEPTH_TEST, depth.is_some());
        // Depths are never written while the test is disabled. The mask stays on, so that they can be cleared.
        let (compare, writes) = depth.unwrap_or((Gl::ALWAYS, true));
        self.gl.depth_func(compare);
        self.gl.depth_mask(writes);
    }

    fn set_bias(&self, (slope, constant): (f32, f32)) {
        self.enable(Gl::POLYGON_OFFSET_FILL, (slope, constant) != (0.0, 0.0));
        self.gl.polygon_offset(slope, constant);
    }

    fn enable(&self, what: u32, on: bool) {
        if on { self.gl.enable(what) } else { self.gl.disable(what) }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        self.framebuffers.delete(&self.gl);
    }
}

/// Enables an extension. Returns false if the context lacks it.
pub(super) fn enable_extension(gl: &Gl, name: &str) -> bool {
    gl.get_extension(name).is_ok_and(|extension| extension.is_some())
}
