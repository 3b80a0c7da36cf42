//! [`PanoramaStrip`]: the panorama of the viewer, below the map.

use egui::{
    Align2, Color32, ColorImage, Context, FontId, Rect, Response, Sense, Stroke, TextureHandle, TextureOptions, Ui,
};
use egui_macroquad::egui;

use crate::window::command::WindowCommand;
use farsight::perception::Recognition;
use farsight_scene::panorama::{Panorama, PanoramaOptions, PanoramaPainter};
use farsight_scene::scene::Scene;
use glam::IVec2;

/// The height of the strip as a fraction of map and strip: in a window, and on a phone in portrait orientation.
const SHARE: f32 = 0.28;
const SHARE_ON_UPRIGHT_PHONE: f32 = 0.33;
const HEIGHTS: [f32; 2] = [80.0, 420.0];
/// The initial field of view of a strip in portrait orientation, in degrees.
const FIELD_ON_PHONE_DEG: f64 = 100.0;
/// The minimum field of view in degrees.
const NARROWEST_DEG: f64 = 10.0;
/// The change of the field of view per point of the wheel, as a fraction.
const FIELD_PER_POINT: f64 = 0.003;
/// The minimum height of map and strip in points with a strip that was not asked for.
const MIN_HEIGHT_AT_START: f32 = 440.0;
/// The number of directions, and of those on each side that count for the widest view.
const DIRECTIONS: usize = 36;
const DIRECTIONS_ASIDE: usize = 4;
const MARK: Color32 = Color32::from_rgb(200, 38, 44);
const RIM: Color32 = Color32::from_rgb(255, 250, 236);

/// The strip below the map. It is repainted only after a change of the scene, the direction or the size.
pub(crate) struct PanoramaStrip {
    pub(crate) is_open: bool,
    /// Whether it leaves its place to a low map, since nobody asked for it.
    yields: bool,
    has_yielded: bool,
    /// Its place on the screen in points, while it is shown.
    pub(crate) place: Option<Rect>,
    /// The cell below the pointer in the strip.
    pub(crate) hovered: Option<IVec2>,
    middle_deg: f64,
    /// `None` until the strip is shown.
    field_deg: Option<f64>,
    painter: PanoramaPainter,
    painted: Option<PaintedPanorama>,
}

/// A panorama, or the reason why there is none, with its input.
struct PaintedPanorama {
    revision: u64,
    options: PanoramaOptions,
    panorama: Result<Panorama, String>,
    texture: Option<TextureHandle>,
}

/// The shown state.
#[derive(Clone, Copy)]
pub(crate) struct StripInput {
    /// The revision of the scene.
    pub(crate) revision: u64,
    /// The cell of the map that is marked on the strip.
    pub(crate) marked: Option<IVec2>,
    /// The latitude of the viewer in degrees, if it is known.
    pub(crate) latitude_deg: Option<f64>,
    /// The meridian convergence at the viewer in degrees, if it is known.
    pub(crate) convergence_deg: Option<f64>,
    /// `true` on an upright phone, on which the strip is higher.
    pub(crate) is_upright_phone: bool,
    /// Whether the strip lacks space.
    pub(crate) is_hidden: bool,
    /// Whether a click explains a cell.
    pub(crate) asks: bool,
}

impl Default for PanoramaStrip {
    fn default() -> Self {
        Self {
            is_open: false,
            yields: false,
            has_yielded: false,
            place: None,
            hovered: None,
            middle_deg: 0.0,
            field_deg: None,
            painter: PanoramaPainter::default(),
            painted: None,
        }
    }
}

impl PanoramaStrip {
    /// Opens the strip at the start of the window, unless the window is too low.
    pub(crate) fn open_at_start(&mut self, is_open: bool) {
        (self.is_open, self.yields) = (is_open, true);
    }

    pub(crate) fn toggle(&mut self) {
        self.is_open = !self.is_shown();
        (self.yields, self.has_yielded) = (false, false);
    }

