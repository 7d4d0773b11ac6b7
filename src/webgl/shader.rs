use crate::backend::{opaque, unused};
use std::pin::Pin;
use std::rc::Rc;
use wgpu::custom::{ShaderCompilationInfoFuture, ShaderModuleInterface};

/// A translated shader module: the entry points that `build/translate.rs` wrote.
///
/// ```text
/// #define PARTS …
/// @mesh_vertex b:NAME:GROUP:BINDING t:NAME:GROUP:BINDING:GROUP:BINDING …
/// GLSL
/// @mesh_fragment …
/// ```
///
/// `b` is a uniform block, `t` a texture with its sampler, whose numbers are empty where there is none.
pub(super) struct Module {
    stages: Vec<Rc<Stage>>,
}

/// An entry point.
pub(super) struct Stage {
    entry: String,
    pub(super) source: String,
    pub(super) blocks: Vec<(String, Place)>,
    pub(super) textures: Vec<(String, TexturePlaces)>,
}

/// The first line of each shader.
const VERSION: &str = "#version 300 es\n";

/// A group and a binding.
pub(super) type Place = (usize, u32);
/// A texture, and the sampler that it is read with.
pub(super) type TexturePlaces = (Place, Option<Place>);

opaque![Module];

impl Module {
    pub(super) fn new(text: &str) -> Self {
        let mut parts = text.split('@');
        let macros = parts.next().unwrap_or_default();
        Self { stages: parts.map(|part| Rc::new(Stage::new(macros, part))).collect() }
    }

    pub(super) fn stage(&self, entry: &str) -> Option<&Rc<Stage>> {
        self.stages.iter().find(|stage| stage.entry == entry)
    }
}

impl Stage {
    pub(super) fn entry(&self) -> &str {
        &self.entry
    }

    /// Returns a stage with nothing but a texture, which is unit 0.
    pub(super) fn plain(source: &str) -> Self {
        Self {
            entry: String::new(),
            source: [VERSION, source].concat(),
            blocks: Vec::new(),
            textures: Vec::new(),
        }
    }

    fn new(macros: &str, text: &str) -> Self {
        let (head, source) = text.split_once('\n').unwrap_or_default();
        let mut words = head.split(' ');
        let mut stage = Self {
            entry: words.next().unwrap_or_default().into(),
            source: [VERSION, macros, source].concat(),
            blocks: Vec::new(),
            textures: Vec::new(),
        };
        for word in words {
            let mut parts = word.split(':');
            let (kind, name) = (parts.next(), parts.next().unwrap_or_default().into());
            let mut place =
                || -> Option<Place> { Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?)) };
            let Some(first) = place() else { continue };
            if kind == Some("b") {
                stage.blocks.push((name, first));
            } else {
                stage.textures.push((name, (first, place())));
            }
        }
        stage
    }
}

impl ShaderModuleInterface for Module {
    fn get_compilation_info(&self) -> Pin<Box<dyn ShaderCompilationInfoFuture>> {
        unused()
    }
}
