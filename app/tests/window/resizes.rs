//! A window that is driven at random lives through sizes from 60 × 40 to 3000 × 2000.

use tempfile::TempDir;

use super::{Random, assert_alive, start_for_random_input, xdotool};

#[test]
#[ignore = "needs a display and xdotool"]
fn random_input_and_resizes_leave_it_alive() {
    const ROUNDS: usize = 24;
    let folder = TempDir::new().unwrap();
    let (mut window, id) = start_for_random_input(folder.path());
    let mut random = Random(23);
    for round in 0..ROUNDS {
        let [width, height] = match round % 4 {
            0 => [60, 40],
            2 => [3000, 2000],
            _ => [60 + random.below(2941), 40 + random.below(1961)],
        };
        xdotool(&["windowsize", &id, &width.to_string(), &height.to_string()]);
        let batch: Vec<String> = (0..20).flat_map(|_| random.event()).collect();
        xdotool(&batch.iter().map(String::as_str).collect::<Vec<_>>());
        assert_alive(&mut window, folder.path(), 20 * (round + 1));
    }
    window.kill().unwrap();
    window.wait().unwrap();
}
