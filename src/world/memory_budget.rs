//! The memory that a world takes, checked before any of it is allocated.

use super::error::WorldError;
use crate::free_memory::bytes_available;

/// Bytes a cell of a generated world takes at most while it is made. The default takes 38; a world on the finest level only,
/// whose cells are large, takes most.
pub(super) const BYTES_PER_CELL: u64 = 48;

/// Bytes a cell of given ground takes at most; every cell may be a pit.
pub(super) const BYTES_PER_GIVEN_CELL: u64 = 128;

/// Bytes that a world of any size takes.
const BASE_BYTES: u64 = 1 << 20;

/// Returns the bytes that a world of this many cells takes at most while it is made.
pub(super) fn bytes_needed(width: u32, height: u32, bytes_per_cell: u64) -> u64 {
    BASE_BYTES + u64::from(width) * u64::from(height) * bytes_per_cell
}

pub(super) fn check_memory(width: u32, height: u32, bytes_per_cell: u64) -> Result<(), WorldError> {
    check_against(width, height, bytes_per_cell, bytes_available())
}

fn check_against(width: u32, height: u32, bytes_per_cell: u64, available: u64) -> Result<(), WorldError> {
    let needed = bytes_needed(width, height, bytes_per_cell);
    if needed > available {
        return Err(WorldError::Memory { width, height, needed, available });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn world_larger_than_the_free_memory_is_an_error() {
        let error = check_against(16384, 16384, BYTES_PER_CELL, 1 << 30).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a world of 16384x16384 cells needs 12289 MiB of memory and 1024 MiB are free; make it smaller"
        );
        assert!(check_against(16384, 16384, BYTES_PER_CELL, 64 << 30).is_ok());
    }
}
