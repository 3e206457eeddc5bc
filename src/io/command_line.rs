//! Options as the flags of `roundel render`.

use std::fmt::Write as _;
use std::path::Path;

use super::load::option_table::LoadOption;
use super::load::option_values::OptionKind;
use super::load::options::LoadOptions;
use crate::color::Srgba8;

/// The command that draws a file with these options, quoted for a POSIX shell. Limits are left out.
///
/// ```
/// use roundel::io::{LoadOptions, render_command};
///
/// let mut options = LoadOptions::default();
/// (options.width, options.only) = (Some(640), Some("chain A".to_owned()));
/// let line = render_command("a b.pdb".as_ref(), &options);
/// assert_eq!(line, "roundel render 'a b.pdb' --width=640 --only='chain A'");
/// ```
#[must_use]
pub fn render_command(input: &Path, options: &LoadOptions) -> String {
    let mut line = format!("roundel render {}", quote_path(input));
    for option in LoadOption::all().iter().filter(|option| option.kind() != OptionKind::Pair) {
        for value in option.texts(options) {
            // writing into a string cannot fail
            let _ = write!(line, " --{}={}", option.name.replace('_', "-"), quote(&value));
        }
    }
    line + &pair_flags(options)
}

/// The flags that take a selection and a value.
pub(crate) fn pair_flags(options: &LoadOptions) -> String {
    let mut line = String::new();
    for (index, (rows, Srgba8 { r, g, b, a })) in options.highlight.iter().enumerate() {
        let label = options.highlight_labels.get(index).filter(|label| !label.is_empty());
        let label = label.map(|label| format!("={label}")).unwrap_or_default();
        let color = quote(&format!("#{r:02x}{g:02x}{b:02x}{a:02x}{label}"));
        let _ = write!(line, " --highlight {} {color}", quote(rows));
    }
    for (rows, opacity) in &options.opacity {
        let _ = write!(line, " --opacity {} {opacity}", quote(rows.as_deref().unwrap_or("all")));
    }
    for (rows, style) in &options.style {
        let _ = write!(line, " --style {} {style}", quote(rows.as_deref().unwrap_or("all")));
    }
    for (rows, gloss) in &options.gloss {
        let _ = write!(line, " --gloss {} {gloss}", quote(rows.as_deref().unwrap_or("all")));
    }
    for (rows, radius) in &options.radius_of {
        let _ = write!(line, " --radius-of {} {radius}", quote(rows));
    }
    for (rows, text) in &options.figure.label {
        let _ = write!(line, " --label {} {}", quote(rows), quote(text));
    }
    for (entry, name) in &options.figure.legend_name {
        let _ = write!(line, " --legend-name {} {}", quote(entry), quote(name));
    }
    line
}

/// Quotes a path where a POSIX shell would not take it for a single word.
pub(crate) fn quote_path(path: &Path) -> String {
    quote(&path.to_string_lossy())
}

/// Quotes a text where a POSIX shell would not take it for a single word.
pub(crate) fn quote(text: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./,:+=@%".contains(character);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quote("a/b-1.pdb"), "a/b-1.pdb");
        assert_eq!(quote("it's here"), r"'it'\''s here'");
        assert_eq!(quote(""), "''");
        assert_eq!(quote("#ff00ff"), "'#ff00ff'");
    }
}
