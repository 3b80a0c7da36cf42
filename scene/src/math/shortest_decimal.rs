//! [`shortest_decimal`]: numbers of `f32` with their shortest digits.

/// Returns the `f64` of the shortest decimal of an `f32`, so that 0.3 is written as 0.3. Converted back, it is the same `f32`.
pub(crate) fn shortest_decimal(value: f32) -> f64 {
    let decimal = value.to_string().parse::<f64>().ok().filter(|decimal| *decimal as f32 == value);
    decimal.unwrap_or_else(|| value.into())
}
