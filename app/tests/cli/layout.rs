//! Modules import only the modules before them in the tables of `ARCHITECTURE.md`, for the library, the package of scenes, and
//! the program:
//!
//! ```text
//! | Module             | What it is for   | Imported by      |
//! |--------------------|------------------|------------------|
//! | `job.rs` `text.rs` | Progress, text   |                  |
//! | `gui/`             | The window       | `cli/explore.rs` |
//! ```
//!
//! The third column has the only files that may import the module, wherever they are in the table; without it, all later modules
//! may. Comments, tests and macro expansions (`$crate::`) do not count.

mod circles;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The path of each file below `src/`, and its text.
type Sources = BTreeMap<String, String>;

/// A row of a table.
struct Row {
    /// `grid` for `grid/` and for `grid.rs`.
    module: String,
    /// The only files that may import the module; empty for all later ones.
    importers: Vec<String>,
}

/// Reads the tables below the heading `## Modules`.
fn read_tables(architecture: &str) -> Vec<Vec<Row>> {
    let in_backticks = |cell: &str| cell.split('`').skip(1).step_by(2).map(String::from).collect::<Vec<_>>();
    let lines = architecture.lines().skip_while(|line| *line != "## Modules").skip(1);
    let lines: Vec<&str> = lines.take_while(|line| !line.starts_with("## ")).collect();
    let tables = lines.split(|line| !line.starts_with('|')).map(|table| {
        let rows = table.iter().filter(|line| line.starts_with("| `")).flat_map(|line| {
            let cells: Vec<&str> = line.split('|').collect();
            let importers = in_backticks(cells[3]);
            let row = move |file: String| Row { module: module_of(&file), importers: importers.clone() };
            in_backticks(cells[1]).into_iter().map(row)
        });
        rows.collect::<Vec<_>>()
    });
    tables.filter(|table| !table.is_empty()).collect()
}

/// Returns the module of a file: `grid` for `grid/rect.rs` and for `grid.rs`.
fn module_of(file: &str) -> String {
    file.split('/').next().unwrap_or(file).trim_end_matches(".rs").to_owned()
}

/// Returns the modules that the text of a file imports, with the numbers of the lines.
fn imports(text: &str) -> Vec<(usize, String)> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let code = (1..).zip(text.lines());
    let code = code.filter(|(_, line)| !line.trim_start().starts_with("//"));
    let in_line = |(number, line): (usize, &str)| {
        let paths: Vec<String> = line.replace("$crate::", "").split("crate::").skip(1).map(str::to_owned).collect();
        paths.into_iter().map(move |path| {
            (number, path.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect())
        })
    };
    code.flat_map(in_line).collect()
}

fn violations(sources: &Sources, table: &[Row]) -> Vec<String> {
    let roots = ["lib.rs", "main.rs"];
    let files = || sources.iter().filter(|(file, _)| !roots.contains(&file.as_str()));
    let present: BTreeSet<String> = files().map(|(file, _)| module_of(file)).collect();
    let listed: BTreeSet<String> = table.iter().map(|row| row.module.clone()).collect();
    let mut found: Vec<String> = present
        .symmetric_difference(&listed)
        .map(|module| format!("{module} is in src/ or in the table, but not in both"))
        .collect();
    let position = |module: &str| table.iter().position(|row| row.module == module);
    for (file, text) in files().filter(|(file, _)| !file.ends_with("tests.rs")) {
        let own = module_of(file);
        for (line, module) in imports(text).into_iter().filter(|(_, module)| *module != own) {
            let (Some(from), Some(to)) = (position(&own), position(&module)) else { continue };
            let importers = &table[to].importers;
            if if importers.is_empty() { to > from } else { !importers.contains(file) } {
                found.push(format!("{file}:{line} imports {module}, which the table does not allow"));
            }
        }
    }
    found
}

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

#[test]
fn modules_import_only_what_the_tables_allow() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let tables = read_tables(&std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap());
    assert_eq!(tables.len(), 3);
    for (folder, table) in ["src", "scene/src", "app/src"].into_iter().zip(&tables) {
        let mut sources = Sources::new();
        read_folder(&root.join(folder), "", &mut sources);
        let found = violations(&sources, table);
        assert!(found.is_empty(), "{folder}: {found:#?}");
    }
}

#[test]
fn imports_against_the_order_are_found() {
    let table = "## Modules\n| `a.rs` | . |\n| `b/` | . |\n| `c.rs` | . | `b/mod.rs` |\n";
    let sources = |a: &str| -> Sources {
        let c = ("c.rs", "use crate::a::A;");
        [("lib.rs", "mod a;"), ("a.rs", a), ("b/mod.rs", "use crate::c;"), c]
            .map(|(file, text)| (file.into(), text.into()))
            .into()
    };
    let tables = read_tables(table);
    for fine in
        ["", "// crate::b::B", "#[cfg(test)]\nmod tests {\n    use crate::b::B;", "use glam::Vec2;", "$crate::b::B"]
    {
        assert_eq!(violations(&sources(fine), &tables[0]), [""; 0], "{fine}");
    }
    for wrong in ["use crate::b::B;", "fn f() { crate::c::g(); }"] {
        assert_eq!(violations(&sources(wrong), &tables[0]).len(), 1, "{wrong}");
    }
    let mut more = sources("");
    more.insert("d.rs".into(), String::new());
    assert_eq!(violations(&more, &tables[0]).len(), 1);
}
