//! The transforms of a node, in document order: each is applied after those that follow it.
use super::xml::{Element, Id};
use crate::import::ImportError;
use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3};

/// The transforms of one node.
#[derive(Clone)]
pub(super) struct Stack {
    pub(super) transforms: Vec<Transform>,
}

#[derive(Clone)]
pub(super) struct Transform {
    /// Id of the transform's element.
    pub(super) id: Id,
    pub(super) kind: Kind,
    /// Numbers as written in the file.
    pub(super) numbers: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// 16 numbers, row by row, for column vectors.
    Matrix,
    Translate,
    /// Axis, and angle in degrees.
    Rotate,
    Scale,
    /// Eye, target, up.
    LookAt,
    /// Angle in degrees, axis of rotation, axis of translation.
    Skew,
}

impl Kind {
    pub(super) fn of(tag: &str) -> Option<Self> {
        Some(match tag {
            "matrix" => Self::Matrix,
            "translate" => Self::Translate,
            "rotate" => Self::Rotate,
            "scale" => Self::Scale,
            "lookat" => Self::LookAt,
            "skew" => Self::Skew,
            _ => return None,
        })
    }

    pub(super) fn number_count(self) -> usize {
        match self {
            Self::Matrix => 16,
            Self::Translate | Self::Scale => 3,
            Self::Rotate => 4,
            Self::LookAt => 9,
            Self::Skew => 7,
        }
    }
}

/// A part of a stack that consists of a translation, a rotation and a scale.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) enum Stretch {
    Translation,
    Rotation,
    Scale,
}

impl Stack {
    pub(super) fn read(node: Element<'_>) -> Result<Self, ImportError> {
        let mut transforms = Vec::new();
        for child in node.children() {
            let Some(kind) = Kind::of(child.tag()) else { continue };
            let numbers = match kind {
                Kind::Matrix => child.array::<16>()?.to_vec(),
                Kind::Translate | Kind::Scale => child.array::<3>()?.to_vec(),
                Kind::Rotate => child.array::<4>()?.to_vec(),
                Kind::LookAt => child.array::<9>()?.to_vec(),
                Kind::Skew => child.array::<7>()?.to_vec(),
            };
            transforms.push(Transform { id: child.id(), kind, numbers });
        }
        Ok(Self { transforms })
    }

    pub(super) fn parent_from_node(&self) -> DAffine3 {
        self.transforms.iter().fold(DAffine3::IDENTITY, |before, transform| {
            before * parent_from_child(transform.kind, &transform.numbers)
        })
    }

    /// Returns the part that each transform belongs to, if the stack is translations, then rotations, then scales.
    /// They combine to the node's translation, rotation and scale, however many there are of each.
    pub(super) fn stretches(&self) -> Option<Vec<Stretch>> {
        let mut stretches: Vec<Stretch> = Vec::with_capacity(self.transforms.len());
        for transform in &self.transforms {
            let stretch = match transform.kind {
                Kind::Translate => Stretch::Translation,
                Kind::Rotate => Stretch::Rotation,
                Kind::Scale => Stretch::Scale,
                Kind::Matrix | Kind::LookAt | Kind::Skew => return None,
            };
            if stretches.last().is_some_and(|last| *last > stretch) {
                return None;
            }
            stretches.push(stretch);
        }
        Some(stretches)
    }
}

/// Returns the matrix of one transform. Missing numbers are 0.
pub(super) fn parent_from_child(kind: Kind, numbers: &[f64]) -> DAffine3 {
    let number = |at: usize| numbers.get(at).copied().unwrap_or(0.0);
    let vector = |at: usize| DVec3::new(number(at), number(at + 1), number(at + 2));
    match kind {
        Kind::Matrix => affine(&std::array::from_fn(number)),
        Kind::Translate => DAffine3::from_translation(vector(0)),
        Kind::Rotate => DAffine3::from_quat(rotation(numbers)),
        Kind::Scale => DAffine3::from_scale(vector(0)),
        Kind::LookAt => look_at(vector(0), vector(3), vector(6)),
        Kind::Skew => skew(number(0).to_radians(), vector(1), vector(4)),
    }
}

