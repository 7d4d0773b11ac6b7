//! `<effect>`: classic shading models, converted to metallic-roughness materials with their textures.
use super::Reader;
use super::sources::single_of;
use super::xml::{Element, File, decimal};
use crate::import::report::WarningKind;
use crate::import::shininess::roughness;
use crate::import::srgb;
use crate::model::{AlphaMode, Filter, Material, Texture, TextureIndex, Wrap};
use glam::{Vec3, Vec4};

/// A material whose textures have no sets of coordinates yet.
pub(super) struct Effect {
    /// Has no name and no texture slots.
    pub(super) material: Material,
    pub(super) base_color: Option<Mapped>,
    pub(super) emissive: Option<Mapped>,
}

impl Default for Effect {
    fn default() -> Self {
        Self { material: Material { metallic: 0.0, ..Material::default() }, base_color: None, emissive: None }
    }
}

pub(super) struct Mapped {
    pub(super) texture: TextureIndex,
    /// The name that instances bind to a set of coordinates.
    pub(super) coordinates: String,
}

pub(super) fn read(reader: &mut Reader<'_>, element: Element<'_>) -> Effect {
    let mut effect = Effect::default();
    effect.material.double_sided = element
        .descendants()
        .any(|element| element.tag() == "double_sided" && ["1", "true"].contains(&element.text()));
    let Some(profile) = element.child("profile_COMMON") else { return effect };
    let models = ["phong", "lambert", "blinn", "constant"];
    let shading = profile
        .child("technique")
        .and_then(|technique| technique.children().find(|model| models.contains(&model.tag())));
    if let Some(shading) = shading {
        Shading { reader, profile, shading }.fill(&mut effect);
    }
    effect
}

struct Shading<'r, 'a, 'e> {
    reader: &'r mut Reader<'a>,
    profile: Element<'e>,
    /// The element of the shading model, such as `<phong>`.
    shading: Element<'e>,
}

impl<'e> Shading<'_, '_, 'e> {
    fn fill(&mut self, effect: &mut Effect) {
        let is_constant = self.shading.tag() == "constant";
        let material = &mut effect.material;
        let emission = self.color("emission");
        effect.base_color = self.texture(if is_constant { "emission" } else { "diffuse" });
        let color = if is_constant { emission } else { self.color("diffuse") };
        material.base_color = match effect.base_color {
            Some(_) => Vec4::ONE,
            None => linear(color.unwrap_or(Vec4::ONE).with_w(1.0)),
        };
        if is_constant {
            material.unlit = true;
        } else {
            effect.emissive = self.texture("emission");
            material.emissive = match effect.emissive {
                Some(_) => Vec3::ONE,
                None => linear(emission.unwrap_or(Vec4::ZERO)).truncate(),
            };
        }
        material.roughness = self.roughness();
        material.base_color.w = self.opacity();
        // The alpha of the transparency's image applies only if the image is also that of the colour.
        let cuts = self.uri("transparent").is_some_and(|cut| self.uri("diffuse") == Some(cut));
        if cuts || material.base_color.w < 1.0 {
            material.alpha = AlphaMode::Blend;
        }
    }

    /// Returns the roughness whose highlight is as wide as that of a Blinn or Phong exponent.
    fn roughness(&self) -> f32 {
        let is_shiny = ["phong", "blinn"].contains(&self.shading.tag());
        let is_black = self.color("specular").is_some_and(|color| color.truncate() == Vec3::ZERO);
        match self.float("shininess").filter(|_| is_shiny && !is_black) {
            Some(exponent) => roughness(exponent),
            None => 1.0,
        }
    }

    fn opacity(&self) -> f32 {
        let element = self.shading.child("transparent");
        let factor = self.float("transparency");
        if element.is_none() && factor.is_none() {
            return 1.0;
        }
        let color = self.color("transparent").unwrap_or(Vec4::ONE);
        let factor = factor.unwrap_or(1.0);
        let brightness = color.truncate().dot(Vec3::new(0.212_671, 0.715_16, 0.072_169));
        let mode = element.and_then(|element| element.attribute("opaque"));
        let opacity = match mode {
            Some("RGB_ZERO") => 1.0 - brightness * factor,
            Some("RGB_ONE") => brightness * factor,
            Some("A_ZERO") => 1.0 - color.w * factor,
            _ => color.w * factor,
        };
        // Without a mode, a fully transparent material means that the exporter took 0 for opaque.
        if mode.is_none() && opacity <= 0.0 { 1.0 } else { opacity.clamp(0.0, 1.0) }
    }

    /// Returns a colour as written, in sRGB.
    fn color(&self, name: &str) -> Option<Vec4> {
        let holder = self.shading.child(name)?;
        let element = match holder.child("color") {
            Some(color) => color,
            None => self.param(holder.child("param")?.attribute("ref")?)?.children().next()?,
        };
        let numbers = element.numbers_counted(|count| (3..=4).contains(&count)).ok()?;
        let number = |at: usize, default| numbers.get(at).map_or(default, |number| single_of(*number));
        let color = Vec4::new(number(0, 0.0), number(1, 0.0), number(2, 0.0), number(3, 1.0));
        color.is_finite().then(|| color.clamp(Vec4::ZERO, Vec4::ONE))
    }

