//! README, CONTRIBUTING, the guide and `--help`: the commands that they show succeed; the flags, preset keys, keys of the
//! window and links that they name exist.
//!
//! A comment on the line before a fenced block directs the test and is invisible to readers:
//!
//! | comment | effect |
//! |---|---|
//! | `<!-- test: --size 64x64 -->` | these flags are added to every command of the block that takes a scene |
//! | `<!-- test: NAME=VALUE -->` | sets an environment variable; may be combined with flags |
//! | `<!-- test: file NAME -->` | the block is the content of this file |
//! | `<!-- test: skip, REASON -->` | the block is not run |
//!
//! The pictures and films of the commands are small, see [`SMALL`].

#![cfg(unix)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Output;

use farsight::sight::MethodKind;
use farsight_scene::preset::{DecayKind, Preset};
use serde_json::Value;

use super::Folder;
use super::saved_walks::walked;

/// The folder of the checkout.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Programs whose lines and flags are their own.
const OTHER_PROGRAMS: &[&str] = &[
    "--",
    ".ci/run",
    ".ci/licences",
    "apt-get",
    "cargo",
    "fuzz/run",
    "gdal_translate",
    "gdalwarp",
    "issues",
    "node",
    "python3",
    "release/build",
    "release/try",
    "rustup",
    "sbatch",
    "web/build.sh",
    "xvfb-run",
];

/// Subcommands that take the flags of a scene.
const SCENE_COMMANDS: &[&str] = &[
    "atlas",
    "compare",
    "cumulative",
    "explain",
    "explore",
    "export",
    "horizon",
    "panorama",
    "profile",
    "sky",
    "walk",
];

/// Every subcommand with the commands that are run before its examples.
const HELP: &[(&str, &str)] = &[
    ("", "farsight export -q -o view.png; cp presets/maps/cave.txt ."),
    ("explore", "cp presets/maps/cave.txt .; cp examples/ridge.tif alps.tif; echo quit > walk.txt"),
    ("export", "farsight export -q --map presets/maps/cave.txt --layer opacity -o cave.npy"),
    ("explain", "farsight export -q -o view.png; cp presets/maps/cave.txt ."),
    ("walk", "mkdir frames; cp presets/maps/cave.txt ."),
    ("atlas", ""),
    ("cumulative", ""),
    ("horizon", ""),
    ("panorama", ""),
    ("profile", "cp examples/towers.csv ."),
    ("sky", ""),
    (
        "compare",
        "cp presets/maps/cave.txt .; farsight export -q --map presets/maps/rooms.txt --layer opacity -o rooms.npy",
    ),
    ("gallery", ""),
    ("presets", ""),
    ("presets list", ""),
    ("presets show", ""),
    ("presets check", ""),
    ("presets schema", ""),
    ("about", ""),
    ("completions", "mkdir -p ~/.local/share/bash-completion/completions ~/.zfunc ~/.config/fish/completions"),
];

/// Flags for the examples of an atlas, which takes long on a whole world.
const ATLAS_FLAGS: &str = "--size 64x64";

/// Flags of small pictures and short films, which succeed where large ones do: a subcommand, a flag, and its value.
const SMALL: &[(&str, &str, &str)] = &[
    ("atlas", "--scale", "1"),
    ("compare", "--asymmetry-cells", "4"),
    ("compare", "--radius", "20"),
    ("export", "--scale", "1"),
    ("panorama", "--height", "60"),
    ("panorama", "--width", "240"),
    ("sky", "--azimuths", "8"),
    ("sky", "--max-distance", "2000"),
    ("sky", "--scale", "1"),
    ("walk", "--every", "8"),
    ("walk", "--fps", "2"),
    ("walk", "--scale", "1"),
    ("walk", "--wander", "3"),
];

/// A file of Markdown.
struct Page {
    /// Its path from the root of the checkout.
    name: String,
    text: String,
}

/// A fenced block of a page.
#[derive(Default)]
struct Block<'a> {
    /// The line of its first line of content, from 1.
    line: usize,
    language: &'a str,
    /// The text of the comment before it after `test: `; empty without one.
    directive: &'a str,
    lines: Vec<&'a str>,
}

