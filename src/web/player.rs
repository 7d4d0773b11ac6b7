use super::gpu::GpuHandle;
use super::model::{ModelHandle, texts_of_pairs};
use super::motion::{LENGTH, looping, state_number};
use super::promise::promise;
use crate::animation::{RetargetOptions, Rig};
use crate::camera::{HomeView, Insets, Limits, Orbit};
use crate::import::ImportReport;
use crate::model::humanoid::Role;
use crate::model::{ImageIndex, NodeIndex};
use crate::player::{ActorId, Crowd, Look, Player, PlayerError};
use crate::render::{Blocks, DrawStats, ForeignPixels, Gpu, GpuModel, Picture, RenderError, Tone};
use glam::{Affine3A, Mat4, Vec3, Vec4};
use js_sys::{Promise, Uint8Array};
use std::rc::Rc;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::ImageBitmap;

#[wasm_bindgen]
extern "C" {
    /// A `Uint8Array` whose constructor returns an error when the browser can't allocate it.
    #[wasm_bindgen(extends = Uint8Array, js_name = Uint8Array)]
    #[derive(Clone)]
    type Pixels;

    #[wasm_bindgen(constructor, catch, js_class = "Uint8Array")]
    fn new(length: f64) -> Result<Pixels, JsValue>;

    type ImageData;

    #[wasm_bindgen(method, getter)]
    fn width(this: &ImageData) -> u32;

    #[wasm_bindgen(method, getter)]
    fn height(this: &ImageData) -> u32;

    /// Set by the package if blue comes first and red third.
    #[wasm_bindgen(method, getter, js_name = isBgra)]
    fn is_bgra(this: &ImageData) -> bool;

    /// The pixels, which `web_sys::ImageData` would copy.
    #[wasm_bindgen(method, getter)]
    fn data(this: &ImageData) -> Uint8Array;
}

/// The handle behind a `Player` object of the page.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct PlayerHandle {
    /// The player itself: its camera, canvas, clock and company.
    pub(super) player: Player,
    /// Whom calls apply to that concern one model.
    pub(super) addressed: ActorId,
    drawn: DrawStats,
    joint_count: usize,
}

#[wasm_bindgen]
impl PlayerHandle {
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    // ── canvas and model ──

    /// Attaches a canvas to draw into. A model that is already shown must then be uploaded with `upload`.
    pub fn attach(
        &mut self,
        gpu: &GpuHandle,
        canvas: JsValue,
        width: u32,
        height: u32,
    ) -> Result<(), JsValue> {
        let renderer = gpu.renderer(canvas, width, height)?;
        self.player.attach(gpu.gpu.clone(), renderer, width as f32 / height.max(1) as f32);
        Ok(())
    }

    /// Adds the clips of another model, bound to the nodes of the current one. Returns the current model with all
    /// clips, and warnings about what did not match. `names` replaces the clips' names.
    #[wasm_bindgen(js_name = addClips)]
    pub fn add_clips(&mut self, clips: &ModelHandle, names: Vec<String>) -> Result<ModelHandle, JsValue> {
        let report = self.actor_mut().add_clips(clips.rig.model(), &names)?;
        let rig = self.actor_mut().rig().ok_or(PlayerError::NoModel)?.clone();
        Ok(ModelHandle { report, ..ModelHandle::new(rig) })
    }

