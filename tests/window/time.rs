//! Time that runs by itself.

use std::fs;

use tempfile::TempDir;

use crate::explore;

#[test]
#[ignore = "needs a display"]
fn dusk_falls_by_itself_stands_still_when_paused_and_is_saved() {
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
        assert!(read(0, "dusk.png") == read(0, name), "{name}: taken up at the hour of the walk, paused");
    }
}
