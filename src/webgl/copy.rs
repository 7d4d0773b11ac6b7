use super::context::{Context, Fixed};
use super::program::Program;
use super::shader::Stage;
use super::texture::View;
use std::cell::OnceCell;
use std::rc::Rc;
use web_sys::WebGl2RenderingContext as Gl;

/// What copies a picture to the canvas, upside down: a triangle that covers the canvas.
///
/// `blitFramebuffer` needs no shader, but software GPUs run it on one core, and take twice as long on two.
#[derive(Default)]
pub(super) struct Copy {
    program: OnceCell<Program>,
}

const VERTICES: &str = "\
out vec2 v;
void main(){
vec2 p=vec2(gl_VertexID==2?2:0,gl_VertexID==1?2:0);
v=vec2(p.x,1.-p.y);
gl_Position=vec4(p*2.-1.,0,1);
}";
const FRAGMENTS: &str = "\
precision highp float;
uniform highp sampler2D t;
in vec2 v;
out vec4 c;
void main(){c=texture(t,v);}";

impl Copy {
    /// Compiles the shaders, so that the browser is ready when there is a picture.
    pub(super) fn prepare(&self, context: &Context) -> &Program {
        self.program.get_or_init(|| {
            let [vertices, fragments] = [VERTICES, FRAGMENTS].map(|source| Rc::new(Stage::plain(source)));
            Program::new(context, &vertices, Some(&fragments))
        })
    }

    pub(super) fn run(&self, context: &Context, picture: &View) {
        let (width, height) = picture.size();
        context.bind_draw_framebuffer(0, None);
        context.set_viewport(width, height);
        // The state of solid surfaces, which it mostly is already: the triangle is a front face, and the canvas has no
        // depths.
        context.set_fixed(Fixed {
            cull: Some(Gl::BACK),
            front: Gl::CW,
            depth: Some((Gl::LEQUAL, true)),
            bias: (0.0, 0.0),
            blended: false,
            covers_by_alpha: false,
        });
        self.prepare(context).use_by(context);
        context.bind_vertex_array(0, None);
        // Textures read their nearest texels where no sampler is bound.
        picture.bind(0);
        context.bind_sampler(0, 0, None);
        context.gl.draw_arrays_instanced(Gl::TRIANGLES, 0, 3, 1);
    }
}
