//! What a scene holds already, and whether more fits: asked before each shape is kept.

use crate::budget::Budget;
use crate::error::{Error, Resource, Result};

/// Bytes a row of a table takes at most while it is read: coordinates, radius and colour, as read and as drawn, in lists
/// that grow by doubling.
pub(super) const TABLE_ROW: u64 = 96;

/// Bytes an atom takes at most while it is read, likewise.
pub(super) const ATOM: u64 = 80;

/// Bytes a byte of a scene file takes at most while it is read.
pub(super) const SCENE_TEXT: u64 = 128;

/// Shapes and bytes of a scene so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ledger {
    pub(super) budget: Budget,
    shapes: u64,
    memory: u64,
}

impl Ledger {
    pub(super) fn new(budget: Budget) -> Self {
        Self { budget, shapes: 0, memory: 0 }
    }

    /// Notes shapes that stay, and their bytes.
    pub(super) fn hold(&mut self, shapes: u64, memory: u64) {
        self.shapes = self.shapes.saturating_add(shapes);
        self.memory = self.memory.saturating_add(memory);
    }

    /// Refuses shapes that would be too many beside those held; `subject` says where they stand and how many they are.
    pub(super) fn check(&self, shapes: u64, each: u64, subject: impl Fn() -> String) -> Result<()> {
        let all = self.shapes.saturating_add(shapes);
        self.budget.check(Resource::Shapes, all, &subject)?;
        self.check_memory(shapes.saturating_mul(each), subject)
    }

    /// Refuses bytes that would be too many beside those held.
    pub(super) fn check_memory(&self, memory: u64, subject: impl Fn() -> String) -> Result<()> {
        let memory = self.memory.saturating_add(memory);
        let takes = || format!("{}, which takes {}", subject(), Resource::Memory.amount(memory));
        self.budget.check(Resource::Memory, memory, takes)
    }

    /// Room for shapes of so many bytes each.
    pub(super) fn room(&self, each: u64) -> Room {
        let by_count = self.budget.shapes.saturating_sub(self.shapes);
        let by_memory = self.budget.memory.saturating_sub(self.memory) / each.max(1);
        Room { most: by_count.min(by_memory), each, ledger: *self }
    }
}

/// How many more shapes fit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    most: u64,
    each: u64,
    ledger: Ledger,
}

impl Room {
    /// Refuses one shape more than `held` when there is no room for it; `place` is its file and line.
    #[inline]
    pub(super) fn admit(&self, held: usize, place: impl Fn() -> String) -> Result<()> {
        if (held as u64) < self.most { Ok(()) } else { Err(self.refuse(held, &place())) }
    }

    #[cold]
    fn refuse(&self, held: usize, place: &str) -> Error {
        let count = held as u64 + 1;
        let subject = || format!("{place}: shape {} of the scene", self.ledger.shapes.saturating_add(count));
        match self.ledger.check(count, self.each, subject) {
            Err(error) => error,
            Ok(()) => unreachable!("there is room for {count} shapes"),
        }
    }
}
