//! The drawing of a horizon: ridges behind ridges, paler with distance, over a compass.

use std::fmt::Write;

use super::north::North;
use farsight::horizon::{Horizon, Ridge};

/// The size of the drawing, without its margins.
const WIDTH: f64 = 1440.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 52.0;
const TOP: f64 = 24.0;
const BELOW: f64 = 34.0;

/// The layers of the land, from far to near.
const LAYERS: usize = 20;

/// The maximum natural logarithm of the ratio of distances within one ridge of neighbouring azimuths.
const SAME_RIDGE: f64 = 0.08;

/// Nearer ridges are at the eye, in metres.
const AT_EYE_M: f64 = 1e-3;

/// The colours of the farthest and of the nearest layer.
const FAR: [f64; 3] = [196.0, 206.0, 214.0];
const NEAR: [f64; 3] = [58.0, 74.0, 62.0];

/// The minimum range of elevations of the drawing, in degrees.
const LEAST_RANGE_DEG: f64 = 4.0;

/// Returns the drawing as SVG. `nearer` are the horizons up to the [`layer_distances`].
pub(super) fn drawing(horizon: &Horizon, nearer: &[Horizon], north: North) -> String {
    let skyline = |i: usize| horizon.azimuths()[i].skyline().map(|ridge| ridge.elevation_deg());
    let known: Vec<f64> = (0..horizon.azimuths().len()).filter_map(skyline).collect();
    let (lowest, highest) = known.iter().fold((0.0_f64, 0.0_f64), |(low, high), e| (low.min(*e), high.max(*e)));
    let span = (highest - lowest).max(LEAST_RANGE_DEG);
    let (low, high) = (lowest - 0.25 * span, lowest + 1.12 * span);
    let view = Scales { low, high };
    let (width, height) = (LEFT + WIDTH + 12.0, TOP + HEIGHT + BELOW);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>{}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#f6f2e7\"/>\n\
         <rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#e6ecef\"/>\n",
        match north {
            North::Map => "Horizon".to_owned(),
            _ => format!("Horizon, azimuths{north}"),
        }
    );
    let layers: Vec<&Horizon> = std::iter::once(horizon).chain(nearer).collect();
    draw_layers(&mut svg, &layers, &view);
    draw_ridges(&mut svg, horizon, &view);
    draw_scales(&mut svg, &view);
    svg + "</svg>\n"
}

/// The scales of azimuths and elevations.
struct Scales {
    low: f64,
    high: f64,
}

impl Scales {
    fn x(azimuth_deg: f64) -> f64 {
        LEFT + WIDTH * azimuth_deg / 360.0
    }

    fn y(&self, elevation_deg: f64) -> f64 {
        TOP + HEIGHT * (1.0 - (elevation_deg.clamp(self.low, self.high) - self.low) / (self.high - self.low))
    }
}

/// Returns the maximum distances of the layers, the farthest first, in equal ratios.
pub(super) fn layer_distances(horizon: &Horizon) -> Vec<f64> {
    let distances = || horizon.azimuths().iter().flat_map(|along| &along.ridges).map(|ridge| ridge.distance_m);
    let farthest = distances().fold(1.0, f64::max);
    let nearest = distances().fold(farthest, f64::min).max(farthest / 1e3);
    let share = |layer: usize| layer as f64 / (LAYERS - 1) as f64;
    (1..LAYERS).map(|layer| farthest * (nearest / farthest).powf(share(layer))).collect()
}

/// Draws the land up to some distances, the farthest first.
fn draw_layers(svg: &mut String, layers: &[&Horizon], view: &Scales) {
    let (bottom, right) = (TOP + HEIGHT, LEFT + WIDTH);
    for (layer, horizon) in layers.iter().enumerate() {
        let share = layer as f64 / (LAYERS - 1) as f64;
        let mut points = String::new();
        let tops = horizon.azimuths().iter().map(|along| (along.azimuth_deg, along.skyline()));
        let again = horizon.azimuths().first().map(|along| (360.0, along.skyline()));
        for (azimuth, top) in tops.chain(again) {
            let y = top.map_or(bottom, |ridge| view.y(ridge.elevation_deg()));
            let _ = write!(points, "{:.1},{y:.1} ", Scales::x(azimuth));
        }
        let [red, green, blue] = [0, 1, 2].map(|i| FAR[i] + (NEAR[i] - FAR[i]) * share);
        let _ = writeln!(
            svg,
            "<polygon points=\"{LEFT},{bottom} {points}{right},{bottom}\" fill=\"rgb({red:.0},{green:.0},{blue:.0})\"/>"
        );
    }
}