    /// Adds the clips of another humanoid, converted to the current model's skeleton. Returns the current model with
    /// all clips, and the joints that belong together. `roles` are those of the nodes `from` of the other model, then
    /// those of the nodes `to`. The nodes at the same places of `pair_from` and `pair_to` belong together.
    #[wasm_bindgen(js_name = borrowClips)]
    #[allow(clippy::too_many_arguments, reason = "lists of one length are plainer than one that mixes them")]
    pub fn borrow_clips(
        &mut self,
        clips: &ModelHandle,
        names: Vec<String>,
        roles: Vec<String>,
        from: &[u32],
        to: &[u32],
        pair_from: &[u32],
        pair_to: &[u32],
        only: bool,
    ) -> Result<ModelHandle, JsValue> {
        let own = self.actor_mut().rig().ok_or(PlayerError::NoModel)?.clone();
        let node_of = |rig: &Rig, node: u32| {
            let node = node as usize;
            rig.model().node_from_source.get(node).copied().unwrap_or(NodeIndex::new(node))
        };
        let node_from = |&node: &u32| node_of(&clips.rig, node);
        let node_to = |&node: &u32| node_of(&own, node);
        let mut given = Vec::new();
        for (role, node) in roles.iter().zip(from.iter().map(node_from).chain(to.iter().map(node_to))) {
            let expected = "one of the names of VRM 1.0, such as leftUpperArm";
            let role = Role::named(role).ok_or(PlayerError::OutOfRange { what: "role", expected })?;
            given.push((role, node));
        }
        let to = given.split_off(from.len().min(given.len()));
        let pairs = pair_from.iter().zip(pair_to);
        let options = RetargetOptions {
            from: given,
            to,
            pairs: pairs.map(|(from, to)| (node_from(from), node_to(to))).collect(),
            only_given: only,
        };
        let pairs = self.actor_mut().borrow_clips(&clips.rig, &names, &options)?;
        let role_pairs = texts_of_pairs(&pairs, clips.rig.model(), own.model());
        let rig = self.actor_mut().rig().ok_or(PlayerError::NoModel)?.clone();
        Ok(ModelHandle { role_pairs, ..ModelHandle::new(rig) })
    }

    /// Releases the canvas and the player's GPU memory. Playback continues.
    pub fn detach(&mut self) {
        self.player.detach();
    }

    pub fn resize(&mut self, width: u32, height: u32) {
        self.player.resize(width, height);
    }

    /// Copies a model to the GPU, which compiles its shaders while the page decodes the images for `show`. Does nothing
    /// without a canvas.
    pub fn prepare(&mut self, model: &ModelHandle) -> Result<(), JsValue> {
        let attached = self.player.is_attached();
        model.prepared.replace(attached.then(|| self.copy_of(&model.rig, &[])).transpose()?);
        Ok(())
    }

    /// Replaces the model. On failure, the previous model is still shown. Without a canvas, the model is played but
    /// not uploaded.
    pub fn show(&mut self, model: &ModelHandle, images: Vec<JsValue>) -> Result<(), JsValue> {
        let attached = self.player.is_attached();
        let gpu_model = attached.then(|| self.copy_of(&model.rig, &images)).transpose()?;
        model.prepared.take();
        // The page reads the warnings of the model's handle.
        self.player.show(model.rig.clone(), ImportReport::default());
        if let Some(gpu_model) = gpu_model {
            self.player.set_gpu_model(gpu_model);
        }
        self.player.frame(self.player.aspect());
        self.joint_count = joint_count(&model.rig);
        Ok(())
    }

    /// Uploads the shown model to a device that was attached after `show`.
    pub fn upload(&mut self, images: Vec<JsValue>) -> Result<(), JsValue> {
        let rig = self.actor_mut().rig().cloned().ok_or(PlayerError::NoModel)?;
        let gpu_model = self.copy_of(&rig, &images)?;
        self.actor_mut().set_gpu_model(gpu_model);
        Ok(())
    }

    /// Sets an image of the shown model that has been decoded after `show`. Does nothing without a canvas, whose
    /// `upload` sets all images.
    #[wasm_bindgen(js_name = setImage)]
    pub fn set_image(&self, image: usize, picture: &JsValue) -> Result<(), JsValue> {
        match (self.actor().gpu(), self.actor().gpu_model()) {
            (Some(gpu), Some(model)) => set_image(gpu, model, image, picture),
            _ => Ok(()),
        }
    }

    // ── playing ──

    pub fn pause(&mut self) {
        self.actor_mut().pause();
    }

    pub fn stop(&mut self) {
        self.actor_mut().stop();
    }

    #[wasm_bindgen(getter)]
    pub fn state(&self) -> u32 {
        state_number(self.actor().state())
    }

    #[wasm_bindgen(getter)]
    pub fn clip(&self) -> i32 {
        self.actor().clip().map_or(-1, |clip| clip.get() as i32)
    }

    #[wasm_bindgen(getter, js_name = currentTime)]
    pub fn current_time(&self) -> f64 {
        self.actor().time_secs()
    }

    #[wasm_bindgen(setter, js_name = currentTime)]
    pub fn set_current_time(&mut self, time_secs: f64) -> Result<(), JsValue> {
        Ok(self.actor_mut().seek(time_secs)?)
    }

