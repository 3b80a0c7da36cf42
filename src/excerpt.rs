//! Foreign text in messages: escaped, so that it cannot act on a terminal, and cut.

use std::borrow::Cow;

/// The most characters of a foreign text in a message.
const LONGEST: usize = 200;

/// Returns a key, name or value of a file or flag for a message: on one line, and not longer than 200 characters.
pub(crate) fn excerpt(text: &str) -> Cow<'_, str> {
    excerpt_of(text, LONGEST)
}

/// Returns the report of a parser, which quotes parts of a file.
pub(crate) fn excerpt_of(text: &str, longest: usize) -> Cow<'_, str> {
    match text.char_indices().nth(longest) {
        Some((end, _)) => Cow::Owned(escaped(&text[..end], acts).into_owned() + "…"),
        None => escaped(text, acts),
    }
}

/// Escapes what acts on a terminal, except line breaks.
#[cfg(all(feature = "cli", not(target_arch = "wasm32")))]
pub(crate) fn escape_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |character| character != '\n' && acts(character))
}

fn escaped(text: &str, acts: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&acts) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if acts(character) {
            safe.extend(character.escape_default());
        } else {
            safe.push(character);
        }
    }
    Cow::Owned(safe)
}

/// Returns `true` for control characters, and for those that change the direction of the text.
fn acts(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}
