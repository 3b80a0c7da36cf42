//! The controls, by keyboard only.

use super::typing::Person;
use super::xdotool;

#[test]
#[ignore = "needs a display and xdotool"]
fn tab_reaches_a_slider_and_escape_returns_to_the_map() {
    let person = Person::new();
    let before = person.scene();
    let press = |keys: &[&str]| keys.iter().for_each(|key| drop(xdotool(&["key", key, "sleep", "0.3"])));
    // The status line, preset, new world, fog.
    press(&["Tab", "Tab", "Tab", "Tab", "Right", "Right", "Escape"]);
    let foggy = person.scene();
    assert!(foggy["preset"] != before["preset"], "the arrows move the slider");
    assert_eq!(foggy["viewer"], before["viewer"], "and nobody walks");
    press(&["d"]);
    assert_ne!(person.scene()["viewer"], before["viewer"], "the map has the keys again");
    press(&["Tab", "Tab", "Tab", "Tab", "Tab", "shift+Tab", "Left", "Left", "Escape"]);
    assert!(person.scene()["preset"] != foggy["preset"], "Shift and Tab lead back to the slider");
}
