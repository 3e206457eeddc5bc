//! Mutated input against every reader, the scene parser, the renderer behind them, comparisons and the exact geometry:
//! nothing may panic, hang, use too much memory or decide wrongly.
//!
//! Each target starts from its corpus, the small samples of `tests/fuzz/TARGET/` and every input that once broke it,
//! and mutates them at random until its time is over: `ROUNDEL_FUZZ_SECONDS` per target, 1 by default. The seed is fixed
//! (`ROUNDEL_FUZZ_SEED`), so runs are reproducible, up to the speed of the machine. An input that breaks a target is left
//! in `target/fuzz/TARGET.bin`, ready to be added to its corpus.

mod asides;
mod engine;
mod geometry;
#[path = "../oracle/mod.rs"]
mod oracle;
mod pictures;
mod scenes;