impl Page {
    /// README, CONTRIBUTING and the guide.
    fn all() -> Vec<Self> {
        let guide = std::fs::read_dir(Path::new(ROOT).join("docs/guide")).unwrap();
        let mut names: Vec<String> =
            guide.map(|entry| format!("docs/guide/{}", entry.unwrap().file_name().to_string_lossy())).collect();
        names.sort();
        names.insert(0, "README.md".into());
        names.insert(1, "CONTRIBUTING.md".into());
        let read = |name: &String| std::fs::read_to_string(Path::new(ROOT).join(name)).unwrap();
        names.into_iter().map(|name| Self { text: read(&name), name }).collect()
    }

    fn blocks(&self) -> Vec<Block<'_>> {
        let (mut blocks, mut open, mut directive) = (Vec::new(), None::<Block>, "");
        for (i, line) in self.text.lines().enumerate() {
            match (line.strip_prefix("```"), &mut open) {
                (Some(language), None) => {
                    open = Some(Block { line: i + 2, language, directive, lines: Vec::new() });
                }
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (None, Some(block)) => block.lines.push(line),
                (None, None) => {}
            }
            directive = line.strip_prefix("<!-- test: ").and_then(|rest| rest.strip_suffix(" -->")).unwrap_or("");
        }
        assert!(open.is_none(), "{}: a block without an end", self.name);
        blocks
    }

    /// The text with fenced blocks left empty.
    fn prose(&self) -> String {
        let mut inside = false;
        let mut text = String::new();
        for line in self.text.lines() {
            let is_fence = line.starts_with("```");
            text.push_str(if inside || is_fence { "" } else { line });
            text.push('\n');
            inside ^= is_fence;
        }
        text
    }

    /// The parts of the prose between backticks, each with its line.
    fn code_spans(&self) -> Vec<(usize, String)> {
        let prose = self.prose();
        let mut line = 1;
        let mut spans = Vec::new();
        for (i, part) in prose.split('`').enumerate() {
            if i % 2 == 1 {
                spans.push((line, part.replace('\n', " ")));
            }
            line += part.matches('\n').count();
        }
        spans
    }

    /// The text between two marks in the prose, each with its line.
    fn between(&self, start: &str, end: &str) -> Vec<(usize, String)> {
        let prose = self.prose();
        let mut found = Vec::new();
        for (at, _) in prose.match_indices(start) {
            let rest = &prose[at + start.len()..];
            let line = prose[..at].matches('\n').count() + 1;
            found.extend(rest.split_once(end).map(|(text, _)| (line, text.to_owned())));
        }
        found
    }

    /// The anchors of the headings, as GitHub makes them.
    fn anchors(&self) -> BTreeSet<String> {
        let prose = self.prose();
        let headings = prose.lines().filter(|line| line.starts_with('#'));
        headings.map(|heading| anchor(heading.trim_start_matches('#').trim())).collect()
    }
}

fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>();
    kept.replace(' ', "-")
}

impl Block<'_> {
    /// The commands with their lines: continued lines are joined, those of other programs omitted.
    fn commands(&self) -> Vec<(usize, String)> {
        let mut commands: Vec<(usize, String)> = Vec::new();
        let mut is_continued = false;
        for (i, line) in self.lines.iter().enumerate() {
            let (part, continues) = line.strip_suffix('\\').map_or((*line, false), |part| (part, true));
            match commands.last_mut() {
                Some((_, command)) if is_continued => command.push_str(part),
                _ => commands.push((self.line + i, part.to_owned())),
            }
            is_continued = continues;
        }
        commands.retain(|(_, command)| {
            let first = command.split_whitespace().next().unwrap_or("#");
            !first.starts_with('#') && !OTHER_PROGRAMS.contains(&first)
        });
        commands
    }
}

/// A command with more flags for every use of a subcommand that takes a scene.
fn with_flags(command: &str, flags: &str) -> String {
    if flags.is_empty() {
        return command.to_owned();
    }
    let words: Vec<&str> = command.split(' ').collect();
    let word = |i: usize| words.get(i).copied().unwrap_or("");
    let mut result: Vec<&str> = Vec::new();
    for (i, this) in words.iter().enumerate() {
        result.push(this);
        let is_bare = *this == "farsight" && (word(i + 1).is_empty() || word(i + 1).starts_with(['-', '#']));
        let is_scene = i > 0 && word(i - 1) == "farsight" && SCENE_COMMANDS.contains(this) && word(i + 1) != "merge";
        if is_bare || is_scene {
            result.push(flags);
        }
    }
    result.join(" ")
}

