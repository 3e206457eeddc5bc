//! Options as the flags of `roundel render`.

use std::fmt::{Display, Write as _};
use std::path::Path;

use crate::color::Srgba8;
use crate::options::contact_rule::{ContactRule, ContactsWith};
use crate::options::load_options::LoadOptions;
use crate::options::option_table::LoadOption;
use crate::options::option_values::OptionKind;

/// The command that draws a file with these options, quoted for a POSIX shell. Limits are left out.
///
/// ```
/// # use roundel_load as roundel;
/// use roundel::io::{LoadOptions, render_command};
///
/// let mut options = LoadOptions::default();
/// (options.width, options.only) = (Some(640), Some("chain A".to_owned()));
/// let line = render_command("a b.pdb".as_ref(), &options);
/// assert_eq!(line, "roundel render 'a b.pdb' --width=640 --only='chain A'");
/// ```
#[must_use]
pub fn render_command(input: &Path, options: &LoadOptions) -> String {
    format!("roundel render {}{}", quote_path(input), flags(options))
}

/// Options as flags, each after a blank.
pub(crate) fn flags(options: &LoadOptions) -> String {
    let mut line = String::new();
    for option in LoadOption::all().iter().filter(|option| option.kind() != OptionKind::Pair) {
        for value in option.texts(options) {
            // writing into a string cannot fail
            let _ = write!(line, " --{}={}", option.name.replace('_', "-"), quote(&value));
        }
    }
    line + &pair_flags(options)
}

/// The flags that take a selection and a value.
pub fn pair_flags(options: &LoadOptions) -> String {
    let mut line = String::new();
    let mut flag = |name: &str, rows: &str, value: &dyn Display| {
        // writing into a string cannot fail
        let _ = write!(line, " --{name} {} {value}", quote(rows));
    };
    for (index, (rows, Srgba8 { r, g, b, a })) in options.highlight.iter().enumerate() {
        let label = options.highlight_labels.get(index).filter(|label| !label.is_empty());
        let label = label.map(|label| format!("={label}")).unwrap_or_default();
        flag("highlight", rows, &quote(&format!("#{r:02x}{g:02x}{b:02x}{a:02x}{label}")));
    }
    let or_all = |rows: &Option<String>| rows.clone().unwrap_or("all".to_owned());
    options.opacity.iter().chain(&options.fade).for_each(|(rows, opacity)| flag("opacity", &or_all(rows), opacity));
    options.style.iter().for_each(|(rows, style)| flag("style", &or_all(rows), style));
    options.gloss.iter().for_each(|(rows, gloss)| flag("gloss", &or_all(rows), gloss));
    options.radius_of.iter().for_each(|(rows, radius)| flag("radius-of", rows, radius));
    options.figure.label.iter().for_each(|(rows, text)| flag("label", rows, &quote(text)));
    for (rows, ContactsWith { select, rule }) in &options.contacts {
        let rule = if *rule == ContactRule::default() { String::new() } else { format!(" {rule}") };
        flag("contacts", rows, &(quote(select) + &rule));
    }
    options.figure.legend_name.iter().for_each(|(entry, name)| flag("legend-name", entry, &quote(name)));
    line
}

/// Quotes a path where a POSIX shell would not take it for a single word.
pub fn quote_path(path: &Path) -> String {
    quote(&path.to_string_lossy())
}

/// Quotes a text where a POSIX shell would not take it for a single word.
pub fn quote(text: &str) -> String {
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
