//! Cuts a file into pieces at ends of lines, of records or of rows.

use super::pieces::lines;

/// The end of the wanted lines.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Until {
    /// At the end of the file.
    End,
    /// After this number of lines, or at the end.
    Lines(u64),
    /// Before the first line of this kind, or at the end.
    Line(fn(&[u8]) -> bool),
    /// Like `Line` for rows that may span several lines: a piece ends with a line that is a whole row.
    LineAfterRows { stops: fn(&[u8]) -> bool, is_row: fn(&[u8], usize) -> bool, values: usize },
    /// At the end of a table with this separator; the lines of a quoted field stay together.
    Records(u8),
    /// After a number of rows of `size` bytes, or at the end.
    Rows { left: u64, size: usize },
}

impl Until {
    /// The length of the wanted whole lines at the start of the pending text. `None` if more must be read to decide.
    ///
    /// # Errors
    /// The place of a quote that nothing closes.
    pub(super) fn cut(&mut self, pending: &[u8], ended: bool) -> Result<Option<usize>, usize> {
        let end = self.cut_lines(pending, ended);
        match (&*self, end) {
            (Self::Records(separator), Some(end)) if memchr::memchr(b'"', &pending[..end]).is_some() => {
                let (cut, open) = last_record(&pending[..end], *separator);
                open.filter(|_| ended).map_or(Ok(cut), Err)
            }
            _ => Ok(end),
        }
    }

    fn cut_lines(&mut self, pending: &[u8], ended: bool) -> Option<usize> {
        let last = if ended { Some(pending.len()) } else { memchr::memrchr(b'\n', pending).map(|end| end + 1) };
        match self {
            Self::End | Self::Records(_) => last,
            Self::Lines(lines) => {
                let ends = || memchr::memchr_iter(b'\n', pending);
                let count = ends().count() as u64;
                if count >= *lines {
                    let end = usize::try_from(*lines - 1).ok().and_then(|lines| ends().nth(lines));
                    *lines = 0;
                    return end.map(|end| end + 1);
                }
                let end = last?;
                *lines -= count;
                Some(end)
            }
            Self::Rows { left, size } => {
                let rows = (pending.len() / *size).min(usize::try_from(*left).unwrap_or(usize::MAX));
                *left -= rows as u64;
                (rows > 0).then_some(rows * *size)
            }
            Self::Line(stops) => {
                let end = last?;
                Some(first_line(&pending[..end], *stops).unwrap_or(end))
            }
            Self::LineAfterRows { stops, is_row, values } => {
                let end = last?;
                let stop = first_line(&pending[..end], *stops);
                if stop.is_some() || ended {
                    return stop.or(Some(end));
                }
                let mut end = end;
                while end > 0 {
                    let start = memchr::memrchr(b'\n', &pending[..end - 1]).map_or(0, |at| at + 1);
                    if is_row(&pending[start..end], *values) {
                        return Some(end);
                    }
                    end = start;
                }
                None
            }
        }
    }
}

/// The start of the first line for which `is` is true.
fn first_line(text: &[u8], is: fn(&[u8]) -> bool) -> Option<usize> {
    lines(text).find(|(_, line)| is(line)).map(|(start, _)| start)
}

/// Finds the end of the last complete record, and the opening quote of the field that the text ends in, if any.
///
/// A quote opens a field only at the field's start; inside, two quotes stand for one.
fn last_record(text: &[u8], separator: u8) -> (Option<usize>, Option<usize>) {
    let (mut cut, mut open, mut skip) = (None, None, usize::MAX);
    for at in memchr::memchr2_iter(b'"', b'\n', text) {
        if text[at] == b'\n' {
            cut = if open.is_some() { cut } else { Some(at + 1) };
        } else if open.is_none() {
            open = (at == 0 || text[at - 1] == separator || text[at - 1] == b'\n').then_some(at);
        } else if skip == at {
            // the second of two
        } else if text.get(at + 1) == Some(&b'"') {
            skip = at + 1;
        } else {
            open = None;
        }
    }
    if text.last() != Some(&b'\n') && open.is_none() {
        cut = Some(text.len());
    }
    (cut, open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_keep_lines_between_quotes_together() {
        let cut = |text: &str| last_record(text.as_bytes(), b',');
        assert_eq!(cut("a,b\nc"), (Some(5), None));
        assert_eq!(cut("a,\"b\n"), (None, Some(2)));
        assert_eq!(cut("a\na,\"b\n"), (Some(2), Some(4)));
        assert_eq!(cut("a,\"b\nc\"\n"), (Some(8), None));
        assert_eq!(cut("a,\"b\"\"\nc\"\n"), (Some(10), None));
        assert_eq!(cut("a,5\" pipe\nb,3\" pipe\n"), (Some(20), None), "quotes inside of a field are text");
        assert_eq!(cut("\"\"\n\"\"\"\"\n"), (Some(8), None));
    }
}
