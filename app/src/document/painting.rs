//! Strokes of a brush on the land of the document.

use super::shown::Shown;
use super::state::Document;
use farsight_scene::world::{Brush, Stroke};

/// The key of the step of a stroke, which grows until [`Document::end_step`].
const KEY: &str = "strokes";

impl Document {
    /// Paints a stroke as an undoable step. A stroke that starts at the end of the last one extends it, if the step of
    /// the last one has not ended. It is an error without a scene, or if its land has no such brush.
    pub(crate) fn paint(&mut self, stroke: Stroke, shown: &Shown) -> Result<(), String> {
        let scene = self.scene.as_ref().ok_or("there is no scene yet")?;
        if stroke.brush.is_of_worlds() != scene.world().is_some() {
            let land = if scene.world().is_some() { "open country" } else { "a map" };
            return Err(format!("the brush \"{}\" does not paint {land}", stroke.brush.name()));
        }
        let mut strokes = self.preset().strokes.clone();
        let last = strokes.last_mut().filter(|_| self.history.has_open_step(Some(KEY)));
        match last.filter(|last| is_continued(last, &stroke)) {
            Some(last) => lengthen(last, &stroke),
            None => strokes.push(stroke),
        }
        if strokes.len() > Stroke::MAX_STROKES {
            return Err(format!("there are {} strokes already, which is the most", Stroke::MAX_STROKES));
        }
        let cells = scene.cells_under(&strokes);
        let preset = self.preset().clone().with_strokes(strokes).with_cells(cells);
        preset.check().map_err(|error| error.to_string())?;
        self.edit(preset, Some(KEY), shown);
        Ok(())
    }

    /// Settles climate and rivers after the last stroke, in the step of that stroke unless it has ended. It is an error
    /// without a stroke.
    pub(crate) fn settle_land(&mut self, shown: &Shown) -> Result<(), String> {
        let mut preset = self.preset().clone();
        let last = preset.strokes.last_mut().ok_or("there is no stroke that climate and rivers could follow")?;
        last.settles = true;
        self.edit(preset, Some(KEY), shown);
        Ok(())
    }

    /// Ends the current step. After a stroke that changes ground or water, climate and rivers settle if that option is on.
    pub(crate) fn end_stroke(&mut self, settles: bool, shown: &Shown) -> Result<(), String> {
        let changes_ground = self.preset().strokes.last().is_some_and(|stroke| stroke.brush.changes_ground());
        if settles && changes_ground && self.history.has_open_step(Some(KEY)) {
            self.settle_land(shown)?;
        }
        self.end_step();
        Ok(())
    }

    /// Returns the brushes of the land of the scene.
    pub(crate) fn brushes(&self) -> impl Iterator<Item = Brush> + use<> {
        let is_world = self.has_landscape();
        Brush::ALL.iter().copied().filter(move |brush| brush.is_of_worlds() == is_world)
    }
}

fn is_continued(last: &Stroke, stroke: &Stroke) -> bool {
    let is_alike = (last.brush, last.radius, last.strength) == (stroke.brush, stroke.radius, stroke.strength);
    is_alike
        && !last.settles
        && last.points.last() == stroke.points.first()
        && last.points.len() + stroke.points.len() <= Stroke::MAX_POINTS
}