    pub(crate) fn is_shown(&self) -> bool {
        self.is_open && !self.has_yielded
    }

    /// Turns to the widest view of the viewer.
    pub(crate) fn face_widest_view(&mut self, scene: &Scene) {
        self.middle_deg = widest_view_deg(scene);
    }

    /// Shows the strip at the lower edge of the free part of the window, if it is open. Returns the command of a click on it.
    pub(crate) fn show(&mut self, context: &Context, scene: &Scene, input: StripInput) -> Option<WindowCommand> {
        (self.hovered, self.place) = (None, None);
        let is_absent = scene.world().is_none() || input.is_hidden;
        self.has_yielded = self.yields && context.available_rect().height() < MIN_HEIGHT_AT_START;
        if !self.is_shown() || is_absent {
            self.painted = None;
            return None;
        }
        let share = if input.is_upright_phone { SHARE_ON_UPRIGHT_PHONE } else { SHARE };
        let height = (context.available_rect().height() * share).clamp(HEIGHTS[0], HEIGHTS[1]);
        let panel = egui::TopBottomPanel::bottom("panorama").exact_height(height).frame(egui::Frame::new());
        panel.show_separator_line(false).show(context, |ui| self.show_picture(ui, scene, input)).inner
    }

    fn show_picture(&mut self, ui: &mut Ui, scene: &Scene, input: StripInput) -> Option<WindowCommand> {
        let (place, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
        self.place = Some(place);
        let field_deg = self.turn(ui, place, &response);
        let pixels = place.size() * ui.ctx().pixels_per_point();
        let [width, height] = [(pixels.x, PanoramaOptions::WIDTHS), (pixels.y, PanoramaOptions::HEIGHTS)]
            .map(|(pixels, range)| (pixels.round() as u32).clamp(*range.start(), *range.end()));
        let options = PanoramaOptions::default().with_width(width).with_height(height).with_samples(1);
        let mut options = options.with_middle_deg(self.middle_deg).with_field_deg(field_deg);
        options.latitude_deg = input.latitude_deg.unwrap_or(options.latitude_deg);
        options.convergence_deg = input.convergence_deg.unwrap_or(0.0);
        self.paint(ui.ctx(), scene, input.revision, options);
        let painted = self.painted.as_ref()?;
        let panorama = match (&painted.panorama, &painted.texture) {
            (Ok(panorama), Some(texture)) => {
                let whole = Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
                ui.painter().image(texture.id(), place, whole, Color32::WHITE);
                panorama
            }
            (Err(reason), _) => {
                let colour = ui.visuals().text_color();
                ui.painter().text(place.center(), Align2::CENTER_CENTER, reason, FontId::proportional(14.0), colour);
                return None;
            }
            (Ok(_), None) => return None,
        };
        let scale = egui::vec2(place.width() / width as f32, place.height() / height as f32);
        if let Some([x, y]) = input.marked.and_then(|cell| self.painter.pixel_of(scene, panorama, cell)) {
            let at = place.min + egui::vec2(x as f32, y as f32) * scale;
            let at = at.clamp(place.min + egui::vec2(0.0, 6.0), place.max - egui::vec2(0.0, 6.0));
            ui.painter().circle_stroke(at, 6.0, Stroke::new(3.5, RIM));
            ui.painter().circle_stroke(at, 6.0, Stroke::new(2.0, MARK));
        }
        let at = response.hover_pos()? - place.min;
        let cell = self.painter.cell_at(scene, panorama, (at.x / scale.x) as usize, (at.y / scale.y) as usize)?;
        self.hovered = Some(cell);
        let is_asked = response.secondary_clicked() || input.asks && response.clicked();
        is_asked.then_some(WindowCommand::Pin(cell))
    }

    /// Turns with a drag, and narrows or widens the field of view with the wheel or two fingers. Returns it in degrees.
    fn turn(&mut self, ui: &Ui, place: Rect, response: &Response) -> f64 {
        let is_narrow = place.width() < 2.0 * place.height();
        let field_deg = self.field_deg.get_or_insert(if is_narrow { FIELD_ON_PHONE_DEG } else { 360.0 });
        let by = f64::from(response.drag_delta().x / place.width().max(1.0)) * *field_deg;
        self.middle_deg = (self.middle_deg - by).rem_euclid(360.0);
        if response.hovered() {
            let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta.y, input.zoom_delta()));
            let factor = (1.0 - f64::from(wheel) * FIELD_PER_POINT).clamp(0.5, 2.0) / f64::from(pinch).clamp(0.5, 2.0);
            *field_deg = (*field_deg * factor).clamp(NARROWEST_DEG, 360.0);
        }
        *field_deg
    }

    fn paint(&mut self, context: &Context, scene: &Scene, revision: u64, options: PanoramaOptions) {
        let is_same = |painted: &PaintedPanorama| painted.revision == revision && painted.options == options;
        if self.painted.as_ref().is_some_and(is_same) {
            return;
        }
        let panorama = self.painter.paint(scene, &options, &[]).map_err(|error| error.to_string());
        let old = self.painted.take().and_then(|painted| painted.texture);
        let texture = panorama.as_ref().ok().map(|panorama| {
            let picture = panorama.picture();
            let image = ColorImage::from_rgba_unmultiplied([picture.width(), picture.height()], picture.rgba());
            match old {
                Some(mut texture) => {
                    texture.set(image, TextureOptions::LINEAR);
                    texture
                }
                None => context.load_texture("panorama", image, TextureOptions::LINEAR),
            }
        });
        self.painted = Some(PaintedPanorama { revision, options, panorama, texture });
    }
}

