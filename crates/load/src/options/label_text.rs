//! Texts with placeholders for the values of rows.

use crate::did_you_mean::shortened;

/// A text with placeholders: `{column}` for the value of a row, `{column:.1}` for a number with one decimal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LabelText(Vec<TextPart>);

#[derive(Clone, Debug, PartialEq)]
enum TextPart {
    Text(String),
    Value { column: String, decimals: Option<usize> },
}

/// Most decimals of a number.
const MOST_DECIMALS: usize = 17;

impl LabelText {
    /// Parses a text.
    ///
    /// # Errors
    /// Says what the text must be; continues a message that begins with the flag or key.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let wrong = || {
            let rule = "must be a text with columns in braces, such as '{resname} {resid}' or '{b_factor:.1}'";
            format!("{rule}, got {:?}", shortened(text))
        };
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '{' | '}' if letters.peek() == Some(&letter) => {
                    letters.next();
                    literal.push(letter);
                }
                '}' => return Err(wrong()),
                '{' => {
                    let mut inner = String::new();
                    loop {
                        match letters.next() {
                            Some('}') => break,
                            Some(letter) if letter != '{' => inner.push(letter),
                            _ => return Err(wrong()),
                        }
                    }
                    if !literal.is_empty() {
                        parts.push(TextPart::Text(std::mem::take(&mut literal)));
                    }
                    let (column, decimals) = match inner.rsplit_once(":.") {
                        Some((column, digits)) => {
                            let decimals = digits.parse().ok().filter(|digits| *digits <= MOST_DECIMALS);
                            (column, Some(decimals.ok_or_else(wrong)?))
                        }
                        None => (inner.as_str(), None),
                    };
                    if column.trim().is_empty() {
                        return Err(wrong());
                    }
                    parts.push(TextPart::Value { column: column.trim().to_owned(), decimals });
                }
                letter => literal.push(letter),
            }
        }
        if !literal.is_empty() {
            parts.push(TextPart::Text(literal));
        }
        if parts.is_empty() { Err(wrong()) } else { Ok(Self(parts)) }
    }

    /// The columns, each with its number of decimals, if given.
    pub(crate) fn values(&self) -> impl Iterator<Item = (&str, Option<usize>)> {
        self.0.iter().filter_map(|part| match part {
            TextPart::Value { column, decimals } => Some((column.as_str(), *decimals)),
            TextPart::Text(_) => None,
        })
    }

    /// The text with values in place of the columns, in their order.
    pub(crate) fn filled<'a>(&'a self, values: impl IntoIterator<Item = &'a str>) -> String {
        let mut values = values.into_iter();
        let part = |part: &'a TextPart| match part {
            TextPart::Text(text) => text.as_str(),
            TextPart::Value { .. } => values.next().unwrap_or_default(),
        };
        self.0.iter().map(part).collect::<String>().trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_columns_in_braces() {
        let text = LabelText::parse("{{x}} {resname} {b:.1}").expect("a text");
        let values: Vec<_> = text.values().collect();
        assert_eq!(values, [("resname", None), ("b", Some(1))]);
        assert_eq!(text.0[0], TextPart::Text("{x} ".to_owned()));
        for wrong in ["", "{", "{}", "a}", "{a{b}}", "{b:.x}", "{b:.99}"] {
            let message = LabelText::parse(wrong).expect_err(wrong);
            assert!(message.contains("columns in braces"), "{wrong}: {message}");
        }
    }
}
