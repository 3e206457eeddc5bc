//! The one boundary to decoders of other crates that may panic when a file is damaged.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Letters of a decoder's message.
const LONGEST: usize = 160;

/// Returns whether this thread is in a decoder of another crate, whose panics become errors of this one.
///
/// A panic hook may stay silent then, as that of the command-line tool does: the caller of [`load`](crate::io::load) gets an
/// error that says that the file is damaged.
///
/// ```
/// let default = std::panic::take_hook();
/// std::panic::set_hook(Box::new(move |panic| {
///     if !roundel::io::is_decoding() {
///         default(panic);
///     }
/// }));
/// ```
#[must_use]
pub fn is_decoding() -> bool {
    DECODING.get()
}

/// The result of a decoder, or a message that the file is damaged.
pub(super) fn guarded<T>(decode: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let outer = DECODING.replace(true);
    let found = catch_unwind(AssertUnwindSafe(decode));
    DECODING.set(outer);
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
        assert_eq!((guarded(|| Ok(is_decoding())), is_decoding()), (Ok(true), false));
        let said = guarded(|| Ok([1, 2][std::hint::black_box(2)]));
        assert_eq!(said, Err("the file is damaged: its content contradicts itself".to_owned()));
        assert!(!is_decoding());
    }
}
