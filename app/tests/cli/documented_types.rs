//! The main types of the library and the methods that answer questions of games have an example in their documentation;
//! the package for crates.io contains only files for users.

use std::path::Path;
use std::process::Command;

/// The root of the checkout.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The main types, and the files that define them.
const TYPES: &[(&str, &str)] = &[
    ("CellRect", "grid/cell_rect.rs"),
    ("Corridor", "corridor/corridor.rs"),
    ("Creatures", "creatures/creature.rs"),
    ("Decay", "sight_config/decay.rs"),
    ("Dungeon", "world/dungeon.rs"),
    ("FieldOfView", "sight/field_of_view.rs"),
    ("Grid", "grid/grid.rs"),
    ("Line", "grid/line.rs"),
    ("Memory", "perception/memory.rs"),
    ("OpacityCells", "sight/opacity_source.rs"),
    ("OpacityMap", "sight/opacity_map.rs"),
    ("Optics", "optics/optics.rs"),
    ("OwnedView", "view/owned_view.rs"),
    ("Preset", "preset/preset.rs"),
    ("Scene", "scene/scene.rs"),
    ("Sector", "sight_config/sector.rs"),
    ("SightConfig", "sight_config/config.rs"),
    ("Surface", "viewshed/surface.rs"),
    ("View", "view/view.rs"),
    ("Viewshed", "viewshed/viewshed.rs"),
    ("World", "world/world.rs"),
];

/// The methods, and the files that define them.
const METHODS: &[(&str, &str)] = &[
    ("at_least", "view/view.rs"),
    ("between", "grid/line.rs"),
    ("changes_since", "view/owned_view.rs"),
    ("compute_many", "sight/field_of_view.rs"),
    ("compute_sector", "sight/field_of_view.rs"),
    ("line_of_sight", "sight/line_of_sight.rs"),
    ("merge_max", "view/owned_view.rs"),
    ("mutual", "sight/line_of_sight.rs"),
    ("sees", "view/view.rs"),
    ("set", "sight/opacity_map.rs"),
    ("set_many", "sight/opacity_map.rs"),
    ("to_owned", "view/owned_view.rs"),
];

/// Returns the lines without an item, or whose item has no fenced block in its documentation.
fn without_example(keywords: &[&str], items: &[(&str, &str)]) -> Vec<String> {
    let has_example = |(name, file): &&(&str, &str)| {
        let folders = ["src", "scene/src"].map(|folder| Path::new(ROOT).join(folder).join(file));
        let text = folders.iter().find_map(|path| std::fs::read_to_string(path).ok()).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
        let is_item = |line: &&str| {
            let rest = keywords.iter().find_map(|keyword| line.strip_prefix(keyword)?.strip_prefix(name));
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        lines.iter().position(is_item).is_some_and(|item| {
            let above = lines[..item].iter().rev();
            above
                .take_while(|line| line.starts_with("///") || line.starts_with("#["))
                .any(|line| line.starts_with("/// ```"))
        })
    };
    items.iter().filter(|item| !has_example(item)).map(|(name, file)| format!("{name} in {file}")).collect()
}

#[test]
fn main_types_have_an_example() {
    assert_eq!(without_example(&["pub struct ", "pub enum "], TYPES), [""; 0]);
}

#[test]
fn methods_that_answer_questions_of_games_have_an_example() {
    assert_eq!(without_example(&["pub fn "], METHODS), [""; 0]);
}

#[test]
fn packages_hold_what_a_user_needs() {
    let needed = ["src/lib.rs", "docs/guide/library.md", "README.md", "LICENSE-MIT"];
    check_package("farsight", &["src", "docs"], &needed);
    check_package(
        "farsight-scene",
        &["src", "presets"],
        &["src/lib.rs", "build.rs", "presets/fog.toml", "presets/maps/cave.txt"],
    );
}

fn check_package(name: &str, folders: &[&str], needed: &[&str]) {
    let list = Command::new(env!("CARGO"))
        .args(["package", "--package", name, "--list", "--allow-dirty", "--offline", "--locked"])
        .current_dir(ROOT)
        .output()
        .unwrap();
    assert!(list.status.success(), "{}", String::from_utf8_lossy(&list.stderr));
    let list = String::from_utf8(list.stdout).unwrap().replace('\\', "/");
    let of_user = |file: &&str| match file.split_once('/') {
        Some(("examples", example)) => example.ends_with(".rs"),
        Some((folder, _)) => folders.contains(&folder),
        None => !file.starts_with("ARCHITECTURE") && !file.starts_with("CONTRIBUTING"),
    };
    let surplus: Vec<&str> = list.lines().filter(|file| !of_user(file)).collect();
    assert_eq!(surplus, [""; 0]);
    for needed in needed {
        assert!(list.lines().any(|file| file == *needed), "{name}: {needed}");
    }
}
