//! Quoting for POSIX shells.

/// Quotes a word for a POSIX shell. Characters that a terminal interprets or does not show are written as octal bytes.
pub fn quoted(word: &str) -> String {
    let is_shown = |c: char| c == ' ' || c.is_ascii_graphic() || c.is_alphanumeric();
    if !word.chars().all(is_shown) {
        return format!("$'{}'", word.chars().map(|c| escaped(c, is_shown(c))).collect::<String>());
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Escapes a character between `$'` and `'`.
fn escaped(letter: char, is_shown: bool) -> String {
    let octal = |byte: &u8| format!("\\{byte:03o}");
    match letter {
        '\'' | '\\' => format!("\\{letter}"),
        letter if is_shown => letter.to_string(),
        letter => letter.encode_utf8(&mut [0; 4]).as_bytes().iter().map(octal).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_split_or_expand_them() {
        for (word, expected) in [
            ("raster/strokes", "raster/strokes"),
            ("", "''"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("$HOME", "'$HOME'"),
            ("naïve", "'naïve'"),
            ("\u{1b}[1m it's\\", r"$'\033[1m it\'s\\'"),
            ("a\u{61c}b", r"$'a\330\234b'"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }
}
