//! [`parse_number`]: numbers in text as programs spell them; [`NodataNumbers`]: the nodata values.

/// The value of `null` in an ASCII grid: the lowest number that Esri's programs write.
const NULL: f64 = -3.402_823_060_7e38;

/// A number of this magnitude is not an elevation. If a file declares one as nodata, all of them are: programs write it
/// with more or fewer digits than the cells have.
const BEYOND_ELEVATIONS: f64 = 1e15;

/// Parses a number, with a decimal point or a decimal comma. `nan` and `inf` are accepted, in the spellings of C and
/// Microsoft's C (`1.#QNAN`, `-1.#IND`, `nan(ind)`), and so is `null`.
pub(super) fn parse_number(text: &str) -> Option<f64> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text).to_ascii_lowercase();
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    if unsigned == "null" {
        return Some(NULL);
    }
    if unsigned.starts_with("nan(") && unsigned.ends_with(')') {
        return Some(f64::NAN);
    }
    if let Some(kind) = unsigned.strip_prefix("1.#") {
        return match kind.trim_end_matches('0') {
            "qnan" | "snan" | "ind" => Some(f64::NAN),
            "inf" => Some(sign * f64::INFINITY),
            _ => None,
        };
    }
    let is_decimal_comma = text.matches(',').count() == 1 && !text.contains('.');
    if is_decimal_comma { text.replace(',', ".").parse().ok() } else { None }
}

/// The nodata values of a raster: NaN, and the value declared by its file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodataNumbers {
    /// The declared nodata value.
    pub(super) declared: Option<f64>,
    /// Nodata values that a mosaic declares for its tile.
    pub(super) of_mosaic: [Option<f64>; 2],
    /// `true` if the numbers of the file are 32-bit floats, whose digits differ from those of the text.
    pub(super) is_f32: bool,
}

impl NodataNumbers {
    pub(super) fn contains(self, value: f64) -> bool {
        let is_declared = |declared: f64| {
            let is_equal = if self.is_f32 { declared as f32 == value as f32 } else { declared == value };
            is_equal || declared.abs() >= BEYOND_ELEVATIONS && value.abs() >= BEYOND_ELEVATIONS
        };
        value.is_nan()
            || self.declared.is_some_and(is_declared)
            || self.of_mosaic.into_iter().flatten().any(is_declared)
    }
}

/// Mapping from the numbers of a file to their values: a multiple and a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LinearScale {
    pub(super) factor: f64,
    pub(super) offset: f64,
}

impl LinearScale {
    /// Numbers that are their values.
    pub(super) const NONE: Self = Self { factor: 1.0, offset: 0.0 };

    pub(super) fn value(self, number: f64) -> f64 {
        let multiple = number * self.factor;
        if self.offset == 0.0 { multiple } else { multiple + self.offset } // -0 stays -0
    }

    /// Returns the mapping to values in a unit of which `factor` make up one of these values.
    pub(super) fn times(self, factor: f64) -> Self {
        Self { factor: self.factor * factor, offset: self.offset * factor }
    }

    /// Returns the message about the mapping, to follow the name of the file; `None` if numbers are their values.
    pub(super) fn note(self) -> Option<String> {
        let Self { factor, offset } = self;
        let sign = if offset < 0.0 { '-' } else { '+' };
        (self != Self::NONE).then(|| format!("its heights are its numbers × {factor} {sign} {}", offset.abs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_parsed_as_programs_spell_them() {
        for (text, number) in [
            ("9.5", 9.5),
            ("9,5", 9.5),
            ("-9,5e1", -95.0),
            ("+9", 9.0),
            ("1e20", 1e20),
            ("-inf", f64::NEG_INFINITY),
            ("-1.#INF00", f64::NEG_INFINITY),
            ("1.#INF", f64::INFINITY),
            ("null", NULL),
            ("NULL", NULL),
        ] {
            assert_eq!(parse_number(text), Some(number), "{text}");
        }
        for text in ["nan", "NaN", "-nan", "1.#QNAN", "-1.#IND", "-1.#IND00", "1.#SNAN", "nan(ind)", "-nan(ind)"] {
            assert!(parse_number(text).is_some_and(f64::is_nan), "{text}");
        }
        for text in ["", "-", "none", "1,234.5", "1,2,3", ",", "1.#", "1.#X", "nan(", "5 m", "ncols"] {
            assert_eq!(parse_number(text), None, "{text}");
        }
    }

    #[test]
    fn nodata_is_compared_in_the_type_of_the_file() {
        let nodata = |declared, is_f32| NodataNumbers { declared: Some(declared), is_f32, ..NodataNumbers::default() };
        assert!(nodata(-9999.9, true).contains(f64::from(-9999.9_f32)));
        assert!(!nodata(-9999.9, false).contains(f64::from(-9999.9_f32)));
        assert!(nodata(-9999.0, false).contains(-9999.0) && !nodata(-9999.0, true).contains(-9998.0));
        assert!(
            nodata(-3.4e38, true).contains(f64::from(f32::MIN)) && nodata(NULL, false).contains(f64::from(f32::MIN))
        );
        assert!(nodata(f64::NAN, true).contains(f64::NAN) && !nodata(f64::NAN, true).contains(0.0));
        assert!(NodataNumbers::default().contains(f64::NAN) && !NodataNumbers::default().contains(1e38));
    }
}
