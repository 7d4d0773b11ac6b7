//! Permitted ranges of all numbers that are set from outside, in one table that every setter of the player checks.

use super::PlayerError;

/// Largest magnitude of most numbers. In single precision, the square of the product of two such numbers is still
/// finite.
const LARGEST: f64 = 1e9;
/// Smallest number of the range [`Range::AboveZero`]. Its reciprocal is `LARGEST`.
const LEAST: f64 = 1e-9_f32 as f64;

/// A range of permitted numbers. Infinities and NaN are never permitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Any finite number. The code that uses it clamps or wraps it.
    Finite,
    Any,
    FromZero,
    AboveZero,
    Share,
}

impl Range {
    /// Returns the least number, the greatest number, and the words for the range in messages.
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

            /// Returns the value's name in messages, and its range.
            pub fn row(self) -> (&'static str, Range) {
                match self {
                    $(Self::$variant => ($name, Range::$range),)*
                }
            }
        }
    };
}

// The TypeScript code has the same table, so that setters of a player in a worker throw immediately. The test
// `the_page_has_the_same_table` of `tests/playback/values.rs` fails when the tables differ.
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
    EnvironmentTurn "environmentRotation" Any;
    EnvironmentLight "environmentIntensity" FromZero;
    Lights "lightsIntensity" FromZero;
    Background "background" Share;
    Tint "tint" Any;
    Alpha "alpha" Share;
    Color "color" FromZero;
    Metallic "metallic" Share;
    Roughness "roughness" Share;
    Wind "wind" Any;
    Gravity "gravity" Any;
    Impulse "impulse" Any;
    Friction "friction" FromZero;
    Damping "damping" FromZero;
}

impl Value {
    /// Returns the number if it is in the value's range.
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

    /// Checks a number only if it differs from the current one.
    pub(crate) fn check_change(self, number: f32, held: f32) -> Result<(), PlayerError> {
        if number == held { Ok(()) } else { self.check(number.into()).map(drop) }
    }

    /// Checks the numbers that aren't NaN. NaN stands for no value.
    pub(crate) fn check_some(self, numbers: &[f32]) -> Result<(), PlayerError> {
        let numbers = numbers.iter().filter(|number| !number.is_nan());
        numbers.into_iter().try_for_each(|&number| self.check(number.into()).map(drop))
    }

    /// Checks every number.
    pub(crate) fn check_all(self, numbers: &[f32]) -> Result<(), PlayerError> {
        numbers.iter().try_for_each(|&number| self.check(number.into()).map(drop))
    }
}
