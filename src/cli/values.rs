//! Values of flags: cells, sizes, and the words that a setting takes.

use clap::builder::{PossibleValue, PossibleValuesParser};

use crate::preset::{Preset, SettingKind};
use glam::{IVec2, ivec2};

/// A cell: `X,Y`.
pub(super) fn cell(text: &str) -> Result<IVec2, String> {
    let number = |text: &str| text.trim().parse::<i32>().ok();
    let cell = text.split_once(',').and_then(|(x, y)| Some(ivec2(number(x)?, number(y)?)));
    cell.ok_or_else(|| "a cell is two whole numbers X,Y counted from the upper left, such as 120,80".to_owned())
}

/// Cells one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cells(pub(super) Vec<IVec2>);

/// Cells: `X,Y X,Y …`, at least one.
pub(super) fn cells(text: &str) -> Result<Cells, String> {
    let cells: Result<Vec<IVec2>, String> = text.split_whitespace().map(cell).collect();
    match cells {
        Ok(cells) if !cells.is_empty() => Ok(Cells(cells)),
        _ => Err("a walk is cells X,Y with spaces between, such as \"120,80 131,64 140,64\"".to_owned()),
    }
}

/// A size: `WxH`.
pub(super) fn size(text: &str) -> Result<[i64; 2], String> {
    let number = |text: &str| text.trim().parse::<i64>().ok();
    let size = text.split_once(['x', 'X', '×']).and_then(|(width, height)| Some([number(width)?, number(height)?]));
    size.ok_or_else(|| "a size is two whole numbers WxH, such as 512x512".to_owned())
}

/// The size of a window, in points.
pub(super) fn window(text: &str) -> Result<(u32, u32), String> {
    const SIDES: std::ops::RangeInclusive<i64> = 64..=16384;
    match size(text)? {
        [width, height] if SIDES.contains(&width) && SIDES.contains(&height) => Ok((width as u32, height as u32)),
        _ => Err(format!("each side must be from {} to {} points", SIDES.start(), SIDES.end())),
    }
}

/// A change to a preset: `KEY=VALUE`.
pub(super) fn change(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.trim().to_owned())),
        _ => Err("a change is KEY=VALUE, such as optics.visual_range_m=2000".to_owned()),
    }
}

/// The words that a key of a preset takes, with `-` for `_`; those with `_` are taken, too.
pub(super) fn words_of(key: &str) -> PossibleValuesParser {
    parser(choices(key).iter().copied())
}

/// The words of `sight.method`, and those of `classic.method` that name one.
pub(super) fn methods() -> PossibleValuesParser {
    parser(choices("sight.method").iter().copied().chain(choices("classic.method").iter().copied().filter(is_a_method)))
}

/// Whether a word, with `_`, names a method of `classic.method`.
pub(super) fn is_classic(word: &str) -> bool {
    choices("classic.method").iter().any(|choice| *choice == word && is_a_method(choice))
}

fn is_a_method(word: &&'static str) -> bool {
    *word != "none"
}

fn choices(key: &str) -> &'static [&'static str] {
    match Preset::settings().find(|setting| setting.key == key).map(|setting| setting.kind) {
        Some(SettingKind::Choice(words)) => words,
        _ => &[],
    }
}

fn parser(words: impl Iterator<Item = &'static str>) -> PossibleValuesParser {
    PossibleValuesParser::new(words.map(|word| {
        let value = PossibleValue::new(word.replace('_', "-"));
        if word.contains('_') { value.alias(word) } else { value }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_sizes_are_read_and_what_is_malformed_is_not() {
        assert_eq!(cell("3,-4"), Ok(ivec2(3, -4)));
        assert_eq!(cell(" 3 , 4 "), Ok(ivec2(3, 4)));
        for wrong in ["3", "", ",", "3,", "3,4,5", "3.5,1", "a,b", "99999999999,0"] {
            assert!(cell(wrong).is_err(), "{wrong}");
        }
        assert_eq!(cells(" 3,4  5,-6\n"), Ok(Cells(vec![ivec2(3, 4), ivec2(5, -6)])));
        for wrong in ["", " ", "3,4 5", "3,4;5,6", "per-cell"] {
            assert!(cells(wrong).is_err(), "{wrong}");
        }
        assert_eq!(size("10x20"), Ok([10, 20]));
        assert_eq!(size("0x-5"), Ok([0, -5]));
        for wrong in ["10", "", "x", "10x", "10x20x30", "1.5x2", "10*20"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(window("1280x720"), Ok((1280, 720)));
        assert!(window("1x720").is_err() && window("99999x720").is_err());
    }

    #[test]
    fn changes_have_a_key_and_a_value() {
        assert_eq!(change("a.b=c=d"), Ok(("a.b".into(), "c=d".into())));
        assert_eq!(change("a = 1 "), Ok(("a".into(), "1".into())));
        for wrong in ["a", "=1", " =1", ""] {
            assert!(change(wrong).is_err(), "{wrong}");
        }
    }
}
