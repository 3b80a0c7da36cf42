//! Presets that are selected in the window.

use tempfile::TempDir;

use super::explore;

#[test]
#[ignore = "needs a display"]
fn a_preset_of_another_world_is_shown_as_if_opened_with_it() {
    let folder = TempDir::new().unwrap();
    let chosen = "settle\nkey n 2\nsettle\nkey d 5\npreset jungle\nsettle\nexport chosen.json\n\
        preset fog\nsettle\nset world.seed 5\nsettle\npreset jungle\nsettle\nexport back.json\nquit\n";
    explore(folder.path(), chosen, &[]);
    explore(folder.path(), "settle\nexport opened.json\nquit\n", &["--preset", "jungle"]);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("chosen.json") == read("opened.json"), "seed, viewer and view are those of the preset");
    assert!(read("back.json") == read("opened.json"));
}

#[test]
#[ignore = "needs a display"]
fn presets_of_one_world_are_compared_on_the_same_cell() {
    let folder = TempDir::new().unwrap();
    let script = "settle\nkey n\nsettle\nkey d 5\npreset haze\nsettle\nexport haze.json\n\
        preset clear-day\nsettle\npreset haze\nsettle\nexport again.json\nquit\n";
    explore(folder.path(), script, &[]);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("haze.json") == read("again.json"));
    explore(folder.path(), "settle\nexport own.json\nquit\n", &["--preset", "haze"]);
    assert!(read("haze.json") != read("own.json"), "another seed was chosen");
}
