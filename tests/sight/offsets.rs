//! The list of offsets with its parents and weights.

use farsight::glam::{IVec2, ivec2};
use farsight::sight::{Offset, OffsetList, Weights};

fn weights_of(cell: IVec2, weights: Weights) -> Vec<(IVec2, f32)> {
    let list = OffsetList::new(8, weights);
    let offset = list.iter().find(|o| o.cell == cell).unwrap();
    offset.parents().map(|(i, w)| (list.get(i).unwrap().cell, w)).collect()
}

#[track_caller]
fn assert_weights(cell: IVec2, weights: Weights, expected: [(IVec2, f32); 2]) {
    let found = weights_of(cell, weights);
    assert_eq!(found.len(), 2);
    for ((parent, weight), (expected_parent, expected_weight)) in found.into_iter().zip(expected) {
        assert_eq!(parent, expected_parent);
        assert!((weight - expected_weight).abs() < 5e-5, "{weight} is not {expected_weight}");
    }
}

#[test]
fn published_weights_are_reproduced() {
    use Weights::Projection;
    assert_weights(ivec2(-2, -4), Projection, [(ivec2(-2, -3), 0.8944), (ivec2(-1, -3), 0.1056)]);
    assert_weights(ivec2(1, 3), Projection, [(ivec2(1, 2), 0.9487), (ivec2(0, 2), 0.0513)]);
    assert_weights(ivec2(3, 4), Projection, [(ivec2(3, 3), 0.8), (ivec2(2, 3), 0.2)]);
}

#[test]
fn linear_weights_are_the_ratio_of_the_axes() {
    use Weights::Linear;
    assert_weights(ivec2(-2, -4), Linear, [(ivec2(-2, -3), 0.5), (ivec2(-1, -3), 0.5)]);
    assert_weights(ivec2(4, -3), Linear, [(ivec2(3, -3), 0.25), (ivec2(3, -2), 0.75)]);
}

#[test]
fn cells_on_axes_and_diagonals_have_one_parent() {
    for weights in [Weights::Linear, Weights::Projection] {
        assert_eq!(weights_of(ivec2(0, -5), weights), [(ivec2(0, -4), 1.0)]);
        assert_eq!(weights_of(ivec2(5, 0), weights), [(ivec2(4, 0), 1.0)]);
        assert_eq!(weights_of(ivec2(-5, 5), weights), [(ivec2(-4, 4), 1.0)]);
        assert_eq!(weights_of(ivec2(3, 3), weights), [(ivec2(2, 2), 1.0)]);
        assert_eq!(weights_of(IVec2::ZERO, weights), []);
    }
}

#[test]
fn list_is_sorted_by_distance_row_column_with_parents_first() {
    let list = OffsetList::new(40, Weights::Linear);
    let key = |o: &Offset| (o.distance_squared(), o.cell.y, o.cell.x);
    assert!(list.as_slice().is_sorted_by_key(key));
    assert_eq!(list.as_slice()[0].cell, IVec2::ZERO);
    for (i, offset) in list.iter().enumerate().skip(1) {
        assert!((offset.straight as usize) < i && (offset.diagonal as usize) < i, "{offset:?}");
    }
}

#[test]
fn list_contains_the_disc_and_smaller_radii_are_prefixes() {
    let list = OffsetList::new(20, Weights::Linear);
    let disc = |r: i32| {
        (-r..=r).flat_map(|y| (-r..=r).map(move |x| ivec2(x, y))).filter(|c| c.length_squared() <= r * r).count()
    };
    assert_eq!(list.len(), disc(20));
    for radius in 0..=20 {
        let smaller = OffsetList::new(radius, Weights::Linear);
        assert_eq!(list.prefix_len(radius), disc(radius as i32));
        assert_eq!(smaller.as_slice(), &list.as_slice()[..smaller.len()]);
    }
    assert_eq!(list.prefix_len(u32::MAX), list.len());
}