    fn float(&self, name: &str) -> Option<f32> {
        let holder = self.shading.child(name)?;
        let element = match holder.child("float") {
            Some(float) => float,
            None => self.param(holder.child("param")?.attribute("ref")?)?.child("float")?,
        };
        decimal(element.text()).map(single_of).filter(|number| number.is_finite())
    }

    fn texture(&mut self, name: &str) -> Option<Mapped> {
        let element = self.shading.child(name)?.child("texture")?;
        let coordinates = element.attribute("texcoord").unwrap_or_default().to_owned();
        let Some(uri) = self.uri(name) else {
            self.reader.warn(WarningKind::TextureWithoutImage, element, "");
            return None;
        };
        let sampler = self.sampler(element);
        let image = self.reader.imported.pictures.by_uri(&uri);
        let texture = self.reader.imported.pictures.texture(sampled(image, sampler));
        Some(Mapped { texture, coordinates })
    }

    /// Returns the file of a texture.
    fn uri(&self, name: &str) -> Option<String> {
        let element = self.shading.child(name)?.child("texture")?;
        uri_of(self.image(self.sampler(element), element.attribute("texture")?)?, self.reader.file)
    }

    fn sampler(&self, texture: Element<'e>) -> Option<Element<'e>> {
        self.param(texture.attribute("texture")?)?.child("sampler2D")
    }

    /// Returns the image of a texture: through a surface (1.4), from the sampler (1.5), or by its own name if there
    /// is no sampler (some exporters).
    fn image(&self, sampler: Option<Element<'e>>, name: &'e str) -> Option<&'e str> {
        let Some(sampler) = sampler else { return Some(name) };
        if let Some(instance) = sampler.child("instance_image") {
            return instance.attribute("url");
        }
        let surface = self.param(sampler.child("source")?.text())?;
        let from = surface.child("surface")?.child("init_from")?;
        Some(from.child("ref").unwrap_or(from).text())
    }

    fn param(&self, sid: &str) -> Option<Element<'e>> {
        self.profile.children_named("newparam").find(|param| param.attribute("sid") == Some(sid))
    }
}

/// Returns the file of an image in the form of the model's textures: a relative path with slashes.
fn uri_of(image: &str, file: &File<'_>) -> Option<String> {
    let element = file.by_url(image).filter(|element| element.tag() == "image")?;
    let from = element.child("init_from")?;
    let written = from.child("ref").unwrap_or(from).text();
    if written.is_empty() {
        return None;
    }
    let path = written.replace('\\', "/");
    // Only the name is kept of a path that begins at the root of a disk.
    let bytes = path.as_bytes();
    let has_drive = bytes.get(1) == Some(&b':') && bytes.first().is_some_and(u8::is_ascii_alphabetic);
    let is_file = path.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"));
    let is_rooted = path.starts_with('/')
        || has_drive
        || path.get(5..).is_some_and(|rest| is_file && rest.starts_with('/'));
    let uri = match is_rooted {
        true => path.rsplit('/').next().unwrap_or_default(),
        false if is_file => path.get(5..).unwrap_or_default(),
        false => &path,
    };
    Some(uri.to_owned()).filter(|uri| !uri.is_empty())
}

fn sampled(image: crate::model::ImageIndex, sampler: Option<Element<'_>>) -> Texture {
    let setting = |name: &str| sampler.and_then(|sampler| sampler.child(name)).map_or("", Element::text);
    let wrap = |name: &str| match setting(name) {
        "MIRROR" => Wrap::MirroredRepeat,
        "CLAMP" | "BORDER" => Wrap::ClampToEdge,
        _ => Wrap::Repeat,
    };
    let filter = |word: &str| if word.starts_with("NEAREST") { Filter::Nearest } else { Filter::Linear };
    let minify = setting("minfilter");
    // 1.4 writes both filters in one word, 1.5 has an element for each.
    let mipmap = match (minify.split_once("_MIPMAP_"), setting("mipfilter")) {
        (Some((_, mipmap)), _) => Some(filter(mipmap)),
        (None, "NONE") => None,
        (None, "NEAREST") => Some(Filter::Nearest),
        _ if minify == "NEAREST" => None,
        _ => Some(Filter::Linear),
    };
    Texture {
        image,
        magnify: filter(setting("magfilter")),
        minify: filter(minify),
        mipmap,
        wrap_u: wrap("wrap_s"),
        wrap_v: wrap("wrap_t"),
    }
}

/// Converts a colour from sRGB, which the file stores, to linear; alpha is unchanged.
pub(super) fn linear(color: Vec4) -> Vec4 {
    Vec4::new(srgb::linear(color.x), srgb::linear(color.y), srgb::linear(color.z), color.w)
}
