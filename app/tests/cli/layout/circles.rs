//! No two files import each other, directly or in a longer circle.
//!
//! A path is followed through the re-exports of each `mod.rs` to the file that has the item. Re-exports do not count as
//! imports, and neither do comments, tests and macro expansions (`$crate::`).

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

use super::{Sources, read_folder};

/// A path of modules and an item from the root of a crate: `["grid", "cell_rect", "CellRect"]`.
type ItemPath = Vec<String>;

/// A file, as a module.
#[derive(Default)]
struct Module {
    file: String,
    /// The items of other modules that it re-exports, by their names in this module.
    exports: BTreeMap<String, Vec<ItemPath>>,
    imports: Vec<ItemPath>,
}

/// Returns the path of the module in a file: `["grid", "cell_rect"]` for `grid/cell_rect.rs`, `["grid"]` for `grid/mod.rs`.
fn module_path(file: &str) -> ItemPath {
    let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
    let is_root = ["lib", "main"].contains(&path);
    if is_root { Vec::new() } else { path.split('/').map(str::to_owned).collect() }
}

/// Removes comments and unit tests.
fn code_of(text: &str) -> String {
    let text = text.split("\nmod tests {").next().unwrap_or(text);
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// Reads a path or a tree of paths, such as `grid::{Grid, text_map::parse as parse_text}`. Returns each path with the name that it
/// gets, and the length of the text that was read.
fn read_tree(text: &str, prefix: &[String], paths: &mut Vec<(ItemPath, String)>) -> usize {
    let (mut path, mut at) = (prefix.to_vec(), 0);
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        let rest = &text[at..];
        if rest.starts_with('{') {
            at += 1;
            while !text[at..].trim_start().starts_with('}') && at < text.len() {
                at += read_tree(&text[at..], &path, paths).max(1);
                at += text[at..].find([',', '}']).map_or(text.len() - at, |end| end);
                at += usize::from(text[at..].starts_with(','));
            }
            return at + text[at..].find('}').map_or(0, |end| end + 1);
        }
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
        let end = if rest.starts_with('*') { 1 } else { rest.find(|letter| !is_letter(letter)).unwrap_or(rest.len()) };
        match &rest[..end] {
            "" => break,
            "self" => {}
            word => path.push(word.to_owned()),
        }
        at += end;
        match text[at..].strip_prefix("::") {
            Some(_) => at += 2,
            None => break,
        }
    }
    let renamed = text[at..].strip_prefix(" as ").and_then(|rest| rest.split([',', ';', '}', '\n', ' ']).next());
    let name = renamed.map(str::to_owned).or_else(|| path.last().cloned());
    paths.extend(name.map(|name| (path, name)));
    at
}

/// Returns the module of a file with its paths that start at `crate`, `super` or `self`, or in a `use` at one of its modules.
fn read_module(file: &str, text: &str, children: &BTreeSet<String>) -> Module {
    let (own, code) = (module_path(file), code_of(text));
    let mut module = Module { file: file.to_owned(), ..Module::default() };
    let is_start = |at: usize| !code[..at].ends_with(|letter: char| letter.is_alphanumeric() || "_:$".contains(letter));
    let starts = code.match_indices("crate::").chain(code.match_indices("super::")).chain(code.match_indices("self::"));
    let uses = code.match_indices("use ").map(|(at, word)| (at + word.len(), ""));
    for (at, word) in starts.chain(uses).filter(|(at, _)| is_start(*at)) {
        let mut prefix = if word == "crate::" { Vec::new() } else { own.clone() };
        let mut rest = &code[at + word.len()..];
        if word == "super::" {
            prefix.pop();
        }
        while let Some(inner) = rest.strip_prefix("super::") {
            prefix.pop();
            rest = inner;
        }
        let first = rest.split("::").next().unwrap_or_default();
        if word.is_empty() && (["crate", "super", "self"].contains(&first) || !children.contains(first)) {
            continue;
        }
        let mut paths = Vec::new();
        read_tree(rest, &prefix, &mut paths);
        let line = &code[code[..at].rfind('\n').map_or(0, |end| end + 1)..at];
        if line.trim_start().starts_with("pub") && line.contains("use ") {
            for (path, name) in paths {
                module.exports.entry(name).or_default().push(path);
            }
        } else {
            module.imports.extend(paths.into_iter().map(|(path, _)| path));
        }
    }
    module
}

