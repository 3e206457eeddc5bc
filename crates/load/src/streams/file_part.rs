//! The part of a stream's files that one of several processes draws.

/// Bits of a number that count the rows which a process reads of a file.
const ROW_BITS: u32 = 36;

/// The rows of one of several processes: some files, or a share of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilePart {
    /// The index of the first file among all.
    pub(crate) first: usize,
    pub(crate) process: usize,
    pub(crate) count: usize,
    /// Whether the files are shared row by row.
    pub(crate) is_by_row: bool,
}

impl FilePart {
    pub(crate) const ALL: Self = Self { first: 0, process: 0, count: 1, is_by_row: false };

    /// The number of the first row that is read from a file. Rows of later files, and of later processes, have greater
    /// numbers.
    pub(crate) fn first_number(&self, file: usize) -> u64 {
        let process = if self.is_by_row { self.process } else { 0 };
        (((self.first + file) * self.count + process) as u64) << ROW_BITS
    }
}
