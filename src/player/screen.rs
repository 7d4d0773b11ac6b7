//! The canvas that the player is drawn on. Attaching or detaching one doesn't affect the model and its playback.

use super::company::emptied;
use super::guides::Trace;
use super::{Player, PlayerError, Value};
use crate::animation::{Rig, reference_skin_by, skeleton_lines};
use crate::light::Environment;
use crate::model::Aabb;
use crate::render::{
    Actor, Backdrop, Detail, DrawStats, Frame, Gpu, GpuModel, Ground, Lamp, Lighting, LineVertex, Occlusion,
    OwnMaterial, RenderError, Renderer, SurfaceView, Tone, Views,
};
use glam::{Vec3, Vec4};
use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;

/// Colour of the first skeleton segment. The others are interpolated to [`TIP_COLOR`], so that overlapping limbs
/// differ.
const ROOT_COLOR: Vec4 = Vec4::new(1.0, 0.62, 0.2, 1.0);
const TIP_COLOR: Vec4 = Vec4::new(0.25, 0.85, 1.0, 1.0);

/// Settings of the picture other than the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// sRGB-encoded colour with straight alpha. `None` is transparent: the page behind the canvas is visible.
    pub background: Option<Vec4>,
    pub ground: bool,
    pub skeleton: bool,
    /// Factor of the light, before tone mapping. 1 is neutral.
    pub exposure: f32,
    pub tone: Tone,
    /// Angle in radians by which the environment is turned about y, counter-clockwise seen from above.
    pub environment_turn: f32,
    /// Factor of the environment's light.
    pub environment_light: f32,
    /// Factor of the light of the models' lights.
    pub lights: f32,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            background: None,
            ground: true,
            skeleton: false,
            exposure: 1.0,
            tone: Tone::Neutral,
            environment_turn: 0.0,
            environment_light: 1.0,
            lights: 1.0,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Screen {
    pub(super) look: Look,
    /// `None` is the built-in studio.
    environment: Option<Rc<Environment>>,
    backdrop: Option<Backdrop>,
    occlusion: Option<Occlusion>,
    /// `None` shows surfaces in their light.
    views: Option<Views>,
    pub(super) guides: Option<Box<dyn Trace>>,
    canvas: Option<Canvas>,
    /// What a canvas is prepared by. Only the part of the WebAssembly that sets it refers to a function.
    prepares: Option<fn(&mut Renderer)>,
    /// GPU of the player whose actor this one is.
    pub(super) lent: Option<Gpu>,
    /// The model's copy on the GPU, made when it is first drawn unless [`Player::set_gpu_model`] sets it.
    pub(super) gpu_model: Option<Rc<GpuModel>>,
    /// Replacements of the model's materials, by material index.
    pub(super) own_materials: Vec<Option<OwnMaterial>>,
    /// Number of changes of the model's images when `own_materials` were created.
    pub(super) image_changes: usize,
    /// Skeleton segments of one character. Kept, like `lines`, to reuse the allocation.
    segments: Vec<[Vec3; 2]>,
    pub(super) lines: Vec<LineVertex>,
    pub(super) lamps: Vec<Lamp>,
    /// The list of actors of the last picture, emptied.
    kept_cast: Vec<Actor<'static>>,
}

#[derive(Debug)]
struct Canvas {
    gpu: Gpu,
    renderer: Renderer,
    aspect: f32,
}

impl Screen {
    pub(super) fn forget_model(&mut self) {
        self.gpu_model = None;
        self.own_materials.clear();
    }
}

impl Player {
    /// Sets the canvas to draw into. `aspect` is its width over its height.
    pub fn attach(&mut self, gpu: Gpu, mut renderer: Renderer, aspect: f32) {
        self.screen.forget_model();
        if let Some(prepare) = self.screen.prepares {
            prepare(&mut renderer);
        }
        self.screen.canvas = Some(Canvas { gpu, renderer, aspect });
        if self.has_company() {
            self.lend_to_company();
        }
    }

    /// Releases the canvas and the player's GPU memory. Playback continues.
    pub fn detach(&mut self) {
        self.screen.forget_model();
        self.screen.canvas = None;
        if self.has_company() {
            self.lend_to_company();
        }
    }

