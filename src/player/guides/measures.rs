//! Lengths as text. The metre is glTF's unit.

/// The letters that measures are written with.
pub const GUIDE_LETTERS: &str = "0123456789.−kmcµn ";
pub(super) const LETTER_COUNT: usize = 18;

/// Units, from the largest to the smallest, with the power of ten that each is in metres.
const UNITS: [(&str, i32); 6] = [("km", 3), ("m", 0), ("cm", -2), ("mm", -3), ("µm", -6), ("nm", -9)];

/// Returns a length with three digits, such as `1.72 m` and `34.0 cm`.
pub(super) fn length_text(metres: f32) -> String {
    let metres = f64::from(metres.abs());
    if metres == 0.0 || !metres.is_finite() {
        return "0 m".to_owned();
    }
    // What rounds up to a unit is written in that unit.
    let fits = |&(_, power): &(&str, i32)| metres * 1.000_01 >= power_of_ten(power);
    let (unit, power) = UNITS.into_iter().find(fits).unwrap_or(UNITS[UNITS.len() - 1]);
    let in_units = metres / power_of_ten(power);
    let decimals = match in_units {
        _ if in_units < 9.995 => 2,
        _ if in_units < 99.95 => 1,
        _ => 0,
    };
    let factor = power_of_ten(decimals);
    let rounded = (in_units * factor).round() as u64;
    let in_one = (factor as u64).max(1);
    let (whole, part) = (rounded / in_one, rounded % in_one);
    let width = decimals as usize;
    if decimals == 0 { format!("{whole} {unit}") } else { format!("{whole}.{part:0width$} {unit}") }
}

/// Returns `count` times a power of ten of a metre, without decimals.
pub(super) fn multiple_text(mut count: i64, mut power: i32) -> String {
    while count != 0 && count % 10 == 0 {
        (count, power) = (count / 10, power + 1);
    }
    let fits = |unit: &(&str, i32)| power >= unit.1;
    let (unit, of_unit) = UNITS.into_iter().find(fits).unwrap_or(UNITS[UNITS.len() - 1]);
    let zeros = (power - of_unit).max(0) as usize;
    // The formatter would take more code to fill up a text.
    let sign = if count < 0 { "−" } else { "" };
    format!("{sign}{}{} {unit}", count.unsigned_abs(), "0".repeat(zeros))
}

/// Returns the exponent of the largest power of ten that isn't above a number.
pub(super) fn whole_log10(number: f32) -> i32 {
    let number = f64::from(number);
    (-45..39).rev().find(|&power| power_of_ten(power) <= number * 1.000_001).unwrap_or(-45)
}

pub(super) fn power_of_ten(power: i32) -> f64 {
    let magnitude = (0..power.unsigned_abs()).fold(1.0, |product, _| product * 10.0);
    if power < 0 { 1.0 / magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_three_digits() {
        let texts = [
            (1.716, "1.72 m"),
            (0.34, "34.0 cm"),
            (0.999_999, "1.00 m"),
            (12.345, "12.3 m"),
            (9.999, "10.0 m"),
            (99.96, "100 m"),
            (0.0042, "4.20 mm"),
            (3e-5, "30.0 µm"),
            (2e-9, "2.00 nm"),
            (1e-12, "0.00 nm"),
            (15_320.0, "15.3 km"),
            (1e9, "1000000 km"),
            (0.0, "0 m"),
            (f32::NAN, "0 m"),
            (f32::INFINITY, "0 m"),
        ];
        for (metres, text) in texts {
            assert_eq!(length_text(metres), text);
        }
    }

    #[test]
    fn multiples_are_written_without_decimals() {
        let texts = [
            (10, -1, "1 m"),
            (5, -1, "50 cm"),
            (-5, -1, "−50 cm"),
            (15, -1, "150 cm"),
            (1, 2, "100 m"),
            (3, 3, "3 km"),
            (1, -3, "1 mm"),
            (1, -5, "10 µm"),
        ];
        for (count, power, text) in texts {
            assert_eq!(multiple_text(count, power), text);
        }
    }

    #[test]
    fn every_text_can_be_written() {
        assert_eq!(GUIDE_LETTERS.chars().count(), LETTER_COUNT);
        for power in -50..40 {
            let texts = [length_text(1.234 * power_of_ten(power) as f32), multiple_text(-7, power)];
            for letter in texts.iter().flat_map(|text| text.chars()) {
                assert!(GUIDE_LETTERS.contains(letter), "{letter}");
            }
        }
    }

    #[test]
    fn logarithms_are_rounded_down() {
        for (number, log) in [(1.0, 0), (0.1, -1), (0.099, -2), (999.0, 2), (1000.0, 3), (f32::MAX, 38)] {
            assert_eq!(whole_log10(number), log, "{number}");
        }
        assert_eq!(whole_log10(0.0), -45);
        assert_eq!(whole_log10(f32::NAN), -45);
    }
}
