//! Sorts that are compiled once for all types: [`sort_by`], [`sort_descending`]. For lists that are not sorted in every
//! frame.

use std::cmp::Ordering;

/// Sorts items by a comparison; the sort is stable.
pub(crate) fn sort_by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let order = order_by(items.len(), &|a, b| compare(&items[a], &items[b]));
    reorder(items, order);
}

/// Sorts items by a descending key; the sort is stable.
pub(crate) fn sort_descending<T, K: Into<f64>>(items: &mut Vec<T>, key: impl Fn(&T) -> K) {
    let keys: Vec<f64> = items.iter().map(|item| key(item).into()).collect();
    reorder(items, descending_order(&keys));
}

fn reorder<T>(items: &mut Vec<T>, order: Vec<usize>) {
    let mut unsorted: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(order.into_iter().filter_map(|i| unsorted[i].take()));
}

/// Returns the indices of keys in descending order; the sort is stable.
pub(crate) fn descending_order(keys: &[f64]) -> Vec<usize> {
    order_by(keys.len(), &|a, b| keys[b].total_cmp(&keys[a]))
}

/// Returns the indices from 0 to `len` in the order of a comparison; the sort is stable.
pub(crate) fn order_by(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_is_first_and_equal_keys_keep_their_order() {
        let mut words = vec!["b1", "c9", "a1", "d-3", "e9", "f"];
        sort_descending(&mut words, |word| word[1..].parse().unwrap_or(f32::INFINITY));
        assert_eq!(words, ["f", "c9", "e9", "b1", "a1", "d-3"]);
        assert_eq!(descending_order(&[-0.0, 0.0, -1.0]), [1, 0, 2]);
        sort_by(&mut words, |a, b| a.len().cmp(&b.len()));
        assert_eq!(words, ["f", "c9", "e9", "b1", "a1", "d-3"]);
        sort_by(&mut words, |a, b| a.cmp(b));
        assert_eq!(words, ["a1", "b1", "c9", "d-3", "e9", "f"]);
    }
}
