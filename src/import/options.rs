/// Settings for things that some formats leave undefined.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportOptions {
    /// Ticks per second of .x files that don't specify it. `None` uses DirectX's default, 4800.
    pub ticks_per_second: Option<f64>,
    pub matrix_keys: MatrixKeys,
    /// Clips by name, each with a rule that replaces `matrix_keys`.
    pub matrix_keys_of_clips: Vec<(String, MatrixKeys)>,
}

/// Interpolation between keys that are whole matrices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatrixKeys {
    /// Decomposes the matrices: scale and translation are interpolated linearly, rotation along the arc. A node whose
    /// keys shear can't be decomposed and is interpolated element by element.
    #[default]
    Decompose,
    /// Interpolates each element of the matrix linearly.
    Elements,
    /// Holds each key until the next.
    Step,
}

impl ImportOptions {
    #[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
    pub(super) fn matrix_keys_of(&self, clip: &str) -> MatrixKeys {
        let own = self.matrix_keys_of_clips.iter().find(|(name, _)| name == clip);
        own.map_or(self.matrix_keys, |(_, mode)| *mode)
    }
}
