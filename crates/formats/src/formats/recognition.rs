//! Recognizes the format of a file by its content and its name.

use super::list::{FORMATS, Format, FormatKind, FormatRow, Sniff, extensions};
use super::raw_layout::RawLayout;
use super::{unsupported, xyz};
use crate::error::{Error, Result};
use crate::source::input::Input;

/// The format of a file: by the signature in its content, by its name, or by a guess from its content.
pub fn format_of(input: &Input) -> Result<Format> {
    let bytes = input.head();
    let text = if bytes.contains(&0) { String::new() } else { String::from_utf8_lossy(bytes).into_owned() };
    let sure = |row: &&FormatRow| match row.sniff {
        Sniff::Bytes(is) => is(bytes),
        Sniff::Text(is) => is(&text),
        Sniff::Likely(_) | Sniff::Never => false,
    };
    let likely = |row: &&FormatRow| matches!(row.sniff, Sniff::Likely(is) if !text.is_empty() && is(&text));
    let extension = input.extension();
    if let Some(advice) = unsupported::of_text(&text, extension.as_deref()) {
        return Err(Error::input(&input.name, None, advice));
    }
    let named = |row: &&FormatRow| extension.as_deref().is_some_and(|extension| row.extensions.contains(&extension));
    if let Some(row) = FORMATS.iter().find(sure).or_else(|| FORMATS.iter().find(named)) {
        return Ok(match row.format {
            // scanners use the extension of molecules
            Format::Xyz if !sure(&row) && xyz::is_cloud(&text) => Format::PointCloud,
            // PQR has the same records, with other numbers after the coordinates
            Format::Pdb if extension.as_deref() == Some("pqr") => Format::Pqr,
            format => format,
        });
    }
    if let Some(advice) = unsupported::advice(bytes, extension.as_deref()) {
        return Err(Error::input(&input.name, None, advice));
    }
    FORMATS.iter().find(likely).map(|row| row.format).ok_or_else(|| {
        let scenes = extensions(&[FormatKind::Scene]);
        let data = extensions(&[FormatKind::Table, FormatKind::Atoms]);
        let message = format!("the format is not known; accepted are scenes ({scenes}) and data ({data})");
        Error::input(&input.name, None, message)
    })
}

/// The caller's format, or else the format of the content. Raw columns exclude any other format.
pub fn format_wanted(input: &Input, format: Option<Format>, raw: Option<&RawLayout>) -> Result<Format> {
    match (format, raw) {
        (None | Some(Format::Raw), Some(_)) => Ok(Format::Raw),
        (Some(format), Some(_)) => {
            Err(Error::setting("format", format!("and raw both say the format; got {}", format.id())))
        }
        (Some(format), None) => Ok(format),
        (None, None) => format_of(input),
    }
}

/// Whether the first line after comments is a table's name or a key with a value, or there are only comments.
pub(super) fn is_toml(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    let is_key = |key: &str| {
        let key = key.trim();
        !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.\"' ".contains(&byte))
    };
    first.map_or(text.trim_start().starts_with('#'), |line| {
        (line.starts_with('[') && line.contains(']')) || line.split_once('=').is_some_and(|(key, _)| is_key(key))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::memory_quota::Quota;

    fn guessed(text: &[u8]) -> Result<Format> {
        format_of(&Input::of_bytes(text, Quota::new(Budget::default())).expect("some bytes"))
    }

    #[test]
    fn format_is_told_by_content() {
        for (text, format) in [
            ("[canvas]\nwidth = 3", Format::Toml),
            ("# a scene\n[canvas]", Format::Toml),
            ("width = 3", Format::Toml),
            ("\n {\"canvas\": 1}", Format::Json),
            ("\u{feff}x,y\n1,2", Format::Csv),
            ("x;y\r\n1;2", Format::Csv),
            ("# x,y\n1,2", Format::Csv),
            ("x y z\n1 2 3\n4 5 6\n", Format::Csv),
            ("12\ncomment\nH 0 0 0", Format::Xyz),
            ("HEADER    PROTEIN", Format::Pdb),
            ("ATOM      1  N   MET A   1", Format::Pdb),
        ] {
            assert_eq!(guessed(text.as_bytes()).expect(text), format, "{text}");
        }
        guessed(b"\x89PNG\r\n\x1a\n\0\0").expect_err("a picture");
        guessed(b"Dear reader, this is a letter.").map(|_| ()).unwrap_or_default();
    }
}
