//! [`Slots`]: the layout over the map, which stacks strips and cards by their measured sizes.

use egui::{
    Align2, Area, Button, Context, Frame, Id, Label, Rangef, Rect, RichText, ScrollArea, Sense, Ui, Vec2, vec2,
};
use egui_macroquad::egui;

use super::theme::OVER_MAP_GROUND;

/// The margin of strips and cards to the edges of the map, in points.
pub(crate) const MARGIN: f32 = 8.0;

/// The spacing of strips and cards, in points.
const GAP: f32 = 6.0;

/// The minimum height of a card that scrolls, in points. It is hidden in less space.
const MIN_SCROLLED_HEIGHT: f32 = 48.0;

/// The start of a stack at the upper or lower edge of the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Slot {
    UpperLeft,
    UpperMiddle,
    UpperRight,
    LowerLeft,
    LowerRight,
    /// At the upper edge, left of a column in points, centred on it, or right of it.
    LeftOf(f32),
    At(f32),
    RightOf(f32),
}

impl Slot {
    fn pivot(self) -> Align2 {
        match self {
            Self::UpperLeft | Self::RightOf(_) => Align2::LEFT_TOP,
            Self::UpperMiddle | Self::At(_) => Align2::CENTER_TOP,
            Self::UpperRight | Self::LeftOf(_) => Align2::RIGHT_TOP,
            Self::LowerLeft => Align2::LEFT_BOTTOM,
            Self::LowerRight => Align2::RIGHT_BOTTOM,
        }
    }

    /// Returns the columns of a card of some width.
    fn columns(self, free: Rect, width: f32) -> Rangef {
        let pivot = self.pivot();
        let at = match self {
            Self::LeftOf(x) | Self::At(x) | Self::RightOf(x) => x,
            _ => pivot.pos_in_rect(&free).x,
        };
        let left = at - width * pivot.x().to_factor();
        let left = left.min(free.right() - width).max(free.left());
        Rangef::new(left, left + width.min(free.width()))
    }
}

/// A strip or a card over the map.
pub(crate) struct Card {
    name: &'static str,
    slot: Slot,
    frame: Frame,
    is_clickable: bool,
    scroll: Option<ScrollArea>,
}

impl Card {
    /// Creates a card with the background of a popup, which passes clicks to the map.
    pub(crate) fn new(context: &Context, name: &'static str, slot: Slot) -> Self {
        Self { name, slot, frame: Frame::popup(&context.style()), is_clickable: false, scroll: None }
    }

    pub(crate) fn frame(self, frame: Frame) -> Self {
        Self { frame, ..self }
    }

    /// Keeps the clicks on the card from the map.
    pub(crate) fn clickable(self, is_clickable: bool) -> Self {
        Self { is_clickable, ..self }
    }

    /// Scrolls content that does not fit.
    pub(crate) fn scroll(self, scroll: ScrollArea) -> Self {
        Self { scroll: Some(scroll), ..self }
    }
}

/// The free part of the map and the occupied places in it. A card gets the free place nearest to the start of its slot,
/// so that cards do not overlap; without a place it is hidden.
pub(crate) struct Slots<'a> {
    pub(crate) context: &'a Context,
    /// The map above its legend, without a margin.
    pub(crate) free: Rect,
    taken: Vec<Rect>,
    /// The name and the place of the last shown card.
    last: Option<(&'static str, Rect)>,
}

impl<'a> Slots<'a> {
    /// Returns the empty slots of a part of the window, in points.
    pub(crate) fn new(context: &'a Context, map: Rect) -> Self {
        let free = map.shrink2(Vec2::splat(MARGIN).min(map.size() / 2.0));
        Self { context, free, taken: Vec::new(), last: None }
    }

    /// Keeps a place free of cards.
    pub(crate) fn take(&mut self, place: Rect) {
        self.taken.push(place);
    }

    /// Shows a card. Returns the result of its content; `None` without space.
    pub(crate) fn show<R>(&mut self, card: Card, content: impl FnOnce(&mut Ui) -> R) -> Option<R> {
        let Card { name, slot, frame, is_clickable, scroll } = card;
        let id = Id::new(name);
        let wanted = self.context.data(|data| data.get_temp(id)).unwrap_or(Vec2::ZERO);
        let least = if scroll.is_some() { wanted.y.min(MIN_SCROLLED_HEIGHT) } else { wanted.y };
        let room = self.room(slot, wanted, least)?;
        let sense = if is_clickable { Sense::CLICK } else { Sense::HOVER };
        let area = Area::new(id).sense(sense).interactable(is_clickable).fade_in(false);
        let pivot = slot.pivot();
        let shown = area.pivot(pivot).fixed_pos(pivot.pos_in_rect(&room)).show(self.context, |ui| {
            // An area keeps the size of the previous frame, even after a tiny window or a shorter text.
            ui.set_max_size(vec2(self.free.width(), room.height()));
            let inside = |ui: &mut Ui| {
                let Some(scroll) = scroll else { return (content(ui), 0.0) };
                let height = room.height() - frame.total_margin().sum().y;
                let shown = scroll.max_height(height).min_scrolled_height(0.0).show(ui, content);
                (shown.inner, shown.content_size.y - shown.inner_rect.height())
            };
            frame.show(ui, inside).inner
        });
        let (answer, hidden_height) = shown.inner;
        let size = shown.response.rect.size() + vec2(0.0, hidden_height);
        self.context.data_mut(|data| data.insert_temp(id, size));
        self.taken.push(shown.response.rect);
        self.last = Some((name, shown.response.rect));
        Some(answer)
    }