    pub fn is_attached(&self) -> bool {
        self.screen.canvas.is_some()
    }

    pub fn look(&self) -> &Look {
        &self.screen.look
    }

    /// Replaces the settings of the picture.
    ///
    /// # Errors
    /// When a number isn't finite or is out of range. The settings are then unchanged.
    pub fn set_look(&mut self, look: Look) -> Result<(), PlayerError> {
        Value::Exposure.check(look.exposure.into())?;
        Value::EnvironmentTurn.check(look.environment_turn.into())?;
        Value::EnvironmentLight.check(look.environment_light.into())?;
        Value::Lights.check(look.lights.into())?;
        Value::Background.check_all(&look.background.unwrap_or_default().to_array())?;
        self.screen.look = look;
        Ok(())
    }

    /// Replaces the light from all around. `None` restores the built-in studio.
    pub fn set_environment(&mut self, environment: Option<Environment>) {
        self.screen.environment = environment.map(Rc::new);
    }

    /// Shows the environment in place of the background. `None` shows the background. Returns what was shown before.
    pub fn show_environment(&mut self, backdrop: Option<Backdrop>) -> Option<Backdrop> {
        std::mem::replace(&mut self.screen.backdrop, backdrop)
    }

    /// Sets whether lit materials can be brighter than white, on this canvas and later ones.
    pub fn set_high_range(&mut self, is_high: bool) {
        self.screen.prepares = is_high.then_some(|renderer| renderer.set_high_range(true));
        if let Some(canvas) = &mut self.screen.canvas {
            canvas.renderer.set_high_range(is_high);
        }
    }

    /// Sets how much limbs darken surfaces behind them, from 0 to 1, which is right.
    pub fn set_occlusion(&mut self, strength: f32) {
        let strength = strength.min(1.0);
        self.screen.occlusion = (strength > 0.0).then(|| match self.screen.occlusion.take() {
            Some(occlusion) => occlusion.with_strength(strength),
            None => Occlusion::new(strength),
        });
    }

    /// Shows data of the surfaces in place of their light; `None` restores it. `joint` is the name of the joint whose
    /// weights are shown; empty for those of all joints.
    pub fn set_surface_view(&mut self, view: Option<SurfaceView>, joint: &str) {
        match (view, &mut self.screen.views) {
            (None, _) => self.screen.views = None,
            (Some(view), Some(views)) => views.show(view, joint),
            (Some(view), None) => self.screen.views = Some(Views::new(view, joint)),
        }
    }

    /// Returns the canvas's width over its height, or 1 without a canvas.
    pub fn aspect(&self) -> f32 {
        self.screen.canvas.as_ref().map_or(1.0, |canvas| canvas.aspect)
    }

    /// Sets the size of the canvas in pixels.
    ///
    /// If the aspect ratio changes and the camera hasn't been moved since it was framed, the camera is framed again,
    /// so that turning a phone doesn't cut the model off.
    pub fn resize(&mut self, width: u32, height: u32) {
        let Some(canvas) = &mut self.screen.canvas else { return };
        canvas.renderer.resize(width, height);
        let aspect = width.max(1) as f32 / height.max(1) as f32;
        if aspect != std::mem::replace(&mut canvas.aspect, aspect) && self.camera.is_home() {
            self.reframe(aspect);
        }
    }

    pub fn gpu(&self) -> Option<&Gpu> {
        self.screen.canvas.as_ref().map(|canvas| &canvas.gpu).or(self.screen.lent.as_ref())
    }

    /// Copies a model to the canvas's GPU, which starts to compile its shaders. Called before [`show`](Self::show), so
    /// that a model that the GPU can't hold doesn't replace another.
    ///
    /// # Errors
    /// When there is no canvas, or the GPU can't hold the model.
    pub fn prepare(&mut self, rig: &Rig) -> Result<GpuModel, PlayerError> {
        let canvas = self.screen.canvas.as_mut().ok_or(PlayerError::NoCanvas)?;
        let skinnings = vec![self.skinning; rig.model().skins.len()];
        let Look { tone, .. } = self.screen.look;
        Ok(canvas.renderer.upload(rig, &skinnings, tone, self.screen.environment.as_ref())?)
    }

