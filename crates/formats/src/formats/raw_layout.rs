//! The columns of files without a header.

use std::fmt;
use std::str::FromStr;

use super::scalar::{Endian, Scalar};
use crate::did_you_mean::{self, shortened};
use crate::error::{Error, Result};

const MOST_COLUMNS: usize = 1 << 10;

#[rustfmt::skip]
const TYPES: [(&str, Scalar); 10] = [
    ("f32", Scalar::F32), ("f64", Scalar::F64), ("i8", Scalar::I8), ("i16", Scalar::I16), ("i32", Scalar::I32),
    ("i64", Scalar::I64), ("u8", Scalar::U8), ("u16", Scalar::U16), ("u32", Scalar::U32), ("u64", Scalar::U64),
];

/// The columns of a file that has rows of numbers and nothing else.
///
/// Written `x,y,z,r:f32le`: names, then the type of their numbers, which is `f32`, `f64`, `i8` to `i64` or `u8` to
/// `u64`, and `le` or `be` for the order of their bytes, least or most significant first. Without either it is `le`.
/// Columns of another type follow after a comma: `x,y,z:f32,id:u64`. Numbers are not padded. Columns have the same
/// meaning as in a table.
///
/// ```
/// # use roundel_formats as roundel;
/// use roundel::io::RawLayout;
///
/// assert_eq!("x,y,z,r:f32le".parse::<RawLayout>()?, "x, y, z, r:f32".parse()?);
/// assert!("x,y,z:f32,id:u65".parse::<RawLayout>().is_err(), "no type of numbers");
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawLayout {
    pub(super) columns: Vec<(String, Scalar)>,
    pub(super) endian: Endian,
}

impl FromStr for RawLayout {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refuse = |message: String| Err(Error::setting("format", message));
        let mut parts = text.split(':');
        let mut names: Vec<&str> = parts.next().unwrap_or_default().split(',').collect();
        let (mut columns, mut order): (Vec<(String, Scalar)>, _) = (Vec::new(), None);
        for part in parts {
            let (word, more) = part.split_once(',').map_or((part, None), |(word, more)| (word, Some(more)));
            let Some((scalar, endian)) = number_type(word.trim()) else {
                let known = did_you_mean::list(TYPES.iter().map(|(name, _)| *name));
                let found = shortened(word);
                return refuse(format!("raw must name a type of numbers ({known}, and le or be), got {found:?}"));
            };
            if scalar.size() > 1 && *order.get_or_insert(endian) != endian {
                return refuse("raw must have numbers in one order of bytes, got both".to_owned());
            }
            columns.extend(names.iter().map(|name| (name.trim().to_owned(), scalar)));
            names = more.map(|more| more.split(',').collect()).unwrap_or_default();
        }
        if columns.is_empty() || !names.is_empty() {
            let found = shortened(text);
            return refuse(format!(
                "raw must have names and the type of their numbers, as raw:x,y,z,r:f32le, got {found:?}"
            ));
        }
        if columns.len() > MOST_COLUMNS {
            return refuse(format!("raw must have at most {MOST_COLUMNS} columns, got {}", columns.len()));
        }
        for (index, (name, _)) in columns.iter().enumerate() {
            if name.is_empty() {
                return refuse("raw must have a name for each column, got an empty one".to_owned());
            }
            if columns[..index].iter().any(|(other, _)| other == name) {
                return refuse(format!("raw must have different names, got {:?} twice", shortened(name)));
            }
        }
        Ok(Self { columns, endian: order.unwrap_or(Endian::Little) })
    }
}

impl fmt::Display for RawLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = if self.endian == Endian::Little { "le" } else { "be" };
        let type_name = |scalar| TYPES.iter().find(|(_, known)| *known == scalar).map_or("", |(name, _)| *name);
        let runs = self.columns.chunk_by(|a, b| a.1 == b.1).map(|run| {
            let names: Vec<_> = run.iter().map(|(name, _)| name.as_str()).collect();
            format!("{}:{}{order}", names.join(","), type_name(run[0].1))
        });
        f.write_str(&runs.collect::<Vec<_>>().join(","))
    }
}

/// Parses a type such as `f32le`.
fn number_type(word: &str) -> Option<(Scalar, Endian)> {
    let (name, endian) = match (word.strip_suffix("le"), word.strip_suffix("be")) {
        (Some(name), _) => (name, Endian::Little),
        (_, Some(name)) => (name, Endian::Big),
        _ => (word, Endian::Little),
    };
    TYPES.iter().find(|(known, _)| *known == name).map(|(_, scalar)| (*scalar, endian))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_read_and_written() {
        for (text, shown) in [
            ("x,y,z,r:f32le", "x,y,z,r:f32le"),
            ("x, y:f64", "x,y:f64le"),
            ("x,y,z:f32be,id:u64be,kind:u8", "x,y,z:f32be,id:u64be,kind:u8be"),
        ] {
            assert_eq!(text.parse::<RawLayout>().expect(text).to_string(), shown);
        }
        for (text, part) in [
            ("", "names and the type"),
            ("x,y", "names and the type"),
            ("x:f32,y", "names and the type"),
            ("x,y:float", "got \"float\""),
            ("x,,y:f32", "an empty one"),
            ("x,x:f32", "\"x\" twice"),
            ("x:f32le,y:f32be", "got both"),
        ] {
            let message = text.parse::<RawLayout>().expect_err(text).to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
