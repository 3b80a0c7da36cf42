//! Whether a world fits: asked before any memory is.

use super::{WorldConfig, WorldError};

/// Bytes a cell takes while a world is made, at the most.
const BYTES_PER_CELL: u64 = 64;

/// Bytes a cell takes on given ground, which may be nothing but pits.
const BYTES_PER_GIVEN_CELL: u64 = 128;

/// What making a small world takes whatever its size.
const BYTES_AT_LEAST: u64 = 1 << 20;

/// Taken to be free where the system does not say.
const BYTES_WHERE_UNKNOWN: u64 = if cfg!(target_pointer_width = "64") { 16 << 30 } else { 1 << 30 };

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

/// Bytes that can be had without swapping.
fn bytes_available() -> u64 {
    #[cfg(target_os = "linux")]
    if let Some(bytes) = std::fs::read_to_string("/proc/meminfo").ok().as_deref().and_then(parse_meminfo) {
        return bytes;
    }
    BYTES_WHERE_UNKNOWN
}

/// The line `MemAvailable:  123 kB` of Linux's `/proc/meminfo`, in bytes.
#[cfg(any(target_os = "linux", test))]
fn parse_meminfo(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
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

    #[test]
    fn meminfo_is_read_in_kilobytes() {
        assert_eq!(parse_meminfo("MemTotal: 9 kB\nMemAvailable:     123 kB\n"), Some(123 * 1024));
        assert_eq!(parse_meminfo("MemTotal: 9 kB\n"), None);
        assert_eq!(parse_meminfo("MemAvailable: lots\n"), None);
    }
}