    /// Sets the copy of the shown model to draw. Other players on the device may draw the same copy.
    pub fn set_gpu_model(&mut self, gpu_model: impl Into<Rc<GpuModel>>) {
        self.screen.forget_model();
        self.screen.gpu_model = Some(gpu_model.into());
    }

    /// Returns the copy of the shown model that is drawn, if it has been uploaded.
    pub fn gpu_model(&self) -> Option<&Rc<GpuModel>> {
        self.screen.gpu_model.as_ref()
    }

    /// Returns whether another picture would wait for the GPU: [`Renderer::is_behind`].
    pub fn is_behind(&self) -> bool {
        self.screen.canvas.as_ref().is_some_and(|canvas| canvas.renderer.is_behind())
    }

    /// Draws the current poses into the canvas: [`Renderer::draw`].
    ///
    /// With `may_defer`, the GPU's first pictures have no antialiasing, mip levels, shadow and ground.
    ///
    /// # Errors
    /// When there is no canvas, the GPU is lost, or the GPU reports an error.
    pub fn draw(&mut self, may_defer: bool) -> Result<DrawStats, PlayerError> {
        let aspect = self.aspect();
        let renderer = self.screen.canvas.as_ref().filter(|_| may_defer).map(|canvas| &canvas.renderer);
        let detail = renderer.map_or(Detail::Whole, Renderer::next_detail);
        let mut stats = DrawStats::default();
        self.with_frame(aspect, detail, &mut |renderer, frame| {
            stats = renderer.draw(frame, detail)?;
            Ok(())
        })?;
        Ok(stats)
    }

    /// Refines the picture of the last [`draw`](Self::draw), if nothing has changed since: [`Renderer::refine`].
    /// Returns whether another call refines it further.
    ///
    /// # Errors
    /// The errors of [`draw`](Self::draw).
    pub fn refine(&mut self) -> Result<bool, PlayerError> {
        let mut goes_on = false;
        self.with_frame(self.aspect(), Detail::Whole, &mut |renderer, frame| {
            goes_on = renderer.refine(frame)?;
            Ok(())
        })?;
        Ok(goes_on)
    }

