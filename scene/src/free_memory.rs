//! The free memory: of the machine, and within the limits of the process. Large allocations are checked against it in
//! advance.

/// The free memory assumed on systems that do not report it.
const DEFAULT_BYTES: u64 = if cfg!(target_pointer_width = "64") { 16 << 30 } else { 1 << 30 };

/// Returns the bytes that can be allocated without swapping: on Linux the minimum of the free memory of the machine,
/// the rest of `ulimit -v`, and the rest of the nearest control group with a limit. Control groups of version 1, and
/// those above the nearest with a limit, are ignored. On other systems it is 16 GiB, or 1 GiB with 32-bit pointers.
pub fn bytes_available() -> u64 {
    #[cfg(target_os = "linux")]
    if let Some(bytes) = linux::available(|file| std::fs::read_to_string(file).ok()) {
        return bytes;
    }
    DEFAULT_BYTES
}

/// The text files of Linux.
#[cfg(any(target_os = "linux", test))]
mod linux {
    use std::path::Path;

    /// Returns the minimum of the free bytes of the machine, of the address space and of the control group. `read` returns the text
    /// of a file, if it exists.
    pub(super) fn available(read: impl Fn(&str) -> Option<String>) -> Option<u64> {
        let free = read("/proc/meminfo").and_then(|text| number(&text, "MemAvailable:")?.checked_mul(1024));
        [free, free_address_space(&read), free_in_cgroup(&read)].into_iter().flatten().min()
    }

    /// Returns the number after the key in the first line that starts with it.
    fn number(text: &str, key: &str) -> Option<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        line.split_whitespace().next()?.parse().ok()
    }

    /// Returns the free bytes below the limit of `ulimit -v`, if it is set.
    fn free_address_space(read: impl Fn(&str) -> Option<String>) -> Option<u64> {
        let limit = number(&read("/proc/self/limits")?, "Max address space ")?;
        let used = read("/proc/self/status").and_then(|text| number(&text, "VmSize:")?.checked_mul(1024));
        Some(limit.saturating_sub(used.unwrap_or(0)))
    }

    /// Returns the free bytes of the first control group with a limit, from that of the process upwards.
    fn free_in_cgroup(read: impl Fn(&str) -> Option<String>) -> Option<u64> {
        let groups = read("/proc/self/cgroup")?;
        let group = groups.lines().find_map(|line| line.strip_prefix("0::"))?; // the line of version 2
        Path::new(group).ancestors().find_map(|group| {
            let file = |name| read(&format!("/sys/fs/cgroup{}/{name}", group.to_str()?.trim_end_matches('/')));
            let limit = number(&file("memory.max")?, "")?; // or the word max
            let used = file("memory.current").and_then(|text| number(&text, "")).unwrap_or(0);
            let cached = file("memory.stat").and_then(|text| number(&text, "inactive_file ")).unwrap_or(0); // freed on demand
            Some(limit.saturating_sub(used.saturating_sub(cached)))
        })
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        const MEMINFO: (&str, &str) = ("/proc/meminfo", "MemTotal: 90 kB\nMemAvailable:     50 kB\n");

        fn with(files: &[(&str, &str)]) -> Option<u64> {
            available(|path| files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned()))
        }

        #[test]
        fn free_memory_is_read_in_kilobytes() {
            assert_eq!(with(&[MEMINFO]), Some(50 * 1024));
            assert_eq!(with(&[("/proc/meminfo", "MemTotal: 9 kB\n")]), None);
            assert_eq!(with(&[("/proc/meminfo", "MemAvailable: lots\n")]), None);
            assert_eq!(with(&[]), None);
        }

        #[test]
        fn address_space_in_use_is_subtracted_from_its_limit() {
            let limits = |soft: &str| {
                format!(
                    "Limit                     Soft Limit           Hard Limit           Units     \n\
                     Max cpu time              unlimited            unlimited            seconds   \n\
                     Max address space         {soft:<20} unlimited            bytes     \n"
                )
            };
            let status = ("/proc/self/status", "Name:\tfarsight\nVmPeak:\t      9 kB\nVmSize:\t      4 kB\n");
            let left = |soft: &str| with(&[MEMINFO, ("/proc/self/limits", &limits(soft)), status]);
            assert_eq!(left("40960"), Some(36 * 1024));
            assert_eq!(left("1024"), Some(0));
            assert_eq!(left("999999999"), Some(50 * 1024));
            assert_eq!(left("unlimited"), Some(50 * 1024));
        }

        #[test]
        fn nearest_control_group_with_a_limit_counts_and_file_caches_are_free() {
            let nested = [
                MEMINFO,
                ("/proc/self/cgroup", "5:cpu,cpuacct:/other\n0::/outer/inner\n"),
                ("/sys/fs/cgroup/outer/memory.max", "30000\n"),
                ("/sys/fs/cgroup/outer/memory.current", "12000\n"),
                ("/sys/fs/cgroup/outer/memory.stat", "anon 1\ninactive_file 2000\ninactive_file_more 9\n"),
                ("/sys/fs/cgroup/outer/inner/memory.max", "max\n"),
                ("/sys/fs/cgroup/outer/inner/memory.current", "12000\n"),
            ];
            assert_eq!(with(&nested), Some(20_000));
            // In a container the path is that of the host, and the files are at the root.
            let container = [("/proc/self/cgroup", "0::/host/path\n"), ("/sys/fs/cgroup/memory.max", "700\n")];
            assert_eq!(with(&container), Some(700));
            assert_eq!(with(&[MEMINFO, ("/proc/self/cgroup", "0::/\nnonsense\n")]), Some(50 * 1024));
        }
    }
}
