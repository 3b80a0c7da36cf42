//! The places that several observers see, as tables: [`CumulativeView::seen_places`] has a row for each place, and
//! [`CumulativeView::place_pairs`] one for each pair of place and observer.

use std::f64::consts::PI;

use glam::{DVec2, dvec2};

use super::cumulative_view::CumulativeView;
use super::placed_observer::PlacedObserver;
use crate::files::{Features, FieldKind, FieldValue, Geometry, Georeference, Provenance, Table, TableColumn};
use crate::world::World;

/// The map of a table of places.
#[derive(Clone, Copy)]
pub struct PlaceMap<'a> {
    /// The world of the view.
    pub world: &'a World,
    /// The position of the world.
    pub georeference: &'a Georeference,
}

impl PlaceMap<'_> {
    /// Returns the offset in metres from a place to an observer, to the east and to the north of the raster. Both are points,
    /// not the centres of their cells.
    fn offset_m(&self, place: &PlacedObserver, observer: &PlacedObserver) -> DVec2 {
        let (cell_size, [width, height]) = (self.world.cell_size_at(observer.cell), self.georeference.cell);
        (observer.position - place.position) * dvec2(cell_size.x_m / width, cell_size.y_m / height)
    }
}

impl CumulativeView {
    /// Returns the places with the observers that see them: points on a georeferenced raster with the columns `place`, `x`, `y`, `count`,
    /// `nearest_m` and `observers`. The last has the names of the observers, separated by `; `. The views must have been computed with
    /// [`seen_cells`](super::CumulativeParts::seen_cells).
    pub fn seen_places(
        &self,
        map: PlaceMap<'_>,
        observers: &[PlacedObserver],
        places: &[PlacedObserver],
        provenance: Provenance,
    ) -> Features {
        let row = |place: &PlacedObserver| {
            let seeing = observers.iter().zip(&self.seen_cells).filter(|(_, seen)| seen.contains(place.cell));
            let seeing: Vec<&PlacedObserver> = seeing.map(|(observer, _)| observer).collect();
            let distance_m = |observer: &&PlacedObserver| map.offset_m(place, observer).length();
            let names: Vec<&str> = seeing.iter().map(|observer| observer.name.as_str()).collect();
            vec![
                FieldValue::Text(place.name.clone()),
                FieldValue::Real(place.position.x),
                FieldValue::Real(place.position.y),
                FieldValue::Integer(seeing.len() as i64),
                seeing.iter().map(distance_m).reduce(f64::min).map_or(FieldValue::Missing, FieldValue::Real),
                FieldValue::Text(names.join("; ")),
            ]
        };
        let [x, y] = ["x", "y"].map(TableColumn::real);
        let columns = vec![
            TableColumn::text("place"),
            x,
            y,
            TableColumn::integer("count"),
            real("nearest_m", 1),
            TableColumn::text("observers"),
        ];
        Features {
            name: "places",
            table: Table { columns, rows: places.iter().map(row).collect() },
            geometries: places.iter().map(|place| Geometry::Point(place.position)).collect(),
            keys: map.georeference.keys.clone(),
            provenance,
        }
    }

    /// Returns a row for each pair of place and observer, place after place: whether hub and tip are seen from the place (1 or 0),
    /// the visible metres and their vertical angle, all missing if the place is out of range or has no ground; the distance, and
    /// the azimuth from the place to the observer, from true and from grid north. The views must have been computed with the
    /// cells of the [`places`](super::CumulativeParts::places).
    pub fn place_pairs(&self, map: PlaceMap<'_>, observers: &[PlacedObserver], places: &[PlacedObserver]) -> Table {
        let columns = vec![
            TableColumn::text("place"),
            TableColumn::text("observer"),
            TableColumn::integer("hub_seen"),
            TableColumn::integer("tip_seen"),
            real("visible_m", 2),
            real("vertical_angle_deg", 4),
            real("distance_m", 1),
            real("azimuth_deg", 3),
            real("grid_azimuth_deg", 3),
        ];
        let optional = |value: Option<f64>| value.map_or(FieldValue::Missing, FieldValue::Real);
        let flag = |value: Option<bool>| value.map_or(FieldValue::Missing, |value| FieldValue::Integer(value.into()));
        let row = |place: (usize, &PlacedObserver), observer: (usize, &PlacedObserver)| {
            let seen = self.place_views[observer.0 * places.len() + place.0];
            let offset_m = map.offset_m(place.1, observer.1);
            let grid_deg = (offset_m != DVec2::ZERO).then(|| libm::atan2(offset_m.x, offset_m.y) * (180.0 / PI));
            let convergence_deg = map.georeference.convergence_deg(place.1.cell);
            vec![
                FieldValue::Text(place.1.name.clone()),
                FieldValue::Text(observer.1.name.clone()),
                flag(seen.map(|seen| seen.hub)),
                flag(seen.map(|seen| seen.tip)),
                optional(seen.map(|seen| f64::from(seen.visible_m))),
                optional(seen.and_then(|seen| seen.vertical_angle_deg)),
                FieldValue::Real(offset_m.length()),
                optional(grid_deg.zip(convergence_deg).map(|(grid, convergence)| full_circle(grid + convergence))),
                optional(grid_deg.map(full_circle)),
            ]
        };
        let rows = places.iter().enumerate().flat_map(|place| {
            let observers = observers.iter().enumerate();
            observers.map(move |observer| row(place, observer))
        });
        Table { rows: rows.collect(), columns }
    }
}

/// Returns an azimuth in [0, 360) that does not round to 360.000.
fn full_circle(azimuth_deg: f64) -> f64 {
    let azimuth_deg = azimuth_deg.rem_euclid(360.0);
    if azimuth_deg < 359.9995 { azimuth_deg } else { 0.0 }
}

const fn real(name: &'static str, decimals: usize) -> TableColumn {
    TableColumn { name, kind: FieldKind::Real { decimals: Some(decimals) } }
}
