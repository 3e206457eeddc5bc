//! Compares several pictures in one test before it fails.

use std::thread;

use super::assert::Golden;
use crate::compare::Sequence;

/// Compares several pictures and fails once, in [`SoftAssertions::finish`] or when dropped, with the messages of all
/// that differ.
///
/// ```no_run
/// use roundel_golden::{Golden, SoftAssertions};
/// use roundel_golden::{Frame, Srgba8};
///
/// let mut pages = SoftAssertions::new();
/// for (name, color) in [("light", Srgba8::WHITE), ("dark", Srgba8::BLACK)] {
///     pages.assert_matches(name, &Frame::new(64, 64, color)?);
/// }
/// pages.assert_golden(&Golden::new("photo").tolerance(2.0), &Frame::new(64, 64, Srgba8::WHITE)?);
/// pages.finish();
/// # Ok::<(), roundel_golden::Error>(())
/// ```
#[derive(Debug, Default)]
#[must_use = "it fails when it is dropped"]
pub struct SoftAssertions {
    messages: Vec<String>,
}

impl SoftAssertions {
    /// Starts without pictures.
    pub fn new() -> Self {
        Self::default()
    }

    /// Compares a picture with the golden `tests/golden/NAME.png`, as [`assert_matches`](super::assert_matches) does.
    pub fn assert_matches<'a>(&mut self, name: &str, picture: impl Into<Sequence<'a>>) {
        self.assert_golden(&Golden::new(name), picture);
    }

    /// Compares a picture with a golden.
    pub fn assert_golden<'a>(&mut self, golden: &Golden, picture: impl Into<Sequence<'a>>) {
        self.messages.extend(golden.compare(&picture.into()).err());
    }

    /// Fails if any picture differed.
    ///
    /// # Panics
    /// With the messages of all pictures that differ.
    #[track_caller]
    pub fn finish(mut self) {
        if let Some(message) = self.take() {
            panic!("{message}");
        }
    }

    /// Takes all messages, joined.
    fn take(&mut self) -> Option<String> {
        let messages = std::mem::take(&mut self.messages);
        match &messages[..] {
            [] => None,
            [one] => Some(one.clone()),
            all => Some(format!("{} pictures fail\n\n{}", all.len(), all.join("\n\n"))),
        }
    }
}

impl Drop for SoftAssertions {
    fn drop(&mut self) {
        if let Some(message) = self.take().filter(|_| !thread::panicking()) {
            panic!("{message}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_messages_are_kept_until_the_end() {
        let soft =
            |messages: &[&str]| SoftAssertions { messages: messages.iter().map(|&text| text.to_owned()).collect() };
        soft(&[]).finish();
        let message = |soft: SoftAssertions| {
            *std::panic::catch_unwind(|| soft.finish()).unwrap_err().downcast::<String>().expect("a message")
        };
        assert_eq!(message(soft(&["a"])), "a");
        assert_eq!(message(soft(&["a", "b"])), "2 pictures fail\n\na\n\nb");
        assert!(std::panic::catch_unwind(|| drop(soft(&["a"]))).is_err(), "dropped without finish");
    }
}
