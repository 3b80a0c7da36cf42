//! Sorting with one instantiation for all types, and the shortest decimal of a number.

mod shortest_decimal;
mod sorting;

pub(crate) use shortest_decimal::shortest_decimal;
pub(crate) use sorting::{descending_order, order_by, sort_by, sort_descending};
