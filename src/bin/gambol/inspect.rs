//! `gambol inspect`: prints the contents of a file.
use crate::arguments::Arguments;
use crate::hierarchy::Tree;
use crate::load::{Loaded, folder_of, load};
use crate::wording::{bytes, counted, printable, remarks};
use crate::{Failure, sibling_files};
use gambol::import::Format;
use gambol::model::material_table::TEXTURE_NAMES;
use gambol::model::{
    AlphaMode, Camera, Clip, Image, ImageSource, Light, LightKind, Material, MaterialFeature, Mesh, Model,
    Projection, Skin,
};
use std::io::Write;
use std::path::Path;

pub(crate) fn run(file: &Path, arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let Loaded { format, byte_count, imported, .. } = load(file, &arguments.import)?;
    let model = &imported.model;
    let format = match format {
        Some(Format::Glb) => "glTF 2.0, binary",
        Some(Format::Gltf) => "glTF 2.0",
        Some(Format::X) => "DirectX",
        Some(Format::Collada) => "Collada",
        Some(Format::Iqm) => "Inter-Quake",
        None => "unknown",
    };
    writeln!(out, "{}: {format}, {}", printable(&file.to_string_lossy()), bytes(byte_count))?;
    writeln!(out, "{}", counts(model))?;

    let most = if arguments.all { usize::MAX } else { MOST_LINES };
    section(out, most, "nodes", Tree::of(model))?;
    section(out, most, "clips", numbered(&model.clips, clip))?;
    section(out, most, "skins", numbered(&model.skins, |own| skin(own, model)))?;
    section(out, most, "meshes", numbered(&model.meshes, mesh))?;
    section(out, most, "materials", numbered(&model.materials, |own| material(own, model)))?;
    section(out, most, "variants", numbered(&model.variants, |name| printable(name)))?;
    section(out, most, "cameras", numbered(&model.cameras, camera))?;
    section(out, most, "lights", numbered(&model.lights, light))?;
    section(out, most, "images", numbered(&model.images, |own| image(own, file)))?;
    let warnings = imported.report.warnings.iter();
    remarks(out, "warnings", warnings.map(|warning| (warning.code, &*warning.place, &*warning.message)))
}

/// Lines per section without `--all`: about two screens.
const MOST_LINES: usize = 100;

fn section(
    out: &mut impl Write,
    most: usize,
    heading: &str,
    lines: impl Iterator<Item = String>,
) -> Result<(), Failure> {
    let mut left_out = 0;
    for (nth, line) in lines.enumerate() {
        if nth == 0 {
            writeln!(out, "\n{heading}")?;
        }
        match nth < most {
            true => writeln!(out, "{line}")?,
            false => left_out += 1,
        }
    }
    if left_out > 0 {
        writeln!(out, "    …  {left_out} more: --all shows them")?;
    }
    Ok(())
}

fn numbered<'a, T>(
    items: &'a [T],
    about: impl Fn(&'a T) -> String + 'a,
) -> impl Iterator<Item = String> + 'a {
    items.iter().enumerate().map(move |(index, item)| format!("{index:>5}  {}", about(item)))
}

fn counts(model: &Model) -> String {
    let primitives = || model.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let triangles: usize = model.meshes.iter().map(triangle_count).sum();
    [
        counted(model.nodes.len(), "node"),
        counted(model.clips.len(), "clip"),
        counted(model.skins.len(), "skin"),
        counted(model.meshes.len(), "mesh"),
        counted(primitives().map(|primitive| primitive.positions.len()).sum(), "vertex"),
        counted(triangles, "triangle"),
        counted(model.materials.len(), "material"),
        counted(model.images.len(), "image"),
    ]
    .join(", ")
}

fn clip(clip: &Clip) -> String {
    let keys = clip.times().map(|times| times.len()).sum();
    let Clip { name, duration_secs, .. } = clip;
    let [tracks, keys] = [counted(clip.times().count(), "track"), counted(keys, "key")];
    format!("{}  {duration_secs} s, {tracks}, {keys}", printable(name))
}

