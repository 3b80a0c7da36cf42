//! The memory that is free: on the machine, and within the limits of the process. What needs much is checked against it
//! before any of it is allocated.

/// The free memory assumed on systems that do not report it.
const DEFAULT_BYTES: u64 = if cfg!(target_pointer_width = "64") { 16 << 30 } else { 1 << 30 };

/// Returns the bytes that can be allocated without swapping.
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

    /// Returns the least of the free bytes of the machine, of the address space and of the control groups of the process.
    /// `read` returns the text of a file, if it exists.
    pub(super) fn available(read: impl Fn(&str) -> Option<String>) -> Option<u64> {
        let free = read("/proc/meminfo").and_then(|text| kilobytes(&text, "MemAvailable:"));
        [free, free_address_space(&read), free_in_cgroups(&read)].into_iter().flatten().min()
    }

    /// Returns the free bytes below the limit of `ulimit -v`, if it is set.
    fn free_address_space(read: impl Fn(&str) -> Option<String>) -> Option<u64> {
        let limits = read("/proc/self/limits")?;
        let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
        let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
        let used = read("/proc/self/status").and_then(|text| kilobytes(&text, "VmSize:"));
        Some(limit.saturating_sub(used.unwrap_or(0)))
    }

    /// Returns the value of a line such as `MemAvailable:  123 kB`, in bytes.
    fn kilobytes(text: &str, key: &str) -> Option<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
    }

    /// The files of one version of control groups.
    struct CgroupFiles {
        root: &'static str,
        limit: &'static str,
        used: &'static str,
        /// The key in `memory.stat` of file caches, which are freed on demand.
        cached: &'static str,
    }

    const CGROUP_V1: CgroupFiles = CgroupFiles {
        root: "/sys/fs/cgroup/memory",
        limit: "memory.limit_in_bytes",
        used: "memory.usage_in_bytes",
        cached: "total_inactive_file",
    };

    const CGROUP_V2: CgroupFiles =
        CgroupFiles { root: "/sys/fs/cgroup", limit: "memory.max", used: "memory.current", cached: "inactive_file" };

    /// Returns the least of the free bytes of the control groups of the process and their parents, if any has a limit.
    fn free_in_cgroups(read: impl Fn(&str) -> Option<String>) -> Option<u64> {
        let groups = read("/proc/self/cgroup")?;
        let left = groups.lines().filter_map(|line| {
            let (_, line) = line.split_once(':')?; // 4:memory:/a/group in version 1, 0::/a/group in version 2
            let (controllers, path) = line.split_once(':')?;
            let files = match controllers {
                "" => CGROUP_V2,
                _ if controllers.split(',').any(|controller| controller == "memory") => CGROUP_V1,
                _ => return None,
            };
            Path::new(path).ancestors().filter_map(|group| free_in_cgroup(&read, &files, group)).min()
        });
        left.min()
    }

    fn free_in_cgroup(read: impl Fn(&str) -> Option<String>, files: &CgroupFiles, group: &Path) -> Option<u64> {
        let folder = format!("{}{}", files.root, group.to_str()?.trim_end_matches('/'));
        let number = |file: &str| read(&format!("{folder}/{file}"))?.trim().parse::<u64>().ok();
        let limit = number(files.limit)?; // or the word max
        let cached = read(&format!("{folder}/memory.stat")).and_then(|text| {
            let line = text.lines().find_map(|line| line.strip_prefix(files.cached)?.strip_prefix(' '))?;
            line.trim().parse::<u64>().ok()
        });
        let used = number(files.used).unwrap_or(0).saturating_sub(cached.unwrap_or(0));
        Some(limit.saturating_sub(used))
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
        fn least_free_control_group_counts_and_file_caches_are_free() {
            let second = [
                MEMINFO,
                ("/proc/self/cgroup", "0::/outer/inner\n"),
                ("/sys/fs/cgroup/outer/memory.max", "30000\n"),
                ("/sys/fs/cgroup/outer/memory.current", "12000\n"),
                ("/sys/fs/cgroup/outer/memory.stat", "anon 1\ninactive_file 2000\ninactive_file_more 9\n"),
                ("/sys/fs/cgroup/outer/inner/memory.max", "max\n"),
                ("/sys/fs/cgroup/outer/inner/memory.current", "12000\n"),
            ];
            assert_eq!(with(&second), Some(20_000));
            let first = [
                MEMINFO,
                ("/proc/self/cgroup", "5:cpu,cpuacct:/other\n4:memory:/job:1\n0::/\n"),
                ("/sys/fs/cgroup/memory/job:1/memory.limit_in_bytes", "9000\n"),
                ("/sys/fs/cgroup/memory/job:1/memory.usage_in_bytes", "9500\n"),
                ("/sys/fs/cgroup/memory/job:1/memory.stat", "inactive_file 1\ntotal_inactive_file 4500\n"),
                ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ];
            assert_eq!(with(&first), Some(4_000));
            // In a container the path is that of the host, and the files are at the root.
            let container = [("/proc/self/cgroup", "0::/host/path\n"), ("/sys/fs/cgroup/memory.max", "700\n")];
            assert_eq!(with(&container), Some(700));
            assert_eq!(with(&[MEMINFO, ("/proc/self/cgroup", "0::/\nnonsense\n")]), Some(50 * 1024));
        }
    }
}