    #[wasm_bindgen(getter, js_name = playbackRate)]
    pub fn playback_rate(&self) -> f64 {
        self.actor().playback_rate()
    }

    #[wasm_bindgen(setter, js_name = playbackRate)]
    pub fn set_playback_rate(&mut self, rate: f64) -> Result<(), JsValue> {
        Ok(self.actor_mut().set_playback_rate(rate)?)
    }

    /// Sets the looping of the current clip.
    #[wasm_bindgen(js_name = setLooping)]
    pub fn set_looping(&mut self, passes: u32, bounce: bool) {
        self.actor_mut().set_looping(looping(passes, bounce));
    }

    /// Advances the player's time. Returns whether another frame would look different.
    pub fn advance(&mut self, dt_secs: f64) -> Result<bool, JsValue> {
        Ok(self.player.advance(dt_secs)?)
    }

    /// Advances the player's time and computes the poses: one call for everything in a frame except drawing.
    ///
    /// Returns a bit mask: 1 if another frame would look different, 2 if there are events.
    pub fn update(&mut self, dt_secs: f64) -> Result<u32, JsValue> {
        let moving = self.player.advance(dt_secs)?;
        self.player.pose();
        Ok(u32::from(moving) + 2 * u32::from(self.player.has_events()))
    }

    // ── crowd, and reading poses ──

    /// Sets the number of characters. `places` are column-major 4×4 matrices and `phases` fractions of the clip, one
    /// for each character. Either may be empty.
    pub fn crowd(&mut self, count: usize, clip: i32, phases: &[f32], places: &[f32]) -> Result<(), JsValue> {
        let clip = usize::try_from(clip).ok().map(|clip| self.actor_mut().clip_at(clip));
        let crowd = Crowd {
            clip: clip.transpose()?,
            phases: phases.iter().copied().map(f64::from).collect(),
            world_from_model: matrices_of(places),
        };
        Ok(self.actor_mut().crowd(count, &crowd)?)
    }

    /// Lets characters that are small in the picture have fewer triangles.
    pub fn coarsen(&mut self) {
        self.actor_mut().coarsen();
    }

    #[wasm_bindgen(getter, js_name = characterCount)]
    pub fn character_count(&self) -> usize {
        self.actor().character_count()
    }

    /// Returns the minimum x, y, z and the maximum x, y, z, or an empty list if nothing is visible.
    pub fn bounds(&self) -> Vec<f32> {
        let Some(bounds) = self.player.bounds() else { return Vec::new() };
        [bounds.min.to_array(), bounds.max.to_array()].as_flattened().to_vec()
    }

    #[wasm_bindgen(js_name = worldMatrices)]
    pub fn world_matrices(&mut self, character: usize) -> Result<Vec<f32>, JsValue> {
        Ok(floats(self.posed_actor().world_matrices(character)?))
    }

    #[wasm_bindgen(js_name = skinMatrices)]
    pub fn skin_matrices(&mut self, skin: usize, character: usize) -> Result<Vec<f32>, JsValue> {
        Ok(floats(self.posed_actor().skin_matrices(skin, character)?))
    }

    #[wasm_bindgen(js_name = morphWeights)]
    pub fn morph_weights(&mut self, node: usize, character: usize) -> Result<Vec<f32>, JsValue> {
        Ok(self.posed_actor().morph_weights(node, character)?)
    }

    // ── camera ──

    pub fn orbit(&mut self, yaw: f32, pitch: f32) -> Result<(), JsValue> {
        Ok(self.player.orbit(yaw, pitch)?)
    }

    pub fn pan(&mut self, x: f32, y: f32) -> Result<(), JsValue> {
        Ok(self.player.pan(x, y)?)
    }

    /// Divides the distance to the target by a factor: above 1 moves the camera closer.
    pub fn zoom(&mut self, factor: f32) -> Result<(), JsValue> {
        Ok(self.player.zoom(factor)?)
    }

    pub fn frame(&mut self) {
        self.player.frame(self.player.aspect());
    }

    #[wasm_bindgen(js_name = resetCamera)]
    pub fn reset_camera(&mut self) {
        self.player.reset_camera(self.player.aspect());
    }