    /// Returns the surface that is drawn to.
    pub fn surface(&self) -> Option<&wgpu::Surface<'static>> {
        self.screen.canvas.as_ref()?.renderer.surface()
    }

    /// Draws the current poses off screen, at any size, and passes rows of pixels to `take`: [`Renderer::capture`].
    ///
    /// # Errors
    /// When there is no canvas, or the GPU can't hold the model. The future fails when the picture can't be drawn.
    pub fn capture<Take: FnMut(usize, &[u8])>(
        &mut self,
        width: u32,
        height: u32,
        take: Take,
    ) -> Result<impl Future<Output = Result<(), PlayerError>> + use<Take>, PlayerError> {
        let aspect = width.max(1) as f32 / height.max(1) as f32;
        let (mut take, mut taken) = (Some(take), None);
        self.with_frame(aspect, Detail::Whole, &mut |renderer, frame| {
            taken = take.take().map(|take| renderer.capture(frame, width, height, take));
            Ok(())
        })?;
        // The frame of a file's camera is fitted into each aspect ratio.
        self.view(self.aspect());
        let taken = taken.ok_or(PlayerError::NoCanvas)?;
        Ok(async move { Ok(taken.await?) })
    }

    /// Reads back the positions that the vertex shader computes for one primitive of the first character, in model
    /// space.
    ///
    /// # Errors
    /// When there is no model or no canvas. The future fails when there is no such primitive, or the GPU reports an
    /// error.
    pub fn read_positions(
        &mut self,
        drawable: usize,
        primitive: usize,
    ) -> Result<impl Future<Output = Result<Vec<Vec3>, PlayerError>> + use<>, PlayerError> {
        self.pose();
        self.ensure_gpu_model()?;
        let canvas = self.screen.canvas.as_ref().ok_or(PlayerError::NoCanvas)?;
        let loaded = self.loaded.as_ref().ok_or(PlayerError::NoModel)?;
        let gpu_model = self.screen.gpu_model.as_ref().ok_or(PlayerError::NoModel)?;
        let rows = &loaded.rows[..loaded.rig().palette_layout().rows_per_character];
        let positions =
            canvas.renderer.read_positions(gpu_model, drawable, primitive, rows, &loaded.skinnings);
        Ok(async move { Ok(positions.await?) })
    }

    /// Returns the largest distance between the vertices of one primitive of the first character as computed by the
    /// vertex shader and by [`reference_skin_by`] on the CPU. It is infinite if their numbers differ.
    ///
    /// # Errors
    /// The errors of [`read_positions`](Self::read_positions).
    pub fn compare_positions(
        &mut self,
        drawable: usize,
        primitive: usize,
    ) -> Result<impl Future<Output = Result<f32, PlayerError>> + use<>, PlayerError> {
        let shader = self.read_positions(drawable, primitive)?;
        let loaded = self.loaded.as_ref().ok_or(PlayerError::NoModel)?;
        let drawn = loaded.rig().palette_layout().drawables.get(drawable);
        let twin = drawn.map(|drawable| {
            let skinning = loaded.skinning(drawable.skin);
            reference_skin_by(skinning, loaded.rig(), drawable, primitive, &loaded.rows).positions
        });
        Ok(async move {
            let positions = shader.await?;
            let twin = twin.unwrap_or_default();
            let distances = positions.iter().zip(&twin).map(|(a, b)| a.distance(*b));
            Ok(if positions.len() == twin.len() { greatest(distances) } else { f32::INFINITY })
        })
    }

    /// Calls `draw` with the current content of the picture. What `detail` leaves out isn't computed.
    fn with_frame(
        &mut self,
        aspect: f32,
        detail: Detail,
        draw: &mut dyn FnMut(&mut Renderer, &Frame<'_>) -> Result<(), RenderError>,
    ) -> Result<(), PlayerError> {
        self.pose();
        self.ensure_gpu_model()?;
        self.trace_skeletons();
        self.add_own_lamps();
        if self.has_company() {
            self.prepare_company()?;
        }
        let view = self.view(aspect);
        // Bounds over a clip take many poses.
        let (mut clip_bounds, mut ground) = (None, None);
        if detail >= Detail::Shadow {
            ground = self.ground();
            clip_bounds = self.bounds_in_picture();
            if self.has_company() {
                self.carry();
                clip_bounds = self.with_carried(clip_bounds);
            }
            self.camera.floor = ground.map(|ground| ground.height);
        }
        let mut canvas = self.screen.canvas.take().ok_or(PlayerError::NoCanvas)?;
        let kept = std::mem::take(&mut self.screen.kept_cast);
        let mut guides = self.screen.guides.take();
        let shown = guides.as_mut().map(|guides| guides.trace(self, &view));
        let actor = self.shown(clip_bounds);
        let (cast, throngs) =
            if self.has_company() { self.company.cast(actor, kept) } else { (Vec::new(), None) };
        let Screen { look, lines, lamps, environment, backdrop, occlusion, views, .. } = &self.screen;
        let frame = Frame {
            actors: if self.has_company() { &cast } else { actor.as_slice() },
            view: &view,
            background: look.background,
            backdrop: backdrop.as_ref(),
            ground,
            lines,
            lamps,
            lighting: Lighting {
                environment: environment.as_ref(),
                turn: look.environment_turn,
                intensity: look.environment_light,
                lamps: look.lights,
            },
            exposure: look.exposure,
            tone: look.tone,
            occlusion: occlusion.as_ref().filter(|_| views.is_none()),
            views: views.as_ref(),
            guides: shown,
            throngs: throngs.as_ref(),
        };
        let drawn = draw(&mut canvas.renderer, &frame);
        self.screen.kept_cast = if cast.capacity() > 0 { emptied(cast) } else { Vec::new() };
        self.screen.canvas = Some(canvas);
        self.screen.guides = guides;
        Ok(drawn?)
    }

    /// Returns what is drawn of this player's model, if it has been uploaded.
    pub(super) fn shown(&self, clip_bounds: Option<Aabb>) -> Option<Actor<'_>> {
        let (loaded, model) = self.loaded.as_ref().zip(self.screen.gpu_model.as_ref())?;
        Some(Actor {
            model,
            rows: &loaded.rows,
            character_count: self.characters.len(),
            hidden: &loaded.hidden_drawables,
            absent: &loaded.absent,
            first_tint_row: loaded.first_tint_row(),
            variant: self.variant,
            skinnings: &loaded.skinnings,
            own_materials: &self.screen.own_materials,
            clip_bounds,
            is_bounded: loaded.plays_clips_alone(&self.characters),
            coarse: loaded.coarse.as_ref(),
        })
    }

    /// Copies the model to the GPU if [`set_gpu_model`](Self::set_gpu_model) wasn't called, with white images, and
    /// uploads changed materials.
    fn ensure_gpu_model(&mut self) -> Result<(), PlayerError> {
        if let (Some(loaded), None) = (&self.loaded, &self.screen.gpu_model) {
            let rig = Arc::clone(loaded.rig());
            self.screen.gpu_model = Some(self.prepare(&rig)?.into());
        }
        self.upload_materials()
    }

    pub(super) fn upload_materials(&mut self) -> Result<(), PlayerError> {
        if !self.material_overrides.is_empty()
            && let (Some(gpu), Some(gpu_model)) = (self.gpu().cloned(), self.screen.gpu_model.clone())
        {
            self.upload_overrides(&gpu, &gpu_model)?;
        }
        Ok(())
    }

    /// Returns the ground, at the height of [`floor`](Self::floor) and three times as large as the framed bounds.
    /// `None` if it is off or nothing is visible.
    fn ground(&mut self) -> Option<Ground> {
        if !self.screen.look.ground {
            return None;
        }
        Some(Ground { height: self.floor()?, radius: self.framed_in_world()?.radius() * 3.0 })
    }

    /// Begins the list of the picture's lights with those of the model.
    fn add_own_lamps(&mut self) {
        self.screen.lamps.clear();
        if self.screen.look.lights > 0.0 && self.has_lights() {
            let mut lamps = std::mem::take(&mut self.screen.lamps);
            self.add_lamps_to(&mut lamps);
            self.screen.lamps = lamps;
        }
    }

    fn trace_skeletons(&mut self) {
        self.screen.lines.clear();
        if self.screen.look.skeleton {
            let mut lines = std::mem::take(&mut self.screen.lines);
            self.trace_into(&mut lines);
            self.screen.lines = lines;
        }
    }

    pub(super) fn trace_into(&mut self, lines: &mut Vec<LineVertex>) {
        let segments = &mut self.screen.segments;
        let Some(loaded) = &mut self.loaded else { return };
        for (index, character) in self.characters.iter_mut().enumerate() {
            if loaded.absent.get(index) == Some(&true) {
                continue;
            }
            let world_from_model = character.world_from_model(&self.world_from_actor);
            loaded.pose_one(character, &world_from_model);
            segments.clear();
            skeleton_lines(loaded.rig(), &loaded.workspace.model, segments);
            let last = segments.len().max(2) - 1;
            for (nth, segment) in segments.iter().enumerate() {
                let color = ROOT_COLOR.lerp(TIP_COLOR, nth as f32 / last as f32);
                lines.extend(segment.map(|position_in_model| LineVertex {
                    position_in_world: world_from_model.transform_point3(position_in_model),
                    color,
                }));
            }
        }
    }
}

