//! Parts of slices, one after another.

use std::cmp::Ordering;
use std::slice::{Chunks, ChunksMut};

use crate::iter::Sequential;

pub trait ParallelSlice<T> {
    fn par_chunks(&self, length: usize) -> Sequential<Chunks<'_, T>>;
}

impl<T> ParallelSlice<T> for [T] {
    fn par_chunks(&self, length: usize) -> Sequential<Chunks<'_, T>> {
        Sequential(self.chunks(length))
    }
}

pub trait ParallelSliceMut<T> {
    fn par_chunks_mut(&mut self, length: usize) -> Sequential<ChunksMut<'_, T>>;

    fn par_sort_unstable(&mut self)
    where
        T: Ord;

    fn par_sort_unstable_by(&mut self, order: impl Fn(&T, &T) -> Ordering);

    fn par_sort_unstable_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K);
}

impl<T> ParallelSliceMut<T> for [T] {
    fn par_chunks_mut(&mut self, length: usize) -> Sequential<ChunksMut<'_, T>> {
        Sequential(self.chunks_mut(length))
    }

    fn par_sort_unstable(&mut self)
    where
        T: Ord,
    {
        self.sort_unstable();
    }

    fn par_sort_unstable_by(&mut self, order: impl Fn(&T, &T) -> Ordering) {
        self.sort_unstable_by(order);
    }

    fn par_sort_unstable_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.sort_unstable_by_key(key);
    }
}