/// Returns the file that has an item.
fn file_of<'m>(modules: &'m BTreeMap<ItemPath, Module>, path: &[String], depth: usize) -> Option<&'m str> {
    let length = (0..=path.len()).rev().find(|length| modules.contains_key(&path[..*length]))?;
    let module = &modules[&path[..length]];
    let Some(item) = path.get(length).filter(|_| depth < 8) else { return Some(&module.file) };
    let follow = |target: &ItemPath, rest: &[String]| {
        let target = [target, rest].concat();
        file_of(modules, &target, depth + 1)
    };
    if let Some([target, ..]) = module.exports.get(item).map(Vec::as_slice) {
        return follow(target, &path[length + 1..]);
    }
    Some(&module.file)
}

/// Returns the shortest circle of each group of files that import each other.
fn circles(sources: &Sources) -> Vec<String> {
    let children = |own: &ItemPath| -> BTreeSet<String> {
        let paths = sources.keys().map(|file| module_path(file));
        paths
            .filter(|path| path.split_last().is_some_and(|(_, parent)| parent == own))
            .filter_map(|mut path| path.pop())
            .collect()
    };
    let modules: BTreeMap<ItemPath, Module> = sources
        .iter()
        .filter(|(file, _)| !file.ends_with("tests.rs"))
        .map(|(file, text)| (module_path(file), read_module(file, text, &children(&module_path(file)))))
        .collect();
    let mut imports: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for module in modules.values() {
        let files = module.imports.iter().filter_map(|path| file_of(&modules, path, 0));
        imports.insert(&module.file, files.filter(|file| *file != module.file).collect());
    }
    let mut found: BTreeMap<BTreeSet<&str>, String> = BTreeMap::new();
    for &start in imports.keys() {
        let mut before: BTreeMap<&str, &str> = BTreeMap::new();
        let mut frontier = VecDeque::from([start]);
        while let Some(file) = frontier.pop_front().filter(|_| !before.contains_key(start)) {
            for &next in &imports[file] {
                if !before.contains_key(next) {
                    before.insert(next, file);
                    frontier.push_back(next);
                }
            }
        }
        if before.contains_key(start) {
            let mut circle = vec![start];
            while circle.len() == 1 || circle.last() != Some(&start) {
                circle.push(before[circle[circle.len() - 1]]);
            }
            circle.reverse();
            found.entry(circle.iter().copied().collect()).or_insert_with(|| circle.join(" → "));
        }
    }
    found.into_values().collect()
}

#[test]
fn no_two_files_import_each_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for folder in ["src", "scene/src", "app/src"] {
        let mut sources = Sources::new();
        read_folder(&root.join(folder), "", &mut sources);
        let found = circles(&sources);
        assert!(found.is_empty(), "{folder}: {found:#?}");
    }
}

#[test]
fn circles_of_any_length_are_found() {
    let circles_of = |files: &[(&str, &str)]| -> Vec<String> {
        circles(&files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect())
    };
    let root = ("lib.rs", "mod a;\nmod g;\npub use a::A;");
    let module = ("g/mod.rs", "mod x;\nmod y;\n\npub use x::X;\npub use y::{Y, z as renamed};");
    let fine =
        [root, ("a.rs", "use crate::g::Y;"), module, ("g/x.rs", "use super::y::Y;"), ("g/y.rs", "pub struct Y;")];
    assert_eq!(circles_of(&fine), [""; 0]);
    for text in [
        "use super::x::X;",
        "use super::X;",
        "use crate::{\n    a::A,\n    g::{self, X},\n};",
        "fn f() -> crate::g::x::X {}",
        "use super::super::g::X;",
    ] {
        let mut files = fine;
        files[4].1 = text;
        let circle = circles_of(&files);
        assert!(circle.iter().any(|circle| circle == "g/x.rs → g/y.rs → g/x.rs"), "{text}: {circle:?}");
    }
    let three =
        [root, ("a.rs", "use crate::g::X;"), module, ("g/x.rs", "use super::renamed;"), ("g/y.rs", "use crate::A;")];
    assert_eq!(circles_of(&three), ["a.rs → g/x.rs → g/y.rs → a.rs"]);
    for text in ["// use super::x::X;", "#[cfg(test)]\nmod tests {\n    use super::x::X;"] {
        let mut files = fine;
        files[4].1 = text;
        assert_eq!(circles_of(&files), [""; 0], "{text}");
    }
}
