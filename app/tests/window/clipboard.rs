//! The copied texts of *share* and the goals. The test pastes them as names of places, which exports show.

use super::typing::Person;
use super::xdotool;

/// Clicks on points of the window, one after the other.
fn click(person: &Person, points: &[[&str; 2]]) {
    for [x, y] in points {
        xdotool(&["mousemove", "--window", &person.id, x, y, "sleep", "0.4", "click", "1", "sleep", "0.6"]);
    }
}

/// Pastes the clipboard as the name of the place at a point of the map.
fn paste_as_name(person: &Person, [x, y]: [&str; 2]) {
    xdotool(&["mousemove", "--window", &person.id, "300", "300", "sleep", "0.3", "key", "u", "sleep", "0.8"]);
    click(person, &[["336", "585"], [x, y]]); // the flag on the toolbar, and the place
    xdotool(&["keydown", "ctrl", "sleep", "0.3", "key", "v", "sleep", "0.3", "keyup", "ctrl", "sleep", "0.3"]);
    xdotool(&["key", "Return", "sleep", "0.5", "key", "Escape", "sleep", "0.5", "key", "Escape", "sleep", "0.5"]);
}

#[test]
#[ignore = "needs a display and xdotool"]
fn the_link_of_share_and_the_result_of_a_goal_are_on_the_clipboard() {
    let person = Person::new();
    click(&person, &[["1064", "260"], ["1058", "288"]]); // share, link
    paste_as_name(&person, ["200", "100"]);
    click(&person, &[["1233", "239"], ["75", "87"], ["105", "93"]]); // goals, "Cover the valley …", copy result
    paste_as_name(&person, ["250", "450"]);
    let preset = person.scene()["preset"].as_str().unwrap().to_owned();
    assert!(preset.contains("\"?preset=temperate&seed=14&at=48,40&world.width=96&world.height=80\""), "{preset}");
    assert!(
        preset.contains("\"farsight, temperate seed 14: Cover the valley with three lookouts. Not done yet"),
        "{preset}"
    );
}
