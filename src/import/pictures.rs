//! Images and textures that materials refer to by file name, each stored once.
use crate::model::{Image, ImageIndex, ImageSource, Texture, TextureIndex};
use std::collections::HashMap;

#[derive(Debug, Default)]
pub(super) struct Pictures {
    pub(super) images: Vec<Image>,
    pub(super) textures: Vec<Texture>,
    image_of_uri: HashMap<String, ImageIndex>,
    texture_of: HashMap<Texture, TextureIndex>,
}

impl Pictures {
    /// Returns the image with this URI, as written in the file, and adds it if it is new.
    pub(super) fn by_uri(&mut self, uri: &str) -> ImageIndex {
        if let Some(&image) = self.image_of_uri.get(uri) {
            return image;
        }
        let index = ImageIndex::new(self.images.len());
        let source = ImageSource::Uri(uri.to_owned());
        self.images.push(Image { name: String::new(), mime_type: None, source });
        self.image_of_uri.insert(uri.to_owned(), index);
        index
    }

    pub(super) fn texture(&mut self, texture: Texture) -> TextureIndex {
        *self.texture_of.entry(texture).or_insert_with(|| {
            self.textures.push(texture);
            TextureIndex::new(self.textures.len() - 1)
        })
    }
}
