//! [`Tools`]: the effect of a click on the map.

use crate::window::command::Tool;
use farsight::light::Lamp;
use farsight_scene::creatures::Observer;
use farsight_scene::preset::Preset;
use farsight_scene::world::{Brush, Stroke};
use glam::IVec2;

/// The selected tool, and the lamp and the lookout that it adds.
#[derive(Clone, Debug)]
pub(crate) struct Tools {
    pub(crate) tool: Tool,
    /// The next lamp; its cell is ignored.
    pub(crate) lamp: Lamp,
    /// The cell of the lamp that the panel changes: the last placed lamp, or a selected lamp.
    pub(crate) selected_lamp: Option<IVec2>,
    /// The next lookout; its cell is ignored.
    pub(crate) lookout: Observer,
    pub(crate) brush: Brush,
    /// In cells.
    pub(crate) brush_radius: u32,
    pub(crate) brush_strength: f64,
    /// Whether climate and rivers settle after a stroke that changes ground or water.
    pub(crate) brush_settles: bool,
}

impl Default for Tools {
    fn default() -> Self {
        Self {
            tool: Tool::default(),
            lamp: Lamp::new(IVec2::ZERO),
            selected_lamp: None,
            lookout: Observer::new(IVec2::ZERO),
            brush: Brush::Raise,
            brush_radius: 6,
            brush_strength: 0.5,
            brush_settles: false,
        }
    }
}

impl Tools {
    /// Selects a tool, or the walk if the tool is selected already.
    pub(crate) fn toggle(&mut self, tool: Tool) {
        self.tool = if self.tool == tool { Tool::Walk } else { tool };
    }

    /// Selects a brush by an offset from the selected brush; the first brush of the land if the land lacks that one.
    pub(crate) fn step_brush(&mut self, brushes: &[Brush], by: i32) {
        let chosen = brushes.iter().position(|brush| *brush == self.brush);
        let next = chosen.map_or(0, |i| (i as i32 + by).rem_euclid(brushes.len() as i32) as usize);
        self.brush = brushes.get(next).copied().unwrap_or(self.brush);
    }

    /// Changes the radius of the brush by some cells.
    pub(crate) fn resize_brush(&mut self, by: i32) {
        let radius = self.brush_radius.saturating_add_signed(by);
        self.brush_radius = radius.min(*Stroke::RADIUS.end());
    }

    /// Changes the strength of the brush by some twentieths.
    pub(crate) fn strengthen_brush(&mut self, by: i32) {
        let twentieths = (self.brush_strength * 20.0).round() + f64::from(by);
        self.brush_strength = twentieths.clamp(0.0, 20.0) / 20.0;
    }

    /// Returns a stroke of the brush.
    pub(crate) fn stroke(&self, points: impl IntoIterator<Item = IVec2>) -> Stroke {
        Stroke::new(self.brush, points).with_radius(self.brush_radius).with_strength(self.brush_strength)
    }

    /// Returns a preset with the lamp or lookout on a cell added or removed. `lookouts` are those of the preset on
    /// their present cells.
    pub(crate) fn used_on(&self, preset: &Preset, lookouts: &[Observer], cell: IVec2) -> Preset {
        let mut preset = preset.clone();
        match self.tool {
            Tool::Walk | Tool::Brush | Tool::Name => {}
            Tool::Lamp => {
                toggle_item(&mut preset.lamps, self.lamp.clone().with_at(cell), |lamp| lamp.at == cell);
            }
            Tool::Lookout => {
                match lookouts.iter().position(|lookout| lookout.at == cell).filter(|&i| i < preset.viewers.len()) {
                    Some(i) => drop(preset.viewers.remove(i)),
                    None => preset.viewers.push(self.lookout.clone().with_at(cell)),
                }
            }
        }
        preset
    }

    /// Selects the lamp on a clicked cell, if any.
    pub(crate) fn select_clicked(&mut self, preset: &Preset, cell: IVec2) {
        if self.tool == Tool::Lamp {
            self.selected_lamp = preset.lamps.iter().any(|lamp| lamp.at == cell).then_some(cell);
        }
    }