/// Converts a matrix from rows. The last row is ignored: if exporters don't write 0 0 0 1 there, it is garbage.
pub(super) fn affine(rows: &[f64; 16]) -> DAffine3 {
    DAffine3::from_mat4(DMat4::from_cols_array(rows).transpose())
}

/// Returns the rotation by an axis and an angle in degrees.
pub(super) fn rotation(numbers: &[f64]) -> DQuat {
    let number = |at: usize| numbers.get(at).copied().unwrap_or(0.0);
    let axis = DVec3::new(number(0), number(1), number(2)).try_normalize();
    axis.map_or(DQuat::IDENTITY, |axis| DQuat::from_axis_angle(axis, number(3).to_radians()))
}

/// Returns the transform of a camera at `eye`, which looks along −Z at `target`.
fn look_at(eye: DVec3, target: DVec3, up: DVec3) -> DAffine3 {
    let back = (eye - target).try_normalize().unwrap_or(DVec3::Z);
    let right = up.cross(back).try_normalize().unwrap_or_else(|| back.any_orthonormal_vector());
    DAffine3::from_mat3_translation(DMat3::from_cols(right, back.cross(right), back), eye)
}

/// Returns a shear: vectors along `around` lean towards `along` by the angle.
fn skew(radians: f64, around: DVec3, along: DVec3) -> DAffine3 {
    let (around, along) = (around.normalize_or_zero(), along.normalize_or_zero());
    // The tangent of a right angle is infinite.
    let lean = radians.tan().clamp(-1e6, 1e6);
    let moved = |axis: DVec3| axis + along * (lean * axis.dot(around));
    DAffine3::from_mat3(DMat3::from_cols(moved(DVec3::X), moved(DVec3::Y), moved(DVec3::Z)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_are_written_row_by_row_for_columns() {
        let rows = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 0.0, 0.0, 0.0, 1.0];
        let found = parent_from_child(Kind::Matrix, &rows);
        assert_eq!(found.translation, DVec3::new(4.0, 8.0, 12.0));
        assert_eq!(found.transform_vector3(DVec3::X), DVec3::new(1.0, 5.0, 9.0));
    }

    #[test]
    fn a_camera_that_looks_at_something_stands_at_its_eye() {
        let found = parent_from_child(Kind::LookAt, &[0.0, 2.0, 5.0, 0.0, 2.0, 0.0, 0.0, 1.0, 0.0]);
        assert!(found.abs_diff_eq(DAffine3::from_translation(DVec3::new(0.0, 2.0, 5.0)), 1e-12));
        let beside = parent_from_child(Kind::LookAt, &[4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        assert!(beside.transform_vector3(DVec3::NEG_Z).abs_diff_eq(DVec3::NEG_X, 1e-12));
        assert!(parent_from_child(Kind::LookAt, &[0.0; 9]).is_finite());
    }

    #[test]
    fn a_skew_leans_one_axis_towards_the_other() {
        let found = parent_from_child(Kind::Skew, &[45.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
        assert!(found.transform_vector3(DVec3::X).abs_diff_eq(DVec3::X, 1e-12));
        assert!(found.transform_vector3(DVec3::Y).abs_diff_eq(DVec3::new(1.0, 1.0, 0.0), 1e-12));
        assert_eq!(parent_from_child(Kind::Skew, &[0.0; 7]), DAffine3::IDENTITY);
    }

    #[test]
    fn turning_about_no_axis_turns_nothing() {
        assert_eq!(rotation(&[0.0, 0.0, 0.0, 90.0]), DQuat::IDENTITY);
        assert!(
            rotation(&[0.0, 0.0, 2.0, 90.0]).abs_diff_eq(DQuat::from_rotation_z(90f64.to_radians()), 1e-12)
        );
    }
}
