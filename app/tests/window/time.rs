//! Time that runs by itself.

use std::fs;

use tempfile::TempDir;

use super::explore;

#[test]
#[ignore = "needs a display"]
fn running_time_brings_dusk_and_can_be_paused_and_saved() {
    let script = "settle\nset clock.runs true\nset clock.hours_a_second 2\nset clock.hour 16.5\nset weather.to fog\nset weather.hours 4\n\
        export day.png remembered\nkey r\nwait 60\nkey r\nexport dusk.png remembered\n\
        wait 60\nexport later.png remembered\nsave walk.farsight\nquit\n";
    let folders = [(); 2].map(|()| TempDir::new().unwrap());
    for folder in &folders {
        explore(folder.path(), script, &["--size", "96x80", "--seed", "3"]);
    }
    let read = |i: usize, name: &str| fs::read(folders[i].path().join(name)).unwrap();
    assert!(read(0, "day.png") != read(0, "dusk.png"), "light and air follow the hours");
    assert!(read(0, "dusk.png") == read(0, "later.png"), "paused");
    for name in ["dusk.png", "walk.farsight"] {
        assert!(read(0, name) == read(1, name), "{name}: the same script, the same hour");
    }
    let again = "settle\nexport again.png remembered\nwait 30\nexport still.png remembered\nquit\n";
    explore(folders[0].path(), again, &["--load", "walk.farsight"]);
    for name in ["again.png", "still.png"] {
        assert!(read(0, "dusk.png") == read(0, name), "{name}: loaded at the hour of the walk, paused");
    }
}

#[test]
#[ignore = "needs a display"]
fn undoing_a_slider_does_not_turn_back_the_clock() {
    let script = |slider: &str, undo: &str| {
        format!(
            "settle\nset clock.runs true\nset clock.hours_a_second 2\nset clock.hour 15\nkey r\nwait 20\n{slider}\n\
            wait 60\nkey r\n{undo}\nwait 5\nexport view.json\nquit\n"
        )
    };
    let view = |slider: &str, undo: &str| {
        let folder = TempDir::new().unwrap();
        explore(folder.path(), &script(slider, undo), &["--size", "96x80", "--seed", "3"]);
        fs::read(folder.path().join("view.json")).unwrap()
    };
    let slider = "set optics.visual_range_m 3000";
    let never = view("wait 0", "wait 0");
    assert!(view(slider, "key ctrl+z") == never, "only the slider went back");
    let turned = view(slider, "wait 0");
    assert!(turned != never, "the slider shows");
    assert!(view(slider, "key ctrl+z\nkey ctrl+y") == turned);
}