    /// Returns the lamp that the panel changes, unless it is the next one.
    pub(crate) fn selected<'a>(&self, preset: &'a Preset) -> Option<&'a Lamp> {
        preset.lamps.iter().find(|lamp| Some(lamp.at) == self.selected_lamp)
    }

    /// Returns the hint on the map for the selected tool.
    pub(crate) fn hint(&self, is_touch: bool) -> Option<&'static str> {
        match (self.tool, is_touch) {
            (Tool::Walk | Tool::Brush, _) => None,
            (Tool::Lamp, false) => Some("click: add or remove a lamp    T: done"),
            (Tool::Lookout, false) => Some("click: add or remove a lookout    O: done"),
            (Tool::Name, false) => Some("click: name a place    Esc: done"),
            (Tool::Lamp, true) => Some("tap: add or remove a lamp"),
            (Tool::Lookout, true) => Some("tap: add or remove a lookout"),
            (Tool::Name, true) => Some("tap: name a place"),
        }
    }
}

/// Removes the items on a cell, or else adds one.
fn toggle_item<T>(items: &mut Vec<T>, item: T, is_there: impl Fn(&T) -> bool) {
    let count = items.len();
    items.retain(|item| !is_there(item));
    if items.len() == count {
        items.push(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight::light::Rgb;
    use glam::ivec2;

    #[test]
    fn a_lamp_is_added_to_a_cell_and_removed_again() {
        let mut tools = Tools::default();
        let preset = Preset::default();
        assert_eq!(tools.used_on(&preset, &[], ivec2(3, 4)), preset, "the walk adds nothing");
        tools.toggle(Tool::Lamp);
        tools.lamp.colour = Rgb([1, 2, 3]);
        let lit = tools.used_on(&preset, &[], ivec2(3, 4));
        assert_eq!(lit.lamps, [Lamp::new(ivec2(3, 4)).with_colour(Rgb([1, 2, 3]))]);
        tools.select_clicked(&lit, ivec2(3, 4));
        assert_eq!(tools.selected(&lit), lit.lamps.first(), "the lamp that was placed is changed");
        let two = tools.used_on(&lit, &[], ivec2(5, 4));
        assert_eq!(two.lamps.len(), 2);
        assert_eq!(tools.used_on(&two, &[], ivec2(3, 4)).lamps, [two.lamps[1].clone()]);
        tools.tool = Tool::Lookout;
        let tower = tools.used_on(&preset, &[], ivec2(3, 4));
        let moved = [tower.viewers[0].clone().with_at(ivec2(6, 4))];
        assert_eq!(tools.used_on(&tower, &moved, ivec2(6, 4)).viewers, [], "where it is now");
        assert_eq!(tools.used_on(&tower, &moved, ivec2(3, 4)).viewers.len(), 2);
        tools.tool = Tool::Lamp;
        tools.select_clicked(&preset, ivec2(3, 4));
        assert_eq!(tools.selected(&preset), None, "it was removed");
        tools.toggle(Tool::Lamp);
        assert_eq!(tools.tool, Tool::Walk);
    }

    #[test]
    fn the_brush_has_a_kind_a_size_and_a_strength() {
        let mut tools = Tools::default();
        tools.step_brush(&[Brush::Raise, Brush::Lower], -1);
        assert_eq!(tools.brush, Brush::Lower);
        tools.step_brush(&[Brush::Wall, Brush::Door], 1);
        assert_eq!(tools.brush, Brush::Wall, "the land has other brushes");
        tools.resize_brush(-90);
        assert_eq!(tools.brush_radius, 0);
        tools.resize_brush(1000);
        tools.strengthen_brush(3);
        let stroke = tools.stroke([ivec2(1, 2)]);
        assert_eq!((stroke.brush, stroke.radius, stroke.strength), (Brush::Wall, 100, 0.65));
        tools.strengthen_brush(100);
        assert_eq!(tools.brush_strength, 1.0);
    }
}
