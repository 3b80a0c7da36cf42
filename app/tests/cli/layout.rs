//! Checks which file imports which in `src/` and in `app/src/`.
//!
//! `ARCHITECTURE.md` lists the top-level modules. The test reads the tables under its heading `## Modules`, the first for
//! the library and the second for the program:
//!
//! ```text
//! | Module   | What it is for   | Imported by      |
//! |----------|------------------|------------------|
//! | `job.rs` | Progress         | later modules    |
//! | `cli/`   | The command line | no module        |
//! | `gui/`   | The window       | `cli/explore.rs` |
//! ```
//!
//! - Column 1: a file or folder of `src/`, in backticks. A folder ends in `/`. `lib.rs` and `main.rs` are not listed.
//! - Column 2: for readers. The test ignores it.
//! - Column 3: `later modules`, or the only files that may import the module, each in backticks, wherever they are in
//!   the table.
//!
//! The rules:
//! 1. A module imports only modules before it in the table, except as column 3 says.
//! 2. The table and `src/` hold the same modules.
//! 3. There is no import cycle between files.
//! 4. Nothing inside the crate is imported from the crate root if a module defines it.

mod imports;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

use imports::{Import, Sources, imports};

/// A row of the table in `ARCHITECTURE.md`.
struct Row {
    module: String,
    line: usize,
    /// The only files that may import the module; `None` for all modules that are later in the table.
    importers: Option<Vec<String>>,
}

/// Reads a table, the first one or a later one.
fn read_table(architecture: &str, index: usize) -> Vec<Row> {
    let in_backticks = |cell: &str| cell.split('`').skip(1).step_by(2).map(String::from).collect::<Vec<_>>();
    let lines = (1..).zip(architecture.lines()).skip_while(|(_, line)| *line != "## Modules").skip(1);
    let mut tables = 0;
    let mut is_row_before = false;
    let rows = lines.take_while(|(_, line)| !line.starts_with("## ")).filter(|(_, line)| {
        let is_row = line.starts_with("| `");
        tables += usize::from(is_row && !is_row_before);
        is_row_before = is_row;
        is_row && tables == index + 1
    });
    rows.map(|(line, row)| {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let importers = cells.get(3).filter(|cell| **cell != "later modules").map(|cell| in_backticks(cell));
        Row { module: in_backticks(cells[1]).remove(0), line, importers }
    })
    .collect()
}

/// Returns the file or folder of `src/` that a file belongs to: `grid/` or `job.rs`.
fn top_module(file: &str) -> &str {
    file.find('/').map_or(file, |slash| &file[..=slash])
}

/// Checks all rules and returns a message for each violation.
fn violations(sources: &Sources, architecture: &str, index: usize) -> Vec<String> {
    let table = read_table(architecture, index);
    let imports = imports(sources);
    let mut found = compare_table(sources, &table);
    found.extend(imports.iter().filter_map(|import| check_import(import, &table)));
    found.extend(cycles(&imports));
    found
}

fn compare_table(sources: &Sources, table: &[Row]) -> Vec<String> {
    let crates = ["lib.rs", "main.rs"];
    let present: BTreeSet<_> = sources.keys().map(|file| top_module(file)).filter(|m| !crates.contains(m)).collect();
    let listed: BTreeSet<_> = table.iter().map(|row| row.module.as_str()).collect();
    let missing = present.difference(&listed).map(|module| {
        format!(
            "src/{module}: `{module}` is not in the table of ARCHITECTURE.md; it needs a row before all that import it"
        )
    });
    let absent = table.iter().filter(|row| !present.contains(row.module.as_str())).map(|row| {
        format!("ARCHITECTURE.md:{}: `{}` is not in src/; the table lists only what is there", row.line, row.module)
    });
    missing.chain(absent).collect()
}

fn check_import(import: &Import, table: &[Row]) -> Option<String> {
    let Import { from, to, line, path, .. } = import;
    let at = format!("src/{from}:{line}: `{path}`");
    let (importer, imported) = (top_module(from), top_module(to));
    if import.is_from_root {
        return Some(format!(
            "{at} is imported from the crate root, but src/{to} defines it; import it from `{imported}`"
        ));
    }
    let position = |module: &str| table.iter().position(|row| row.module == module);
    let (Some(below), Some(above)) = (position(imported), position(importer)) else { return None };
    match &table[below].importers {
        _ if importer == imported => None,
        Some(files) if files.contains(from) => None,
        Some(files) => Some(format!("{at} is in src/{to}, but only these files may import `{imported}`: {files:?}")),
        None if below < above => None,
        None => Some(format!(
            "{at} is in src/{to}, but `{importer}` is before `{imported}` in ARCHITECTURE.md; only later modules may import it"
        )),
    }
}

