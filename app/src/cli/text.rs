//! Tables and numbers as text.

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};
use farsight_scene::paint::missing_letters;
use farsight_scene::text::excerpt;

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

/// Returns a sentence on the names with letters that no font has, if there are any.
pub(crate) fn missing_letters_note<'a>(names: impl Iterator<Item = &'a str>) -> Option<String> {
    const MAX_NAMES: usize = 3;
    let without_font: Vec<_> =
        names.map(|name| (name, missing_letters(name))).filter(|(_, letters)| !letters.is_empty()).collect();
    let lists = without_font.iter().take(MAX_NAMES).map(|(name, letters)| {
        let mut letters: Vec<char> = letters.clone();
        letters.sort_unstable();
        letters.dedup();
        let letters: Vec<String> = letters.into_iter().map(String::from).collect();
        format!("\"{}\" ({})", excerpt(name), excerpt(&letters.join(" ")))
    });
    let lists: Vec<String> = lists.collect();
    let more = without_font.len().saturating_sub(MAX_NAMES);
    let more = if more > 0 { format!(" and {}", pluralize(more, "more name")) } else { String::new() };
    (!lists.is_empty()).then(|| {
        format!(
            "no font has the letters of {}{more}; pictures have boxes in their place: install a font with them",
            lists.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_a_font_are_quoted_with_their_letters() {
        assert_eq!(missing_letters_note(["Αθήνα", "Đà Nẵng", "Ağrı Dağı"].into_iter()), None);
        let unassigned = "Mount \u{10fffd}\u{10fffd}"; // of private use, the last of all
        let note = missing_letters_note([unassigned].into_iter()).unwrap();
        assert!(note.contains("Mount") && note.matches('\u{10fffd}').count() == 3, "{note}");
        let names = vec![unassigned; 5];
        assert!(missing_letters_note(names.into_iter()).unwrap().contains("and 2 more names"));
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.0, 0.0004, 0.0123, 1.0].map(three_decimals), ["0", "0.000", "0.012", "1.000"]);
        assert_eq!([0.0, 6e-8, 0.25].map(three_decimals_or_exponent), ["0", "6e-8", "0.250"]);
        assert_eq!(percent(0.9731), "97.3 %");
    }
}
