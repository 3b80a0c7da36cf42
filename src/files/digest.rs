//! [`digest`]: a hash that identifies a map.

use crate::grid::Grid;

/// Returns the 64-bit FNV-1a hash of the size and the values of a map, in hexadecimal digits.
///
/// A map with the same digest is taken as the same map. The hash detects mistakes, not forgery.
///
/// # References
/// Fowler, Noll, Vo, Eastlake: *The FNV Non-Cryptographic Hash Algorithm*.
pub fn digest(values: &Grid<f32>) -> String {
    let size = [values.width() as u32, values.height() as u32].into_iter().flat_map(u32::to_le_bytes);
    let values = values.as_slice().iter().flat_map(|value| value.to_le_bytes());
    format!("{:016x}", fnv1a_64(size.chain(values)))
}

/// Returns the 64-bit FNV-1a hash of bytes.
pub(crate) fn fnv1a_64(bytes: impl Iterator<Item = u8>) -> u64 {
    const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    bytes.fold(OFFSET_BASIS, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}
