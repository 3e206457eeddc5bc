//! The boundary to decoders of other crates, which may panic on damaged files.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Most letters of a decoder's message.
const LONGEST: usize = 160;

/// Stops the panic hook from printing panics of decoders, which become errors.
fn silence() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let default = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !DECODING.get() {
                default(panic);
            }
        }));
    });
}

/// Runs a decoder; its errors and panics become messages that the file is damaged.
pub(super) fn guarded<T>(decode: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    silence();
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
        assert_eq!((guarded(|| Ok(DECODING.get())), DECODING.get()), (Ok(true), false));
        let said = guarded(|| Ok([1, 2][std::hint::black_box(2)]));
        assert_eq!(said, Err("the file is damaged: its content contradicts itself".to_owned()));
        assert!(!DECODING.get());
    }
}