fn skin(skin: &Skin, model: &Model) -> String {
    let drawn = model.nodes.iter().filter(|node| {
        node.skin.and_then(|index| model.skins.get(index.get())).is_some_and(|own| std::ptr::eq(own, skin))
    });
    let meshes = drawn.filter_map(|node| model.meshes.get(node.mesh?.get()));
    let influences = meshes.flat_map(|mesh| &mesh.primitives).map(|primitive| {
        let weights = primitive.influences.joint_weights.chunks(primitive.influences.per_vertex.max(1));
        weights.map(|slots| slots.iter().filter(|&&weight| weight > 0.0).count()).max().unwrap_or(0)
    });
    let joints = counted(skin.joints.len(), "joint");
    format!(
        "{}{joints}, {} a vertex at most",
        named(&skin.name),
        counted(influences.max().unwrap_or(0), "influence")
    )
}

fn mesh(mesh: &Mesh) -> String {
    let vertices = mesh.primitives.iter().map(|primitive| primitive.positions.len()).sum();
    let mut about = [
        counted(mesh.primitives.len(), "primitive"),
        counted(vertices, "vertex"),
        counted(triangle_count(mesh), "triangle"),
    ]
    .to_vec();
    if mesh.morph_target_count() > 0 {
        let names: Vec<String> = mesh.morph_target_names.iter().map(|name| printable(name)).collect();
        let names = names.iter().filter(|name| !name.is_empty()).cloned().collect::<Vec<_>>().join(", ");
        let names = if names.is_empty() { names } else { format!(" ({names})") };
        about.push(counted(mesh.morph_target_count(), "morph target") + &names);
    }
    format!("{}{}", named(&mesh.name), about.join(", "))
}

fn triangle_count(mesh: &Mesh) -> usize {
    use gambol::model::Topology::Triangles;
    let triangles = mesh.primitives.iter().filter(|primitive| primitive.topology == Triangles);
    triangles.map(|primitive| primitive.indices.len() / 3).sum()
}

fn material(material: &Material, model: &Model) -> String {
    let mut about = Vec::new();
    for ((_, what), slot) in TEXTURE_NAMES.iter().zip(material.textures()) {
        let texture = slot.and_then(|slot| model.textures.get(slot.texture.get()));
        about.extend(texture.map(|texture| format!("{what} from image {}", texture.image.get())));
    }
    about.extend(material.features().iter().filter_map(MaterialFeature::extension).map(str::to_owned));
    if material.alpha != AlphaMode::Opaque {
        about.push(if material.alpha == AlphaMode::Blend { "blended" } else { "masked" }.to_owned());
    }
    if material.double_sided {
        about.push("double-sided".to_owned());
    }
    if material.unlit {
        about.push("unlit".to_owned());
    }
    if about.is_empty() {
        about.push("plain".to_owned());
    }
    format!("{}{}", named(&material.name), about.join(", "))
}

fn camera(camera: &Camera) -> String {
    let lens = match camera.projection {
        Projection::Perspective { vertical_fov, aspect, near, far } => {
            let aspect = aspect.map_or(String::new(), |aspect| format!(", aspect ratio {aspect}"));
            let far = far.map_or("∞".to_owned(), |far| far.to_string());
            format!("perspective, {}° high{aspect}, from {near} to {far}", vertical_fov.to_degrees())
        }
        Projection::Orthographic { half_width, half_height, near, far } => {
            let [width, height] = [half_width * 2.0, half_height * 2.0];
            format!("orthographic, {width} × {height}, from {near} to {far}")
        }
    };
    named(&camera.name) + &lens
}

fn light(light: &Light) -> String {
    let kind = match light.kind {
        LightKind::Directional => "directional".to_owned(),
        LightKind::Point => "point".to_owned(),
        LightKind::Spot { inner_angle, outer_angle } => {
            format!("spot from {}° to {}°", inner_angle.to_degrees(), outer_angle.to_degrees())
        }
    };
    let [red, green, blue] = light.color.to_array();
    let range = light.range.map_or(String::new(), |range| format!(", up to {range}"));
    format!("{}{kind}, colour {red} {green} {blue}, intensity {}{range}", named(&light.name), light.intensity)
}

fn image(image: &Image, file: &Path) -> String {
    let kind = image.mime_type.as_deref().map_or(String::new(), |kind| format!("{}, ", printable(kind)));
    match &image.source {
        ImageSource::Encoded(encoded) => {
            format!("{}{kind}{} in the file", named(&image.name), bytes(encoded.len()))
        }
        ImageSource::Uri(uri) => match sibling_files::find(folder_of(file), uri) {
            Some(path) => format!("{}  found: {}", printable(uri), printable(&path.to_string_lossy())),
            None => format!("{}  missing", printable(uri)),
        },
    }
}

fn named(name: &str) -> String {
    if name.is_empty() { String::new() } else { printable(name) + "  " }
}
