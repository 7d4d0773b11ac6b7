//! Encoded images and their samplers.
use super::Budget;
use super::buffers::{Buffers, invalid_data_uri};
use super::json::Json;
use crate::image_type::image_type;
use crate::import::part::Part;
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportReport, data_uri};
use crate::model::{Filter, Image, ImageIndex, ImageSource, Texture, TextureIndex, Wrap};
use crate::refusal::{Place, element};

/// An image of the file. One without a source keeps its index but isn't used by any texture.
pub(super) struct FileImage {
    pub(super) image: Image,
    usable: bool,
}

#[inline(never)]
pub(super) fn images(
    root: Json<'_>,
    buffers: &Buffers<'_>,
    budget: &Budget,
) -> Result<Vec<FileImage>, ImportError> {
    let mut images = Vec::with_capacity(root.count("images"));
    for (index, image) in root.list("images").enumerate() {
        let mut mime_type = image.text("mimeType").map(str::to_owned);
        let source = match (image.index("bufferView"), image.text("uri")) {
            (Some(view), _) => {
                let bytes = buffers.view(view)?.0;
                budget.charge(bytes.len() as u64, 1, || element("images", index))?;
                ImageSource::Encoded(bytes.into())
            }
            (None, Some(uri)) if data_uri::is_data_uri(uri) => {
                Part::Import.need()?;
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
            let declared = mime_type.unwrap_or_default();
            mime_type = Some(image_type(bytes, &declared).to_owned()).filter(|name| !name.is_empty());
        }
        let name = image.name();
        images.push(FileImage { image: Image { name, mime_type, source }, usable });
    }
    Ok(images)
}

/// Returns the textures with an image that can be shown, and the new index of each texture of the file. `decoders`
/// are extensions with an alternative image that the caller decodes.
#[inline(never)]
pub(super) fn textures(
    root: Json<'_>,
    images: &[FileImage],
    decoders: &[String],
    report: &mut ImportReport,
) -> (Vec<Texture>, Vec<Option<TextureIndex>>) {
    let place = Place::ROOT.field("textures");
    let mut textures = Vec::with_capacity(root.count("textures"));
    let mut texture_from_source = Vec::with_capacity(root.count("textures"));
    for (index, texture) in root.list("textures").enumerate() {
        let usable = |&image: &usize| images.get(image).is_some_and(FileImage::shown_by_browsers);
        let alternative =
            |name: &str| texture.extension(name).and_then(|extension| extension.index("source"));
        let mut decoded = decoders.iter().filter_map(|name| alternative(name));
        let decoded = decoded.find(|&image| images.get(image).is_some_and(|image| image.usable));
        // Every browser with wasm SIMD can decode WebP, and nearly every one AVIF.
        let image = decoded
            .or(alternative("EXT_texture_webp").filter(usable))
            .or(alternative("EXT_texture_avif").filter(usable))
            .or(texture.index("source").filter(usable));
        let Some(image) = image else {
            report.warn(WarningKind::TextureWithoutImage, &place.index(index));
            texture_from_source.push(None);
            continue;
        };
        let sampler = texture.index("sampler").and_then(|sampler| root.element("samplers", sampler));
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

fn sampled(image: ImageIndex, sampler: Option<Json<'_>>) -> Texture {
    let setting = |name: &str| sampler.and_then(|sampler| sampler.integer(name));
    // The numbers are OpenGL constants.
    let magnify = if setting("magFilter") == Some(9728) { Filter::Nearest } else { Filter::Linear };
    let (minify, mipmap) = match setting("minFilter") {
        Some(9728) => (Filter::Nearest, None),
        Some(9729) => (Filter::Linear, None),
        Some(9984) => (Filter::Nearest, Some(Filter::Nearest)),
        Some(9985) => (Filter::Linear, Some(Filter::Nearest)),
        Some(9986) => (Filter::Nearest, Some(Filter::Linear)),
        _ => (Filter::Linear, Some(Filter::Linear)),
    };
    let wrap = |name: &str| match setting(name) {
        Some(33_071) => Wrap::ClampToEdge,
        Some(33_648) => Wrap::MirroredRepeat,
        _ => Wrap::Repeat,
    };
    Texture { image, magnify, minify, mipmap, wrap_u: wrap("wrapS"), wrap_v: wrap("wrapT") }
}
