//! How much memory can be had: what the machine has free, and what the limits of the process leave of it.

/// Taken to be free where the system does not say.
const BYTES_WHERE_UNKNOWN: u64 = if cfg!(target_pointer_width = "64") { 16 << 30 } else { 1 << 30 };

/// Bytes that can be had without swapping.
pub(super) fn bytes_available() -> u64 {
    #[cfg(target_os = "linux")]
    if let Some(bytes) = linux::available(|file| std::fs::read_to_string(file).ok()) {
        return bytes;
    }
    BYTES_WHERE_UNKNOWN
}

/// What Linux says in text files.
#[cfg(any(target_os = "linux", test))]
mod linux {
    use std::path::Path;

    /// The least of what is free on the machine, in the address space and in the control groups of the process, in
    /// bytes. `read` gives the text of a file, if there is one.
    pub(super) fn available(read: impl Fn(&str) -> Option<String>) -> Option<u64> {
        let free = read("/proc/meminfo").and_then(|text| kilobytes(&text, "MemAvailable:"));
        [free, left_of_address_space(&read), left_in_groups(&read)].into_iter().flatten().min()
    }

    /// What is left of what `ulimit -v` allows, if it is set.
    fn left_of_address_space(read: impl Fn(&str) -> Option<String>) -> Option<u64> {
        let limits = read("/proc/self/limits")?;
        let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
        let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
        let used = read("/proc/self/status").and_then(|text| kilobytes(&text, "VmSize:"));
        Some(limit.saturating_sub(used.unwrap_or(0)))
    }

    /// The value of a line such as `MemAvailable:  123 kB`, in bytes.
    fn kilobytes(text: &str, key: &str) -> Option<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
    }

    /// Where a version of control groups keeps what it says of memory.
    struct Files {
        root: &'static str,
        limit: &'static str,
        used: &'static str,
        /// The key in `memory.stat` of what is used for files and given back at once.
        cached: &'static str,
    }

    const FIRST_VERSION: Files = Files {
        root: "/sys/fs/cgroup/memory",
        limit: "memory.limit_in_bytes",
        used: "memory.usage_in_bytes",
        cached: "total_inactive_file",
    };

    const SECOND_VERSION: Files =
        Files { root: "/sys/fs/cgroup", limit: "memory.max", used: "memory.current", cached: "inactive_file" };

    /// The least that is left in the control groups of the process and those around them, if any has a limit.
    fn left_in_groups(read: impl Fn(&str) -> Option<String>) -> Option<u64> {
        let groups = read("/proc/self/cgroup")?;
        let left = groups.lines().filter_map(|line| {
            let (_, line) = line.split_once(':')?; // 4:memory:/a/group of version 1, 0::/a/group of version 2
            let (controllers, path) = line.split_once(':')?;
            let files = match controllers {
                "" => SECOND_VERSION,
                _ if controllers.split(',').any(|controller| controller == "memory") => FIRST_VERSION,
                _ => return None,
            };
            Path::new(path).ancestors().filter_map(|group| left_in_group(&read, &files, group)).min()
        });
        left.min()
    }

    fn left_in_group(read: impl Fn(&str) -> Option<String>, files: &Files, group: &Path) -> Option<u64> {
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
        fn what_is_free_is_read_in_kilobytes() {
            assert_eq!(with(&[MEMINFO]), Some(50 * 1024));
            assert_eq!(with(&[("/proc/meminfo", "MemTotal: 9 kB\n")]), None);
            assert_eq!(with(&[("/proc/meminfo", "MemAvailable: lots\n")]), None);
            assert_eq!(with(&[]), None);
        }

        #[test]
        fn a_limit_of_the_address_space_counts_less_what_is_in_use() {
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
        fn the_tightest_control_group_counts_and_its_cached_files_do_not() {
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
            // In a container the path is that of the host, and the files lie at the root.
            let container = [("/proc/self/cgroup", "0::/host/path\n"), ("/sys/fs/cgroup/memory.max", "700\n")];
            assert_eq!(with(&container), Some(700));
            assert_eq!(with(&[MEMINFO, ("/proc/self/cgroup", "0::/\nnonsense\n")]), Some(50 * 1024));
        }
    }
}
