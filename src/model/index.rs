//! One newtype for each kind of index, so that a node can't be looked up by the index of a skin.

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// Creates an index.
            ///
            /// # Panics
            /// If `index` is above `u32::MAX`. Importers limit their counts to far less.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("counts are bounded at import"))
            }

            pub fn get(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index!(
    /// Index into [`Model::nodes`](super::Model::nodes), which is in flattened order.
    NodeIndex
);
index!(ClipIndex);
index!(SkinIndex);
index!(MeshIndex);
index!(MaterialIndex);
index!(TextureIndex);
index!(ImageIndex);
index!(CameraIndex);
index!(LightIndex);
index!(VariantIndex);
index!(PropertyIndex);
