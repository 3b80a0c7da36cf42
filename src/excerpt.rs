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

/// Returns a message for a terminal: without what acts on it, except line breaks, and with long lines cut in the middle. A
/// name of any length, as a path may have, leaves what is said of it.
#[cfg(all(feature = "cli", not(target_arch = "wasm32")))]
pub(crate) fn message_lines(text: &str) -> String {
    const LONGEST_LINE: usize = 1000;
    /// Characters that are kept of the end of a longer line.
    const END: usize = 400;
    let lines: Vec<Cow<'_, str>> = text
        .split('\n')
        .map(|line| {
            let length = line.chars().count();
            if length <= LONGEST_LINE {
                return escaped(line, acts);
            }
            let start: String = line.chars().take(LONGEST_LINE - END - 1).collect();
            let end: String = line.chars().skip(length - END).collect();
            format!("{}…{}", escaped(&start, acts), escaped(&end, acts)).into()
        })
        .collect();
    lines.join("\n")
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
pub(crate) fn acts(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}