/// Returns the commands of a line with the values of [`SMALL`].
fn in_small(line: &str) -> String {
    line.split(" && ").map(command_in_small).collect::<Vec<_>>().join(" && ")
}

fn command_in_small(command: &str) -> String {
    let mut words: Vec<&str> = command.split(' ').collect();
    let program = words.iter().position(|word| *word == "farsight");
    let Some(name) = program.map(|program| program + 1).filter(|name| *name < words.len()) else {
        return command.to_owned();
    };
    let has_picture = [".png", ".gif", ".apng"].iter().any(|extension| command.contains(extension));
    let has_size = ["--from", "--grey", "--depth", "--encode"].iter().any(|flag| words.contains(flag));
    let subcommand = words[name];
    for (_, flag, value) in SMALL.iter().filter(|small| small.0 == subcommand) {
        match words.iter().position(|word| word == flag) {
            Some(at) => words[at + 1] = value,
            None if *flag == "--wander" || words.contains(&"--accuracy") => {}
            None if *flag == "--scale" && (!has_picture || has_size) => {}
            None => drop(words.splice(name + 1..name + 1, [*flag, *value])),
        }
    }
    words.join(" ")
}

/// A folder with `presets/`, `examples/`, an empty `docs/` and a walk that was saved in the window.
fn checkout() -> Folder {
    let folder = Folder::new();
    for name in ["presets", "examples"] {
        copy(&Path::new(ROOT).join(name), &folder.path(name));
    }
    std::fs::create_dir(folder.path("docs")).unwrap();
    folder.write("walk.farsight", walked().0.read("a.farsight"));
    folder
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        std::fs::create_dir(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        std::fs::copy(from, to).unwrap();
    }
}

/// Runs a line of the shell in a folder without a display, with the program in the path.
fn shell(folder: &Folder, line: &str, environment: &[(&str, &str)]) -> Output {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_farsight"));
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut command = std::process::Command::new("sh");
    command.args(["-c", line]).current_dir(folder.path("")).stdin(std::process::Stdio::null());
    command.env("PATH", path).env("HOME", folder.path("")).envs(environment.iter().copied());
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "NO_COLOR"] {
        command.env_remove(name);
    }
    command.output().unwrap()
}

/// Returns the fault of the end of a line. A window without a display ends with 5, once its flags and files are read. In a
/// pipeline the last program's code counts, so that the words of a failed `farsight` count, too.
fn fault(line: &str, ended: &Output) -> Option<String> {
    let words = String::from_utf8_lossy(&ended.stderr);
    let code = ended.status.code();
    let is_window = line.contains("farsight explore") && code == Some(5);
    let is_done = code == Some(0) && !words.lines().any(|line| line.starts_with("farsight: "));
    (!is_done && !is_window).then(|| format!("`{line}` ended with {code:?}: {}", words.trim()))
}

/// Runs the commands of a page, each after the other in one folder.
fn run_page(page: &Page, faults: &mut Vec<String>) {
    let folder = checkout();
    for block in page.blocks() {
        let (mut flags, mut environment) = (Vec::new(), Vec::new());
        if let Some(name) = block.directive.strip_prefix("file ") {
            folder.write(name, block.lines.join("\n") + "\n");
        } else if block.directive.starts_with("skip, ") {
            continue;
        } else {
            for word in block.directive.split_whitespace() {
                match word.split_once('=') {
                    Some(pair) if !word.starts_with('-') => environment.push(pair),
                    _ => flags.push(word),
                }
            }
        }
        if block.language == "toml" {
            folder.write("block.toml", block.lines.join("\n"));
            let line = "farsight presets check block.toml";
            faults
                .extend(fault(line, &shell(&folder, line, &[])).map(|f| format!("{}:{}: {f}", page.name, block.line)));
        }
        if block.language == "sh" {
            for (line, command) in block.commands() {
                let command = in_small(&with_flags(&command, &flags.join(" ")));
                let ended = shell(&folder, &command, &environment);
                faults.extend(fault(&command, &ended).map(|fault| format!("{}:{line}: {fault}", page.name)));
            }
        }
    }
}

fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "{} wrong:\n{}", faults.len(), faults.join("\n"));
}

/// The `--help` of a subcommand, not wrapped.
fn help(subcommand: &str) -> String {
    let ended = shell(&Folder::new(), &format!("farsight {subcommand} --help"), &[("COLUMNS", "1000")]);
    assert!(ended.status.success(), "{subcommand}: {}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stdout).unwrap()
}

/// All words of a text that begin with `--`.
fn flags_in(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    words.filter(|word| word.len() > 2 && word.starts_with("--")).map(str::to_owned).collect()
}

#[test]
fn commands_of_the_documents_succeed() {
    let mut faults = Vec::new();
    for page in Page::all() {
        run_page(&page, &mut faults);
    }
    assert_none(&faults);
}

#[test]
fn examples_of_help_succeed() {
    let mut faults = Vec::new();
    for (subcommand, prepare) in HELP {
        let help = help(subcommand);
        let folder = checkout();
        let prepared = shell(&folder, prepare, &[]);
        assert!(prepared.status.success(), "{subcommand}: {}", String::from_utf8_lossy(&prepared.stderr));
        let examples = help.lines().skip_while(|line| *line != "Examples:").skip(1).take_while(|line| !line.is_empty());
        for example in examples {
            let command = example.trim().split("  ").next().unwrap_or(""); // two spaces begin the remark
            let flags = if command.starts_with("farsight atlas") { ATLAS_FLAGS } else { "" };
            let command = in_small(&with_flags(command, flags));
            let ended = shell(&folder, &command, &[]);
            faults.extend(fault(&command, &ended).map(|fault| format!("farsight {subcommand} --help: {fault}")));
        }
    }
    assert_none(&faults);
}

#[test]
fn every_subcommand_is_among_those_whose_examples_are_run() {
    for (subcommand, _) in HELP {
        let help = help(subcommand);
        let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
        for name in listed.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
            let name = format!("{subcommand} {name}");
            assert!(HELP.iter().any(|(known, _)| *known == name.trim()), "{name}");
        }
    }
}

#[test]
fn flags_of_the_documents_exist() {
    let flags: BTreeMap<&str, BTreeSet<String>> = HELP.iter().map(|(name, _)| (*name, flags_in(&help(name)))).collect();
    let all: BTreeSet<&String> = flags.values().flatten().collect();
    let mut faults = Vec::new();
    for page in Page::all() {
        for (line, span) in page.code_spans() {
            let words: Vec<&str> = span.split_whitespace().collect();
            let own = match words[..] {
                [] => continue,
                [first, ..] if OTHER_PROGRAMS.contains(&first) => continue,
                ["farsight", first, second, ..] if flags.contains_key(&*format!("{first} {second}")) => {
                    flags.get(&*format!("{first} {second}"))
                }
                ["farsight", first, ..] => flags.get(first),
                _ => None,
            };
            for flag in flags_in(&span) {
                if !own.map_or(all.contains(&flag), |own| own.contains(&flag)) {
                    faults.push(format!("{}:{line}: `{span}`: there is no flag {flag}", page.name));
                }
            }
        }
    }
    assert_none(&faults);
}

/// Sections and keys of presets, such as `sight.decay` and `sight.decay.kind`.
fn preset_keys(schema: &Value, above: &str, keys: &mut BTreeSet<String>) {
    let object = if schema["properties"].is_object() { schema } else { &schema["items"] };
    for (name, schema) in object["properties"].as_object().into_iter().flatten() {
        let key = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
        preset_keys(schema, &key, keys);
        keys.insert(key);
    }
}

#[test]
fn preset_keys_of_the_documents_exist() {
    let schema = shell(&Folder::new(), "farsight presets schema", &[]).stdout;
    let mut keys = BTreeSet::new();
    preset_keys(&serde_json::from_slice(&schema).unwrap(), "", &mut keys);
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._-/[]".contains(c);
    let mut faults = Vec::new();
    let mut count = 0;
    for page in Page::all() {
        for (i, line) in page.text.lines().enumerate() {
            for word in line.split(|c| !is_part(c)).map(|word| word.trim_end_matches('.')) {
                let section = word.strip_prefix('[').map(|word| word.trim_matches(['[', ']']));
                let section = section.filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
                let name = word.split_once('.').filter(|(first, _)| keys.contains(*first)).map(|_| word);
                if let Some(name) = name {
                    count += 1;
                    if !keys.contains(name) {
                        faults.push(format!("{}:{}: presets have no key {name}", page.name, i + 1));
                    }
                } else if let Some(name) = section.filter(|_| line.contains(&format!("`{word}`"))) {
                    count += 1;
                    if !keys.contains(name) {
                        faults.push(format!("{}:{}: presets have no section {word}", page.name, i + 1));
                    }
                }
            }
        }
    }
    assert_none(&faults);
    assert!(count > 60, "{count}");
}

