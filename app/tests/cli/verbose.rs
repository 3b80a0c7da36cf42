//! `--verbose` and `FARSIGHT_LOG`: stages and their times on standard error.

use super::Folder;

/// Returns the stages of a log in their order.
fn stages(log: &str) -> Vec<&str> {
    let mut stages = Vec::new();
    for line in log.lines().filter(|line| line.starts_with('[')) {
        let (seconds, text) = line[1..].split_once(" s] ").unwrap_or_else(|| panic!("no time in {line}"));
        assert!(seconds.parse::<f64>().unwrap() >= 0.0, "{line}");
        if let Some((stage, time)) = text.strip_suffix(" ms").and_then(|text| text.rsplit_once(": ")) {
            assert!(time.parse::<f64>().unwrap() >= 0.0, "{line}");
            stages.push(stage.split(" (").next().unwrap());
        }
    }
    stages
}

#[track_caller]
fn assert_in_order(log: &str, wanted: &[&str]) {
    let all = stages(log);
    let mut rest = all.iter();
    for stage in wanted {
        assert!(rest.any(|found| found == stage), "{stage} is missing or too late in {all:?}");
    }
    let mut once = all.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), all.len(), "a stage has two lines: {all:?}");
}

#[test]
fn verbose_tells_the_stages_and_changes_nothing_else() {
    let folder = Folder::new();
    let words = "export --size 64x64 --radius 6 -o view.png -o view.npy";
    let quiet = folder.done(words);
    let plain = folder.files();
    let verbose = folder.done(&format!("{words} --verbose --threads 2"));
    assert!(plain == folder.files(), "the same bytes");
    assert!(verbose.stderr.starts_with("[0.") && verbose.stderr.contains("] threads: 2\n"), "{}", verbose.stderr);
    assert!(verbose.stderr.contains(concat!("farsight ", env!("CARGO_PKG_VERSION"))), "{}", verbose.stderr);
    assert!(verbose.stderr.ends_with(&quiet.stderr), "{}", verbose.stderr);
    let world = ["read preset and files", "erosion", "vegetation", "optics", "viewpoint", "sight"];
    let files = ["paint view.png", "encode view.png", "write view.png", "encode view.npy", "write view.npy"];
    assert_in_order(&verbose.stderr, &[&world[..], &files[..]].concat());
    assert_in_order(&folder.done("walk -v --size 48x48 --wander 4 -o walk.gif").stderr, &["walking", "write walk.gif"]);
    assert_in_order(
        &folder.done("atlas -v --size 48x48 --radius 4 -o atlas.npy").stderr,
        &["atlas", "write atlas.npy"],
    );
    assert_in_order(&folder.done("explain -v --size 48x48 --target 3,4").stderr, &["sight", "explain"]);
    for before in ["-v", "--verbose"] {
        let before = folder.done(&format!("{before} {words} --threads 2"));
        assert!(before.stderr.contains("] threads: 2\n"), "{}", before.stderr);
    }
    for words in ["export --size 32x32 -q -v -o x.png", "atlas -v -q -o x.png", "-v atlas -q -o x.png"] {
        folder.refused(2, words, &["--quiet and --verbose contradict each other"]);
    }
}

#[test]
fn log_of_the_environment_is_the_same() {
    let folder = Folder::new();
    let log = |value: &str| {
        let mut command = folder.command("export -q --size 48x48 --radius 6 -o view.npy");
        let output = command.env("FARSIGHT_LOG", value).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    for off in ["", "0", "off", "OFF", "false", "no"] {
        assert_eq!(log(off), "", "FARSIGHT_LOG={off}");
    }
    assert_in_order(&log("1"), &["read preset and files", "erosion", "sight", "collect values of view.npy"]);
}
