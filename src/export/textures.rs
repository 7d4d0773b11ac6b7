//! Images, textures and samplers. A texture without its image is left out, and so is its use in materials.
use super::binary::Binary;
use super::json_text::{Json, Object};
use super::notes::{Change, Notes};
use super::{Extensions, Images, WEBP};
use crate::model::{Filter, Image, ImageSource, Model, Texture, TextureIndex, Wrap};
use crate::picture;
use std::borrow::Cow;

pub(super) struct Textures {
    pub(super) images: Vec<Json>,
    pub(super) samplers: Vec<Json>,
    pub(super) written: Vec<Json>,
    numbers: Vec<Option<usize>>,
}

impl Textures {
    pub(super) fn of(
        model: &Model,
        mut writer: ImageWriter<'_>,
        extensions: &mut Extensions,
        notes: &mut Notes,
    ) -> Self {
        let mut textures =
            Self { images: Vec::new(), samplers: Vec::new(), written: Vec::new(), numbers: Vec::new() };
        let mut known: Vec<Option<(usize, bool)>> = Vec::with_capacity(model.images.len());
        for (index, image) in model.images.iter().enumerate() {
            let written = writer.image(image, index, notes);
            known.push(written.map(|(image, is_webp)| {
                textures.images.push(image.into());
                (textures.images.len() - 1, is_webp)
            }));
        }
        let mut samplers: Vec<Texture> = Vec::new();
        for texture in &model.textures {
            let Some((source, is_webp)) = known.get(texture.image.get()).copied().flatten() else {
                textures.numbers.push(None);
                continue;
            };
            let mut written = Object::new().with_some("sampler", textures.sampler(texture, &mut samplers));
            if is_webp {
                // There is no alternative image for players without WebP, so the extension is required.
                extensions.used.insert(WEBP);
                extensions.required.insert(WEBP);
                let extension = Object::new().with("source", source);
                written = written.with("extensions", Object::new().with(WEBP, extension));
            } else {
                written = written.with("source", source);
            }
            textures.numbers.push(Some(textures.written.len()));
            textures.written.push(written.into());
        }
        textures
    }

    /// Returns the index of a texture in the file; `None` if its image is missing.
    pub(super) fn number(&self, texture: TextureIndex) -> Option<usize> {
        *self.numbers.get(texture.get())?
    }

    /// Returns the index of the texture's sampler; `None` for glTF's defaults. Textures that differ only in their
    /// image share a sampler.
    fn sampler(&mut self, texture: &Texture, known: &mut Vec<Texture>) -> Option<usize> {
        let Texture { magnify, minify, mipmap, wrap_u, wrap_v, .. } = *texture;
        let plain = [magnify, minify] == [Filter::Linear; 2]
            && mipmap == Some(Filter::Linear)
            && [wrap_u, wrap_v] == [Wrap::Repeat; 2];
        if plain {
            return None;
        }
        let is_same = |other: &Texture| Texture { image: other.image, ..*texture } == *other;
        if let Some(number) = known.iter().position(is_same) {
            return Some(number);
        }
        let plain_filter = |filter| if filter == Filter::Nearest { 9728 } else { 9729 };
        let minify = match (minify, mipmap) {
            (filter, None) => plain_filter(filter),
            (Filter::Nearest, Some(Filter::Nearest)) => 9984,
            (Filter::Linear, Some(Filter::Nearest)) => 9985,
            (Filter::Nearest, Some(Filter::Linear)) => 9986,
            (Filter::Linear, Some(Filter::Linear)) => 9987,
        };
        let wrap = |wrap| match wrap {
            Wrap::Repeat => 10_497,
            Wrap::ClampToEdge => 33_071,
            Wrap::MirroredRepeat => 33_648,
        };
        let sampler = Object::new()
            .with("magFilter", plain_filter(magnify))
            .with("minFilter", minify)
            .with_unless(10_497, "wrapS", wrap(wrap_u))
            .with_unless(10_497, "wrapT", wrap(wrap_v));
        known.push(*texture);
        self.samplers.push(sampler.into());
        Some(self.samplers.len() - 1)
    }
}

/// Source and destination of images.
pub(super) struct ImageWriter<'a> {
    pub(super) images: Images,
    pub(super) picture: &'a mut dyn FnMut(&str) -> Option<Vec<u8>>,
    pub(super) binary: &'a mut Binary,
}

impl ImageWriter<'_> {
    /// Writes an image. Returns it and whether it is WebP; `None` if it can't be had.
    fn image(&mut self, image: &Image, index: usize, notes: &mut Notes) -> Option<(Object, bool)> {
        let Image { name, mime_type, source } = image;
        let name = match (source, self.images) {
            (ImageSource::Uri(uri), Images::Embedded) if name.is_empty() => file_stem(uri),
            _ => name,
        };
        let written = Object::new().with_name(name);
        let fetched;
        let bytes: &[u8] = match (source, self.images) {
            (ImageSource::Encoded(bytes), _) => bytes,
            (ImageSource::Uri(uri), Images::Named) => {
                let is_webp = mime_type.as_deref() == Some("image/webp");
                let written = written.with("uri", uri.as_str());
                return Some((written.with_some("mimeType", mime_type.as_deref()), is_webp));
            }
            (ImageSource::Uri(uri), Images::Embedded) => match (self.picture)(uri) {
                Some(bytes) => {
                    fetched = bytes;
                    &fetched
                }
                None => {
                    notes.add(Change::ImageMissing, "images", index, uri);
                    return None;
                }
            },
        };
        let about = match source {
            ImageSource::Uri(uri) => uri,
            ImageSource::Encoded(_) => name,
        };
        let Some((bytes, mime_type)) = readable(bytes) else {
            notes.add(Change::ImageUnreadable, "images", index, about);
            return None;
        };
        if let Cow::Owned(_) = bytes {
            notes.add(Change::ImageConverted, "images", index, about);
        }
        let written = written.with("bufferView", self.binary.image(&bytes)).with("mimeType", mime_type);
        Some((written, mime_type == "image/webp"))
    }
}

/// Returns a file name without folders and ending, as the name of an image that has no file of its own once embedded.
fn file_stem(uri: &str) -> &str {
    let file = uri.rsplit(['/', '\\']).next().unwrap_or(uri);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// Returns the image in a format that glTF allows, converted to PNG if necessary. The first bytes determine its
/// format.
fn readable(bytes: &[u8]) -> Option<(Cow<'_, [u8]>, &'static str)> {
    let mime_type = match bytes {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xFF, 0xD8, 0xFF, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        _ => {
            let picture = picture::decode(bytes).ok()?;
            return Some((Cow::Owned(picture::to_png(&picture)), "image/png"));
        }
    };
    Some((Cow::Borrowed(bytes), mime_type))
}