/// Returns the greatest number, or NaN if there is one, which `f32::max` would ignore. 0 for none.
fn greatest(numbers: impl Iterator<Item = f32>) -> f32 {
    numbers.fold(0.0, |most, next| if most.is_nan() || next <= most { most } else { next })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Resources;

    #[test]
    fn a_distance_that_is_not_a_number_is_not_passed_over() {
        assert_eq!(greatest([].into_iter()), 0.0);
        assert_eq!(greatest([1.0, 3.0, 2.0].into_iter()), 3.0);
        for numbers in [[f32::NAN, 1.0, 2.0], [1.0, f32::NAN, 2.0], [1.0, 2.0, f32::NAN]] {
            assert!(greatest(numbers.into_iter()).is_nan(), "{numbers:?}");
        }
    }

    #[test]
    #[allow(non_snake_case)]
    fn S17_the_ground_lies_under_the_feet_wherever_the_origin_is() {
        // A line from 1 below its node to 2 above it.
        let line = "%00%00%00%00%00%00%80%BF%00%00%00%00%00%00%00%00%00%00%00@%00%00%00%00";
        let standing_at = |height: f32| {
            let file = format!(
                r#"{{ "asset": {{ "version": "2.0" }},
                "nodes": [{{ "mesh": 0, "translation": [0, {height}, 0] }}],
                "buffers": [{{ "byteLength": 24, "uri": "data:,{line}" }}],
                "bufferViews": [{{ "buffer": 0, "byteLength": 24 }}],
                "accessors": [{{ "bufferView": 0, "type": "VEC3", "componentType": 5126, "count": 2 }}],
                "meshes": [{{ "primitives": [{{ "attributes": {{ "POSITION": 0 }}, "mode": 1 }}] }}] }}"#
            );
            let mut player = Player::new();
            player.load(file.as_bytes(), &Resources::default()).expect("it is sound");
            player.frame(1.0);
            player.ground().expect("there is something to stand on")
        };
        let feet = standing_at(1.0);
        assert_eq!(feet.height, 0.0);
        for height in [-1.0, 0.0, 8.0] {
            let ground = standing_at(height);
            assert_eq!((ground.height, ground.radius), (height - 1.0, feet.radius));
        }
    }

    #[test]
    #[allow(non_snake_case)]
    fn S79_S80_the_overlay_is_coloured_from_root_to_tip_and_lies_alike_at_rest_and_in_a_clip() {
        // Three nodes in a row under a root that is moved, turned and scaled; the clip's keys are the rest of the
        // second.
        let keys = format!(
            "{}%00%00%80%3F{}",
            "%00".repeat(4),
            format!("{}%00%00%80%3F", "%00".repeat(12)).repeat(2)
        );
        let file = format!(
            r#"{{ "asset": {{ "version": "2.0" }},
            "nodes": [
                {{ "children": [1], "translation": [3, 0, 0], "rotation": [0, 0, 1, 0], "scale": [2, 2, 2] }},
                {{ "children": [2], "translation": [0, 2, 0] }}, {{ "translation": [0, 1, 0] }}],
            "buffers": [{{ "byteLength": 40, "uri": "data:,{keys}" }}],
            "bufferViews": [{{ "buffer": 0, "byteLength": 8 }}, {{ "buffer": 0, "byteOffset": 8, "byteLength": 32 }}],
            "accessors": [
                {{ "bufferView": 0, "type": "SCALAR", "componentType": 5126, "count": 2, "min": [0], "max": [1] }},
                {{ "bufferView": 1, "type": "VEC4", "componentType": 5126, "count": 2 }}],
            "animations": [{{ "samplers": [{{ "input": 0, "output": 1 }}],
                "channels": [{{ "sampler": 0, "target": {{ "node": 1, "path": "rotation" }} }}] }}] }}"#
        );
        let mut player = Player::new();
        player.load(file.as_bytes(), &Resources::default()).expect("it is sound");
        player.set_look(Look { skeleton: true, ..*player.look() }).expect("a sound look");
        player.trace_skeletons();
        let at_rest = player.screen.lines.clone();
        player
            .play(crate::model::ClipIndex::new(0), &crate::playback::PlayOptions::default())
            .expect("a clip");
        player.advance(0.5).expect("a time");
        player.trace_skeletons();
        let in_clip = &player.screen.lines;

        let places: Vec<Vec3> = at_rest.iter().map(|end| end.position_in_world.round()).collect();
        let (root, middle, tip) = (Vec3::X * 3.0, Vec3::new(3.0, -4.0, 0.0), Vec3::new(3.0, -6.0, 0.0));
        assert_eq!(places[..4], [root, middle, middle, tip]);
        assert_eq!(places.len(), 6, "the leaf has a stub");
        assert!(places[5].y < tip.y, "which goes on in its direction: {places:?}");
        assert_eq!((at_rest[0].color, at_rest[5].color), (ROOT_COLOR, TIP_COLOR));
        for (rest, moved) in at_rest.iter().zip(in_clip) {
            assert!(rest.position_in_world.abs_diff_eq(moved.position_in_world, 1e-5), "{rest:?} {moved:?}");
        }
        assert_eq!(in_clip.len(), at_rest.len());
    }
}