/// Returns the direction in which the viewer sees farthest over a wide angle, in degrees clockwise from the top of the map.
fn widest_view_deg(scene: &Scene) -> f64 {
    let mut seen = [0.0; DIRECTIONS];
    let step_deg = 360.0 / DIRECTIONS as f64;
    for cell in scene.seen_frame().cells().filter(|cell| scene.sense(*cell) != Recognition::Hidden) {
        let offset = (cell - scene.viewer()).as_dvec2();
        let bearing_deg = offset.x.atan2(-offset.y).to_degrees().rem_euclid(360.0);
        seen[(bearing_deg / step_deg).round() as usize % DIRECTIONS] += offset.length();
    }
    let around = |middle: usize| -> f64 {
        (0..=2 * DIRECTIONS_ASIDE).map(|i| seen[(middle + DIRECTIONS + i - DIRECTIONS_ASIDE) % DIRECTIONS]).sum()
    };
    let widest = (0..DIRECTIONS).max_by(|a, b| around(*a).total_cmp(&around(*b)).then(b.cmp(a))).unwrap_or(0);
    widest as f64 * step_deg
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight::Job;
    use farsight::sight::OpacityMap;
    use farsight_scene::preset::Preset;
    use glam::ivec2;

    #[test]
    fn the_widest_view_is_where_no_wall_is() {
        let row = format!("{}#{}\n", ".".repeat(30), ".".repeat(30));
        let map = OpacityMap::from_text(&row.repeat(61)).unwrap();
        let widest = |viewer| {
            let mut preset = Preset::bare_kernel();
            preset.sight.radius = 20;
            let scene = Scene::from_map(preset, map.clone(), Some(viewer), Job::none()).unwrap();
            widest_view_deg(&scene)
        };
        let [west, east, south_west] = [ivec2(29, 30), ivec2(31, 30), ivec2(29, 2)].map(widest);
        assert!((200.0..=340.0).contains(&west) && (20.0..=160.0).contains(&east), "{west} {east}");
        assert!((200.0..=250.0).contains(&south_west), "{south_west}");
    }
}