/// Draws the ridges as lines of ink: from each to that of the next azimuth at about the same distance.
fn draw_ridges(svg: &mut String, horizon: &Horizon, view: &Scales) {
    let azimuths = horizon.azimuths();
    let mut path = String::new();
    for (i, along) in azimuths.iter().enumerate() {
        let next = &azimuths[(i + 1) % azimuths.len()];
        let next_azimuth = if i + 1 == azimuths.len() { 360.0 } else { next.azimuth_deg };
        for ridge in &along.ridges {
            let ratio = |other: &&Ridge| {
                let [other_m, own_m] = [*other, ridge].map(|ridge| ridge.distance_m.max(AT_EYE_M));
                (other_m / own_m).ln().abs()
            };
            let nearest = next.ridges.iter().min_by(|a, b| ratio(a).total_cmp(&ratio(b)));
            if let Some(other) = nearest.filter(|other| ratio(other) < SAME_RIDGE) {
                let [x, next_x] = [along.azimuth_deg, next_azimuth].map(Scales::x);
                let [y, next_y] = [ridge, other].map(|ridge| view.y(ridge.elevation_deg()));
                let _ = write!(path, "M{x:.1} {y:.1}L{next_x:.1} {next_y:.1}");
            }
        }
    }
    let _ = writeln!(
        svg,
        "<path d=\"{path}\" fill=\"none\" stroke=\"#33302a\" stroke-width=\"0.8\" stroke-linecap=\"round\"/>"
    );
}

/// Draws the degrees of elevation at the left and the compass below.
fn draw_scales(svg: &mut String, view: &Scales) {
    let bottom = TOP + HEIGHT;
    // Covers the drawing below the land and at its sides.
    let _ = writeln!(svg, "<rect x=\"{LEFT}\" y=\"{bottom}\" width=\"{WIDTH}\" height=\"{BELOW}\" fill=\"#f6f2e7\"/>");
    let step = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 45.0].into_iter().find(|step| (view.high - view.low) / step <= 8.0);
    let step = step.unwrap_or(90.0);
    let mut elevation = (view.low / step).ceil() * step;
    while elevation <= view.high {
        let y = view.y(elevation);
        let dash = if elevation == 0.0 { "" } else { " stroke-dasharray=\"2 4\"" };
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{:.0}\" y2=\"{y:.1}\" stroke=\"#33302a\" stroke-opacity=\"0.35\"{dash}/>\n\
             <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#33302a\">{}°</text>",
            LEFT + WIDTH,
            LEFT - 6.0,
            y + 4.0,
            elevation + 0.0
        );
        elevation += step;
    }
    for i in 0..=24 {
        let azimuth = f64::from(i) * 15.0;
        let name = match i % 24 {
            0 => "N".to_owned(),
            3 => "NE".to_owned(),
            6 => "E".to_owned(),
            9 => "SE".to_owned(),
            12 => "S".to_owned(),
            15 => "SW".to_owned(),
            18 => "W".to_owned(),
            21 => "NW".to_owned(),
            _ => format!("{azimuth}°"),
        };
        let (x, is_main) = (Scales::x(azimuth), i % 3 == 0);
        let length = if is_main { 8.0 } else { 4.0 };
        let weight = if is_main { "bold" } else { "normal" };
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{bottom}\" x2=\"{x:.1}\" y2=\"{:.0}\" stroke=\"#33302a\"/>\n\
             <text x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"middle\" font-weight=\"{weight}\" fill=\"#33302a\">{name}</text>",
            bottom + length,
            bottom + 22.0
        );
    }
}
