//! Accounts for the shapes and bytes of a scene while it is read, and refuses more than the budget allows.

use crate::budget::Budget;
use crate::error::{Error, Resource, Result};

/// Upper bound of the bytes of memory for each byte of a scene file while it is read.
pub(crate) const SCENE_TEXT: u64 = 128;

#[derive(Clone, Copy, Debug)]
pub struct Quota {
    pub(crate) budget: Budget,
    shapes: u64,
    memory: u64,
}

impl Quota {
    pub fn new(budget: Budget) -> Self {
        Self { budget, shapes: 0, memory: 0 }
    }

    /// Adds shapes that stay, and their bytes.
    pub fn hold(&mut self, shapes: u64, memory: u64) {
        self.shapes = self.shapes.saturating_add(shapes);
        self.memory = self.memory.saturating_add(memory);
    }

    /// Refuses more shapes than fit beside the ones already held; `subject` says where they are and how many.
    pub fn check(&self, shapes: u64, each: u64, subject: impl Fn() -> String) -> Result<()> {
        let all = self.shapes.saturating_add(shapes);
        self.budget.check(Resource::Shapes, all, &subject)?;
        self.check_memory(shapes.saturating_mul(each), subject)
    }

    /// Refuses more bytes than fit beside the ones already held.
    pub fn check_memory(&self, memory: u64, subject: impl Fn() -> String) -> Result<()> {
        let memory = self.memory.saturating_add(memory);
        let takes = || format!("{}, which takes {}", subject(), Resource::Memory.amount(memory));
        self.budget.check(Resource::Memory, memory, takes)
    }

    /// The number of further shapes of `each` bytes that fit.
    pub(crate) fn room(&self, each: u64) -> u64 {
        let by_count = self.budget.shapes.saturating_sub(self.shapes);
        let by_memory = self.budget.memory.saturating_sub(self.memory) / each.max(1);
        by_count.min(by_memory)
    }

    /// The number of further bytes that fit.
    pub fn memory_left(&self) -> usize {
        usize::try_from(self.budget.memory.saturating_sub(self.memory)).unwrap_or(usize::MAX)
    }

    /// The error for the shape after `held` of a file, when there is no room for it; `place` is its file and line.
    pub(crate) fn refuse(&self, held: u64, each: u64, place: &str) -> Error {
        let count = held.saturating_add(1);
        let subject = || format!("{place}: shape {} of the scene", self.shapes.saturating_add(count));
        match self.check(count, each, subject) {
            Err(error) => error,
            Ok(()) => unreachable!("there is room for {count} shapes"),
        }
    }
}
