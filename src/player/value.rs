//! What every number that comes from outside must be: one table, which all setters of the player ask.

use super::PlayerError;

/// The largest size of most numbers: in single precision, the square of a product with another one is still finite.
const LARGEST: f64 = 1e9;
/// The least of those above 0: its reciprocal is `LARGEST`.
const LEAST: f64 = 1e-9_f32 as f64;

/// Which numbers are taken. What isn't finite never is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Of any size: what takes it brings it into a range of its own.
    Finite,
    Any,
    FromZero,
    AboveZero,
    Share,
}

impl Range {
    /// Least, most, and how messages put it.
    pub fn limits(self) -> (f64, f64, &'static str) {
        match self {
            Self::Finite => (f64::MIN, f64::MAX, "of any size"),
            Self::Any => (-LARGEST, LARGEST, "from -1e9 to 1e9"),
            Self::FromZero => (0.0, LARGEST, "from 0 to 1e9"),
            Self::AboveZero => (LEAST, LARGEST, "above 0, up to 1e9"),
            Self::Share => (0.0, 1.0, "from 0 to 1"),
        }
    }
}

macro_rules! values {
    ($($variant:ident $name:literal $range:ident;)*) => {
        /// A number that is set from outside.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Value {
            $($variant,)*
        }

        impl Value {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// What messages call it, and which numbers it takes.
            pub fn row(self) -> (&'static str, Range) {
                match self {
                    $(Self::$variant => ($name, Range::$range),)*
                }
            }
        }
    };
}

// The page's side has the same table, so that a player in a worker refuses the same at once; the test
// `the_page_has_the_same_table` of `tests/values.rs` fails when they drift.
values! {
    Time "time" Finite;
    TimeStep "time" Finite;
    ClockStep "step" AboveZero;
    PlaybackRate "playbackRate" Any;
    Fade "fade" Any;
    Speed "speed" Any;
    Start "start" Any;
    Release "release" FromZero;
    Phase "phase" Any;
    Weight "weight" Share;
    MorphWeight "morph weight" Any;
    Parameter "parameter" Any;
    Point "point" Any;
    Rotation "rotation" Any;
    Limit "limit" FromZero;
    Smoothing "smoothing" FromZero;
    Place "place" Any;
    Yaw "yaw" Any;
    Pitch "pitch" Any;
    Roll "roll" Any;
    Inset "inset" FromZero;
    Pan "pan" Any;
    Zoom "zoom" AboveZero;
    Distance "distance" AboveZero;
    FieldOfView "fov" AboveZero;
    AutoRotate "autoRotate" Any;
    Exposure "exposure" FromZero;
    Background "background" Share;
    Tint "tint" Any;
    Alpha "alpha" Share;
    Color "color" FromZero;
    Metallic "metallic" Share;
    Roughness "roughness" Share;
}

impl Value {
    /// The number, if it may be that.
    #[inline(never)]
    pub(crate) fn check(self, number: f64) -> Result<f64, PlayerError> {
        let (what, range) = self.row();
        let (least, most, expected) = range.limits();
        if !number.is_finite() {
            Err(PlayerError::NotFinite { what })
        } else if number < least || number > most {
            Err(PlayerError::OutOfRange { what, expected })
        } else {
            Ok(number)
        }
    }

    /// Unless it is what it was.
    pub(crate) fn check_change(self, number: f32, held: f32) -> Result<(), PlayerError> {
        if number == held { Ok(()) } else { self.check(number.into()).map(drop) }
    }

    /// Those that are numbers: NaN says nothing.
    pub(crate) fn check_some(self, numbers: &[f32]) -> Result<(), PlayerError> {
        let numbers = numbers.iter().filter(|number| !number.is_nan());
        numbers.into_iter().try_for_each(|&number| self.check(number.into()).map(drop))
    }

    /// All of them, or none.
    pub(crate) fn check_all(self, numbers: &[f32]) -> Result<(), PlayerError> {
        numbers.iter().try_for_each(|&number| self.check(number.into()).map(drop))
    }
}
