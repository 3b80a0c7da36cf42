//! `about` and `man-pages`: for bug reports and packages.

use super::Folder;

#[test]
fn about_says_what_a_bug_report_needs() {
    let folder = Folder::new();
    let mut command = folder.command("about");
    let output = command.env("RAYON_NUM_THREADS", "3").env("TERM", "a\x1b[31mb").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name));
        line.unwrap_or_else(|| panic!("{name} is missing in {text}"))[name.len()..].trim().to_owned()
    };
    assert_eq!(line("version"), env!("CARGO_PKG_VERSION"));
    assert!(line("kernels").ends_with(" lanes"), "{text}");
    assert!(line("threads").starts_with("3, processors: "), "{text}");
    assert!(line("memory").ends_with(" MB free"), "{text}");
    assert!(line("system").starts_with(std::env::consts::OS), "{text}");
    assert_eq!(line("RAYON_NUM_THREADS"), "\"3\"");
    assert!(!text.contains('\x1b'), "a variable reaches the terminal as it is: {text:?}");
    folder.refused(2, "about --size 3x3", &["--size"]);
}

#[test]
fn every_subcommand_has_a_manual_page() {
    let folder = Folder::new();
    folder.done("man-pages .");
    let files = folder.files();
    for page in ["farsight", "farsight-export", "farsight-presets-show", "farsight-about"] {
        let text = String::from_utf8_lossy(&files[&format!("{page}.1")]).into_owned();
        assert!(text.contains(".SH NAME") && text.contains(".SH OPTIONS"), "{page}: {text}");
    }
    assert!(!files.contains_key("farsight-man-pages.1"));
    folder.refused(4, "man-pages missing", &["missing"]);
}