/// Appends the points of a stroke that starts at the last point of another, without points on a straight line between their neighbours.
fn lengthen(last: &mut Stroke, stroke: &Stroke) {
    for &point in &stroke.points[1..] {
        if let [.., before, end] = last.points[..]
            && (end - before).as_dvec2().perp_dot((point - end).as_dvec2()) == 0.0
            && (end - before).as_dvec2().dot((point - end).as_dvec2()) >= 0.0
        {
            last.points.pop();
        }
        last.points.push(point);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Command, DocumentOptions};
    use farsight::Job;
    use farsight::grid::CellRect;
    use farsight_scene::preset::Preset;
    use farsight_scene::scene::{Layer, Scene};
    use farsight_scene::world::WorldConfig;
    use glam::{IVec2, ivec2};

    fn document(preset: Preset) -> (Document, Shown) {
        let options = DocumentOptions { preset, ..DocumentOptions::default() };
        let (mut document, mut shown) = (Document::new(options), Shown::default());
        while !document.is_settled() {
            document.advance(0.0, &mut shown).unwrap();
        }
        (document, shown)
    }

    fn small() -> Preset {
        Preset::shipped_default().with_world(WorldConfig::default().with_width(96).with_height(80))
    }

    fn bits(document: &Document) -> Vec<u32> {
        let scene = document.scene().unwrap();
        let map = CellRect::of_size(scene.size());
        let layers = Layer::ALL.iter().copied().filter_map(|layer| scene.layer(layer, map).ok());
        let values = layers.flat_map(|layer| layer.as_slice().iter().map(|value| value.to_bits()).collect::<Vec<_>>());
        values.chain(map.cells().map(|cell| scene.memory(cell) as u32)).collect()
    }

    fn line(brush: Brush, from: IVec2, to: IVec2) -> Stroke {
        Stroke::new(brush, [from, to]).with_radius(5)
    }

    #[test]
    fn each_stroke_is_undone_by_itself_and_all_of_them_give_the_same_bits_as_before() {
        let (mut document, mut shown) = document(small());
        let first = (bits(&document), document.preset().clone());
        let at = document.scene().unwrap().viewer();
        let mut after = vec![first.clone()];
        for (i, brush) in document.brushes().enumerate() {
            let start = at + ivec2(i as i32 - 3, 6);
            for step in 0..4 {
                let from = start + ivec2(step * 3, step % 2);
                document.paint(line(brush, from, start + ivec2(step * 3 + 3, (step + 1) % 2)), &shown).unwrap();
            }
            document.end_step();
            assert_eq!(document.preset().strokes.len(), i + 1);
            after.push((bits(&document), document.preset().clone()));
        }
        assert!(after.windows(2).filter(|pair| pair[0].0 != pair[1].0).count() > 4);
        for (i, then) in after[..after.len() - 1].iter().enumerate().rev() {
            document.execute(Command::Undo, &mut shown).unwrap();
            assert_eq!(document.preset(), &then.1);
            assert!(bits(&document) == then.0, "{i} strokes");
        }
        for (i, then) in after.iter().enumerate().skip(1) {
            document.execute(Command::Redo, &mut shown).unwrap();
            assert!(bits(&document) == then.0, "{i} strokes again");
        }
    }

    #[test]
    fn climate_and_rivers_settle_in_the_background_when_the_stroke_ends() {
        let (mut document, mut shown) = document(small());
        let settle = |document: &mut Document, shown: &mut Shown| {
            while !document.is_settled() {
                document.advance(0.0, shown).unwrap();
            }
        };
        let first = bits(&document);
        let at = document.scene().unwrap().viewer();
        let mut after = vec![first];
        for brush in [Brush::Raise, Brush::Plant, Brush::Lower] {
            document.paint(line(brush, at - ivec2(9, 9), at + ivec2(9, -9)), &shown).unwrap();
            document.end_stroke(true, &shown).unwrap();
            assert_eq!(document.is_stale(), brush != Brush::Plant, "plants change no climate");
            settle(&mut document, &mut shown);
            after.push(bits(&document));
        }
        assert_eq!(document.undo_steps().undo, 3, "a stroke and what follows from it are one step");
        let preset = document.preset().clone();
        assert_eq!(preset.strokes.iter().map(|stroke| stroke.settles).collect::<Vec<_>>(), [true, false, true]);
        let fresh = Scene::generate(preset, Some(at), Job::none()).unwrap();
        let world = |scene: &Scene| std::sync::Arc::clone(scene.world().unwrap());
        assert!(world(document.scene().unwrap()) == world(&fresh));
        for then in after[..3].iter().rev() {
            document.execute(Command::Undo, &mut shown).unwrap();
            settle(&mut document, &mut shown);
            assert!(bits(&document) == *then);
        }
        for then in &after[1..] {
            document.execute(Command::Redo, &mut shown).unwrap();
            settle(&mut document, &mut shown);
            assert!(bits(&document) == *then);
        }
    }

    #[test]
    fn a_stroke_has_no_points_on_a_straight_line() {
        let (mut document, shown) = document(small());
        for x in 10..20 {
            document.paint(line(Brush::Plant, ivec2(x, 9), ivec2(x + 1, 9)), &shown).unwrap();
        }
        document.paint(line(Brush::Plant, ivec2(20, 9), ivec2(24, 13)), &shown).unwrap();
        assert_eq!(document.preset().strokes[0].points, [ivec2(10, 9), ivec2(20, 9), ivec2(24, 13)]);
        document.paint(line(Brush::Plant, ivec2(3, 3), ivec2(4, 3)), &shown).unwrap();
        document.paint(line(Brush::Clear, ivec2(4, 3), ivec2(6, 3)), &shown).unwrap();
        assert_eq!(document.preset().strokes.len(), 3);
        assert_eq!(document.undo_steps().undo, 1, "the step has not ended");
        for wrong in
            [line(Brush::Wall, ivec2(4, 3), ivec2(6, 3)), line(Brush::Raise, ivec2(4, 3), ivec2(6, 3)).with_radius(101)]
        {
            assert!(document.paint(wrong, &shown).is_err());
        }
        assert_eq!(document.preset().strokes.len(), 3);
    }
}
