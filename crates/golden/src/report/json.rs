//! Writes JSON objects that are safe inside a script or an HTML element.

use std::fmt::{self, Write};

/// A JSON object, written member by member.
#[derive(Clone, Debug, Default)]
pub(super) struct Object {
    members: String,
}

impl Object {
    pub(super) fn text(&mut self, name: &str, text: &str) {
        self.json(name, &quoted(text));
    }

    /// Adds a member whose value is JSON already.
    pub(super) fn json(&mut self, name: &str, value: &str) {
        if !self.members.is_empty() {
            self.members.push(',');
        }
        self.members += &quoted(name);
        self.members.push(':');
        self.members += value;
    }

    /// The members of this object and of another, both not empty.
    pub(super) fn with(&self, other: &str) -> String {
        format!("{{{},{}", self.members, other.strip_prefix('{').unwrap_or("}"))
    }
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}}}", self.members)
    }
}

/// A text as a JSON string. All kinds of line ends are escaped, so that it fits in a comment, and `<`, so that it
/// cannot end an HTML element.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '<' | '\u{2028}' | '\u{2029}' => push_escaped(&mut quoted, c),
            c if c.is_control() => push_escaped(&mut quoted, c),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// The text of a JSON string, of which letters above U+FFFF are not escaped, as [`quoted`] writes it; `None` for anything else.
pub(crate) fn unquoted(quoted: &str) -> Option<String> {
    let mut letters = quoted.strip_prefix('"')?.strip_suffix('"')?.chars();
    let mut text = String::new();
    while let Some(letter) = letters.next() {
        text.push(match letter {
            '"' => return None,
            '\\' => match letters.next()? {
                'u' => {
                    let digits: String = letters.by_ref().take(4).collect();
                    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
                }
                escaped @ ('"' | '\\' | '/') => escaped,
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'b' => '\u{8}',
                'f' => '\u{c}',
                _ => return None,
            },
            letter => letter,
        });
    }
    Some(text)
}

/// Appends a character below U+10000 as `\u` and four hexadecimal digits.
fn push_escaped(text: &mut String, c: char) {
    // writing to a String cannot fail
    let _ = write!(text, "\\u{:04x}", u32::from(c));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_ascii_safe_json() {
        assert_eq!(quoted("a \"b\" \\ ü 🎨"), r#""a \"b\" \\ ü 🎨""#);
        assert_eq!(quoted("\n\u{0}\u{7f}\u{85}\u{2028}</script>"), r#""\u000a\u0000\u007f\u0085\u2028\u003c/script>""#);
    }

    /// Checked with an independent parser.
    #[test]
    fn quoted_text_is_read_back() {
        for text in ["", "\"\\/\u{8}\u{c}\n\r\t", "</script>", "\u{0}\u{1f}\u{7f}\u{9f}\u{2028}\u{2029}\u{ffff}🎨é"]
        {
            assert_eq!(serde_json::from_str::<String>(&quoted(text)).unwrap(), text);
            assert_eq!(unquoted(&quoted(text)).as_deref(), Some(text));
            assert_eq!(unquoted(&serde_json::to_string(text).unwrap()).as_deref(), Some(text));
        }
        let mut object = Object::default();
        object.text("name", "a<b");
        object.json("count", "3");
        let mut place = Object::default();
        place.text("run", "1");
        let value: serde_json::Value = serde_json::from_str(&place.with(&object.to_string())).unwrap();
        assert_eq!(value, serde_json::json!({ "run": "1", "name": "a<b", "count": 3 }));
    }
}
