//! [`sort_descending`]: items by a key, the greatest first.

/// Sorts items by a key, the greatest first; those of equal keys keep their order. One sort serves all types, so that it is in a
/// program once.
pub(crate) fn sort_descending<T, K: Into<f64>>(items: &mut Vec<T>, key: impl Fn(&T) -> K) {
    let order = descending_order(items.iter().map(|item| key(item).into()).collect());
    let mut unsorted: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(order.into_iter().filter_map(|i| unsorted[i].take()));
}

/// Returns the indices of keys, that of the greatest first; those of equal keys keep their order.
pub(crate) fn descending_order(keys: Vec<f64>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by(|&a, &b| keys[b].total_cmp(&keys[a]));
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
        assert_eq!(descending_order(vec![-0.0, 0.0, -1.0]), [1, 0, 2]);
    }
}
