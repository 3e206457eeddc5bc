//! Iterators under the names of parallel ones.

use std::iter::{Enumerate, Filter, FilterMap, FlatMap, Map, Skip, StepBy, Sum, Zip};

/// An iterator whose methods are those of rayon.
#[derive(Clone, Debug)]
pub struct Sequential<I>(pub(crate) I);

/// What an item of [`ParallelIterator::map_init`] becomes, with what the thread keeps.
pub struct MapInit<I, T, F> {
    items: I,
    kept: T,
    map: F,
}

impl<I: Iterator, T, R, F: FnMut(&mut T, I::Item) -> R> Iterator for MapInit<I, T, F> {
    type Item = R;

    fn next(&mut self) -> Option<R> {
        self.items.next().map(|item| (self.map)(&mut self.kept, item))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }

    fn fold<A, G: FnMut(A, R) -> A>(self, start: A, mut join: G) -> A {
        let Self { items, mut kept, mut map } = self;
        items.fold(start, |sum, item| join(sum, map(&mut kept, item)))
    }
}

pub trait ParallelIterator: IntoIterator + Sized {
    fn map<R, F: Fn(Self::Item) -> R>(self, map: F) -> Sequential<Map<Self::IntoIter, F>> {
        Sequential(self.into_iter().map(map))
    }

    fn map_init<T, R, F: Fn(&mut T, Self::Item) -> R>(
        self,
        init: impl Fn() -> T,
        map: F,
    ) -> Sequential<MapInit<Self::IntoIter, T, F>> {
        Sequential(MapInit { items: self.into_iter(), kept: init(), map })
    }

    fn filter<F: Fn(&Self::Item) -> bool>(self, keep: F) -> Sequential<Filter<Self::IntoIter, F>> {
        Sequential(self.into_iter().filter(keep))
    }

    fn filter_map<R, F: Fn(Self::Item) -> Option<R>>(self, map: F) -> Sequential<FilterMap<Self::IntoIter, F>> {
        Sequential(self.into_iter().filter_map(map))
    }

    fn flat_map<P: IntoIterator, F: Fn(Self::Item) -> P>(self, map: F) -> Sequential<FlatMap<Self::IntoIter, P, F>> {
        Sequential(self.into_iter().flat_map(map))
    }

    fn flat_map_iter<P: IntoIterator, F: Fn(Self::Item) -> P>(
        self,
        map: F,
    ) -> Sequential<FlatMap<Self::IntoIter, P, F>> {
        Sequential(self.into_iter().flat_map(map))
    }

    fn for_each(self, visit: impl Fn(Self::Item)) {
        self.into_iter().for_each(visit);
    }

    fn for_each_init<T>(self, init: impl Fn() -> T, visit: impl Fn(&mut T, Self::Item)) {
        let mut kept = init();
        self.into_iter().for_each(|item| visit(&mut kept, item));
    }

    fn reduce(
        self,
        identity: impl Fn() -> Self::Item,
        join: impl Fn(Self::Item, Self::Item) -> Self::Item,
    ) -> Self::Item {
        self.into_iter().fold(identity(), join)
    }

    fn try_reduce_with<T>(self, join: impl Fn(T, T) -> Option<T>) -> Option<Option<T>>
    where
        Self: IntoIterator<Item = Option<T>>,
    {
        let mut items = self.into_iter();
        let first = items.next()?;
        Some(first.and_then(|first| items.try_fold(first, |sum, item| join(sum, item?))))
    }

    fn sum<S: Sum<Self::Item>>(self) -> S {
        self.into_iter().sum()
    }

    fn count(self) -> usize {
        self.into_iter().count()
    }

    fn any(self, is_it: impl Fn(Self::Item) -> bool) -> bool {
        self.into_iter().any(is_it)
    }

    fn collect<C: FromIterator<Self::Item>>(self) -> C {
        self.into_iter().collect()
    }

    fn unzip<A, B, C: Default + Extend<A>, D: Default + Extend<B>>(self) -> (C, D)
    where
        Self: IntoIterator<Item = (A, B)>,
    {
        self.into_iter().unzip()
    }
}

pub trait IndexedParallelIterator: ParallelIterator {
    fn enumerate(self) -> Sequential<Enumerate<Self::IntoIter>> {
        Sequential(self.into_iter().enumerate())
    }

    fn zip<P: IntoIterator>(self, other: P) -> Sequential<Zip<Self::IntoIter, P::IntoIter>> {
        Sequential(self.into_iter().zip(other))
    }

    fn skip(self, count: usize) -> Sequential<Skip<Self::IntoIter>> {
        Sequential(self.into_iter().skip(count))
    }

    fn step_by(self, step: usize) -> Sequential<StepBy<Self::IntoIter>> {
        Sequential(self.into_iter().step_by(step))
    }

    #[must_use]
    fn with_min_len(self, _: usize) -> Self {
        self
    }

    #[must_use]
    fn with_max_len(self, _: usize) -> Self {
        self
    }

    fn collect_into_vec(self, target: &mut Vec<Self::Item>) {
        target.clear();
        target.extend(self.into_iter());
    }
}

impl<I: Iterator> ParallelIterator for Sequential<I> {}

impl<I: Iterator> IndexedParallelIterator for Sequential<I> {}

pub trait IntoParallelIterator: IntoIterator + Sized {
    fn into_par_iter(self) -> Sequential<Self::IntoIter> {
        Sequential(self.into_iter())
    }
}

impl<I: IntoIterator> IntoParallelIterator for I {}

impl<I: Iterator> IntoIterator for Sequential<I> {
    type Item = I::Item;
    type IntoIter = I;

    fn into_iter(self) -> I {
        self.0
    }
}

pub trait ParallelExtend<T> {
    fn par_extend(&mut self, items: impl IntoIterator<Item = T>);
}

impl<T> ParallelExtend<T> for Vec<T> {
    fn par_extend(&mut self, items: impl IntoIterator<Item = T>) {
        self.extend(items);
    }
}

pub trait ParallelBridge: Iterator + Sized {
    fn par_bridge(self) -> Sequential<Self> {
        Sequential(self)
    }
}

impl<I: Iterator> ParallelBridge for I {}

pub trait IntoParallelRefIterator<'a> {
    type Iter;

    fn par_iter(&'a self) -> Sequential<Self::Iter>;
}

impl<'a, T: 'a + ?Sized> IntoParallelRefIterator<'a> for T
where
    &'a T: IntoIterator,
{
    type Iter = <&'a T as IntoIterator>::IntoIter;

    fn par_iter(&'a self) -> Sequential<Self::Iter> {
        Sequential(self.into_iter())
    }
}

pub trait IntoParallelRefMutIterator<'a> {
    type Iter;

    fn par_iter_mut(&'a mut self) -> Sequential<Self::Iter>;
}

impl<'a, T: 'a + ?Sized> IntoParallelRefMutIterator<'a> for T
where
    &'a mut T: IntoIterator,
{
    type Iter = <&'a mut T as IntoIterator>::IntoIter;

    fn par_iter_mut(&'a mut self) -> Sequential<Self::Iter> {
        Sequential(self.into_iter())
    }
}
