//! The answer to "why can't I see that?".

use farsight::classic::Line;
use farsight::glam::IVec2;

use crate::game::{Game, SEEN_FROM, SIGHT};
use crate::level::opacity;

impl Game {
    /// Returns in words why the thief sees a cell or not.
    pub(crate) fn why(&self, cell: IVec2) -> String {
        let distance = (cell - self.player).as_vec2().length();
        if distance > SIGHT as f32 {
            return format!("Not seen: it is {distance:.0} cells away, and you see {SIGHT} cells far.");
        }
        let between = || Line::between(self.player, cell).filter(|&on_line| on_line != self.player && on_line != cell);
        let visibility = self.view.get(cell);
        if visibility == 0.0 {
            // The line is one of the ways that light takes to the cell, so it is blocked, too.
            let Some(at) = between().find(|&on_line| opacity(self.tiles[on_line]) == 1.0) else { return String::new() };
            let blocker = if self.tiles[at] == '#' { "wall" } else { "closed door" };
            return format!("Not seen: a {blocker} at {at} is in the way.");
        }
        let fog: Vec<IVec2> = between().filter(|&on_line| self.tiles[on_line] == '~').collect();
        let left = (1.0 - opacity('~')).powi(fog.len() as i32);
        let mut reasons = vec![match self.light.level_from(&self.map, cell, self.player) {
            0.0 if self.light.level(cell) > 0.0 => "it is lit only from the other side".to_owned(),
            0.0 => "it is dark there".to_owned(),
            light => format!("the light there is {:.0} %", 100.0 * light),
        }];
        if !fog.is_empty() {
            reasons.push(format!("{} cells of fog leave {:.0} %", fog.len(), 100.0 * left));
        }
        if visibility < 0.8 * left {
            reasons.push(format!("corners leave {:.0} %", 100.0 * visibility / left));
        }
        let verdict = if self.sees(cell) { "Seen" } else { "Not seen" };
        format!("{verdict}: {} (seen from {:.0} % on).", reasons.join(", "), 100.0 * SEEN_FROM)
    }
}