/// Returns the shortest import cycle through each file.
fn cycles(imports: &[Import]) -> Vec<String> {
    let mut graph: BTreeMap<&str, BTreeMap<&str, Vec<&Import>>> = BTreeMap::new();
    for import in imports {
        graph.entry(&import.from).or_default().entry(&import.to).or_default().push(import);
    }
    let cycles: BTreeSet<_> = graph.keys().filter_map(|file| shortest_cycle(&graph, file)).collect();
    let describe = |cycle: Vec<&str>| {
        let first = &graph[cycle[0]][cycle[1 % cycle.len()]][0];
        let mut text = format!("src/{}:{}: import cycle of {} files; ", first.from, first.line, cycle.len());
        text += "none of them can be understood or changed without the others";
        for (from, to) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
            let imports = &graph[from][to];
            let paths: Vec<_> =
                imports.iter().map(|import| format!("{} (line {})", import.path, import.line)).collect();
            text += &format!("\n    src/{from} imports from src/{to}: {}", paths.join(", "));
        }
        text
    };
    cycles.into_iter().map(describe).collect()
}

/// Returns the files of the shortest cycle through `file`, in order from the one that is first in the alphabet.
fn shortest_cycle<'a>(
    graph: &BTreeMap<&'a str, BTreeMap<&'a str, Vec<&Import>>>,
    file: &'a str,
) -> Option<Vec<&'a str>> {
    let mut reached_from = BTreeMap::new();
    let mut queue = VecDeque::from([file]);
    while let Some(at) = queue.pop_front() {
        for &next in graph.get(at).into_iter().flat_map(BTreeMap::keys) {
            if reached_from.contains_key(next) {
                continue;
            }
            reached_from.insert(next, at);
            queue.push_back(next);
        }
    }
    let mut cycle = vec![*reached_from.get(file)?];
    while cycle[cycle.len() - 1] != file {
        cycle.push(reached_from[cycle[cycle.len() - 1]]);
    }
    cycle.reverse();
    let first = (0..cycle.len()).min_by_key(|&i| cycle[i])?;
    cycle.rotate_left(first);
    Some(cycle)
}

#[test]
fn files_import_as_architecture_md_says() {
    fn read_folder(folder: &Path, prefix: &str, sources: &mut Sources) {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
            if entry.path().is_dir() {
                read_folder(&entry.path(), &format!("{name}/"), sources);
            } else if name.ends_with(".rs") {
                sources.insert(name, std::fs::read_to_string(entry.path()).unwrap());
            }
        }
    }
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let architecture = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let found = ["src", "app/src"].iter().enumerate().flat_map(|(index, folder)| {
        let mut sources = Sources::new();
        read_folder(&root.join(folder), "", &mut sources);
        violations(&sources, &architecture, index)
    });
    let found: Vec<String> = found.collect();
    assert!(found.is_empty(), "{} violations:\n{}", found.len(), found.join("\n"));
}

/// Checks a small crate. Its table lists its top-level modules in the order of `files`; column 3 is `later modules`.
fn check(files: &[(&str, &str)]) -> Vec<String> {
    let mut sources: Sources = files.iter().map(|&(file, text)| (file.into(), text.into())).collect();
    let mut modules: Vec<_> = files.iter().map(|(file, _)| top_module(file)).filter(|m| *m != "lib.rs").collect();
    modules.dedup();
    let declarations =
        modules.iter().map(|module| format!("mod {};", module.trim_end_matches(".rs").trim_end_matches('/')));
    *sources.entry("lib.rs".into()).or_default() += &declarations.collect::<String>();
    let rows: String = modules.iter().map(|module| format!("| `{module}` | text | later modules |\n")).collect();
    violations(&sources, &format!("## Modules\n\n{rows}"), 0)
}

#[track_caller]
fn assert_one(found: &[String], expected: &[&str]) {
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(expected.iter().all(|words| found[0].contains(words)), "{}\nshould contain {expected:?}", found[0]);
}

#[test]
fn imports_of_earlier_modules_are_allowed() {
    let text = "use crate::a::{self, A as B}; fn f() -> crate::a::A { a::make(B) }";
    assert_eq!(check(&[("a.rs", "pub struct A;"), ("b.rs", text)]), [""; 0]);
}

#[test]
fn import_of_a_later_module_is_found_in_any_form() {
    let forms = [
        "use crate::b::B;",
        "use crate::{b::{B as C}};",
        "use super::b::*;",
        "fn f() { crate::b::B::make(); }",
        "fn f() { println!(\"{}\", crate::b::B) }",
        "#[command(after_help = crate::b::B)] struct S;",
        "#[cfg(unix)] use crate::b::B;",
        "mod inner { mod innermost { use super::super::super::b::B; } }",
        "mod inner { fn f(b: &super::super::b::B) {} }",
    ];
    for form in forms {
        let found = check(&[("a.rs", &format!("\n{form}")), ("b.rs", "pub struct B;")]);
        assert_one(&found, &["src/a.rs:2: `", "is in src/b.rs, but `a.rs` is before `b.rs`"]);
    }
}

#[test]
fn code_for_tests_and_text_do_not_count() {
    let texts = [
        "#[cfg(test)] mod tests { use crate::b::B; }",
        "#[cfg(test)] mod tests;",
        "#[cfg(all(test, unix))] use crate::b::B;",
        "impl A { #[cfg(test)] fn f() { crate::b::B; } }",
        "// use crate::b::B;\n/// [`crate::b::B`]\nconst TEXT: &str = \"crate::b::B\";",
        "pub(in crate::b) fn b(b: u32) -> u32 { b }",
    ];
    for text in texts {
        assert_eq!(check(&[("a.rs", text), ("b.rs", "pub struct B;")]), [""; 0], "{text}");
    }
}