    /// Returns the camera's state: target x, y, z, yaw, pitch, distance, vertical field of view, roll, 1 if
    /// orthographic, x and y of the target in the picture, from −1 to 1, and the node whose camera is used, or −1.
    /// Angles are in radians.
    pub fn camera(&mut self) -> Vec<f32> {
        self.player.view(self.player.aspect());
        let node = self.player.file_camera().map_or(-1.0, |node| node as f32);
        let camera = &self.player.camera;
        let Orbit { target: Vec3 { x, y, z }, yaw, pitch, distance } = camera.current();
        let (fov, roll) = (camera.vertical_fov(), camera.roll());
        let orthographic = f32::from(u8::from(camera.is_orthographic()));
        let middle = camera.target_in_picture();
        vec![x, y, z, yaw, pitch, distance, fov, roll, orthographic, middle.x, middle.y, node]
    }

    /// Shows the picture from a node's camera; −1 returns to the orbit.
    #[wasm_bindgen(js_name = setFileCamera)]
    pub fn set_file_camera(&mut self, node: i32) -> Result<(), JsValue> {
        Ok(self.player.use_file_camera(usize::try_from(node).ok(), self.player.aspect())?)
    }

    /// Sets the camera's state without damping. The list is that of `camera`; what follows the projection is ignored.
    #[wasm_bindgen(js_name = setCamera)]
    pub fn set_camera(&mut self, state: &[f32]) -> Result<(), JsValue> {
        let [x, y, z, yaw, pitch, distance, vertical_fov, roll, orthographic, ..] = *state else {
            return Err(LENGTH.into());
        };
        let orbit = Orbit { target: Vec3::new(x, y, z), yaw, pitch, distance };
        self.player.set_view(orbit, vertical_fov, roll)?;
        self.player.set_orthographic(orthographic > 0.0);
        Ok(())
    }

    /// Sets the minimum and maximum of yaw, pitch and distance. NaN stands for the default limit.
    #[wasm_bindgen(js_name = setCameraLimits)]
    pub fn set_camera_limits(&mut self, limits: &[f32]) -> Result<(), JsValue> {
        let [a, b, c, d, e, f] = *limits else { return Err(LENGTH.into()) };
        Ok(self.player.set_limits(Limits { yaw: [a, b], pitch: [c, d], distance: [e, f] })?)
    }

    /// Sets the margins that framing keeps free, as fractions of the canvas's height (top, bottom) and width (left,
    /// right).
    #[wasm_bindgen(js_name = setInsets)]
    pub fn set_insets(&mut self, top: f32, right: f32, bottom: f32, left: f32) -> Result<(), JsValue> {
        let aspect = self.player.aspect();
        Ok(self.player.set_insets(Insets { top, right, bottom, left }, aspect)?)
    }

    /// Sets the view to which framing moves the camera: target x, y, z, yaw, pitch, distance, and a factor of the
    /// distance that framing computes. Components that are NaN are computed by framing.
    #[wasm_bindgen(js_name = setHomeView)]
    pub fn set_home_view(&mut self, home_view: &[f32]) -> Result<(), JsValue> {
        let [x, y, z, yaw, pitch, distance, distance_share] = *home_view else { return Err(LENGTH.into()) };
        let target = Vec3::new(x, y, z);
        Ok(self.player.set_home(HomeView { target, yaw, pitch, distance, distance_share })?)
    }

    /// Returns the speed of the camera's automatic orbit, in radians per second.
    #[wasm_bindgen(getter)]
    pub fn spin(&self) -> f32 {
        self.player.camera.spin
    }

    #[wasm_bindgen(setter)]
    pub fn set_spin(&mut self, radians: f32) -> Result<(), JsValue> {
        Ok(self.player.set_spin(radians, self.player.aspect())?)
    }

    // ── drawing ──

    /// Returns the settings of `LOOK` in `wasm.ts`, in that order. A tone mapper is its index in `TONES`, and a flag is
    /// 0 or 1.
    #[wasm_bindgen(getter)]
    pub fn look(&self) -> Vec<f32> {
        let Look { skeleton, ground, tone, exposure, environment_turn, environment_light, lights, .. } =
            *self.player.look();
        let flag = |on: bool| f32::from(u8::from(on));
        let tone = f32::from(tone as u8);
        vec![flag(skeleton), flag(ground), tone, exposure, environment_turn, environment_light, lights]
    }

