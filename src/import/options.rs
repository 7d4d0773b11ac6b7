/// What some formats leave open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportOptions {
    /// Of .x files that don't say theirs; `None` takes DirectX's own, 4800.
    pub ticks_per_second: Option<f64>,
    pub matrix_keys: MatrixKeys,
    /// Clips by name for which another rule holds.
    pub matrix_keys_of_clips: Vec<(String, MatrixKeys)>,
}

/// What lies between two keys that are whole matrices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatrixKeys {
    /// They are taken apart: scales and translations go straight, rotations along the arc. A joint whose keys shear
    /// can't be, and goes element by element.
    #[default]
    Decompose,
    /// Each number goes straight to its next.
    Elements,
    /// Each key holds until the next.
    Step,
}

impl ImportOptions {
    #[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
    pub(super) fn matrix_keys_of(&self, clip: &str) -> MatrixKeys {
        let own = self.matrix_keys_of_clips.iter().find(|(name, _)| name == clip);
        own.map_or(self.matrix_keys, |(_, mode)| *mode)
    }
}
