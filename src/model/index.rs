//! One newtype per kind of thing that can be pointed at, so that a skin can't index nodes.

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// # Panics
            /// Above `u32::MAX`: importers bound their counts long before.
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
    /// Into [`Model::nodes`](super::Model::nodes), the flattened order.
    NodeIndex
);
index!(ClipIndex);
index!(SkinIndex);
index!(MeshIndex);
index!(MaterialIndex);
index!(TextureIndex);
index!(ImageIndex);
index!(CameraIndex);
