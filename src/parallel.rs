//! The iterators of rayon; without the feature `parallel`, and on a page, the same names for sequential iterators.

#[cfg(all(feature = "parallel", not(target_arch = "wasm32")))]
pub use rayon::current_num_threads;
#[cfg(all(feature = "parallel", not(target_arch = "wasm32")))]
pub use rayon::prelude::*;

#[cfg(any(not(feature = "parallel"), target_arch = "wasm32"))]
pub use one_thread::*;

#[cfg(any(not(feature = "parallel"), target_arch = "wasm32"))]
#[expect(missing_docs, reason = "the names and contracts are those of rayon")]
mod one_thread {
    use std::slice::{Chunks, ChunksExactMut, ChunksMut, Iter};

    pub trait IntoParallelIterator: IntoIterator + Sized {
        fn into_par_iter(self) -> Self::IntoIter {
            self.into_iter()
        }
    }

    impl<I: IntoIterator> IntoParallelIterator for I {}

    pub trait ParallelIterator: Iterator + Sized {
        fn map_init<T, U>(
            self,
            init: impl FnOnce() -> T,
            mut map: impl FnMut(&mut T, Self::Item) -> U,
        ) -> impl Iterator<Item = U> {
            let mut state = init();
            self.map(move |item| map(&mut state, item))
        }

        fn try_for_each_init<T, E>(
            mut self,
            init: impl FnOnce() -> T,
            mut look: impl FnMut(&mut T, Self::Item) -> Result<(), E>,
        ) -> Result<(), E> {
            let mut state = init();
            self.try_for_each(|item| look(&mut state, item))
        }
    }

    impl<I: Iterator> ParallelIterator for I {}

    pub trait IndexedParallelIterator: ParallelIterator {}

    impl<I: Iterator> IndexedParallelIterator for I {}

    pub fn current_num_threads() -> usize {
        1
    }

    pub trait ParallelSlice<T> {
        fn par_iter(&self) -> Iter<'_, T>;
        fn par_chunks(&self, length: usize) -> Chunks<'_, T>;
        fn par_chunks_mut(&mut self, length: usize) -> ChunksMut<'_, T>;
        fn par_chunks_exact_mut(&mut self, length: usize) -> ChunksExactMut<'_, T>;
        fn par_sort_unstable(&mut self)
        where
            T: Ord;
    }

    impl<T> ParallelSlice<T> for [T] {
        fn par_iter(&self) -> Iter<'_, T> {
            self.iter()
        }

        fn par_chunks(&self, length: usize) -> Chunks<'_, T> {
            self.chunks(length)
        }

        fn par_chunks_mut(&mut self, length: usize) -> ChunksMut<'_, T> {
            self.chunks_mut(length)
        }

        fn par_chunks_exact_mut(&mut self, length: usize) -> ChunksExactMut<'_, T> {
            self.chunks_exact_mut(length)
        }

        fn par_sort_unstable(&mut self)
        where
            T: Ord,
        {
            self.sort_unstable();
        }
    }
}
