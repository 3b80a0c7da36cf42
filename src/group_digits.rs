//! [`group_digits`]: numbers for people, in sentences, captions of films and tables of the command line.

/// Formats a number in groups of three digits: `12,852`.
pub(crate) fn group_digits(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_stand_before_every_third_digit_from_the_right() {
        assert_eq!([0, 999, 1000, 1234567].map(group_digits), ["0", "999", "1,000", "1,234,567"]);
    }
}
