//! [`Shell`]: quoting of command line words.

use farsight::internal::text::is_control_or_bidi;

/// The shell of a copied command.
///
/// ```
/// use farsight_scene::export::Shell;
/// assert_eq!(Shell::Posix.quote("my cave.txt"), "'my cave.txt'");
/// assert_eq!(Shell::Windows.quote("my cave.txt"), "\"my cave.txt\"");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// `sh` and its relatives.
    Posix,
    /// PowerShell and `cmd.exe`: a syntax that both accept, otherwise that of PowerShell.
    Windows,
}

impl Shell {
    /// Returns the shell of this system.
    pub fn of_system() -> Self {
        if cfg!(windows) { Self::Windows } else { Self::Posix }
    }

    /// Quotes a word for the shell. Control characters and those that change the direction of the text are dropped,
    /// since a terminal would interpret them.
    pub fn quote(self, word: &str) -> String {
        let word: String = word.chars().filter(|&c| !is_control_or_bidi(c)).collect();
        match self {
            Self::Posix => quote_for_posix(word),
            Self::Windows => quote_for_windows(word),
        }
    }
}

/// Quotes for POSIX shells. Reference: POSIX.1-2024, *Shell Command Language*, section 2.2.
fn quote_for_posix(word: String) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.,=/:+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) { word } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// Quotes for Windows. Reference: Microsoft, *about_Quoting_Rules* of PowerShell, which treats typographic quotes as
/// quotes.
fn quote_for_windows(word: String) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.=/:+\\".contains(c);
    let acts_in_double_quotes = |c: char| matches!(c, '"' | '$' | '`' | '%' | '\u{201C}'..='\u{201F}');
    let is_single_quote = |c: char| matches!(c, '\'' | '\u{2018}'..='\u{201B}');
    if !word.is_empty() && word.chars().all(is_plain) {
        word
    } else if !word.contains(acts_in_double_quotes) {
        format!("\"{word}\"")
    } else {
        let doubled = word.chars().flat_map(|c| std::iter::repeat_n(c, if is_single_quote(c) { 2 } else { 1 }));
        format!("'{}'", doubled.collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_each_shell() {
        for (word, posix, windows) in [
            ("view.png", "view.png", "view.png"),
            ("", "''", "\"\""),
            ("120,88", "120,88", "\"120,88\""),
            ("a b", "'a b'", "\"a b\""),
            ("50%", "50%", "'50%'"),
            (r"C:\maps\a.txt", r"'C:\maps\a.txt'", r"C:\maps\a.txt"),
            ("it's", r"'it'\''s'", "\"it's\""),
            ("$(rm) `x`; a&b|c>d!", "'$(rm) `x`; a&b|c>d!'", "'$(rm) `x`; a&b|c>d!'"),
            ("a&b", "'a&b'", "\"a&b\""),
            ("kind=\"it's\"", r#"'kind="it'\''s"'"#, r#"'kind="it''s"'"#),
            ("\u{201D}$x\u{2019}", "'\u{201D}$x\u{2019}'", "'\u{201D}$x\u{2019}\u{2019}'"),
            ("a\nb\u{1b}[2J\u{202E}c\u{2066}", "'ab[2Jc'", "\"ab[2Jc\""),
        ] {
            assert_eq!([Shell::Posix, Shell::Windows].map(|shell| shell.quote(word)), [posix, windows], "{word:?}");
        }
    }
}
