//! Exit statuses.

/// The result of a command that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommandOutcome {
    /// Done, or the images agree: exit status 0.
    Done,
    /// The images differ: exit status 1, however many pixels differ.
    Different,
    /// Some of several images could not be compared, which has been said: exit status 2.
    Failed,
}

/// Exit status after wrong usage, invalid input, and failed reads and writes.
pub(super) const ERROR_STATUS: u8 = 2;

impl CommandOutcome {
    /// The exit status.
    pub(super) fn status(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Different => 1,
            Self::Failed => ERROR_STATUS,
        }
    }
}