    #[wasm_bindgen(setter)]
    pub fn set_look(&mut self, numbers: &[f32]) -> Result<(), JsValue> {
        let [skeleton, ground, tone, exposure, environment_turn, environment_light, lights] = *numbers else {
            return Err(LENGTH.into());
        };
        Ok(self.player.set_look(Look {
            skeleton: skeleton != 0.0,
            ground: ground != 0.0,
            tone: Tone::ALL.get(tone as usize).copied().unwrap_or_default(),
            exposure,
            environment_turn,
            environment_light,
            lights,
            ..*self.player.look()
        })?)
    }

    /// Returns the background as sRGB-encoded red, green, blue and straight alpha, from 0 to 1. An empty list is
    /// transparent.
    #[wasm_bindgen(getter)]
    pub fn background(&self) -> Vec<f32> {
        self.player.look().background.map_or(Vec::new(), |rgba| rgba.to_array().to_vec())
    }

    #[wasm_bindgen(setter)]
    pub fn set_background(&mut self, rgba: &[f32]) -> Result<(), JsValue> {
        let background = match *rgba {
            [] => None,
            [red, green, blue, alpha] => Some(Vec4::new(red, green, blue, alpha)),
            _ => return Err(LENGTH.into()),
        };
        Ok(self.player.set_look(Look { background, ..*self.player.look() })?)
    }

    /// Draws a picture synchronously, after computing the poses that are out of date. With `may_defer`, the GPU's first
    /// pictures lack antialiasing, mip levels, the shadow or the ground. Returns whether this one does.
    pub fn render(&mut self, may_defer: bool) -> Result<bool, JsValue> {
        self.drawn = self.player.draw(may_defer)?;
        Ok(self.drawn.is_deferred)
    }

    /// Returns a promise of whether the picture that was drawn in this task is blank: whether all of its pixels are
    /// equal. Undefined if nothing was drawn in it, and with WebGL2.
    pub fn probe(&self) -> Option<Promise> {
        let surface = self.player.surface().filter(|_| self.drawn.draws > 0)?;
        super::gpu::is_blank(surface)
    }

    /// Computes poses that are out of date, as drawing does.
    pub fn pose(&mut self) {
        self.player.pose();
    }

    /// Returns whether another picture would wait for the GPU.
    #[wasm_bindgen(getter)]
    pub fn behind(&self) -> bool {
        self.player.is_behind()
    }

    /// Draws the current poses at any size. The promise resolves to RGBA pixels, 8 bits a channel, top row first.
    /// `transparent` leaves out the background and the ground.
    pub fn screenshot(&mut self, width: u32, height: u32, transparent: bool) -> Result<Promise, JsValue> {
        // Pixels are written to memory of JavaScript, since wasm memory can't shrink.
        let pixels = Pixels::new(f64::from(width) * f64::from(height) * 4.0);
        let pixels = pixels.map_err(|_| PlayerError::from(RenderError::CaptureFailed))?;
        let destination = pixels.clone();
        let look = *self.player.look();
        let mut backdrop = None;
        if transparent {
            self.player.set_look(Look { background: None, ground: false, ..look })?;
            backdrop = self.player.show_environment(None);
        }
        let taken = self.player.capture(width, height, move |at, row| {
            destination.subarray(at as u32, (at + row.len()) as u32).copy_from(row);
        });
        self.player.set_look(look)?;
        if transparent {
            self.player.show_environment(backdrop);
        }
        let taken = taken?;
        // The promise borrows nothing, so the player can be used until it resolves.
        Ok(promise(async move {
            taken.await?;
            Ok(pixels.into())
        }))
    }

    /// Returns the number of primitives of each drawable.
    #[wasm_bindgen(js_name = primitiveCounts)]
    pub fn primitive_counts(&self) -> Vec<u32> {
        let Some(rig) = self.player.rig() else { return Vec::new() };
        let drawables = rig.palette_layout().drawables.iter();
        drawables.map(|drawable| rig.model().mesh(drawable.mesh).primitives.len() as u32).collect()
    }

