use super::context::{Context, Id};
use super::texture::View;
use js_sys::Array;
use std::cell::{OnceCell, RefCell};
use web_sys::{WebGl2RenderingContext as Gl, WebGlFramebuffer};

/// Framebuffers, one for each combination of attachments in use.
#[derive(Default)]
pub(super) struct Framebuffers {
    made: RefCell<Vec<Made>>,
    /// The numbers of both attachments, for each picture.
    both: OnceCell<Array>,
}

/// Ids of the attachments, and the level of the colour's texture.
type Key = (Id, u32, Id);

struct Made {
    key: Key,
    id: Id,
    raw: Option<WebGlFramebuffer>,
}

impl Framebuffers {
    /// Binds a framebuffer for drawing to these views.
    pub(super) fn bind_draw(&self, context: &Context, color: Option<&View>, depth: Option<&View>) {
        let mut made = self.made.borrow_mut();
        let key = key(color, depth);
        if let Some(found) = made.iter().find(|known| known.key == key) {
            context.bind_draw_framebuffer(found.id, found.raw.as_ref());
            return;
        }
        let (id, raw) = (context.new_id(), context.gl.create_framebuffer());
        context.bind_draw_framebuffer(id, raw.as_ref());
        match color {
            Some(view) => view.attach(Gl::COLOR_ATTACHMENT0),
            None => context.gl.draw_buffers(&Array::of1(&Gl::NONE.into())),
        }
        if let Some(view) = depth {
            view.attach(Gl::DEPTH_ATTACHMENT);
        }
        made.push(Made { key, id, raw });
    }

    /// Binds a framebuffer for reading from these views. If they were never drawn to together, it is bound for drawing
    /// too.
    pub(super) fn bind_read(&self, context: &Context, color: Option<&View>, depth: Option<&View>) {
        let key = key(color, depth);
        let is_made = self.made.borrow().iter().any(|known| known.key == key);
        if !is_made {
            self.bind_draw(context, color, depth);
        }
        let made = self.made.borrow();
        let found = made.iter().find(|known| known.key == key);
        context.gl.bind_framebuffer(Gl::READ_FRAMEBUFFER, found.and_then(|found| found.raw.as_ref()));
    }

    /// Tells the driver that colours and depths of the framebuffer that is bound to `target` aren't needed any more, so
    /// that it needn't store them.
    pub(super) fn invalidate(&self, gl: &Gl, target: u32) {
        let numbers = || Array::of2(&Gl::COLOR_ATTACHMENT0.into(), &Gl::DEPTH_ATTACHMENT.into());
        // A hint: a refusal changes nothing.
        drop(gl.invalidate_framebuffer(target, self.both.get_or_init(numbers)));
    }

    /// Deletes the framebuffers to which a texture is attached.
    pub(super) fn forget(&self, gl: &Gl, texture: Id) {
        self.made.borrow_mut().retain(|made| {
            let is_kept = made.key.0 != texture && made.key.2 != texture;
            if !is_kept {
                gl.delete_framebuffer(made.raw.as_ref());
            }
            is_kept
        });
    }

    pub(super) fn delete(&self, gl: &Gl) {
        for made in self.made.borrow().iter() {
            gl.delete_framebuffer(made.raw.as_ref());
        }
    }
}

fn key(color: Option<&View>, depth: Option<&View>) -> Key {
    let id = |view: Option<&View>| view.map_or(0, |view| view.texture().id());
    (id(color), color.map_or(0, View::level), id(depth))
}
