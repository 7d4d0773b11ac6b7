use super::context::{Context, Id};
use super::shader::{Place, Stage, TexturePlaces};
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::{Rc, Weak};
use web_sys::{WebGl2RenderingContext as Gl, WebGlProgram, WebGlUniformLocation};

/// A program. It is linked when its pipeline is created, and asked for its result when it is first used: until then,
/// browsers compile programs beside each other and beside the page.
pub(super) struct Program {
    gl: Gl,
    raw: Option<WebGlProgram>,
    id: Id,
    vertex: Rc<Stage>,
    fragment: Option<Rc<Stage>>,
    linked: OnceCell<Linked>,
}

/// What is known after linking.
pub(super) struct Linked {
    /// The uniform buffers, by their index among WebGL's bindings.
    pub(super) blocks: Vec<Place>,
    /// The textures, by their unit.
    pub(super) textures: Vec<TexturePlaces>,
    first_instance: Option<WebGlUniformLocation>,
    first_instance_set: Cell<u32>,
}

/// The programs of a device, which pipelines with the same shaders share. The last pipeline deletes its program.
#[derive(Default)]
pub(super) struct Programs {
    made: RefCell<Vec<Weak<Program>>>,
}

/// A fragment shader for passes without one, which GLSL doesn't allow.
const NO_FRAGMENTS: &str = "#version 300 es\nvoid main(){}";
/// The name that naga gives to the index of the first instance. WebGL2 counts instances from 0.
const FIRST_INSTANCE: &str = "naga_vs_first_instance";

impl Programs {
    pub(super) fn get(
        &self,
        context: &Context,
        vertex: &Rc<Stage>,
        fragment: Option<&Rc<Stage>>,
    ) -> Rc<Program> {
        let mut made = self.made.borrow_mut();
        let is_wanted = |known: &Rc<Program>| {
            Rc::ptr_eq(&known.vertex, vertex)
                && known.fragment.as_ref().map(Rc::as_ptr) == fragment.map(Rc::as_ptr)
        };
        if let Some(found) = made.iter().filter_map(Weak::upgrade).find(is_wanted) {
            return found;
        }
        made.retain(|program| program.strong_count() > 0);
        let program = Rc::new(Program::new(context, vertex, fragment));
        made.push(Rc::downgrade(&program));
        program
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.gl.delete_program(self.raw.as_ref());
    }
}

impl Program {
    pub(super) fn new(context: &Context, vertex: &Rc<Stage>, fragment: Option<&Rc<Stage>>) -> Self {
        let gl = &context.gl;
        let raw = gl.create_program();
        if let Some(program) = &raw {
            let sources = [
                (Gl::VERTEX_SHADER, vertex.source.as_str()),
                (Gl::FRAGMENT_SHADER, fragment.map_or(NO_FRAGMENTS, |stage| &stage.source)),
            ];
            for (kind, source) in sources {
                let Some(shader) = gl.create_shader(kind) else { continue };
                gl.shader_source(&shader, source);
                gl.compile_shader(&shader);
                gl.attach_shader(program, &shader);
                // Lives as long as the program.
                gl.delete_shader(Some(&shader));
            }
            gl.link_program(program);
            // Chromium passes commands on when it has many. Compiling starts now.
            gl.flush();
        }
        let (vertex, fragment) = (Rc::clone(vertex), fragment.cloned());
        Self { gl: gl.clone(), raw, id: context.new_id(), vertex, fragment, linked: OnceCell::new() }
    }

    /// Makes the program the one that draws, and returns what it reads.
    pub(super) fn use_by(&self, context: &Context) -> &Linked {
        context.use_program(self.id, self.raw.as_ref());
        self.linked.get_or_init(|| self.linked(context))
    }

    /// Waits for the program, and numbers its buffers and textures.
    fn linked(&self, context: &Context) -> Linked {
        let gl = &context.gl;
        let stages = || [Some(&self.vertex), self.fragment.as_ref()].into_iter().flatten();
        let mut blocks: Vec<Place> =
            stages().flat_map(|stage| &stage.blocks).map(|(_, place)| *place).collect();
        blocks.sort_unstable();
        blocks.dedup();
        let mut textures: Vec<TexturePlaces> = Vec::new();
        let mut first_instance = None;
        if let Some(program) = &self.raw {
            let linked = gl.get_program_parameter(program, Gl::LINK_STATUS);
            if linked.is_falsy() && !gl.is_context_lost() {
                let log = gl.get_program_info_log(program).unwrap_or_default();
                context.errors.report_invalid(format!("a shader of {}: {log}", self.vertex.entry()));
            }
            for (name, place) in stages().flat_map(|stage| &stage.blocks) {
                let index = gl.get_uniform_block_index(program, name);
                let at = blocks.iter().position(|known| known == place);
                if let (Some(at), true) = (at, index != Gl::INVALID_INDEX) {
                    gl.uniform_block_binding(program, index, at as u32);
                }
            }
            for (name, places) in stages().flat_map(|stage| &stage.textures) {
                // Textures of parts that the compiler has removed take no unit, of which there are 16 for a shader.
                let Some(location) = gl.get_uniform_location(program, name) else { continue };
                let known = textures.iter().position(|known| known == places);
                let unit = known.unwrap_or(textures.len());
                if known.is_none() {
                    textures.push(*places);
                }
                gl.uniform1i(Some(&location), unit as i32);
            }
            first_instance = gl.get_uniform_location(program, FIRST_INSTANCE);
        }
        Linked { blocks, textures, first_instance, first_instance_set: Cell::new(0) }
    }
}

impl Linked {
    /// Sets the index of the first instance. The program must be in use.
    pub(super) fn set_first_instance(&self, gl: &Gl, first: u32) {
        if self.first_instance.is_some() && self.first_instance_set.replace(first) != first {
            gl.uniform1ui(self.first_instance.as_ref(), first);
        }
    }
}