    /// Resolves to the largest distance between vertices of a primitive computed by the vertex shader and on the CPU,
    /// for the first character.
    #[wasm_bindgen(js_name = skinningError)]
    pub fn skinning_error(&mut self, drawable: usize, primitive: usize) -> Result<Promise, JsValue> {
        let comparison = self.player.compare_positions(drawable, primitive)?;
        Ok(promise(async move { Ok(comparison.await?.into()) }))
    }

    /// Returns the numbers of draw calls, triangles, joints, characters and bytes on the GPU.
    pub fn stats(&self) -> Vec<f64> {
        let DrawStats { draws, triangles, gpu_bytes, .. } = self.drawn;
        let mut joints = self.joint_count;
        let mut characters = self.player.character_count();
        for id in self.player.actors() {
            let Ok(actor) = self.player.actor(id) else { continue };
            joints += actor.rig().map_or(0, |rig| joint_count(rig));
            characters += actor.character_count();
        }
        vec![draws as f64, triangles as f64, joints as f64, characters as f64, gpu_bytes as f64]
    }
}

impl PlayerHandle {
    /// Returns a GPU copy of a model with its images. A copy that another player on the device draws is reused.
    pub(super) fn copy_of(&mut self, rig: &Rig, images: &[JsValue]) -> Result<Rc<GpuModel>, JsValue> {
        let gpu = self.player.gpu().cloned().ok_or(PlayerError::NoCanvas)?;
        let gpu_model = match gpu.find_model(rig.model()) {
            Some(held) => held,
            None => gpu.share_model(self.player.prepare(rig)?),
        };
        for (index, image) in images.iter().enumerate() {
            set_image(&gpu, &gpu_model, index, image)?;
        }
        Ok(gpu_model)
    }
}

/// Sets an image of a model: an `ImageBitmap`, an `ImageData`, or bytes of blocks behind their header. One that
/// couldn't be loaded is undefined and stays white.
fn set_image(gpu: &Gpu, model: &GpuModel, index: usize, image: &JsValue) -> Result<(), JsValue> {
    let picture = if let Some(bitmap) = image.dyn_ref::<ImageBitmap>() {
        picture_of(bitmap)
    } else if let Some(image) = image.dyn_ref::<ImageData>() {
        let data = image.data();
        let copy = move |at, bytes: &mut [u8]| data.subarray(at, at + bytes.len() as u32).copy_to(bytes);
        Picture::Pixels(ForeignPixels {
            width: image.width(),
            height: image.height(),
            is_bgra: image.is_bgra(),
            copy: Rc::new(copy),
        })
    } else if image.is_object() {
        let mut bytes = image.unchecked_ref::<Uint8Array>().to_vec();
        let (header, _) = bytes.as_chunks::<4>();
        let Some(header) = header.first_chunk::<7>() else { return Err(LENGTH.into()) };
        let header = header.map(u32::from_le_bytes);
        bytes.drain(..size_of_val(&header));
        Picture::Blocks(Blocks::new(header, bytes))
    } else {
        return Ok(());
    };
    Ok(model.set_image(gpu, ImageIndex::new(index), &picture)?)
}

pub(super) fn picture_of(bitmap: &ImageBitmap) -> Picture {
    Picture::External(wgpu::CopyExternalImageSourceInfo {
        source: wgpu::ExternalImageSource::ImageBitmap(bitmap.clone()),
        origin: wgpu::Origin2d::ZERO,
        flip_y: false,
    })
}

fn matrices_of(floats: &[f32]) -> Vec<Affine3A> {
    let (matrices, _) = floats.as_chunks::<16>();
    matrices.iter().map(|matrix| Affine3A::from_mat4(Mat4::from_cols_array(matrix))).collect()
}

fn floats(matrices: Vec<Mat4>) -> Vec<f32> {
    bytemuck::cast_slice(&matrices).to_vec()
}

/// Returns the number of nodes that are joints of at least one skin.
fn joint_count(rig: &Rig) -> usize {
    let mut is_joint = vec![false; rig.model().nodes.len()];
    for joint in rig.model().skins.iter().flat_map(|skin| &skin.joints) {
        if let Some(is_joint) = is_joint.get_mut(joint.get()) {
            *is_joint = true;
        }
    }
    is_joint.into_iter().filter(|&is_joint| is_joint).count()
}
