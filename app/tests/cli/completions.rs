//! Completions, help and version.

use super::Folder;

#[test]
fn every_shell_has_completions() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.done(&format!("completions {shell}"));
        for word in ["presets", "--preset", "--radius"] {
            assert!(script.text().contains(word.trim_start_matches('-')), "{shell} lacks {word}");
        }
    }
    assert_eq!(folder.run("completions tcsh").code, 2);
}

#[test]
fn help_starts_with_examples_that_parse() {
    let folder = Folder::new();
    for subcommand in ["", "explore", "export", "explain", "atlas", "compare", "gallery", "presets", "completions"] {
        let help = folder.done(&format!("{subcommand} --help"));
        let text = help.text();
        assert!(text.starts_with("Examples:\n  farsight"), "{subcommand}: {text}");
        assert!(!text.contains('\x1b'), "a pipe gets no colours");
        for example in text.lines().skip(1).take_while(|line| !line.is_empty()) {
            assert!(example.trim_start().starts_with("farsight"), "{example}");
            let words = example.trim_start().trim_start_matches("farsight");
            let words = words.split(['|', '>']).next().unwrap().split("   ").next().unwrap();
            // With --help the example is parsed, but not run.
            let parsed = folder.run(&format!("{words} --help"));
            assert_eq!(parsed.code, 0, "{example}: {}", parsed.stderr);
        }
    }
    assert_eq!(folder.done("--version").text(), format!("farsight {}\n", env!("CARGO_PKG_VERSION")));
}
