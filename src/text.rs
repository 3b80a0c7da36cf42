//! Text for messages: quoted input, and numbers.
//!
//! A key, a name or a value from a file may contain anything. A message quotes it with [`excerpt`], so that it contains
//! no control characters and stays on one line.

use std::borrow::Cow;

/// The maximum length of quoted input in a message.
const LONGEST: usize = 200;

/// Returns a key, name or value of a file or flag for a message: on one line, and not longer than 200 characters.
///
/// ```
/// assert_eq!(farsight_scene::text::excerpt("fog\u{1b}[2J"), "fog\\u{1b}[2J");
/// ```
pub fn excerpt(text: &str) -> Cow<'_, str> {
    excerpt_of(text, LONGEST)
}

/// Returns the [`excerpt`] of a longer text, such as the report of a parser, which quotes parts of a file: at most
/// `longest` characters.
pub fn excerpt_of(text: &str, longest: usize) -> Cow<'_, str> {
    match text.char_indices().nth(longest) {
        Some((end, _)) => Cow::Owned(escape(&text[..end]).into_owned() + "…"),
        None => escape(text),
    }
}

/// Escapes control characters and those that change the direction of the text.
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control_or_bidi) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if is_control_or_bidi(character) {
            safe.extend(character.escape_default());
        } else {
            safe.push(character);
        }
    }
    Cow::Owned(safe)
}

/// Returns `true` for control characters, and for those that change the direction of the text.
pub fn is_control_or_bidi(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Formats a number in groups of three digits.
///
/// ```
/// assert_eq!([0, 999, 1000, 1234567].map(farsight_scene::text::group_digits), ["0", "999", "1,000", "1,234,567"]);
/// ```
pub fn group_digits(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}