#[test]
fn tables_of_the_guide_have_the_flags_methods_and_decays_of_the_settings() {
    let page = |name: &str| std::fs::read_to_string(Path::new(ROOT).join("docs/guide").join(name)).unwrap();
    let (presets, methods) = (page("presets.md"), page("methods.md"));
    let assert_row = |page: &str, words: &[&str]| {
        let has_words = |line: &str| words.iter().all(|word| line.contains(&format!("`{word}`")));
        assert!(page.lines().any(|line| line.starts_with('|') && has_words(line)), "no row has {words:?}");
    };
    for (setting, flag) in Preset::settings().filter_map(|setting| Some((setting, setting.flag?))) {
        assert_row(&presets, &[&format!("--{}", flag.name), setting.key]);
    }
    DecayKind::WORDS.iter().for_each(|word| assert_row(&presets, &[word]));
    MethodKind::ALL.iter().copied().for_each(|kind| assert_row(&methods, &[kind.name()]));
}

#[test]
fn literals_of_the_package_for_python_are_the_names_of_methods_and_decays() {
    let sight = Path::new(ROOT).join("bindings/python/python/farsight_fov/sight.py");
    let sight = std::fs::read_to_string(sight).unwrap();
    let literal = sight.split_once("Method = Literal[").and_then(|(_, rest)| rest.split_once(']')).unwrap().0;
    let names: Vec<&str> = literal.split(',').map(|name| name.trim().trim_matches('"')).collect();
    assert_eq!(names, MethodKind::NAMES);
    for word in DecayKind::WORDS.iter().filter(|word| **word != "none") {
        assert!(sight.contains(&format!("``{word}``")), "the decay {word}");
    }
}

/// A script is parsed before the search for a display, so its errors list the keys.
#[test]
fn keys_of_the_window_that_the_documents_name_exist() {
    let folder = Folder::new();
    let mut faults = Vec::new();
    let mut count = 0;
    for page in Page::all() {
        let keys = page.between("<kbd>", "</kbd>");
        count += keys.len();
        folder.write("keys.script", keys.iter().map(|(_, key)| format!("key {key}\n")).collect::<String>());
        let ended = folder.run("explore --script keys.script");
        if ended.code != 5 {
            let line =
                ended.stderr.split("line ").nth(1).and_then(|rest| rest.split(':').next()?.parse::<usize>().ok());
            let line = line.map_or(0, |line| keys[line - 1].0);
            faults.push(format!("{}:{line}: {}", page.name, ended.stderr.trim()));
        }
    }
    assert_none(&faults);
    assert!(count > 60, "{count}");
}

#[test]
fn links_of_the_documents_lead_to_files_and_headings() {
    let pages = Page::all();
    let mut faults = Vec::new();
    for page in &pages {
        let folder = Path::new(&page.name).parent().unwrap();
        for (line, link) in page.between("](", ")") {
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { PathBuf::from(&page.name) } else { folder.join(file) };
            let name = normal(&target);
            let known = pages.iter().find(|page| page.name == name);
            if !Path::new(ROOT).join(&name).exists() {
                faults.push(format!("{}:{line}: {link}: there is no {name}", page.name));
            } else if !heading.is_empty() && !known.is_some_and(|page| page.anchors().contains(heading)) {
                faults.push(format!("{}:{line}: {link}: {name} has no such heading", page.name));
            }
        }
    }
    assert_none(&faults);
}

/// A path without `..`, as text.
fn normal(path: &Path) -> String {
    let mut parts = Vec::new();
    for part in path.components() {
        match part.as_os_str().to_str().unwrap() {
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[test]
fn readme_has_at_most_160_lines() {
    assert!(Page::all()[0].text.lines().count() <= 160);
}
