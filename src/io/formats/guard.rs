//! The one boundary to decoders of other crates that may panic when a file is damaged.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Letters of a decoder's message.
const LONGEST: usize = 160;

/// The result of a decoder, or a message that the file is damaged.
pub(super) fn guarded<T>(decode: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let found = catch_unwind(AssertUnwindSafe(decode));
    found.unwrap_or_else(|_| Err("its content contradicts itself".to_owned())).map_err(|message| {
        let message: String = message.lines().next().unwrap_or_default().chars().take(LONGEST).collect();
        format!("the file is damaged: {message}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_messages() {
        assert_eq!(guarded(|| Ok(7)), Ok(7));
        assert_eq!(guarded::<()>(|| Err("a\nb".to_owned())), Err("the file is damaged: a".to_owned()));
        let said = guarded(|| Ok([1, 2][std::hint::black_box(2)]));
        assert_eq!(said, Err("the file is damaged: its content contradicts itself".to_owned()));
    }
}
