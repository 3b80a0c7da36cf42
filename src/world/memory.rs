//! Whether a world fits: asked before any memory is.

use super::config::WorldConfig;
use super::error::WorldError;
use super::free_memory::bytes_available;

/// Bytes a cell takes while a world is made, at the most.
const BYTES_PER_CELL: u64 = 64;

/// Bytes a cell takes on given ground, which may be nothing but pits.
const BYTES_PER_GIVEN_CELL: u64 = 128;

/// What making a small world takes whatever its size.
const BYTES_AT_LEAST: u64 = 1 << 20;

/// Bytes that making the world takes, at the most.
pub(super) fn bytes_needed(config: &WorldConfig) -> u64 {
    BYTES_AT_LEAST + config.cells() * BYTES_PER_CELL
}

/// An error if the world would not fit.
pub(super) fn check(config: &WorldConfig) -> Result<(), WorldError> {
    check_against(config, bytes_needed(config), bytes_available())
}

/// An error if a world of this size would not fit, made on given ground.
pub(super) fn check_given(config: &WorldConfig) -> Result<(), WorldError> {
    check_against(config, BYTES_AT_LEAST + config.cells() * BYTES_PER_GIVEN_CELL, bytes_available())
}

fn check_against(config: &WorldConfig, needed: u64, available: u64) -> Result<(), WorldError> {
    if needed > available {
        let WorldConfig { width, height, .. } = *config;
        return Err(WorldError::Memory { width, height, needed, available });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_that_does_not_fit_is_refused_in_words() {
        let config = WorldConfig { width: 16384, height: 16384, ..Default::default() };
        let error = check_against(&config, bytes_needed(&config), 1 << 30).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a world of 16384x16384 cells needs 16385 MiB of memory and 1024 MiB are free; make it smaller"
        );
        assert!(check_against(&config, bytes_needed(&config), 64 << 30).is_ok());
    }
}