#[test]
fn reexports_and_globs_lead_to_the_file_that_defines_the_name() {
    let reexports =
        "mod one; mod two; pub use one::One; pub use two::*; mod alias { pub use super::one::One as Same; }";
    let one = "use super::Two; pub struct One;";
    for path in ["super::One", "crate::a::One", "super::super::a::alias::Same", "super::*", "crate::a::one::*"] {
        let two = format!("use {path}; pub struct Two;");
        let found = check(&[("a/mod.rs", reexports), ("a/one.rs", one), ("a/two.rs", &two)]);
        let arrows = [
            "src/a/one.rs imports from src/a/two.rs: super::Two",
            &format!("two.rs imports from src/a/one.rs: {path}"),
        ];
        assert_one(&found, &["src/a/one.rs:1: import cycle of 2 files", arrows[0], arrows[1]]);
    }
}

#[test]
fn module_does_not_import_what_it_only_reexports() {
    let child = ("a/child.rs", "use super::Parent; pub struct Child; pub struct Other;");
    let reexports = "mod child; pub use child::{Child, Other}; pub struct Parent; fn f(child: u32) { child; }";
    assert_eq!(check(&[("a/mod.rs", reexports), child]), [""; 0]);
    for text in ["use child::Child;", "pub use child::Child; pub struct Wrapper(Child);", "fn f() { child::Child; }"] {
        let text = format!("mod child; pub struct Parent; {text}");
        assert_one(&check(&[("a/mod.rs", &text), child]), &["import cycle of 2 files"]);
    }
    let other = [("a/mod.rs", "pub use crate::b::B;"), ("b.rs", "pub struct B;")];
    assert_one(&check(&other), &["src/a/mod.rs:1: `crate::b::B`"]);
}

#[test]
fn cycle_of_three_files_is_found_once() {
    let root = ("a/mod.rs", "#[cfg(unix)]\nmod x; mod y; mod z;");
    let [x, y, z] =
        ["\nuse super::y::Y; pub struct X;", "use super::z; pub struct Y(z::Z);", "pub struct Z(super::x::X);"];
    let found = check(&[root, ("a/x.rs", x), ("a/y.rs", y), ("a/z.rs", z)]);
    let arrows =
        ["x.rs imports from src/a/y.rs: super::y::Y (line 2)", "y.rs imports from src/a/z.rs: super::z (line 1)"];
    assert_one(
        &found,
        &["src/a/x.rs:2: import cycle of 3 files", arrows[0], arrows[1], "z.rs imports from src/a/x.rs: super::x::X"],
    );
}

#[test]
fn import_from_the_crate_root_is_found() {
    let files = |text| {
        [("lib.rs", "pub use a::A; pub use glam; pub const ROOT: u32 = 1; "), ("a.rs", "pub struct A;"), ("b.rs", text)]
    };
    for text in ["use crate::A;", "fn f() { super::A::new(); }", "use crate::{glam::IVec2, A as B};"] {
        assert_one(&check(&files(text)), &["src/b.rs:1", "imported from the crate root, but src/a.rs defines it"]);
    }
    assert_eq!(check(&files("use crate::a::A; use crate::glam::IVec2; use crate::ROOT; use glam::Vec2;")), [""; 0]);
}

#[test]
fn table_and_folder_hold_the_same_modules() {
    let sources = [("lib.rs", "mod a;"), ("main.rs", ""), ("a.rs", "")].map(|(file, text)| (file.into(), text.into()));
    let found = violations(
        &sources.into(),
        "| `x.rs` |\n## Modules\n| Module |\n| `b/` | text | later modules |\n## More\n| `c/` |",
        0,
    );
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].starts_with("src/a.rs: `a.rs` is not in the table"), "{}", found[0]);
    assert!(found[1].starts_with("ARCHITECTURE.md:4: `b/` is not in src/"), "{}", found[1]);
}

#[test]
fn only_listed_files_import_a_module_with_a_list() {
    let (allowed, other) = (("cli/open.rs", "use crate::gui::run;"), ("cli/other.rs", "use crate::gui::run;"));
    let files = [
        ("lib.rs", "mod cli; mod gui;"),
        ("cli/mod.rs", "mod open; mod other;"),
        allowed,
        other,
        ("gui.rs", "use crate::cli::F;"),
    ];
    let sources = files.map(|(file, text)| (file.into(), text.into())).into();
    let table = "## Modules\n| `cli/` | text | no module |\n| `gui.rs` | text | `cli/open.rs` |\n";
    let found = violations(&sources, table, 0);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].starts_with("src/cli/other.rs:1: `crate::gui::run`"), "{}", found[0]);
    assert!(found[1].starts_with("src/gui.rs:1: `crate::cli::F`"), "{}", found[1]);
}