    /// Returns the place of the last shown card, if it has this name.
    pub(crate) fn last_place(&self, name: &str) -> Option<Rect> {
        self.last.filter(|(last, _)| *last == name).map(|(_, place)| place)
    }

    /// Shows a line of text on a dark background, which passes clicks to the map.
    pub(crate) fn show_line(&mut self, name: &'static str, slot: Slot, text: RichText) {
        let frame = Frame::new().fill(OVER_MAP_GROUND).inner_margin(4).corner_radius(4);
        self.show(Card::new(self.context, name, slot).frame(frame), |ui| ui.add(Label::new(text).wrap()));
    }

    /// Shows a button. Returns `true` if it is clicked.
    pub(crate) fn show_button(&mut self, name: &'static str, slot: Slot, button: Button<'_>) -> bool {
        let card = Card::new(self.context, name, slot).frame(Frame::new()).clickable(true);
        self.show(card, |ui| ui.add(button).clicked()).unwrap_or(false)
    }

    /// Returns the width of a card that wraps or shrinks: the maximum up to `max` at the place nearest to the start of
    /// the slot with a minimum width and height. `None` without such a place.
    pub(crate) fn width_for(&self, slot: Slot, least: Vec2, max: f32) -> Option<f32> {
        let max = max.min(self.free.width());
        let beside = self.taken.iter().map(|taken| match slot.pivot().x() {
            egui::Align::Max => self.free.right() - taken.right() - GAP,
            _ => taken.left() - GAP - self.free.left(),
        });
        let widths = beside.chain([max]).filter(|width| (least.x..=max).contains(width));
        let distance = |room: Rect| match slot.pivot().y() {
            egui::Align::Max => self.free.bottom() - room.bottom(),
            _ => room.top() - self.free.top(),
        };
        let places =
            widths.filter_map(|width| Some((distance(self.room(slot, vec2(width, least.y), least.y)?), -width)));
        places.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))).map(|(_, width)| -width)
    }

    /// Returns the free place of a card: the nearest to the start of the slot with its size, or else the highest place
    /// with the minimum height.
    fn room(&self, slot: Slot, size: Vec2, least: f32) -> Option<Rect> {
        const ROUNDING: f32 = 0.5;
        let columns = slot.columns(self.free, size.x);
        let column = Rect::from_x_y_ranges(columns, self.free.y_range());
        let mut taken: Vec<Rangef> = (self.taken.iter().map(|taken| taken.expand(GAP)))
            .filter(|taken| taken.shrink(ROUNDING).intersects(column))
            .map(|taken| taken.y_range())
            .collect();
        taken.sort_by(|a, b| a.min.total_cmp(&b.min));
        taken.push(Rangef::point(self.free.bottom()));
        let mut top = self.free.top();
        let mut rooms: Vec<Rect> = Vec::new();
        for Rangef { min, max } in taken {
            if min > top {
                rooms.push(Rect::from_x_y_ranges(columns, top..=min));
            }
            top = top.max(max);
        }
        if slot.pivot().y() == egui::Align::Max {
            rooms.reverse();
        }
        let highest = || rooms.iter().max_by(|a, b| a.height().total_cmp(&b.height()));
        let fitting = rooms.iter().find(|room| room.height() + ROUNDING >= size.y);
        fitting.or_else(highest).copied().filter(|room| room.height() + ROUNDING >= least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Pos2, RawInput, pos2};

    const MAP: Rect = Rect { min: Pos2::ZERO, max: pos2(400.0, 300.0) };

    /// A card with a name, in a slot, with a size, and whether it scrolls.
    type Item = (&'static str, Slot, Vec2, bool);

    /// Shows cards until each has a known size, at most one more per frame, and returns the places of the shown cards.
    fn places(map: Rect, minimap: Option<Rect>, items: &[Item]) -> Vec<(&'static str, Rect)> {
        let (context, mut places) = (Context::default(), Vec::new());
        for _ in 0..items.len() + 3 {
            let input = RawInput { screen_rect: Some(map), ..RawInput::default() };
            let _ = context.run(input, |context| {
                let mut slots = Slots::new(context, map);
                minimap.into_iter().for_each(|place| slots.take(place));
                places.clear();
                for &(name, slot, size, scrolls) in items {
                    let card = Card::new(context, name, slot).frame(Frame::new());
                    let card = if scrolls { card.scroll(ScrollArea::vertical()) } else { card };
                    if slots.show(card, |ui| ui.allocate_space(size)).is_some() {
                        places.extend(slots.taken.last().map(|place| (name, *place)));
                    }
                }
            });
        }
        places
    }

    #[test]
    fn cards_are_stacked_from_their_edges() {
        let size = vec2(100.0, 40.0);
        let items = [("a", Slot::UpperLeft), ("b", Slot::UpperLeft), ("c", Slot::LowerRight), ("d", Slot::LowerRight)];
        let shown = places(MAP, None, &items.map(|(name, slot)| (name, slot, size, false)));
        let corners: Vec<Pos2> = shown.iter().map(|(_, place)| place.min).collect();
        assert_eq!(corners, [pos2(8.0, 8.0), pos2(8.0, 54.0), pos2(292.0, 252.0), pos2(292.0, 206.0)]);
    }

    #[test]
    fn a_card_leaves_the_minimap_free_and_scrolls_in_what_is_left() {
        let minimap = Rect::from_min_max(pos2(260.0, 8.0), pos2(392.0, 140.0));
        let shown = places(MAP, Some(minimap), &[("a", Slot::UpperRight, vec2(250.0, 500.0), true)]);
        assert_eq!(shown[0].1.min, pos2(142.0, 146.0));
        assert_eq!(shown[0].1.max, pos2(392.0, 292.0));
        let shown = places(MAP, Some(minimap), &[("a", Slot::UpperRight, vec2(250.0, 500.0), false)]);
        assert!(shown.is_empty(), "it has no room");
    }

    #[test]
    fn a_card_that_wraps_is_next_to_the_minimap_unless_it_is_too_narrow_there() {
        let context = Context::default();
        let mut slots = Slots::new(&context, MAP);
        assert_eq!(slots.width_for(Slot::UpperLeft, vec2(200.0, 40.0), 350.0), Some(350.0));
        slots.take(Rect::from_min_max(pos2(260.0, 8.0), pos2(392.0, 140.0)));
        assert_eq!(slots.width_for(Slot::UpperLeft, vec2(200.0, 40.0), 350.0), Some(246.0));
        assert_eq!(slots.width_for(Slot::UpperLeft, vec2(300.0, 40.0), 350.0), Some(350.0), "below it");
        assert_eq!(slots.width_for(Slot::LowerLeft, vec2(300.0, 100.0), 350.0), Some(350.0));
        assert_eq!(slots.width_for(Slot::LowerLeft, vec2(300.0, 200.0), 350.0), None);
    }

    #[test]
    fn a_button_is_as_wide_as_its_text_after_a_tiny_window_and_a_shorter_text() {
        /// Shows a button for a few frames in a window of a size, and returns the size of the button.
        fn size_of(context: &Context, window: Vec2, text: &str) -> Vec2 {
            let map = Rect::from_min_size(Pos2::ZERO, window);
            for _ in 0..4 {
                let input = RawInput { screen_rect: Some(map), ..RawInput::default() };
                let _ = context.run(input, |context| {
                    Slots::new(context, map).show_button("button", Slot::UpperMiddle, Button::new(text));
                });
            }
            context.memory(|memory| memory.area_rect("button")).expect("the area was shown").size()
        }
        let (window, long) = (vec2(1280.0, 720.0), "back to the viewer, north-west");
        let fresh = size_of(&Context::default(), window, long);
        let context = Context::default();
        size_of(&context, vec2(60.0, 40.0), "back to the viewer, east");
        assert_eq!(size_of(&context, window, long), fresh);
    }

    proptest::proptest! {
        #[test]
        fn no_card_covers_another_or_leaves_the_map(
            size in (60u16..900, 60u16..700),
            cards in proptest::collection::vec((0usize..8, 1u16..600, 1u16..300, proptest::bool::ANY, 0u16..900), 1..9),
        ) {
            const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
            let map = Rect::from_min_size(Pos2::ZERO, vec2(size.0.into(), size.1.into()));
            let item = |(i, (slot, width, height, scrolls, x)): (usize, (usize, u16, u16, bool, u16))| {
                let x = f32::from(x);
                let slot = [
                    Slot::UpperLeft, Slot::UpperMiddle, Slot::UpperRight, Slot::LowerLeft, Slot::LowerRight,
                    Slot::LeftOf(x), Slot::At(x), Slot::RightOf(x),
                ][slot];
                (NAMES[i], slot, vec2(f32::from(width).min(map.width() - 2.0 * MARGIN), height.into()), scrolls)
            };
            let items: Vec<Item> = cards.into_iter().enumerate().map(item).collect();
            let shown = places(map, None, &items);
            for (i, (name, place)) in shown.iter().enumerate() {
                proptest::prop_assert!(map.expand(0.5).contains_rect(*place), "{name}: {place:?} in {map:?}");
                for (other, earlier) in &shown[..i] {
                    let both = place.intersect(*earlier);
                    proptest::prop_assert!(!both.is_positive(), "{other} {earlier:?} and {name} {place:?}");
                }
            }
        }
    }
}
