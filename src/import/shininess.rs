//! Phong and Blinn exponents as roughness.

/// Returns the roughness whose highlight is as wide as that of an exponent. glTF squares the roughness for the width.
pub(super) fn roughness(exponent: f32) -> f32 {
    (2.0 / (exponent.max(0.0) + 2.0)).sqrt().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_exponent_is_smoother_and_none_is_rough() {
        assert_eq!(roughness(0.0), 1.0);
        assert_eq!(roughness(-1.0), 1.0);
        assert_eq!(roughness(30.0), 0.5);
        assert!(roughness(1000.0) < roughness(100.0));
    }
}
