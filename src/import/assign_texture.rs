//! A texture for models whose file names none. Some engines keep model and texture apart and combine them by hand.
use crate::model::{
    Filter, Image, ImageIndex, ImageSource, Material, MaterialIndex, Model, Texture, TextureIndex,
    TextureSlot, UvTransform, Wrap,
};

/// Uses an image as base colour texture of every material whose primitives all have texture coordinates. Returns
/// whether there was one.
///
/// Primitives without a material get a new one, under the same condition. A model that already has images stays
/// unchanged.
pub fn assign_texture(model: &mut Model, uri: &str) -> bool {
    if !model.images.is_empty() {
        return false;
    }
    // A material gets the texture only if all primitives that use it have texture coordinates.
    let plain = model.materials.len();
    let mut assignable = vec![true; plain + 1];
    let mut is_used = vec![false; plain + 1];
    for primitive in model.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let material = primitive.material.map_or(plain, MaterialIndex::get);
        if let (Some(assignable), Some(is_used)) = (assignable.get_mut(material), is_used.get_mut(material)) {
            *assignable &= !primitive.uv_sets.is_empty();
            *is_used = true;
        }
    }
    let is_assigned =
        |material: usize| is_used.get(material) == Some(&true) && assignable.get(material) == Some(&true);
    if !(0..=plain).any(is_assigned) {
        return false;
    }

    let source = ImageSource::Uri(uri.to_owned());
    model.images.push(Image { name: String::new(), mime_type: None, source });
    model.textures.push(Texture {
        image: ImageIndex::new(0),
        magnify: Filter::Linear,
        minify: Filter::Linear,
        mipmap: Some(Filter::Linear),
        wrap_u: Wrap::Repeat,
        wrap_v: Wrap::Repeat,
    });
    let texture = TextureIndex::new(model.textures.len() - 1);
    let slot = TextureSlot { texture, uv_set: 0, transform: UvTransform::IDENTITY };
    if is_assigned(plain) {
        model.materials.push(Material { metallic: 0.0, ..Material::default() });
        let bare = model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives);
        bare.for_each(|primitive| {
            primitive.material.get_or_insert(MaterialIndex::new(plain));
        });
    }
    for (_, material) in model.materials.iter_mut().enumerate().filter(|(index, _)| is_assigned(*index)) {
        material.base_color_texture = Some(slot);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Mesh, Primitive};
    use glam::Vec2;

    fn primitive(material: Option<usize>, has_uvs: bool) -> Primitive {
        let uv_sets = if has_uvs { vec![vec![Vec2::ZERO; 3]] } else { Vec::new() };
        Primitive { uv_sets, material: material.map(MaterialIndex::new), ..Primitive::default() }
    }

    fn model(primitives: Vec<Primitive>) -> Model {
        let meshes = vec![Mesh { primitives, ..Mesh::default() }];
        Model { meshes, materials: vec![Material::default(); 2], ..Model::default() }
    }

    fn textured(model: &Model) -> Vec<bool> {
        model.materials.iter().map(|material| material.base_color_texture.is_some()).collect()
    }

    #[test]
    fn what_has_coordinates_everywhere_is_dressed() {
        let mut mixed =
            model(vec![primitive(Some(0), true), primitive(Some(1), true), primitive(Some(1), false)]);
        assert!(assign_texture(&mut mixed, "coat.png"));
        assert_eq!(textured(&mixed), [true, false]);
        assert_eq!(mixed.images[0].source, ImageSource::Uri("coat.png".into()));
        assert!(!assign_texture(&mut mixed, "hat.png"), "it has an image by now");
    }

    #[test]
    fn what_has_no_material_gets_one() {
        let mut bare = model(vec![primitive(None, true)]);
        assert!(assign_texture(&mut bare, "coat.png"));
        assert_eq!(textured(&bare), [false, false, true]);
        assert_eq!(bare.meshes[0].primitives[0].material, Some(MaterialIndex::new(2)));
    }

    #[test]
    fn without_coordinates_nothing_changes() {
        let mut smooth = model(vec![primitive(Some(0), false)]);
        let before = smooth.clone();
        assert!(!assign_texture(&mut smooth, "coat.png"));
        assert_eq!(smooth, before);
    }
}
