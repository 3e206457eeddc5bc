//! Names in a reply to a pull request, such as `/bless chart 'two words'`.

use std::fs;
use std::path::Path;

use roundel::{Error, Result};

/// The word before the names.
const WORD: &str = "/bless";

/// The longest reply that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// The names behind the first `/bless` that begins a line of a file. None of them is run as anything.
pub(super) fn names(path: &Path) -> Result<Vec<String>> {
    let failed = |source| Error::Io { action: "read", path: path.to_owned(), source };
    let bad = |message: String| Error::Input { file: path.display().to_string(), line: None, message };
    let size = fs::metadata(path).map_err(failed)?.len();
    if size > LONGEST {
        return Err(bad(format!("must have at most {LONGEST} bytes, got {size}")));
    }
    let text = fs::read_to_string(path).map_err(failed)?;
    let line = text.lines().find_map(|line| {
        let rest = line.trim_start().strip_prefix(WORD)?;
        rest.is_empty().then_some(rest).or_else(|| rest.starts_with([' ', '\t']).then_some(rest))
    });
    let names = line.map(words).ok_or_else(|| bad(format!("must have a line that begins with {WORD}")))?;
    let names = names.ok_or_else(|| bad("has a quotation mark without an end".to_owned()))?;
    if names.is_empty() {
        return Err(bad(format!("must name pictures behind {WORD}, or all")));
    }
    Ok(names)
}

/// Words with blanks or commas between them, quoted as POSIX shells do, with `$'…'` for letters that cannot be typed. `None` if a
/// quotation has no end.
fn words(text: &str) -> Option<Vec<String>> {
    let mut words: Vec<Vec<u8>> = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut letters = text.chars().peekable();
    let mut letter_bytes = [0; 4];
    while let Some(letter) = letters.next() {
        if letter.is_whitespace() || letter == ',' {
            words.extend(word.take());
            continue;
        }
        let word = word.get_or_insert_default();
        match letter {
            '$' if letters.next_if_eq(&'\'').is_some() => loop {
                match letters.next()? {
                    '\'' => break,
                    '\\' => {
                        let octal = |letter: &char| letter.is_digit(8);
                        let digits: String = (0..3).map_while(|_| letters.next_if(octal)).collect();
                        match u8::from_str_radix(&digits, 8) {
                            Ok(byte) => word.push(byte),
                            Err(_) => word.extend(letters.next()?.encode_utf8(&mut letter_bytes).bytes()),
                        }
                    }
                    letter => word.extend(letter.encode_utf8(&mut letter_bytes).bytes()),
                }
            },
            '\'' | '"' => loop {
                match letters.next()? {
                    end if end == letter => break,
                    letter => word.extend(letter.encode_utf8(&mut letter_bytes).bytes()),
                }
            },
            '\\' => word.extend(letters.next()?.encode_utf8(&mut letter_bytes).bytes()),
            letter => word.extend(letter.encode_utf8(&mut letter_bytes).bytes()),
        }
    }
    words.extend(word);
    Some(words.into_iter().map(|word| String::from_utf8_lossy(&word).into_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use roundel_golden::inner::quoted;

    #[test]
    fn words_are_read_as_they_are_quoted() {
        let names =
            ["chart", "deep/leaf-2", "a b", "it's", "line\nend", "tab\t\u{202e}é", "$(x) `y`", "a'b\\c\n", ",;|&<>\""];
        let line: String = names.iter().map(|name| format!(" {}", quoted(name))).collect();
        assert_eq!(words(&line).expect("closed"), names);
        assert_eq!(words("a, b ,c\\ d \"e f\"g").expect("closed"), ["a", "b", "c d", "e fg"]);
        assert_eq!(words("  ").expect("closed"), [""; 0]);
        for open in ["'a", "\"a", "$'a", "a\\"] {
            assert_eq!(words(open), None, "{open}");
        }
    }

    #[test]
    fn names_stand_behind_the_word() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("reply");
        let read = |text: &str| {
            fs::write(&path, text).expect("written");
            names(&path)
        };
        assert_eq!(read("Looks right:\r\n/bless chart 'a b'\r\nThanks!").expect("names"), ["chart", "a b"]);
        for (text, part) in [
            ("/blessing a", "must have a line that begins with /bless"),
            ("no /bless a", "must have a line"),
            ("/bless \n a", "must name pictures behind /bless"),
            ("/bless 'a", "without an end"),
        ] {
            let message = read(text).expect_err(text).to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
