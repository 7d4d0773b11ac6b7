//! Images, still encoded, and how to sample them.
use super::Budget;
use super::buffers::{Buffers, invalid_data_uri};
use crate::import::place::{Place, element};
use crate::import::report::Oddity;
use crate::import::{ImportError, ImportReport, data_uri};
use crate::model::{Filter, Image, ImageIndex, ImageSource, Texture, TextureIndex, Wrap};
use gltf::json::texture::{MagFilter, MinFilter, Sampler, WrappingMode};
use gltf::json::validation::Checked;
use gltf::json::{self, Root};

/// An image of the file. One without any source keeps its number but is drawn by no texture.
pub(super) struct FileImage {
    pub(super) image: Image,
    usable: bool,
}

pub(super) fn images(
    root: &Root,
    buffers: &Buffers<'_>,
    budget: &Budget,
) -> Result<Vec<FileImage>, ImportError> {
    let mut images = Vec::with_capacity(root.images.len());
    for (index, image) in root.images.iter().enumerate() {
        let mut mime_type = image.mime_type.as_ref().map(|mime_type| mime_type.0.clone());
        let source = match (image.buffer_view, image.uri.as_deref()) {
            (Some(view), _) => {
                let bytes = buffers.view(view)?.0;
                budget.charge(bytes.len() as u64, 1, || element("images", index))?;
                ImageSource::Encoded(bytes.into())
            }
            (None, Some(uri)) if data_uri::is_data_uri(uri) => {
                let decoded = data_uri::decode(uri).ok_or_else(|| invalid_data_uri("images", index))?;
                mime_type = Some(decoded.mime_type).filter(|name| !name.is_empty()).or(mime_type);
                ImageSource::Encoded(decoded.bytes.into())
            }
            (None, Some(uri)) => ImageSource::Uri(uri.to_owned()),
            (None, None) => ImageSource::Encoded([].into()),
        };
        let mut usable = true;
        if let ImageSource::Encoded(bytes) = &source {
            usable = !bytes.is_empty();
            mime_type = sniffed(bytes).map(str::to_owned).or(mime_type);
        }
        let name = image.name.clone().unwrap_or_default();
        images.push(FileImage { image: Image { name, mime_type, source }, usable });
    }
    Ok(images)
}

/// First bytes don't lie, MIME types do.
fn sniffed(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xFF, 0xD8, 0xFF, ..] => Some("image/jpeg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [0xAB, b'K', b'T', b'X', b' ', b'2', b'0', ..] => Some("image/ktx2"),
        _ => None,
    }
}

/// The textures that have an image a browser can show, and where each texture of the file went.
pub(super) fn textures(
    root: &Root,
    images: &[FileImage],
    report: &mut ImportReport,
) -> (Vec<Texture>, Vec<Option<TextureIndex>>) {
    let place = Place::ROOT.field("textures");
    let mut textures = Vec::with_capacity(root.textures.len());
    let mut texture_from_source = Vec::with_capacity(root.textures.len());
    for (index, texture) in root.textures.iter().enumerate() {
        let usable = |&image: &usize| images.get(image).is_some_and(FileImage::shown_by_browsers);
        let image = webp_source(texture).filter(usable).or(Some(texture.source.value()).filter(usable));
        let Some(image) = image else {
            report.warn(Oddity::TextureWithoutImage, &place.index(index));
            texture_from_source.push(None);
            continue;
        };
        let sampler = texture.sampler.and_then(|sampler| root.get(sampler));
        texture_from_source.push(Some(TextureIndex::new(textures.len())));
        textures.push(sampled(ImageIndex::new(image), sampler));
    }
    (textures, texture_from_source)
}

impl FileImage {
    fn shown_by_browsers(&self) -> bool {
        self.usable && self.image.mime_type.as_deref() != Some("image/ktx2")
    }
}

/// `EXT_texture_webp`: another image for those who can read it, as every browser with wasm SIMD can.
fn webp_source(texture: &json::Texture) -> Option<usize> {
    let source = texture.extensions.as_ref()?.others.get("EXT_texture_webp")?.get("source")?;
    usize::try_from(source.as_u64()?).ok()
}

fn sampled(image: ImageIndex, sampler: Option<&Sampler>) -> Texture {
    let magnify = match sampler.and_then(|sampler| sampler.mag_filter) {
        Some(Checked::Valid(MagFilter::Nearest)) => Filter::Nearest,
        _ => Filter::Linear,
    };
    use MinFilter as Min;
    let (minify, mipmap) = match sampler.and_then(|sampler| sampler.min_filter) {
        Some(Checked::Valid(Min::Nearest)) => (Filter::Nearest, None),
        Some(Checked::Valid(Min::Linear)) => (Filter::Linear, None),
        Some(Checked::Valid(Min::NearestMipmapNearest)) => (Filter::Nearest, Some(Filter::Nearest)),
        Some(Checked::Valid(Min::LinearMipmapNearest)) => (Filter::Linear, Some(Filter::Nearest)),
        Some(Checked::Valid(Min::NearestMipmapLinear)) => (Filter::Nearest, Some(Filter::Linear)),
        _ => (Filter::Linear, Some(Filter::Linear)),
    };
    let wrap = |mode: Option<Checked<WrappingMode>>| match mode {
        Some(Checked::Valid(WrappingMode::ClampToEdge)) => Wrap::ClampToEdge,
        Some(Checked::Valid(WrappingMode::MirroredRepeat)) => Wrap::MirroredRepeat,
        _ => Wrap::Repeat,
    };
    Texture {
        image,
        magnify,
        minify,
        mipmap,
        wrap_u: wrap(sampler.map(|sampler| sampler.wrap_s)),
        wrap_v: wrap(sampler.map(|sampler| sampler.wrap_t)),
    }
}
