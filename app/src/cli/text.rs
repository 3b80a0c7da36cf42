//! Tables and numbers as text.

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};

/// Returns a table without frames: two spaces between columns, and a rule below the heads.
pub(crate) fn new_table(heads: &[(&str, CellAlignment)]) -> Table {
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('-')));
    table.set_header(heads.iter().map(|head| head.0));
    for (i, (column, head)) in table.column_iter_mut().zip(heads).enumerate() {
        column.set_padding((if i == 0 { 0 } else { 2 }, 0)).set_cell_alignment(head.1);
    }
    table
}

pub(crate) fn table_text(table: &Table) -> String {
    table.trim_fmt() + "\n"
}

/// Returns a number with its noun: `1 frame`, `81 frames`.
pub(crate) fn pluralize(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Returns a fraction in per cent: `97.3 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Returns a number with three decimals: `0.043`, or `0` for zero.
pub(crate) fn three_decimals(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { format!("{value:.3}") }
}

/// Returns [`three_decimals`] of a value, but `6e-8` for a positive value that would round to zero.
pub(crate) fn three_decimals_or_exponent(value: f64) -> String {
    if value > 0.0 && value < 0.0005 { format!("{value:.0e}") } else { three_decimals(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.0, 0.0004, 0.0123, 1.0].map(three_decimals), ["0", "0.000", "0.012", "1.000"]);
        assert_eq!([0.0, 6e-8, 0.25].map(three_decimals_or_exponent), ["0", "6e-8", "0.250"]);
        assert_eq!(percent(0.9731), "97.3 %");
    }
}
