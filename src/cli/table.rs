//! [`Table`]: columns of text, aligned.

use std::fmt;

/// To which side the cells of a column are pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// Columns of text, aligned, with a line below their heads.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    heads: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(heads: &[(&'static str, Align)]) -> Self {
        Self { heads: heads.to_vec(), rows: Vec::new() }
    }

    pub(super) fn add_column(&mut self, head: &'static str, align: Align) {
        self.heads.push((head, align));
    }

    /// Adds a row with as many cells as there are columns; more are left out.
    pub(super) fn add_row(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |i: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(i)).map(|cell| cell.chars().count());
            cells.chain([self.heads[i].0.chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.heads.len()).map(width).collect();
        let mut line = |cells: &mut dyn Iterator<Item = &str>| {
            let cells = cells.zip(&self.heads).zip(&widths);
            let padded = cells.map(|((cell, (_, align)), &width)| match align {
                Align::Left => format!("{cell:<width$}"),
                Align::Right => format!("{cell:>width$}"),
            });
            writeln!(out, "{}", padded.collect::<Vec<_>>().join("  ").trim_end())
        };
        line(&mut self.heads.iter().map(|(head, _)| *head))?;
        let rules: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
        line(&mut rules.iter().map(String::as_str))?;
        self.rows.iter().try_for_each(|row| line(&mut row.iter().map(String::as_str)))
    }
}

/// `12,852`, in groups of three.
pub(super) fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `97.3 %`.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// `0.043`, or `0` for none at all.
pub(super) fn share(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { format!("{value:.3}") }
}

/// The same, with the power of ten of what is too small for that.
pub(super) fn small(value: f64) -> String {
    if value > 0.0 && value < 0.0005 { format!("{value:.0e}") } else { share(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&[("method", Align::Left), ("seen", Align::Right)]);
        table.add_row(vec!["beam".into(), "7".into()]);
        table.add_row(vec!["shadowcast".into(), "12,852".into()]);
        let expected = "method        seen\n----------  ------\nbeam             7\nshadowcast  12,852\n";
        assert_eq!(table.to_string(), expected);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0, 999, 1000, 1234567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0.0, 0.0004, 0.0123, 1.0].map(share), ["0", "0.000", "0.012", "1.000"]);
        assert_eq!([0.0, 6e-8, 0.25].map(small), ["0", "6e-8", "0.250"]);
        assert_eq!(percent(0.9731), "97.3 %");
    }
}
