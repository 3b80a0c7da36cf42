//! `farsight` without a subcommand, and `farsight explore`, without a display.

use super::Folder;

#[test]
fn the_view_is_drawn_with_commands_that_work() {
    let folder = Folder::new();
    for no_color in [false, true] {
        let mut command = folder.command("--size 96x96 --seed 3 --set perception.creatures=0");
        command.env("TERM", if no_color { "xterm" } else { "dumb" });
        if no_color {
            command.env("NO_COLOR", "1");
        }
        let output = command.output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.is_ascii() && !text.contains('\x1b'), "plain characters");
        let lines: Vec<&str> = text.lines().collect();
        let (drawn, below) = lines.split_at(lines.len() - 3);
        assert!(drawn.len() <= 20 && drawn.iter().all(|line| line.len() <= 80));
        assert_eq!(drawn.iter().map(|line| line.matches('@').count()).sum::<usize>(), 1);
        assert!(below[0].starts_with("@ you") && below[0].len() <= 80);
        let words = "--seed 3 --size 96x96 --set perception.creatures=0";
        assert!(below[1].ends_with(&format!("farsight export {words} -o view.png")), "{}", below[1]);
        assert!(below[2].ends_with(&format!("farsight explore {words}")), "{}", below[2]);
        // Its advice works.
        folder.done(&format!("export -q {words} -o view.png"));
    }
}

#[test]
fn maps_are_drawn_with_their_walls() {
    let folder = Folder::new();
    folder.write("room.txt", "#######\n#######\n#.....#\n#..@..#\n#######\n#######\n");
    let ended = folder.done("--map room.txt");
    let text = ended.text();
    assert_eq!(text.lines().take(3).collect::<Vec<_>>(), ["#######", "#%%@%%#", "#######"]);
}

#[test]
fn exploring_without_a_display_exits_with_5_and_names_other_commands() {
    let folder = Folder::new();
    let ended = folder.run("explore --preset fog --seed 7");
    assert_eq!(ended.code, 5);
    assert_eq!(ended.stderr.lines().count(), 1);
    assert!(ended.stderr.starts_with("farsight: "));
    for word in ["`farsight --preset fog --seed 7`", "`farsight export --preset fog --seed 7 -o view.png`"] {
        assert!(ended.stderr.contains(word), "{}", ended.stderr);
    }
    assert_eq!(folder.run("explore --preset fogg").code, 3, "a wrong scene is said first");
    assert_eq!(folder.run("explore --window 10").code, 2);
}

#[test]
fn walls_hide_cells_and_lamps_are_drawn_below_the_viewer() {
    let folder = Folder::new();
    let row = ".........\n";
    folder.write("room.txt", format!("{row}{row}{row}#########\n{row}....@....\n{row}{row}"));
    let drawn = |flags: &str| {
        let text = folder.done(&format!("--map room.txt {flags}")).text().to_owned();
        assert!(text.is_ascii() && !text.contains('\x1b'));
        text.lines().map(str::to_owned).collect::<Vec<String>>()
    };
    let dark = drawn("");
    assert_eq!(dark[..4], ["", "#########", "%%%%@%%%%", "%%%%%%%%%"]);
    assert!(!dark[4].contains("lamp"), "the key names lamps only if there are some");
    let lit = drawn("--set lamps=[{at=[2,7]},{at=[7,0]},{at=[4,4]}]");
    assert_eq!(lit[..4], ["       !", "#########", "%%%%@%%%%", "%%!%%%%%%"]);
    assert!(lit[4].contains("! lamp") && lit[4].len() <= 80, "{}", lit[4]);
}
