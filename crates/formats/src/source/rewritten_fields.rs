//! Fields that are rewritten while a table is read: numbers with decimal commas get points, texts that stand for missing
//! values become empty.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::decimal::with_point;
use super::number::number;

/// Which fields are rewritten.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldRules {
    /// Whether numbers may have decimal commas.
    pub has_commas: bool,
    /// Texts that stand for missing values.
    pub missing: Vec<Vec<u8>>,
}

/// Records whether fields were rewritten, and numbers whose points contradict each other.
#[derive(Debug, Default)]
pub(crate) struct FoundFields {
    /// Whether a number was rewritten.
    pub commas: AtomicBool,
    /// Whether a missing value was.
    pub missing: AtomicBool,
    /// The first number with points between thousands and no decimal comma.
    thousands: OnceLock<String>,
    /// The first number with a decimal point.
    point: OnceLock<String>,
}

impl FoundFields {
    /// Two numbers whose points mean different things, so that points between thousands may be decimal points.
    pub(crate) fn contradiction(&self) -> Option<[&str; 2]> {
        Some([self.thousands.get()?, self.point.get()?])
    }

    fn note_points(&self, field: &[u8], is_rewritten: bool) {
        let known = if is_rewritten { &self.thousands } else { &self.point };
        let has_point = || field.contains(&b'.') && (is_rewritten || number(field).is_some());
        if known.get().is_none() && !field.contains(&b',') && has_point() {
            known.get_or_init(|| String::from_utf8_lossy(field).into_owned());
        }
    }
}

/// Rewrites the fields of lines.
pub(crate) struct RewrittenFields {
    inner: Box<dyn Read + Send>,
    /// The byte between fields; `None` for blanks.
    separator: Option<u8>,
    rules: FieldRules,
    /// The start of a line whose end has not been read.
    line: Vec<u8>,
    ready: Vec<u8>,
    taken: usize,
    found: Arc<FoundFields>,
}

impl RewrittenFields {
    pub(crate) fn new(
        inner: Box<dyn Read + Send>,
        separator: Option<u8>,
        rules: FieldRules,
        found: Arc<FoundFields>,
    ) -> Self {
        Self { inner, separator, rules, line: Vec::new(), ready: Vec::new(), taken: 0, found }
    }

    /// Rewrites the next lines; false at the end.
    fn fill(&mut self) -> io::Result<bool> {
        /// The longest line that is rewritten.
        const LONGEST: usize = 1 << 20;
        let mut bytes = [0; 1 << 14];
        let count = self.inner.read(&mut bytes)?;
        self.ready.clear();
        self.taken = 0;
        self.line.extend_from_slice(&bytes[..count]);
        let whole = match memchr::memrchr(b'\n', &self.line) {
            Some(end) if count > 0 => end + 1,
            None if count > 0 && self.line.len() < LONGEST => 0,
            _ => self.line.len(),
        };
        let rest = self.line.split_off(whole);
        let lines = std::mem::replace(&mut self.line, rest);
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            self.rewrite(line);
        }
        Ok(count > 0 || !self.ready.is_empty())
    }

    /// Adds a line with its fields rewritten.
    fn rewrite(&mut self, line: &[u8]) {
        let mut at = 0;
        let is_separator = |byte: u8| match self.separator {
            Some(separator) => byte == separator || byte == b'\n',
            None => byte.is_ascii_whitespace(),
        };
        while at < line.len() {
            let is_quoted = line[at] == b'"';
            let close = if is_quoted { memchr::memchr(b'"', &line[at + 1..]).map(|end| at + 1 + end) } else { None };
            let from = close.unwrap_or(at);
            let end = line[from..].iter().position(|byte| is_separator(*byte)).map_or(line.len(), |end| from + end);
            let field = &line[at..end];
            let inner = field.trim_ascii();
            let inner = inner.strip_prefix(b"\"").and_then(|inner| inner.strip_suffix(b"\"")).unwrap_or(inner);
            if self.rules.missing.iter().any(|missing| missing == inner) {
                // an empty field between blanks would be none
                self.ready.extend_from_slice(if self.separator.is_some() { b"" } else { b"NA" });
                self.found.missing.store(true, Ordering::Relaxed);
            } else if self.rules.has_commas {
                let number = with_point(inner);
                self.found.note_points(inner, number.is_some());
                self.found.commas.fetch_or(number.is_some(), Ordering::Relaxed);
                self.ready.extend_from_slice(number.as_deref().unwrap_or(field));
            } else {
                self.ready.extend_from_slice(field);
            }
            self.ready.extend(line.get(end));
            at = end + 1;
        }
    }
}

impl Read for RewrittenFields {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.ready.len() {
            if !self.fill()? {
                return Ok(0);
            }
        }
        let count = buffer.len().min(self.ready.len() - self.taken);
        buffer[..count].copy_from_slice(&self.ready[self.taken..self.taken + count]);
        self.taken += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_get_points_missing_texts_are_empty_and_others_stay() {
        let rewritten = |text: &str, separator| {
            let mut found = String::new();
            let inner = Box::new(io::Cursor::new(text.as_bytes().to_vec()));
            let rules = FieldRules { has_commas: true, missing: vec![b"n. d.".to_vec(), b"-9".to_vec()] };
            RewrittenFields::new(inner, separator, rules, Arc::default()).read_to_string(&mut found).expect("text");
            found
        };
        assert_eq!(rewritten("a;b\n n. d. ;\"n. d.\";-99;-9\n", Some(b';')), "a;b\n;;-99;\n");
        assert_eq!(rewritten("x y\n-9 2\n", None), "x y\nNA 2\n");
        assert_eq!(rewritten("n;x\r\n\"a,b\";1,5\r\n;2,5", Some(b';')), "n;x\r\n\"a,b\";1.5\n;2.5");
        assert_eq!(rewritten("1,\"0,7\",\"a,b\"\n", Some(b',')), "1,0.7,\"a,b\"\n");
        assert_eq!(rewritten("x y\n1,5 -2,25\n", None), "x y\n1.5 -2.25\n");
    }
}
